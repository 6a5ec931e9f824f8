from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.numerals import Need


@pytest.mark.parametrize("spec", ["power:2", "power:1.7", "power:0", "exp:0.1", "uniform"])
@pytest.mark.parametrize("upto", [1, 50, 99])
def test_weights_follow_their_law(spec, upto):
    weights = Need.parse(spec).weights(upto)
    assert weights.shape == (upto,)
    assert weights.sum() == pytest.approx(1, abs=1e-12)
    n = np.arange(1, upto + 1)
    kind, _, argument = spec.partition(":")
    law = {
        "power": lambda: n ** -float(argument),
        "exp": lambda: np.exp(-float(argument) * n),
        "uniform": lambda: n**0,
    }
    expected = law[kind]() / law[kind]().sum()
    assert weights == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("spec", ["power:2", "power:1", "uniform"])
def test_fractions_are_exact(spec):
    fractions = Need.parse(spec).fractions(99)
    assert sum(fractions) == 1
    assert fractions[0] / fractions[3] == {"power:2": 16, "power:1": 4, "uniform": 1}[spec]


@pytest.mark.parametrize("spec", ["power:2.5", "exp:0.1"])
def test_irrational_needs_have_no_fractions(spec):
    assert Need.parse(spec).fractions(99) is None


def test_fractions_are_given_only_where_they_are_cheap():
    assert Need.parse("power:50").fractions(99) is not None
    assert Need.parse("power:100").fractions(99) is None
    assert Need.parse("power:20").fractions(1000) is None
    assert Need.parse("power:50").fractions(100) is not None  # at the bound, 5,000
    assert Need.parse("power:50").fractions(101) is None
    assert Need.parse("power:100").weights(99).sum() == pytest.approx(1)


def test_specs_are_normal():
    assert str(Need.parse(" power:2.0 ")) == "power:2"
    assert str(Need.parse("power:1.2345678901234567")) == "power:1.2345678901234567"
    assert Need.parse("power:2") == Need.parse("power:2.00")
    assert Need.parse(Need.parse("uniform")) == Need.parse("uniform")


def test_a_need_from_a_file(tmp_path: Path):
    file = tmp_path / "need.csv"
    file.write_text("# counted by hand\nnumber,need\n2,0.25\n1,0.75\n3,1e-1\n")
    need = Need.parse(f"file:{file}")
    assert need.fractions(2) == (Fraction(3, 4), Fraction(1, 4))
    assert need.weights(3) == pytest.approx(np.array([0.75, 0.25, 0.1]) / 1.1)
    file.unlink()
    assert need.weights(1) == pytest.approx([1])
    with pytest.raises(RequestError, match="ends at 3; the range 4"):
        need.weights(4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no needs"),
        ("number,need\n", "holds no needs"),
        ("1,0.5\n2,-0.5\n", "line 2: the need of 2 is negative"),
        ("1,0.5\n3,0.5\n", "no need for the number 2"),
        ("1,half\n", "line 1: the need 'half' is not a number"),
        ("number,need\nx,1\n", "line 2: the number 'x' is not an integer"),
        ("1,0.5\n1,0.5\n", "line 2: the number 1 is given twice"),
        ("1,nan\n", "not a number"),
        ("1,1e999999999\n", "not a number"),
        ("1,0.5,0\n", "a comma in between"),
        ("1;0.5\n", "line 1: a line is a number and its need with a comma"),
        ("0,0.5\n", "below 1"),
        ("1," + "5" * 200_000 + "\n", "not a number"),
    ],
)
def test_bad_need_files(tmp_path: Path, text, message):
    file = tmp_path / "need.csv"
    file.write_text(text)
    with pytest.raises(RequestError, match=message):
        Need.parse(f"file:{file}")


def test_a_need_of_nothing(tmp_path: Path):
    file = tmp_path / "need.csv"
    file.write_text("1,0\n2,0\n")
    with pytest.raises(RequestError, match="probability 0"):
        Need.parse(f"file:{file}").weights(2)
    with pytest.raises(RequestError, match="cannot be read"):
        Need.parse(f"file:{tmp_path / 'absent.csv'}")


@pytest.mark.parametrize(
    "spec",
    ["", "zipf", "power", "power:", "power:x", "power:-1", "power:nan", "power:inf", "exp:0", "uniform:3", "file:"],
)
def test_bad_needs(spec):
    with pytest.raises(RequestError, match="is not a need distribution"):
        Need.parse(spec)
