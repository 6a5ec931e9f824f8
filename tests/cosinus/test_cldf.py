"""Datasets of one's own, written here and read through pycldf."""

import json
import os

import pytest

from ishango.cli import main
from ishango.cosinus import read_cldf, spoken_costs
from ishango.errors import RequestError

pytest.importorskip("pycldf")

TERMS = "http://cldf.clld.org/v1.0/terms.rdf#"
NAMES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def gloss(n: int) -> str:
    tens, units = divmod(n, 10)
    words = [NAMES[tens - 1]] * (tens > 1) + ["ten"] * (tens > 0) + [NAMES[units - 1]] * (units > 0)
    return " ".join(words)


def column(name: str, term: str) -> dict[str, str]:
    return {"name": name, "propertyUrl": f"{TERMS}{term}"}


def dataset(folder, forms: list[str], parameters: list[str] | None = None, header: str = "Morphemes"):
    columns = {
        "forms": [column("ID", "id"), column("Language_ID", "languageReference"),
                  column("Parameter_ID", "parameterReference"), column("Form", "form"), {"name": header}],
        "languages": [column("ID", "id"), column("Name", "name"), column("Glottocode", "glottocode"),
                      {"name": "Family"}],
        "parameters": [column("ID", "id"), {"name": "Number"}],
    }  # fmt: skip
    components = {"forms": "FormTable", "languages": "LanguageTable", "parameters": "ParameterTable"}
    tables = [
        {"url": f"{name}.csv", "dc:conformsTo": f"{TERMS}{components[name]}",
         "tableSchema": {"columns": each, "primaryKey": ["ID"]}}
        for name, each in columns.items()
    ]  # fmt: skip
    context = ["http://www.w3.org/ns/csvw", {"@language": "en"}]
    document = {"@context": context, "dc:conformsTo": f"{TERMS}Wordlist", "tables": tables}
    (folder / "cldf-metadata.json").write_text(json.dumps(document))
    rows = parameters if parameters is not None else [f"n{n},{n}" for n in range(1, 101)]
    (folder / "parameters.csv").write_text("\n".join(["ID,Number", *rows]) + "\n")
    (folder / "languages.csv").write_text("ID,Name,Glottocode,Family\nmine,Mine,mine1234,Small\n")
    (folder / "forms.csv").write_text("\n".join([f"ID,Language_ID,Parameter_ID,Form,{header}", *forms]) + "\n")
    return folder


DECIMAL = [f"f{n},mine,n{n},w{n},{gloss(n)}" for n in range(1, 100)]


def test_glosses(tmp_path, capsys):
    (mine,) = read_cldf(dataset(tmp_path, [*DECIMAL, "f100,mine,n100,w100,hundred", "again,mine,n21,x,twenty one"]))
    assert (mine.name, mine.family, str(mine.system)) == ("Mine", "Small", "1-9 | 10")
    assert str(mine.expressions[21]) == "2 * 10 + 1"
    found = spoken_costs(mine)
    assert found is not None
    assert found.costs["irregularity"] == pytest.approx(106.438562)
    assert main(["languages", "--import", str(tmp_path)]) == 0
    assert "1 of 1 languages are read completely" in capsys.readouterr().out


def test_expressions(tmp_path):
    forms = ["a,mine,n1,x,1", "b,mine,n20,y,20", "c,mine,n21,z,20 + 1", "d,mine,n40,z,2 * 20"]
    (mine,) = read_cldf(dataset(tmp_path, forms, header="Expression"))
    assert str(mine.expressions[21]) == "20 + 1"
    assert mine.forms == {"=1", "=20", "=2"}
    assert mine.unread[2] == "no form"
    assert spoken_costs(mine) is None


@pytest.mark.parametrize(
    ("forms", "parameters", "header", "message"),
    [
        (["a,mine,n1,x,one", "b,mine,n2,y,"], None, "Morphemes", "forms, line 3: no glosses"),
        (["a,mine,n1,x,2"], None, "Expression", "forms, line 2: 2 is 2, not 1"),
        (["a,mine,n1,x,1 +"], None, "Expression", "forms, line 2: The expression '1 \\+' breaks off"),
        (["a,yours,n1,x,one"], None, "Morphemes", "forms, line 2: 'yours' is in no table"),
        (["a,mine,n1,x,one"], ["n1,1", "n2,many"], "Morphemes", "parameters, line 3: 'many' is not a positive whole"),
        (["a,mine,n1,x,one"], ["n1,"], "Morphemes", "parameters, line 2: no number"),
        ([], None, "Morphemes", "has no forms"),
        ([f"{n},yours,n1,x,one" for n in range(21)], None, "Morphemes", r"And 1 more line\."),
    ],
)
def test_bad_rows_get_their_line(tmp_path, forms, parameters, header, message):
    with pytest.raises(RequestError, match=message):
        read_cldf(dataset(tmp_path, forms, parameters, header))


def test_no_dataset(tmp_path, capsys):
    assert main(["languages", "--import", str(tmp_path)]) == 2
    assert "has 0 files *-metadata.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "http://localhost/forms.csv", "../forms.csv", "file:forms.csv", "a/b.csv"]
)
@pytest.mark.parametrize("place", ["url", "tableSchema", "dialect", "dc:source"])
def test_metadata_name_files_beside_them_only(tmp_path, name, place):
    metadata = dataset(tmp_path, DECIMAL) / "cldf-metadata.json"
    document = json.loads(metadata.read_text())
    document["tables"][0][place] = name
    metadata.write_text(json.dumps(document))
    with pytest.raises(RequestError, match="may name files beside them only"):
        read_cldf(tmp_path)


@pytest.mark.parametrize("name", ["forms.csv", "cldf-metadata.json"])
def test_what_is_no_plain_file_is_not_waited_for(tmp_path, name):
    file = dataset(tmp_path, DECIMAL) / name
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(RequestError, match="not a"):
        read_cldf(tmp_path)
    file.unlink()
    (tmp_path / "elsewhere").mkdir()
    file.symlink_to(dataset(tmp_path / "elsewhere", DECIMAL) / name)
    with pytest.raises(RequestError, match=r"not a plain file|cannot be read"):
        read_cldf(tmp_path)
