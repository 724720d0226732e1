"""An experiment's file: what it says, and one sentence with the line where it says else."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.experiments.schema import experiment_of, read_experiment
from engine.records.errors import UsageError
from engine.records.settings import Budget, SearchSettings

LEAST = "models: [squeezenet]\nbudgets: [{trials: 5}]\n"


def test_a_file_names_models_and_budgets_and_the_rest_has_defaults(tmp_path: Path) -> None:
    file = tmp_path / "small.yaml"
    file.write_text(LEAST)
    read = read_experiment(file)
    (cell,) = read.cells()
    assert (read.name, read.jobs) == ("small", 1)
    assert cell.group == ("squeezenet", "auto", "dynatune", "search", "5 trials")
    assert cell.settings.budget == Budget(5)


def test_all_axes_multiply_with_the_seeds_outermost(tmp_path: Path) -> None:
    (tmp_path / "a.onnx").write_bytes(b"a")
    text = """
    name: All
    models: [squeezenet, {model: a.onnx, name: small, shapes: {x: 1x3x8x8}, values: {rate: 2},
              precision: tf32}]
    targets: [cpu, cuda]
    policies: [dynatune, {policy: epsilon-greedy, epsilon: 0.5}]
    plans: [search, "search:10,droplet"]
    budgets: [{seconds: 1e1}, {trials: 5, latency_ms: 2}]
    seeds: [4, 5]
    jobs: 2
    """
    read = experiment_of(text, tmp_path)
    cells = list(read.cells())
    assert len(cells) == len(read) == 64
    assert [cell.seed for cell in cells] == [4] * 32 + [5] * 32
    assert len({cell.name for cell in cells}) == 64
    last = cells[-1]
    assert last.model.source.location == str(tmp_path / "a.onnx")
    assert (last.model.source.shapes, last.model.source.values) == (
        {"x": (1, 3, 8, 8)},
        {"rate": 2},
    )
    assert (cells[0].model.source.precision, last.model.source.precision) == ("float32", "tf32")
    assert last.policy.name == "epsilon-greedy (epsilon 0.5)"
    assert last.settings.policy_options == {"epsilon": 0.5}
    assert last.budget == Budget(5, None, 0.002)
    assert [step.kind for step in last.settings.steps] == ["search", "droplet"]


def test_further_axes_multiply_too_and_rounds_come_together(tmp_path: Path) -> None:
    text = f"""{LEAST}
