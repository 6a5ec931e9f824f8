"""Plays parts, makes what they print and write comparable, and compares its digests with those that were kept.

What differs from one call to the next is taken out first: seconds, dates, paths, versions, the machine.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import csv
import difflib
import gzip
import hashlib
import io
import json
import lzma
import os
import platform
import re
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from tests.golden.parts import PARTS, Stage

import ishango

KEPT = Path(__file__).with_name("digests.json")
ROOT = Path(__file__).parents[2]
TEXTS = Path(tempfile.gettempdir()) / f"ishango-golden-{os.getuid()}"
"""Where the texts of the last call are, below `kept` those that the digests were made from."""
LIBRARIES = ("numpy", "numba", "scipy", "pandas", "rich", "altair", "vl-convert-python", "torch")
FLEETING = (
    "seconds|steps_per_second|updated|changed_at|began|started|created|time|left|"
    "bytes|sha256|digest|platform|cpu|host|commit|versions|python|ishango|numpy|numba|torch"
)
"""Values that differ between calls or machines; digests do, since processors differ in the last digits of numbers."""
UNREAD = {".png", ".pdf", ".parquet", "resumes.jsonl"}
"""Endings of pictures and packed tables; and where runs note that they went on elsewhere, which depends on where."""
DRAWN = {".svg", ".html"}
"""Drawn by libraries with the fonts of the machine: compared on the same machine alone."""

Texts = dict[str, str]


def played(name: str) -> Texts:
    """What a part prints and writes, by name, without what differs from call to call."""
    stage = Stage()
    with tempfile.TemporaryDirectory(prefix="golden-") as directory, _inside(Path(directory)):
        PARTS[name].play(stage)
        here = Path.cwd()
        files = {
            str(path): path
            for path in sorted(Path().rglob("*"))
            if path.is_file() and not UNREAD & {path.suffix, path.name}
        }
        found = {each: _comparable(path.name, path.read_bytes()) for each, path in files.items()}
        found |= {
            f"$ {each}": (_table if each.endswith(".csv") else _plain)(text) for each, text in stage.printed.items()
        }
        return {
            f"{name}/{each}": text.replace(str(here), "HERE").replace(str(ROOT), "ROOT") for each, text in found.items()
        }


@contextlib.contextmanager
def _inside(directory: Path) -> Iterator[None]:
    before, settings = Path.cwd(), {name: os.environ.get(name) for name in ("COLUMNS", "NO_COLOR")}
    os.environ |= {"COLUMNS": "120", "NO_COLOR": "1"}
    os.chdir(directory.resolve())
    try:
        yield
    finally:
        os.chdir(before)
        for name, value in settings.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def _comparable(name: str, content: bytes) -> str:
    """The contents of a file as a text: of arrays, the digests of each; of an archive, all members."""
    if name.endswith(".npz"):
        with np.load(io.BytesIO(content)) as arrays:
            return "".join(f"{each} {_array(arrays[each])}\n" for each in sorted(arrays))
    if name.endswith(".safetensors"):
        length = int.from_bytes(content[:8], "little")
        return _plain(content[8 : 8 + length].decode()) + _digest(content[8 + length :])
    if name.endswith(".tar.xz"):
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            parts = {each.name: archive.extractfile(each) for each in archive.getmembers()}
            return "\n".join(
                f"## {each}\n{_comparable(each, part.read())}" for each, part in sorted(parts.items()) if part
            )
    if name.endswith((".gz", ".xz")):
        unpack = gzip.decompress if name.endswith(".gz") else lzma.decompress
        return _comparable(name[:-3], unpack(content))
    text = content.decode()
    return _table(text) if name.endswith(".csv") else _plain(text)


def _array(values: np.ndarray) -> str:
    return f"{values.dtype} {values.shape} {_digest(values.tobytes())} {values.reshape(-1)[:4].tolist()}"


def _table(text: str) -> str:
    """A table in CSV with zeros in the columns of what is fleeting."""
    head, *rows = list(csv.reader(io.StringIO(text))) or [[]]
    fleeting = [re.fullmatch(FLEETING, name) is not None for name in head]
    return "\n".join(
        ",".join("0" if zero else cell for cell, zero in zip(row, fleeting, strict=True)) for row in [head, *rows]
    )


def _plain(text: str) -> str:
    """A text with placeholders for what is fleeting, also inside what an exported page holds compressed."""
    text = re.sub(r"H4sI[\w+/=]{40,}", lambda found: gzip.decompress(base64.b64decode(found[0])).decode(), text)
    text = re.sub(rf'"({FLEETING})": ?("[^"]*"|\{{[^}}]*\}}|[-\w.+]+)', r'"\1": 0', text)
    text = re.sub(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?", "DATE", text)
    text = re.sub(r"\b\d+(\.\d+)? (s|seconds|minutes|ms)\b", "SECONDS", text)
    text = re.sub(r"[\d,]+ bytes of [\d,]+", "BYTES", text)  # of archives, in which seconds are packed
    code = r"Code: \w+(, with changes that are not committed)?\. "
    text = re.sub(code + r"Runs were played on: .*? \(\d+ runs\)\. Versions: .*? \(\d+ runs\)", "MACHINE", text)
    text = re.sub(r"\b(clip|gradient_)\d+\b", r"\1", text)  # counted over all figures that a process draws
    if re.match(r".* seconds *\n", text):
        text = re.sub(r"(?m) +\d+\.\d\d$", " SECONDS", text)
    return text.replace(ishango.__version__, "VERSION").replace(platform.node(), "HOST")


def _rounded(text: str) -> str:
    """Numbers with nine digits: what is the same on processors whose sums differ in the last bits."""
    return re.sub(r"-?\d+\.\d{6,}(e-?\d+)?", lambda found: f"{float(found[0]):.9g}", text)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def machine() -> dict[str, str]:
    """What bits depend on: the processor and the libraries."""
    import llvmlite.binding as llvm

    found = {"cpu": llvm.get_host_cpu_name(), "python": platform.python_version()}
    for library in LIBRARIES:
        with contextlib.suppress(PackageNotFoundError):
            found[library] = version(library)
    return found


def kept() -> dict[str, dict[str, str]]:
    """The digests that were kept, exact and of rounded numbers, and the machine that made them."""
    return json.loads(KEPT.read_text(encoding="utf-8"))


def compared(name: str, texts: Texts, before: dict[str, dict[str, str]]) -> list[str]:
    """The names of outputs of a part that differ, are new or are gone.

    On another machine, or with other libraries, numbers are compared by nine digits, and figures not at all.
    """
    same = before["machine"] == machine()
    digests = before["exact" if same else "rounded"]
    now = {each: _digest((text if same else _rounded(text)).encode()) for each, text in texts.items()}
    names = {
        each for each in {*now, *digests} if each.startswith(f"{name}/") and (same or Path(each).suffix not in DRAWN)
    }
    return sorted(each for each in names if now.get(each) != digests.get(each))


def keep(texts: Texts, names: list[str]) -> None:
    """Write digests anew, of these parts."""
    before = kept() if KEPT.exists() else {"exact": {}, "rounded": {}}
    if before.get("machine", machine()) != machine() and {*names} != {*PARTS}:
        sys.exit("The digests were made on another machine or with other libraries; keep all parts at once.")
    document: dict[str, dict[str, str]] = {"machine": machine()}
    for kind, form in (("exact", str), ("rounded", _rounded)):
        others = {each: digest for each, digest in before[kind].items() if each.split("/")[0] not in names}
        now = {each: _digest(form(text).encode()) for each, text in texts.items()}
        document[kind] = dict(sorted({**others, **now}.items()))
    KEPT.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def store(texts: Texts, folder: Path) -> None:
    """Write texts as files, one each."""
    for name, text in texts.items():
        path = folder / (name.replace("?", "_").replace("$ ", "printed ").replace("&", "_"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def difference(name: str, most: int = 12) -> str:
    """The first lines that differ from the texts that were kept, if they are still there."""
    place = name.replace("?", "_").replace("$ ", "printed ").replace("&", "_")
    old, new = TEXTS / "kept" / place, TEXTS / "now" / place
    if not (old.exists() and new.exists()):
        return "    (new)" if new.exists() else "    (gone)"
    texts = [path.read_text(encoding="utf-8").splitlines() for path in (old, new)]
    lines = [
        line[:200] for line in difflib.unified_diff(*texts, lineterm="", n=0) if not line.startswith(("---", "+++"))
    ]
    return "\n".join(f"    {line}" for line in lines[:most])


def _worked() -> float:
    """Seconds of work so far, of this process and those that it has started."""
    return sum(os.times()[:4])


def cannot_repeat(name: str) -> list[str]:
    """What of this machine is not as it was where the digests were made, if the bits of a part may depend on that."""
    return sorted(dict(kept()["machine"].items() ^ machine().items())) if PARTS[name].agents else []


def main(words: list[str]) -> int:
    """Play and compare, or keep."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"parts to play, all if none: {', '.join(PARTS)}")
    parser.add_argument("--keep", action="store_true", help="write the digests anew")
    asked = parser.parse_args(words)
    if unknown := {*asked.names} - {*PARTS}:
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    names, texts, differing = asked.names or list(PARTS), Texts(), list[str]()
    for name in names:
        if why := PARTS[name].missing or ([] if asked.keep else cannot_repeat(name)):
            print(f"{name}: skipped ({', '.join(why)})", file=sys.stderr)
            continue
        began, worked = time.perf_counter(), _worked()
        found = played(name)
        store(found, TEXTS / ("kept" if asked.keep else "now"))
        texts |= found
        differing += [] if asked.keep else compared(name, found, kept())
        took = f"{time.perf_counter() - began:.0f} s, of a core {_worked() - worked:.0f} s"
        print(f"{name}: {len(found)} outputs, {took}", file=sys.stderr)
    if asked.keep:
        keep(texts, names)
    for name in differing:
        print(f"{name}\n{difference(name)}")
    print(f"{len(texts)} outputs, {len(differing)} differ; texts are in {TEXTS}")
    return int(bool(differing))
