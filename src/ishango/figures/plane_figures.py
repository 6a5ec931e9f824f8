"""The plane of two costs, to be looked at closely: hover, click, zoom, play.

Its data is named, not inside, and what the page changes are parameters, so that one specification serves all runs:

- `x0`, `x1`, `y0`, `y1`: what part of the plane is seen; `round`: the round that is looked at;
- `paths_of`, `bands_of`: the groups whose runs are drawn as paths, and those whose runs are drawn as a band;
- `over`: the run that all others make way for; `reach`: whether the mouse can meet a line, which takes longer than to
  draw all of them, so that a page asks for it when nothing moves;
- `here_x`, `here_y`: the system that is marked.
"""

from __future__ import annotations

from typing import Any, Literal

import altair as alt

from ishango.figures.look import GREY, GROUPS, HERE, INK, NOTE, SPOKEN, Panel

DATA = ("bound", "frontier", "languages", "bands", "paths", "lexicons", "starts", "words")
"""The tables that the plane takes; `x` and `y` of each are places in it. `paths` has a row for each run, with lists."""
_PLACES: list[Any] = ["round", "until", "x", "y", "lexicon"]
_LEXICON = [alt.Tooltip("digits:N", title="D"), alt.Tooltip("multipliers:N", title="M")]
_COLOUR = alt.Color("colour:O", legend=None, scale=alt.Scale(domain=list(range(len(GROUPS))), range=list(GROUPS)))
_BELOW = 1e-3
"""Below everything that is drawn; not zero, which has no logarithm."""
_UNLESS_CROWDED = alt.ExprRef("(width < 480 && x1 - x0 > 15) || (width < 330 && x1 - x0 > 6) ? 0 : 1")
"""On a phone names would cover each other; they appear when one comes closer."""
_SO_FAR = "datum.round <= round"
_FAINT = 0.07
"""What makes way for the run under the mouse."""
_FADED = alt.ExprRef(f"over == '' ? 0.6 : {_FAINT}")


def plane_figure(
    x: str = "size", y: str = "length", log_x: bool = False, log_y: bool = False, height: int = 460
) -> Panel:
    """What is unattainable, the optima, human languages, and runs as they were at a round.

    Args:
        x: the title of the axis across.
        y: the title of the axis up.
        log_x: whether equal steps across mean equal factors.
        log_y: the same of steps up.
        height: in pixels.
    """
    plane = _Plane(x, y, log_x, log_y)
    layers = [plane.region(), *plane.bands(), *plane.paths(), plane.optima(), *plane.languages(), *plane.words()]
    chart = alt.layer(*layers, plane.here(), width="container", height=height)
    return chart.add_params(*(alt.param(name=name, value=value) for name, value in _PARAMETERS.items()))


_PARAMETERS: dict[str, Any] = {
    "x0": 1, "x1": 20, "y0": 1, "y1": 2, "round": 0, "paths_of": [], "bands_of": [], "over": "",
    "reach": True, "here_x": 0, "here_y": 0,
}  # fmt: skip