search: [{{}}, {{batch: 32}}, {{name: wide, population: 64, peers: 0}}]
devices: [none, "cuda:0,cuda:1"]
scheduling: [sequential, {{scheduling: interleaved, gather_s: 0.5}}]
concurrency: [1, 3]
cores: [2, 1]
seeds: [4, 5]
"""
    read = experiment_of(text, tmp_path)
    cells = list(read.cells())
    assert len(cells) == len(read) == 96 == len({cell.name for cell in cells})
    rounds = [cell.round for cell in cells]
    assert len(set(rounds)) == 16
    assert [shared for shared, _ in groupby(rounds)] == list(dict.fromkeys(rounds))
    assert cells[0].further == ("standard", "none", "sequential", "1", "2")
    last = cells[-1]
    assert last.further == ("wide", "cuda:0,cuda:1", "interleaved (gather_s 0.5)", "3", "1")
    assert last.settings.search == SearchSettings(population=64, peers=0)
    assert last.settings.devices == "cuda:0,cuda:1" and cells[0].settings.devices == ""
    assert cells[2].settings.search == SearchSettings(batch=32)
    assert cells[2].search.name == "standard (batch 32)"
    scheduling = last.conditions.scheduling
    assert scheduling is not None and scheduling.options == {"gather_s": 0.5}


def test_each_further_axis_makes_another_cell(tmp_path: Path) -> None:
    (cell,) = experiment_of(LEAST, tmp_path).cells()
    assert cell.round is None and cell.further == ("standard", "none", "", "", "")
    for more in ("search: [{batch: 8}]", "devices: [cuda]", "cores: [1]", "concurrency: [1]"):
        (other,) = experiment_of(f"{LEAST}{more}", tmp_path).cells()
        assert other.name != cell.name


def test_a_model_may_be_tuned_in_several_precisions_which_are_named(tmp_path: Path) -> None:
    text = LEAST.replace("squeezenet", "squeezenet, {model: squeezenet, precision: float16}")
    first, second = experiment_of(text, tmp_path).cells()
    assert (first.model.name, second.model.name) == ("squeezenet", "squeezenet float16")
    assert first.name != second.name


def test_a_cell_has_another_name_when_its_model_or_settings_change(tmp_path: Path) -> None:
    model = tmp_path / "a.onnx"

    def name(text: str) -> str:
        (cell,) = experiment_of(text, tmp_path).cells()
        return cell.name

    model.write_bytes(b"a")
    text = "models: [a.onnx]\nbudgets: [{trials: 5}]"
    before = name(text)
    assert name(text) == before
    assert name(text.replace("5", "6")) != before
    model.write_bytes(b"b")
    assert name(text) != before


WRONG = {
    "nothing": ("", ""),
    "a word": ("models", "Line 1: An experiment is written with keys."),
    "no models": ("budgets: [{trials: 5}]", "Line 1: there are no models."),
    "no budgets": ("models: [squeezenet]", "Line 1: there are no budgets."),
    "an unknown key": (f"{LEAST}seed: [1]", "Line 3: An experiment has no 'seed'."),
    "no list": (f"{LEAST}seeds: 3", "Line 3: seeds is no list."),
    "an empty list": (f"{LEAST}seeds: []", "Line 3: seeds is no list."),
    "a seed": (f"{LEAST}seeds: [1,\n  x]", "Line 4: a seed is 'x'."),
    "a half seed": (f"{LEAST}seeds: [1.5]", "Line 3: a seed is '1.5'."),
    "the same twice": (f"{LEAST}seeds:\n- 1\n- 1", "Line 5: seeds has the same twice."),
    "a model": (LEAST.replace("squeezenet", "a.onnx"), "Line 1: There is neither a file"),
    "a model's key": (
        LEAST.replace("squeezenet", "{model: squeezenet, shape: {}}"),
        "Line 1: A model has no 'shape'.",
    ),
    "a shape": (
        LEAST.replace("squeezenet", "{model: squeezenet, shapes: {x: big}}"),
        "Line 1: 'x=big' is not a shape.",
    ),
    "a precision": (
        LEAST.replace("squeezenet", "{model: squeezenet, precision: bf16}"),
        "Line 1: There is no precision 'bf16'.",
    ),
    "one name twice": (
        LEAST.replace("squeezenet", "squeezenet, {model: resnet50, name: squeezenet}"),
        "Line 1: two models are called squeezenet.",
    ),
    "a policy": (f"{LEAST}policies: [best]", "Line 3: There is no policy 'best'."),
    "a policy's option": (
        f"{LEAST}policies: [{{policy: dynatune, warmth: 2}}]",
        "Line 3: The policy dynatune has no option warmth.",
    ),
    "an option's value": (
        f"{LEAST}policies: [{{policy: epsilon-greedy, epsilon: much}}]",
        "Line 3: epsilon is 'much'.",
    ),
    "a plan": (f"{LEAST}plans: [dig]", "Line 3: There is no step 'dig'."),
    "a budget": ("models: [squeezenet]\nbudgets:\n- trials: 0", "Line 3: trials is 0."),
    "no limit": ("models: [squeezenet]\nbudgets: [{}]", "Line 2: this budget has no limit."),
    "a search's key": (f"{LEAST}search: [{{batches: 4}}]", "Line 3: A search has no 'batches'."),
    "a search's value": (f"{LEAST}search:\n- {{batch: 0}}", "Line 4: batch is 0."),
    "two searches": (
        f"{LEAST}search: [{{name: a, batch: 4}}, {{name: a, batch: 8}}]",
        "Line 3: two search are called a.",
    ),
    "a scheduling": (f"{LEAST}scheduling: [best]", "Line 3: There is no scheduling policy 'best'."),
    "a scheduling's option": (
        f"{LEAST}scheduling: [{{scheduling: interleaved, gather_s: much}}]",
        "Line 3: gather_s is 'much'.",
    ),
    "a scheduling's sense": (
        f"{LEAST}scheduling: [{{scheduling: interleaved, gather_s: 9, patience_s: 1}}]",
        "Line 3: Seconds to gather of 9 and patience of 1 do not fit.",
    ),
    "concurrency": (f"{LEAST}concurrency: [65]", "Line 3: a number of jobs is 65."),
    "cores": (f"{LEAST}cores: [0]", "Line 3: a number of cores is 0."),
    "no cores": (f"{LEAST}cores: [all]", "Line 3: a number of cores is 'all'."),
    "devices": (f"{LEAST}devices: ['']", "Line 3: a list of devices must be one word"),
    "jobs said twice": (
        f"{LEAST}jobs: 2\nconcurrency: [1, 2]",
        "Line 3: jobs and concurrency say the same.",
    ),
    "a key twice": (f"{LEAST}models: [resnet50]", "Line 3: 'models' comes twice."),
    "an alias": ("models: &a [squeezenet]\nbudgets: *a", "Line 1: anchors and aliases"),
    "a tag": ("models: !!python/object:os.system x", "Line 1: the tag"),
    "no YAML": ("models: [", "Line 1: this is no YAML"),
    "a tab": ("models:\n\t- x", "Line 2: this is no YAML"),
    "too deep": ("models: " + "[" * 60, "Line 1: this is nested too deeply."),
    "too many": (f"{LEAST}seeds: {list(range(10_001))}", "The experiment has 10,001 cells."),
    "no text": ("models: \x00", ""),
}


@pytest.mark.parametrize(("text", "what"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_one_sentence_with_its_line(text: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        experiment_of(text, tmp_path)
    assert caught.value.what.startswith(what)
    assert caught.value.what.endswith(".")
    assert caught.value.todo.endswith(".")
    assert "\n" not in str(caught.value)


@given(st.text(alphabet="models:budgt[]{},-& *!|>\n\t\"'#?%@` 12e.", max_size=60))
def test_any_text_is_an_experiment_or_refused(text: str) -> None:
    for whole in (text, LEAST + text):
        try:
            experiment_of(whole, Path("/nowhere"))
        except UsageError as error:
            assert error.what


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", None])
def test_a_file_that_is_no_text_or_not_there_is_refused(
    content: bytes | None, tmp_path: Path
) -> None:
    file = tmp_path / "a.yaml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError):
        read_experiment(file)


@pytest.mark.parametrize("place", ["n" * 300 + ".onnx", "a.onnx/b.onnx", "/" + "n" * 5000])
def test_a_model_s_path_that_the_system_refuses_is_a_sentence_with_its_line(
    place: str, tmp_path: Path
) -> None:
    (tmp_path / "a.onnx").touch()
    with pytest.raises(UsageError, match="Line 1: "):
        experiment_of(f"models: [{place}]\nbudgets: [{{trials: 5}}]\n", tmp_path)
