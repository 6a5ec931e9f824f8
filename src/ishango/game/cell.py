# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""One step of an LSTM, forward and backward: everything between its gates' sums and its states.

Each value is read once, and what it leads to is computed before it leaves the registers.
"""

from typing import Any

from numba import types
from numba.extending import intrinsic

from ishango.game.elementwise import logistic, tanh
from ishango.game.vectors import Row, over


def _rows(context: Any, builder: Any, signature: Any, args: Any) -> tuple[list[Row], list[Row], Any]:
    """The four gates, input, forget, cell, output, in the first array; the other arrays; the size of a state."""
    arrays = [context.make_array(t)(context, builder, a) for t, a in zip(signature.args, args, strict=True)]
    size = builder.extract_value(arrays[-1].shape, 0)
    gates = [Row(builder, arrays[0].data, builder.mul(size, size.type(i))) for i in range(4)]
    return gates, [Row(builder, array.data) for array in arrays[1:]], size


def _activate(typingctx, gates, cell_before, cell, squashed, hidden):  # noqa: ARG001
    """One node: gates (4 hidden,) from sums to values, and the new cell and hidden state."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        gate_rows, (before, cell, squashed, hidden), size = _rows(context, builder, signature, args)

        def emit(j: Any, lanes: int) -> None:
            i, f, g, o = (row.load(j, lanes) for row in gate_rows)
            i, f, g, o = logistic(i), logistic(f), tanh(g), logistic(o)
            c = f * before.load(j, lanes) + i * g
            s = tanh(c)
            targets = (*gate_rows, cell, squashed, hidden)
            for row, vector in zip(targets, (i, f, g, o, c, s, o * s), strict=True):
                row.store(vector, j)

        over(builder, size, emit)
        return context.get_dummy_value()

    return types.void(gates, cell_before, cell, squashed, hidden), generate


def _deactivate(typingctx, gates, cell_before, squashed, d_hidden, d_cell, d_cell_before):  # noqa: ARG001
    """One node: gates (4 hidden,) from values to gradients of their sums; adds to the parent's `d_cell_before`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        gate_rows, (before, squashed, d_hidden, d_cell, d_before), size = _rows(context, builder, signature, args)

        def emit(j: Any, lanes: int) -> None:
            i, f, g, o = (row.load(j, lanes) for row in gate_rows)
            s, dh = squashed.load(j, lanes), d_hidden.load(j, lanes)
            dc = d_cell.load(j, lanes) + dh * o * (1 - s * s)
            d_before.store(d_before.load(j, lanes) + dc * f, j)
            d_cell.store(dc, j)
            d_gates = (
                dc * g * i * (1 - i),
                dc * before.load(j, lanes) * f * (1 - f),
                dc * i * (1 - g * g),
                dh * s * o * (1 - o),
            )
            for row, vector in zip(gate_rows, d_gates, strict=True):
                row.store(vector, j)

        over(builder, size, emit)
        return context.get_dummy_value()

    return types.void(gates, cell_before, squashed, d_hidden, d_cell, d_cell_before), generate


activate: Any = intrinsic(_activate)
deactivate: Any = intrinsic(_deactivate)
