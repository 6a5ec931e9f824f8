"""Tables as text for other programs: CSV, LaTeX, Markdown."""

from __future__ import annotations

import re

import pandas as pd


def as_csv(table: pd.DataFrame) -> str:
    """The table as a spreadsheet reads it."""
    return table.to_csv(index=False, lineterminator="\n")


def as_markdown(table: pd.DataFrame) -> str:
    """The table as pages have it; numbers to the right.

    >>> print(as_markdown(pd.DataFrame({"number": [6], "expression": ["2 * 3"]})), end="")
    | number | expression |
    | ---: | :--- |
    | 6 | 2 · 3 |
    """
    rules = ["---:" if _is_number(table, name) else ":---" for name in table.columns]
    rows = [list(map(str, table.columns)), rules, *_cells(table, "·")]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)


def as_latex(table: pd.DataFrame) -> str:
    """The table as a `tabular`, which needs no package; text is set as mathematics.

    >>> print(as_latex(pd.DataFrame({"number": [6], "expression": ["2 * 3"]})), end="")
    \\begin{tabular}{rl}
    \\hline
    number & expression \\\\
    \\hline
    6 & $2 \\cdot 3$ \\\\
    \\hline
    \\end{tabular}
    """
    numeric = [_is_number(table, name) for name in table.columns]
    rows = [
        [cell if plain or not cell else f"${cell}$" for cell, plain in zip(row, numeric, strict=True)]
        for row in _cells(table, r"\cdot")
    ]
    head = [re.sub(r"([_%&#$])", r"\\\1", str(name)) for name in table.columns]
    lines = [
        f"\\begin{{tabular}}{{{''.join('r' if plain else 'l' for plain in numeric)}}}",
        "\\hline",
        _latex_row(head),
        "\\hline",
        *map(_latex_row, rows),
        "\\hline",
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


FORMATS = {"csv": as_csv, "latex": as_latex, "markdown": as_markdown}


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _is_number(table: pd.DataFrame, name: str) -> bool:
    return all(isinstance(value, (int, float)) for value in table[name].dropna().tolist())


def _cells(table: pd.DataFrame, times: str) -> list[list[str]]:
    """All cells as text, empty where there is nothing, with a sign of multiplication that is not an asterisk."""
    rows = table.astype(object).where(table.notna(), "").to_numpy().tolist()
    return [[str(cell).replace("*", times) for cell in row] for row in rows]
