from __future__ import annotations

from pathlib import Path

import pytest

from ishango.api import refuse_changed_needs
from ishango.api._runs import refuse_two_needs_of_one_name
from ishango.errors import RequestError
from ishango.evolution import Evolution, EvolutionOptions
from ishango.game import GameOptions
from ishango.lab import run


def test_a_file_must_hold_what_it_held_when_runs_were_measured_by_it(tmp_path: Path) -> None:
    table = tmp_path / "n.csv"
    small = {"start": "1-3 | 4", "choose": "coin", "rounds": 0, "upto": 12, "game": GameOptions(upto=12)}
    for place, slope in (("a", 1), ("b", 2)):
        table.write_text("".join(f"{n},{n**-slope}\n" for n in range(1, 13)))
        run(Evolution(EvolutionOptions(eval_need=f"file:{table}", **small)), tmp_path / "runs" / place)
    refuse_changed_needs([tmp_path / "runs" / "b"])
    with pytest.raises(RequestError, match=r"has changed since the run in .*a began; .* or leave the run out\."):
        refuse_changed_needs([tmp_path / "runs"])
    with pytest.raises(RequestError, match=r"was changed between the runs in .*a and in .*b, which cannot"):
        refuse_two_needs_of_one_name([tmp_path / "runs"])
    table.unlink()
    refuse_two_needs_of_one_name([tmp_path / "runs" / "a"])  # where nothing is computed anew, the file may be gone
