# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Exponential, logistic function and hyperbolic tangent in float32, in a form that LLVM vectorises."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ishango.compiling import jit

_LOG2_E = np.float32(1.4426950408889634)
_LN2_HIGH, _LN2_LOW = np.float32(0.693359375), np.float32(-2.12194440e-4)
_ROUND = np.float32(12582912.0)
"""1.5 x 2^23: adding and subtracting it rounds to a whole number."""
_LOW, _HIGH = np.float32(-87.0), np.float32(87.0)
_ONE, _TWO, _HALF = np.float32(1), np.float32(2), np.float32(0.5)
_C3, _C4, _C5, _C6, _C7 = (
    np.float32(c) for c in (1.6666665459e-1, 4.1665795894e-2, 8.3334519073e-3, 1.3981999507e-3, 1.9875691500e-4)
)
"""The minimax polynomial of Cephes' expf, lowest power first."""


def _two_to(typingctx: Any, exponent: Any) -> Any:  # noqa: ARG001
    """2^exponent for a whole float32, by writing the exponent bits."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        whole = builder.fptosi(args[0], ir.IntType(32))
        bits = builder.shl(builder.add(whole, ir.IntType(32)(127)), ir.IntType(32)(23))
        return builder.bitcast(bits, ir.FloatType())

    return types.float32(types.float32), generate


_power_of_two: Any = intrinsic(_two_to)


def _multiply_add(typingctx: Any, a: Any, b: Any, c: Any) -> Any:  # noqa: ARG001
    """a * b + c in float32, fused where the processor can."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        kind = ir.FunctionType(ir.FloatType(), [ir.FloatType()] * 3)
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.fmuladd.f32"), args)

    return types.float32(types.float32, types.float32, types.float32), generate


multiply_add: Any = intrinsic(_multiply_add)


@jit
def exp(x):
    """e^x, relative error about 1e-7, for x clipped to [-87, 87]."""
    x = _LOW if x < _LOW else x
    x = _HIGH if x > _HIGH else x
    k = multiply_add(x, _LOG2_E, _ROUND) - _ROUND
    r = multiply_add(k, -_LN2_LOW, multiply_add(k, -_LN2_HIGH, x))
    p = multiply_add(_C7, r, _C6)
    p = multiply_add(p, r, _C5)
    p = multiply_add(p, r, _C4)
    p = multiply_add(p, r, _C3)
    p = multiply_add(p, r, _HALF)
    return multiply_add(p * r, r, r + _ONE) * _power_of_two(k)


@jit
def logistic_row(x):
    """x = 1 / (1 + e^-x) in place, absolute error about 1e-7."""
    for j in range(x.size):
        x[j] = _ONE / (_ONE + exp(-x[j]))


@jit
def tanh_row(x):
    """x = tanh x in place, absolute error about 2e-7."""
    for j in range(x.size):
        x[j] = _TWO / (_ONE + exp(-_TWO * x[j])) - _ONE
