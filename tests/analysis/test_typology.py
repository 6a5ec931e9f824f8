"""Log scores of mechanisms over families, on made-up and on real languages."""

import contextlib
import math
import random
import threading

import pandas as pd
import pytest

import ishango
from ishango.analysis.typology import CELLS, Cell, People, cell_of, lexicons_of_runs, over_families, score
from ishango.cli import main
from ishango.errors import RequestError
from ishango.generations import GenerationOptions, play_chain
from ishango.languages import load_languages, write_cldf

TENS = (tuple(range(1, 10)), (10,))
TWENTIES = (tuple(range(1, 10)), (10, 20))
FIVES = ((1, 2, 3, 4), (5, 10))
PEOPLE = People((TENS, TENS, TENS, FIVES), ("a", "a", "a", "b"), ("x", "x", "x", "y"))


def test_cells():
    assert cell_of(*FIVES) == Cell(6, 2, 10)
    assert cell_of((1, 2, 3, 4), (5, 20)).base == 20
    assert cell_of((1, 2, 3, 4), (5,)).base == 5


def test_scores_by_hand():
    """A single run is not predicted by others, so that its three parts count the same."""
    found = score({"one": [[TENS, TENS, TENS, FIVES]]}, PEOPLE, 0.2)
    # Ten lexicons of the four: 8 and 2. Sizes and numbers of multipliers are as frequent, the base is always 10.
    bits = [math.log2(0.8 * (share + share * share + 1 / CELLS) / 3 + 0.2 / CELLS) for share in (0.8, 0.2)]
    assert found.table["bits"][0] == pytest.approx(sum(bits) / 2)


def test_what_runs_share_counts_and_what_each_has_alone_does_not():
    """Interpolation: runs that agree are trusted cell by cell, others by sizes, multipliers and bases."""
    alike = score({"alike": [[TENS]] * 4}, PEOPLE).table.set_index("mechanism")
    assert alike.loc["alike", "bits"] == pytest.approx((math.log2(0.95) + math.log2(0.05 / CELLS)) / 2, abs=0.01)
    sizes = [(tuple(range(1, size)), (10,)) for size in range(7, 15)]
    apart = score({"apart": [[each] for each in sizes if each != TENS]}, PEOPLE).table.set_index("mechanism")
    assert apart.loc["apart", "bits"] < alike.loc["alike", "bits"]
    mixed = [(tuple(range(1, size)), multipliers) for size in (5, 10) for multipliers in ((10,), (10, 20))]
    unseen = [[each] for each in mixed if each != TENS] * 3
    combined = score({"combined": unseen}, PEOPLE).table.set_index("mechanism")
    assert combined.loc["combined", "bits"] > -math.log2(CELLS) + 3


def test_more_runs_are_no_advantage():
    """Of 24 runs 8 count, and score what 8 runs do that are there alone; all of them cover more."""
    rng = random.Random(1)
    runs = [[(tuple(range(1, rng.randint(4, 14))), (rng.choice([5, 10, 20]),))] for _ in range(24)]
    found = score({"many": runs, "few": runs[:8]}, PEOPLE)
    bits = found.table.set_index("mechanism")
    assert found.runs == 8
    assert bits.loc["few", "bits"] == score({"few": runs[:8]}, PEOPLE).table["bits"].max()
    thirds = [score({"third": runs[at : at + 8]}, PEOPLE).table["bits"].max() for at in (0, 8, 16)]
    assert min(thirds) < bits.loc["many", "bits"] < max(thirds)
    assert score({"many": runs}, PEOPLE).table["bits"].max() > bits.loc["many", "bits"]
    with pytest.raises(RequestError, match="runs is 9, but must be from 1 to 8"):
        score({"many": runs, "few": runs[:8]}, PEOPLE, runs=9)


def test_without_a_mechanism_there_is_nothing_to_score():
    with pytest.raises(RequestError, match="There is no mechanism"):
        score({}, PEOPLE)


