"""What was silently wrong once: each of these must be told in a sentence."""

import json
import shutil

import numpy as np
import pytest
from tests.lab.toy import toy

from ishango.cli import main
from ishango.errors import RequestError, RunError, RunWarning
from ishango.evolution import EVOLUTION, Evolution
from ishango.lab import EXPERIMENTS, Checkpoint, archive, expand, parse_plan, read_rounds, rounds_table, run
from ishango.lab import _executors as worker
from ishango.lab._executors import Limit
from ishango.lab._rounds import decode, encode

SMALL = {"start": "7", "rounds": 2, "steps": 5, "game": {"hidden": 4, "batch": 4}}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('reset_optimiser = "no"', 'reset_optimiser is "no", but must be true or false'),
        ("rounds = 1.5", "rounds is 1.5, but must be an integer"),
        ("steps = true", "steps is true, but must be an integer"),
        ("game.learning_rate = inf", "game.learning_rate is Infinity, but must be a finite number"),
        ("game.hidden = '8'", 'game.hidden is "8", but must be an integer'),
        ("need = 2.5", "need is 2.5, but must be a text"),
        ("game = 5", "game is 5, but must be a table"),
        ("notation = 'roman'", 'notation is "roman", but must be infix or prefix or postfix'),
        ("wheels = 4", "There is no option wheels"),
    ],
)
def test_a_plan_is_checked_by_type_and_the_line_is_named(line, message):
    plan = parse_plan(f"name = 'x'\n\n[base]\n{line}\n", "plan.toml")
    with pytest.raises(RequestError) as refusal:
        expand(plan, EVOLUTION.complete)
    assert str(refusal.value).startswith(f"In the plan plan.toml, line 4: {message}")


def test_whole_numbers_may_be_given_for_others_and_starts_as_integers():
    config = EVOLUTION.complete({"start": 3, "game": {"learning_rate": 1, "vocabulary": None}})
    assert (config["start"], config["game"]["learning_rate"]) == ("3", 1)


def test_one_number_is_one_value_however_it_is_written(tmp_path, capsys):
    with pytest.raises(RequestError, match="have one config or one name"):
        expand(parse_plan("base.choose = 'coin'\nvary.word = [0, 0.0]"), EVOLUTION.complete)
    run(EVOLUTION.from_config({**SMALL, "choose": "coin", "word": 0}), tmp_path / "run")
    assert '"word": 0.0' in (tmp_path / "run" / "run.json").read_text()
    run(EVOLUTION.from_config({**SMALL, "choose": "coin"}), tmp_path / "run")
    assert main(["evolve", "--choose=law", "--word=1", "--rounds=2", "--start=7", f"--out={tmp_path / 'run'}"]) == 2
    assert "has steps = 5" in capsys.readouterr().err


def test_a_need_that_is_too_short_is_refused_before_anything_is_made(tmp_path, capsys):
    (tmp_path / "need.csv").write_text("".join(f"{n},1\n" for n in range(1, 61)))
    for command in ("evolve", "generations"):
        assert main([command, f"--need=file:{tmp_path / 'need.csv'}", f"--out={tmp_path / 'new'}"]) == 2
        assert "ends at 60; the range 99 needs more" in capsys.readouterr().err
        assert not (tmp_path / "new").exists()


def test_the_nearer_of_two_is_not_guessed_where_no_frontier_is_proved(tmp_path, capsys):
    assert main(["evolve", "--choose=nearer", "--range=1001", f"--out={tmp_path / 'new'}"]) == 2
    assert "is known up to the range 1,000" in capsys.readouterr().err


def test_the_status_of_a_sweep_knows_the_other_names_of_its_rounds(tmp_path, capsys):
    plan = tmp_path / "plan.toml"
    plan.write_text("experiment = 'generations'\nbase.generations = 2\nvary.seed = '0-1'\n")
    for seed in (0, 1):
        run(
            EXPERIMENTS["generations"].from_config({"generations": 2, "seed": seed}), tmp_path / "runs" / f"seed={seed}"
        )
    assert main(["sweep", str(plan), "--out", str(tmp_path / "runs"), "--status"]) == 0
    assert "6 of 6 rounds" in capsys.readouterr().out
    plan.write_text("base.rounds = 'five'\n")
    assert main(["sweep", str(plan), "--out", str(tmp_path / "runs"), "--status"]) == 2
    assert 'rounds is "five", but must be an integer' in capsys.readouterr().err


