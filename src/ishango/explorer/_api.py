"""The API: what the page asks for.

A request that does not fit the schema is answered with 422, one that does but cannot be met with 409.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from ishango.evolution import EvolutionOptions
from ishango.explorer import _models as models
from ishango.explorer import _run_page as run_page
from ishango.explorer._builder import (
    Choices,
    CostName,
    Grammar,
    GroupingName,
    Need,
    all_choices,
    describe,
    languages_as_json,
    presets,
)
from ishango.explorer._optima import NEED, RANGE, Axes, phase_diagram
from ishango.explorer._site import Site, everything

_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Refusal} for status in (400, 401, 403, 404, 409, 413, 414, 421, 422, 429, 503)
}
router = APIRouter(prefix="/api", responses=_REFUSALS)


def site_of(request: Request) -> Site:
    """The site that the application was made for."""
    return request.app.state.site


Here = Annotated[Site, Depends(site_of)]
Words = Annotated[list[models.Word], Query(max_length=RANGE)]
Name = Annotated[models.Name, Query()]
Names = Annotated[list[models.Name], Query(min_length=1, max_length=4)]
StudyNames = Annotated[list[models.StudyName], Query(min_length=1, max_length=100)]
Message = Annotated[list[Annotated[int, Field(ge=0, le=10_000)]], Query(min_length=1, max_length=30)]
FieldName = Annotated[str, Query(pattern="^[a-z_]{1,60}$")]
GRAMMAR = EvolutionOptions.grammar


@router.get("/choices")
def get_choices(site: Here) -> Choices:
    """What can be chosen: grammars, needs, who decides, modifications; with labels and sentences."""
    return all_choices(site.grammars())


@router.get("/system", response_model=models.System)
async def system(
    site: Here,
    digits: Words = [],  # noqa: B006 - never changed
    multipliers: Words = [],  # noqa: B006 - never changed
    grammar: Grammar = GRAMMAR,
    need: Need = NEED,
) -> JSONResponse:
    """A numeral system, number by number; in a few milliseconds, so on the event loop itself."""
    return JSONResponse(describe(digits, multipliers, grammar, need, site.optima))


@router.get("/presets", response_model=models.Presets)
def get_presets(site: Here, grammar: Grammar = GRAMMAR, need: Need = NEED) -> JSONResponse:
    """Systems to begin with."""
    return JSONResponse(presets(grammar, site.optima.points(grammar, need)))


@router.get("/languages", response_model=list[models.HumanLanguage])
def get_languages() -> Response:
    """Human languages to search: some checked by hand, the others read off Numeralbank (CC-BY-4.0)."""
    return Response(languages_as_json(), media_type="application/json")


@router.get("/plane", response_model=models.Plane)
def plane(
    site: Here,
    grammar: Grammar = GRAMMAR,
    need: Need = NEED,
    x: CostName = Axes.x,
    y: CostName = Axes.y,
    by: GroupingName = "decides",
) -> Response:
    """One cost against another: frontier, human languages, runs in groups."""
    return Response(site.planes.answer(grammar, need, Axes(x, y), by), media_type="application/json")


@router.get("/map", response_model=models.Map)
def small_plane(site: Here, grammar: Grammar = GRAMMAR, need: Need = NEED, size: models.Reach = 0) -> JSONResponse:
    """The plane without runs, at least up to a size, for the builder."""
    return JSONResponse(site.planes.small_plane(grammar, need, size))


@router.get("/kinds", response_model=models.PhaseDiagram)
def kinds() -> JSONResponse:
    """The phase diagram of the law, with human languages."""
    return JSONResponse(phase_diagram())


@router.get("/runs", response_model=list[models.Run])
def list_runs(site: Here) -> JSONResponse:
    """All runs, last changed first."""
    return JSONResponse(site.all_runs())


@router.get("/bench", response_model=models.Bench)
def bench(site: Here) -> JSONResponse:
    """All runs in short, and the studies that they are of: what news begin with."""
    return JSONResponse(everything(site.bench()))


@router.get("/study", response_model=dict[str, models.SmallPaths])
def study(site: Here, id: StudyNames) -> JSONResponse:
    """The ways of studies in a few strokes, by study."""
    return JSONResponse(run_page.small_paths(site, id))


@router.get("/run", response_model=models.RunDetails)
def run(site: Here, name: Name) -> JSONResponse:
    """One run with its config and its pictures."""
    return JSONResponse(run_page.run_details(site, name))


@router.get("/overlay", response_model=models.Overlay)
def overlay(site: Here, name: Names) -> JSONResponse:
    """Two to four runs laid over each other."""
    return JSONResponse(run_page.overlay(site, name))


@router.get("/groups", response_model=models.Comparison)
def groups(site: Here, first: StudyNames, second: StudyNames, field: FieldName = "gap") -> JSONResponse:
    """Two groups of runs, each of some studies."""
    return JSONResponse(run_page.groups(site, [first, second], field))


@router.get("/measure", response_model=models.Figure)
def measure(site: Here, name: Names, field: FieldName) -> JSONResponse:
    """A measure over the rounds of one to four runs."""
    return JSONResponse(run_page.measure(site, name, field))


class _Listening(StreamingResponse):
    """News for one listener, who is counted as long as this is being sent: nothing waits between look and count."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.news.listen(), media_type="text/event-stream")
        self._listeners = site.listeners

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._listeners.count >= self._listeners.most:
            raise HTTPException(503, "Too many pages are listening; close one.")
        self._listeners.count += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._listeners.count -= 1


