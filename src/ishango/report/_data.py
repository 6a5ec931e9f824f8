"""The tables of the report: what they hold, in words, how they are kept, and those made without runs."""

from __future__ import annotations

import io
import lzma
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pandas as pd

from ishango import frontiers as fronts
from ishango._locks import adding_to
from ishango.errors import RequestError
from ishango.evolution import HIGHEST, LOWEST, PAPER, free_numeral
from ishango.languages import Language, find_language, load_languages
from ishango.numerals import HURFORD as HURFORD_GRAMMAR
from ishango.numerals import MODIFIED as MODIFIED_GRAMMAR
from ishango.numerals import PAPERS, STARTS, Need, NumeralSystem, average_complexity, format_set
from ishango.report._studies import EXPONENTIAL, Scale
from ishango.restricted import (
    expression_bands,
    find_study_language,
    restricted_frontier_table,
    restricted_language_table,
    term_bands,
)
from ishango.safe_files import unpacked, write_together

# The tables of a reproduction on disk: what the figures, the verdicts and the page are made from.

Tables = Mapping[str, pd.DataFrame]
"""Tables by their names."""
TEXT = ("start", "digits", "multipliers", "system", "lowest", "literal", "alternative", "run", "name")
"""Columns that look like numbers in some rows and are none."""
PACKED = ".csv.xz"
"""How the file of a table ends that is shipped: compressed, as R, pandas and DuckDB read it, too."""


class Data(Mapping[str, pd.DataFrame]):
    """The tables below a directory by their names, compressed or not, each read when it is first asked for."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._tables: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._tables:
            self._tables[name] = _read(self._path(name))
        return self._tables[name]

    def columns(self, name: str) -> list[str]:
        """The columns of a table, of which no more than the first line is read."""
        return list(_read(self._path(name), rows=0).columns)

    def _path(self, name: str) -> Path:
        for path in (self.directory / f"{name}{end}" for end in (".csv", PACKED)):
            if path.is_file():
                return path
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        files = [*self.directory.glob("*.csv"), *self.directory.glob(f"*{PACKED}")]
        return iter(sorted({path.name.partition(".csv")[0] for path in files}))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _read(path: Path, rows: int | None = None) -> pd.DataFrame:
    # Read as a whole: chunk by chunk a column without numbers in one of them would have two types.
    try:
        content = io.BytesIO(unpacked(path)) if path.suffix == ".xz" and rows is None else path
        return pd.read_csv(content, dtype=dict.fromkeys(TEXT, str), low_memory=False, nrows=rows)
    except (ValueError, EOFError, lzma.LZMAError) as error:  # empty or cut off, say
        raise RequestError(f"{path} is not a table ({error}); let ishango reproduce make it again.") from None


def write_tables(tables: Tables, directory: Path, *, packed: bool = False) -> None:
    """Write each table as CSV, whole or not at all; numbers are written so that they read back as they are."""
    contents: dict[str, bytes] = {}
    for name, table in tables.items():
        text = table.to_csv(index=False, lineterminator="\n").encode()
        contents[f"{name}{PACKED if packed else '.csv'}"] = lzma.compress(text, preset=9) if packed else text
    with adding_to(directory):
        write_together(directory, contents)


# Tables of studies that take too long to be played with every reproduction: they come with the package.

NAMES = ("pressures", "pressures-runs", "learnability")
DIRECTORY = Path(__file__).parent / "shipped_files"
RESULTS = DIRECTORY / "full"
"""The tables of the reproduction at the paper's scale, as far as it has been played."""


def shipped_tables() -> dict[str, pd.DataFrame]:
    """Those of the studies of pressures and learnability by name, as their commands wrote them."""
    return {name: pd.read_csv(DIRECTORY / f"{name}.csv") for name in NAMES}


def shipped_results() -> Data:
    """Those of the full reproduction by name, as `ishango results` wrote them: what the verdicts are computed from."""
    if not RESULTS.is_dir():
        raise RequestError("This version ships no results of a full reproduction; make some with ishango reproduce.")
    return Data(RESULTS)


# Tables that need no agents: languages, starts, modifications, the frontier and what follows from it.

SIZES = range(2, 26)
MORE_SIZES = range(2, 51)
"""Sizes that runs may drift to."""
EXAMPLE = STARTS[1]
"""What the modifications are shown on."""
PAPER_NEED = "power:2"
"""The paper's need, n^-2, which it also calls exponential."""
RATES = ("exp:0.1", EXPONENTIAL, "exp:0.5")
"""Needs that do fall exponentially: a question of ours."""
SHOWN_NEEDS = (PAPER_NEED, *RATES)
UPTO = 99
"""The range of averages; a variety of the catalogue that tells the tens up to 90 tells how all of it is said."""
WIDE = 999
GAME_RANGE = 50
"""Numbers that agents talk about."""
SHOWN_NUMBERS = 30
"""Numbers over which systems are drawn as bands."""

