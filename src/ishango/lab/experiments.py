"""What can be played: experiments by name, from this package and from others.

The lab knows no experiment. Each is announced as an entry point of the group `ishango.experiments`, those of this
package too (see `pyproject.toml`), so that a plan, a spawned worker or a job on a cluster finds it by its name alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ishango.errors import RequestError
from ishango.lab.config import config_of, flatten, nested, record_from_config
from ishango.lab.protocol import Experiment
from ishango.registry import Registry

FORMAT = 2
"""The format of new run directories. 1: before `run.json` had a format; digests are of whole configs."""


@dataclass(frozen=True)
class ExperimentKind:
    """One kind of experiment: its options, how it is made from them, and what a round of it records."""

    name: str
    """What plans call it."""
    label: str
    """What pages and tables call it."""
    sentence: str
    options: type[Any]
    """A frozen dataclass; its fields are what a plan may set and what `run.json` records."""
    make: Callable[[Any], Experiment[Any]]
    """From options to the experiment."""
    record: type[Any]
    """The dataclass of a round's record, see `ishango.lab.records`."""
    old_defaults: Mapping[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    """For each format of run directories, defaults (by dotted name) that it had and the next one has not."""
    other_names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Other names of fields, such as `reward` for `game.reward`: plans, earlier runs and tables may have them."""

    def reshape(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """The config with every field under its own name; two names of one field must not contradict each other."""
        flat = flatten(config)
        for other, name in self.other_names.items():
            if other in flat:
                value = flat.pop(other)
                if flat.setdefault(name, value) != value:
                    raise RequestError(
                        f"{other} is {value!r} and {name} is {flat[name]!r}, but they are one option; give one of them."
                    )
        return nested(flat) if self.other_names else config

    def columns(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a config as tables have them: dotted names, and the other names beside them."""
        flat = flatten(self.reshape(config))
        return flat | {other: flat[name] for other, name in self.other_names.items() if name in flat}

    def knows(self, config: Mapping[str, Any]) -> bool:
        """Whether all fields of a config are options of this kind."""
        names = {self.other_names.get(name, name) for name in flatten(config)}
        return names <= flatten(config_of(self.options())).keys()

    def options_from(self, config: Mapping[str, Any], format: int = FORMAT) -> Any:  # noqa: ARG002
        """The options that a config, complete or not, stands for; a field that is not known is refused."""
        return record_from_config(self.options, self.reshape(config))

    def complete(self, config: Mapping[str, Any], format: int = FORMAT) -> dict[str, Any]:
        """The config with every field: what is not given takes the default that it had in that format."""
        return config_of(self.options_from(config, format))

    def from_config(self, config: Mapping[str, Any], format: int = FORMAT) -> Experiment[Any]:
        """The experiment that a config, complete or not, stands for."""
        return self.make(self.options_from(config, format))


EXPERIMENTS: Registry[ExperimentKind] = Registry("experiment", "ishango.experiments")
