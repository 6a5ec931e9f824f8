"""Grammars from files: TOML with a line `rule = true` or `rule = false` for each rule that is not as in the paper's.

A line `multiplier_words = 2` says that a multiplier costs two words.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from ishango.errors import RequestError

SUFFIX = ".toml"
LARGEST = 100_000
"""Bytes of a file that are read; rules take a hundred."""


def read_rules(path: Path, known: Collection[str], words: str) -> tuple[dict[str, bool], int]:
    """The rules that a file switches on and off, and how many words a multiplier costs, which the line `words` tells.

    It may also have a `name` and an `about`, which only people read.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST).decode("utf-8")
        document: dict[str, Any] = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:  # ValueError: not TOML, not UTF-8, a path with a zero byte
        raise RequestError(f"The grammar {path} cannot be read ({error}).") from None
    rules = {name: value for name, value in document.items() if name not in ("name", "about", words)}
    count = document.get(words, 1)
    if isinstance(count, bool) or not isinstance(count, int):
        raise RequestError(f"{path}: {words} is {count!r}; write a whole number.")
    for name, value in rules.items():
        if name not in known:
            raise RequestError(f"{path}: there is no rule {name!r}; choose from {', '.join((*known, words))}.")
        if not isinstance(value, bool):
            raise RequestError(f"{path}: the rule {name} is {value!r}; write true or false.")
    if not rules and words not in document:
        raise RequestError(f"{path} switches no rule on or off; write lines such as bare_number = true.")
    return rules, count
