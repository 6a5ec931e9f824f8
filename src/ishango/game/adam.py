# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Adam with PyTorch's defaults, over one flat vector of parameters."""

import math

import numpy as np

from ishango.compiling import jit
from ishango.game.elementwise import multiply_add

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
_B1, _B2 = np.float32(BETA1), np.float32(BETA2)
_1_B1, _1_B2 = np.float32(1 - BETA1), np.float32(1 - BETA2)
_EPSILON = np.float32(EPSILON)


@jit
def adam(value, gradient, mean, square, steps, learning_rate):
    """Move `value` by one step of Adam; `steps` (1,) counts them and `mean`, `square` are its moments."""
    steps[0] += 1
    rate = np.float32(learning_rate / (1 - BETA1 ** steps[0]))
    scale = np.float32(1 / math.sqrt(1 - BETA2 ** steps[0]))
    for i in range(value.size):
        g = gradient[i]
        m = multiply_add(_B1, mean[i], _1_B1 * g)
        s = multiply_add(_B2, square[i], _1_B2 * (g * g))
        mean[i] = m
        square[i] = s
        value[i] -= rate * (m / multiply_add(np.sqrt(s), scale, _EPSILON))