def test_why_a_run_failed_stands_in_its_directory(tmp_path):
    status, (message, file) = worker.play(
        "evolution", {"seed": 0, "wheels": 4}, tmp_path / "run", lambda *_: None, Limit()
    )
    assert (status, file) == ("failed", None)
    assert (tmp_path / "run" / "error.txt").read_text() == f"{message}\n"


def test_a_sweep_whose_starts_are_integers_can_be_repeated(tmp_path, capsys):
    (tmp_path / "plan.toml").write_text("[base]\nrounds = 1\nchoose = 'coin'\n[vary]\nstart = [1, 7]\n")
    for _ in range(2):
        assert main(["sweep", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "runs"), "--workers", "1"]) == 0
    assert "2 of 2 runs done" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "name = 'x'\nabout = 'nothing'", "[base]", "[[variant]]\n[[variant]]"])
def test_a_plan_that_says_nothing_plays_nothing(text):
    with pytest.raises(RequestError, match=r"In the plan plan\.toml: it says nothing about its runs"):
        parse_plan(text)


@pytest.mark.parametrize(
    "vary", ["seed = '0-99999999'", "seed = '0-999'\nneed = ['uniform', 'power:2']\nsteps = '1-51'"]
)
def test_more_runs_than_a_sweep_can_have_are_refused_before_they_are_listed(vary):
    with pytest.raises(RequestError, match=r"it asks for 10[02],000(,000)? runs, and a sweep has at most 100,000"):
        parse_plan(f"[vary]\n{vary}")


def test_a_start_with_a_word_above_the_range_of_the_game(tmp_path, capsys):
    assert main(["evolve", "1-60", "70", "--range", "99", "--out", str(tmp_path / "run")]) == 2
    assert "the word 70, which lies above the game's range, 50; leave it out or give a larger game.range" in (
        capsys.readouterr().err
    )


def test_rounds_are_counted_as_they_are_asked_for(tmp_path, capsys):
    coin = ["evolve", "--start", "7", "--choose", "coin", "--out", str(tmp_path / "run"), "--rounds"]
    assert main([*coin, "4"]) == 0
    assert main([*coin, "6"]) == 0
    assert "goes on after round 4 of 6" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"format": 3, "config": {"rounds": "many"}}', 'its rounds are "many", which is no number from 0 up'),
        ('{"format": 3, "config": {}}', "it has no rounds"),
        ("[]", "it is not a table"),
        ('"a text"', "it is not a table"),
    ],
)
def test_a_run_that_does_not_say_how_many_rounds_it_has_is_damaged(tmp_path, capsys, content, reason):
    run(evolution("power:2"), tmp_path / "good")
    shutil.copytree(tmp_path / "good", tmp_path / "bad")
    (tmp_path / "bad" / "run.json").write_text(content)
    with pytest.warns(RunWarning, match=rf"cannot be read \({reason}\)"):
        assert set(rounds_table(tmp_path)["run"]) == {"good"}
    assert main(["table", str(tmp_path / "bad"), "-o", str(tmp_path / "x.csv")]) == 2
    assert f"({reason})" in capsys.readouterr().err
    assert archive(tmp_path, tmp_path / "runs.tar.xz").left_out["bad"].startswith("cannot be kept")


def test_a_failed_start_binds_nobody_to_its_config(tmp_path):
    broken = toy(2, width=4)
    broken.fail = {0: ValueError("it broke")}
    with pytest.raises(ValueError, match="it broke"):
        run(broken, tmp_path)
    run(toy(2, width=5), tmp_path)
    assert json.loads((tmp_path / "run.json").read_text())["config"]["width"] == 5
    with pytest.raises(RequestError, match="has width = 5, and 4 was asked for"):
        run(toy(2, width=4), tmp_path)


@pytest.mark.parametrize("damage", ["", '{"round": 0}\nnot json\n'])
def test_a_finished_run_without_its_rounds_is_damaged(tmp_path, damage):
    run(toy(2), tmp_path)
    (tmp_path / "rounds.jsonl").write_text(damage)
    with pytest.raises(RequestError, match=r"is damaged: it is called done, but rounds\.jsonl can be read for [01] of"):
        run(toy(2), tmp_path)


