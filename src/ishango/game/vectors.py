# pyright: basic
# Intrinsics: what is computed here is code for LLVM.
"""Vectors for kernels: formulas over rows, written once and computed sixteen elements at a time.

Left to itself LLVM vectorises such loops too, but computes what remains of a row after whole strides of 32 one by one,
which for rows of a hundred exponentials takes as long as the rest. Here sixteen, eight and so on are whole vectors.
Operators are what they say, in the order of the source and never fused or reordered: equal inputs give equal bits.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils

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
        """The other operand."""
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
    """A vector with `scalar` in every lane."""
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
        """The vector that starts at `index`."""
        return Vector(self.builder, self.builder.load(self._place(index, lanes), align=4))

    def store(self, vector: Vector, index: Any) -> None:
        """Write the vector to `index` and behind."""
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
