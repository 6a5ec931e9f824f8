"""Examples in docstrings as the site shows them: from >>> to an empty line they are code."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^([ ]*)>>> (?:.*\n?)(?:[ ]*\S.*\n?)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts fences around examples, which Markdown would take for quotations."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:  # noqa: ARG002
        """Called for everything that has been read."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with its examples between fences.

    >>> fenced("A sum.\\n\\n>>> 1 + 1\\n2\\n\\nMore.")
    'A sum.\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```\\n\\nMore.'
    """
    return _EXAMPLE.sub(lambda found: f"{found[1]}```pycon\n{found[0].rstrip()}\n{found[1]}```\n", text).rstrip("\n")