CAP = 5
"""Multipliers permitted in the published work."""
MODIFIED, OVERLAP = MODIFIED_GRAMMAR.name, f"{MODIFIED_GRAMMAR.name}, overlap"
HURFORD, CAPPED = "Hurford", f"Hurford, at most {CAP}"
FRONTIERS = (MODIFIED, OVERLAP, HURFORD, CAPPED)
"""The frontiers that are proved, as tables, figures and claims call them."""

Frontiers = dict[str, tuple[fronts.Problem, list[fronts.FrontierPoint]]]


def bands_table() -> pd.DataFrame:
    """The paper's Figure 1: an approximate, an exact restricted and a recursive system, number by number."""
    english = find_language("English").expressions(HURFORD_GRAMMAR.name)
    assert english is not None
    few_words = [
        term_bands(name, find_study_language(name).system(), SHOWN_NUMBERS) for name in ("Chiquitano", "Awa Pit")
    ]
    return pd.concat([*few_words, expression_bands("English", english, SHOWN_NUMBERS)], ignore_index=True)


def restricted_tables() -> dict[str, pd.DataFrame]:
    """The paper's Figure 2: the frontiers of restricted systems, and the languages of Xu, Liu and Regier (2020).

    Languages are placed over 1 to 100, agents over 1 to 20, so both are given for both.
    """
    makers = {"restricted_frontier": restricted_frontier_table, "restricted_languages": restricted_language_table}
    return {
        name: pd.concat([make(upto=upto).assign(range=upto) for upto in (100, 20)], ignore_index=True)
        for name, make in makers.items()
    }


def frontiers(capped: Sequence[int]) -> Frontiers:
    problems = {
        MODIFIED: (fronts.Problem(), MORE_SIZES),
        OVERLAP: (fronts.Problem(overlap=True), SIZES),
        HURFORD: (fronts.Problem(HURFORD_GRAMMAR.name), SIZES),
        CAPPED: (fronts.Problem(HURFORD_GRAMMAR.name, max_multipliers=CAP), capped),
    }
    return {
        name: (problem, list(fronts.frontier(problem, sizes, every=True)))
        for name, (problem, sizes) in problems.items()
    }


def frontiers_table(proved: Frontiers) -> pd.DataFrame:
    tables = [fronts.frontier_table(problem, points).assign(series=name) for name, (problem, points) in proved.items()]
    counts = [len(point.optima) for _, points in proved.values() for point in points]
    return pd.concat(tables, ignore_index=True).assign(optima=counts)


def estimates_table(proved: Frontiers, scale: Scale) -> pd.DataFrame:
    """How far the genetic algorithm ends above each proved frontier; overlap is not what it searches."""
    settings = fronts.GeneticSettings(generations=scale.genetic_generations)
    tables = [
        fronts.genetic_table(problem, points, scale.genetic_seeds, settings).assign(search=name)
        for name, (problem, points) in proved.items()
        if not problem.overlap
    ]
    return pd.concat(tables, ignore_index=True)


def languages_table() -> pd.DataFrame:
    """Human languages under both grammars: what is said, what would be shortest, and the gap of the latter."""
    return pd.DataFrame(row for language in load_languages() for row in _language_rows(language))


def world_table() -> pd.DataFrame:
    """The varieties of the catalogue that say 1 to 99, under both grammars; alike ones of a family share a row."""
    told = [each for each in load_languages("world") if each.says_all(UPTO)]
    rows = pd.DataFrame(row for language in told for row in _language_rows(language))
    alone = rows["family"] == ""  # a language without relatives is a family
    known = rows.assign(family=rows["family"].where(~alone, rows["language"])).drop(columns=["language", "base"])
    alike = known.groupby([column for column in known.columns if column != "glottocode"], dropna=False)["glottocode"]
    return alike.agg(languages="size", glottocodes=" ".join).reset_index()


def _language_rows(language: Language) -> Iterator[dict[str, object]]:
    for grammar in PAPERS:
        system = language.system_under(grammar)
        if system is not None and (measured := _human_costs(system)):
            costs, away = measured
            yield {"language": language.name, "glottocode": language.glottocode, "family": language.family,
                   "base": language.base, **costs, "said": language.average_complexity(grammar),
                   "distance": away}  # fmt: skip


