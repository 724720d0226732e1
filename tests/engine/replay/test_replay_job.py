"""The engine that replays: its events, its commands, and what it refuses."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.history.history import History
from engine.records.clustering import Clustering
from engine.records.errors import UsageError
from engine.records.events import (
    Event,
    Failure,
    Message,
    ProjectOpened,
    RunChanged,
    RunStarted,
    Scores,
    SlotStarted,
    TaskChanged,
    TrialDone,
)
from engine.records.labels import PROJECT, Label
from engine.records.settings import Budget, RunSettings, RunState, Step
from engine.records.source import ModelSource
from engine.records.task import TaskState
from engine.replay.recording_file import save_recording
from engine.replay.replay_job import ReplayEngine
from tests.engine.allocation.curves_data import recording

RUN = RunSettings(policy="round-robin")
Make = Callable[..., ReplayEngine]


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes started engines and shuts them down."""
    made: list[ReplayEngine] = []

    def build(speed: float = math.inf, **options: Any) -> ReplayEngine:
        made.append(ReplayEngine(recording(**options), speed))
        made[-1].start()
        return made[-1]

    yield build
    for engine in made:
        engine.shutdown()


def played(engine: ReplayEngine, settings: RunSettings = RUN) -> list[Event]:
    """All events of a whole run."""
    engine.start_run(settings).result(10)
    engine.wait().result(30)
    return engine.events.drain()


def of(events: list[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def until(engine: ReplayEngine, kind: type[Any], seconds: float = 10) -> list[Event]:
    """Events up to and with the first of a kind."""
    events: list[Event] = []
    end = time.monotonic() + seconds
    while not of(events, kind):
        assert time.monotonic() < end
        events += engine.events.drain()
        time.sleep(0.005)
    return events


def test_it_ends_before_it_began_and_more_than_once() -> None:
    engine = ReplayEngine(recording())
    engine.shutdown()
    engine.shutdown()


def test_a_target_cannot_be_looked_at_and_nobody_is_told_but_who_asked(make: Make) -> None:
    engine = make()
    events = until(engine, Message)
    with pytest.raises(UsageError, match="recording"):
        engine.look_at_target("cuda").result(10)
    assert not of(events + engine.events.drain(), Failure)


def test_opening_shows_the_tasks_in_a_chain_and_says_that_it_replays(make: Make) -> None:
    events = until(make(), Message)
    snapshot = of(events, ProjectOpened)[0].snapshot
    assert snapshot.model_name == "synthetic"
    assert snapshot.target == "replay of cpu test x2"
    assert [task.weight for task in snapshot.tasks] == [1, 2, 3, 1]
    assert [operator.inputs for operator in snapshot.operators] == [(), (0,), (1,), (2,)]
    assert [operator.task for operator in snapshot.operators] == [0, 1, 2, 3]
    assert "replay of a recorded run" in of(events, Message)[0].text


def test_a_run_tells_every_slot_and_trial_and_its_ends(make: Make) -> None:
    events = played(make())
    states = [event.state for event in of(events, RunChanged)]
    assert states == [RunState.PREPARING, RunState.RUNNING, RunState.FINISHED]
    assert all(event.reason.startswith("replayed") for event in of(events, RunChanged))
    trials = [event.trial for event in of(events, TrialDone)]
    assert [trial.number for trial in trials] == list(range(1, 3 * 48 + 3 + 1))
    slots = [event.slot for event in of(events, SlotStarted)]
    assert [slot.number for slot in slots] == list(range(1, 3 * 6 + 1 + 1))
    assert {trial.slot for trial in trials} == {slot.number for slot in slots}
    assert all(trial.elapsed_s > slots[trial.slot - 1].elapsed_s for trial in trials)
    finished = {e.task for e in of(events, TaskChanged) if e.state is TaskState.FINISHED}
    assert finished == {0, 1, 2, 3}
    assert all("eplay" in event.text for event in of(events, Message))


def test_the_scoreboard_agrees_with_what_the_events_add_up_to(make: Make) -> None:
    events = played(make())
    history = History()
    history.apply(events)
    scores = of(events, Scores)[-1]
    assert scores.figure.sum_s == pytest.approx(history.now_s())
    ratio = (history.untuned_s() or 0.0) / (history.now_s() or 1.0)
    assert scores.figure.speedup == pytest.approx(ratio)
    assert (scores.trials, scores.share) == (147, pytest.approx(1.0))
    assert scores.figure.measured_s is None
    assert history.errors(0) == sum(math.isinf(s) for s in recording().tasks[0].latency_s)


def test_two_replays_tell_the_same_to_the_last_event(make: Make) -> None:
    assert played(make()) == played(make())


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        (Budget(trials=10), "replayed: the trials are spent"),
        (Budget(seconds=3.0), "replayed: the time is spent"),
        (Budget(latency_s=1.0), "replayed: the latency objective is met"),
    ],
)
def test_a_budget_ends_a_run_and_a_resumed_one_goes_on(
    budget: Budget, reason: str, make: Make
) -> None:
    engine = make()
    first = played(engine, replace(RUN, budget=budget))
    assert of(first, RunChanged)[-1].reason == reason
    before = len(of(first, TrialDone))
    assert engine.resume_run(Budget()).result(10) == 2
    engine.wait().result(30)
    trials = [event.trial for event in of(engine.events.drain(), TrialDone)]
    assert before + len(trials) == 147
    assert trials[0].number == before + 1
    assert trials[0].run == 2
    assert trials[0].elapsed_s >= max((e.trial.elapsed_s for e in of(first, TrialDone)), default=0)


