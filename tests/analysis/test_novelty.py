"""The tables of the study of novelty come from its runs, and the docs quote them."""

import re
from pathlib import Path

import pandas as pd
import pytest
from studies.novelty_table import axes_table, finished, kept_table
from studies.unpriced_table import pressure, selects

from ishango.analysis.selection import at_equal_novelty, decisions, standardised_preference
from ishango.cli import main
from ishango.lab import expand, find_plan, rounds_table
from ishango.lab._sweeps import find_kind

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs" / "figures"


def plain(number: float) -> str:
    """A number as the docs write it: .04, -.17, 1.15."""
    return re.sub(r"^-(?=0*\.0*$)|(?<=^-)0(?=\.)|^0(?=\.)", "", f"{number:.2f}").replace("-.00", ".00")


def spanned(row: "pd.Series", name: str) -> str:
    return f"{plain(row[name])} ({plain(row[f'{name}_low'])} to {plain(row[f'{name}_high'])})"


def unpacked(name: str, into: Path) -> Path:
    assert main(["unarchive", str(ROOT / "studies" / name), str(into)]) == 0
    return into


def test_docs_quote_the_tables():
    text = (ROOT / "docs" / "studies" / "evolution.md").read_text("utf-8")
    kept = pd.read_csv(FIGURES / "novelty.csv").set_index(["contest", "kind", "changes"])["kept"]
    axes = pd.read_csv(FIGURES / "novelty-axes.csv")
    assert len(axes) == 5
    for _, row in axes.iterrows():
        name = row["contest"]
        renamed = (f"{100 * kept[name, 'renamed', changes]:.0f} %" for changes in ("0 to 0.5 %", "8 to 100 %"))
        preferred = (spanned(row, axis) for axis in ("novelty", "preference", "length", "size"))
        cells = (name.replace("%", " %"), row["decisions"], f"{100 * row['games_won']:.1f} %")
        cells += (f"{row['numbers_understood']:.0f}", f"{100 * row['kept']:.0f} %", *renamed, *preferred)
        assert "| " + " | ".join(map(str, cells)) + " |" in text


def test_tables_come_from_the_runs(tmp_path):
    rounds = finished([unpacked("novelty.tar.xz", tmp_path)])
    some = rounds[rounds["contest_label"] == "40,000 steps"]
    assert some["run"].nunique() == 24
    made = pd.DataFrame(kept_table(some)).round(6).set_index(["kind", "changes"])
    told = pd.read_csv(FIGURES / "novelty.csv").query("contest == '40,000 steps'").set_index(["kind", "changes"])
    pd.testing.assert_frame_equal(made.drop(columns="contest"), told.drop(columns="contest"), check_dtype=False)
    axes = axes_table(some).iloc[0]
    quoted = pd.read_csv(FIGURES / "novelty-axes.csv").set_index("contest").loc["40,000 steps"]
    for name in ("kept", "numbers_understood", "preference", "preference_high", "length", "length_low", "novelty"):
        assert axes[name] == pytest.approx(quoted[name], abs=1e-5)


def test_docs_quote_the_runs_of_the_paper_s_contest(tmp_path):
    everything = rounds_table([unpacked("contest.tar.xz", tmp_path)])
    text = (ROOT / "docs" / "studies" / "evolution.md").read_text("utf-8")
    assert everything["run"].nunique() == 24
    for (preset, add), rounds in everything.groupby([everything["run"].str.extract("preset=(\\w+)")[0], "add"]):
        axes, kept = at_equal_novelty(rounds), decisions(rounds).astype({"accepted": float})
        row = pd.Series(vars(axes) | standardised_preference(rounds)._asdict())
        assert (axes.runs, axes.decisions) == (8, 800)
        cells = (f"`{preset}`", add, f"{100 * rounds['accuracy'].median():.1f} %")
        cells += (f"{rounds['numbers_understood'].median():.0f}", f"{100 * axes.kept:.0f} %")
        cells += tuple(f"{100 * kept.query(f'delta_average {each} 0')['accepted'].mean():.0f} %" for each in "<>")
        cells += tuple(spanned(row, each) for each in ("preference", "length", "size", "novelty"))
        assert "| " + " | ".join(cells) + " |" in text


def test_each_pressure_of_the_plan_has_a_name_and_the_rule_of_the_plan_decides():
    runs = expand(find_plan("unpriced"), find_kind("evolution").complete)
    flat = [{**config, **{f"game.{name}": each for name, each in config["game"].items()}} for _, config in runs]
    assert [pressure(config) for config in flat[::24]] == ["nothing", "5% noise", "25 units", "new learners"]
    shown = pd.Series({"length_p_holm": 0.04, "length_low": 0.1})
    assert selects(shown)
    assert not selects(shown.replace(0.04, 0.05))
    assert not selects(shown.replace(0.1, -0.1))


def test_docs_quote_the_first_pressure_without_a_price(tmp_path):
    text = (ROOT / "docs" / "studies" / "evolution.md").read_text("utf-8")
    (row,) = (row for _, row in pd.read_csv(FIGURES / "unpriced.csv").iterrows())
    assert (row["pressure"], row["runs"], row["units"], selects(row)) == ("nothing", 24, 24, False)
    cells = ("nothing", row["decisions"], f"{100 * row['games_won']:.1f} %", f"{row['numbers_understood']:.0f}")
    cells += (
        f"{100 * row['kept']:.0f} %",
        *(spanned(row, each) for each in ("preference", "length", "size", "novelty")),
    )
    assert "| " + " | ".join(map(str, cells)) + " |" in text
    new = {"place": row["place_as_new"], "place_low": row["place_low_as_new"], "place_high": row["place_high_as_new"]}
    ends = (f"{plain(row['before'])}, {plain(row['gap'])}", plain(row["drift"]), spanned(row, "place"))
    ends += (plain(row["drift_as_new"]), spanned(pd.Series(new), "place"))
    assert "| nothing | " + " | ".join(ends) + " |" in text
    assert (row["ends"], row["ends_as_new"]) == ("nearer than drift", "not shown to differ")
    played = finished([unpacked("unpriced.tar.xz", tmp_path)], lambda config: pressure(config))
    axes = axes_table(played[played["contest_label"] == "nothing"]).iloc[0]
    for name in ("kept", "numbers_understood", "preference", "length", "length_low", "novelty"):
        assert axes[name] == pytest.approx(row[name], abs=1e-4)
