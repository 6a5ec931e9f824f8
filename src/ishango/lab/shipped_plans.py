"""Plans by name: those that ship with the package, and those of other packages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ishango.errors import RequestError
from ishango.lab.plan import Plan, load_plan, parse_plan
from ishango.registry import Registry


@dataclass(frozen=True)
class ShippedPlan:
    """A plan that a package brings along."""

    name: str
    """What `ishango sweep` calls it."""
    sentence: str
    text: str
    """The plan as a TOML file has it."""

    @classmethod
    def parse(cls, name: str, text: str) -> ShippedPlan:
        """A plan that says itself, under `about`, what it is for."""
        return cls(name, parse_plan(text, f"{name}.toml").about, text)

    @property
    def plan(self) -> Plan:
        """What it plays."""
        return parse_plan(self.text, f"{self.name}.toml")


PLANS: Registry[ShippedPlan] = Registry("plan", "ishango.plans")

for _file in sorted(files("ishango").joinpath("plans").iterdir(), key=lambda file: file.name.removesuffix(".toml")):
    PLANS.add(ShippedPlan.parse(_file.name.removesuffix(".toml"), _file.read_text(encoding="utf-8")))


def find_plan(given: Path | str) -> Plan:
    """The plan in a file, or else the shipped one of that name; a file of one's own comes first.

    >>> find_plan("calibration").name
    'calibration'
    """
    name = str(given)
    if name in PLANS and not Path(name).is_file():
        return PLANS[name].plan
    try:
        return load_plan(given)
    except RequestError as error:
        if isinstance(error.__context__, FileNotFoundError) and re.fullmatch(r"[\w+-]+", name):
            raise RequestError(f"{PLANS.refusal(name).removesuffix('.')}, or give the file of a plan.") from None
        raise