def test_a_family_counts_once():
    mean, low, high = over_families([-1.0, -1.0, -1.0, -3.0], PEOPLE.families)
    assert (mean, low, high) == (-2.0, -3.0, -1.0)
    assert math.isnan(over_families([1.0, 2.0], ["a", "a"])[1])
    found = score({"tens": [[TENS]] * 4}, PEOPLE).table.iloc[0]
    assert found["bits_languages"] > found["bits"]  # three of four languages, one of two families


def test_ranks_and_held_out_halves():
    mechanisms = {"right": [[TENS, FIVES]] * 2, "half": [[TENS]] * 2, "wrong": [[((1, 2), (3,))]] * 2}
    found = score(mechanisms, PEOPLE)
    assert found.table["mechanism"].tolist() == ["right", "half", "all cells alike", "wrong"]
    assert found.table["behind"].tolist()[0] == 0
    assert found.held_out["families"].tolist() == [1, 1]
    assert found.ten[0] == 1.0
    assert found.sentence.startswith("right predicts human numeral systems best")
    assert score({"wrong": mechanisms["wrong"]}, PEOPLE).sentence.startswith(
        "No mechanism predicts human numeral systems"
    )
    assert (
        "1 other is not shown to be worse"
        in score({"a": mechanisms["right"], "b": mechanisms["right"]}, PEOPLE).sentence
    )


def test_refusals():
    with pytest.raises(RequestError, match="smoothing is 0, but must be more than 0 and less than 1"):
        score({"a": [[TENS]]}, PEOPLE, smoothing=0)
    with pytest.raises(RequestError, match="has no lexicon"):
        score({"a": []}, PEOPLE)
    with pytest.raises(RequestError, match="nothing to score"):
        ishango.typology()
    with pytest.raises(RequestError, match="nothing to predict"):
        People.of([each for each in load_languages("world") if (each.highest or 0) < 20])


def test_lexicons_of_runs_are_those_of_the_second_half():
    rounds = pd.DataFrame(
        {"run": ["r"] * 3, "round": [0, 1, 2], "bottleneck": [50.0] * 3, "digits": [[1], [1], [1, 2]],
         "multipliers": [[2], [3], [3]]}
    )  # fmt: skip
    assert lexicons_of_runs(rounds, ["bottleneck"]) == {"bottleneck 50": [[((1,), (3,)), ((1, 2), (3,))]]}


def test_the_worlds_languages():
    people = People.of()
    assert (len(people.lexicons), len(set(people.families))) == (2909, 145)
    mean, low, high = over_families([float(cell_of(*each).base == 10) for each in people.lexicons], people.families)
    assert mean == pytest.approx(0.939, abs=5e-4)
    assert low < mean < high


def test_the_command(tmp_path, capsys):
    out = str(tmp_path / "chain")
    assert main(["generations", "--generations", "4", "--bottleneck", "50", "--out", out]) == 0
    capsys.readouterr()
    assert main(["typology", out, "--by", "bottleneck"]) == 0
    assert "bottleneck 50" in capsys.readouterr().out
    assert main(["typology", out, "--by", "nothing"]) == 2
    assert "have no nothing" in capsys.readouterr().err


def test_mechanisms_of_any_experiment_are_told_apart(tmp_path, capsys):
    for bottleneck in ("50", "200"):
        for start in ("1", "7"):
            out = ["--out", str(tmp_path / f"{bottleneck} {start}")]
            assert main(["generations", start, "--bottleneck", bottleneck, "--generations", "4", *out]) == 0
    capsys.readouterr()
    assert main(["typology", str(tmp_path)]) == 0  # a config without `choose`
    printed = capsys.readouterr().out
    assert "bottleneck 50" in printed
    assert "bottleneck 200" in printed
    assert "start" not in printed
    ishango.evolve(7, tmp_path / "drift", choose="coin", rounds=4)
    mixed = ishango.typology(tmp_path).table["mechanism"]
    assert len(mixed) == 4  # two bottlenecks, drift, and all cells alike
    assert main(["restricted", "train", "--steps", "10", "--out", str(tmp_path / "terms")]) == 0
    with pytest.raises(RequestError, match="terms has no digits and multipliers"):
        ishango.typology(tmp_path)


def test_words_of_the_body_are_coined_more_often():
    def coined(body: float) -> int:
        options = GenerationOptions(start="1 | 50,7", rounds=1, bottleneck="all", invent=100, body=body)
        return int(play_chain(options)[-1][:, [5, 10, 20]].sum())

    assert coined(1e6) >= 4 > coined(1e-6)


