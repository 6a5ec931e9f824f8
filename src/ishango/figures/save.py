"""Figures on disk: PDF, SVG, PNG, a page that needs no network, and the table behind the picture."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd

import ishango.figures.theme  # noqa: F401  # pyright: ignore[reportUnusedImport]  (registers the look)

FORMATS = ("pdf", "svg", "png", "html")
PNG_SCALE = 2.0


def save(chart: Any, directory: Path, name: str, table: pd.DataFrame) -> list[Path]:
    """Write `name.pdf`, `.svg`, `.png`, `.html` and `.csv` into the directory, each whole or not at all."""
    paths = save_chart(chart, directory, name)
    return [*paths, _write(directory / f"{name}.csv", table.to_csv(index=False, lineterminator="\n").encode())]


def save_chart(chart: Any, directory: Path, name: str) -> list[Path]:
    """Write the picture alone, in all formats."""
    directory.mkdir(parents=True, exist_ok=True)
    return [_write(directory / f"{name}.{format}", _render(chart, format)) for format in FORMATS]


def _render(chart: Any, format: str) -> bytes:
    if format in ("svg", "html"):
        text = io.StringIO()
        chart.save(text, format=format, **({"inline": True} if format == "html" else {}))
        return text.getvalue().encode()
    binary = io.BytesIO()
    chart.save(binary, format=format, **({"scale_factor": PNG_SCALE} if format == "png" else {}))
    return binary.getvalue()


def _write(path: Path, content: bytes) -> Path:
    beside = path.with_name(path.name + ".part")
    beside.write_bytes(content)
    return beside.replace(path)
