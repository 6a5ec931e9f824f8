"""The toy of the lab's tests with rounds as long as the environment says, each of which it counts where it says.

Neither is part of the config, so that a sweep on a cluster can be compared with a quick one on this machine.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.lab.toy import OpenKind, Toy, ToyRecord, Walk

from ishango.lab import Outcome, Progress

SECONDS, LOG = "ISHANGO_TEST_SECONDS", "ISHANGO_TEST_LOG"


class Counted(Toy):
    def play(self, state: Walk, number: int, progress: Progress) -> tuple[Walk, Outcome]:
        if LOG in os.environ:
            with Path(os.environ[LOG]).open("a") as file:
                file.write(f"{self.config['seed']} {number}\n")
        return super().play(state, number, progress)


def make(config: dict[str, Any]) -> Counted:
    return Counted(config, seconds=float(os.environ.get(SECONDS, "0")))


COUNTED = OpenKind("counted", "counted", "random walks that are counted", dict, make, ToyRecord)
