"""Rounds of a run as typed records: checked when they are read, described in the schema of the API."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, cast

from pydantic import Field, GetJsonSchemaHandler, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from ishango.evolution.record import RoundRecord
from ishango.kinds.open_records import OpenRecord
from ishango.lab.records import About, columns

_OPEN = {column.name: column.sentence for column in columns(OpenRecord)}


@dataclass(frozen=True)
class ShownRound(RoundRecord):
    """A round as the page has it: also of systems of every kind; null where there is no such measure."""

    kind: Annotated[str | None, About(_OPEN["kind"])]
    precision: Annotated[float | None, About(_OPEN["precision"])]
    cost: Annotated[float | None, About(_OPEN["cost"])]


ROUND = {column.name: column for column in columns(ShownRound)}
"""The fields of a round's record."""
_NOT_MEASURED = dict.fromkeys(ROUND)
_RECORD, _TABLE = TypeAdapter(ShownRound), TypeAdapter(dict[str, Any])


class _Described:
    """Gives the properties of a record in the schema the descriptions that its columns have."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        reference = handler(schema)
        properties = handler.resolve_ref_schema(reference)["properties"]
        for name, column in ROUND.items():
            properties[name]["description"] = column.description
        return reference


Round = Annotated[ShownRound, _Described()]
"""A round in the API."""


def as_in_round(name: str) -> FieldInfo:
    """The description of a field that means what it means in a round's record; another name is a mistake."""
    return Field(description=ROUND[name].description)


def typed_round(record: object) -> ShownRound | None:
    """A line of a run's records; nothing if it is no such record. What was not recorded in its day is null."""
    try:
        return _RECORD.validate_python({**_NOT_MEASURED, **_TABLE.validate_python(record)}) if _fits(record) else None
    except (ValidationError, RecursionError):
        return None


def _fits(value: object) -> bool:
    """Whether JSON can say it: Python reads NaN and infinities, but a browser does not."""
    if isinstance(value, dict):
        return all(map(_fits, cast(dict[str, object], value).values()))
    if isinstance(value, list):
        return all(map(_fits, cast(list[object], value)))
    return not isinstance(value, float) or math.isfinite(value)
