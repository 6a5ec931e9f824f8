import warnings

import pytest

from ishango.errors import RequestError
from ishango.languages import Term, find_language, parse_terms, read_languages


@pytest.fixture
def write(tmp_path):
    def write(text: str):
        path = tmp_path / "mine.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_table_of_ones_own(write):
    path = write(
        "# my languages\n\nName,D,M,kind,terms,rules,other_words,notes\n"
        'Dozenal,1-11,12,,,"12-143:12",,anything\n'
        '"Tens, spaced",1 2 3 4 5 6 7 8 9,10 20,recursive,,,11 elf; 12 zwölf,\n'
        "Few,,,exact restricted,1|2|3-,,,\n"
        "Bare,none,1 3,,,,,\n"
    )
    with pytest.warns(UserWarning, match=r"mine\.csv: the column notes is not read\.$"):
        dozenal, spaced, few, bare = read_languages(path)
    assert str(dozenal.system) == "1-11 | 12"
    assert str(dozenal.expressions("modified", 143)[143]) == "11 * 12 + 11"
    assert dozenal.average_complexity() == pytest.approx(1.175054, abs=5e-7)
    assert str(spaced.system) == "1-9 | 10,20"
    assert spaced.other_words == ("11 elf", "12 zwölf")
    assert spaced.expressions() is None
    assert spaced.average_complexity() is None
    assert few.kind == "exact restricted"
    assert few.terms == (Term(1, 1), Term(2, 2), Term(3, None))
    assert few.system_under("hurford") is None
    assert bare.system_under("modified") is None
    assert bare.system_under("hurford").multipliers == (1, 3)
    assert find_language("tens, SPACED", (dozenal, spaced)) is spaced


def test_quoted_cells_may_hold_line_breaks(write):
    path = write('name,digits,multipliers,source\nA,1-9,10,"one\ntwo"\nB,1-9,ten,\n')
    with pytest.raises(RequestError, match=r"mine\.csv, line 4: 'ten'"):
        read_languages(path)


def test_a_byte_order_mark_is_passed_over(tmp_path):
    path = tmp_path / "excel.csv"
    path.write_bytes("\ufeffname,digits,multipliers\r\nA,1-9,10\r\n".encode())
    assert [language.name for language in read_languages(str(path))] == ["A"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no languages"),
        ("# nothing\n", "holds no languages"),
        ("name,digits,multipliers\n", "holds no languages"),
        ("name,digits\nA,1-9\n", "line 1: the header lacks multipliers"),
        ("A,1-9,10\n", "line 1: the header lacks name, digits, multipliers"),
        ("name,digits,D,multipliers\n", "line 1: the header names the column digits twice"),
        ("name,digits,multipliers\nA,9-1,10\n", "line 2: The stretch 9-1 runs backwards"),
        ("name,digits,multipliers\nA,1-9,\n", "line 2: A set of words is missing"),
        ("name,digits,multipliers\nA,1-9,none\n", "line 2: .* at least one multiplier"),
        ('name,digits,multipliers\nA,"1,1-9",10\n', "line 2: The set 1,1-9 has 1 twice"),
        ("name,digits,multipliers\nA,1-9,0\n", "line 2: .* integers from 1 to"),
        ("name,digits,multipliers\n,1-9,10\n", "line 2: A language needs a name"),
        ("name,digits,multipliers\nA,1-9\n", "line 2: 2 cells where the header names 3"),
        ("name,digits,multipliers\nA,1,2,11,10\n", "line 2: 5 cells where the header names 3"),
        ('name,digits,multipliers\nA,"1-9,10\n', "line 2: This is not CSV"),
        ("name,digits,multipliers\nA,1-9,10\n\na,1-9,10\n", "line 4: a is already on line 2"),
        ("name,digits,multipliers,rules\nA,1-9,10,10-99\n", "line 2: '10-99' is not a rule"),
        ("name,digits,multipliers,rules\nA,1-9,10,10-99:10 x=2\n", "line 2: 'x=2' is not a rule: 'x' is not a number"),
        ("name,digits,multipliers,rules\nA,1-9,10,20-99:10\n", "line 2: The rules do not tell how 10 is said"),
        ("name,digits,multipliers,rules\nA,1-9,10,10-99:20\n", "line 2: The rule 10-99:20 needs the multiplier 20"),
        ("name,digits,multipliers,kind\nA,1-9,10,verbal\n", "line 2: There is no kind of language 'verbal'"),
        ("name,digits,multipliers,kind\nA,,,approximate\n", "line 2: A restricted or approximate language"),
        (
            "name,digits,multipliers,kind,terms\nA,1,2,approximate,1|2-\n",
            "line 2: A recursive language, and no other",
        ),
        ("name,digits,multipliers,kind,terms\nA,1,2,,1|2-\n", "line 2: A restricted or approximate language"),
        (
            "name,digits,multipliers,kind,terms,rules\nA,,,approximate,1|2-,2:2\n",
            "line 2: Only a recursive language",
        ),
    ],
)
def test_bad_tables(write, text, message):
    with pytest.raises(RequestError, match=rf"mine\.csv.*{message}") as error:
        read_languages(write(text))
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "binary.csv").write_bytes(b"name,digits,multipliers\n\0,1,2\n")
    for path in (tmp_path / "absent.csv", tmp_path, tmp_path / "binary.csv", "a\0b"):
        with pytest.raises(RequestError, match="cannot be read"):
            read_languages(path)


