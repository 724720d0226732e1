"""The command that finds a schedule: its tables, its JSON, and how Ctrl+C ends it."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.cli.status import Status
from engine.interface import work
from engine.jobs import find_schedule
from engine.jobs.engine import Engine
from engine.jobs.find_schedule import Ended
from engine.jobs.steps.estimate import Estimate
from engine.records.errors import TuningError
from engine.records.events import Progress, StageSearch
from engine.records.schedule import FoundSchedule, IosOptions, SearchState
from engine.records.settings import RunSettings, Step
from tests.app.cli.support import Here
from tests.engine.project.ios_data import FOUND
from tests.engine.project.support import have_models, new_project


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    have_models(monkeypatch)
    return Here(capfd)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    new_project(tmp_path / "net.tune").close()
    return tmp_path / "net.tune"


class Finding:
    """Finds what it is told to, once it is let go or stopped."""

    answer: FoundSchedule | Exception = FOUND
    asked: list[IosOptions]
    waits = False

    def __init__(self, _: Any, options: IosOptions) -> None:
        Finding.asked.append(options)
        self._stopped = asyncio.Event()

    async def run(self) -> FoundSchedule:
        """The answer."""
        if Finding.waits:
            os.kill(os.getpid(), signal.SIGINT)
            await self._stopped.wait()
            return replace(FOUND, ended="stopped")
        if isinstance(Finding.answer, Exception):
            raise Finding.answer
        return Finding.answer

    async def stop(self) -> None:
        """Let go."""
        self._stopped.set()

    end = stop


@pytest.fixture(autouse=True)
def _finding(monkeypatch: pytest.MonkeyPatch) -> None:
    Finding.answer, Finding.asked, Finding.waits = FOUND, [], False
    monkeypatch.setattr(find_schedule, "Finding", Finding)


def test_the_schedule_is_answered_as_one_object(here: Here, project: Path) -> None:
    done = here("ios", project, "--r", "2", "--s", "4", "--seconds", "60", "--json")
    assert done.code == 0
    assert Finding.asked == [IosOptions(2, 4, "both", 60.0)]
    found = done.json
    assert found["way"] == "ios_parallel"
    assert found["latency_s"] is None
    assert found["sequential_latency_s"] == 3.7e-4
    assert found["stages"] == [
        {"strategy": "concurrent", "groups": [[0, 1]], "latency_s": 3e-4},
        {"strategy": "concurrent", "groups": [[2]], "latency_s": 5e-5},
    ]
    assert found["ways"][0]["peak_bytes"] == 4096
    assert found["tradeoffs"][1]["stages"] == 5
    assert (found["states"], found["pairs"], found["stages_measured"]) == (4, 9, 5)
    assert (found["ended"], found["exact"], found["batch"]) == ("time", False, 1)


def test_every_way_is_in_a_table(here: Here, project: Path) -> None:
    out = here("ios", project).out
    assert "sequential" in out
    assert "ios_parallel (chosen)" in out
    assert "360 us" in out
    assert "the time was over, large blocks in parts" in out
    assert f"tunewright export {project}" in out


def test_ctrl_c_ends_the_search_and_prints_the_best_so_far(here: Here, project: Path) -> None:
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals come to the main thread")
    Finding.waits = True
    done = here("ios", project, "--json")
    assert done.code == 0
    assert done.json["ended"] == "stopped"
    assert "Every result is kept" in done.err
    assert "Stopping the search" in done.err


@pytest.mark.parametrize("error", [Ended(), TuningError("It failed.", "Do something.")])
def test_a_search_without_a_result_is_one_sentence(
    here: Here, project: Path, error: TuningError
) -> None:
    Finding.answer = error
    done = here("ios", project, "--json")
    assert done.code == 1
    assert done.json == {"error": error.what, "todo": error.todo}
    assert "Traceback" not in done.err


def test_merged_operators_are_tuned_first_and_what_that_takes_is_said_before(
    here: Here, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = list[RunSettings]()

    def start_run(_: Engine, settings: RunSettings) -> Future[int]:
        runs.append(settings)
        assert Finding.asked == []
        done: Future[int] = Future()
        done.set_result(1)
        return done

    cost = Estimate(2, 16, 6.4, "It is assumed.")
    monkeypatch.setattr(work, "options_of", lambda _: None)
    monkeypatch.setattr(work, "estimate", lambda *_: cost)
    monkeypatch.setattr(Engine, "start_run", start_run)
    done = here("ios", project, "--merge-trials", "8", "--json")
    assert done.code == 0
    assert "tuning 2 merged operators takes about 16 trials, 0:06. It is assumed." in done.err
    assert [run.steps for run in runs] == [(Step("merge", {"per_task": 8}),)]
    assert len(Finding.asked) == 1


def test_a_terminal_is_told_how_far_the_search_is() -> None:
    status = Status()
    state = SearchState(120, 3456, 5e4, 40, 17, 2e-3, 1.6e-3, 1e-3, True, 12.0, 288.0)
    assert status.take([StageSearch(state)]) == []
    line = status.line()
    for part in ("40 measured", "at most 17", "120 sets", "1.60 ms", "1.25x", "4:48 left"):
        assert part in line
    assert dict(status.rows())["sequential"] == "2.00 ms"
    status.take([Progress("Measuring whole schedules in turns")])
    assert "Measuring whole" in status.line()
    status.take([Progress(""), StageSearch(state, running=False)])
    assert status.search is None
