"""The experiment: what a test records, resuming, controls, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from ishango.cli import main
from ishango.errors import RequestError
from ishango.lab import RunView, columns, play_in_memory, read_rounds, run
from ishango.learnability import LEARNABILITY, Learnability, LearnabilityOptions
from ishango.learnability._experiment import LearnabilityRecord, area

SMALL = {"rounds": 3, "steps": 40, "game.hidden": 16, "game.range": 20, "game.learning_rate": 0.01, "held_out": 4}
TIMES = ("seconds", "steps_per_second")


def nested(config: dict) -> dict:
    from ishango.lab._plan import nested as nest

    return nest(config)


def play(**config) -> tuple[Learnability, list[dict]]:
    experiment = LEARNABILITY.from_config(nested({**SMALL, **config}))
    return experiment, play_in_memory(experiment)[0]


LEARNERS = {
    "listener": {},
    "line": {"answers": "line"},
    "shuffled": {"labels": "shuffled"},
    "pair": {"learner": "pair"},
    "imitation": {"learner": "imitation"},
    "examples": {"examples": 10},
    "twin": {"numerals": "permuted", "notation": "prefix"},
}


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_run_that_is_stopped_and_continued_has_the_same_bytes(learner, tmp_path: Path):
    ends = []
    for directory, parts in (("whole", [3]), ("parts", [1, 3])):
        for rounds in parts:
            run(
                LEARNABILITY.from_config(nested({**SMALL, **LEARNERS[learner], "rounds": rounds})), tmp_path / directory
            )
        records = read_rounds(tmp_path / directory)
        state = (tmp_path / directory / "checkpoint.npz").read_bytes()
        ends.append(([{k: v for k, v in each.items() if k not in TIMES} for each in records], state))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_record_says_what_the_guesses_say(learner):
    experiment, records = play(**LEARNERS[learner])
    numbers, held = np.arange(1, 21), np.isin(np.arange(1, 21), experiment.held_out)
    assert held.sum() == 4
    assert all(len(experiment.numerals.tokens[n]) > 1 for n in experiment.held_out)
    curve = []
    for at, record in enumerate(records):
        assert (record["round"], record["steps_learned"]) == (at, 40 * at)
        right = np.array(record["guesses"]) == numbers
        assert record["accuracy"] == pytest.approx(right[~held].mean())
        assert record["generalisation"] == pytest.approx(right[held].mean())
        curve.append(record["accuracy"])
        assert record["area"] == area(np.array(curve))
        lengths = [(len(experiment.numerals.tokens[n]) + 1) // 2 for n in numbers.tolist()]
        for words, share in enumerate(record["accuracy_by_words"], 1):
            among = (np.array(lengths) == words) & ~held
            assert share == (pytest.approx(right[among].mean()) if among.any() else None)
        assert list(record) == [each.name for each in columns(LearnabilityRecord)]


def test_accuracy_by_the_test_need_and_steps_to_90():
    _, records = play(test_need="power:2", rounds=12, held_out=0)
    weights = 1 / np.arange(1, 21) ** 2.0
    right = np.array(records[-1]["guesses"]) == np.arange(1, 21)
    assert records[-1]["accuracy"] == pytest.approx(weights[right].sum() / weights.sum())
    reached = [each["steps_learned"] for each in records if each["accuracy"] >= 0.9]
    assert records[-1]["steps_to_90"] == reached[0]
    assert records[0]["steps_to_90"] is None


def test_numbers_held_out_are_never_heard_and_examples_are_what_is_heard():
    experiment, records = play(examples=10)
    state = play_in_memory(experiment)[1]
    assert (state.heard > 0).tolist() == (experiment.weights > 0).tolist()
    assert state.heard[np.array(experiment.held_out) - 1].sum() == 0
    assert experiment.weights.sum() == pytest.approx(1)
    assert 0 < (state.heard > 0).sum() <= 10
    assert records[0]["accuracy_seen"] is None
    assert records[-1]["accuracy_unseen"] < records[-1]["accuracy_seen"]


def test_a_pair_has_seen_the_examples_that_were_drawn_for_it():
    experiment, records = play(learner="pair", examples=6, need="uniform", rounds=6)
    seen = experiment.weights > 0
    unseen = ~seen & ~np.isin(np.arange(1, 21), experiment.held_out)
    assert seen.any()
    assert unseen.any()
    right = np.array(records[-1]["guesses"]) == np.arange(1, 21)
    assert records[-1]["accuracy_seen"] == pytest.approx(right[seen].mean())
    assert records[-1]["accuracy_unseen"] == pytest.approx(right[unseen].mean())
    assert right[seen].mean() != right[unseen].mean()


def test_a_number_that_was_heard_less_than_never_is_damage():
    experiment = LEARNABILITY.from_config(nested(SMALL))
    arrays = experiment.save(play_in_memory(experiment)[1])
    experiment.load(arrays)
    heard = arrays["heard"].copy()
    heard[3] = -1
    with pytest.raises(RequestError, match="how often each number was heard"):
        experiment.load({**arrays, "heard": heard})


@pytest.mark.parametrize("numerals", ["ties", "permuted"])
def test_a_twin_is_needed_and_costs_as_its_system(numerals):
    own, twin = (LEARNABILITY.from_config(nested({**SMALL, "numerals": each, "held_out": 0, "system": "1-4 | 5,10"}))
                 for each in ("shortest", numerals))  # fmt: skip
    assert {name for name in own.config if own.config[name] != twin.config[name]} == {"numerals"}
    assert own.weights.tolist() == twin.weights.tolist()
    assert all(own.figures[name] == twin.figures[name] for name in ("size", "length"))


def test_shuffled_labels_teach_nothing_where_own_ones_do():
    last = {labels: play(labels=labels, need="uniform", rounds=6, steps=100)[1][-1] for labels in ("own", "shuffled")}
    assert last["own"]["accuracy"] > 0.9
    assert last["shuffled"]["accuracy"] < 0.25


def test_classes_cannot_name_a_number_that_they_never_heard_and_the_line_can():
    config = {
        "need": "uniform",
        "rounds": 6,
        "steps": 400,
        "game.range": 50,
        "game.hidden": 40,
        "game.learning_rate": 0.005,
    }
    shares = {answers: play(answers=answers, **config)[1][-1] for answers in ("classes", "line")}
    assert shares["classes"]["accuracy"] > 0.9
    assert shares["classes"]["generalisation"] == 0
    assert shares["line"]["generalisation"] > 0.5


def test_pytorchs_networks_learn_too():
    pytest.importorskip("torch")
    for learner in ("listener", "pair"):
        experiment, records = play(players="torch", learner=learner, rounds=1, steps=2)
        state = experiment.load(experiment.save(experiment.start(lambda *_: None)[0]))
        again = experiment.play(state, 1, lambda *_: None)[1].record
        assert again["guesses"] == records[-1]["guesses"]
    _, records = play(players="torch", need="uniform", rounds=1, steps=150)
    assert records[-1]["accuracy"] > 0.5


@pytest.mark.parametrize("examples", [None, 10])
def test_a_number_that_is_needed_must_be_left_as_an_example(tmp_path, examples):
    needs = "".join(f"{number},{int(number == 21)}\n" for number in range(1, 100))
    (tmp_path / "need.csv").write_text(f"number,need\n{needs}")
    with pytest.raises(RequestError, match="held_out is 19, which leaves no number that is needed as an example"):
        play(**{"need": f"file:{tmp_path / 'need.csv'}", "held_out": 19, "game.range": 30, "examples": examples})


REFUSED = {
    "system": ({"system": "2 | 4"}, "has no expression for 1"),
    "word above the range": ({"system": "1-9 | 10,60", "game.range": 50}, "has the word 60, above the range, 50"),
    "no language": ({"system": "Engish"}, "There is no language 'Engish'"),
    "held out": ({"held_out": 99}, "held_out is 99, but must be between 0 and 98"),
    "examples": ({"examples": 0}, "examples is 0"),
    "learner": ({"learner": "speaker"}, 'learner is "speaker", but must be listener or pair or imitation'),
    "labels of a pair": ({"learner": "pair", "labels": "shuffled"}, "control for the listener alone"),
    "line of a pair": ({"learner": "pair", "answers": "line"}, "Only a listener that learns alone"),
    "line of torch": ({"players": "torch", "answers": "line"}, "Only the kernel's listener"),
    "imitation of torch": ({"players": "torch", "learner": "imitation"}, "Only the kernel's pairs"),
    "steps": ({"steps": 0}, "steps is 0, but must be between 1 and 1,000,000,000"),
    "range": ({"game.range": 1, "system": "1 | 1"}, "the range is 1"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_makes_no_sense_is_refused(what):
    config, message = REFUSED[what]
    with pytest.raises(RequestError, match=message):
        LEARNABILITY.options_from(nested(config))


def test_too_many_held_out_are_refused():
    with pytest.raises(RequestError, match=r"only 11 numbers of 1-9 \| 10 are composed"):
        Learnability(LEARNABILITY.options_from(nested({"held_out": 11, "game.range": 20})))  # before a run is begun


@pytest.mark.parametrize("learner", ["listener", "imitation"])
def test_symbols_of_a_pair_that_talks_are_no_others(learner):
    """Options are checked beside the preset before the learner is known; nobody else reads it."""
    one, other = (play(learner=learner, streams="seed", **more)[1] for more in ({}, {"game.vocabulary": 5}))
    assert [each["guesses"] for each in one] == [each["guesses"] for each in other]
    assert "game.vocabulary" in LEARNABILITY.unread({"learner": learner, "game": {"vocabulary": 5}})


def test_a_pair_is_played_with_a_preset_from_the_command_line(tmp_path, capsys):
    words = "learnability --learner pair --preset able --rounds 1 --steps 2 --game.hidden 4 --range 20 --json --out"
    assert main([*words.split(), str(tmp_path / "run")]) == 0
    assert RunView(tmp_path / "run").config["game"]["vocabulary"] == 106
    assert main([*words.replace("pair", "listener").split(), str(tmp_path / "other")]) == 2
    assert "--preset changes nothing here, because the listener is told" in capsys.readouterr().err


def test_a_language_is_kept_as_its_system():
    assert LearnabilityOptions(system="French").system == "1-9 | 10,20"
