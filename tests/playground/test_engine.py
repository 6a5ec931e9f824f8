"""The playground's engine against Python: expressions, averages, modifications, generations."""

import json

import numpy as np
import pytest
from scipy.stats import ks_2samp

from ishango.evolution._modifications import alternatives
from ishango.frontiers import measure
from ishango.game import GameOptions
from ishango.generations import GenerationOptions
from ishango.generations._experiment import play_chain
from ishango.generations._upbringing import bases_of, system_of
from ishango.numerals import PAPERS, STARTS, NumeralSystem, average_complexity, listing, minimal_language, words_of

NEEDS = ("power:2", "power:1", "uniform")


def random_systems(number: int, seed: int = 0) -> list[tuple[NumeralSystem, str, int]]:
    """Systems of one to fifteen words in each set, which may overlap and need not cover the range."""
    rng, found = np.random.default_rng(seed), []
    for i in range(number):
        upto = (50, 99)[i % 2]
        digits, multipliers = (rng.integers(1, upto + 1, size=rng.integers(1, 16)).tolist() for _ in range(2))
        if rng.random() < 0.7:  # else most of them would cover nothing
            digits += range(1, int(rng.integers(2, 8)))
        found.append((NumeralSystem(tuple(digits), tuple(multipliers), PAPERS[i // 2 % 2]), NEEDS[i // 4 % 3], upto))
    return found


def test_same_averages_and_expressions(ask):
    systems = random_systems(2000)
    asked = [{"system": str(s), "grammar": s.grammar, "need": need, "upto": upto} for s, need, upto in systems]
    covering = 0
    for (system, need, upto), told in zip(systems, ask("languages", systems=asked), strict=True):
        average = average_complexity(system, need, upto)
        covering += average is not None
        assert told["size"] == system.size
        assert (told["average"] is None) == (average is None)
        if average is not None:
            assert abs(told["average"] - average) < 1e-12
        texts = {line.number: line.expression for line in listing(system, upto)}
        assert told["texts"] == [texts.get(n) for n in range(1, upto + 1)], str(system)
    assert 500 < covering < 1990  # both kinds are tried


def test_same_tokens_bases_and_gaps(ask):
    """What agents read, also where strings without brackets clash; bases; gaps, where the page has an optimum."""
    systems = [case for case in random_systems(400, seed=1) if minimal_language(case[0], case[2]).covers][:120]
    systems += [(start, "power:2", upto) for start in STARTS for upto in (50, 99)]
    asked = [{"system": str(s), "grammar": s.grammar, "need": need, "upto": upto} for s, need, upto in systems]
    clashes = gaps = 0
    for (system, need, upto), told in zip(systems, ask("languages", systems=asked), strict=True):
        language = minimal_language(system, upto)
        said = language.tokens()
        assert told["tokens"] == [" ".join(said[n]) for n in range(1, upto + 1)]
        clashes += any(said[n] != language.expression(n).tokens() for n in range(1, upto + 1))
        options = GenerationOptions(grammar=system.grammar, game=GameOptions(upto=upto))
        assert told["bases"] == bases_of(words_of(system, upto), options)
        if need == "power:2" and upto == 99:
            gaps += 1
            assert told["gap"] == pytest.approx(measure(system).gap, abs=1e-12)
    assert clashes > 5
    assert gaps > 10


def recorded_states(number: int) -> list[NumeralSystem]:
    """Systems that chance leads to from the paper's starts, by all rules in turn."""
    rng, found = np.random.default_rng(3), []
    current = list(STARTS) + [start.with_grammar("hurford") for start in STARTS]
    rules = ("lowest", "highest", "highest-below-max", "any", "any+")
    while len(found) < number:
        for i, system in enumerate(current):
            found.append(system)
            others = list(alternatives(system, 50, rules[len(found) % 5], rng=rng))
            if others:
                current[i] = others[int(rng.integers(len(others)))]
    return found[:number]


def test_same_alternatives(ask):
    rules = ("lowest", "highest", "highest-below-max")
    states = [(system, rules[i % 3]) for i, system in enumerate(recorded_states(500))]
    asked = [{"system": str(s), "grammar": s.grammar, "upto": 50, "add": rule} for s, rule in states]
    for (system, rule), told in zip(states, ask("alternatives", states=asked), strict=True):
        assert told == [[name, str(other)] for other, name in alternatives(system, 50, rule).items()], str(system)


@pytest.mark.parametrize("rule", ["any", "any+"])
def test_same_draws(ask, rule):
    """Where modifications draw their numeral, every alternative is drawn as often."""
    system, rng, counts, times = NumeralSystem.parse("1-3,6 | 4,6,10"), np.random.default_rng(0), {}, 1500
    for _ in range(times):
        for other, name in alternatives(system, 12, rule, rng=rng).items():
            counts[f"{name} {other}"] = counts.get(f"{name} {other}", 0) + 1
    told = ask("drawn", system=str(system), upto=12, add=rule, times=times)
    assert set(told) == set(counts)
    for name, count in counts.items():
        assert abs(told[name] - count) < 5 * np.sqrt(told[name] + count), name


@pytest.mark.parametrize(
    ("grammar", "bottleneck", "coin", "body"),
    [
        ("modified", 100, "need", 1),
        ("hurford", 30, "need", 1),
        ("modified", 50, "uniform", 1),
        ("modified", 50, "need", 100),
    ],
)
def test_generations_equal_in_distribution(ask, grammar, bottleneck, coin, body):
    """10,000 generations of ideal learners: sizes and gaps where 250 chains end, and halfway."""
    chains, length = 250, 40
    start = str(STARTS[0])
    python = [
        play_chain(
            GenerationOptions(
                start=start,
                grammar=grammar,
                rounds=length,
                bottleneck=str(bottleneck),
                coin=coin,
                invent=1.5,
                body=body,
                seed=seed,
            )
        )
        for seed in range(chains)
    ]
    settings = {
        "start": start,
        "grammar": grammar,
        "bottleneck": bottleneck,
        "coin": coin,
        "invent": 1.5,
        "hands": body,
    }
    told = ask("generations", settings=settings, chains=chains, length=length, every=length // 2)
    for which, generation in enumerate((length // 2, length)):
        mine = [measure(system_of(history[generation], grammar)) for history in python]
        for name in ("size", "gap"):
            theirs = [each[name] for each in told[which::2]]
            assert ks_2samp([getattr(each, name) for each in mine], theirs).pvalue > 0.01, (generation, name)


def test_words_are_restored(ask):
    """Where nothing but 1 is heard the words that the range needs come back."""
    told = ask("generations", settings={"bottleneck": 1, "invent": 0}, chains=20, length=1, every=1)
    assert all(each["gap"] is not None and each["size"] < STARTS[0].size for each in told)


def test_the_builder_without_a_server_answers_as_with_one(ask):
    explorer = pytest.importorskip("ishango.explorer._builder")
    from ishango.explorer._optima import Optima

    optima = Optima()
    asked = [
        {"digits": list(system.digits), "multipliers": list(system.multipliers), "grammar": grammar, "need": "power:2"}
        for system, _, upto in random_systems(40, seed=2)
        if upto == 99
        for grammar in PAPERS
    ]
    asked += [{**asked[0], "multipliers": []}, {**asked[0], "digits": []}]
    languages = json.loads(explorer.languages_as_json())
    for each, told in zip(asked, ask("descriptions", asked=asked, languages=languages), strict=True):
        size = len(each["digits"]) + len(each["multipliers"])
        optima.wait(each["grammar"], each["need"], [size])
        wanted = explorer.describe(*each.values(), optima)
        for name in ("size", "missing", "numerals", "nearest", "speakers"):
            assert told[name] == wanted[name], name
        assert (told["complaint"] is None) == (wanted["complaint"] is None)
        for name in ("average_complexity", "gap"):
            assert told[name] == pytest.approx(wanted[name], abs=1e-12), name
        if wanted["optimum"]:
            assert told["optimum"]["average_complexity"] == pytest.approx(wanted["optimum"]["average_complexity"])
