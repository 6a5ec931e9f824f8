import numpy as np
import pytest

from ishango.game import Agents, GameOptions
from ishango.numerals import STARTS, Need, minimal_language


@pytest.fixture(scope="session")
def need():
    return Need.parse("power:2").weights(50)


@pytest.fixture(scope="session")
def starts():
    """Token strings of the paper's eight starts, from 1."""
    return {i: minimal_language(s, upto=50).tokens("infix") for i, s in enumerate(STARTS, 1)}


@pytest.fixture
def agents():
    return Agents.random(GameOptions(), np.random.default_rng(5))
