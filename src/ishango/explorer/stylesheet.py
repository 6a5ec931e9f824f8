"""The page itself: its files, and the style sheet that takes its colours from the figures."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ishango.figures.theme import COLOURS, DARK, GREY, GRID, GROUPS, INK, NOTE, SHADES, SPOKEN, STARTS

STATIC = Path(__file__).parent / "static"
SHEETS = ("base", "controls", "builder", "runs", "kinds")
"""Style sheets, each of which may refine what those before it say."""
PAPER, DARK_PAPER = "#fbfaf7", "#16181c"

_VARIABLES = {
    "ink": INK,
    "note": NOTE,
    "line": GREY,
    "faint": GRID,
    "digit": COLOURS[0],
    "multiplier": COLOURS[1],
    "good": COLOURS[2],
    "both": COLOURS[3],
    "exact": STARTS[5],
    "card": SHADES[0],
    "shade": SHADES[1],
    "human": SPOKEN,
    **{f"group-{i}": colour for i, colour in enumerate(GROUPS)},
}


@cache
def style() -> str:
    """The whole style of the page."""
    sheets = ((STATIC / "css" / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS)
    return "\n".join((theme_css(), *sheets))


def theme_css() -> str:
    """The colours of the figures as variables, for light and dark: as the system says, unless the switch says else."""
    light = _rules({**_VARIABLES, "paper": PAPER})
    dark = _rules({**{name: DARK[colour] for name, colour in _VARIABLES.items()}, "paper": DARK_PAPER})
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ color-scheme: dark; {dark} }} }}\n"
        f":root[data-theme=dark] {{ color-scheme: dark; {dark} }}\n"
        + "".join(f".group-{i} {{ --group: var(--group-{i}); }}\n" for i in range(len(GROUPS)))
    )


def _rules(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())
