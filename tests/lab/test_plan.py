from contextlib import nullcontext
from typing import Literal

import pytest

from ishango.errors import RequestError
from ishango.lab import expand, load_plan, parse_plan
from ishango.lab._plan import LONGEST_NAME, _fits, directory_name, refuse_changes


def test_the_union_of_variants_times_every_combination():
    plan = parse_plan(
        """
        name = "a study"
        about = "of nothing"
        [base]
        rounds = 9
        agents.entropy = 0.1
        [vary]
        start = [1, 7]
        seed = "100-101"
        [[variant]]
        [[variant]]
        agents.entropy = 0.01
        """
    )
    runs = expand(plan)
    assert (plan.name, plan.about) == ("a study", "of nothing")
    assert [name for name, _ in runs] == [
        "start=1,seed=100",
        "start=1,seed=101",
        "start=7,seed=100",
        "start=7,seed=101",
        "agents.entropy=0.01,start=1,seed=100",
        "agents.entropy=0.01,start=1,seed=101",
        "agents.entropy=0.01,start=7,seed=100",
        "agents.entropy=0.01,start=7,seed=101",
    ]
    assert runs[0][1] == {"rounds": 9, "agents": {"entropy": 0.1}, "start": 1, "seed": 100}
    assert runs[-1][1] == {"rounds": 9, "agents": {"entropy": 0.01}, "start": 7, "seed": 101}


def test_a_variant_without_changes_is_the_run_as_it_is():
    assert [config for _, config in expand(parse_plan("[[variant]]\n[[variant]]\nstart = 7"))] == [{}, {"start": 7}]


@pytest.mark.parametrize(("letters", "fits"), [(LONGEST_NAME - 5, True), (LONGEST_NAME - 4, False)])
def test_a_directory_name_is_as_long_as_it_may_be(letters, fits):
    with nullcontext() if fits else pytest.raises(RequestError, match="too long"):
        assert len(directory_name({"text": "x" * letters})) == LONGEST_NAME


def test_nested_fields_vary_by_table_or_by_dotted_name():
    table = parse_plan("[vary.agents]\nhidden = [5, 6]")
    dotted = parse_plan("[vary]\n'agents.hidden' = [5, 6]")
    assert expand(table) == expand(dotted)
    assert expand(table)[1] == ("agents.hidden=6", {"agents": {"hidden": 6}})


def test_one_run():
    assert expand(parse_plan("[base]\nrounds = 3")) == [("run", {"rounds": 3})]


def test_configs_are_completed():
    assert expand(parse_plan("vary.seed = [4]"), lambda config: {"rounds": 1, **config}) == [
        ("seed=4", {"rounds": 1, "seed": 4})
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("power:2", "power_2"),
        ("../../etc", ".._.._etc"),
        (True, "true"),
        (0.1, "0.1"),
        ([1, [2, 3]], "1+2+3"),
        ("é", "_"),
    ],
)
def test_directory_names_are_safe(value, text):
    assert directory_name({"field": value}) == f"field={text}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[base", "Expected ']'"),
        ("seeds = [1]", "there is no table or field 'seeds'; a plan has name, about, experiment, base, vary, variant"),
        ("base = 3", "base is a int; give a table"),
        ("vary.seed = 3", r'vary\.seed is 3; give a list of values .* or a range of integers such as "0-9"'),
        ("vary.seed = []", r"vary\.seed is \[\]; give a list"),
        ("vary.seed = '9-0'", r'vary\.seed is "9-0"; write the smaller number first'),
        ("variant = [1]", r"variant is not a list of tables; write \[\[variant\]\]"),
        ("variant = []", "variant is not a list of tables"),
        ("vary.seed = [1, 1]", "the runs seed=1 and seed=1 have one config or one name"),
        ("vary.need = ['a:b', 'a/b']", "the runs need=a_b and need=a_b have one config or one name"),
        ("base.seed = 1\n[[variant]]\n[[variant]]\nseed = 1", "the runs run and seed=1 have one config"),
        ("vary.seed = [1]\n[[variant]]\nseed = 2", "seed is in a variant and in vary"),
        ("base.agents = 1\nvary.agents.hidden = [2]", r"agents is both a value and a table"),
        (f"vary.text = ['{'x' * 300}']", r"the directory name text=x.* is too long \(305\)"),
    ],
)
def test_errors_are_one_sentence_that_names_the_plan(tmp_path, text, message):
    path = tmp_path / "my.toml"
    path.write_text(text)
    with pytest.raises(RequestError, match=rf"(?s)In the plan my\.toml: .*{message}.*\.$") as caught:
        expand(load_plan(path))
    assert "\n" not in str(caught.value)


def test_what_completion_refuses_names_the_plan():
    def complete(_config):
        raise RequestError("There is no field x.")

    with pytest.raises(RequestError, match=r"In the plan plan\.toml: There is no field x\.$"):
        expand(parse_plan("base.x = 1"), complete)


def test_a_plan_that_cannot_be_read(tmp_path):
    with pytest.raises(RequestError, match="cannot be read: No such file"):
        load_plan(tmp_path / "absent.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(RequestError, match="it is not UTF-8 text"):
        load_plan(tmp_path / "binary.toml")


@pytest.mark.parametrize(("value", "fits"), [("a", True), (2, True), ("c", False), (1, False), (2.0, False)])
def test_a_field_of_few_values_takes_these_alone(value, fits):
    assert _fits(Literal["a", 2], value) == fits


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, None),
        ({"rounds": 5}, None),
        ({"rounds": 2}, "has rounds = 3, and 2 was asked for; rounds may only grow"),
        ({"seed": 2}, "has seed = 1, and 2 was asked for; only rounds may change"),
        ({"word": 0.5}, "has word = .*, and 0.5 was asked for; only rounds may change"),
    ],
)
def test_of_a_run_only_the_rounds_may_grow(changes, message):
    recorded = {"rounds": 3, "seed": 1}
    with pytest.raises(RequestError, match=message) if message else nullcontext():
        refuse_changes(recorded, recorded | changes, "here")
