"""The chainable interface: what each step asks of the engine, and what is refused."""

from __future__ import annotations

import inspect
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import Tuning
from engine.deploy.packing.wheel import WheelName
from engine.interface import work
from engine.interface.following import Following, Stopped
from engine.records.errors import ProjectError, StorageError, UsageError
from engine.records.events import Event, Message
from engine.records.settings import Budget, RunSettings
from tests.engine.interface.fakes import PROJECT, AnsweringEngine


@pytest.fixture(autouse=True)
def answering(monkeypatch: pytest.MonkeyPatch) -> None:
    """No real engine, no real project."""
    monkeypatch.setattr("engine.jobs.engine.Engine", AnsweringEngine)
    monkeypatch.setattr(work, "read_project", lambda path: PROJECT)


@pytest.fixture
def model(tmp_path: Path) -> str:
    file = tmp_path / "tiny.onnx"
    file.write_bytes(b"x")
    return str(file)


def test_looking_at_the_engine_loads_nothing_of_it() -> None:
    code = (
        "import sys, engine; assert not any(name.startswith('engine.') for name in sys.modules); "
        "engine.Tuning; assert not {'tvm', 'onnx', 'scipy', 'PySide6'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError):
        engine.Nothing  # noqa: B018


def test_a_set_of_shapes_has_the_shapes_of_other_inputs_in_all_of_them(model: str) -> None:
    Tuning(model).shapes("x=1x{2*3,4}").shape("y", (7,)).budget(trials=1).run()
    source = AnsweringEngine.last.call("open_model")[0]
    assert [(one.shapes, one.frequency) for one in source.each] == [
        ({"y": (7,), "x": (1, 2)}, 3),
        ({"y": (7,), "x": (1, 4)}, 1),
    ]


def test_each_step_gives_a_new_tuning_and_leaves_the_old_one(model: str, tmp_path: Path) -> None:
    plain = Tuning(model)
    wished = (
        plain.target("cpu")
        .budget(seconds=5, latency_s=1e-3)
        .shape("x", [1, 3, 8, 8])
        .values({"rate": 2})
        .precision("tf32")
        .policy("epsilon-greedy", epsilon=0.5)
        .seed(3)
        .search(20)
        .transfer("other.tune", library=False)
        .droplet(per_task=4)
        .project(tmp_path / "a.tune")
    )
    wished.run()
    source, target, project = AnsweringEngine.last.call("open_model")
    (settings,) = AnsweringEngine.last.call("start_run")
    assert (source.location, source.shapes, source.values, source.precision) == (
        model,
        {"x": (1, 3, 8, 8)},
        {"rate": 2},
        "tf32",
    )
    assert (target, project) == ("cpu", tmp_path / "a.tune")
    assert settings.budget == Budget(None, 5, 1e-3)
    assert (settings.policy, settings.policy_options) == ("epsilon-greedy", {"epsilon": 0.5})
    assert settings.seed == 3
    assert [(step.kind, step.trials) for step in settings.steps] == [
        ("search", 20),
        ("transfer", None),
        ("droplet", None),
    ]
    assert settings.steps[1].options == {
        "places": [str(Path("other.tune").absolute())],
        "library": False,
    }
    assert plain == Tuning(model)
    plain.run()
    (settings,) = AnsweringEngine.last.call("start_run")
    assert settings == RunSettings(Budget(seconds=600))


def test_a_device_stands_before_its_target(model: str) -> None:
    Tuning(model).target("cuda", device="rpc://h:9/k").run()
    assert AnsweringEngine.last.call("open_model")[1] == "rpc://h:9/k cuda"
    Tuning(model).target(devices="cuda:1, cuda:0").run()
    assert AnsweringEngine.last.call("open_model")[1] == "cuda:1"
    assert AnsweringEngine.last.call("start_run")[0].devices == "cuda:1, cuda:0"


def test_a_project_gets_a_plan_with_the_settings_of_its_last_run() -> None:
    Tuning("a.tune").share().run()
    (settings,) = AnsweringEngine.last.call("start_run")
    assert (settings.seed, settings.budget) == (5, Budget(seconds=600))
    Tuning("a.tune").droplet().seed(7).run()
    (settings,) = AnsweringEngine.last.call("start_run")
    assert (settings.seed, settings.budget) == (7, Budget())


def test_a_project_is_resumed_with_its_own_budget_or_a_new_one() -> None:
    Tuning("a.tune").resume().run()
    assert AnsweringEngine.last.call("resume_run") == (None, "", "")
    Tuning("a.tune").resume().budget(trials=9).run()
    assert AnsweringEngine.last.call("resume_run") == (Budget(9), "", "")


def test_stages_are_looked_for_after_the_run_or_alone(model: str) -> None:
    Tuning(model).budget(trials=1).ios(seconds=9).run()
    names = AnsweringEngine.last.names
    assert names.index("start_run") < names.index("find_schedule")
    Tuning("a.tune").ios(merge_trials=4, strategies="both").run()
    assert AnsweringEngine.last.names.count("start_run") == 1  # that of the merged operators
    assert AnsweringEngine.last.call("start_run")[0].steps[0].options == {"per_task": 4}


REFUSED: dict[str, Callable[[], object]] = {
    "no model": lambda: Tuning("nothing.onnx").run(),
    "no wish": lambda: Tuning("a.tune").run(),
    "a project's target": lambda: Tuning("a.tune").target("cpu").resume().run(),
    "a precision": lambda: Tuning("squeezenet").precision("bf16"),
    "a project's precision": lambda: Tuning("a.tune").precision("tf32").resume().run(),
    "a resumed run's seed": lambda: Tuning("a.tune").seed(1).resume().run(),
    "a model's run": lambda: Tuning("squeezenet").resume().run(),
    "a policy": lambda: Tuning("squeezenet").policy("best"),
    "a policy's option": lambda: Tuning("squeezenet").policy("dynatune", nothing=1),
    "a step's option": lambda: Tuning("squeezenet").droplet(nothing=1),
    "a schedule's option": lambda: Tuning("squeezenet").ios(nothing=1),
    "a schedule": lambda: Tuning("squeezenet").ios(strategies="parallel", merge_trials=1),
    "a plan": lambda: Tuning("squeezenet").plan("search:x"),
    "a budget": lambda: Tuning("squeezenet").budget(seconds=0),
    "an argument": lambda: Tuning("squeezenet").budget(minutes=1),  # type: ignore[call-arg]
    "too many arguments": lambda: Tuning("squeezenet").seed(1, 2),  # type: ignore[call-arg]
    "a policy option's type": lambda: Tuning("squeezenet").policy("epsilon-greedy", epsilon="x"),
    "a schedule option's type": lambda: Tuning("squeezenet").ios(r="many"),
    "a model's type": lambda: Tuning(7),  # type: ignore[arg-type]
    "a shape": lambda: Tuning("squeezenet").shape("x", (1, -1)),
    "a set of shapes": lambda: Tuning("squeezenet").shapes("x=1x{2,"),
}


METHODS = ("target", "shape", "shapes", "values", "precision", "project", "budget", "policy",
           "seed", "search", "share", "transfer", "droplet", "plan", "ios")  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("value", [1.5j, {"x": 1.5j}, [b"x"], b"x"], ids=repr)
def test_an_argument_of_another_type_is_refused_by_name(name: str, value: object) -> None:
    method = getattr(Tuning("squeezenet"), name)
    for key, parameter in inspect.signature(method).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        needed: dict[str, dict[str, Any]] = {
            "shape": {"name": "x", "axes": [1]},
            "plan": {"steps": "search"},
        }
        with pytest.raises(UsageError) as caught:
            if parameter.kind is parameter.VAR_POSITIONAL:
                method(value)
            else:
                method(**(needed.get(name, {}) | {key: value}))
        assert key in caught.value.what and caught.value.todo.startswith("Give ")


@pytest.mark.parametrize(
    "value", [True, "5", float("nan"), float("inf"), 10**400], ids=lambda v: f"{v}"[:8]
)
def test_a_number_that_is_none_is_no_budget(value: Any) -> None:
    with pytest.raises(UsageError):
        Tuning("squeezenet").budget(seconds=value)


def test_a_step_keeps_its_name_and_its_words() -> None:
    assert Tuning.budget.__name__ == "budget" and "limit" in (Tuning.budget.__doc__ or "")


@pytest.mark.parametrize("wish", REFUSED.values(), ids=REFUSED)
def test_what_makes_no_sense_is_refused_before_an_engine_starts(
    wish: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.jobs.engine.Engine", None)
    with pytest.raises(UsageError) as caught:
        wish()
    assert caught.value.what.endswith(".")
    assert caught.value.todo.endswith(".")


def test_a_project_in_the_way_is_refused(model: str, tmp_path: Path) -> None:
    (tmp_path / "a.tune").write_bytes(b"x")
    with pytest.raises(ProjectError):
        Tuning(model).project(tmp_path / "a.tune").run()


def test_the_result_exports_and_has_figures(model: str) -> None:
    done = Tuning(model).run()
    assert (done.state, done.trials, done.stopped) == ("finished", 0, False)
    assert done.export("out") == {"latency_s": 1e-3}
    assert AnsweringEngine.last.call("export") == (Path("out"), None, None)
    done.export("out", wheel=("net", "1.0"))
    assert AnsweringEngine.last.call("export") == (
        Path("out"),
        WheelName("net", "1.0"),
        None,
    )
    assert AnsweringEngine.last.names[-1] == "shutdown"


def test_progress_hears_what_the_engine_says(model: str) -> None:
    heard: list[Event] = []
    Tuning(model).run(heard.append)
    texts = [event.text for event in heard if isinstance(event, Message)]
    assert texts[-1] == "done"
    assert texts[0].startswith("tiny for llvm: 1 tasks, budget 10:00 of tuning")


class Endless(AnsweringEngine):
    """A run that goes on until it is stopped, with Ctrl+C pressed in it."""

    def __init__(self) -> None:
        super().__init__()
        self.over: Future[None] = Future()

    def wait(self) -> Future[None]:
        os.kill(os.getpid(), signal.SIGINT)
        return self.over

    def stop(self) -> Future[None]:
        self.over.set_result(None)
        return self.over


def test_ctrl_c_stops_a_run_and_keeps_its_results(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.jobs.engine.Engine", Endless)
    before = signal.getsignal(signal.SIGINT)
    done = Tuning(model).ios().run()
    assert done.stopped
    assert "find_schedule" not in AnsweringEngine.last.names
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_before_a_result_raises_and_again_interrupts() -> None:
    heard: list[Event] = []

    class Heard:
        def show(self, events: Iterable[Event]) -> None:
            heard.extend(events)

        def say(self, line: str) -> None:
            os.kill(os.getpid(), signal.SIGINT)

    def interrupt() -> None:
        raise KeyboardInterrupt

    with Following(Heard(), AnsweringEngine(), (signal.SIGINT,), interrupt) as follow:
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(Stopped):
            follow.result(Future())
        with pytest.raises(KeyboardInterrupt):
            follow.whole_result(Future())


def test_a_tuning_runs_in_any_thread(model: str) -> None:
    done = []
    thread = threading.Thread(target=lambda: done.append(Tuning(model).run()))
    thread.start()
    thread.join()
    assert done[0].state == "finished"


def test_a_name_that_the_system_refuses_is_an_error_of_the_engine_s() -> None:
    with pytest.raises(StorageError, match="too long"):
        Tuning("n" * 300 + ".onnx").run()
