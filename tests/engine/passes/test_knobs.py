"""Knobs against latency: which are read, which are said to matter, and which are not."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.passes.knobs import SKETCH, KnobColumn, KnobStudy, explained, study, study_of
from engine.records.errors import ProjectError
from engine.records.trial import ErrorKind, Trial
from tests.engine.passes.landscape import make_trace
from tests.engine.project.support import new_project
from tests.samples import make_trial

FACTORS = (1, 2, 4, 8)


def trial(number: int, trace: str, latency_s: float | None) -> Trial:
    made = make_trial(number, 0, latency_s)
    return replace(made, trace=trace, trace_key=f"{number:064x}")


def drawn(count: int, seed: int = 0, noise: float = 0.02) -> list[Trial]:
    """Trials whose latency follows the unroll alone; tiles and places are drawn, too."""
    dice = random.Random(seed)
    made = []
    for number in range(1, count + 1):
        inner, unroll = dice.choice(FACTORS), dice.randrange(4)
        trace = make_trace(((8 // inner, inner),), unroll, dice.choice((-1, 0, 2)), 16)
        latency_s = 1e-3 * 2.0**unroll * (1.0 + noise * dice.random())
        made.append(trial(number, trace, latency_s))
    return made


def knob(found: KnobStudy, name: str) -> KnobColumn:
    return next(each for each in found.knobs if each.name == name)


def test_each_kind_of_knob_is_read_with_its_values_in_order() -> None:
    found = study(drawn(200))
    texts = {each.name: each.texts for each in found.knobs}
    assert texts == {
        "tile dense loop 1.1": ("1", "2", "4", "8"),
        "tile dense loop 1.2": ("1", "2", "4", "8"),
        "unroll explicit of dense": ("0", "16", "64", "512"),
        "place of dense": ("its own", "loop 1", "loop 3"),
    }
    assert found.steady == 2  # the sketch, and how many iterations become tasks of threads


@pytest.mark.parametrize("seed", range(5))
def test_the_knob_that_makes_the_latency_is_the_most_important(seed: int) -> None:
    first, *others = study(drawn(200, seed)).knobs
    assert first.name == "unroll explicit of dense"
    assert first.importance is not None and first.importance > 0.99
    assert all(each.importance is not None and each.importance < 0.1 for each in others)


def test_two_factors_of_one_tile_matter_alike_where_each_follows_from_the_other() -> None:
    made = [
        trial(number, make_trace(((8 // inner, inner),)), 1e-3 / inner)
        for number, inner in enumerate(FACTORS * 5, 1)
    ]
    found = study(made)
    assert [each.importance for each in found.knobs] == pytest.approx([1.0, 1.0])
    assert found.best_text(knob(found, "tile dense loop 1.2")) == "8"


def test_the_medians_are_those_of_each_value() -> None:
    found = study(drawn(200, noise=0.0))
    medians = found.medians_s(knob(found, "unroll explicit of dense"))
    assert medians.tolist() == pytest.approx([1e-3, 2e-3, 4e-3, 8e-3])


def test_a_knob_of_some_sketches_is_judged_by_the_trials_that_have_it() -> None:
    with_place = [trial(n, make_trace(place=n % 2), 1e-3 * (1 + n % 2)) for n in range(1, 9)]
    without = [trial(n, make_trace(parallel=16), 1e-2) for n in range(9, 17)]
    found = study([*with_place, *without])
    place = knob(found, "place of dense")
    assert place.importance == pytest.approx(1.0)
    assert place.codes.tolist() == [1, 0] * 4 + [-1] * 8
    assert found.best_text(place) == "loop 1"
    assert knob(found, SKETCH).texts == ("1", "2")
    slow = study([*without, trial(20, make_trace(place=1), 2e-2)])
    assert slow.best_text(knob(slow, SKETCH)) == "1"


def test_failed_trials_are_counted_and_have_no_point() -> None:
    failed = replace(trial(99, make_trace(), None), error=ErrorKind.BUILD_ERROR, samples=())
    found = study([*drawn(20), failed])
    assert found.failed == 1
    assert 99 not in found.numbers


TRACE = make_trace(unroll=1, place=2, parallel=16)
BEGIN, ENTER, END = make_trace(((8, 1),), 0, 0, 16).partition('["EnterPostproc"')


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{", "null", '"text"', "[[], 5]", "[" * 5000, TRACE[:-9], TRACE[:200],
        TRACE.replace("[1, 4, 2, 8]", '"many"'),
        TRACE.replace("[1, 4, 2, 8]", "[1, 4, 2, [8]]"), TRACE.replace("[1, 4, 2, 8]", "1e999"),
        BEGIN + ENTER + "[" * 100_000, BEGIN + ENTER + END[:-9], f"{BEGIN}{ENTER}]], []]",
        BEGIN + ENTER + END.replace("[8, 1]", '"81"'), BEGIN + ENTER + END.replace("[8, 1]", "[]"),
        BEGIN + ENTER + END.replace("[8, 1]", "[1e999, 1]"),
        BEGIN + ENTER + END.replace("[8, 1]", "[null, 1]"),
        BEGIN + ENTER + END.replace("8", "true"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("first", [True, False])
def test_a_trace_that_cannot_be_read_is_left_out(text: str, first: bool) -> None:
    good, bad = drawn(20), trial(99, text, 1e-3)
    found = study([bad, *good] if first else [*good, bad])
    assert found.numbers.tolist() == [each.number for each in good]


def test_a_trace_that_names_knobs_without_end_has_no_more_than_anybody_would_read() -> None:
    many = [trial(n, make_trace(((1 + n % 2, 1),) * 300), 1e-3 * n) for n in range(1, 9)]
    found = study(many)
    assert len(found.knobs) + found.steady == 256


def test_without_trials_there_are_no_knobs() -> None:
    assert study([]).knobs == ()


# The measure


@pytest.mark.parametrize(("groups", "count"), [(2, 200), (8, 200), (50, 200), (90, 200)])
def test_what_many_groups_explain_by_chance_is_not_counted(groups: int, count: int) -> None:
    dice = np.random.default_rng(3)
    found = [explained(dice.normal(size=count), np.arange(count) % groups) for _ in range(100)]
    assert np.mean([share for share in found if share is not None]) < 0.06


def test_the_share_is_that_of_the_variance_between_groups() -> None:
    dice, groups = np.random.default_rng(4), np.arange(20_000) % 2
    values = dice.normal(size=20_000) + 2.0 * groups  # variances of 1 within and 1 between
    assert explained(values, groups) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        ((), ()),
        ((1.0, 2.0), (0, 0)),
        ((1.0, 1.0, 1.0, 1.0), (0, 0, 1, 1)),
        ((1.0, 2.0, 3.0), (0, 1, 1)),
        ((1.0, 2.0, 3.0), (0, 1, 2)),
    ],
)  # fmt: skip
def test_where_nothing_can_be_told_nothing_is(
    values: tuple[float, ...], groups: tuple[int, ...]
) -> None:
    assert explained(np.array(values), np.array(groups, np.int64)) is None


def test_groups_that_explain_all_and_none_are_at_the_ends() -> None:
    values = np.array([1.0, 1.0, 2.0, 2.0])
    assert explained(values, np.array([0, 0, 1, 1])) == pytest.approx(1.0)
    assert explained(values, np.array([0, 1, 0, 1])) == 0.0


# Out of a project


def test_a_project_is_studied_task_by_task(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    with new_project(path) as project:
        for each in drawn(30):
            project.add_trial(each)
    assert len(study_of(path, 0).numbers) == 30
    assert study_of(path, 0).knobs[0].name == "unroll explicit of dense"
    assert study_of(path, 1).knobs == ()


def test_a_project_that_is_gone_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ProjectError):
        study_of(tmp_path / "gone.tune", 0)


def test_traces_are_json_whatever_their_spaces(tmp_path: Path) -> None:
    made = drawn(30)
    narrow = [
        replace(each, trace=json.dumps(json.loads(each.trace), separators=(",", ":")))
        for each in made
    ]
    first, second = study(made), study(narrow)
    assert [k.importance for k in first.knobs] == [k.importance for k in second.knobs]
