"""One more figure with its section, and one more claim: one entry each, and everything follows."""

import json

import altair as alt
import pytest
from tests.report.tiny import TINY, only

from ishango.cli import main
from ishango.errors import RequestError
from ishango.report import reproduce
from ishango.report._columns import explained_tables
from ishango.report._data import Data
from ishango.report._sections import FIGURES, SECTIONS, Figure, Section, ShownTable, check_page, section
from ishango.report.claims import CLAIMS, Claim, Verdict, claim
from ishango.report.claims._claim import in_order


def sizes_chart(data):
    return alt.Chart(data["starts"]).mark_bar().encode(x="start:N", y="size:Q")


FIGURE = Figure("sizes-of-starts", "how many words the starts have", sizes_chart, ("starts",))
SECTION = Section("sizes", "Sizes of the starts", "Starts differ in size.", (FIGURE.name,))


def few_words(data):
    largest = int(data["starts"]["size"].max())
    return Verdict("The largest is start 4.", "greatest size", largest, largest, largest, "", "holds", exact=True)


CLAIM = Claim("few-words", "sizes", "No start has more than 25 words", few_words)


@pytest.fixture
def added(monkeypatch):
    """The section stands behind that on kinds."""
    monkeypatch.setitem(FIGURES, FIGURE.name, FIGURE)
    monkeypatch.setitem(CLAIMS, CLAIM.name, CLAIM)
    names = list(SECTIONS)
    behind = names[names.index("kinds") + 1 :]
    later = {name: SECTIONS.pop(name) for name in behind}
    SECTIONS.update({SECTION.name: SECTION, **later})
    yield
    del SECTIONS[SECTION.name]


@pytest.mark.usefixtures("added")
def test_the_command_shows_them_and_plays_nothing_again(reproduction, judged, copied, tmp_path, monkeypatch, capsys):
    """The second run of a finished reproduction; nothing else changes in its data."""
    out = copied(tmp_path / "out")

    def state(pattern):
        return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in out.glob(pattern)}

    runs = state("runs/*/*/rounds.jsonl")
    monkeypatch.setattr("ishango.report.QUICK", TINY)
    with only("kinds", "sizes", "plane"):
        assert main(["reproduce", "--out", str(out), "--workers", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in document["verdicts"]] == [*(each.name for each in judged), "few-words"]
    assert document["verdicts"][-1]["value"] == 21
    assert state("runs/*/*/rounds.jsonl") == runs

    before, after = (
        {path.name: path.read_bytes() for path in (each / "data").iterdir()} for each in (reproduction, out)
    )
    row = after["verdicts.csv"].removeprefix(before.pop("verdicts.csv"))
    assert row.startswith(b"few-words,No start has more than 25 words.,")
    del after["verdicts.csv"]
    assert after == before

    for format in ("pdf", "svg", "png", "html"):
        assert (out / "figures" / f"sizes-of-starts.{format}").stat().st_size > 1000
    page = (out / "index.html").read_text(encoding="utf-8")
    assert '<section id="sizes">' in page
    assert 'data-chart="sizes-of-starts"' in page
    assert 'id="spec-sizes-of-starts"' in page
    assert 'aria-label="how many words the starts have"' in page
    assert "No start has more than 25 words." in page
    assert page.index('<section id="kinds">') < page.index('<section id="sizes">') < page.index('<section id="plane">')


def test_claims_stand_group_by_group_and_new_groups_last(judged):
    def judge(_data):
        return Verdict("", "", 1, 1, 1, "", "holds")

    paper = [each.name for each in judged]
    assert paper == [*_names("evolution"), *_names("learning"), *_names("frontier")]
    new = Claim("mine", "mine", "Mine", judge), Claim("more", "evolution", "More", judge)
    assert in_order([*CLAIMS.values(), *new])[-1] is new[0]
    assert in_order([*CLAIMS.values(), *new])[len(_names("evolution"))] is new[1]


def _names(group):
    return [each.name for each in CLAIMS.values() if each.group == group]


def test_sections_have_the_order_of_the_page():
    assert [name for name in SECTIONS if name in ("plane", "restricted", "kinds")] == ["kinds", "plane", "restricted"]
    assert next(iter(SECTIONS)) == "answer"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            Section("mine", "Mine", "", ("drfit",)),
            r"section 'mine' cannot .* no figure 'drfit' \(did you mean drift\?\)",
        ),
        (Section("mine", "Mine", "", tables=(ShownTable("strats", {}),)), "section 'mine' .* no table 'strats'"),
        (Section("mine", "Mine", "", tables=(ShownTable("starts", {"sze": "size"}),)), "'starts' has no column 'sze'"),
    ],
)
def test_a_section_that_names_what_is_not_there_is_refused_before_anything_is_made(
    wrong, message, tmp_path, monkeypatch
):
    monkeypatch.setitem(SECTIONS, "mine", wrong)
    with pytest.raises(RequestError, match=message):
        reproduce(TINY, tmp_path / "out", say=lambda _text: None)
    assert not (tmp_path / "out").exists()


def test_so_is_a_figure_without_its_table(monkeypatch):
    monkeypatch.setitem(FIGURES, "mine", Figure("mine", "mine", sizes_chart, ("strats",)))
    with pytest.raises(RequestError, match="figure 'mine' needs the table 'strats'"):
        check_page(explained_tables())


def test_two_of_one_name_are_refused(monkeypatch):
    monkeypatch.setitem(CLAIMS, "few-multipliers", CLAIM)
    with pytest.raises(ValueError, match=r"there are two figures 'drift'"):
        section("mine", "Mine", "", Figure("drift", "once more", sizes_chart, ()))
    with pytest.raises(ValueError, match=r"there are two claims 'few-multipliers'"):
        claim("frontier", "few-multipliers", "Once more")(sizes_chart)


def test_the_page_of_this_package_names_only_what_is_there():
    check_page(explained_tables())
    assert {name for section in SECTIONS.values() for name in section.figures} == set(FIGURES)


def test_a_figure_sees_only_the_tables_it_says_it_needs(reproduction):
    with pytest.raises(KeyError, match="starts"):
        Figure("mine", "mine", sizes_chart, ("ends",)).chart(Data(reproduction / "data"))
