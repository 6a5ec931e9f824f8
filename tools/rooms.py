"""`python -m tools.rooms`: docs/figures/rooms.svg, from the contract of imports and the docstrings of the rooms."""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "figures" / "rooms.svg"
WIDTH, MARGIN, GAP, BETWEEN = 960, 20, 10, 28
LINE, LETTER = 15, 6.1
"""The height of a line of small text, and the width of its letters."""


def layers() -> list[list[str]]:
    """Rooms in layers, the highest first; modules that serve every room are one layer, the last."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (each for each in project["tool"]["importlinter"]["contracts"] if each["id"] == "rooms")
    found = [re.findall(r"\w+", layer) for layer in contract["layers"]]
    rooms = [[name for name in layer if _docstring(name)] for layer in found]
    served = [name for layer in found for name in layer if not _docstring(name) and name != "__main__"]
    return [*filter(None, rooms), served]


def picture() -> str:
    """The rooms, one row a layer, with what each says of itself."""
    parts: list[str] = []
    y = MARGIN
    *rooms, served = layers()
    for names in rooms:
        width = (WIDTH - 2 * MARGIN - GAP * (len(names) - 1)) / len(names)
        texts = {name: textwrap.wrap(_docstring(name), int((width - 24) / LETTER)) for name in names}
        height = 38 + LINE * max(map(len, texts.values()))
        for place, (name, lines) in enumerate(texts.items()):
            parts.append(_box(MARGIN + place * (width + GAP), y, width, height, name, lines))
        parts.append(_arrow(y + height + 3, y + height + BETWEEN - 4))
        y += height + BETWEEN
    parts.append(_box(MARGIN, y, WIDTH - 2 * MARGIN, 53, " · ".join(served), ["serve every room"]))
    y += 53 + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}"'
            ' font-family="Helvetica, Arial, sans-serif">',
            '<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            '<path d="M0,0L8,4L0,8z" fill="#6b7078"/></marker></defs>',
            f'<rect width="{WIDTH}" height="{y}" fill="white"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _box(x: float, y: float, width: float, height: float, title: str, lines: list[str]) -> str:
    head = (
        f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{height}" rx="8" fill="#eef3f8" stroke="#c9ccd1"/>\n'
        f'<text x="{x + 12:.0f}" y="{y + 22}" font-size="13.5" font-weight="bold" fill="#22252a">{escape(title)}</text>'
    )
    small = [
        f'<text x="{x + 12:.0f}" y="{y + 41 + LINE * i}" font-size="12" fill="#6b7078">{escape(line)}</text>'
        for i, line in enumerate(lines)
    ]
    return "\n".join([head, *small])


def _arrow(top: float, bottom: float) -> str:
    middle = WIDTH // 2
    return (
        f'<line x1="{middle}" y1="{top}" x2="{middle}" y2="{bottom}" stroke="#6b7078" stroke-width="1.3"'
        ' marker-end="url(#a)"/>'
    )


def _docstring(name: str) -> str:
    """The first sentence of a room; nothing for a module."""
    init = ROOT / "src" / "ishango" / name / "__init__.py"
    if not init.is_file():
        return ""
    text = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or name
    return text.split("\n\n")[0].replace("\n", " ").replace("`", "").partition(". ")[0].removesuffix(".")


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
