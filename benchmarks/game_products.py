"""How near the kernel's products and formulas come to what the processor can do: python -m benchmarks.game_products.

A level of a prefix tree has a few rows. The three products with the recurrent weights are timed by their rows, in
percent of the rate with many rows, from which the floor comes; an LSTM's gates by the node, Adam by the parameter.
"""

import numpy as np

from benchmarks.game_phases import Floor, best
from ishango.compiling import entry
from ishango.game import GameOptions
from ishango.game._network import activate, adam
from ishango.game._vectors import copy, forward, padded, to_inputs, to_weights

ROWS = (1, 2, 3, 4, 6, 8, 12, 16, 24)
REPEATS = 200


@entry
def _forward(x, w, y, rows, repeats):
    for _ in range(repeats):
        forward(x, w, y, 0, rows)


@entry
def _to_inputs(dy, w, dx, rows, repeats):
    for _ in range(repeats):
        to_inputs(dy, w, dx, 0, rows)


@entry
def _to_weights(x, dy, dw, rows, repeats):
    for _ in range(repeats):
        to_weights(x, dy, dw, 0, rows)


@entry
def _gates(sums, gates, state, repeats):
    for _ in range(repeats):
        copy(sums, gates)
        activate(gates, state[0], state[1], state[2], state[3])


@entry
def _adam(vectors, steps, repeats):
    for _ in range(repeats):
        adam(vectors[0], vectors[1], vectors[2], vectors[3], steps, 0.0)


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def main() -> None:
    hidden, peak = GameOptions().hidden, Floor.measured().flops
    outputs = padded(4 * hidden)
    x, w, y = normal(max(ROWS), hidden), normal(hidden, outputs), np.zeros((max(ROWS), outputs), np.float32)
    dx, dw = np.zeros_like(x), np.zeros_like(w)
    print(f"Products, percent of {peak / 1e9:.0f} GFLOP/s, by rows")
    print(f"{'rows':>16}" + "".join(f"{rows:6}" for rows in ROWS))
    products = {
        "forward": (_forward, x, w, y),
        "to inputs": (_to_inputs, y, w, dx),
        "to weights": (_to_weights, x, y, dw),
    }
    for name, (product, *arrays) in products.items():
        rates = []
        for rows in ROWS:
            y[:] = 0  # what is added again and again must not overflow
            taken = best(lambda product=product, arrays=arrays, rows=rows: product(*arrays, rows, REPEATS))
            rates.append(2 * rows * hidden * outputs * REPEATS / taken / peak)
        print(f"{name:>16}" + "".join(f"{100 * rate:6.0f}" for rate in rates))
    sums, state = normal(4 * hidden), normal(4, hidden)
    node = best(lambda: _gates(sums, sums.copy(), state, REPEATS)) / REPEATS
    print(f"gates: {1e9 * node:.0f} ns a node")
    for parameters in (1_500, 15_000, 100_000):  # four vectors in the first-level cache, in the second, in neither
        vectors = np.abs(normal(4, parameters))
        taken = best(lambda vectors=vectors: _adam(vectors, np.ones(1, np.int64), REPEATS))
        print(f"Adam of {parameters:,} parameters: {1e9 * taken / REPEATS / parameters:.2f} ns each")


if __name__ == "__main__":
    main()
