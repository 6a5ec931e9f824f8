"""What is counted in the source, on a tree made up for it."""

from pathlib import Path

from tools import measure

OPEN = """\
import os
from a import (
    b,
)

X, _Y = 1, 2
Z: int = 3


class A:
    def f(self):
        import c
        Q = c


try:
    W = 1
except ImportError:
    W = 2
"""
FILES = {
    "room/__init__.py": "from room._hidden import shown, _not\nfrom room.open import elsewhere\n",
    "room/_hidden.py": "def shown():\n    return 1\n\n\ndef unshown():\n    return 2\n",
    "room/open.py": OPEN,
    "room/_deep/open.py": "V = 1\n",
    "room/deep/options.py": "".join(f"x{n} = {n}\n" for n in range(50)),
    "room/options.py": "",
}  # fmt: skip


def _found(directory: Path) -> dict[str, measure.Module]:
    for name, text in FILES.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    return {each.path.as_posix(): each for each in measure.modules(directory)}


def test_names_are_public_in_public_modules_and_where_a_room_shows_them(tmp_path):
    public = {name: set(each.public) for name, each in _found(tmp_path).items()}
    assert public["room/__init__.py"] == {"shown"}
    assert public["room/_hidden.py"] == public["room/_deep/open.py"] == public["room/options.py"] == set()
    assert public["room/open.py"] == {"X", "Z", "A", "W"}
    assert len(public["room/deep/options.py"]) == 50


def test_lines_of_imports_and_functions(tmp_path):
    found = _found(tmp_path)
    assert found["room/open.py"].imports == 5  # three of them are one statement, one stands in a method
    assert found["room/open.py"].functions == (3,)
    assert found["room/_hidden.py"].functions == (2, 2)


def test_the_table_has_what_is_beside_its_goal(tmp_path, capsys):
    rows = {row.what: row.now for row in measure.table(list(_found(tmp_path).values()))}
    assert rows["Python files"] == "6"
    assert rows["lines"] == "78"
    assert rows["files under 40 lines"] == "4"  # __init__.py is not counted
    assert rows["names of files that occur twice"] == "1"
    assert rows["doubled"] == "open.py"  # options.py is a name of the skeleton
    assert rows["import lines"] == "9.0 %"
    assert rows["public module-level names"] == "55"
    assert rows["lines of a function, median / p90"] == "2 / 3"
    measure.main([str(tmp_path)])
    assert "36,000" in capsys.readouterr().out
