"""Kernels that become parts of others, and what is compiled before a reproduction."""

import pickle
import re
from pathlib import Path

import numba
import numpy as np
import pytest
from numba import types
from numba.core.codegen import JITCodeLibrary

from ishango import compiling
from ishango.compiling import _LinkedLibrary, links
from ishango.game import Agents, GameOptions, play
from ishango.game import _kernel as bandit
from ishango.game import _kernel as signalling
from ishango.report import _reproduction as first_use


@compiling.jit
def inner(x):
    return np.sqrt(x) / 3.0


@compiling.jit
def middle(x):
    return inner(x) + inner(x + 1.0)


@compiling.entry
def outer(x):
    return middle(x) * 7.0


def test_only_files_that_hold_kernels_count_for_what_is_compiled():
    """A word about Numba in a sentence for people once made all kernels be compiled anew."""
    for file in Path(compiling.__file__).parent.rglob("*.py"):
        holds = re.search(r"^@(entry|jit)\b|= (entry|jit|intrinsic)\(", text := file.read_text(), re.MULTILINE)
        assert bool(compiling._MARK.search(text.encode())) == (bool(holds) or file.name == "compiling.py"), file


def test_what_is_linked_gives_the_bits_of_plain_python():
    for x in (0.1, 2.0, 1e300):
        assert outer(x) == (np.sqrt(x) / 3.0 + np.sqrt(x + 1.0) / 3.0) * 7.0


def test_kernels_may_multiply_matrices():
    a = np.arange(6.0).reshape(2, 3)
    assert (numba.njit(lambda x, y: np.dot(x, y))(a, a.T) == a @ a.T).all()


def test_a_part_that_python_calls_is_refused(capsys):
    """Without the refusal the process would end here."""
    assert outer(1.0) > 0  # compiled, and linked
    with pytest.raises(SystemError):
        middle(1.0)
    assert "a part of others" in capsys.readouterr().err


def test_parts_are_neither_optimised_nor_kept(monkeypatch):
    optimised = []
    monkeypatch.setattr(JITCodeLibrary, "_optimize_final_module", lambda library: optimised.append(library.name))
    middle.compile((types.float32,))
    parts = [result.library for kernel in (inner, middle) for result in kernel.overloads.values()]
    assert all(isinstance(part, _LinkedLibrary) for part in parts)
    assert not {"inner", "middle"} & set(optimised)
    assert not hasattr(inner._cache, "_cache_file")


def test_with_another_numba_kernels_are_compiled_as_it_always_does(monkeypatch):
    monkeypatch.setattr("ishango.compiling._TAKEN", ("_renamed",))
    assert not links()
    monkeypatch.undo()
    monkeypatch.setattr(compiling, "links", lambda: False)
    assert hasattr(compiling.jit(inner.py_func)._cache, "_cache_file")


def test_the_kernel_of_the_agents_has_no_parts_of_its_own_on_disk():
    words = {number: (str(number),) for number in range(1, 6)}
    options, rng = GameOptions(upto=5), np.random.default_rng(0)
    play(Agents.random(options, rng), [words], np.ones(5), options, 1, rng)
    assert compiling.on_disk(bandit.play_steps)
    assert not hasattr(signalling.step._cache, "_cache_file")


def test_nothing_is_compiled_twice(monkeypatch):
    """With everything on the disk, or with one core, there is nothing to do before."""
    said = []
    monkeypatch.setattr(first_use, "_on_disk", lambda _kernel: True)
    first_use.compile_kernels(said.append)
    monkeypatch.setattr(first_use, "_on_disk", lambda _kernel: False)
    monkeypatch.setattr(first_use, "available_cores", lambda: 1)
    first_use.compile_kernels(said.append)
    assert said == []


def fail():
    raise SystemExit(3)


def test_parts_are_compiled_beside_each_other_and_told_also_where_they_fail(monkeypatch):
    said = []
    parts = tuple(first_use.Part(name, fail, "ishango.game._kernel:play_steps") for name in ("one", "two"))
    monkeypatch.setattr(first_use, "PARTS", parts)
    monkeypatch.setattr(first_use, "_on_disk", lambda _kernel: False)
    monkeypatch.setattr(first_use, "available_cores", lambda: 2)
    first_use.compile_kernels(said.append)
    first, *done = said
    assert first == "First use: compiling the kernels in 2 processes, once; later calls take them from a cache"
    assert sorted(line.split()[0] for line in done) == ["one", "two"]
    assert [line.split(", ")[-1] for line in done] == ["1 part left", "0 parts left"]


def test_every_part_names_a_kernel_that_python_calls():
    for part in first_use.PARTS:
        assert isinstance(first_use._on_disk(part.kernel), bool)


def test_what_is_damaged_in_the_cache_is_compiled_anew(tmp_path):
    cache = compiling._CacheFile(str(tmp_path), "kernel", "stamp")
    for key in ("one", "two"):
        cache.save(key, f"the code of {key}")
        assert cache.load(key) == f"the code of {key}"
    first, second = (tmp_path / cache._load_index()[key] for key in ("one", "two"))
    whole = first.read_bytes()
    first.write_bytes(second.read_bytes())
    assert cache.load("one") is None  # another kernel's code under this one's name
    first.write_bytes(whole[:-1])
    assert cache.load("one") is None
    cache.save("one", "compiled again")
    assert cache.load("one") == "compiled again"
    index = tmp_path / "kernel.nbi"
    for damaged in (b"", b"\x80", index.read_bytes()[:-3], pickle.dumps(numba.__version__) + b"cishango.gone\nGone\n."):
        index.write_bytes(damaged)
        assert cache.load("two") is None
        cache.save("two", "again")
        assert cache.load("two") == "again"


def test_kernels_are_renewed_by_files_with_kernels_alone():
    """A file that only speaks of kernels may change without a minute of compiling."""
    counted, with_kernels = set(), set()
    for path in Path(compiling.__file__).parent.rglob("*.py"):
        text = path.read_bytes()
        counted |= {path.name} if compiling._MARK.search(text) else set()
        with_kernels |= {path.name} if re.search(rb"^@(entry|jit|intrinsic)\b", text, re.MULTILINE) else set()
    assert with_kernels < counted
    assert not {"_output.py", "_directory.py", "_share.py", "_reproduction.py"} & counted
