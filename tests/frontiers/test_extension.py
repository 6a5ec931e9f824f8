"""A grammar and a need from outside the package: their frontier is proved, written and checked."""

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from ishango.cli import main
from ishango.frontiers import Problem, gap, solve
from ishango.frontiers._exact import NoCoverError
from ishango.numerals import GRAMMARS, NEEDS, Grammar, Need, NeedForm, NumeralSystem

Run = Callable[..., tuple[int, str, str]]
STANDING = Grammar("standing", "standing", "a multiplier alone is a numeral but no phrase", True, False)
PRODUCTS = Grammar("products", "products", "neither sums nor differences", False, False, plus=False, minus=False)


@dataclass(frozen=True)
class HalvingNeed(Need):
    """Each number is needed half as often as the one before."""

    @property
    def spec(self) -> str:
        return "halving"

    def unnormalised(self, upto: int) -> list[Fraction]:
        return [Fraction(1, 2**n) for n in range(1, upto + 1)]


@pytest.fixture(autouse=True)
def _extended() -> Iterator[None]:
    for grammar in (STANDING, PRODUCTS):
        GRAMMARS.add(grammar)
    NEEDS.add(NeedForm("halving", "halving", "each number half as often as the one before", lambda _: HalvingNeed()))
    yield
    for grammar in (STANDING, PRODUCTS):
        GRAMMARS.remove(grammar.name)
    NEEDS.remove("halving")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        code = main(list(map(str, arguments)))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_prove_and_check(run: Run, tmp_path: Path) -> None:
    arguments = ("--grammar", "standing", "--need", "halving", "--range", 30, "--sizes", "2-6")
    code, out, _ = run("frontier", *arguments, "--proof", "--out", tmp_path, "--json")
    assert code == 0
    document = json.loads(out)
    rules = {"bare_number": True, "bare_phrase": False, "plus": True, "minus": True}
    assert (document["problem"]["grammar"], document["problem"]["rules"]) == ("standing", rules)
    assert all(point["proved"] for point in document["points"])
    header = json.loads(gzip.decompress((tmp_path / "proof.jsonl.gz").read_bytes()).splitlines()[0])
    assert (header["problem"]["rules"], header["problem"]["need"], header["exact"]) == (rules, "halving", True)
    code, out, _ = run("check", tmp_path)
    assert code == 0
    assert "The proof holds: 5 sizes" in out
    assert "does not know the need halving" in out


def test_a_directory_holds_one_problem(run: Run, tmp_path: Path) -> None:
    assert run("frontier", "--grammar", "standing", "--range", 20, "--sizes", 3, "--out", tmp_path)[0] == 0
    assert run("frontier", "--grammar", "standing", "--range", 20, "--sizes", 4, "--out", tmp_path)[0] == 0
    code, _, err = run("frontier", "--range", 20, "--sizes", 3, "--out", tmp_path)
    assert code == 2
    assert "another problem" in err


def test_a_directory_of_an_earlier_version_is_known(run: Run, tmp_path: Path) -> None:
    assert run("frontier", "--range", 20, "--sizes", 3, "--out", tmp_path)[0] == 0
    path = tmp_path / "frontier.json"
    document = json.loads(path.read_text())
    del document["problem"]["rules"]
    path.write_text(json.dumps(document))
    assert run("frontier", "--range", 20, "--sizes", 3, "--out", tmp_path)[0] == 0


def test_between_the_built_in_grammars() -> None:
    """Each of the three has all that the one before has."""
    for size in range(2, 8):
        averages = [solve(Problem(name, upto=40), size).average for name in ("modified", "standing", "hurford")]
        assert averages[0] >= averages[1] >= averages[2]
        assert averages[0] > averages[2]


def test_gap() -> None:
    best = solve(Problem("standing", upto=40), 6).system
    assert gap(best, upto=40) == 0
    above = gap(NumeralSystem.parse("1,2,30,40 | 5,7", "standing"), upto=40)
    assert above is not None
    assert above > 0


def test_genetic(run: Run) -> None:
    arguments = ("--method", "genetic", "--population", 200, "--generations", 5, "--range", 20, "--sizes", "3-6")
    code, out, _ = run("frontier", "--grammar", "standing", *arguments, "--json")
    assert code == 0
    points = json.loads(out)["points"]
    assert points
    assert all(point["average_complexity"] >= point["lower_bound"] - 1e-9 for point in points)


def test_sizes_that_cannot_cover_are_refused(run: Run) -> None:
    code, _, err = run("frontier", "--grammar", "products", "--range", 20, "--sizes", "3")
    assert code == 2
    assert "sizes run from 9 to the range, 20" in err  # 1 and the eight primes
    assert gap(NumeralSystem.parse("1 | 2", "products"), upto=20) is None
    with pytest.raises(NoCoverError, match="No lexicon of size 5 covers 1 to 9 under the grammar products"):
        solve(Problem("products", upto=9, max_multipliers=1), 5)


def test_a_range_without_operators_is_covered_by_primes() -> None:
    point = solve(Problem("products"), 30, node_limit=5_000)
    assert point.system.digits[0] == 1
    assert float(point.average) > point.lower_bound
