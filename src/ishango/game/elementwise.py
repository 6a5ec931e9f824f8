# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Exponential, logistic function and hyperbolic tangent in float32, of vectors."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ishango.game.vectors import Vector

_LOG2_E = np.float32(1.4426950408889634)
_LN2_HIGH, _LN2_LOW = np.float32(0.693359375), np.float32(-2.12194440e-4)
_ROUND = np.float32(12582912.0)
"""1.5 x 2^23: adding and subtracting it rounds to a whole number."""
_LOW, _HIGH = np.float32(-87.0), np.float32(87.0)
_C3, _C4, _C5, _C6, _C7 = (
    np.float32(c) for c in (1.6666665459e-1, 4.1665795894e-2, 8.3334519073e-3, 1.3981999507e-3, 1.9875691500e-4)
)
"""The minimax polynomial of Cephes' expf, lowest power first."""


def _multiply_add(typingctx: Any, a: Any, b: Any, c: Any) -> Any:  # noqa: ARG001
    """a * b + c in float32, fused where the processor can."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        kind = ir.FunctionType(ir.FloatType(), [ir.FloatType()] * 3)
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.fmuladd.f32"), args)

    return types.float32(types.float32, types.float32, types.float32), generate


multiply_add: Any = intrinsic(_multiply_add)


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
