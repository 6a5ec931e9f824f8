"""Plans by name: the files in `plans/`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ishango.errors import RequestError
from ishango.lab.plan import Plan, load_plan, parse_plan
from ishango.registry import by_name, refusal


@dataclass(frozen=True)
class ShippedPlan:
    """A plan that the package brings along."""

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


_TEXTS = {
    file.name.removesuffix(".toml"): file.read_text(encoding="utf-8")
    for file in files("ishango").joinpath("plans").iterdir()
}
PLANS = by_name(*(ShippedPlan.parse(name, _TEXTS[name]) for name in sorted(_TEXTS)))


def shipped_plan(name: str) -> ShippedPlan:
    """The plan of that name; one that is not known is refused."""
    if name not in PLANS:
        raise RequestError(refusal("plan", name, PLANS))
    return PLANS[name]


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
            raise RequestError(
                f"{refusal('plan', name, PLANS).removesuffix('.')}, or give the file of a plan."
            ) from None
        raise
