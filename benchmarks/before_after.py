"""Is the kernel as fast as it was? Two source trees side by side.

python -m benchmarks.before_after OLD_SRC NEW_SRC [BLOCKS]

Each tree plays in a process of its own, with the same random numbers. The two take turns, block by block, so that both
see the same noise of the machine; what is told is the ratio of their speeds by processor time. The part that plays
uses only names that both trees have.
"""

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np

STARTS, WARMUP, STEPS, BLOCKS = (1, 7), 2000, 1000, 20


class Player:
    """A process that plays the game of one tree."""

    def __init__(self, source: Path, start: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.before_after", "play", str(start)],
            env={**os.environ, "PYTHONPATH": str(source)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def block(self) -> tuple[float, str]:
        """Play a block: steps a second, and the share of games won, which tells whether both play the same."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print("go", file=self.process.stdin, flush=True)
        speed, won = self.process.stdout.readline().split()
        return float(speed), won

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.communicate()


def play_blocks(start: int) -> None:
    """Play the warm-up and then a block for each line on standard input."""
    from ishango.game import Agents, GameOptions, play
    from ishango.numerals import STARTS as SYSTEMS
    from ishango.numerals import Need, minimal_language

    options, rng, numbers = GameOptions(), np.random.default_rng(0), 50
    agents, need = Agents.random(options, rng), Need.parse("power:2").weights(numbers)
    arms = [minimal_language(SYSTEMS[start - 1], numbers).tokens("infix")]
    for i, _line in enumerate(sys.stdin):
        steps = WARMUP if i == 0 else STEPS
        began = time.process_time()
        won = play(agents, arms, need, options, steps, rng).accuracy()
        print(steps / (time.process_time() - began), won, flush=True)


def compare(old: Path, new: Path, start: int, blocks: int) -> tuple[np.ndarray, bool]:
    """Speeds of old and new, (blocks, 2), and whether the same games were won."""
    speeds, same = np.empty((blocks, 2)), True
    with ExitStack() as stack:
        players = [stack.enter_context(Player(source, start)) for source in (old, new)]
        same &= players[0].block()[1] == players[1].block()[1]  # the warm-up, which compiles
        for i in range(blocks):
            won = ["", ""]
            for which in (0, 1) if i % 2 else (1, 0):  # whoever comes second finds a warmer machine
                speeds[i, which], won[which] = players[which].block()
            same &= won[0] == won[1]
    return speeds, same


def main(old: Path, new: Path, blocks: int) -> None:
    print(f"steps a second by processor time, medians of {blocks} blocks of {STEPS} steps, alternating")
    print("start      old      new   new/old: median (quartiles)   games")
    for start in STARTS:
        speeds, same = compare(old, new, start, blocks)
        before, after = np.median(speeds, axis=0)
        low, middle, high = np.percentile(speeds[:, 1] / speeds[:, 0], [25, 50, 75])
        games = "the same" if same else "different"
        print(f"{start:5} {before:8.0f} {after:8.0f}   {middle:15.3f} ({low:.3f}-{high:.3f})   {games}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["play"]:
        play_blocks(int(sys.argv[2]))
    else:
        _old, _new, *_blocks = sys.argv[1:]
        main(Path(_old).resolve(), Path(_new).resolve(), int(_blocks[0]) if _blocks else BLOCKS)