class _Plane:
    """Two axes and the layers that lie over them."""

    def __init__(self, x: str, y: str, log_x: bool, log_y: bool) -> None:
        self.up: dict[str, Any] = {
            "title": y,
            "scale": _between("y", log_y),
            "axis": alt.Axis(tickCount=8, format="~r"),
        }
        self.x = alt.X("x:Q", title=x, scale=_between("x", log_x), axis=alt.Axis(tickCount=12, format="~r"))
        self.y = alt.Y("y:Q", **self.up)
        self.costs = [alt.Tooltip("x:Q", title=x, format=".5~g"), alt.Tooltip("y:Q", title=y, format=".5~g")]

    def region(self) -> Any:
        """All that lies below every system: drawn to the right of each size, as sizes are whole numbers."""
        area = _of("bound").mark_area(color=GREY, interpolate="step-after", clip=True, tooltip=None)
        return area.encode(x=self.x, y=self.y, y2=alt.datum(_BELOW))

    def optima(self) -> Any:
        """The shortest system of each size, filled where that is proved."""
        fill = alt.condition("datum.proved", alt.value(INK), alt.value("transparent"))
        points = _of("frontier").mark_point(color=INK, size=34, opacity=1, clip=True, cursor="pointer")
        return points.encode(x=self.x, y=self.y, fill=fill, tooltip=[alt.Tooltip("kind:N", title=" "), *self._about()])

    def languages(self) -> list[Any]:
        """Human languages, the larger the more of them there are; some have their names beside them."""
        size = alt.Size("languages:Q", legend=None, scale=alt.Scale(domain=[1, 15], range=[50, 320]))
        mark: dict[str, Any] = {"shape": "diamond", "color": SPOKEN, "strokeWidth": 1.8, "fill": "transparent"}
        diamonds = _of("languages").mark_point(**mark, opacity=1, clip=True, cursor="pointer")
        named = _of("languages").transform_filter("isValid(datum.label)")
        look: dict[str, Any] = {"color": SPOKEN, "fontSize": 11, "opacity": _UNLESS_CROWDED, **_beside()}
        names = [
            named.transform_filter(f"datum.align == '{align}'")
            .mark_text(align=align, clip=True, tooltip=None, **look)
            .encode(x=self.x, y=self.y, text="label:N")
            for align in _ALIGNMENTS
        ]
        about = [alt.Tooltip("names:N", title=" "), *self._about()]
        return [diamonds.encode(x=self.x, y=self.y, size=size, tooltip=about), *names]

    def bands(self) -> list[Any]:
        """Where half of a group's lexicons lie at each place of the axis, and their median."""
        shown = _of("bands").transform_filter("indexof(bands_of, datum.group) >= 0")
        faded = alt.condition("over == ''", alt.value(1), alt.value(0.25))
        area = shown.mark_area(interpolate="step-after", fillOpacity=0.22, clip=True, tooltip=None)
        line = shown.mark_line(interpolate="step-after", strokeWidth=2, strokeDash=[5, 2], clip=True, tooltip=None)
        way: dict[str, Any] = {"x": self.x, "color": _COLOUR, "detail": ["group:N", "stretch:N"], "opacity": faded}
        return [
            area.encode(y=alt.Y("low:Q", **self.up), y2="high:Q", **way),
            line.encode(y=alt.Y("median:Q", **self.up), **way),
        ]

    def paths(self) -> list[Any]:
        """Where runs began, the way they came, and where they are at the round of the parameter."""
        shown = _of("paths").transform_filter("indexof(paths_of, datum.group) >= 0")
        places = shown.transform_flatten(_PLACES)
        lexicon = alt.LookupData(data=alt.NamedData("lexicons"), key="lexicon", fields=["digits", "multipliers"])
        heads = places.transform_filter(
            "datum.round <= round && round < datum.until && isValid(datum.lexicon)"
        ).transform_lookup("lexicon", from_=lexicon)
        tooltip = [
            alt.Tooltip("run:N", title=" "),
            alt.Tooltip("group:N", title="group"),
            alt.Tooltip("start:N", title="start"),
            alt.Tooltip("round:Q", title="since round"),
            *self._about(),
        ]
        way: dict[str, Any] = {"x": self.x, "y": self.y}
        look: dict[str, Any] = {"order": False, "clip": True, "tooltip": None}
        # All runs of one colour are one line, which a place without y interrupts: a line each would take much longer.
        lines = places.transform_filter(_SO_FAR).mark_line(strokeWidth=1.5, opacity=_FADED, **look)
        one = shown.transform_filter("datum.run == over").transform_flatten(_PLACES).transform_filter(_SO_FAR)
        # What is met by the mouse is wider than what is seen.
        met = shown.transform_filter("reach").transform_flatten(_PLACES).transform_filter(_SO_FAR)
        reach = met.mark_line(strokeWidth=9, opacity=0.001, cursor="pointer", **look)
        dots = heads.mark_point(filled=True, size=70, clip=True, cursor="pointer")
        fading = alt.condition("over == '' || over == datum.run", alt.value(1), alt.value(_FAINT))
        return [
            lines.encode(**way, color=_COLOUR),
            one.mark_line(strokeWidth=2, **look).encode(**way, color=_COLOUR),
            reach.encode(**way, detail="run:N"),
            *self._starts(),
            dots.encode(x=self.x, y=self.y, color=_COLOUR, opacity=fading, tooltip=tooltip),
        ]

    def _starts(self) -> list[Any]:
        """Where runs begin: an open circle, and beside it which start it is."""
        shown = _of("starts").transform_filter("indexof(paths_of, datum.group) >= 0")
        ring = shown.mark_point(size=90, strokeWidth=1.4, color=NOTE, fill="transparent", opacity=1, clip=True)
        text = shown.mark_text(fontSize=10, color=NOTE, dy=-12, clip=True, tooltip=None)
        about = [alt.Tooltip("start:N", title="start"), *self._about()]
        return [
            ring.encode(x=self.x, y=self.y, tooltip=about), text.encode(x=self.x, y=self.y, text="name:N"),
        ]  # fmt: skip

    def words(self) -> list[Any]:
        """What is written into the plane."""
        text = _of("words").mark_text(
            align="left", fontStyle="italic", fontSize=12, color=NOTE, clip=True, tooltip=None
        )
        return [text.encode(x=self.x, y=self.y, text="text:N")]

    def here(self) -> Any:
        """The system that is looked at, where it lies: the page makes room for it."""
        place = alt.Chart(alt.SequenceGenerator(sequence=alt.SequenceParams(start=0, stop=1))).transform_calculate(
            x="here_x", y="here_y"
        )
        cross = place.transform_filter("here_y > 0").mark_point(
            shape="cross", size=260, fill=HERE, stroke=INK, strokeWidth=1.2, opacity=1, clip=True
        )
        return cross.encode(x=self.x, y=self.y, tooltip=self.costs)

    def _about(self) -> list[alt.Tooltip]:
        return [*_LEXICON, *self.costs]


_ALIGNMENTS: tuple[Literal["left", "center", "right"], ...] = ("left", "center", "right")


def _of(name: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(name))


def _between(axis: str, log: bool) -> alt.Scale:
    """What is seen of an axis is said by two parameters."""
    ends = [alt.ExprRef(f"{axis}0"), alt.ExprRef(f"{axis}1")]
    return alt.Scale(type="log" if log else "linear", domain=ends, nice=False, zero=alt.Undefined if log else False)


def _beside() -> dict[str, Any]:
    """Where a name stands is said by its row."""
    return {"dx": alt.ExprRef("datum.dx"), "dy": alt.ExprRef("datum.dy"), "baseline": "middle"}