@cache
def _human_costs(system: NumeralSystem) -> tuple[dict[str, object], float | None] | None:
    """Thousands of languages share a few hundred systems; nothing where a number has no expression."""
    average = average_complexity(system)
    if average is None or system.words[-1] > UPTO:
        return None
    away = fronts.distance(system.size, average, fronts.Problem(system.grammar))
    return {**_costs(system), "multiplier_count": len(system.multipliers)}, away


def starts_table() -> pd.DataFrame:
    return pd.DataFrame(
        {"start": number, **_costs(start.with_grammar(grammar))}
        for number, start in enumerate(STARTS, start=1)
        for grammar in PAPERS
    )


def _costs(system: NumeralSystem) -> dict[str, object]:
    return {
        "grammar": system.grammar,
        "digits": format_set(system.digits),
        "multipliers": format_set(system.multipliers),
        **fronts.measure(system)._asdict(),
    }


def modifications_table() -> pd.DataFrame:
    """What each modification makes of an example, as we read it and as the table of the paper reads literally."""
    rows: list[dict[str, object]] = []
    for modification in PAPER:
        lowest, highest = (
            modification.apply(EXAMPLE, free_numeral(EXAMPLE, GAME_RANGE, add)) for add in (LOWEST.name, HIGHEST.name)
        )
        rows.append(
            {
                "action": modification.name,
                "paper": modification.sentence,
                "example": str(EXAMPLE),
                "lowest": str(lowest),
                "literal": str(highest),
                "covers": lowest is not None and average_complexity(lowest, upto=GAME_RANGE) is not None,
            }
        )
    return pd.DataFrame(rows)


def size_twelve(proved: Frontiers) -> dict[str, pd.DataFrame]:
    """Table 4 beside the proved optimum: the systems, and their minimal languages number by number."""
    best = next(point.system for point in proved[HURFORD][1] if point.size == 12)
    systems = {**fronts.TABLE_4, "Hurford (proved)": best}
    minimal = fronts.minimal_table(systems)
    rows = [
        {
            "system": name,
            **_costs(system),
            **{f"average_{grammar}": average_complexity(system.with_grammar(grammar)) for grammar in PAPERS},
        }
        for name, system in systems.items()
    ]
    regular = fronts.regularity(minimal)[["changes", "bases"]]
    return {"table4": pd.DataFrame(rows).join(regular), "size_twelve": minimal}


def beyond_table() -> pd.DataFrame:
    """What the numbers from 100 to 999 add to averages: the starts and, once each, the systems of human languages."""
    rows: list[dict[str, object]] = []
    for kind, name, system in _known_systems():
        row: dict[str, object] = {"kind": kind, "name": name, "system": str(system)}
        optimum = fronts.solve(fronts.Problem(), system.size).system
        for column, each in (("average", system), ("optimum", optimum)):
            row |= {f"{column}_{upto}": average_complexity(each, upto=upto) for upto in (UPTO, WIDE)}
        rows.append(row)
    return pd.DataFrame(rows)


def evaluations_table(finals: Iterable[tuple[str, str, str, NumeralSystem]]) -> pd.DataFrame:
    """Starts, human systems and the systems where runs ended, evaluated under several needs."""
    known = [(kind, name, name if kind == "start" else "", system) for kind, name, system in _known_systems()]
    return pd.DataFrame(
        {
            "kind": kind,
            "name": name,
            "start": start,
            "system": str(system),
            "need": need,
            **fronts.measure(system, need)._asdict(),
        }
        for kind, name, start, system in (*known, *finals)
        for need in SHOWN_NEEDS
    )


def _known_systems() -> Iterator[tuple[str, str, NumeralSystem]]:
    yield from (("start", str(number), start) for number, start in enumerate(STARTS, start=1))
    seen: set[NumeralSystem] = set()
    for language in load_languages():
        system = language.system_under(MODIFIED_GRAMMAR.name)
        if system is not None and system not in seen and average_complexity(system) is not None:
            seen.add(system)
            yield "human", language.name, system


def scale_table(scale: Scale) -> pd.DataFrame:
    columns = (
        "name", "rounds", "steps", "side_steps", "learning_steps", "restricted_steps", "coin", "oracle", "matched",
    )  # fmt: skip
    return pd.DataFrame([{column: getattr(scale, column) for column in columns} | {"seeds": len(scale.seeds)}])


def shares_table() -> pd.DataFrame:
    return pd.DataFrame(
        {"need": need, "number": number, "share": float(share)}
        for need in SHOWN_NEEDS
        for number, share in enumerate(Need.parse(need).weights(GAME_RANGE), start=1)
    )