@pytest.mark.parametrize("text", ["", "1", "2-", "1|3-", "1|2-4", "1-|2-", "1|4-2|5-", "1|x-", "1|2-4|4-", "1||2-"])
def test_bad_terms(text):
    with pytest.raises(RequestError, match="terms"):
        parse_terms(text)


def test_all_that_is_wrong_is_told_at_once(write):
    with pytest.raises(RequestError) as refused:
        read_languages(write("name,D,M\nA,9-1,10\nB,1-9,10\nC,1-9\nb,1-9,10\n"))
    assert [each.partition(":")[0] for each in str(refused.value).splitlines()][1:] == ["Line 4", "Line 5"]
    for told in ("line 2: The stretch 9-1 runs backwards", "Line 4: 2 cells where", "Line 5: b is already on line 3"):
        assert told in str(refused.value)


def test_what_is_odd_is_told_beside_what_is_wrong(write):
    with (
        pytest.warns(UserWarning, match=r"B \(line 3\) has no word for 1"),
        pytest.raises(RequestError, match="line 2"),
    ):
        read_languages(write("name,D,M\nA,9-1,10\nB,2-9,10\n"))


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("name,D,M,rule", r"the column rule is not read \(did you mean rules\?\)"),
        ('"name","D","M","Familly"', r"the column familly is not read \(did you mean family\?\)"),
        ("name,D,M,seen in", r"the column seen in is not read\."),
    ],
)
def test_columns_that_nothing_reads_are_named(write, header, told):
    with pytest.warns(UserWarning, match=told):
        assert len(read_languages(write(f"{header}\nA,1-9,10,10-99:7\n"))) == 1


def test_columns_without_a_name_are_passed_over(write):
    assert len(read_languages(write("name,D,M,\nA,1-9,10,\n"))) == 1


@pytest.mark.parametrize(("rules", "dead"), [("10-99:10 20-29:10", "20-29:10"), ("2-9:10 10-99:10", "2-9:10")])
def test_a_rule_that_is_never_used_is_told(write, rules, dead):
    with pytest.warns(UserWarning, match=rf"A \(line 2\) has the rule {dead}, .* never used"):
        read_languages(write(f"name,D,M,rules\nA,1-9,10,{rules}\n"))


def test_tables_that_ship_have_no_odd_columns_and_no_rules_that_are_never_used(tmp_path):
    from ishango.languages import languages_csv, load_languages

    (tmp_path / "mine.csv").write_text(languages_csv(load_languages("world")), encoding="utf-8")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        read_languages(tmp_path / "mine.csv")
    assert not [str(each.message) for each in told if "not read" in str(each.message) or "never" in str(each.message)]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_spreadsheets_of_other_countries(write, separator):
    text = "name,D,M\nDozenal,1-11,12\n".replace(",", separator)
    assert [str(each.system) for each in read_languages(write(text))] == ["1-11 | 12"]


def test_a_table_in_windows_1252_is_read_with_a_warning(tmp_path):
    file = tmp_path / "table.csv"
    file.write_bytes("name;D;M\nIslandés;1-9;10\n".encode("cp1252"))
    with pytest.warns(UserWarning, match="read as Windows-1252"):
        assert read_languages(file)[0].name == "Islandés"
    file.write_bytes("name,D,M\nA,1-9,10\n".encode("utf-16"))
    with pytest.raises(RequestError, match="no text in UTF-8"):
        read_languages(file)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("3-9,10", r"A \(line 2\) has no word for 1"),
        ("1-10,10", r"A \(line 2\) has 10 among the digits and among the multipliers, which counts twice"),
        ("1-9,27", r"A \(line 2\) cannot say "),
        ("1-9,10", r"A \(line 2\) has rules that end at 90, so what is said has no average over 1 to 99"),
    ],
)
def test_what_is_legal_and_odd_is_told(write, words, told):
    digits, multipliers = words.rsplit(",", 1)
    with pytest.warns(UserWarning, match=told):
        read_languages(write(f'name,D,M,rules\nA,"{digits}",{multipliers},{"10-90:10" if told[-2:] == "99" else ""}\n'))


def test_oddities_of_several_languages_are_in_the_plural(write):
    with pytest.warns(UserWarning, match=r"A \(line 2\), B \(line 3\) have no word for 1"):
        read_languages(write("name,D,M\nA,2-9,10\nB,2-9,10\n"))


@pytest.mark.parametrize("cell", ["09. Jan", "1-Sep", "Sep 01", "2026-09-01", "01.09.2026"])
def test_a_date_is_known_for_what_a_spreadsheet_made_of_1_9(write, cell):
    with pytest.raises(RequestError, match="A spreadsheet may have made a date of 1-9"):
        read_languages(write(f"name;D;M\nA;{cell};10\n"))
    with pytest.raises(RequestError) as plain:
        read_languages(write("name;D;M\nA;1-x;none\n"))
    assert "spreadsheet" not in str(plain.value)
