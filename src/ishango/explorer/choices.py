"""What can be chosen, by name: read from the registries at every request, so that what other packages add is there.

The page spells no name itself: it asks for these lists, and shows labels and sentences as it finds them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from ishango.costs import COSTS
from ishango.evolution import ADD_RULES, CHOOSERS, JUDGES, LEARNERS, MODIFICATIONS
from ishango.explorer.groups import GROUPINGS
from ishango.explorer.optima import NEEDS
from ishango.explorer.summaries import defaults, shown
from ishango.lab import EXPERIMENTS
from ishango.numerals import GRAMMARS, GrammarName
from ishango.options import alternatives


class Labelled(Protocol):
    """What an entry must have to be shown on the page."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def label(self) -> str: ...  # noqa: D102
    @property
    def sentence(self) -> str: ...  # noqa: D102


class Among:
    """Marks a text of a request as one of some names, which the schema lists: `Annotated[str, Among(CHOOSERS)]`."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = names

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "enum": list(self.names)}

    def check(self, name: str) -> str:
        """The name; one that is not known is refused."""
        if name not in self.names:
            raise PydanticCustomError("choice", "must be {names}", {"names": alternatives(tuple(self.names))})
        return name


Grammar = Annotated[GrammarName, Among(GRAMMARS)]
Need = Annotated[str, Among(NEEDS)]
Choose = Annotated[str, Among(CHOOSERS)]
Add = Annotated[str, Among(ADD_RULES)]
Learn = Annotated[str, Among(LEARNERS)]
JudgeName = Annotated[str, Among(JUDGES)]
CostName = Annotated[str, Among(COSTS)]
GroupingName = Annotated[str, Among(GROUPINGS)]


class Choice(BaseModel):
    """One of several, by the name that requests give."""

    name: str
    label: Annotated[str, Field(description="what pages call it")]
    sentence: Annotated[str, Field(description="what it is, without a final full stop")]


class ChooserChoice(Choice):
    """Who may decide in a run."""

    uses_agents: Annotated[bool, Field(description="whether agents talk, so that one can talk to them")]


class ExperimentChoice(Choice):
    """What may be played."""

    defaults: Annotated[dict[str, Any], Field(description="the config in which nothing was chosen, with dotted names")]
    unit: Annotated[str, Field(description="what gaps are counted in")]


class Choices(BaseModel):
    """All that can be chosen; the page begins with the first of each."""

    grammars: list[Choice]
    needs: list[Choice]
    choosers: list[ChooserChoice]
    modifications: list[Choice]
    add_rules: list[Choice]
    learners: list[Choice]
    judges: list[Choice]
    experiments: list[ExperimentChoice]
    costs: Annotated[list[Choice], Field(description="what the axes of the plane may be")]
    groupings: list[Choice]


def all_choices(grammars: Iterable[GrammarName]) -> Choices:
    """What can be chosen now, with these grammars."""
    return Choices(
        grammars=_choices(GRAMMARS[name] for name in grammars),
        needs=_choices(NEEDS.values()),
        choosers=[
            ChooserChoice(name=each.name, label=each.label, sentence=each.sentence, uses_agents=each.uses_agents)
            for each in CHOOSERS.values()
        ],
        modifications=_choices(MODIFICATIONS.values()),
        add_rules=_choices(ADD_RULES.values()),
        learners=_choices(LEARNERS.values()),
        judges=_choices(JUDGES.values()),
        experiments=[
            ExperimentChoice(
                name=each.name,
                label=each.label,
                sentence=each.sentence,
                defaults=defaults(each.name),
                unit=shown(each.name).unit,
            )
            for each in EXPERIMENTS.values()
        ],
        costs=_choices(COSTS.values()),
        groupings=_choices(GROUPINGS.values()),
    )


def _choices(entries: Iterable[Labelled]) -> list[Choice]:
    return [Choice(name=each.name, label=each.label, sentence=each.sentence) for each in entries]
