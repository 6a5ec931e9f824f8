from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ishango.errors import RequestError
from ishango.game import (
    Agents,
    GameOptions,
    best_message,
    competence,
    dictionary,
    edit_distances,
    encode,
    export,
    listen,
    load_agents,
    play,
    save_agents,
    speak,
    topographic_similarity,
    write_dictionary,
)


def test_parameters_begin_as_pytorchs(agents):
    for agent in (agents.speaker, agents.listener):
        parameters = agent.parameters()._asdict()
        assert abs(parameters.pop("embedding").std() - 1) < 0.1
        for weight in parameters.values():
            assert np.abs(weight).max() <= 0.1
            assert abs(weight.mean()) < 0.02
        assert np.abs(parameters["w_hidden"]).max() > 0.0999


@pytest.mark.parametrize("name", ["steps", "square"])
def test_one_number_below_zero_is_enough_to_refuse_an_agent(name):
    arrays = Agents.random(GameOptions(hidden=5), np.random.default_rng(0)).to_arrays()
    (whole,) = [array for key, array in arrays.items() if key == f"speaker_{name}"]
    whole.flat[-1] = -1
    with pytest.raises(RequestError, match="its steps or squares are below 0"):
        Agents.from_arrays(arrays)


def test_padding_stays_zero(starts, need):
    options, rng = GameOptions(hidden=5, vocabulary=11), np.random.default_rng(0)
    agents = Agents.random(options, rng)
    play(agents, [starts[1]], need, options, 20, rng)
    for agent in (agents.speaker, agents.listener):
        kept = agent.copy()
        kept.value[...] = 0
        for mine, its in zip(agent.parameters(), kept.parameters(), strict=True):
            its[...] = mine
        assert np.array_equal(kept.value, agent.value)


def test_saved_agents_come_back(agents, starts, need, tmp_path):
    options = GameOptions()
    play(agents, [starts[1]], need, options, 3, np.random.default_rng(0))
    save_agents(agents, tmp_path / "agents.npz")
    twins = load_agents(tmp_path / "agents.npz")
    for pair in (agents, twins):
        play(pair, [starts[1]], need, options, 3, np.random.default_rng(1))
    assert all(
        np.array_equal(a, b) for a, b in zip(agents.to_arrays().values(), twins.to_arrays().values(), strict=True)
    )
    assert [p.name for p in tmp_path.iterdir()] == ["agents.npz"]


def test_a_file_that_holds_no_agents_is_refused(tmp_path):
    path = tmp_path / "other.npz"
    np.savez(path, a=np.zeros(3))
    with pytest.raises(RequestError, match="not a saved agent"):
        load_agents(path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(RequestError, match="does not hold saved agents"):
        load_agents(path)
    path.write_text("nothing")
    with pytest.raises(RequestError, match="does not hold saved agents: File is not a zip file"):
        load_agents(path)
    np.save(tmp_path / "array.npy", np.zeros(3))
    with pytest.raises(RequestError, match="does not hold saved agents: File is not a zip file"):
        load_agents(tmp_path / "array.npy")
    with pytest.raises(RequestError, match="does not hold saved agents"):
        load_agents(tmp_path / "absent.npz")


def test_export_loads_into_pytorch(agents, starts, tmp_path):
    torch = pytest.importorskip("torch")
    from safetensors.torch import load_file

    export(agents, tmp_path / "agents.safetensors")
    tensors = load_file(tmp_path / "agents.safetensors")
    lstm, embedding, output = (
        torch.nn.LSTM(5, 100, batch_first=True),
        torch.nn.Embedding(53, 5),
        torch.nn.Linear(100, 53),
    )
    for name, module in (("lstm", lstm), ("embedding", embedding), ("output", output)):
        prefix = f"speaker.{name}."
        module.load_state_dict({n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)})
    tokens, lengths = encode([starts[1]], 50)
    string = torch.from_numpy(tokens[0, 36, : lengths[0, 36]])
    theirs = output(lstm(embedding(string)[None])[0][0]).softmax(-1).detach().numpy()
    assert np.allclose(speak(agents, starts[1], 37), theirs, atol=1e-6)


