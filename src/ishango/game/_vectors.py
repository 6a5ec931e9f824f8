# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Vectors for kernels: formulas over rows, written once and computed sixteen elements at a time.

Left to itself LLVM vectorises such loops too, but computes what remains of a row after whole strides of 32 one by one,
which for rows of a hundred exponentials takes as long as the rest. Here sixteen, eight and so on are whole vectors.
Operators are what they say, in the order of the source and never fused or reordered: equal inputs give equal bits.

What this file gives, measured beside plain Numba loops by `python -m benchmarks plain_loops`: the tiles make a step of
the game 5.6 to 6.9 times as fast (starts 1 and 7), the vectors of gates and exponentials 1.8 times.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ishango.compiling import jit

LANES = 8
"""Floats in a vector of a product: one AVX register. LLVM splits it where registers are shorter."""
WIDE = 16
"""Floats in a vector of a formula. One with exponentials is a long chain of operations that the processor waits for:
twice as wide it does twice as much meanwhile (an LSTM's gates in 1/1.6 of the time; 32 gain little more)."""


class Vector:
    """A value of some lanes of float32; plain numbers beside it stand in every lane."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value, self.lanes = builder, value, value.type.count

    def of(self, other: Any) -> Any:
        if isinstance(other, Vector):
            return other.value
        return ir.Constant(self.value.type, [float(np.float32(other))] * self.lanes)

    def _with(self, value: Any) -> "Vector":
        return Vector(self.builder, value)

    def __add__(self, other: Any) -> "Vector":
        return self._with(self.builder.fadd(self.value, self.of(other)))

    def __sub__(self, other: Any) -> "Vector":
        return self._with(self.builder.fsub(self.value, self.of(other)))

    def __rsub__(self, other: Any) -> "Vector":
        return self._with(self.builder.fsub(self.of(other), self.value))

    def __mul__(self, other: Any) -> "Vector":
        return self._with(self.builder.fmul(self.value, self.of(other)))

    def __rtruediv__(self, other: Any) -> "Vector":
        return self._with(self.builder.fdiv(self.of(other), self.value))

    def __neg__(self) -> "Vector":
        return self._with(self.builder.fneg(self.value))

    def times_plus(self, factor: Any, summand: Any) -> "Vector":
        """self * factor + summand, fused where the processor can."""
        kind = ir.FunctionType(self.value.type, [self.value.type] * 3)
        name = f"llvm.fmuladd.v{self.lanes}f32"
        function = cgutils.get_or_insert_function(self.builder.module, kind, name)
        return self._with(self.builder.call(function, [self.value, self.of(factor), self.of(summand)]))

    def clipped(self, low: Any, high: Any) -> "Vector":
        """No less than `low` and no more than `high`; nan stays nan."""
        b, value = self.builder, self.value
        value = b.select(b.fcmp_ordered("<", value, self.of(low)), self.of(low), value)
        return self._with(b.select(b.fcmp_ordered(">", value, self.of(high)), self.of(high), value))

    def power_of_two(self) -> "Vector":
        """2^self for whole numbers, by writing the exponent bits."""
        b, whole = self.builder, ir.VectorType(ir.IntType(32), self.lanes)
        bias, shift = (ir.Constant(whole, [number] * self.lanes) for number in (127, 23))
        bits = b.shl(b.add(b.fptosi(self.value, whole), bias), shift)
        return self._with(b.bitcast(bits, self.value.type))


def splat(builder: Any, scalar: Any, lanes: int) -> Vector:
    undefined = ir.Constant(ir.VectorType(ir.FloatType(), lanes), ir.Undefined)
    single = builder.insert_element(undefined, scalar, ir.IntType(32)(0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return Vector(builder, builder.shuffle_vector(single, undefined, everywhere))


class Row:
    """A contiguous run of float32, from element `start` of an array's data."""

    def __init__(self, builder: Any, data: Any, start: Any = None) -> None:
        self.builder, self.data = builder, data if start is None else builder.gep(data, [start])

    def _place(self, index: Any, lanes: int) -> Any:
        pointer = self.builder.gep(self.data, [index])
        return self.builder.bitcast(pointer, ir.VectorType(ir.FloatType(), lanes).as_pointer())

    def load(self, index: Any, lanes: int) -> Vector:
        return Vector(self.builder, self.builder.load(self._place(index, lanes), align=4))

    def store(self, vector: Vector, index: Any) -> None:
        self.builder.store(vector.value, self._place(index, vector.lanes), align=4)


def over(builder: Any, size: Any, emit: Callable[[Any, int], None]) -> None:
    """Code for a whole row: emit(index, lanes) for vectors of sixteen; eight, four, two and one for what remains."""
    whole = size.type
    with cgutils.for_range(builder, builder.sdiv(size, whole(WIDE))) as loop:
        emit(builder.mul(loop.index, whole(WIDE)), WIDE)
    lanes = WIDE // 2
    while lanes:
        start = builder.and_(size, whole(-2 * lanes))
        with builder.if_then(builder.icmp_unsigned("!=", builder.and_(size, whole(lanes)), whole(0))):
            emit(start, lanes)
        lanes //= 2


