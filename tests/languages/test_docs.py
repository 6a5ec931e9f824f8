import re
from pathlib import Path

from ishango.languages import read_languages

PAGES = Path(__file__).parents[2] / "docs"
DOCS = (PAGES / "languages.md").read_text(encoding="utf-8")
STUDY = (PAGES / "studies" / "languages.md").read_text(encoding="utf-8")


def test_the_table_in_the_docs_is_what_its_code_prints(capsys):
    code, table = re.search(r"```python\n([^`]*print\([^`]*)```\n\n((?:\|.*\n)+)", STUDY).groups()
    exec(code, {})
    assert capsys.readouterr().out == table


def test_the_figures_beside_the_first_example():
    lines = re.findall(r"^(.*average_complexity\(.*\S) +# (\d\.\d{6})", DOCS, flags=re.MULTILINE)
    names = {}
    exec("\n".join(re.search(r"```python\n(.*?)```", DOCS, flags=re.DOTALL)[1].splitlines()), names)
    assert len(lines) == 2
    assert [f"{eval(code, names):.6f}" for code, _ in lines] == [figure for _, figure in lines]


def test_the_example_table_can_be_read(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(re.search(r"```\n(name,D,M.*?)```", DOCS, flags=re.DOTALL)[1])
    assert [(each.name, str(each.system)) for each in read_languages(path)] == [
        ("Dozenal", "1-11 | 12"),
        ("Plain", "1-9 | 10,20"),
    ]
