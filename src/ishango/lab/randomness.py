"""Random generators as text, for the state of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def generator_state(generator: np.random.Generator) -> Mapping[str, Any]:
    """All that determines what the generator draws next, as JSON can hold it."""
    return generator.bit_generator.state


def generator_from(state: Mapping[str, Any]) -> np.random.Generator:
    """The generator with that state."""
    generator = np.random.default_rng()
    generator.bit_generator.state = state
    return generator
