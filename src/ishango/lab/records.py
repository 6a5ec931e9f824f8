"""What a round records, defined once: a frozen dataclass whose fields carry a sentence and a unit.

The JSON of `rounds.jsonl`, the columns of tables and their descriptions, the API's model and the docs come from it.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple, get_type_hints


class About(NamedTuple):
    """What a field means: `size: Annotated[int, About("lexicon size", "words")]`."""

    sentence: str
    unit: str = ""


class Column(NamedTuple):
    """One field of a record."""

    name: str
    type: Any
    sentence: str
    unit: str

    @property
    def description(self) -> str:
        """The sentence, with the unit where there is one."""
        return f"{self.sentence} ({self.unit})" if self.unit else self.sentence


def columns(record: type[Any]) -> tuple[Column, ...]:
    """The fields of a record in their order; one without an `About` is a mistake.

    >>> from dataclasses import make_dataclass
    >>> from typing import Annotated
    >>> Step = make_dataclass("Step", [("length", Annotated[float, About("how far it goes", "metres")])])
    >>> columns(Step)[0].description
    'how far it goes (metres)'
    """
    hints = get_type_hints(record, include_extras=True)
    return tuple(_column(each.name, hints[each.name]) for each in fields(record))


def record_json(record: Any) -> dict[str, Any]:
    """A record as a line of `rounds.jsonl` has it."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


def _column(name: str, hint: Any) -> Column:
    about = next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, About)), None)
    if about is None:
        raise TypeError(f"The field {name} of a record has no About, which says what it means.")
    return Column(name, hint.__origin__, about.sentence, about.unit)
