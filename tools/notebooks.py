"""Execute the notebooks of examples/: `python -m tools.notebooks` keeps their outputs, `--check` only tries them.

Everything a notebook writes goes to a directory that is thrown away. Python is the one that runs this, so that an
environment with the wheel, outside the checkout, can be tried as well.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SECONDS = 300
"""What one cell may take, the compilation of kernels included."""


def execute(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of now; an error of a cell is raised."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.get("metadata", {}).pop("execution", None)
    with TemporaryDirectory() as directory:
        client = NotebookClient(
            notebook, timeout=SECONDS, record_timing=False, resources={"metadata": {"path": directory}}
        )
        return client.execute()


def shape(notebook: nbformat.NotebookNode) -> list[list[str]]:
    """What each code cell shows, by kind: numbers may differ between machines, pictures and tables are there or not."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [[kind for output in cell.outputs for kind in _kinds(output)] for cell in cells]


def _kinds(output: nbformat.NotebookNode) -> list[str]:
    if output.output_type == "stream":
        return [output.name]
    return sorted(output.get("data", {})) or [output.output_type]


def main(arguments: list[str]) -> int:
    """Execute all; with `--check` compare with what is kept, else keep."""
    for path in sorted(EXAMPLES.glob("*.ipynb")):
        began = time.monotonic()
        executed = execute(path)
        print(f"{path.name}: {time.monotonic() - began:.0f} s", flush=True)
        if "--check" in arguments:
            kept = nbformat.read(path, as_version=4)
            if shape(kept) != shape(executed):
                print(f"{path.name} shows other outputs than those that are kept; run `make notebooks`.")
                return 1
        else:
            nbformat.write(executed, path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
