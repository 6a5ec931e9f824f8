"""Figures on disk: PDF, SVG, PNG, a page that needs no network, and the table behind the picture."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd
import vl_convert

import ishango.figures.theme  # noqa: F401  # pyright: ignore[reportUnusedImport]  (registers the look)

PNG_SCALE = 2.0


def save(chart: Any, directory: Path | str, name: str, table: pd.DataFrame) -> list[Path]:
    """Write `name.pdf`, `.svg`, `.png`, `.html` and `.csv` into the directory, each whole or not at all."""
    directory = Path(directory)
    paths = save_chart(chart, directory, name)
    return [*paths, save_table(table, directory, name)]


def save_table(table: pd.DataFrame, directory: Path | str, name: str) -> Path:
    """Write a table alone, `name.csv`."""
    content = table.to_csv(index=False, lineterminator="\n").encode()
    return _write(Path(directory) / f"{name}.csv", content)


def save_chart(chart: Any, directory: Path | str, name: str) -> list[Path]:
    """Write the picture alone, in all formats."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    svg = _text(chart, "svg")
    # What a chart looks like is computed once; PDF and PNG are the same drawing.
    contents = {
        "pdf": vl_convert.svg_to_pdf(svg),
        "svg": svg.encode(),
        "png": vl_convert.svg_to_png(svg, scale=PNG_SCALE),
        "html": _text(chart, "html", inline=True).encode(),
    }
    return [_write(directory / f"{name}.{format}", content) for format, content in contents.items()]


def _text(chart: Any, format: str, **options: Any) -> str:
    text = io.StringIO()
    chart.save(text, format=format, **options)
    return text.getvalue()


def _write(path: Path, content: bytes) -> Path:
    beside = path.with_name(path.name + ".part")
    beside.write_bytes(content)
    return beside.replace(path)
