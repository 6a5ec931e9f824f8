"""Numeralbank's dataset as it lies in its repository: glosses in forms.csv, numbers beside them. Made up, few rows."""

import csv
import json
import warnings

import pytest

from ishango.cli import main
from ishango.errors import RequestError
from ishango.languages import read_languages
from ishango.languages._reading import expression_of

pytest.importorskip("pycldf")

TERMS = "http://cldf.clld.org/v1.0/terms.rdf#"
FORMS = {"ID": "id", "Local_ID": "", "Language_ID": "languageReference", "Parameter_ID": "parameterReference",
         "Value": "value", "Form": "form", "Segments": "segments", "Comment": "comment", "Source": "source",
         "Cognacy": "", "Loan": "", "Graphemes": "", "Profile": "", "NumberValue": "", "Gloss": "", "GlossClean": "",
         "GlossMath": "", "GlossCalc": ""}  # fmt: skip
LANGUAGES = {"ID": "id", "Name": "name", "Glottocode": "glottocode", "Glottolog_Name": "",
             "ISO639P3code": "iso639P3code", "Macroarea": "macroarea", "Latitude": "latitude",
             "Longitude": "longitude", "Family": "", "Dataset": "",
             "BaseAnnotation": "", "BaseAnnotator": "", "BaseComment": "", "Coverage": "", "OneToThirty": "",
             "BaseInSource": ""}  # fmt: skip
PARAMETERS = {"ID": "id", "Name": "name", "Concepticon_ID": "concepticonReference", "Concepticon_Gloss": ""}
TABLES = {"forms": ("FormTable", FORMS), "languages": ("LanguageTable", LANGUAGES),
          "parameters": ("ParameterTable", PARAMETERS)}  # fmt: skip

FIVES = {0: "?", 1: "1", 2: "2", 3: "3", 4: "4", 5: "5{hand}", 6: "5[+]1", 7: "5′+{LIG}2", 8: "2″−10", 9: "(1′-10)",
         10: "(2[⋅]5)"}  # fmt: skip


def write(folder, name, rows):
    component, columns = TABLES[name]
    with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    named = [{"name": each, "propertyUrl": TERMS + term} if term else {"name": each} for each, term in columns.items()]
    for each in named:
        if each["name"] in ("Segments", "Source"):
            each["separator"] = " "
    return {"url": f"{name}.csv", "dc:conformsTo": TERMS + component, "tableSchema": {"columns": named}}


@pytest.fixture
def dataset(tmp_path):
    def make(glosses, more=()):
        about = {"ID": "numerals-five1234-1", "Name": "Fives, Nowhere", "Glottocode": "five1234", "Family": "Hands",
                 "Macroarea": "Africa", "Latitude": "1.5", "Longitude": "-2", "Dataset": "numerals"}  # fmt: skip
        numbers = sorted({number for number, _ in glosses} | {1})
        forms = [{"ID": f"f{at}", "Language_ID": about["ID"], "Parameter_ID": f"n{number}", "Value": "x", "Form": "x",
                  "NumberValue": number, "Gloss": gloss} for at, (number, gloss) in enumerate(glosses)]  # fmt: skip
        tables = [write(tmp_path, "forms", [*forms, *more]), write(tmp_path, "languages", [about]),
                  write(tmp_path, "parameters", [{"ID": f"n{n}", "Name": f"NUMBER {n}"} for n in numbers])]  # fmt: skip
        document = {"@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}], "tables": tables,
                    "dc:conformsTo": f"{TERMS}Wordlist"}  # fmt: skip
        (tmp_path / "cldf-metadata.json").write_text(json.dumps(document))
        return tmp_path

    return make


def test_glosses_of_numeralbank(dataset, capsys):
    folder = dataset(FIVES.items())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (fives,) = read_languages(folder)
    assert (fives.name, fives.glottocode, fives.family, fives.place) == (
        "Fives, Nowhere",
        "five1234",
        "Hands",
        (1.5, -2),
    )
    assert (str(fives.system), fives.highest) == ("1-4 | 5,10", 10)
    assert str(fives.rules) == "5-7,10:5 8,9:10-"
    assert main(["languages", "--import", str(folder), "--range", "10"]) == 0
    assert "1-4 | 5,10" in capsys.readouterr().out


def test_variants_are_kept_and_what_says_nothing_is_counted(dataset):
    odd = [(10, "10"), (10, "½⋅20"), (10, "2⋅6")]
    with pytest.warns(UserWarning, match="passed over") as told:
        (fives,) = read_languages(dataset([*FIVES.items(), *odd]))
    assert [(number, str(each)) for number, each in fives.alternates] == [(10, "10")]
    assert [str(each.message).split(": ", 1)[1] for each in told] == [
        "Fives, Nowhere has glosses that are no arithmetic, which are passed over.",
        "Fives, Nowhere has glosses that give another number, which are passed over.",
    ]


def test_all_faults_of_a_dataset_at_once(dataset, capsys):
    more = [{"ID": "a", "Language_ID": "nobody", "Parameter_ID": "n1", "Value": "x", "Form": "x", "Gloss": "1"},
            {"ID": "b", "Language_ID": "numerals-five1234-1", "Parameter_ID": "n1", "Value": "x", "Form": "x",
             "NumberValue": "many", "Gloss": "1"}]  # fmt: skip
    folder = dataset(FIVES.items(), more)
    with pytest.raises(RequestError, match=r"line 13: 'nobody' is in no table .*\nLine 14: 'many' is not a positive"):
        read_languages(folder)
    assert main(["languages", "--import", str(folder)]) == 2
    assert "Line 14" in capsys.readouterr().err
    with pytest.raises(RequestError, match="no column Gloss with arithmetic"):
        read_languages(dataset([(1, "")]))


def test_words_for_large_numbers_alone_are_no_words_in_between(dataset):
    (few,) = read_languages(dataset([(1, "1"), (2, "2"), (3, "3"), (4, "4"), (5, "5")]))
    assert [str(each) for each in few.terms] == ["1", "2", "3", "4", "5", "6-"]
    (many,) = read_languages(dataset([(n, str(n)) for n in (*range(1, 100), 10**8)]))
    assert (many.kind, len(many.terms), many.highest) == ("exact restricted", 100, 10**8)


@pytest.mark.parametrize(
    ("gloss", "expression"),
    [
        ("(10′⋅2)+{Lig}3", "10 * 2 + 3"),
        ("4⋅([2′′]⋅10″)", "4 * (2 * 10)"),
        ("1′′-([2]⋅10′′′)", "2 * 10 - 1"),
        ("20+(2−10)", "20 + 10 - 2"),
        ("6+(9∙10⁗)", "6 + 9 * 10"),
    ],
)
def test_notation(gloss, expression):
    assert str(expression_of(gloss)) == expression
