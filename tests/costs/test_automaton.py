"""Automata against brute force, against a library, and by hand."""

import math

import numpy as np
import pytest
from automata.fa.dfa import DFA
from hypothesis import given, settings
from hypothesis import strategies as st

from ishango.costs import automaton_of, canonical_automaton, heard
from ishango.numerals import GRAMMARS, Need, NumeralSystem, minimal_language

STRINGS = st.lists(st.text("abc", min_size=1, max_size=5), min_size=1, max_size=12)
SYSTEMS = ("1-9 | 10", "1-9,11 | 10", "1-4 | 5,10", "1,2 | 3", "1,3,7 | 4,9", "1-9 | 9,10,15,20")


def residuals(strings: set[str]) -> dict[str, frozenset[str]]:
    """Myhill and Nerode: for every beginning what may follow; beginnings that are followed alike are one state."""
    beginnings = {string[:i] for string in strings for i in range(len(string) + 1)}
    return {b: frozenset(s[len(b) :] for s in strings if s.startswith(b)) for b in beginnings}


@settings(max_examples=80, deadline=None)
@given(STRINGS)
def test_states_and_transitions_by_brute_force(strings):
    found, follows = automaton_of(strings), residuals(set(strings))
    assert found.states == len(set(follows.values()))
    assert found.transitions == sum(len({s[0] for s in state if s}) for state in set(follows.values()))
    assert found.letters == len(set("".join(strings)))
    assert found.strings == len(set(strings))
    assert found.homonyms == sum(strings.count(s) > 1 for s in strings)


@settings(max_examples=40, deadline=None)
@given(STRINGS)
def test_processing_by_brute_force(strings):
    weights = np.arange(1, len(strings) + 1) / 10
    follows = residuals(set(strings))
    ways = {b: len({s[:1] for s in follow}) for b, follow in follows.items()}  # the empty one is the end
    bits = [sum(math.log2(ways[s[:i]]) for i in range(len(s) + 1)) for s in strings]
    assert automaton_of(strings, weights).processing == pytest.approx(float(weights @ bits))


@pytest.mark.parametrize("operators", [False, True])
@pytest.mark.parametrize("grammar", [name for name, each in GRAMMARS.items() if each.minus])
@pytest.mark.parametrize("text", SYSTEMS)
def test_numerals_against_a_library(text, grammar, operators):
    system = NumeralSystem.parse(text, grammar)
    strings = {heard(e, operators=operators) for e in minimal_language(system, 40).expressions.values()}
    found = canonical_automaton(system, upto=40, operators=operators)
    assert found is not None
    minimal = as_dfa(strings).minify().to_partial(retain_names=False, minify=True)
    assert found.states == len(minimal.states)
    assert found.transitions == sum(map(len, minimal.transitions.values()))


def as_dfa(strings: set[tuple[str, ...]]) -> DFA:
    """The tree of the strings, for the library to make it small."""
    states = {string[:i] for string in strings for i in range(len(string) + 1)}
    ways = {state: {s[-1]: s for s in states if s and s[:-1] == state} for state in states}
    letters = {letter for string in strings for letter in string}
    return DFA(
        states=states,
        input_symbols=letters,
        transitions=ways,
        initial_state=(),
        final_states=strings,
        allow_partial=True,
    )


@pytest.mark.parametrize("grammar", [name for name, each in GRAMMARS.items() if each.minus])
@pytest.mark.parametrize("text", SYSTEMS)
def test_the_kernel_says_what_the_minimal_language_says(text, grammar):
    system = NumeralSystem.parse(text, grammar)
    for operators in (False, True):
        expressions = minimal_language(system).expressions.values()
        strings = [heard(expression, operators=operators) for expression in expressions]
        expected = automaton_of(strings, Need.parse("power:1").weights(99))
        assert canonical_automaton(system, "power:1", operators=operators) == expected


def test_what_is_not_covered_has_no_automaton():
    assert canonical_automaton(NumeralSystem.parse("2 | 4")) is None


def test_counting_by_hand():
    """1, 2 | 3 up to 5: 1, 2, 1 3, 1 3 1, 1 3 2: after 1 comes 3 or the end; after 1 3 comes 1, 2 or the end."""
    found = canonical_automaton(NumeralSystem.parse("1,2 | 3"), "uniform", 5)
    assert found is not None
    assert (found.states, found.transitions, found.letters) == (4, 5, 3)
    assert found.bits == pytest.approx(5 * (math.log2(3) + 2))
    # Five times the choice between 1 and 2; four times between 3 and the end; three times between 1, 2 and the end.
    assert found.processing == pytest.approx((5 + 4 + 3 * math.log2(3)) / 5)
