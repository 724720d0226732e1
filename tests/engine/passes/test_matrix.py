"""What donors gave, by task and by model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from engine.passes.matrix import UNNAMED, Transfer, transfer_matrix
from engine.records.trial import ErrorKind, Source
from tests.engine.passes.pass_data import snapshot, transferred, trial, two_tasks
from tests.samples import make_task


def project(**changes: Any) -> Transfer:
    """Task a (3 x 4 ms) came to 1 ms by vgg; b (8 ms) to 2 ms by search, 4 ms by alexnet."""
    return transfer_matrix(
        snapshot(
            *two_tasks(),
            trials=(
                transferred(1, 0, 2e-3, "alexnet"),
                transferred(2, 0, 1e-3, "vgg"),
                transferred(3, 1, 4e-3, "alexnet"),
                transferred(4, 1, None, "vgg"),
                trial(5, 1, 2e-3),
            ),
            **changes,
        )
    )


def test_each_task_has_its_donors_with_what_they_gave() -> None:
    first, second = project().tasks
    assert (first.task, first.name, first.untuned_s, first.now_s) == (0, "a", 4e-3, 1e-3)
    assert [(item.trial, item.model) for item in first.attempts] == [(1, "alexnet"), (2, "vgg")]
    assert [item.gain for item in first.attempts] == pytest.approx([1.0, 3.0])
    assert [item.best for item in first.attempts] == [False, True]
    given = first.attempts[0]
    assert (given.donor_task, given.place) == ("conv of alexnet", "/alexnet.tune")
    assert (given.target, given.donor_latency_s) == ("cuda NVIDIA H200", 2e-3)
    failed = second.attempts[1]
    assert (failed.error, failed.latency_s, failed.gain) == (ErrorKind.RUN_ERROR, None, None)
    assert not any(item.best for item in second.attempts)


def test_a_models_share_is_what_its_schedules_alone_would_give() -> None:
    """The full gain is 3 x 3 + 6 = 15 ms; alexnet alone 3 x 2 + 4, vgg alone 3 x 3."""
    found = project()
    alexnet, vgg = found.donors
    assert (alexnet.model, vgg.model) == ("alexnet", "vgg")
    assert alexnet.share == pytest.approx(10 / 15)
    assert vgg.share == pytest.approx(9 / 15)
    assert found.share == pytest.approx(13 / 15)
    assert (alexnet.tasks, alexnet.attempts, alexnet.failed, alexnet.seconds) == (2, 2, 0, 1.5)
    assert (vgg.tasks, vgg.attempts, vgg.failed) == (2, 2, 1)


def test_other_sources_are_no_donors() -> None:
    trials = tuple(trial(n, 0, 1e-3, source=s) for n, s in enumerate(Source, 1) if n != 3)
    found = transfer_matrix(snapshot(*two_tasks(), trials=trials))
    assert (found.tasks, found.donors, found.share) == ((), (), None)


def test_a_donor_that_is_slower_than_untuned_gives_nothing_and_takes_nothing() -> None:
    made = snapshot(*two_tasks(), trials=(transferred(1, 0, 9e-3), trial(2, 1, 4e-3)))
    found = transfer_matrix(made)
    assert found.donors[0].share == 0.0
    assert found.tasks[0].attempts[0].gain == pytest.approx(4 / 9 - 1)


def test_a_lucky_first_measurement_counts_no_more_than_what_is_known_now() -> None:
    lucky = transferred(1, 0, 1e-3)
    settled = trial(2, 0, 2e-3, run=1, confirmed=(2e-3,))
    found = transfer_matrix(snapshot(*two_tasks(), trials=(lucky, settled)))
    assert found.donors[0].share == 1.0


def test_without_a_gain_or_an_untuned_latency_there_is_no_share() -> None:
    slower = transfer_matrix(snapshot(*two_tasks(), trials=(transferred(1, 0, 5e-3),)))
    unknown = transfer_matrix(snapshot(make_task(0, "a", None), trials=(transferred(1, 0, 5e-3),)))
    assert slower.donors[0].share is slower.share is unknown.share is None
    assert unknown.tasks[0].attempts[0].gain is None


def test_runs_that_are_left_out_are_not_counted() -> None:
    found = project(unused=frozenset({1}))
    assert (found.tasks, found.donors) == ((), ())


@pytest.mark.parametrize(
    "origin",
    [
        {},
        {"model": 3, "task": None, "latency_s": "1", "target": [], "place": {}},
        {"model": "", "latency_s": True},
        {"latency_s": math.inf},
        {"latency_s": -1},
    ],
)
def test_an_origin_that_makes_no_sense_is_unknown(origin: dict[str, Any]) -> None:
    strange = replace(transferred(1, 0, 1e-3), origin=origin)
    found = transfer_matrix(snapshot(*two_tasks(), trials=(strange,)))
    item = found.tasks[0].attempts[0]
    assert item.model == item.donor_task == item.place == item.target == UNNAMED
    assert item.donor_latency_s is None
    assert found.donors[0].model == UNNAMED
