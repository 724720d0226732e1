"""A command that needs a project's records reads the project once, and passes that on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.jobs import session as sessions
from engine.jobs.records import Records
from engine.jobs.resources import Resources
from engine.jobs.session import Session
from engine.project import reading
from engine.project.repository import Project
from engine.records.settings import RunSettings
from engine.records.snapshot import SlotInfo
from engine.records.trial import Check
from tests.engine.jobs.test_finding_job import OPTIONS, Bench, bench
from tests.engine.project.ios_data import FOUND
from tests.engine.project.support import new_project, new_trial, trace_text

__all__ = ["bench"]  # a fixture


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """One with trials of two tasks and a schedule of stages."""
    with new_project(tmp_path / "net.tune") as made:
        run = made.start_run(RunSettings())
        for task in (0, 1):
            slot = made.add_slot(SlotInfo(0, run, task, 0.0, ""))
            made.add_trial(new_trial(task, task, slot=slot.number, run=run))
        made.set_schedule(FOUND)
        yield made


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The reads of whole tables, by name."""
    found: list[str] = []
    for name in ("read_snapshot", "read_tasks"):
        monkeypatch.setattr(reading, name, _counted(name, getattr(reading, name), found))
    return found


def _counted(name: str, real: Callable[..., Any], found: list[str]) -> Callable[..., Any]:
    def read(*given: Any, **more: Any) -> Any:
        found.append(name)
        return real(*given, **more)

    return read


class Loaded(Session):
    """A session whose model is read, for a device at `remote`."""

    remote = ""

    async def load_model(self) -> Any:
        """As little of it as an export needs."""
        target = SimpleNamespace(place="cpu", remote=self.remote)
        source = SimpleNamespace(precision="float32")
        return SimpleNamespace(program=SimpleNamespace(target=target), prepared=None, source=source)


def exported(
    project: Project, folder: Path, patch: pytest.MonkeyPatch, remote: str = ""
) -> tuple[Any, ...]:
    """What an export of the project hands to the compiler."""
    patch.setattr(Loaded, "remote", remote)
    given: list[Any] = []

    def export_module(*arguments: Any) -> dict[str, Any]:
        given.extend(arguments)
        measured = {"latency_s": 1e-3, "latency_spread_s": None, "latency_load": None}
        return {"schedule": None, "left_out": "", **measured}

    async def libraries() -> None:
        return None

    async def export() -> None:
        with ThreadPoolExecutor(2) as threads:
            session = Loaded(project, Resources(2), threads, lambda _: None, libraries)
            await session.export(folder)

    patch.setattr(sessions, "export_module", export_module)
    asyncio.run(export())
    return tuple(given)


def test_an_export_reads_the_project_once(
    project: Project, reads: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, records, *_, staging, _, missing, left_out = exported(
        project, tmp_path / "out", monkeypatch
    )
    assert (missing, left_out) == (False, "")
    assert reads == ["read_snapshot", "read_tasks"]  # the second is of the first
    assert [record.trace for record in records.values()] == [trace_text(0), trace_text(1), ""]
    assert staging.found == FOUND
    assert staging.traces == {"f0" * 32: trace_text(0), "f1" * 32: trace_text(1)}


def test_a_search_for_stages_reads_the_project_once(bench: Bench, reads: list[str]) -> None:
    bench.find(OPTIONS)
    assert reads == ["read_snapshot", "read_tasks"]


def test_a_task_that_untuned_is_as_fast_has_no_record(project: Project) -> None:
    assert set(Records.of(project).traces) == {0, 1}
    project.set_untuned(1.0, {0: 1e-6, 1: 1.0})
    assert set(Records.of(project).traces) == {1}


def test_where_the_device_is_elsewhere_no_record_is_exported_that_was_not_compared(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.check_trial(1, Check.AGREES)
    elsewhere = "rpc://127.0.0.1:9190/board"
    _, _, records, *_, missing, left_out = exported(
        project, tmp_path / "out", monkeypatch, elsewhere
    )
    assert [record.trace for record in records.values()] == [trace_text(0), "", ""]
    assert missing and left_out == (
        "1 task is exported without its best schedule, which was not compared with the untuned "
        "kernel."
    )


def test_the_best_checked_schedule_takes_the_place_of_a_faster_one_that_is_not(
    project: Project,
) -> None:
    slow = new_trial(5, slot=1, run=1, samples=(5e-4,) * 4)
    number = project.add_trial(slow).number
    project.check_trial(number, Check.NOT_COMPARED)
    found = Records.of(project, checked=True)
    assert (found.traces, found.unchecked) == ({0: slow.trace}, 2)
    assert set(Records.of(project).traces) == {0, 1} and Records.of(project).unchecked == 0
