# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The three matrix products of a layer: forward, back to its inputs, and to its weights.

Weights lie as (inputs, outputs) with rows padded to whole vectors, so one copy serves all three.
"""

from ishango.compiling import jit
from ishango.game.tiles import COLUMNS, ROWS, dot_tile, outer_tile, outer_tile_add
from ishango.game.vectors import LANES

_WIDTHS = (0, *COLUMNS.values())
"""Vectors in a tile by its rows, as a kernel can read them."""


def padded(size: int) -> int:
    """`size` rounded up to whole vectors."""
    return -(-size // LANES) * LANES


@jit
def copy(source, target):
    """target = source, one row. (Assigning slices in Numba compiles and runs slower.)"""
    for j in range(target.size):
        target[j] = source[j]


@jit
def add(source, target):
    """target += source, one row."""
    for j in range(target.size):
        target[j] += source[j]


@jit
def clear(target):
    """target = 0, one row."""
    for j in range(target.size):
        target[j] = 0


@jit
def _height(rows):
    """Rows of the next tile: ROWS while that leaves enough for another, since tiles of one or two rows are slow."""
    return rows if rows < ROWS + 3 else ROWS


@jit
def forward(x, w, y, first, last):
    """y[i] += x[i] w for rows first <= i < last.   x: (rows, inputs), w: (inputs, outputs), y: (rows, outputs)."""
    inputs, outputs = w.shape
    vectors = outputs // LANES
    i = first
    while i < last:
        height = _height(last - i)
        width = _WIDTHS[height]
        for j in range(0, vectors, width):
            outer_tile_add(
                height, min(width, vectors - j), inputs,
                x, i * x.shape[1], x.shape[1], 1,
                w, j * LANES, outputs, 1,
                y, i * outputs + j * LANES, outputs, 1,
            )  # fmt: skip
        i += height


@jit
def to_inputs(dy, w, dx, first, last):
    """dx[i] = dy[i] w^T for rows first <= i < last."""
    inputs, outputs = w.shape
    i = first
    while i < last:
        height = _height(last - i)
        width = _WIDTHS[height]
        for k in range(0, inputs, width):
            dot_tile(
                height, min(width, inputs - k), outputs,
                dy, i * outputs, outputs, 1,
                w, k * outputs, outputs, 1,
                dx, i * dx.shape[1] + k, dx.shape[1], 1,
            )  # fmt: skip
        i += height


@jit
def to_weights(x, dy, dw, first, last):
    """dw = sum of x[i]^T dy[i] over rows first <= i < last."""
    inputs, outputs = dw.shape
    vectors = outputs // LANES
    width = _WIDTHS[ROWS]
    for k in range(0, inputs, ROWS):
        for j in range(0, vectors, width):
            outer_tile(
                min(ROWS, inputs - k), min(width, vectors - j), last - first,
                x, first * x.shape[1] + k, 1, x.shape[1],
                dy, first * outputs + j * LANES, outputs, 1,
                dw, k * outputs + j * LANES, outputs, 1,
            )  # fmt: skip