def test_a_damaged_line_is_told_when_rounds_are_collected(tmp_path):
    run(Evolution(EVOLUTION.options_from({**SMALL, "choose": "coin"})), tmp_path / "run")
    lines = (tmp_path / "run" / "rounds.jsonl").read_text().splitlines()
    (tmp_path / "run" / "rounds.jsonl").write_text(f"{lines[0]}\nnot json\n{lines[2]}\n")
    with pytest.warns(RunWarning, match="can be read for 1 of its 3 rounds only"):
        assert len(rounds_table(tmp_path)) == 1


def test_one_unreadable_run_does_not_hide_the_others(tmp_path, capsys):
    for name in ("good", "bad"):
        run(Evolution(EVOLUTION.options_from({**SMALL, "choose": "coin"})), tmp_path / name)
    (tmp_path / "bad" / "run.json").write_text("{")
    with pytest.warns(RunWarning, match=r"bad/run\.json cannot be read .* It is left out"):
        assert set(rounds_table(tmp_path)["run"]) == {"good"}
    shutil.rmtree(tmp_path / "good")
    assert main(["table", str(tmp_path), "-o", str(tmp_path / "x.csv")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def evolution(need, rounds=2):
    return Evolution(EVOLUTION.options_from({**SMALL, "rounds": rounds, "choose": "coin", "need": need}))


def needs(path, power):
    path.write_text("".join(f"{n},{n**-power}\n" for n in range(1, 120)))


def test_a_need_file_that_changes_is_noticed(tmp_path):
    file = tmp_path / "need.csv"
    needs(file, 1)
    run(evolution(f"file:{file}"), tmp_path / "run")
    needs(file, 2)
    for rounds in (2, 3):  # also a run that is done was not played with this need
        with pytest.raises(RequestError, match=r"need\.csv holds has changed since the run in .* began"):
            run(evolution(f"file:{file}", rounds=rounds), tmp_path / "run")
    needs(file, 1)
    run(evolution(f"file:{file}", rounds=3), tmp_path / "run")
    assert len(read_rounds(tmp_path / "run")) == 4


def test_a_need_file_that_nobody_recorded_is_recorded_from_then_on(tmp_path):
    file = tmp_path / "need.csv"
    needs(file, 1)
    run(evolution(f"file:{file}"), tmp_path / "run")
    document = json.loads((tmp_path / "run" / "run.json").read_text())
    del document["inputs"]
    (tmp_path / "run" / "run.json").write_text(json.dumps(document))
    with pytest.warns(RunWarning, match="it is recorded from here on"):
        run(evolution(f"file:{file}", rounds=3), tmp_path / "run")
    run(evolution(f"file:{file}", rounds=4), tmp_path / "run")
    needs(file, 3)
    with pytest.raises(RequestError, match="has changed"):
        run(evolution(f"file:{file}", rounds=5), tmp_path / "run")


@pytest.mark.parametrize("wild", [{"learning_rate": 3e38}, {"learning_rate": 1e38, "listener_entropy": 1e15}])
def test_weights_that_are_not_finite_stop_the_run(tmp_path, wild):
    options = {**SMALL, "game": {**SMALL["game"], **wild}}
    with pytest.raises(RunError, match="parameters are no longer finite"):
        run(Evolution(EVOLUTION.options_from(options)), tmp_path)
    assert not (tmp_path / "checkpoint.npz").exists()
    assert read_rounds(tmp_path) == []


@pytest.mark.parametrize(
    "words",
    [
        ["--game.hidden", str(10**9)],
        ["--game.batch", str(10**12)],
        ["--game.embedding", "1000000"],
        ["--game.learning-rate", "inf"],
        ["--game.lost-entropy", "inf"],
        ["--game.speaker-entropy", "1e300"],
        ["--steps", str(10**30)],
        ["--rounds", str(10**30)],
        ["--pretraining", str(10**30)],
    ],
)
def test_absurd_sizes_are_refused_before_anything_is_made(tmp_path, capsys, words):
    assert main(["evolve", *words, "--out", str(tmp_path / "run")]) == 2
    assert "must be" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_every_kind_of_experiment_checks_types():
    for kind in EXPERIMENTS.values():
        with pytest.raises(RequestError, match=r"rounds is 1\.5, but must be an integer"):
            kind.complete({"rounds": 1.5})


def test_agents_that_are_finite_are_left_alone():
    from ishango.game import Agents, GameOptions
    from ishango.game._agents import check_finite

    agents = Agents.random(GameOptions(hidden=4), np.random.default_rng(0))
    check_finite(agents)
    agents.listener.value[3] = np.nan
    with pytest.raises(RunError, match="The listener's parameters"):
        check_finite(agents)


@pytest.mark.parametrize("records", ["5\n", "null\n", "[1]\n", '{"round": -1}\n', "[" * 100_000 + "\n"])
def test_records_that_are_no_rounds_are_named(tmp_path, capsys, records):
    run(evolution("power:2"), tmp_path / "run")
    (tmp_path / "run" / "rounds.jsonl").write_text(records)
    (tmp_path / "run" / "DONE").unlink()
    assert main(["table", str(tmp_path / "run"), "-o", str(tmp_path / "x.csv")]) == 2
    assert "rounds.jsonl cannot be read: no line of it is the record of a round" in capsys.readouterr().err


@pytest.mark.filterwarnings("default")
def test_text_where_a_number_belongs_is_damage(tmp_path, capsys):
    run(evolution("power:2"), tmp_path / "run")
    records = (tmp_path / "run" / "rounds.jsonl").read_text()
    (tmp_path / "run" / "rounds.jsonl").write_text(records.replace('"gap": ', '"gap": "x", "other": '))
    assert main(["selection", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert 'rounds.jsonl cannot be read (gap is "x")' in told
    assert "None of the runs can be read" in told


def test_runs_that_have_no_gap_at_all_are_compared(tmp_path, capsys):
    run(evolution("exp:100"), tmp_path / "run")
    assert main(["selection", str(tmp_path / "run"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ends"][0]["gap"] is None


def test_a_seed_of_any_length_fits_a_table(tmp_path):
    config = {**SMALL, "rounds": 1, "choose": "coin", "seed": 10**30}
    run(Evolution(EVOLUTION.options_from(config)), tmp_path)
    assert set(rounds_table(tmp_path)["seed"]) == {str(10**30)}


@pytest.mark.parametrize("content", [b"no json\n", b"[]\n", b'{"environment": 5}\n'])
def test_a_damaged_note_of_moves_does_not_stop_a_run(tmp_path, content):
    run(evolution("power:2"), tmp_path)
    (tmp_path / "resumes.jsonl").write_bytes(content)
    run(evolution("power:2", rounds=3), tmp_path)
    assert len(read_rounds(tmp_path)) == 4


def test_a_nested_plan_or_run_without_end_is_no_traceback(tmp_path):
    with pytest.raises(RequestError, match=r"In the plan plan\.toml: maximum recursion"):
        parse_plan("name = " + "[" * 5000)
    (tmp_path / "run.json").write_text("[" * 100_000)
    with pytest.raises(RequestError, match="cannot be read"):
        run(toy(2), tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["restricted", "train", "--weber", "1e-300"], "must be between 0.001 and 1,000"),
        (["restricted", "describe", "1|2-", "--weber", "1e300"], "must be a number from 0.001 to 1000"),
        (["restricted", "train", "--range", "1000"], "go up to 400"),
        (["frontier", "--method", "genetic", "--range", "1"], "use a range of 2 or more"),
        (["frontier", "--method", "genetic", "--population", str(10**9)], "a population of 1 to 1,000,000"),
        (["frontier", "--method", "genetic", "--generations", str(10**30)], "and 1,000,000 generations"),
        (["sweep", "calibration", "--out", "x", "--workers", "100000"], "give between 1 and 1,000"),
    ],
)
def test_brothers_of_absurd_sizes(capsys, words, message):
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_too_little_memory_is_a_sentence(monkeypatch, capsys):
    def greedy(*_arguments):
        raise MemoryError

    monkeypatch.setattr("ishango.cli._describe.minimal_language", greedy)
    assert main(["describe", "1", "2"]) == 1
    assert "not enough memory" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["evolve"], ["restricted", "train"], ["generations"]])
def test_a_directory_that_cannot_be_made_is_a_wrong_request(command, capsys):
    assert main([*command, "--rounds", "1", "--out", "/proc/x"]) == 2
    assert "/proc/x cannot be used" in capsys.readouterr().err


def record(run, **values):
    *lines, last = (run / "rounds.jsonl").read_text().splitlines()
    changed = json.dumps(json.loads(last) | values)
    (run / "rounds.jsonl").write_text("\n".join([*lines, changed]) + "\n")


def config(run, **values):
    document = json.loads((run / "run.json").read_text())
    document["config"] |= values
    (run / "run.json").write_text(json.dumps(document))


SPOILED = {
    "half a character": lambda run: config(run, add="\ud800"),
    "half a character in a name": lambda run: config(run, **{"\ud800": 1}),
    "an option that there is not": lambda run: config(run, wheels=4),
    "a part of a seed": lambda run: config(run, seed=1.5),
    "accepted": lambda run: record(run, accepted=1),
    "size": lambda run: record(run, size="7"),
    "digits": lambda run: record(run, digits=[1, "a"]),
    "gap": lambda run: record(run, gap=[1]),
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED.keys())
def test_a_run_that_says_what_no_run_says_is_left_out_and_named(tmp_path, spoil):
    for name in ("good", "bad"):
        run(Evolution(EVOLUTION.options_from({**SMALL, "choose": "coin"})), tmp_path / name)
    whole = rounds_table(tmp_path)
    spoil(tmp_path / "bad")
    with pytest.warns(RunWarning, match=r"bad/\w+\.jsonl? cannot be read .*left out"):
        left = rounds_table(tmp_path)
    good = whole[whole["run"] == "good"].reset_index(drop=True)
    assert left.astype(str).equals(good.astype(str))


@pytest.mark.parametrize("line", ['"round": "2"', '"round": 2.0', '"round": true'])
def test_a_round_that_is_no_number_ends_the_rounds_for_every_reader(tmp_path, line):
    run(Evolution(EVOLUTION.options_from({**SMALL, "choose": "coin"})), tmp_path / "run")
    records = (tmp_path / "run" / "rounds.jsonl").read_text()
    (tmp_path / "run" / "rounds.jsonl").write_text(records.replace('"round": 2', line))
    assert len(read_rounds(tmp_path / "run")) == 2
    with pytest.warns(RunWarning, match="can be read for 2 of its 3 rounds only"):
        assert len(rounds_table(tmp_path)) == 2


@pytest.mark.parametrize(
    "nested", ["[" * 150 + "]" * 150, "[[]," * 150 + "0" + "]" * 150, '{"a":' * 150 + "0" + "}" * 150]
)
def test_a_record_that_is_nested_too_deeply_ends_the_rounds_of_its_run_alone(tmp_path, nested):
    for name in ("good", "bad", "wide"):
        run(Evolution(EVOLUTION.options_from({**SMALL, "choose": "coin"})), tmp_path / name)
    record(tmp_path / "bad", more=json.loads(nested))
    record(tmp_path / "wide", more=[[]] * 150)
    with pytest.warns(RunWarning, match="bad is damaged: .* can be read for 2 of its 3 rounds only"):
        found = rounds_table(tmp_path)
    assert found.groupby("run")["round"].count().to_dict() == {"bad": 2, "good": 3, "wide": 3}


def test_agents_whose_weights_are_no_numbers_are_refused(tmp_path, capsys):
    run(Evolution(EVOLUTION.options_from(SMALL)), tmp_path)
    (tmp_path / "checkpoint.previous.npz").unlink()
    saved = decode((tmp_path / "checkpoint.npz").read_bytes())
    nan = {name: np.full_like(each, np.nan) if name == "speaker_value" else each for name, each in saved.state.items()}
    (tmp_path / "checkpoint.npz").write_bytes(encode(Checkpoint(saved.round, saved.config, nan, saved.curve)))
    assert main(["agents", str(tmp_path), "dictionary"]) == 2
    assert "some of its parameters are no numbers" in capsys.readouterr().err
