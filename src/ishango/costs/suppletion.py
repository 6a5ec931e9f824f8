"""The cost `suppletion`: words for what smaller words could say."""

from ishango.costs.cost import Cost, Said
from ishango.numerals import NumeralSystem
from ishango.numerals.levels import fill_tables


def suppletive_words(system: NumeralSystem) -> tuple[int, ...]:
    """The words that smaller words of the system compose, by its own grammar and without larger values in between.

    Larger values stay out because every digit of a base is the base less something: 9 is 10 - 1, and yet no word that
    people would call suppletive.

    >>> suppletive_words(NumeralSystem.parse("1-9,11 | 10"))
    (11,)
    """
    return tuple(word for word in system.words if _composed(word, system))


def _composed(word: int, system: NumeralSystem) -> bool:
    digits, multipliers = (tuple(w for w in words if w < word) for words in (system.digits, system.multipliers))
    if not multipliers or not (digits or system.rules.bare_number):
        return False
    tables = fill_tables(NumeralSystem(digits, multipliers, system.grammar), word, word)
    return bool(tables.number_level[word])


def _count(said: Said) -> int:
    return len(suppletive_words(said.system))


SUPPLETION = Cost(
    name="suppletion",
    label="suppletion",
    sentence="the words that are not composed though smaller words could compose them",
    reference="suppletive numerals as in Hurford (1975); that no larger value may occur in between is ours",
    unit="words",
    measure=_count,
)
