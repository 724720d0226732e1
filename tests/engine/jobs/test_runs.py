"""Real runs of a tiny model: budgets, pause, stop, resume, failures."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.history.history import History
from engine.history.inference import inference_of
from engine.jobs import starting
from engine.measure.build_pool import BuildPool
from engine.measure.runner import BuildRequest, BuildResult
from engine.project.repository import Project
from engine.records.errors import ProjectError, TunewrightError, UsageError
from engine.records.events import Failure, RunChanged, Scores, TaskChanged, TrialDone
from engine.records.settings import Budget, RunState
from engine.records.snapshot import UNTUNED, Snapshot
from engine.records.source import ModelSource
from engine.records.task import TaskState
from engine.records.trial import ErrorKind
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import conv_relu_model, joined_branches_model, save, two_convs_model


def states(console: Console) -> list[RunState]:
    found = [event.state for event in console.of(RunChanged) if isinstance(event, RunChanged)]
    return [state for index, state in enumerate(found) if index == 0 or found[index - 1] != state]


def working(snapshot: Snapshot) -> list[int]:
    """The operators that have something to do."""
    return [each.id for each in snapshot.operators if each.task is not None]


@pytest.mark.long
def test_a_run_ends_at_its_number_of_trials_with_all_of_them_in_the_file(
    console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path)
    console.engine.start_run(QUICK).result(60)
    console.engine.wait().result(120)
    assert states(console) == [RunState.PREPARING, RunState.RUNNING, RunState.FINISHED]
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
    assert len(snapshot.trials) == 6
    assert snapshot.runs[0].state is RunState.FINISHED
    assert snapshot.runs[0].tuned_latency_s is not None
    assert snapshot.untuned_latency_s is not None
    assert snapshot.reference_latency_s is not None
    assert all(task.untuned_latency_s is not None for task in snapshot.tasks)
    assert len({(trial.task, trial.trace_key) for trial in snapshot.trials}) == 6
    scores = console.of(Scores)[-1]
    assert isinstance(scores, Scores)
    assert scores.trials == 6
    assert scores.figure.measured_s == snapshot.runs[0].tuned_latency_s
    timed = inference_of(snapshot)
    assert timed is not None
    assert timed.current
    assert [run.operator for run in timed.kernels] == working(snapshot)
    assert all(run.seconds > 0 for run in timed.kernels)


@pytest.mark.long
def test_a_latency_objective_that_is_met_ends_the_run(console: Console, tmp_path: Path) -> None:
    console.open(tmp_path)
    console.engine.start_run(replace(QUICK, budget=Budget(latency_s=100.0))).result(60)
    console.engine.wait().result(120)
    last = console.of(RunChanged)[-1]
    assert isinstance(last, RunChanged)
    assert (last.state, last.reason) == (RunState.FINISHED, "the latency objective is met")


@pytest.mark.long
def test_a_space_that_is_exhausted_ends_a_run_without_a_budget(
    console: Console, tmp_path: Path
) -> None:
    console.open(tmp_path)
    settings = replace(QUICK, budget=Budget(seconds=4.0))
    console.engine.start_run(settings).result(60)
    console.engine.wait().result(120)
    last = console.of(RunChanged)[-1]
    assert isinstance(last, RunChanged)
    assert last.reason in ("the time is spent", "nothing is left to try")


@pytest.mark.long
def test_a_paused_run_takes_no_trials_and_no_time_until_it_goes_on(
    console: Console, tmp_path: Path
) -> None:
    console.open(tmp_path)
    console.engine.start_run(replace(QUICK, budget=Budget(trials=40))).result(60)
    console.until(lambda event: isinstance(event, TrialDone))
    console.engine.pause().result(10)
    time.sleep(1.0)  # what was in a stage comes to its end
    before = len(console.of(TrialDone))
    time.sleep(0.5)
    assert len(console.of(TrialDone)) == before
    elapsed = [event.elapsed_s for event in console.of(Scores)[-2:] if isinstance(event, Scores)]
    assert len(set(elapsed)) == 1
    console.engine.unpause().result(10)
    console.until(lambda event: isinstance(event, TrialDone))
    console.engine.stop().result(30)
    assert RunState.PAUSED in states(console)


def test_a_stopped_run_keeps_its_trials_and_resuming_measures_none_of_them_again(
    console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path)
    run = console.engine.start_run(replace(QUICK, budget=Budget(trials=12))).result(60)
    console.until(lambda event: isinstance(event, TrialDone))
    console.engine.stop().result(30)
    stopped = len(console.of(TrialDone))
    assert states(console)[-1] is RunState.STOPPED
    assert console.engine.resume_run().result(30) == run
    console.engine.wait().result(120)
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot(texts=True)
    assert 0 < stopped <= 12
    assert len(snapshot.trials) == 12
    assert len({(trial.task, trial.trace) for trial in snapshot.trials}) == 12
    assert [info.state for info in snapshot.runs] == [RunState.FINISHED]
    assert snapshot.runs[0].elapsed_s == pytest.approx(snapshot.elapsed_s)
    assert list(snapshot.trials) == sorted(snapshot.trials, key=lambda trial: trial.elapsed_s)


@pytest.mark.long
def test_more_budget_after_the_end_is_a_new_run_that_goes_on_from_the_records(
    console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path)
    console.engine.start_run(QUICK).result(60)
    console.engine.wait().result(120)
    console.engine.resume_run(Budget(trials=4)).result(30)
    console.engine.wait().result(120)
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot(texts=True)
    assert len(snapshot.runs) == 2
    assert len({(trial.task, trial.trace) for trial in snapshot.trials}) == 10


class Refusing(BuildPool):
    """Fails every candidate, and counts them."""

    asked = 0

    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        """Ask for what cannot be built."""
        type(self).asked += 1
        return super().submit(replace(request, module="no module"))


@pytest.mark.long
def test_a_task_whose_candidates_all_fail_says_so_and_the_run_goes_on(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console.open(tmp_path)
    monkeypatch.setattr(starting, "BuildPool", Refusing)
    monkeypatch.setattr("engine.jobs.allocating._HOPELESS_AFTER", 4)
    console.engine.start_run(replace(QUICK, budget=Budget(trials=100))).result(60)
    console.engine.wait().result(120)
    failed = [
        event
        for event in console.of(TaskChanged)
        if isinstance(event, TaskChanged) and event.state is TaskState.FAILED
    ]
    assert "mostly with a build error" in failed[-1].reason
    history = History(console.engine.snapshot().result(10))
    assert {history.why_failed(event.task) for event in failed} >= {failed[-1].reason}
    assert states(console)[-1] is RunState.FINISHED
    trials = [event.trial for event in console.of(TrialDone) if isinstance(event, TrialDone)]
    assert {trial.error for trial in trials} == {ErrorKind.BUILD_ERROR}


@pytest.mark.long
@pytest.mark.parametrize("stage", ["pre_tuning", "notify_runner_results"])
def test_a_search_that_fails_costs_its_task_and_the_others_are_tuned(
    stage: str, console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = console.open(tmp_path, two_convs_model())
    from tvm.s_tir.meta_schedule import TuneContext

    real = getattr(TuneContext, stage)
    broken, *others = console.engine.snapshot().result(10).tasks

    def fail(context: Any, *given: Any, **more: Any) -> Any:
        if str(context.task_name) == broken.name:
            raise RuntimeError("a rule broke")
        return real(context, *given, **more)

    monkeypatch.setattr(TuneContext, stage, fail)
    settings = replace(QUICK, policy="round-robin", budget=Budget(trials=16))
    console.engine.start_run(settings).result(60)
    console.engine.wait().result(120)
    assert states(console)[-1] is RunState.FINISHED
    changes = [event for event in console.of(TaskChanged) if isinstance(event, TaskChanged)]
    failed = [event for event in changes if event.state is TaskState.FAILED]
    assert {event.task for event in failed} == {broken.index}
    assert failed[0].reason.endswith(f"schedule for {broken.name}: a rule broke.")
    console.engine.close_project().result(30)
    console.engine.open_project(path).result(30)
    history = History(console.engine.snapshot().result(10))
    assert history.why_failed(broken.index) == failed[0].reason
    done = [event.trial.task for event in console.of(TrialDone) if isinstance(event, TrialDone)]
    assert {task.index for task in others} <= set(done)


class Counting(BuildPool):
    """Counts the candidates that are handed to it."""

    asked = 0

    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        """Build, and count."""
        type(self).asked += 1
        return super().submit(request)


@pytest.mark.long
def test_candidates_that_queued_before_a_pause_are_not_built_during_it(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console.open(tmp_path)
    monkeypatch.setattr(starting, "BuildPool", Counting)
    search = replace(QUICK.search, population=32, batch=32)
    settings = replace(QUICK, budget=Budget(trials=64), search=search, policy="round-robin")
    console.engine.start_run(settings).result(60)
    console.until(lambda event: isinstance(event, TrialDone))
    console.engine.pause().result(10)
    asked = Counting.asked
    assert 0 < asked < 32
    time.sleep(1.5)
    assert Counting.asked == asked
    console.engine.unpause().result(10)
    console.until(lambda event: isinstance(event, TrialDone) and Counting.asked > asked)
    console.engine.stop().result(30)


class Broken(BuildPool):
    """Breaks in a way nobody foresaw."""

    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        """Break."""
        raise ZeroDivisionError("a bug")


@pytest.mark.long
def test_an_unforeseen_error_fails_the_run_with_a_sentence_and_keeps_the_project(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = console.open(tmp_path)
    monkeypatch.setattr(starting, "BuildPool", Broken)
    console.engine.start_run(QUICK).result(60)
    with pytest.raises(ZeroDivisionError):
        console.engine.wait().result(120)
    console.until(lambda event: isinstance(event, Failure))
    monkeypatch.setattr(starting, "BuildPool", BuildPool)
    console.engine.resume_run().result(30)
    console.engine.wait().result(120)
    with Project.open(path, read_only=True) as project:
        assert project.snapshot().runs[0].state is RunState.FINISHED


@pytest.mark.parametrize("command", ["pause", "unpause", "stop", "start", "resume", "export"])
def test_a_command_without_a_project_is_refused_with_a_sentence(
    console: Console, tmp_path: Path, command: str
) -> None:
    calls: dict[str, Callable[[], Future[Any]]] = {
        "pause": console.engine.pause,
        "unpause": console.engine.unpause,
        "stop": console.engine.stop,
        "start": lambda: console.engine.start_run(QUICK),
        "resume": console.engine.resume_run,
        "export": lambda: console.engine.export(tmp_path / "out"),
    }
    with pytest.raises(UsageError, match="No project is open"):
        calls[command]().result(10)
    assert console.of(Failure)


def test_a_second_run_is_refused_while_one_goes_on(console: Console, tmp_path: Path) -> None:
    console.open(tmp_path)
    console.engine.start_run(replace(QUICK, budget=Budget(trials=500))).result(60)
    with pytest.raises(UsageError, match="A run goes on"):
        console.engine.start_run(QUICK).result(10)
    console.engine.stop().result(30)


def test_a_project_is_refused_while_another_engine_has_it(console: Console, tmp_path: Path) -> None:
    path = console.open(tmp_path)
    other = Console()
    try:
        with pytest.raises(ProjectError):
            other.engine.open_project(path).result(10)
    finally:
        other.engine.shutdown()


def test_a_model_that_changed_since_the_project_was_saved_is_refused(
    console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path)
    console.engine.close_project().result(10)
    save(conv_relu_model(channels=8), tmp_path / "tiny.onnx")
    console.engine.open_project(path).result(10)
    console.engine.start_run(QUICK).result(10)
    with pytest.raises(TunewrightError, match="changed since"):
        console.engine.wait().result(60)
    assert states(console)[-1] is RunState.FAILED


@pytest.mark.long
def test_every_task_has_its_untuned_latency_also_where_kernels_write_in_place(
    console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path, joined_branches_model())
    console.engine.start_run(replace(QUICK, budget=Budget(trials=1))).result(60)
    console.engine.wait().result(120)
    with Project.open(path, read_only=True) as project:
        untuned = {task.name: task.untuned_latency_s for task in project.tasks()}
        snapshot = project.snapshot()
    assert all(latency_s and latency_s > 0 for latency_s in untuned.values()), untuned
    kernels = snapshot.measured[UNTUNED].kernels
    assert [operator for operator, _ in kernels] == working(snapshot)


@pytest.mark.long
def test_a_project_with_tasks_that_are_none_any_more_goes_on(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("engine.tasks.extract._idle", lambda *_: frozenset())
        path = console.open(tmp_path, joined_branches_model())
        console.engine.close_project().result(30)
    with Project.open(path, read_only=True) as project:
        assert "concatenate" in {task.op_class for task in project.tasks()}
    console.engine.open_project(path).result(60)
    console.engine.start_run(QUICK).result(60)
    console.engine.wait().result(120)
    with Project.open(path, read_only=True) as project:
        assert [run.state for run in project.snapshot().runs] == [RunState.FINISHED]
    manifest = console.engine.export(tmp_path / "out").result(60)
    assert "concatenate" in {task["name"] for task in manifest["tasks"]}


@pytest.mark.long
def test_a_run_that_goes_on_with_devices_of_another_kind_is_refused_with_a_sentence(
    console: Console, tmp_path: Path
) -> None:
    console.open(tmp_path)
    console.engine.start_run(QUICK).result(60)
    console.engine.wait().result(120)
    console.engine.resume_run(Budget(trials=2), devices="cuda:0").result(60)
    failure = console.until(lambda event: isinstance(event, Failure))
    assert "The project is tuned on cpu, which is not among cuda:0." in str(failure)
    console.engine.resume_run(Budget(trials=1), devices="none").result(60)
    console.until(lambda event: isinstance(event, RunChanged) and event.state is RunState.FINISHED)


def test_a_failed_open_leaves_no_project_file(console: Console, tmp_path: Path) -> None:
    (tmp_path / "bad.onnx").write_bytes(b"not a model")
    with pytest.raises(TunewrightError):
        source = ModelSource("file", str(tmp_path / "bad.onnx"))
        console.engine.open_model(source, "cpu", tmp_path / "bad.tune").result(30)
    assert not (tmp_path / "bad.tune").exists()


@pytest.mark.long
def test_a_project_can_be_exported_at_once_in_a_fresh_process(tmp_path: Path) -> None:
    made = Console()
    path = made.open(tmp_path)
    made.engine.shutdown()
    script = (
        "import sys; from pathlib import Path; from engine.jobs.engine import Engine\n"
        "if __name__ == '__main__':\n"
        "    engine = Engine(); engine.start(); engine.open_project(Path(sys.argv[1])).result()\n"
        "    print(engine.export(Path(sys.argv[2])).result()['max_abs_diff']); engine.shutdown()\n"
    )
    command = [sys.executable, "-c", script, str(path), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.splitlines()[-1]) < 1e-4
