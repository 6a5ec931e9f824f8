"""Rounds of a run as typed records: checked when they are read, described in the schema of the API."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Any, NamedTuple, cast

from pydantic import Field, GetJsonSchemaHandler, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from ishango.evolution.experiment import RoundRecord
from ishango.lab import RunView
from ishango.lab.experiments import columns, record_json
from ishango.lab.rounds import NAME, parse_last_round, plain_stamp, read_parts, read_tail, whole_records

ROUND = {column.name: column for column in columns(RoundRecord)}
"""The fields of a round's record."""
LONGEST = 4 * 1024 * 1024
"""Bytes of a file of rounds that are read whole; of a longer one, rounds evenly over it and its end."""
PARTS, PART = 300, 16 * 1024
"""How many pieces of a longer one are looked at, and their bytes; a piece that no line fits into tells nothing."""
_TAIL = 64 * 1024
GREATEST = 1e12
"""What is larger is no measure of anything."""
SAFE = 2**53
"""The largest whole number up to which a browser reads all exactly."""
_NOT_MEASURED = dict.fromkeys(ROUND)
_RECORD, _TABLE = TypeAdapter(RoundRecord), TypeAdapter(dict[str, Any])


class _Described:
    """Gives the properties of a record in the schema the descriptions that its columns have."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        reference = handler(schema)
        properties = handler.resolve_ref_schema(reference)["properties"]
        for name, column in ROUND.items():
            properties[name]["description"] = column.description
        return reference


Round = Annotated[RoundRecord, _Described()]
"""A round in the API."""


class Lines(NamedTuple):
    """What was read of a run's rounds, and whether that is all of them."""

    records: list[dict[str, Any]]
    whole: bool


def read_lines(view: RunView, longest: int = LONGEST, parts: int = PARTS) -> Lines:
    """The rounds of a run up to a damaged line; of a file that is longer, in bytes, some of them from all over it."""
    stamp = plain_stamp(view.directory / NAME)
    if stamp is None or stamp[1] <= longest:
        return Lines(_until_damage(view.rounds()), True)
    try:
        pieces = read_parts(view.directory / NAME, parts, PART)
    except OSError:
        return Lines([], True)
    # A piece begins anywhere in a line, but for the first.
    found = [whole_records(piece, skip=i > 0) for i, piece in enumerate(pieces)]
    records = [each for some in found[:-1] for each in islice(some, 1)] + list(found[-1])
    return Lines(_until_damage(_rising(records)), False)


def read_last(view: RunView, is_lexicon: bool) -> dict[str, Any] | None:
    """The last round, from the end of its file; if that is damaged, the last one before the damage."""
    try:
        last = parse_last_round(read_tail(view.directory / NAME, _TAIL))
    except OSError:
        return None
    good = _typed(last) if is_lexicon else last if _fits(last) else None
    if good is not None:
        return good
    before = read_lines(view).records
    return next((found for each in reversed(before) if (found := _typed(each) if is_lexicon else each)), None)


def as_in_round(name: str) -> FieldInfo:
    """The description of a field that means what it means in a round's record; another name is a mistake."""
    return Field(description=ROUND[name].description)


def typed_rounds(records: Iterable[object]) -> list[RoundRecord]:
    """Lines as records of lexicons, up to the first that is none."""
    rounds: list[RoundRecord] = []
    for line in records:
        record = typed_round(line)
        if record is None:
            break
        rounds.append(record)
    return rounds


def typed_round(record: object) -> RoundRecord | None:
    """A line of a run's records; nothing if it is no such record. What was not recorded in its day is null."""
    try:
        if not _fits(record):
            return None
        found = _RECORD.validate_python({**_NOT_MEASURED, **_TABLE.validate_python(record)})
    except (ValidationError, RecursionError):
        return None
    return found if _fits(record_json(found)) else None  # a text such as 1e999 is read as a number without end


def number(value: object) -> float | None:
    """A number that JSON can say; nothing for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < GREATEST:
        return None
    return float(value)


def _typed(record: object) -> dict[str, Any] | None:
    found = typed_round(record)
    return {**cast(dict[str, Any], record), **{name: getattr(found, name) for name in ROUND}} if found else None


def _until_damage(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for each in records:
        if not _fits(each):
            break
        found.append(each)
    return found


def _rising(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those whose round is later than any before."""
    found: list[dict[str, Any]] = []
    for each in records:
        if not found or each["round"] > found[-1]["round"]:
            found.append(each)
    return found


def _fits(value: object) -> bool:
    """Whether JSON can say it: Python reads NaN, infinities and whole numbers of any size, but a browser does not."""
    if isinstance(value, dict):
        return all(map(_fits, cast(dict[str, object], value).values()))
    if isinstance(value, list):
        return all(map(_fits, cast(list[object], value)))
    if isinstance(value, int):
        return abs(value) <= SAFE
    return not isinstance(value, float) or math.isfinite(value)
