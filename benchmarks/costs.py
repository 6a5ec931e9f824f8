"""How fast the irregularity of many systems is known, beside expressions and a library's minimisation."""

from __future__ import annotations

import numpy as np
from automata.fa.dfa import DFA

from benchmarks.numerals import RANGE, WORDS, covering_systems, seconds
from ishango.costs import Said, canonical_automaton, heard, tied_languages
from ishango.numerals import Need, NumeralSystem, minimal_language

NEED = Need.parse("power:2")


def main() -> None:
    systems = covering_systems(2000, np.random.default_rng(0))
    fast(systems[0])  # compile before the clock starts
    kernel, plain, library = [], [], []
    for round_ in range(5):  # alternating, so that all see the same noise of the machine
        kernel.append(len(systems) / seconds(lambda: [fast(each) for each in systems]))
        some = systems[40 * round_ : 40 * (round_ + 1)]
        plain.append(len(some) / seconds(lambda: [by_expressions(each) for each in some]))  # noqa: B023
        library.append(4 / seconds(lambda: [by_library(each) for each in some[:4]]))  # noqa: B023
    assert [fast(each) for each in systems[:20]] == [by_expressions(each) for each in systems[:20]]
    assert [fast(each) for each in systems[:4]] == [by_library(each) for each in systems[:4]]
    print(
        f"irregularity under the shipped tie rule: random {WORDS}-word systems over 1..{RANGE}, one core; median of 5"
    )
    print(f"  kernel                         {np.median(kernel):10,.0f} systems a second")
    print(f"  expressions, then the kernel   {np.median(plain):10,.0f} systems a second")
    print(f"  expressions, then automata-lib {np.median(library):10,.1f} systems a second")
    print("over tied expressions: 100 sampled languages, and the search for the most regular one")
    for text, grammar in (("1-9 | 10", "modified"), ("1-9 | 10", "hurford"), ("1-4 | 5,10", "hurford")):
        system = NumeralSystem.parse(text, grammar)
        tied_languages(system, samples=1)
        print(f"  {text:12} {grammar:10} {seconds(lambda: tied_languages(system)):6.2f} s")  # noqa: B023


def fast(system: NumeralSystem) -> tuple[int, int]:
    found = canonical_automaton(system, NEED)
    assert found is not None
    return found.states, found.transitions


def by_expressions(system: NumeralSystem) -> tuple[int, int]:
    found = Said.shortest(minimal_language(system), NEED).automaton
    return found.states, found.transitions


def by_library(system: NumeralSystem) -> tuple[int, int]:
    strings = {heard(each) for each in minimal_language(system).expressions.values()}
    states = {string[:i] for string in strings for i in range(len(string) + 1)}
    ways: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {state: {} for state in states}
    for state in states:
        if state:
            ways[state[:-1]][state[-1]] = state
    found = DFA(
        states=states,
        input_symbols={letter for string in strings for letter in string},
        transitions=ways,
        initial_state=(),
        final_states=strings,
        allow_partial=True,
    ).to_partial(retain_names=False, minify=True)
    return len(found.states), sum(map(len, found.transitions.values()))
