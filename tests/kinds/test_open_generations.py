"""Generations that may lose numbers: what is heard, lost and invented, what is recorded, and taking a run up again."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from ishango.cli import main
from ishango.kinds import Law, OpenGenerationOptions, OpenGenerations, OpenSystem, costs, kind_of
from ishango.kinds._experiment import losses, spared, with_new_words, words_heard, words_of
from ishango.lab import parse_plan, read_rounds, rounds_table, run, sweep
from ishango.numerals import DIGIT, MULTIPLIER, Expression, NumeralSystem, minimal_language

EXACT = Law(precision=1000, upto=20)


def played(directory, **options):
    run(OpenGenerations(OpenGenerationOptions(**{"upto": 20, **options})), directory)
    return read_rounds(directory)


def contents(directory):
    files = {path.name: path.read_bytes() for path in directory.iterdir() if path.name != "resumes.jsonl"}
    return files | {"rounds.jsonl": [record | {"seconds": 0} for record in read_rounds(directory)]}


def roles(expression: Expression, system: NumeralSystem, role: int):
    """The words of an expression in their roles: a factor is a multiplier, and so is what a sum or difference begins
    with; other words are digits, if they can be."""
    if expression.left is None or expression.right is None:
        return [(role if expression.value in system.digits else MULTIPLIER, expression.value)]
    product = expression.operator == "*"
    left = roles(expression.left, system, DIGIT if product else MULTIPLIER)
    return left + roles(expression.right, system, MULTIPLIER if product else DIGIT)


@pytest.mark.parametrize("text", ["1-9 | 10", "1-4,10 | 5,10", "1-3,6 | 3,6", "1-6 | 4,5,7"])
@pytest.mark.parametrize("grammar", ["modified", "hurford", "natural"])
def test_words_heard_are_those_of_generations_where_all_is_said_exactly(text, grammar):
    """Against the tree of the expression, number by number; a word in both sets is heard in the role it plays."""
    law, system = Law(precision=1000, upto=20, grammar=grammar), NumeralSystem.parse(text, grammar)
    expressions = minimal_language(system, 20).expressions
    for n in range(1, 21):
        expected = set(roles(expressions[n], system, DIGIT))
        assert words_heard(OpenSystem.of(system), law, [n]) == expected, n


def test_what_has_no_expression_is_heard_as_what_is_said_for_it():
    few = OpenSystem.parse("1,2,5")
    assert words_heard(few, Law(precision=3, upto=20), [4, 17]) == {(0, 5)}
    assert words_heard(few, Law(precision=3, upto=20), [3]) == {(0, 2)}  # a tie goes to the smaller
    cheap = Law(precision=0.01, upto=20)
    assert words_heard(OpenSystem.parse("1-9 | 10"), cheap, [12]) == {(0, 9)}  # not worth the effort


def test_words_are_invented_for_what_costs_most_and_control_for_all_alike():
    words, rng = words_of(OpenSystem.parse("1,2,3")), np.random.default_rng(0)
    lost = losses(OpenSystem.parse("1,2,3"), EXACT)
    assert (lost[:3] == 0).all()
    assert lost[9] == pytest.approx(EXACT.weights[9] * 1000 * 7 / 10)
    drawn = Counter(min(with_new_words(words, EXACT, 0.25, False, rng) - words) for _ in range(4000))
    assert sum(count for (role, _), count in drawn.items() if role == 1) == pytest.approx(1000, abs=140)
    expected = 3000 * lost / lost.sum()
    for n in (4, 5, 10):
        assert drawn[0, n] == pytest.approx(expected[n - 1], abs=5 * expected[n - 1] ** 0.5)
    assert not drawn[0, 1]
    uniform = Counter(min(with_new_words(words, EXACT, 0.0, True, rng) - words)[1] for _ in range(3400))
    assert set(uniform) == set(range(4, 21))
    assert max(uniform.values()) < 300
    full = words_of(OpenSystem.parse("1-20"))
    assert with_new_words(full, EXACT, 0.0, False, rng) == full
    assert with_new_words(full, EXACT, 0.0, True, rng) == full


def test_the_control_loses_words_at_random_but_never_the_last_that_says_something():
    rng, words = np.random.default_rng(0), words_of(OpenSystem.parse("1-4 | 5"))
    lost = Counter(min(words - spared(words, 1, EXACT, rng)) for _ in range(2000))
    assert set(lost) == words
    assert all(abs(count - 400) < 100 for count in lost.values())
    assert {role for role, _ in spared(words, 9, EXACT, rng)} == {0}
    assert len(spared(words, 9, EXACT, rng)) == 1


def test_a_generation_knows_what_it_heard_and_no_more(tmp_path):
    """Rare words die and nothing brings numbers back; with everything heard and nothing invented a language stays."""
    records = played(tmp_path / "narrow", start="1-9 | 10", bottleneck=10, invent=0.0, rounds=30, precision=100.0)
    sizes = [record["size"] for record in records]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 5
    assert records[0]["gap"] == 0.0
    assert records[-1]["gap"] is records[-1]["average_complexity"] is None
    assert all(record["words_heard"] == record["size"] for record in records[1:])
    kept = played(tmp_path / "all", start="1-9 | 10", bottleneck="all", invent=0.0, rounds=5, precision=100.0)
    assert {(tuple(each["digits"]), tuple(each["multipliers"])) for each in kept} == {(tuple(range(1, 10)), (10,))}
    assert {each["words_lost"] for each in kept[1:]} == {0}


def test_records_have_the_law_of_their_round_and_the_kind(tmp_path):
    records = played(tmp_path, precision=1.0, precision_to=100.0, precision_rounds=4, rounds=12, word=0.05, seed=3)
    assert [each["precision"] for each in records] == pytest.approx([100 ** (min(r, 4) / 4) for r in range(13)])
    for record in records:
        system = OpenSystem(tuple(record["digits"]), tuple(record["multipliers"]))
        law = Law(precision=record["precision"], word=0.05, upto=20)
        assert record["cost"] == pytest.approx(costs(system, law).total)
        assert (record["kind"], record["exact_upto"]) == (kind_of(system, law).name, kind_of(system, law).exact_upto)
        assert (record["gap"] is None) == (record["average_complexity"] is None or not system.multipliers)
    for before, record in pairwise(records):
        assert record["size"] == before["size"] - record["words_lost"] + record["words_invented"]
        assert (record["lost"] is None) == (record["words_lost"] == 0)


def test_a_piraha_like_chain_becomes_recursive_where_precision_is_worth_it_and_not_where_it_is_not(tmp_path):
    """Eight seeds; the neutral control, which loses and coins at random, gets there in few of them."""
    kinds = {}
    options = {"upto": 50, "start": "1,2", "bottleneck": 50, "rounds": 60}
    cells = {
        "dear": {"precision": 1000.0},
        "cheap": {"precision": 1.0},
        "drift": {"precision": 1000.0, "lose": "random", "coin": "uniform"},
    }
    for name, cell in cells.items():
        ends = [played(tmp_path / f"{name}{seed}", seed=seed, **options, **cell)[-1] for seed in range(8)]
        kinds[name] = Counter(end["kind"] for end in ends)
    assert kinds["dear"]["recursive"] >= 6
    assert not kinds["cheap"]["recursive"] + kinds["cheap"]["partly recursive"]
    assert kinds["drift"]["recursive"] <= 4


def test_runs_are_taken_up_again_with_the_same_bytes(tmp_path):
    options = {"start": "1,2", "precision": 3.0, "precision_to": 300.0, "precision_rounds": 6, "bottleneck": 40}
    for rounds in (3, 9):
        played(tmp_path / "cut", rounds=rounds, **options)
    played(tmp_path / "whole", rounds=9, **options)
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")


def test_command_plan_and_table(tmp_path, capsys):
    words = ["kinds", "generations", "--start", "1,2", "--generations", "3", "--range", "20", "--json"]
    assert main([*words, "--out", str(tmp_path / "one")]) == 0
    assert '"kind"' in capsys.readouterr().out
    plan = (
        "experiment = 'kinds-generations'\nbase = {generations = 2, range = 20}\n"
        "vary = {start = ['1,2', '1-9 | 10'], bottleneck = [20, 'all']}"
    )
    assert [each.status for each in sweep(parse_plan(plan), tmp_path / "plan", workers=1)] == ["done"] * 4
    table = rounds_table(tmp_path / "plan")
    assert {"kind", "cost", "gap", "words_lost", "bottleneck"} <= set(table)
    assert len(table) == 12


@pytest.mark.parametrize(
    ("wrong", "said_so"),
    [
        (["--start", "60"], "the word is 60"),
        (["--bottleneck", "0"], "bottleneck is '0'"),
        (["--bottleneck", "some"], "bottleneck is 'some'"),
        (["--invent", "-1"], "invent is -1"),
        (["--multiplier-share", "2"], "multiplier-share is 2"),
        (["--precision", "0", "--precision-to", "1"], "must stay above 0"),
        (["--precision", "nan"], "precision is nan"),
        (["--lose", "king"], "king"),
    ],
)
def test_what_cannot_be(wrong, said_so, tmp_path, capsys):
    assert main(["kinds", "generations", *wrong, "--out", str(tmp_path / "x")]) == 2
    refusal = capsys.readouterr().err
    assert len(refusal.splitlines()) == 1
    assert not (tmp_path / "x").exists()
    assert said_so in refusal.lower()
