"""What tiles and vectors give: the kernel beside itself with plain Numba loops. python -m benchmarks plain_loops.

A copy of the package gets plain loops in the place of the matrix products, or of the formulas of gates and
probabilities; both then play the same games in turns (`benchmarks.before_after`). We keep what gives 1.3 times or more.
"""

import shutil
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.before_after import STARTS, compare

SOURCE = Path(__file__).parents[1] / "src"
BLOCKS = 8

PRODUCTS = """

@jit
def forward(x, w, y, first, last):
    for i in range(first, last):
        for k in range(w.shape[0]):
            for j in range(w.shape[1]):
                y[i, j] += x[i, k] * w[k, j]


@jit
def to_inputs(dy, w, dx, first, last):
    for i in range(first, last):
        for k in range(w.shape[0]):
            total = np.float32(0)
            for j in range(w.shape[1]):
                total += dy[i, j] * w[k, j]
            dx[i, k] = total


@jit
def to_weights(x, dy, dw, first, last):
    dw[:] = 0
    for i in range(first, last):
        for k in range(dw.shape[0]):
            for j in range(dw.shape[1]):
                dw[k, j] += x[i, k] * dy[i, j]
"""

GATES = """
@jit
def activate(gates, before, cell, squashed, hidden):
    size, one = hidden.size, np.float32(1)
    for j in range(size):
        i = one / (one + np.exp(-gates[j]))
        f = one / (one + np.exp(-gates[size + j]))
        g = np.tanh(gates[2 * size + j])
        o = one / (one + np.exp(-gates[3 * size + j]))
        c = f * before[j] + i * g
        s = np.tanh(c)
        gates[j], gates[size + j], gates[2 * size + j], gates[3 * size + j] = i, f, g, o
        cell[j], squashed[j], hidden[j] = c, s, o * s


@jit
def deactivate(gates, before, squashed, d_hidden, d_cell, d_before):
    size, one = d_cell.size, np.float32(1)
    for j in range(size):
        i, f, g, o = gates[j], gates[size + j], gates[2 * size + j], gates[3 * size + j]
        s, dh = squashed[j], d_hidden[j]
        dc = d_cell[j] + dh * o * (one - s * s)
        d_before[j] += dc * f
        d_cell[j] = dc
        gates[j] = dc * g * i * (one - i)
        gates[size + j] = dc * before[j] * f * (one - f)
        gates[2 * size + j] = dc * i * (one - g * g)
        gates[3 * size + j] = dh * s * o * (one - o)
"""

EXPONENTIALS = """
@jit
def _exp_above(row, zero, target, outputs):
    for j in range(outputs):
        target[j] = np.exp(row[j] - zero)
"""


def plain_products(source: Path) -> None:
    """Plain loops for the three matrix products of a layer."""
    file = source / "ishango" / "game" / "_vectors.py"
    file.write_text(file.read_text() + PRODUCTS)


def plain_formulas(source: Path) -> None:
    """Plain loops for gates, their gradients and exponentials."""
    file = source / "ishango" / "game" / "_network.py"
    text = file.read_text()
    for name, loops in (("deactivate", GATES), ("_exp_above", EXPONENTIALS)):
        line = next(each for each in text.splitlines() if each.startswith(f"{name}: Any = intrinsic("))
        text = text.replace(line, line + "\n" + loops)
    file.write_text(text)


def main() -> None:
    """Print how many times as fast the kernel is as each copy."""
    print(f"{'plain loops for':>16}  start   as it is / plain: median (quartiles)")
    for name, change in (("products", plain_products), ("formulas", plain_formulas)):
        with tempfile.TemporaryDirectory() as scratch:
            copy = Path(scratch) / "src"
            shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
            change(copy)
            for start in STARTS:
                speeds, _ = compare(copy, SOURCE, start, BLOCKS)
                low, middle, high = np.percentile(speeds[:, 1] / speeds[:, 0], [25, 50, 75])
                print(f"{name:>16} {start:6}   {middle:10.2f} ({low:.2f}-{high:.2f})", flush=True)


if __name__ == "__main__":
    main()