def test_every_run_says_the_settings_that_it_goes_on_with(make: Make) -> None:
    engine = make()
    told = of(played(engine, replace(RUN, budget=Budget(trials=20))), RunStarted)
    engine.resume_run(Budget(trials=30)).result(10)
    engine.wait().result(30)
    told += of(engine.events.drain(), RunStarted)
    assert [event.run for event in told] == [1, 2]
    assert [event.settings for event in told] == [
        replace(RUN, budget=Budget(trials=20)),
        replace(RUN, budget=Budget(trials=30)),
    ]


def test_a_paused_replay_stands_still_until_it_goes_on(make: Make) -> None:
    engine = make(speed=20.0)
    engine.start_run(RUN).result(10)
    until(engine, TrialDone)
    engine.pause().result(10)
    engine.events.drain()
    time.sleep(0.3)
    assert engine.events.drain() == []
    engine.unpause().result(10)
    states = [event.state for event in of(until(engine, TrialDone), RunChanged)]
    assert states == [RunState.RUNNING]


def test_a_stopped_replay_keeps_what_was_shown_and_resumes_there(make: Make) -> None:
    engine = make(speed=20.0)
    engine.start_run(RUN).result(10)
    events = until(engine, TrialDone)
    engine.stop().result(10)
    events += engine.events.drain()
    assert of(events, RunChanged)[-1].state is RunState.STOPPED
    before = len(of(events, TrialDone))
    assert engine.resume_run().result(10) == 1
    trials = [event.trial for event in of(until(engine, TrialDone), TrialDone)]
    assert trials[0].number == before + 1
    assert trials[0].run == 1


def test_a_paused_replay_can_be_stopped_and_shut_down(make: Make) -> None:
    engine = make(speed=20.0)
    engine.start_run(RUN).result(10)
    until(engine, TrialDone)
    engine.pause().result(10)
    engine.stop().result(10)
    assert of(engine.events.drain(), RunChanged)[-1].state is RunState.STOPPED
    engine.start_run(RUN).result(10)
    until(engine, TrialDone)
    engine.pause().result(10)


def test_a_faster_replay_tells_scores_while_it_goes_on(make: Make) -> None:
    engine = make(speed=10.0)
    engine.start_run(replace(RUN, budget=Budget(seconds=60))).result(10)
    scores = of(until(engine, TrialDone) + until(engine, Scores), Scores)[-1]
    assert 0 < scores.time_left_s <= 60


def test_even_the_oracle_can_be_watched(make: Make) -> None:
    events = played(make(), replace(RUN, policy="oracle"))
    assert len(of(events, TrialDone)) == 147


CLUSTERS = Clustering("jaccard", 0.5, ())
REFUSED: dict[str, Callable[[ReplayEngine], Any]] = {
    "A replay exports nothing": lambda engine: engine.export(Path("out")),
    "A replay saves nothing": lambda engine: engine.save_as(Path("a.tune")),
    "A replay has no design spaces": lambda engine: engine.find_spaces(),
    "A replay has no clusters": lambda engine: engine.set_clustering(CLUSTERS),
    "A replay keeps no names and notes": lambda engine: engine.set_label(PROJECT, Label("a")),
    "A replay keeps no results": lambda engine: engine.set_used(1, False),
    "A replay replays searches only": lambda engine: engine.start_run(
        replace(RUN, steps=(Step("droplet"),))
    ),
    "A replay has no schedules": lambda engine: engine.trial_detail(1),
    "opens nothing but recordings": lambda engine: engine.open_project(Path("a.tune")),
    "opens nothing but recordings.": lambda engine: engine.open_model(
        ModelSource("sample", "squeezenet"), "auto", None
    ),
    "There is no policy": lambda engine: engine.start_run(replace(RUN, policy="none")),
    "There is no run to resume": lambda engine: engine.resume_run(),
    "No run goes on": lambda engine: engine.pause(),
    "No run goes on.": lambda engine: engine.unpause(),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_replay_cannot_do_is_refused_with_a_sentence(what: str, make: Make) -> None:
    engine = make()
    with pytest.raises(UsageError, match=what):
        REFUSED[what](engine).result(10)
    failure = of(engine.events.drain(), Failure)[-1]
    assert what in failure.what
    assert failure.todo


def test_a_second_run_is_refused_while_one_goes_on(make: Make) -> None:
    engine = make(speed=0.1)
    engine.start_run(RUN).result(10)
    with pytest.raises(UsageError, match="A run goes on"):
        engine.start_run(RUN).result(10)
    with pytest.raises(UsageError, match="A run goes on"):
        engine.resume_run().result(10)


def test_another_recording_can_be_opened_and_closed(make: Make, tmp_path: Path) -> None:
    save_recording(recording(1, model="another"), tmp_path / "a.npz")
    engine = make(speed=1.0)
    engine.start_run(RUN).result(10)
    assert engine.open_project(tmp_path / "a.npz").result(10).model_name == "another"
    states = [event.state for event in of(engine.events.drain(), RunChanged)]
    assert states[-1] is RunState.STOPPED
    engine.close_project().result(10)
    with pytest.raises(UsageError, match="No recording is open"):
        engine.start_run(RUN).result(10)


@pytest.mark.parametrize("speed", [0.0, -1.0, math.nan])
def test_a_speed_that_makes_no_sense_is_refused(speed: float) -> None:
    with pytest.raises(UsageError, match="speed"):
        ReplayEngine(recording(), speed)


def test_a_policy_that_fails_is_told_and_ends_the_run(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("engine.allocation.policies.round_robin.RoundRobin.choose", fail)
    engine = make()
    engine.start_run(RUN).result(10)
    events = until(engine, Failure)
    engine.wait()
    events += engine.events.drain()
    assert "a bug" in of(events, Failure)[0].what
    while not of(events, RunChanged) or of(events, RunChanged)[-1].state is not RunState.FAILED:
        events += until(engine, RunChanged)
