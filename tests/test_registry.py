"""A registry, and extensions of other packages: a package is a module and its metadata in a directory of the path."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ishango.errors import RequestError
from ishango.registry import Registry, by_name

GROUP = "ishango.tests.fruits"
PEAR = "from types import SimpleNamespace\npear = SimpleNamespace(name='pear', sentence='a pear')\n"


def fruit(name: str) -> SimpleNamespace:
    return SimpleNamespace(name=name, sentence=f"a {name}")


@pytest.fixture
def fruits() -> Registry[SimpleNamespace]:
    registry = Registry[SimpleNamespace]("fruit", GROUP)
    registry.add(fruit("apple"))
    return registry


def install(directory: Path, code: str, *points: str, group: str = GROUP) -> None:
    """A package `orchard` with this module and these entry points."""
    (directory / "orchard.py").write_text(code)
    metadata = directory / "orchard-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: orchard\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("\n".join([f"[{group}]", *points]))


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A directory for packages on the path of this process."""
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("orchard", None)


def test_entries_come_in_their_order_and_those_of_other_packages_last(fruits, packages):
    install(packages, PEAR, "pear = orchard:pear")
    fruits.add(fruit("zucchini"))
    assert list(fruits) == ["apple", "zucchini", "pear"]
    assert (len(fruits), "pear" in fruits, "plum" in fruits) == (3, True, False)
    assert fruits.sentences() == "apple: a apple; zucchini: a zucchini; pear: a pear"


def test_two_with_one_name_are_refused(fruits):
    first = fruits["apple"]
    with pytest.raises(RequestError, match=r"^There are two of the fruit 'apple'; give one of them another name\.$"):
        fruits.add(fruit("apple"))
    assert fruits["apple"] is first


def test_an_extension_with_a_name_that_is_taken_is_refused(fruits, packages):
    install(packages, PEAR.replace("pear'", "apple'"), "apple = orchard:pear")
    with pytest.raises(RequestError, match="two of the fruit 'apple'"):
        fruits["apple"]


@pytest.mark.parametrize(
    ("code", "point", "why"),
    [
        ("import nowhere", "pear = orchard:pear", "ModuleNotFoundError: No module named 'nowhere'"),
        ("1 / 0", "pear = orchard:pear", "ZeroDivisionError: division by zero"),
        (PEAR, "pear = orchard:plum", "AttributeError: module 'orchard' has no attribute 'plum'"),
    ],
    ids=["missing-module", "error", "missing-name"],
)  # fmt: skip
def test_a_broken_extension_is_named_in_one_sentence_every_time(fruits, packages, code, point, why):
    install(packages, code, point)
    for _ in range(2):
        with pytest.raises(RequestError) as refusal:
            list(fruits)
        assert str(refusal.value) == (
            f"The extension pear of orchard cannot be loaded ({why}); repair or uninstall that package."
        )


def test_the_good_beside_a_broken_extension_does_not_hide_it(fruits, packages):
    install(packages, PEAR, "pear = orchard:pear", "plum = orchard:plum")
    for _ in range(2):
        with pytest.raises(RequestError, match="The extension plum of orchard cannot be loaded"):
            fruits["pear"]


def test_an_entry_point_has_the_name_of_its_entry(fruits, packages):
    install(packages, PEAR, "birne = orchard:pear")
    with pytest.raises(RequestError, match=rf"^The entry point 'birne' of {GROUP} leads to 'pear'; give both one name"):
        fruits["pear"]


@pytest.mark.parametrize("code", ["def pear(): ...", "pear = 'pear'", "import types\npear = types"])
def test_an_entry_point_that_leads_to_no_entry_is_refused(fruits, packages, code):
    install(packages, code, "pear = orchard:pear")
    with pytest.raises(RequestError, match=r"The entry point 'pear' of .* leads to no fruit but to .*; name the entry"):
        list(fruits)


def test_an_extension_may_ask_for_the_entries_that_are_there(fruits, packages, monkeypatch):
    monkeypatch.setattr("tests.test_registry.shared", fruits, raising=False)
    install(packages, "from tests.test_registry import shared\nknown = list(shared)\n" + PEAR, "pear = orchard:pear")
    assert list(fruits) == ["apple", "pear"]
    assert sys.modules["orchard"].known == ["apple"]


def test_removed_entries_are_gone(fruits):
    fruits.remove("apple")
    with pytest.raises(RequestError, match="no fruit 'apple'"):
        fruits["apple"]


def test_another_process_loads_extensions_too(packages):
    """Workers of a sweep are processes of their own, and are handed names."""
    code = (
        "from ishango.evolution._choosers import CHOOSERS, Chooser, Decision\n"
        "def never(question): return Decision(False)\n"
        "chooser = Chooser('never', 'never', 'nothing is ever taken', False, never)\n"
    )
    install(packages, code, "never = orchard:chooser", group="ishango.choosers")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(packages), os.environ.get("PYTHONPATH", "")])}
    ask = "from ishango.evolution._choosers import CHOOSERS; print(CHOOSERS['never'].label)"
    done = subprocess.run([sys.executable, "-c", ask], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "never\n"


def test_entries_of_this_package_are_imported_on_first_use_and_come_first(packages):
    """An installation of an earlier version announces them as entry points, too; that does no harm."""
    code = PEAR + "plum = SimpleNamespace(name='plum', sentence='a plum')\n"
    install(packages, code, "apricot = orchard:apricot", "pear = orchard:pear")
    (packages / "orchard.py").write_text(code + "apricot = SimpleNamespace(name='apricot', sentence='an apricot')\n")
    fruits = Registry[SimpleNamespace]("fruit", GROUP, {"plum": "orchard:plum", "pear": "orchard:pear"})
    assert "orchard" not in sys.modules
    assert list(fruits) == ["plum", "pear", "apricot"]


def test_another_package_cannot_take_the_name_of_an_entry_of_this_one(packages):
    install(packages, PEAR + "plum = pear\n", "pear = orchard:plum")
    with pytest.raises(RequestError, match="two of the fruit 'pear'"):
        list(Registry[SimpleNamespace]("fruit", GROUP, {"pear": "orchard:pear"}))


def test_entries_of_a_dictionary_have_names_of_their_own():
    assert list(by_name(fruit("pear"), fruit("apple"))) == ["pear", "apple"]
    with pytest.raises(ValueError, match="two of pear, pear have one name"):
        by_name(fruit("pear"), fruit("pear"))


def test_an_entry_may_be_called_otherwise_than_in_files():
    fruits = Registry[SimpleNamespace]("fruit", GROUP, spelled={"pomme": "apple"})
    apple = fruits.add(fruit("apple"))
    assert fruits["pomme"] is fruits["apple"] is apple
    assert "pomme" in fruits
    assert list(fruits) == ["apple"]
    assert fruits.sentences() == "pomme: a apple"
    with pytest.raises(RequestError, match=r"did you mean pomme\?\); choose one of pomme\.$"):
        fruits["pome"]
