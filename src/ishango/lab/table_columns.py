"""What the columns of a table of rounds mean: the fields of configs and of records, with their sentences."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Collection
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any

from ishango.lab.config import flatten
from ishango.lab.experiments import ExperimentKind
from ishango.lab.records import columns
from ishango.options import OUTSIDE

RUN_COLUMN = "run"


def table_columns(kind: ExperimentKind) -> list[tuple[str, str]]:
    """Name and description of every column that a table of such runs has, in its order."""
    records = columns(kind.record)
    names = {each.name for each in records}
    sentences = _sentences(kind.options)
    own = {name: sentences.get(name, "") for name in flatten(kind.defaults())}
    own |= {other: f"{name} by its short name" for other, name in kind.other_names.items()}
    configs = [(config_column(name, names), sentence) for name, sentence in own.items()]
    return [(RUN_COLUMN, "the run's directory"), *configs, *((each.name, each.description) for each in records)]


def config_column(name: str, fields: Collection[str]) -> str:
    """The column of a config's field, where rounds have these fields.

    >>> config_column("start", ["round", "size"]), config_column("size", ["round", "size"])
    ('start', 'config.size')
    """
    column = f"config.{name}" if name in fields or name == RUN_COLUMN else name
    return column.replace('"', "_")


def _sentences(options: type[Any], prefix: str = "") -> dict[str, str]:
    """The docstrings of a dataclass's fields, by their dotted names outside Python, without a final full stop."""
    texts: dict[str, str] = {}
    for base in reversed(options.__mro__):
        texts |= _docstrings(base) if is_dataclass(base) else {}
    sentences: dict[str, str] = {}
    for each in fields(options):
        name, factory = prefix + OUTSIDE.get(each.name, each.name), each.default_factory
        sentences[name] = texts.get(each.name, "").removesuffix(".")
        if isinstance(factory, type) and is_dataclass(factory):
            sentences |= _sentences(factory, f"{name}.")
    return sentences


def _docstrings(record: type[Any]) -> dict[str, str]:
    """The text that stands below each field; nothing where the source cannot be read."""
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(record))).body[0]
    except (OSError, TypeError, SyntaxError):
        return {}
    statements = body.body if isinstance(body, ast.ClassDef) else []
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in pairwise(statements)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
