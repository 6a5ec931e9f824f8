"""Every run that is archived in `studies`: it opens, it is shown, and whoever asks for it again finds it done."""

from dataclasses import replace
from pathlib import Path

import pytest

from ishango.errors import RequestError
from ishango.explorer import Site
from ishango.explorer._run_page import run_details
from ishango.lab import list_archive, rounds_table, run, unarchive
from ishango.lab._view import RunView

ARCHIVES = sorted((Path(__file__).parents[2] / "studies").glob("*.tar.xz"))
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.*goes on elsewhere")]


@pytest.mark.parametrize("file", ARCHIVES, ids=lambda file: file.name.partition(".")[0])
def test_every_run_opens_is_shown_and_is_done(file, tmp_path):
    names = list_archive(file)
    assert sorted(unarchive(file, tmp_path).added) == sorted(names)
    counts = rounds_table(tmp_path)["run"].value_counts()
    for name in names:
        view = RunView(tmp_path / name)
        assert view.kind is not None
        assert (view.state, view.damage, view.message) == ("done", None, None)
        assert len(view.rounds()) == counts[name] == view.config["rounds"] + 1
        before = (tmp_path / name / "rounds.jsonl").read_bytes()
        options = view.kind.options_from(view.recorded, view.format)
        run(view.kind.make(options), tmp_path / name)
        with pytest.raises(RequestError, match="was kept without its checkpoints"):
            run(view.kind.make(replace(options, rounds=options.rounds + 1)), tmp_path / name)
        assert (tmp_path / name / "rounds.jsonl").read_bytes() == before
        assert RunView(tmp_path / name).state == "done"
    _shown(tmp_path, names)


def _shown(directory: Path, names: list[str]) -> None:
    site = Site(directory)
    listed = {each["name"]: each for each in site.all_runs()}
    assert set(listed) == set(names)
    assert {each["state"] for each in listed.values()} == {"done"}
    for name in names:
        assert run_details(site, name)["run"]["name"] == name
