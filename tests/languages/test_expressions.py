"""Tables of expressions of one's own: all faults at once, with their lines, and what is odd is told."""

import json
import warnings

import pytest

from ishango.cli import main
from ishango.errors import RequestError
from ishango.languages import read_languages

SAID = {1: "1", 2: "2", 3: "3", 4: "4", 5: "5", 6: "5 + 1", 7: "5 + 2", 8: "5 + 3", 9: "5 + 4", 10: "2 * 5"}


def table(said: dict[int, str] = SAID, name: str = "Mine") -> str:
    return "name,number,expressions\n" + "".join(f"{name},{number},{text}\n" for number, text in said.items())


def written(tmp_path, text: str, encoding: str = "utf-8"):
    path = tmp_path / "said.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_a_table_of_expressions(tmp_path, capsys):
    path = written(tmp_path, table())
    (mine,) = read_languages(path)
    assert (str(mine.system), mine.highest, mine.base) == ("1-4 | 5", 10, "quinary")
    assert str(mine.rules) == "5-10:5"
    assert main(["languages", "--import", str(path), "--range", "10"]) == 0
    assert "1-4 | 5" in capsys.readouterr().out


def test_the_cells_of_the_header_may_be_quoted(tmp_path):
    """As R's `write.csv` and a spreadsheet do."""
    header, lines = table().split("\n", 1)
    quoted = ",".join(f'"{name}"' for name in header.split(","))
    (mine,) = read_languages(written(tmp_path, f"{quoted}\n{lines}"))
    assert str(mine.system) == "1-4 | 5"


def test_a_header_that_lacks_the_language_is_told_what_a_table_of_expressions_needs(tmp_path):
    with pytest.raises(RequestError, match="the header lacks name; name, number and expressions are needed"):
        read_languages(written(tmp_path, "number,expressions\n1,1\n"))


def test_an_expression_without_end_is_refused(tmp_path):
    endless = table({1: "1", 2: "2", 5000: "+".join(["1"] * 5000)})
    with pytest.raises(RequestError, match=r"line 4: 1\+1.* has more than 400 numbers and signs"):
        read_languages(written(tmp_path, endless))


def test_one_language_says_and_several_say(tmp_path):
    odd = SAID | {11: "(2 * 5 + 2) - 1"}
    with pytest.warns(UserWarning, match=r"Mine \(line 2\) says numbers that the grammar does not have"):
        read_languages(written(tmp_path, table(odd)))
    both = table(odd) + table(odd, "Other").partition("\n")[2]
    with pytest.warns(UserWarning, match=r"Mine \(line 2\), Other \(line \d+\) say numbers that the grammar"):
        read_languages(written(tmp_path, both))


def test_words_alone_are_a_restricted_language(tmp_path):
    (mine,) = read_languages(written(tmp_path, table({1: "1", 2: "2", 3: "3"})))
    assert (mine.kind, mine.highest, len(mine.terms)) == ("exact restricted", 3, 4)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_semicolons_and_marks(tmp_path, encoding):
    (mine,) = read_languages(written(tmp_path, table().replace(",", ";"), encoding))
    assert str(mine.system) == "1-4 | 5"


def test_latin_1_is_read_with_a_warning(tmp_path):
    with pytest.warns(UserWarning, match="Windows-1252"):
        (mine,) = read_languages(written(tmp_path, table(name="Guaraní"), "latin-1"))
    assert mine.name == "Guaraní"


def test_all_faults_at_once(tmp_path, capsys):
    text = table() + "Mine,11,2 * 5 + 2\nMine,twelve,10\nMine,3,3\nMine,13,10 +\n,14,1\nMine,15\n"
    with pytest.raises(RequestError) as refusal:
        read_languages(written(tmp_path, text))
    message = str(refusal.value)
    for part in ("line 12: 2 * 5 + 2 is 12, not 11", "Line 13: 'twelve'", "Line 14: Mine has 3 already", "Line 15:",
                 "Line 16: A language needs a name", "Line 17: 2 cells"):  # fmt: skip
        assert part in message
    assert main(["languages", "--import", str(tmp_path / "said.csv")]) == 2
    assert "line 12" in capsys.readouterr().err


def test_junk(tmp_path):
    with pytest.raises(RequestError, match=r"(?s)line 2: .*\nAnd 9,?980 more lines"):
        read_languages(written(tmp_path, "name,number,expressions\n" + "a,b,c\n" * 10_000))


def test_lines_that_are_no_csv_do_not_hide_the_others(tmp_path):
    text = 'name,D,M,highest\nA,x,10,\nB,"1-9" 5,10,\nC,1-9,10,many\nD,1-9,10,99\nE,1-9\n'
    with pytest.raises(RequestError) as refusal:
        read_languages(written(tmp_path, text))
    message = str(refusal.value)
    for part in ("line 2: 'x'", "Line 3: This is not CSV", "Line 4: The highest number 'many'", "Line 6: 2 cells"):
        assert part in message
    assert "Line 5" not in message


def test_what_is_odd_is_told(tmp_path):
    text = (
        table()
        + table({2: "2", 3: "3"}, "No one").split("\n", 1)[1]
        + table({1: "1", 3: "3"}, "Hole").split("\n", 1)[1]
    )
    with pytest.warns(UserWarning, match="left out") as told:
        (mine,) = read_languages(written(tmp_path, text))
    assert mine.name == "Mine"
    assert [str(each.message).split(": ", 1)[1] for each in told] == [
        "No one (line 12) left out: nothing is given for 1.",
        "Hole (line 14) left out: numbers up to 20 are missing.",
    ]


def test_nothing_is_said_of_what_is_plain(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_languages(written(tmp_path, table()))


def test_languages_that_stop_are_listed_though_not_measured(tmp_path, capsys):
    path = written(tmp_path, table({1: "1", 2: "2", 3: "3"}))
    assert main(["languages", "--import", str(path)]) == 0
    assert "1|2|3|4-" in capsys.readouterr().out
    assert main(["languages", "--import", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["languages"], document["over_families"]) == ([], [])
    assert document["not_measured"][0]["system"] == "1|2|3|4-"
