"""How a lexicon is modified: where words are added, the modifications by name, the starts.

A rule that draws gives a baseline of unbiased changes: every modification draws the numeral it adds, moves or removes,
so that only the decisions can lead to efficient systems (docs/studies/pressures.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ishango.errors import RequestError, RunError
from ishango.frontiers import LARGEST_RANGE, gap
from ishango.numerals import STARTS, GrammarName, NumeralSystem, leaves_of_many, masks, minimal_language, with_bar
from ishango.registry import Labelled, Registry, by_name, check_choice


@dataclass(frozen=True)
class AddRule(Labelled):
    """One reading of the modifications that add."""

    pick: Callable[[NumeralSystem, Sequence[int]], int | None] = lambda _system, _free: None
    """From a system and the numerals in neither of its sets, ascending, to one of them, or None if none will do."""
    draws: bool = False
    """Whether each modification draws its numeral, uniformly from all that it may take, instead of asking `pick`."""
    more: str = ""
    """Further modifications that come with the rule: their names, with commas between them."""


LOWEST = AddRule("lowest", "lowest", "the lowest numeral in neither set", lambda _, free: min(free, default=None))
HIGHEST = AddRule(
    "highest", "highest", "the highest of the game range, as the paper's table says",
    lambda _, free: max(free, default=None),
)  # fmt: skip
HIGHEST_BELOW_MAX = AddRule(
    "highest-below-max", "highest below the largest word", "the highest below the largest word",
    lambda system, free: max((n for n in free if n < max(system.words)), default=None),
)  # fmt: skip
ANY = AddRule(
    "any", "any numeral", "every modification draws its numeral, uniformly from all that it may take", draws=True
)
ANY_PLUS = AddRule(
    "any+", "any numeral, with replacing and swapping", "the same, with m6 and m7 among the modifications", draws=True,
    more="m6,m7",
)  # fmt: skip

ADD_RULES = by_name(LOWEST, HIGHEST, HIGHEST_BELOW_MAX, ANY, ANY_PLUS)


# How a system may be modified, by name: the six of the paper's table, two more, and which numeral each takes.


@dataclass(frozen=True)
class Modification(Labelled):
    """One way to modify a system."""

    apply: Callable[[NumeralSystem, int | None], NumeralSystem | None]
    """From a system and the numeral to add, if there is one, to the changed system, or None if it cannot apply."""
    choices: Callable[[NumeralSystem, Sequence[int]], Sequence[Any]] = lambda _system, free: free
    """What it may take where it draws: from a system and the free numerals to all choices."""
    take: Callable[[NumeralSystem, Any], NumeralSystem | None] | None = None
    """From a system and one of those choices to the changed system; by default as `apply`."""
    coins: Callable[[Any], int] | None = None
    """The number that one of those choices makes a word for; None where no new word comes."""


OF_THE_BODY = (5, 10, 20)
"""What a hand, two hands, and hands and feet count."""

MODIFICATIONS: Registry[Modification] = Registry("modification", "ishango.modifications")

Apply = Callable[[NumeralSystem, "int | None"], "NumeralSystem | None"]


def add_digit(system: NumeralSystem, free: int | None) -> NumeralSystem | None:
    return None if free is None else changed({*system.digits, free}, system.multipliers, system)


def add_multiplier(system: NumeralSystem, free: int | None) -> NumeralSystem | None:
    return None if free is None else changed(system.digits, {*system.multipliers, free}, system)


def move_to_digits(system: NumeralSystem, numeral: int) -> NumeralSystem | None:
    """Move a numeral from M to D; if D has it already, it is only removed from M."""
    return changed({*system.digits, numeral}, _without(system.multipliers, numeral), system)


def move_to_multipliers(system: NumeralSystem, numeral: int) -> NumeralSystem | None:
    """Move a numeral from D to M; if M has it already, it is only removed from D."""
    return changed(_without(system.digits, numeral), {*system.multipliers, numeral}, system)


def remove_digit(system: NumeralSystem, numeral: int) -> NumeralSystem | None:
    return changed(_without(system.digits, numeral), system.multipliers, system)


def remove_multiplier(system: NumeralSystem, numeral: int) -> NumeralSystem | None:
    return changed(system.digits, _without(system.multipliers, numeral), system)


class Replacement(NamedTuple):
    """A word that leaves one of the sets, and the numeral that takes its place there."""

    digit: bool
    word: int
    numeral: int


def replace_word(system: NumeralSystem, choice: Replacement) -> NumeralSystem | None:
    if choice.digit:
        return changed({*_without(system.digits, choice.word), choice.numeral}, system.multipliers, system)
    return changed(system.digits, {*_without(system.multipliers, choice.word), choice.numeral}, system)


def replacements(system: NumeralSystem, free: Sequence[int]) -> list[Replacement]:
    """Every word in each of its roles, with every free numeral."""
    roles = [(True, word) for word in system.digits] + [(False, word) for word in system.multipliers]
    return [Replacement(*role, numeral) for role in roles for numeral in free]


def swap_roles(system: NumeralSystem, choice: tuple[int, int]) -> NumeralSystem | None:
    digit, multiplier = choice
    digits, multipliers = _without(system.digits, digit), _without(system.multipliers, multiplier)
    return changed({*digits, multiplier}, {*multipliers, digit}, system)


def swaps(system: NumeralSystem, _free: Sequence[int]) -> list[tuple[int, int]]:
    """Every digit with every multiplier, but for words that are both."""
    both = set(system.overlap)
    return [(d, m) for d in system.digits for m in system.multipliers if d not in both and m not in both]


def _of_one(role: str, place: int, take: Callable[[NumeralSystem, int], NumeralSystem | None]) -> Apply:
    """What is done to the lowest word (place 0) or to the highest one (place -1) in a role."""

    def apply(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
        words = getattr(system, role)
        return take(system, words[place]) if words else None

    return apply


def replace_highest_digit(system: NumeralSystem, free: int | None) -> NumeralSystem | None:
    if free is None or not system.digits:
        return None
    return replace_word(system, Replacement(True, system.digits[-1], free))


def swap_highest_digit(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
    return swap_roles(system, (system.digits[-1], system.multipliers[0])) if system.digits else None


def _without(words: Sequence[int], word: int) -> list[int]:
    return [each for each in words if each != word]


def changed(digits: Iterable[int], multipliers: Iterable[int], like: NumeralSystem) -> NumeralSystem | None:
    """The system of these words under the same grammar, or None where that does not allow it."""
    try:
        return NumeralSystem(tuple(digits), tuple(multipliers), like.grammar)
    except RequestError:
        return None


def _digits(system: NumeralSystem, _free: Sequence[int]) -> Sequence[int]:
    return system.digits


def _multipliers(system: NumeralSystem, _free: Sequence[int]) -> Sequence[int]:
    return system.multipliers


PAPER = tuple(
    MODIFICATIONS.add(each)
    for each in (
        Modification("m0", "add a digit",
                     "Add a free numeral to D, by default the lowest (the paper's table: the highest)",
                     add_digit, coins=int),
        Modification("m1", "add a multiplier",
                     "Add a free numeral to M, by default the lowest (the paper's table: the highest)",
                     add_multiplier, coins=int),
        Modification("m2", "multiplier becomes digit", "Move lowest numeral in M to D",
                     _of_one("multipliers", 0, move_to_digits), _multipliers, move_to_digits),
        Modification("m3", "digit becomes multiplier", "Move highest numeral in D to M",
                     _of_one("digits", -1, move_to_multipliers), _digits, move_to_multipliers),
        Modification("m4", "drop the highest digit", "Remove highest numeral in D",
                     _of_one("digits", -1, remove_digit), _digits, remove_digit),
        Modification("m5", "drop the highest multiplier", "Remove highest numeral in M",
                     _of_one("multipliers", -1, remove_multiplier), _multipliers, remove_multiplier),
    )
)  # fmt: skip
"""Those of the paper, in the order of its table. Which numeral each takes is a rule of its own."""

REPLACE = MODIFICATIONS.add(
    Modification("m6", "replace a word", "put a numeral in neither set into the place of the highest digit",
                 replace_highest_digit, replacements, replace_word, attrgetter("numeral"))
)  # fmt: skip
SWAP = MODIFICATIONS.add(
    Modification("m7", "swap two roles", "let the highest digit and the lowest multiplier change places",
                 swap_highest_digit, swaps, swap_roles)
)  # fmt: skip

RELABEL = MODIFICATIONS.add(
    Modification("relabel", "rename a word", "give a word another name, which changes neither size nor length",
                 lambda _system, _free: None, lambda _system, _free: ())
)  # fmt: skip
"""The system stays as it is: a run applies it to the names of words (`relabelled`). Novelty alone."""

PAPER_NAMES = ",".join(each.name for each in PAPER)


def parse_modifications(names: str) -> tuple[Modification, ...]:
    """The modifications that are named, with commas between them, in that order.

    >>> [each.label for each in parse_modifications("m4,m0")]
    ['drop the highest digit', 'add a digit']
    """
    found = [name.strip() for name in names.split(",")]
    twice = next((name for name in found if found.count(name) > 1), None)
    if twice is not None:
        raise RequestError(f"modifications is {names!r}, which has {twice} twice; name each once.")
    return tuple(MODIFICATIONS[name] for name in found)


def alternatives(
    system: NumeralSystem,
    upto: int,
    add: str = LOWEST.name,
    modifications: Sequence[Modification] = PAPER,
    rng: np.random.Generator | None = None,
    body: float = 1.0,
) -> dict[NumeralSystem, str]:
    """The distinct systems that one modification leads to and that cover 1..upto, with the modification's name.

    One that cannot apply or changes nothing is left out; of several with the same result the first is named. Under a
    rule that draws, `rng` draws what each modification takes; new words for 5, 10 and 20 are `body` times as likely.
    """
    found: dict[NumeralSystem, str] = {}
    for name, other in _results(system, upto, add, modifications, rng, body):
        if other is not None and other != system:
            found.setdefault(other, name)
    leaves = leaves_of_many(*masks(list(found), upto), system.grammar)
    return {other: name for (other, name), row in zip(found.items(), leaves, strict=True) if row.all()}


def _results(
    system: NumeralSystem,
    upto: int,
    add: str,
    modifications: Sequence[Modification],
    rng: np.random.Generator | None,
    body: float,
) -> Iterator[tuple[str, NumeralSystem | None]]:
    """What each modification makes of the system, covering or not."""
    rule = ADD_RULES[add]
    if not rule.draws:
        picked = free_numeral(system, upto, add)
        yield from ((each.name, _checked(each, system, each.apply(system, picked))) for each in modifications)
        return
    if rng is None:
        raise RequestError(f"The rule {add!r} draws numerals, so it needs a random generator.")
    free = _free(system, upto)
    further = parse_modifications(rule.more) if rule.more else ()
    for each in dict.fromkeys((*modifications, *further)):
        choices = each.choices(system, free)
        if len(choices):
            drawn = _drawn(choices, each.coins, body, rng)
            yield each.name, _checked(each, system, (each.take or each.apply)(system, drawn))


def _drawn(choices: Sequence[Any], coins: Callable[[Any], int] | None, body: float, rng: np.random.Generator) -> Any:
    """One of the choices, each as likely as any other but for new words for what the body counts."""
    if coins is None or body == 1:
        return choices[int(rng.integers(len(choices)))]
    weights = np.array([body if coins(each) in OF_THE_BODY else 1.0 for each in choices])
    return choices[int(rng.choice(len(choices), p=weights / weights.sum()))]


def _free(system: NumeralSystem, upto: int) -> list[int]:
    words = set(system.words)
    return [n for n in range(1, upto + 1) if n not in words]


def free_numeral(system: NumeralSystem, upto: int, add: str) -> int | None:
    """The numeral to add under the rule of that name: one of 1..upto in neither set, or None if there is none."""
    check_choice(ADD_RULES, "add", add)
    free = _free(system, upto)
    picked = ADD_RULES[add].pick(system, free)
    if picked is not None and picked not in free:
        raise RunError(f"The rule {add!r} picks {picked!r}, which is no free numeral of {system} up to {upto}.")
    return picked


def _checked(modification: Modification, system: NumeralSystem, found: Any) -> NumeralSystem | None:
    """What a modification made of a system; one from outside may make a mistake."""
    if found is None or (isinstance(found, NumeralSystem) and found.grammar == system.grammar):
        return found
    raise RunError(
        f"The modification {modification.name!r} makes {found!r} of {system}; it must give a numeral system under the"
        " same grammar, or None."
    )


# Where a run begins: the paper's starts, a random system off the frontier, or one's own.

MOST_DRAWS = 10_000


def starting_system(start: str, grammar: GrammarName, game_range: int) -> NumeralSystem:
    """The system that `start` names; it must cover the game range with words inside it.

    >>> str(starting_system("7", "modified", 50))
    '1,4,12 | 9,25'
    """
    system = _named(start, grammar, game_range)
    if system.words[-1] > game_range:
        raise RequestError(
            f"The start {system} has the word {system.words[-1]}, which lies above the game's range, {game_range};"
            " leave it out or give a larger game.range."
        )
    missing = minimal_language(system, game_range).missing
    if missing:
        words = "" if system.rules.plus or system.rules.minus else "; without sums and differences primes must be words"
        raise RequestError(
            f"The system {system} has no expression for {missing[0]} under the grammar {system.grammar}; a start must"
            f" cover 1..{game_range}{words}."
        )
    return system


def _named(start: str, grammar: GrammarName, game_range: int) -> NumeralSystem:
    if re.fullmatch("[1-8]", start):
        return STARTS[int(start) - 1].with_grammar(grammar)
    if match := re.fullmatch(r"random:([0-9]{1,9})", start):
        return random_system(np.random.default_rng(int(match[1])), grammar, game_range)
    if "|" in (system := with_bar(start)):
        return NumeralSystem.parse(system, grammar)
    raise RequestError(f"There is no start {start!r}; give 1 to 8, random:SEED, or a system such as 1-9,11 | 10.")


def random_system(rng: np.random.Generator, grammar: GrammarName, game_range: int) -> NumeralSystem:
    """A random system off the frontier that covers the game range.

    It has 3 to 12 digits with 1 among them and 2 to 12 multipliers, the extremes of the paper's starts.
    """
    if game_range > LARGEST_RANGE:
        raise RequestError(
            f"Starts are drawn that lie off the proved frontier, which there is up to the range {LARGEST_RANGE:,};"
            f" the game range is {game_range:,}. Name a start."
        )
    for _ in range(MOST_DRAWS):
        n_digits, n_multipliers = int(rng.integers(3, 13)), int(rng.integers(2, 13))
        n_words = min(n_digits - 1 + n_multipliers, game_range - 1)
        words = (1 + rng.permutation(np.arange(1, game_range))[:n_words]).tolist()
        n_multipliers = min(n_multipliers, n_words)
        if n_multipliers == 0:
            break
        system = NumeralSystem((1, *words[n_multipliers:]), tuple(words[:n_multipliers]), grammar)
        if (gap(system, upto=game_range) or 0) > 0:
            return system
    raise RequestError(f"No random system that covers 1..{game_range} was found; use a larger game range.")