@router.get("/events", response_class=StreamingResponse, responses={200: {"content": {"text/event-stream": {}}}})
async def events(site: Here) -> StreamingResponse:
    """News of runs as they are written."""
    return _Listening(site)


@router.get("/dictionary", response_model=models.Dictionary)
def dictionary(site: Here, name: Name) -> JSONResponse:
    """The whole language of a run's agents."""
    return JSONResponse(run_page.read_dictionary(name, run_page.pair_of(site.runs, name)))


@router.get("/hear", response_model=models.Heard)
def hear(site: Here, name: Name, symbol: Message) -> JSONResponse:
    """What the listener makes of a message that somebody composed."""
    return JSONResponse(run_page.hear(run_page.pair_of(site.runs, name), symbol))


@router.get("/exchange", response_model=models.Exchange)
def exchange(site: Here, name: Name, number: models.Word) -> JSONResponse:
    """What a run's agents say and understand for a number."""
    return JSONResponse(run_page.exchange(run_page.pair_of(site.runs, name), number))


@router.post("/runs/start", response_model=models.RunName, status_code=201)
def start_run(site: Here, asked: models.NewRun) -> JSONResponse:
    """Start a run in a process of its own."""
    return JSONResponse({"name": site.launcher.start(asked)}, 201)


@router.post("/runs/stop", response_model=models.RunName)
def stop_run(site: Here, asked: models.RunName) -> JSONResponse:
    """Tell a run that was started here to stop."""
    site.launcher.stop(asked.name)
    return JSONResponse({"name": asked.name})


@router.post("/runs/note", response_model=models.RunName)
def annotate(site: Here, asked: models.Note) -> JSONResponse:
    """Write a note into a run's directory."""
    site.launcher.note(asked.name, asked.text)
    return JSONResponse({"name": asked.name})


@router.post("/runs/delete", response_model=models.RunName)
def delete(site: Here, asked: models.Certain) -> JSONResponse:
    """Remove a run for good; its name is said twice."""
    site.launcher.delete(asked.name, asked.sure)
    return JSONResponse({"name": asked.name})


@router.post("/runs/archive", response_model=models.RunName)
def archive(site: Here, asked: models.Certain) -> JSONResponse:
    """Pack a run into a file below the directory `archived` and take it out of the list."""
    return JSONResponse({"name": site.launcher.archive(asked.name, asked.sure).name})


@router.post("/runs/again", response_model=models.RunName, status_code=201)
def repeat_run(site: Here, asked: models.Repeat) -> JSONResponse:
    """Start a run like another one, with another seed."""
    return JSONResponse({"name": site.launcher.again(asked.name, asked.seed)}, 201)


@router.post("/runs/continue", response_model=models.RunName)
def continue_run(site: Here, asked: models.GoOn) -> JSONResponse:
    """Go on with a run that was started here."""
    site.launcher.go_on(asked.name, asked.rounds)
    return JSONResponse({"name": asked.name})
