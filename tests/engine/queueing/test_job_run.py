"""One job: what it opens, starts or goes on with, and how it ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.history.figure import schedules_key, with_measured
from engine.history.history import History
from engine.jobs.commands import EngineCommands
from engine.queueing import job_run
from engine.queueing.adding import make_job
from engine.queueing.api import SpanLog
from engine.queueing.places import device_of
from engine.records import machine
from engine.records.addresses import RpcAddress
from engine.records.errors import DeviceMissing, ProjectError, UsageError
from engine.records.events import Event, Message, Progress, RunChanged, Scores
from engine.records.job import JobState, QueuedJob
from engine.records.outstanding import StageKind
from engine.records.sentences import Sentence
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import Snapshot
from engine.records.trial import LOAD_LIMIT, Measured
from engine.records.words import Doing, RunEnd
from tests.engine.project.support import new_project, new_trial
from tests.engine.queueing.support import job
from tests.figures import figure

_STATES = {"pause": RunState.PAUSED, "unpause": RunState.RUNNING}
SLOW = RunSettings(Budget(trials=4, latency_s=1e-9))


class FakeEngine(EngineCommands):
    """Answers at once; `wait` ends when the test says so."""

    now: FakeEngine

    def __init__(self, *_: Any) -> None:
        super().__init__()
        self.calls: list[str] = []
        self.opened: Snapshot | None = None
        self.error: Exception | None = None
        self.over: Future[None] = Future()
        FakeEngine.now = self

    def start(self) -> None:
        """The host has started."""

    def shutdown(self, timeout_s: float = 5) -> None:
        """The host's, too."""

    def wait(self) -> Future[None]:
        return self.over

    def _by_default(self, command: str, *arguments: Any) -> Future[Any]:
        self.calls.append(command)
        done: Future[Any] = Future()
        if self.error is not None and command != "close_project":
            done.set_exception(self.error)
        elif command.startswith("open"):
            done.set_result(self.opened)
        else:
            done.set_result({"start_run": 7, "resume_run": 1}.get(command))
        if command in _STATES:
            self.events.put(RunChanged(7, _STATES[command]))
        return done


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    """A project with a run of one trial."""
    with new_project(tmp_path / "net.tune") as project:
        project.start_run(RunSettings())
        project.add_trial(new_trial(1, run=1))
        project.set_untuned(1e-3, {0: 2e-4, 1: 1e-4, 2: 1e-5})
        project.set_run(1, state=RunState.STOPPED)
        return project.snapshot()


def play(
    monkeypatch: pytest.MonkeyPatch,
    snapshot: Snapshot,
    queued: QueuedJob,
    story: Callable[[job_run.JobRun, FakeEngine], Any],
    placed: list[str] | None = None,
) -> tuple[job_run.JobRun, FakeEngine, list[Event]]:
    """Run a job with a fake engine until it has ended; what it said."""
    monkeypatch.setattr(job_run, "Engine", FakeEngine)
    said: list[Event] = []
    placed = [] if placed is None else placed

    async def run() -> job_run.JobRun:
        host: Any = SimpleNamespace(loaded=Future())
        host.loaded.set_result(None)
        made = job_run.JobRun(queued, host, None, said.append, placed.append)  # type: ignore[arg-type]
        FakeEngine.now.opened = snapshot
        story(made, FakeEngine.now)
        for _ in range(20):
            await asyncio.sleep(0)
        made.look()
        if not FakeEngine.now.over.done():
            FakeEngine.now.over.set_result(None)
        await asyncio.wait_for(made.wait(), 10)
        return made

    return asyncio.run(run()), FakeEngine.now, said