# Exponential, logistic function and hyperbolic tangent in float32, of vectors.

_LOG2_E = np.float32(1.4426950408889634)
_LN2_HIGH, _LN2_LOW = np.float32(0.693359375), np.float32(-2.12194440e-4)
_ROUND = np.float32(12582912.0)
"""1.5 x 2^23: adding and subtracting it rounds to a whole number."""
_LOW, _HIGH = np.float32(-87.0), np.float32(87.0)
_C3, _C4, _C5, _C6, _C7 = (
    np.float32(c) for c in (1.6666665459e-1, 4.1665795894e-2, 8.3334519073e-3, 1.3981999507e-3, 1.9875691500e-4)
)
"""The minimax polynomial of Cephes' expf, lowest power first."""


def _fused_multiply_add(typingctx: Any, a: Any, b: Any, c: Any) -> Any:  # noqa: ARG001 - as Numba calls it
    """a * b + c in float32, fused where the processor can."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001 - as Numba calls it
        kind = ir.FunctionType(ir.FloatType(), [ir.FloatType()] * 3)
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.fmuladd.f32"), args)

    return types.float32(types.float32, types.float32, types.float32), generate


multiply_add: Any = intrinsic(_fused_multiply_add)


def exp(x: Vector) -> Vector:
    """e^x, relative error about 1e-7, for x clipped to [-87, 87]."""
    x = x.clipped(_LOW, _HIGH)
    k = x.times_plus(_LOG2_E, _ROUND) - _ROUND
    r = k.times_plus(-_LN2_LOW, k.times_plus(-_LN2_HIGH, x))
    p = r.times_plus(_C7, _C6)
    for c in (_C5, _C4, _C3, np.float32(0.5)):
        p = p.times_plus(r, c)
    return (p * r).times_plus(r, r + 1) * k.power_of_two()


def logistic(x: Vector) -> Vector:
    """1 / (1 + e^-x), absolute error about 1e-7."""
    return 1 / (exp(-x) + 1)


def tanh(x: Vector) -> Vector:
    """Absolute error about 2e-7."""
    return 2 / (exp(x * -2) + 1) - 1


# Register tiles: the two inner loops of every matrix product here, written in LLVM's vector types.
#
# A level of a prefix tree has a handful of rows, so the products are small: a BLAS call costs more than it saves and
# plain loops spill their sums to memory. Both tiles keep their sums in registers. The order of every addition is fixed
# by this code, so equal inputs give equal bits however and whenever it was compiled.

COLUMNS = {1: 10, 2: 6, 3: 4, 4: 3, 5: 2, 6: 2}
"""Vectors in a tile by its rows. Two multiplications can begin in a cycle and each takes four, so that eight to twelve
sums keep the processor busy, and twelve with their operands fill the sixteen vector registers of AVX2."""
ROWS = 4
"""Rows of a tile where there are plenty: the fewest reads for each multiplication."""

_VECTOR = ir.VectorType(ir.FloatType(), LANES)
_LANE = ir.IntType(32)


def _index(value: int) -> Any:
    return ir.Constant(ir.IntType(64), value)


class _Strided:
    """Elements of a contiguous float32 array at `start + row * row_step + column * column_step`."""

    def __init__(self, context: Any, builder: Any, array_type: Any, array: Any, start: Any, row: Any, column: Any):
        self.builder, self.start, self.row, self.column = builder, start, row, column
        self.data = context.make_array(array_type)(context, builder, array).data

    def at(self, row: Any, column: Any) -> Any:
        b = self.builder
        offset = b.add(b.add(self.start, b.mul(row, self.row)), b.mul(column, self.column))
        return b.gep(self.data, [offset])

    def vector_at(self, row: Any, column: Any) -> Any:
        return self.builder.bitcast(self.at(row, column), _VECTOR.as_pointer())

    def vector(self, row: Any, column: Any) -> Any:
        return self.builder.load(self.vector_at(row, column), align=4)

    def splat(self, row: Any, column: Any) -> Any:
        undefined = ir.Constant(_VECTOR, ir.Undefined)
        single = self.builder.insert_element(undefined, self.builder.load(self.at(row, column)), _LANE(0))
        return self.builder.shuffle_vector(single, undefined, ir.Constant(ir.VectorType(_LANE, LANES), [0] * LANES))


def _multiply_add(builder: Any, a: Any, b: Any, slot: Any) -> None:
    """Add a * b to the sum in `slot`, fused where the processor can."""
    signature = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
    function = cgutils.get_or_insert_function(builder.module, signature, f"llvm.fmuladd.v{LANES}f32")
    builder.store(builder.call(function, [a, b, builder.load(slot)]), slot)


def _sum(builder: Any, vector: Any) -> Any:
    """The sum of the lanes, halves added to halves."""
    width = LANES
    while width > 1:
        width //= 2
        undefined, parts = ir.Constant(vector.type, ir.Undefined), []
        for start in (0, width):
            lanes = ir.Constant(ir.VectorType(_LANE, width), list(range(start, start + width)))
            parts.append(builder.shuffle_vector(vector, undefined, lanes))
        vector = builder.fadd(*parts)
    return builder.extract_element(vector, _LANE(0))


Sums = dict[tuple[int, int], Any]
"""Stack slots of the running sums by row and column; LLVM turns them into registers."""


def _sums(builder: Any, rows: int, columns: int) -> Sums:
    slots = {(r, c): cgutils.alloca_once(builder, _VECTOR) for r in range(rows) for c in range(columns)}
    for slot in slots.values():
        builder.store(ir.Constant(_VECTOR, None), slot)
    return slots


def _add_products(
    builder: Any, shape: tuple[int, int], sums: Sums, left: Callable[[int], Any], right: Callable[[int], Any]
) -> None:
    """Add left(row) * right(column) to each sum.

    The fewer operands are read first and kept, of the others one at a time is read and used up: with all of them at
    hand the registers would not do, and sums would go to memory and back.
    """
    rows, columns = shape
    if columns > rows:
        kept = [left(r) for r in range(rows)]
        for c in range(columns):
            vector = right(c)
            for r in range(rows):
                _multiply_add(builder, kept[r], vector, sums[r, c])
    else:
        kept = [right(c) for c in range(columns)]
        for r in range(rows):
            vector = left(r)
            for c in range(columns):
                _multiply_add(builder, vector, kept[c], sums[r, c])


def _for_each_shape(builder: Any, rows: Any, columns: Any, emit: Callable[[int, int], None]) -> None:
    """Emit one body for each shape of a tile and jump to the one asked for."""
    most = max(COLUMNS.values()) + 1
    shape = builder.add(builder.mul(rows, _index(most)), columns)
    end = builder.append_basic_block("tile.end")
    choice = builder.switch(shape, end)
    for r, widest in COLUMNS.items():
        for c in range(1, widest + 1):
            block = builder.append_basic_block(f"tile.{r}x{c}")
            choice.add_case(_index(r * most + c), block)
            builder.position_at_end(block)
            emit(r, c)
            builder.branch(end)
    builder.position_at_end(end)


def _outer(accumulate: bool) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rows, columns, depth = args[:3]
        a, b, c = (_Strided(context, builder, signature.args[i], *args[i : i + 4]) for i in (3, 7, 11))

        def emit(height: int, width: int) -> None:
            sums = _sums(builder, height, width)
            with cgutils.for_range(builder, depth) as loop:
                _add_products(
                    builder, (height, width), sums,
                    lambda row: a.splat(_index(row), loop.index),
                    lambda column: b.vector(loop.index, _index(column * LANES)),
                )  # fmt: skip
            for (row, column), slot in sums.items():
                place, total = c.vector_at(_index(row), _index(column * LANES)), builder.load(slot)
                if accumulate:
                    total = builder.fadd(builder.load(place, align=4), total)
                builder.store(total, place, align=4)

        _for_each_shape(builder, rows, columns, emit)
        return context.get_dummy_value()

    return generate


def _dot(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    rows, columns, depth = args[:3]
    a, b, c = (_Strided(context, builder, signature.args[i], *args[i : i + 4]) for i in (3, 7, 11))

    def emit(height: int, width: int) -> None:
        sums = _sums(builder, height, width)
        with cgutils.for_range(builder, builder.sdiv(depth, _index(LANES))) as loop:
            along = builder.mul(loop.index, _index(LANES))
            _add_products(
                builder, (height, width), sums,
                lambda row: a.vector(_index(row), along),
                lambda column: b.vector(_index(column), along),
            )  # fmt: skip
        for (row, column), slot in sums.items():
            builder.store(_sum(builder, builder.load(slot)), c.at(_index(row), _index(column)))

    _for_each_shape(builder, rows, columns, emit)
    return context.get_dummy_value()


def _tile(generate: Any) -> Any:
    """An intrinsic `tile(rows, columns, depth, a, a_start, a_row, a_column, b, ..., c, ...)`."""

    def tile(typingctx, rows, columns, depth, a, a0, ar, ac, b, b0, br, bc, c, c0, cr, cc):  # noqa: ARG001 - as Numba calls it
        i = types.intp
        return types.void(i, i, i, a, i, i, i, b, i, i, i, c, i, i, i), generate

    return intrinsic(tile)


outer_tile = _tile(_outer(accumulate=False))
"""C = A B on `rows` rows and `columns` vectors of C, summed over `depth`; A is read by strides, so also transposed."""
outer_tile_add = _tile(_outer(accumulate=True))
"""C += A B, as `outer_tile`."""
dot_tile = _tile(_dot)
"""C = A B^T on `rows` by `columns` elements of C: dot products of length `depth`, a multiple of LANES."""


# The three matrix products of a layer: forward, back to its inputs, and to its weights.
#
# Weights lie as (inputs, outputs) with rows padded to whole vectors, so one copy serves all three.

_WIDTHS = (0, *COLUMNS.values())
"""Vectors in a tile by its rows, as a kernel can read them."""


def padded(size: int) -> int:
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
