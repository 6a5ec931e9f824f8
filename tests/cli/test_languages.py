import json
import os
import subprocess
import sys

import pytest

from ishango.cli import main


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_all_languages_as_json(capsys):
    code, out, _ = run(capsys, "languages", "--json")
    languages = {each["name"]: each for each in json.loads(out)["languages"]}
    assert code == 0
    english = languages["English"]
    assert (english["digits"], english["multipliers"]) == ([1, 2, 3, 4, 5, 6, 7, 8, 9, 11], [10])
    assert english["hurford"]["said"] == pytest.approx(1.137838, abs=5e-7)
    assert english["hurford"]["minimal"] == pytest.approx(1.135064, abs=5e-7)
    assert english["modified"]["minimal"] == pytest.approx(1.193660, abs=5e-7)
    assert (english["size"], english["hurford"]["size"], english["natural+"]["size"]) == (11, 11, 12)
    assert languages["Chiquitano"]["modified"] == dict.fromkeys(("size", "said", "minimal", "gap_said", "gap_shortest"))


def test_one_language(capsys):
    code, out, _ = run(capsys, "languages", "french", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["hurford"]["expressions"]["97"] == "4 * 20 + 10 + 7"
    code, out, _ = run(capsys, "languages", "French")
    assert "4·20+10+7" in out
    assert "Denić" in out


def test_the_list_for_people(capsys, width):
    width(140)
    code, out, _ = run(capsys, "languages")
    assert code == 0
    assert "Awa Pit" in out
    assert "1.1378" in out


def test_a_table_of_ones_own(capsys, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("name,D,M\nDozenal,1-11,12\n")
    code, out, _ = run(capsys, "languages", "dozenal", "--file", str(file), "--json")
    assert code == 0
    assert json.loads(out)["modified"]["minimal"] == pytest.approx(1.175054, abs=5e-7)


def test_names_are_text_and_not_markup(capsys, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("name,D,M\n[/x],1-9,10\n[bold]A[/bold],1-9,10\n")
    code, out, _ = run(capsys, "languages", "--file", str(file))
    assert code == 0
    assert "[/x]" in out
    assert "[bold]A[/bold]" in out


def test_languages_with_words_above_the_range_have_no_figures(capsys):
    code, out, _ = run(capsys, "languages", "--range", "50", "--json")
    languages = {each["name"]: each for each in json.loads(out)["languages"]}
    assert code == 0
    assert languages["Tommo So"]["modified"] == dict.fromkeys(("size", "said", "minimal", "gap_said", "gap_shortest"))
    assert languages["English"]["modified"]["minimal"] > 1


@pytest.mark.parametrize("columns", [80, 120])
def test_nothing_is_lost_on_a_narrow_terminal(capsys, width, columns):
    width(columns)
    _, out, _ = run(capsys, "languages")
    assert "English" in out
    assert "…" not in out
    assert all(len(line) <= columns for line in out.splitlines())


def test_several_side_by_side(capsys, width):
    width(140)
    code, out, err = run(capsys, "languages", "French", "basque", "Yoruba", "Piraha")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[1].split() == ["French", "Basque", "Yoruba", "Pirahã"]
    assert lines[3].split() == ["2", "2", "2", "2", "2-4"]
    assert lines[16].split() == ["15", "10+5", "10+5", "20−5", "5-"]
    assert lines[72].split() == [
        "71",
        "6·10+10+1",
        "3·20+10+1",
        "×",
        "5-",
    ]  # outside the grammar
    assert "1.1267" in out  # costs are below


def test_several_side_by_side_as_json(capsys):
    code, out, _ = run(capsys, "languages", "Yoruba", "French", "--json")
    assert code == 0
    yoruba, french = json.loads(out)["languages"]
    assert (yoruba["name"], yoruba["hurford"]["expressions"]) == ("Yoruba", None)
    assert french == json.loads(run(capsys, "languages", "French", "--json")[1])


def test_a_table_of_ones_own_beside_the_built_in_one(capsys, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("name,D,M,rules\nDozenal,1-11,12,12-99:12\npiraha,1-9,10,\n")
    code, out, _ = run(capsys, "languages", "--beside", str(file), "--json")
    assert code == 0
    listed = {each["name"]: each for each in json.loads(out)["languages"]}
    assert {"Dozenal", "piraha", "French"} <= listed.keys()
    assert "Pirahã" not in listed
    code, out, _ = run(capsys, "languages", "Pirahã", "Dozenal", "French", "--beside", str(file), "--json")
    own, dozenal, french = json.loads(out)["languages"]
    assert (own["multipliers"], dozenal["multipliers"], french["multipliers"]) == ([10], [12], [10, 20])


def test_a_pipe_is_as_wide_as_it_is_said_to_be():
    listing = [sys.executable, "-m", "ishango", "languages", "French", "Basque"]
    for columns, both in (("200", True), ("", False)):
        told = subprocess.run(
            listing, capture_output=True, text=True, env=os.environ | {"COLUMNS": columns}, check=True
        )
        assert ("said (h)" in told.stdout) == both


def test_every_cost_of_what_is_said(capsys):
    code, out, _ = run(capsys, "languages", "--costs", "--json")
    costs = json.loads(out)["costs"]
    assert code == 0
    assert costs["Mandarin"]["irregularity"] == pytest.approx(106.438562)
    assert costs["Yoruba"] is None
    code, out, _ = run(capsys, "languages", "--costs", "Mandarin", "Yoruba")
    assert code == 0
    assert "106.439" in out
    assert "Left out, since how they say 1 to 99 is not known or outside the grammar: Yoruba" in out


def test_languages_as_people_speak(capsys):
    code, out, _ = run(capsys, "languages", "--source", "cosinus", "Georgian", "Iraqw", "--json")
    document = json.loads(out)
    georgian, iraqw = document["languages"]
    assert code == 0
    assert georgian["numerals"]["31"]["expression"] == "20 + 10 + 1"
    assert georgian["measures"]["size"] == 11
    assert georgian["costs"]["changes"] == 2
    assert (iraqw["measures"], iraqw["unread"]["49"]) == (None, "no reading")
    assert [each["family"] for each in document["families"]] == ["Kartvelian"]
    code, out, _ = run(capsys, "languages", "--source", "cosinus", "Georgian", "Iraqw")
    assert code == 0
    assert "=1 .a" in out  # morphemes; word forms do not ship
    assert "1 of 2 languages are read completely" in out
    assert "Iraqw: 49,59,69,79,89, such as 49: =10.2 =5 .a =9" in out
    code, out, _ = run(capsys, "languages", "--source", "cosinus", "Mandarin", "--costs")
    assert "106.439" in out


def test_where_the_sources_differ(capsys):
    code, out, _ = run(capsys, "languages", "--disagreements")
    assert code == 0
    assert "90-99 of 99 numbers, such as 90: 90; in the table 9 * 10" in out
    _, out, _ = run(capsys, "languages", "--disagreements", "--json")
    german = next(each for each in json.loads(out)["languages"] if each["name"] == "German")
    assert german["differing"] == {
        "11": {"cosinus": "11", "table": "10 + 1"},
        "12": {"cosinus": "12", "table": "10 + 2"},
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("languages", "--source", "cosinus", "Frnch"), "did you mean French"),
        (("languages", "--source", "cosinus", "--range", "50"), "CoSiNuS has the numbers from 1 to 99"),
        (("languages", "--source", "cosinus", "--file", "a.csv"), "leave out --file and --beside"),
        (("languages", "Frnch"), "did you mean French"),
        (("languages", "French", "Basqe"), "did you mean Basque"),
        (("languages", "--file", "a.csv", "--beside", "b.csv"), "--file and --beside exclude each other"),
        (("languages", "--beside", "absent.csv"), "The table of languages absent.csv cannot be read"),
        (("languages", "--file", "nowhere.csv"), "nowhere.csv"),
        (("languages", "--need", "often"), "not a need distribution"),
        (("languages", "--range", "0"), "between 1 and 10000"),
    ],
)
def test_bad_input(capsys, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_words_above_the_range_are_the_reason_why_nothing_is_compared(capsys):
    """Dashes alone looked as if it were not known how French says 1 to 9."""
    told = "Not compared, since they have words above 9: "
    assert main(["languages", "French", "--range", "9"]) == 0
    assert f"{told}French.\n" in capsys.readouterr().out
    assert main(["languages", "French", "Danish", "--range", "9"]) == 0
    assert f"{told}French, Danish.\n" in capsys.readouterr().out
    assert main(["languages", "French", "--range", "20"]) == 0
    assert "Not compared" not in capsys.readouterr().out
    for upto, said in (("9", "Compared: 0 of 1. With words above 9, so not compared: 1."), ("10", "which says every")):
        assert main(["languages", "--source", "world", "--family", "Abun", "--range", upto]) == 0
        out = capsys.readouterr().out
        assert said in out
        assert (told in out) == (upto == "9")


def test_costs_of_the_worlds_languages_are_listed_where_they_are_asked_for(capsys):
    assert main(["languages", "--source", "world", "--family", "Kartvelian", "--costs", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["costs"]
    assert {"irregularity", "processing"} <= found["Svan, Georgia"].keys()