def test_a_run_that_ends_finishes_its_job_with_what_it_reached(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    def story(run: job_run.JobRun, engine: FakeEngine) -> None:
        engine.events.put(Scores(3.0, figure(2e-3, 1e-3), None, 0.5, 3, 1.0, 9.0))
        engine.events.put(Message("warning", "Careful."))
        engine.events.put(RunChanged(7, RunState.FINISHED, "the trials are spent"))

    made, engine, said = play(monkeypatch, snapshot, job(settings=SLOW), story)
    found = made.job
    assert (found.state, found.message) == (JobState.FINISHED, "the trials are spent")
    assert (found.best_s, found.untuned_s, found.progress) == (1e-3, 2e-3, 1.0)
    assert (found.run, found.project) == (7, snapshot.path)
    assert found.started is not None and found.ended is not None and found.ended >= found.started
    assert engine.calls == ["open_model", "start_run", "close_project"]
    assert [each.text for each in said if isinstance(each, Message)] == ["net: Careful."]


def test_an_objective_that_the_project_meets_already_ends_the_job_untuned(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    snapshot = with_measured(snapshot, schedules_key(History(snapshot)), Measured(2.0))
    queued = job(project=snapshot.path, source=None, settings=RunSettings(Budget(latency_s=9.0)))
    made, engine, _ = play(monkeypatch, snapshot, queued, lambda *_: None)
    assert made.job.state is JobState.MET
    assert made.job.message == "The project has 2.00 s already, where 9.00 s was asked for."
    assert engine.calls == ["open_project", "close_project"]


@pytest.mark.parametrize("measured", [None, Measured(2.0, load=2 * LOAD_LIMIT)])
def test_what_kernels_add_up_to_or_was_disturbed_meets_no_objective_before_a_run(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot, measured: Measured | None
) -> None:
    if measured is not None:
        snapshot = with_measured(snapshot, schedules_key(History(snapshot)), measured)
    queued = job(project=snapshot.path, source=None, settings=RunSettings(Budget(latency_s=9.0)))
    made, engine, _ = play(monkeypatch, snapshot, queued, lambda *_: None)
    assert made.job.state is JobState.FINISHED
    assert engine.calls == ["open_project", "start_run", "close_project"]


def test_a_run_that_known_schedules_ended_meets_its_jobs_objective(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    def story(run: job_run.JobRun, engine: FakeEngine) -> None:
        engine.events.put(RunChanged(7, RunState.FINISHED, Sentence.of(RunEnd.KNOWN)))

    made, engine, _ = play(monkeypatch, snapshot, job(settings=SLOW), story)
    assert (made.job.state, made.job.message) == (JobState.MET, RunEnd.KNOWN)
    ended = replace(snapshot.runs[-1], state=RunState.FINISHED, reason=str(RunEnd.KNOWN))
    again = job(project=snapshot.path, run=1, settings=SLOW)
    made, engine, _ = play(monkeypatch, replace(snapshot, runs=(ended,)), again, _nothing)
    assert made.job.state is JobState.MET and "start_run" not in engine.calls


def test_a_job_goes_on_with_its_own_run_and_with_no_other(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    queued = job(project=snapshot.path, settings=SLOW)
    _, engine, _ = play(monkeypatch, snapshot, job(**{**_fields(queued), "run": 1}), _nothing)
    assert engine.calls == ["open_project", "resume_run", "close_project"]
    _, engine, _ = play(monkeypatch, snapshot, job(**{**_fields(queued), "run": 5}), _nothing)
    assert engine.calls == ["open_project", "start_run", "close_project"]


def test_a_model_never_goes_into_a_project_that_another_job_made(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    queued = job(project=snapshot.path, settings=SLOW)
    made, engine, _ = play(monkeypatch, snapshot, queued, _nothing)
    assert made.job.state is JobState.FAILED and "exists already" in made.job.message
    assert engine.calls == ["close_project"]
    begun = job(**{**_fields(queued), "started": 1.0})
    _, engine, _ = play(monkeypatch, snapshot, begun, _nothing)
    assert engine.calls[0] == "open_project"


def test_a_project_that_is_open_elsewhere_fails_its_job_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    def story(run: job_run.JobRun, engine: FakeEngine) -> None:
        engine.error = ProjectError("net.tune is already open in another window.", "Close it.")

    made, engine, _ = play(monkeypatch, snapshot, job(), story)
    assert made.job.state is JobState.FAILED
    assert made.job.message == "net.tune is already open in another window. Close it."
    assert engine.calls == ["open_model", "close_project"]


@pytest.mark.parametrize("state", [JobState.CANCELLED, JobState.INTERRUPTED])
def test_a_job_ends_as_it_was_asked_to_and_its_project_is_closed(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot, state: JobState
) -> None:
    def story(run: job_run.JobRun, engine: FakeEngine) -> None:
        asyncio.get_running_loop().call_later(0.02, run.end, state)
        engine.over = Future()

    monkeypatch.setattr(FakeEngine, "wait", lambda self: Future())
    made, engine, _ = play(monkeypatch, snapshot, job(settings=SLOW), story)
    assert made.job.state is state
    assert (made.job.ended is None) == (state is JobState.INTERRUPTED)
    assert engine.calls[-1] == "close_project"


def test_a_job_that_is_held_holds_its_run(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    def story(run: job_run.JobRun, engine: FakeEngine) -> None:
        run.follow(job(paused=True, settings=SLOW))
        engine.events.put(RunChanged(7, RunState.RUNNING))
        run.look()
        run.look()
        states.append(run.job.state)
        run.follow(job(settings=SLOW))
        run.look()
        run.look()
        states.append(run.job.state)

    states: list[JobState] = []
    _, engine, _ = play(monkeypatch, snapshot, job(settings=SLOW), story)
    assert states == [JobState.PAUSED, JobState.RUNNING]
    assert [call for call in engine.calls if "pause" in call] == ["pause", "unpause"]


def test_what_could_not_run_is_refused_before_it_is_queued(tmp_path: Path) -> None:
    refused: list[Callable[[], QueuedJob]] = [
        lambda: make_job(None, None),
        lambda: make_job(None, tmp_path / "absent.tune"),
        lambda: make_job(None, tmp_path / "a.tune", settings=RunSettings(policy="luck")),
    ]
    for call in refused:
        with pytest.raises((UsageError, ProjectError)):
            call()


def test_what_began_or_ended_is_told_once() -> None:
    from engine.jobs.granting import Need

    log = SpanLog()
    for number in (1, 2, 3):
        log.began(
            number, "4", Need(1, "cuda:0", kind=StageKind.BUILD, task="conv"), 1, float(number)
        )
    log.ended(3, 9.0)
    spans = log.drain()
    assert [(each.number, each.until_s) for each in spans] == [(1, None), (2, None), (3, 9.0)]
    assert (spans[0].job, spans[0].lane, spans[0].task) == (4, "cuda:0", "conv")
    log.ended(1, 9.0)
    log.ended(3, 10.0)
    assert [(each.number, each.until_s) for each in log.drain()] == [(1, 9.0)]
    assert log.drain() == ()


def _fields(queued: QueuedJob) -> dict[str, Any]:
    return {"project": queued.project, "settings": queued.settings}


def _nothing(run: job_run.JobRun, engine: FakeEngine) -> None: ...


@pytest.mark.parametrize(
    ("target", "device"),
    [
        ("cpu", "cpu"),
        ("auto", "cpu"),
        ("llvm -num-cores=1", "cpu"),
        ("cuda:0", ""),
        ("no such thing", ""),
        ("rpc://192.0.2.1:9190/board raspberry-pi-4", "rpc://192.0.2.1:9190/board"),
        ("dask://192.0.2.1:8786", "dask://192.0.2.1:8786"),
    ],
)
def test_a_jobs_device_is_told_before_anything_of_it_waits(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot, target: str, device: str
) -> None:
    monkeypatch.setattr(machine, "cuda_devices", lambda: ())
    placed: list[str] = []

    def story(run: job_run.JobRun, engine: FakeEngine) -> None:
        by_default = engine._by_default

        def told(command: str, *arguments: Any) -> Future[Any]:
            assert placed
            return by_default(command, *arguments)

        engine._by_default = told  # type: ignore[method-assign]

    made, engine, _ = play(monkeypatch, snapshot, job(target=target, settings=SLOW), story, placed)
    assert placed == [device]
    assert engine.calls[0] == "open_model" and made.job.state is JobState.FINISHED


def test_a_projects_device_is_that_of_its_file_whatever_the_job_says(tmp_path: Path) -> None:
    assert device_of(job(project=str(tmp_path / "absent.tune"), target="cpu")) == "cpu"
    fields = {"kind": "llvm", "mcpu": "cortex-a72", "tag": "rpc://192.0.2.1:9190/board"}
    with new_project(tmp_path / "net.tune", target=json.dumps(fields)):
        pass
    queued = job(project=str(tmp_path / "net.tune"), target="cpu")
    assert device_of(queued) == "rpc://192.0.2.1:9190/board"
    (tmp_path / "net.tune").write_bytes(b"no project")
    assert device_of(queued) == ""


def test_what_goes_on_is_told_with_what_it_is_about(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    said = list[str]()

    def story(run: job_run.JobRun, engine: FakeEngine) -> None:
        for event in (Progress(Doing.REFERENCE, about="ONNX Runtime"), Progress(Doing.FINALS)):
            engine.events.put(event)
            run.look()
            said.append(run.job.message)

    play(monkeypatch, snapshot, job(settings=SLOW), story)
    assert said == ["Measuring ONNX Runtime", "Measuring the finalists again"]


class Lost(FakeEngine):
    """Loses its device once; its run is then the snapshot's first."""

    def wait(self) -> Future[None]:
        gone: Future[None] = Future()
        if self.calls.count("start_run") + self.calls.count("resume_run") == 1:
            self.events.put(RunChanged(1, RunState.FAILED, "The device is lost."))
            gone.set_exception(DeviceMissing("The device is lost.", "Start its server again."))
        else:
            self.events.put(RunChanged(1, RunState.FINISHED, "the trials are spent"))
            gone.set_result(None)
        return gone

    def _by_default(self, command: str, *arguments: Any) -> Future[Any]:
        found = super()._by_default(command, *arguments)
        if command == "start_run":
            found = Future()
            found.set_result(1)
        return found


BOARD = "rpc://192.0.2.1:9190/board raspberry-pi-4"


def played_without_device(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot, there: list[bool], away_s: float = 60.0
) -> tuple[job_run.JobRun, Lost, list[tuple[bool, JobState, str]]]:
    """A job that loses its board, which is `there` or not when it is looked for."""
    monkeypatch.setattr(job_run, "Engine", Lost)
    monkeypatch.setattr(job_run, "_LOOK_S", 0.01)
    monkeypatch.setattr(job_run, "_AWAY_S", away_s)
    seen: list[tuple[bool, JobState, str]] = []

    async def run() -> job_run.JobRun:
        host: Any = SimpleNamespace(loaded=Future())
        host.loaded.set_result(None)
        loop = asyncio.get_running_loop()

        def look(address: RpcAddress) -> bool:
            assert str(address) == BOARD.split(maxsplit=1)[0]
            loop.call_soon_threadsafe(told)
            return there.pop(0) if there else False

        def told() -> None:
            made.look()
            seen.append((made.away, made.job.state, made.job.message))

        monkeypatch.setattr(job_run, "has_server", look)
        queued = job(target=BOARD, settings=SLOW)
        made = job_run.JobRun(queued, host, None, lambda _: None, lambda _: None)  # type: ignore[arg-type]
        FakeEngine.now.opened = snapshot
        await asyncio.wait_for(made.wait(), 20)
        return made

    made = asyncio.run(run())
    assert isinstance(FakeEngine.now, Lost)
    return made, FakeEngine.now, seen


def test_a_job_whose_board_is_lost_waits_for_it_and_goes_on_with_its_run(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    made, engine, seen = played_without_device(monkeypatch, snapshot, [False, False, True])
    assert (made.job.state, made.job.message) == (JobState.FINISHED, "the trials are spent")
    assert [call for call in engine.calls if "run" in call] == ["start_run", "resume_run"]
    assert engine.calls[-1] == "close_project" and engine.calls[2] == "close_project"
    assert len(seen) == 3 and not made.away
    said = (True, JobState.PREPARING, "Waits for its device. The device is lost.")
    assert seen[:2] == [said, said]


def test_a_board_that_stays_away_fails_its_job_at_last(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    made, engine, seen = played_without_device(monkeypatch, snapshot, [], away_s=0.05)
    assert made.job.state is JobState.FAILED
    assert made.job.message == "The device is lost. Start its server again."
    assert seen and engine.calls.count("start_run") == 1 and "resume_run" not in engine.calls


def test_a_board_that_is_there_and_measures_nothing_is_not_tried_for_ever(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    def lose(self: Lost) -> Future[None]:
        gone: Future[None] = Future()
        gone.set_exception(DeviceMissing("The device is lost.", "Start its server again."))
        return gone

    monkeypatch.setattr(Lost, "wait", lose)
    monkeypatch.setattr(job_run, "device_of", lambda job: BOARD.split(maxsplit=1)[0])
    made, engine, seen = played_without_device(monkeypatch, snapshot, [True] * 1000, away_s=0.2)
    assert made.job.state is JobState.FAILED
    assert engine.calls.count("resume_run") == len(seen) > 1


def test_a_board_that_was_never_there_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    new = replace(snapshot, untuned_latency_s=None)
    made, _, seen = played_without_device(monkeypatch, new, [True])
    assert made.job.state is JobState.FAILED and not seen
