"""The words of `docs/results.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from ishango.report.answer import answer
from ishango.report.claims import Verdict
from ishango.report.claims.verdict import NOT_JUDGED, RULINGS
from ishango.report.data import Tables
from ishango.report.page import MARKS, number
from ishango.report.page_parts import Figure
from ishango.report.played import still_missing, studies_in

NOTHING_MISSING = "All its runs are finished."


class Made(TypedDict):
    """How the tables were made."""

    commit: str
    machines: dict[str, int]
    versions: dict[str, int]
    studies: dict[str, dict[str, Any]]


def results_text(data: Tables, made: Made, found: Sequence[Verdict], drawn: Mapping[str, Figure], tables: str) -> str:
    """The whole page."""
    scale = str(data["scale"]["name"].iloc[0])
    parts = [
        f"# Results of the {scale} reproduction",
        f"`ishango reproduce --{scale}`: eight starts, {_agents(data)}."
        f" {still_missing(data) or NOTHING_MISSING} A claim is judged when each start (or other setting) of the studies"
        " that it is about has a finished run; until then it is undecided, whatever the runs say that are there. This"
        " page is made by a command (see the end) and not edited.",
        "## The answer",
        *_sentences(found),
        _preference(found),
        *(f"![{each.sentence}]({file})\n\n*{each.sentence[0].upper()}{each.sentence[1:]}. {each.see}*"
          for file, each in drawn.items()),
        "## The claims",
        _verdicts(found),
        "## How it was made",
        _provenance(made, data),
        _again(tables),
    ]  # fmt: skip
    return "\n\n".join(filter(None, parts)) + "\n"


def _agents(data: Tables) -> str:
    row = next(each for each in studies_in(data) if each.study == "agents")
    return f"{row.planned} runs of agents with {row.rounds} rounds of {row.steps:,} steps"


def _sentences(found: Sequence[Verdict]) -> list[str]:
    """What holds, what does not, what is undecided."""
    judged = [each for each in found if each.statistic != NOT_JUDGED]
    lines: list[str] = []
    for sentence in answer(judged):
        parts = [
            f"**{part.lead}**" + (f": {', '.join(each.brief for each in part.named)}" if part.named else "")
            + (f" and {part.more} more" if part.more else "")
            for part in sentence
        ]  # fmt: skip
        lines.append(f"- {'; '.join(parts)}.")
    rest = len(found) - len(judged)
    if rest:
        lines.append(f"- **{rest} are not judged yet**, because runs are missing.")
    return ["\n".join(lines)]


def _preference(found: Sequence[Verdict]) -> str:
    """Do agents prefer shorter languages? The one number."""
    each = next((each for each in found if each.name == "selection"), None)
    if each is None or each.statistic == NOT_JUDGED:
        return "**Do agents prefer shorter languages?** Not judged yet."
    return (
        f"**Do agents prefer shorter languages?** At {each.steps:,} steps a round the share of shorter alternatives"
        f" they keep, less that of longer ones, is {number(each.value)} [{number(each.low)}, {number(each.high)}] (mean"
        f" over starts, 95 % interval), and a coin's is {number(each.coin)}. The claim: {each.ruling}."
    )


def _verdicts(found: Sequence[Verdict]) -> str:
    lines = ["| | claim | number [95 % interval] | agents minus coin |", "|---|---|---|---|"]
    order = {ruling: place for place, ruling in enumerate(RULINGS)}
    for each in sorted(found, key=lambda each: (each.statistic == NOT_JUDGED, order[each.ruling])):
        lines.append(
            f"| {MARKS[each.ruling]} {' '.join(filter(None, (_ruling(each), each.scope)))} | {_cell(each.claim)} |"
            f" {_measured(each)} | {_contrast(each)} |"
        )
    return "\n".join(lines)


def _ruling(each: Verdict) -> str:
    return NOT_JUDGED if each.statistic == NOT_JUDGED else each.ruling


def _measured(each: Verdict) -> str:
    if each.statistic == NOT_JUDGED:
        return _cell(each.measured.removeprefix("Not judged yet: "))
    interval = "exact" if each.exact else f"[{number(each.low)}, {number(each.high)}]"
    return f"{number(each.value)} {interval}: {_cell(each.statistic)}"


def _contrast(each: Verdict) -> str:
    if not each.beside_coin:
        return ""
    found = f"{number(each.contrast)} [{number(each.contrast_low)}, {number(each.contrast_high)}], p = {number(each.p)}"
    shown = each.contrast_low > 0 or each.contrast_high < 0
    bounded = not shown and abs(each.contrast_within) < float("inf")
    return f"{found}; no more than {number(each.contrast_within)} either way" if bounded else found


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _provenance(made: Made, data: Tables) -> str:
    played = made["studies"]
    lines = [
        f"Code: {made['commit']}. Runs were played on: "
        + "; ".join(f"{machine} ({count:,} runs)" for machine, count in made["machines"].items())
        + ". Versions: "
        + "; ".join(f"{versions} ({count:,} runs)" for versions, count in made["versions"].items())
        + f". All together they took {_hours(sum(float(row['minutes']) for row in played.values()))} core-hours by the"
        " clock of the processes that played, one core each; where the machine was shared that is more than they"
        " computed.",
        "",
        "| study | runs finished | of | rounds | steps a round | core-hours | steps a second (median round) |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in studies_in(data):
        own = played.get(row.study, {"minutes": 0.0, "steps_per_second": "–"})
        steps = f"{row.steps:,}" if row.steps else "–"
        lines.append(
            f"| {row.study} | {row.finished:,} | {row.planned:,} | {row.rounds} | {steps} |"
            f" {_hours(float(own['minutes']))} | {own['steps_per_second']} |"
        )
    return "\n".join(lines)


def _hours(minutes: float) -> str:
    return f"{minutes / 60:.2f}"


def _again(tables: str) -> str:
    return f"""\
The options of each study are its plan, `runs/STUDY/plan.toml` of a reproduction (`src/ishango/report/studies.py`);
everything else has its default. The tables behind this page are in `{tables}`, seen from here, compressed, with numbers
of six decimals; the verdicts are computed from them alone:

```python
from ishango.report import verdicts
from ishango.report.shipped import shipped_results

for verdict in verdicts(shipped_results()):
    print(verdict.ruling, verdict.scope, verdict.claim, verdict.value, verdict.low, verdict.high, verdict.contrast)
```

To play what is missing, on as many machines as there are, and make this page again:

```
ishango unarchive full.tar.xz out/reproduce-full         # the runs of before, if there are any
ishango reproduce --full                                 # plays what is missing; stop it whenever you like
ishango archive out/reproduce-full -o full.tar.xz        # keep what is finished
ishango reproduce --full --play-nothing                  # tables and page from what is finished
ishango results out/reproduce-full --out docs/results.md --tables src/ishango/report/shipped_files/full
```"""
