"""Needs that are files: one name must mean one need wherever runs are compared, with each other or with what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ishango.errors import RequestError
from ishango.lab import RunView
from ishango.lab.named_runs import named_runs
from ishango.numerals import Need
from ishango.numerals.need import NEEDS


def refuse_two_needs_of_one_name(directories: Sequence[Path]) -> None:
    """Refuse runs of one need's name that was not one need: a file may have changed between them."""
    first: dict[str, tuple[str, Path]] = {}
    for view in _views(directories):
        for name, digest in view.inputs.items():
            known, where = first.setdefault(name, (digest, view.directory))
            if known != digest and name.partition(":")[0] in NEEDS:
                raise RequestError(
                    f"What {name} holds was changed between the runs in {where} and in {view.directory}, which cannot"
                    " be compared; leave one of them out."
                )


def refuse_changed_needs(directories: Sequence[Path]) -> None:
    """Refuse runs that were measured by a need which is another one today.

    What they recorded would stand beside what is computed now.
    """
    today: dict[str, dict[str, str]] = {}  # each file is read once, however many runs it was given to
    for view in _views(directories):
        need = view.config.get("eval_need") or view.config.get("need")
        if isinstance(need, str):
            today[need] = today.get(need) or Need.parse(need).inputs
            view.refuse_changed(today[need])


def _views(directories: Sequence[Path]) -> Iterator[RunView]:
    """The runs that can be read: who reads their rounds tells of the others."""
    views = (RunView.look(run) for run in named_runs(directories).values())
    return (view for view in views if view is not None)
