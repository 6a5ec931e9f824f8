"""Ideal learners: what each step of a generation does."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from ishango.errors import RequestError
from ishango.frontiers import measure
from ishango.generations import GENERATIONS, GenerationOptions, Generations, play_chain
from ishango.generations._ideal_kernel import (
    coin,
    hear,
    lose_at_random,
    pass_on,
    restore,
    use_of,
)
from ishango.generations._upbringing import rules_of, system_of
from ishango.lab import config_of, play_in_memory, refuse_unread
from ishango.numerals import (
    DIGIT,
    GRAMMARS,
    MULTIPLIER,
    NumeralSystem,
    canonical_leaves,
    levels_of,
    minimal_language,
    words_of,
)

OPTIONS = GenerationOptions()


def words(text: str, upto: int = 50, grammar: str = "modified") -> np.ndarray:
    return words_of(NumeralSystem.parse(text, grammar), upto)


def test_numbers_are_heard_by_need():
    rules, rng = rules_of(OPTIONS), np.random.default_rng(0)
    heard = np.array([hear(rules, rng) for _ in range(2_000)])
    assert (heard.sum(axis=1) == 200).all()
    counts = heard.sum(axis=0)
    assert stats.chisquare(counts, rules.need * counts.sum()).pvalue > 0.001
    # Not Poisson: 200 numbers, of which about 61 % are the number 1.
    assert np.isclose(heard[:, 0].var(), 200 * rules.need[0] * (1 - rules.need[0]), rtol=0.1)


@pytest.mark.parametrize(("examples", "distinct"), [(50, 8.7), (200, 16.8), (1_000, 31.8), (5_000, 46.7)])
def test_distinct_numbers_heard_are_as_many_as_expected(examples, distinct):
    rules, rng = rules_of(GenerationOptions(bottleneck=str(examples))), np.random.default_rng(1)
    expected = (1 - (1 - rules.need) ** examples).sum()
    assert round(float(expected), 1) == distinct
    mean = np.mean([(hear(rules, rng) > 0).sum() for _ in range(500)])
    assert abs(mean - expected) < 0.5


def test_all_means_that_every_number_is_heard_once():
    assert (hear(rules_of(GenerationOptions(bottleneck="all")), np.random.default_rng(0)) == 1).all()


def test_a_generation_knows_the_words_of_what_it_heard():
    rules, rng = rules_of(GenerationOptions(invent=0, bottleneck="30")), np.random.default_rng(3)
    parents = NumeralSystem.parse("1-9,13,20 | 10,25")
    language = minimal_language(parents, 50)
    for _ in range(200):
        passed = pass_on(words_of(parents, 50), rules, rng)
        heard = {int(n) + 1 for n in np.flatnonzero(passed.numbers)}
        tokens = {token for n in heard for token in language.expression(n).tokens() if token.isdecimal()}
        assert {str(n) for n in np.flatnonzero(passed.heard.any(axis=0))} == tokens
        assert (passed.words == (passed.heard | passed.restored)).all()
        assert (passed.lost == (words_of(parents, 50) & ~passed.words)).all()
        assert minimal_language(system_of(passed.words, "modified"), 50).covers


def test_lost_words_are_restored_most_used_first_and_no_more_than_needed():
    rules = rules_of(OPTIONS)
    parents = words("1-9,13 | 10,25")
    use = use_of(canonical_leaves(levels_of(parents, rules.flags, 50, 102), rules.flags, 50), rules.need, 50)
    order = sorted(((-use[r, w], r, w) for r, w in np.argwhere(parents).tolist()))
    restored = restore(np.zeros_like(parents), parents, use, rules)
    first = {(r, w) for _, r, w in order[: int(restored.sum())]}
    assert {tuple(each) for each in np.argwhere(restored).tolist()} == first
    without = restored.copy()
    _, role, word = order[int(restored.sum()) - 1]
    without[role, word] = False
    known = system_of(restored, "modified")
    assert minimal_language(known, 50).covers
    assert not without[MULTIPLIER].any() or not minimal_language(system_of(without, "modified"), 50).covers


def test_of_words_used_alike_digits_and_smaller_ones_are_restored_first():
    parents = words("1-9 | 10,20")
    restored = restore(np.zeros_like(parents), parents, np.ones((2, 51)), rules_of(OPTIONS))
    assert (restored == words("1-9 | 10")).all()


def test_nothing_is_restored_where_what_was_heard_suffices():
    rules = rules_of(OPTIONS)
    heard = words("1-5 | 10")
    assert not restore(heard, words("1-9 | 10,20"), np.ones((2, 51)), rules).any()


@pytest.mark.parametrize("coining", ["need", "uniform"])
def test_words_are_invented_in_proportion(coining):
    rules, rng = rules_of(GenerationOptions(coin=coining)), np.random.default_rng(5)
    lexicon = words("1-5,7 | 6,10")
    length = np.array([minimal_language(system_of(lexicon, "modified"), 50).complexity(n) for n in range(1, 51)])
    counts = np.zeros((2, 51))
    for _ in range(20_000):
        role, word = coin(lexicon.copy(), rules, rng)
        counts[role, word] += 1
    assert abs(counts[MULTIPLIER].sum() / 20_000 - 0.2) < 0.012
    for role in (DIGIT, MULTIPLIER):
        weights = (rules.need * (length - 1) if coining == "need" else np.ones(50)) * ~lexicon[role, 1:]
        expected = weights / weights.sum() * counts[role].sum()
        assert counts[role, 0] == 0
        assert (counts[role, 1:][expected == 0] == 0).all()
        # Rare numbers together, as the test of counts wants it.
        common = expected > 5
        seen = np.append(counts[role, 1:][common], counts[role, 1:][~common].sum())
        wanted = np.append(expected[common], expected[~common].sum())
        keep = wanted > 0
        assert stats.chisquare(seen[keep], wanted[keep]).pvalue > 0.001


def test_where_every_number_has_a_word_nothing_is_coined():
    rules, rng = rules_of(GenerationOptions(multiplier_share=0)), np.random.default_rng(0)
    lexicon = words("1-50 | 10")
    assert coin(lexicon, rules, rng)[1] == 0
    assert lexicon.sum() == 51


@pytest.mark.parametrize(("invent", "allowed"), [(0, {0}), (0.5, {0, 1}), (2, {2}), (2.25, {2, 3})])
def test_how_many_words_a_generation_coins(invent, allowed):
    rules, rng = rules_of(GenerationOptions(invent=invent)), np.random.default_rng(2)
    counts = [int(pass_on(words("1-5 | 6"), rules, rng).invented.sum()) for _ in range(400)]
    assert set(counts) == allowed
    assert abs(np.mean(counts) - invent) < 0.1


def test_words_that_are_lost_at_random_are_drawn_uniformly_from_those_that_can_be_spared():
    rules, rng = rules_of(OPTIONS), np.random.default_rng(7)
    lexicon = words("1-6 | 7,10")
    spared = [
        (role, word)
        for role, word in np.argwhere(lexicon).tolist()
        if minimal_language(_without(lexicon, role, word), 50).covers
    ]
    counts = dict.fromkeys(spared, 0)
    for _ in range(4_000):
        gone = np.argwhere(lexicon & ~lose_at_random(lexicon, 1, rules, rng)).tolist()
        assert len(gone) == 1
        counts[tuple(gone[0])] += 1
    assert len(spared) > 2
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def _without(lexicon: np.ndarray, role: int, word: int) -> NumeralSystem:
    left = lexicon.copy()
    left[role, word] = False
    return system_of(left, "modified")


def test_words_are_gained_and_lost_equally_often_in_the_neutral_control():
    neutral = GenerationOptions(lose="random", coin="uniform", rounds=400, start="5")
    records, _ = play_in_memory(Generations(neutral))
    lost, gained = (sum(r[name] for r in records[1:]) for name in ("words_lost", "words_invented"))
    assert 150 < lost < 250
    assert 150 < gained < 250
    assert records[-1]["size"] == 18 + gained - lost
    assert all(r["numbers_heard"] is None for r in records)


@pytest.mark.parametrize("grammar", list(GRAMMARS))
@pytest.mark.parametrize("say", ["minimal", "any"])
def test_a_chain_is_the_run_of_the_same_options(grammar, say):
    options = GenerationOptions(rounds=30, grammar=grammar, say=say, bottleneck="40", seed=4)
    records, _ = play_in_memory(Generations(options))
    chain = play_chain(options)
    assert len(chain) == len(records) == 31
    for lexicon, record in zip(chain, records, strict=True):
        assert (lexicon == words_of(NumeralSystem(record["digits"], record["multipliers"], grammar), 50)).all()
    assert len({r["size"] for r in records}) > 3


def test_the_record_tells_what_became_of_the_words():
    records, _ = play_in_memory(Generations(GenerationOptions(rounds=60, bottleneck="5", seed=1)))
    for before, after in pairwise(records):
        assert after["size"] == before["size"] - after["words_lost"] + after["words_invented"]
        assert after["words_heard"] + after["words_restored"] == before["size"] - after["words_lost"]
        system = NumeralSystem(after["digits"], after["multipliers"])
        assert (after["gap"], after["average_complexity"]) == (measure(system).gap, measure(system).average_complexity)
        for name in ("lost", "restored", "invented"):
            assert (after[name] is None) == (after[f"words_{name}"] == 0)
    first = next(r for r in records if r["invented"])
    role, other = first["invented"].split(" | ")
    assert {role, other} & {"none"}
    assert sum(r["words_restored"] for r in records[1:]) > 0


def test_everything_is_kept_where_everything_is_heard_and_nothing_coined():
    """Apart from words that no number is said with: those nobody can hear."""
    chain = play_chain(GenerationOptions(bottleneck="all", invent=0, rounds=50, start="1-9 | 10"))
    assert (chain == chain[0]).all()
    unused = play_chain(GenerationOptions(bottleneck="all", invent=0, rounds=2, start="1-9 | 1,10"))
    assert (unused[1:] == chain[0]).all()


def test_rare_words_die_first():
    """Without coining, the words that 20 examples leave are among the most used ones."""
    first, last = [], []
    for seed in range(200):
        chain = play_chain(GenerationOptions(bottleneck="20", invent=0, rounds=3, start="1-9 | 10", seed=seed))
        alive = chain[:, DIGIT, 1:10].sum(axis=0)  # in how many of the four generations
        first.append(alive[1:4].mean())
        last.append(alive[6:9].mean())
    assert np.mean(first) > np.mean(last) + 0.5


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"bottleneck": "0"}, "bottleneck is '0', but must be between 1 and 1,000,000,000, or all"),
        ({"bottleneck": "none"}, "bottleneck is 'none'"),
        ({"invent": -1}, "invent is -1"),
        ({"invent": float("nan")}, "invent is nan"),
        ({"multiplier_share": 1.5}, "multiplier_share is 1.5"),
        ({"coin": "coin"}, "coin is 'coin', but must be need or uniform"),
        ({"agents": "human"}, "agents is 'human'"),
        ({"lose": "random", "say": "any"}, "say changes nothing here, because words are lost"),
        ({"rounds": -1}, "rounds is -1"),
        ({"need": "pow"}, "'pow' is not a need"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong, sentence):
    with pytest.raises(RequestError, match=sentence):
        refuse_unread(GENERATIONS, config_of(replace(OPTIONS, **wrong)))


def test_configs_and_plans_may_speak_of_generations():
    options = GENERATIONS.options_from({"generations": 7, "bottleneck": 50})
    assert (options.rounds, options.bottleneck) == (7, "50")
    assert json.loads(json.dumps(config_of(options)))["rounds"] == 7