def test_without_favour_nothing_changes():
    plain, one = (play_chain(GenerationOptions(rounds=20, **more)) for more in ({}, {"body": 1.0}))
    assert (plain == one).all()


def test_survey_of_the_world():
    found = ishango.survey([each for each in load_languages("world") if each.family == "Kartvelian"], grammar="hurford")
    assert set(found.to_frame()["glottocode"]) == {"lazz1240", "ming1252", "nucl1302", "svan1243"}
    table = found.over_families().set_index("figure")
    assert table.loc["one or two multipliers", "over_families"] == 1.0


def test_export(tmp_path, capsys):
    pycldf = pytest.importorskip("pycldf")
    out = tmp_path / "dataset"
    assert (
        main(["languages", "--source", "world", "--family", "Kartvelian", "--format", "cldf", "--out", str(out)]) == 0
    )
    dataset = pycldf.Dataset.from_metadata(out / "StructureDataset-metadata.json")
    assert dataset.validate()
    assert len(list(dataset["LanguageTable"])) == 4
    assert main(["languages", "--source", "world", "--format", "cldf", "--out", str(out)]) == 2
    assert "not an empty directory" in capsys.readouterr().err
    assert main(["languages", "--source", "world", "--family", "Kartvelian", "--format", "csv"]) == 0
    (tmp_path / "again.csv").write_text(capsys.readouterr().out, encoding="utf-8")
    again = ishango.read_languages(tmp_path / "again.csv")
    kartvelian = [each for each in load_languages("world") if each.family == "Kartvelian"]
    assert [(each.id, each.system, each.rules) for each in again] == [(e.id, e.system, e.rules) for e in kartvelian]


def test_of_two_exports_into_one_directory_one_is_refused(tmp_path, monkeypatch):
    pytest.importorskip("pycldf")
    both, told = threading.Barrier(2), list[str]()

    def slowly(language, at):
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(1)  # only where both write do they meet here
        return f"{language.name}-{at}"

    def export(name):
        try:
            write_cldf([ishango.find_language(name)], tmp_path / "dataset")
        except RequestError as refusal:
            told.append(str(refusal))

    monkeypatch.setattr("ishango.languages._rows._identifier", slowly)
    threads = [threading.Thread(target=export, args=(name,)) for name in ("French", "Basque")]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert len(told) == 1
    assert "not an empty directory" in told[0]
    assert {each.suffix for each in (tmp_path / "dataset").iterdir()} == {".csv", ".json"}


def test_lexicons_without_multipliers_have_a_base_that_no_language_has():
    """Such are the first of a run of kinds: what they weigh goes to no language."""
    tens, bare = ((1, 2, 3, 4, 5, 6, 7, 8, 9), (10,)), ((1, 2), ())
    assert cell_of(*bare) == Cell(2, 0, 0)
    alone, mixed = (
        score({"it": [given]}).table.set_index("mechanism")["bits"]["it"] for given in ([bare], [tens, bare])
    )
    assert alone < mixed < score({"it": [[tens]]}).table["bits"][0]


def test_runs_of_every_mechanism_are_scored(tmp_path):
    """Those of kinds have who decides, too, and are not of Algorithm 1."""
    runs = {
        "evolution": {"choose": "coin"},
        "generations": {},
        "kinds": {"choose": "law"},
        "kinds-generations": {},
    }
    for experiment, options in runs.items():
        ishango.play(experiment, out=tmp_path / experiment, rounds=2, progress=False, **options)
        found = ishango.typology(tmp_path / experiment)
        assert len(found.table) == 2
        assert found.table["runs"].max() == 1
    both = ishango.typology(tmp_path / "kinds", tmp_path / "evolution").table["mechanism"]
    assert len(both) == 3
    assert not both.str.contains("nan|None").any()
    ishango.play("restricted", out=tmp_path / "restricted", rounds=2, progress=False, steps=2)
    with pytest.raises(RequestError, match="typology takes runs of numeral systems"):
        ishango.typology(tmp_path / "restricted")
