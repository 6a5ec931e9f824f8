# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Register tiles: the two inner loops of every matrix product here, written in LLVM's vector types.

A level of a prefix tree has a handful of rows, so the products are small: a BLAS call costs more than it saves and
plain loops spill their sums to memory. Both tiles keep their sums in registers. The order of every
addition is fixed by this code, so equal inputs give equal bits however and whenever it was compiled.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ishango.game.vectors import LANES

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
        """Pointer to the element at (row, column)."""
        b = self.builder
        offset = b.add(b.add(self.start, b.mul(row, self.row)), b.mul(column, self.column))
        return b.gep(self.data, [offset])

    def vector_at(self, row: Any, column: Any) -> Any:
        """Pointer to the vector that starts at (row, column)."""
        return self.builder.bitcast(self.at(row, column), _VECTOR.as_pointer())

    def vector(self, row: Any, column: Any) -> Any:
        """The vector that starts at (row, column)."""
        return self.builder.load(self.vector_at(row, column), align=4)

    def splat(self, row: Any, column: Any) -> Any:
        """The element at (row, column) in every lane."""
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

    def tile(typingctx, rows, columns, depth, a, a0, ar, ac, b, b0, br, bc, c, c0, cr, cc):  # noqa: ARG001
        i = types.intp
        return types.void(i, i, i, a, i, i, i, b, i, i, i, c, i, i, i), generate

    return intrinsic(tile)


outer_tile = _tile(_outer(accumulate=False))
"""C = A B on `rows` rows and `columns` vectors of C, summed over `depth`; A is read by strides, so also transposed."""
outer_tile_add = _tile(_outer(accumulate=True))
"""C += A B, as `outer_tile`."""
dot_tile = _tile(_dot)
"""C = A B^T on `rows` by `columns` elements of C: dot products of length `depth`, a multiple of LANES."""
