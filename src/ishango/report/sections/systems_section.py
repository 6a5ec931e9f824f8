"""What the paper tabulates: human systems, starts and modifications."""

from __future__ import annotations

from ishango.report.page_parts import Section, ShownTable

TEXT = """\
What the paper tabulates, with what we compute: the lexicon size, the average complexity of the shortest expressions
of 1 to 99, and the gap to the proved frontier of that size. Both grammars are shown; the paper's is the modified
one, in which a multiplier never stands alone.

The modifications are shown on start 2. Read literally, m0 and m1 add 50, 49, ...; our default adds the lowest free
numeral (see the verdict on the literal reading). One that no longer covers 1 to 50 is discarded."""

LEXICON = {"digits": "D", "multipliers": "M"}
"""Headings of a system's words."""
COSTS = {"grammar": "grammar", "size": "size", "average_complexity": "average", "gap": "gap"}
"""Headings of what it costs."""

SECTION = Section(
    "systems",
    "Human systems, starts and modifications",
    TEXT,
    tables=(
        ShownTable(
            "languages",
            {"language": "language", **LEXICON, **COSTS, "said": "average as said"},
            "language in ['English', 'French', 'Kunama']",
        ),
        ShownTable("starts", {"start": "start", **LEXICON, **COSTS}),
        ShownTable(
            "modifications",
            {
                "action": "action",
                "paper": "the paper's words",
                "lowest": "lowest free numeral",
                "literal": "read literally",
                "covers": "covers 1 to 50",
            },
        ),
    ),
)