def test_asking_gives_distributions(agents, starts):
    said = speak(agents, starts[1], 6)
    assert said.shape == (5, 53)
    assert np.allclose(said.sum(-1), 1)
    heard = listen(agents, best_message(agents, starts[1], 6))
    assert heard.shape == (50,)
    assert heard.sum() == pytest.approx(1)


def test_wrong_questions_are_refused(agents, starts):
    with pytest.raises(RequestError, match="number 51 is outside"):
        speak(agents, starts[1], 51)
    for message in ([], [53], [-1]):
        with pytest.raises(RequestError, match="from 0 to 52"):
            listen(agents, message)


def test_greedy_accuracy_weighs_by_need(agents, starts):
    right = [listen(agents, best_message(agents, starts[1], n)).argmax() + 1 == n for n in range(1, 51)]
    weights = np.arange(50.0)
    assert competence(agents, starts[1], weights).accuracy == pytest.approx(weights @ right / weights.sum())


def test_dictionary(agents, starts, tmp_path):
    table = dictionary(agents, starts[1])
    assert list(table["number"]) == list(range(1, 51))
    assert table["message"].str.split().str.len().tolist() == table["expression"].str.split().str.len().tolist()
    row = table.set_index("number").loc[6]
    assert row["message"] == " ".join(map(str, best_message(agents, starts[1], 6)))
    assert row["shared_by"] == (table["message"] == row["message"]).sum()
    write_dictionary(agents, starts[1], tmp_path / "dictionary.csv")
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "dictionary.csv", dtype={"message": str}), table)


def test_topographic_similarity():
    expressions = [("1",), ("1", "*", "4"), ("1", "*", "4", "+", "2"), ("2", "*", "4")]
    renamed = [tuple({"1": "a", "2": "b", "*": "c", "4": "d", "+": "e"}[t] for t in e) for e in expressions]
    assert topographic_similarity(expressions, renamed) == pytest.approx(1)
    assert np.isnan(topographic_similarity(expressions, [("a",)] * 4))


def test_edit_distances():
    """Against the definition: the least over what can be done with the first symbols."""

    @cache
    def least(one, other):
        if not one or not other:
            return len(one) + len(other)
        replaced = least(one[1:], other[1:]) + (one[0] != other[0])
        return min(replaced, least(one[1:], other) + 1, least(one, other[1:]) + 1)

    rng = np.random.default_rng(0)
    strings = [tuple(rng.choice(list("abc"), size=rng.integers(7))) for _ in range(30)]
    assert edit_distances(strings).tolist() == [least(*pair) for pair in combinations(strings, 2)]
    assert edit_distances([]).size == edit_distances([("a",)]).size == 0


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (("51",), "word 51, which is outside the game range 1-50"),
        (("0",), "outside"),
        (("/",), "no operator"),
        ((), "no expression"),
    ],
)
def test_wrong_expressions_are_refused(starts, tokens, sentence):
    with pytest.raises(RequestError, match=sentence):
        encode([{**starts[1], 9: tokens}], 50)


def test_encoding():
    tokens, lengths = encode([{1: ("1",), 2: ("1", "+", "1"), 3: ("3",)}], 3)
    assert lengths.tolist() == [[1, 3, 1]]
    assert tokens.tolist() == [[[0, 0, 0], [0, 3, 0], [2, 0, 0]]]


def test_topographic_similarity_has_the_bits_of_scipys_rank_correlation():
    rng = np.random.default_rng(0)
    for _ in range(50):
        sides = [[tuple(rng.choice(list("abc"), rng.integers(1, 5))) for _ in range(12)] for _ in range(2)]
        left, right = map(edit_distances, sides)
        assert topographic_similarity(*sides) == stats.spearmanr(left, right).statistic
