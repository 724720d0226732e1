"""The window asks before it connects to what a file names; what a person writes is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QMessageBox
from pytestqt.qtbot import QtBot

from app.document.commands import Commands
from app.process.job_desk import JobDesk
from app.process.settings import Settings
from engine.measure.remote.given import VARIABLE, default_path, require_all_given
from engine.records.errors import AddressNotGiven
from engine.records.events import ProjectOpened
from engine.records.schedule import IosOptions
from engine.records.settings import Budget, RunSettings, Step
from tests.app.conftest import Console
from tests.app.fake_queue import FakeQueue
from tests.samples import squeezenet_like_snapshot

PLACE = "10.1.2.3:8786"

# What may connect, and what the engine is asked for it.
ASKS: dict[str, tuple[Callable[[Commands], object], str]] = {
    "start": (lambda of: of.start(), "start_run"),
    "start despite": (lambda of: of.start(despite=True), "start_run"),
    "resume": (lambda of: of.resume(), "resume_run"),
    "pass": (lambda of: of.start_pass((Step("droplet"),), Budget(trials=2)), "start_run"),
    "stages": (lambda of: of.find_schedule(IosOptions()), "find_schedule"),
    "spaces": (lambda of: of.find_spaces(), "find_spaces"),
    "export": (lambda of: of.export(Path("/tmp/out")), "export"),
    "model": (lambda of: of.open_path(Path("/m/net.onnx")), "open_model"),
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of a person who has given nothing yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.delenv(VARIABLE, raising=False)


def question(console: Console) -> QMessageBox:
    """The one that is on show."""
    (box,) = [each for each in console.window.findChildren(QMessageBox) if not each.isHidden()]
    return box


def chosen(box: QMessageBox, yes: bool) -> QAbstractButton:
    """The button that connects, or the one that does not."""
    role = QMessageBox.ButtonRole
    wanted = role.AcceptRole if yes else role.RejectRole
    (button,) = [each for each in box.buttons() if box.buttonRole(each) == wanted]
    return button


@pytest.mark.parametrize("yes", [True, False], ids=["yes", "no"])
@pytest.mark.parametrize("ask", ASKS)
def test_a_question_names_host_and_port_and_only_yes_goes_on(
    console: Console, ask: str, yes: bool
) -> None:
    console.tell(ProjectOpened(replace(squeezenet_like_snapshot(), path="/m/net.tune")))
    call, name = ASKS[ask]
    call(console.commands)
    asked = console.engine.calls[-1]
    assert asked[0] == name
    console.engine.refuse(name, AddressNotGiven((PLACE,)))
    console.tick()
    assert not default_path().exists()
    box = question(console)
    assert PLACE in box.text()
    assert "run code" in box.informativeText()
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    assert console.window.console.messages.rows() == []
    calls = len(console.engine.calls)
    chosen(box, yes).click()
    assert console.engine.calls[calls:] == ([asked] if yes else [])
    if yes:
        require_all_given(f"rpc://{PLACE}/k")
        assert console.document.pending
    else:
        assert not default_path().exists()
        assert console.document.idle


def test_opening_a_project_asks_nothing(console: Console) -> None:
    console.tell(ProjectOpened(squeezenet_like_snapshot()))
    assert console.window.findChildren(QMessageBox) == []
    assert not default_path().exists()


@pytest.mark.parametrize(
    "write",
    [
        lambda of: of.set_target(f"dask+tls://{PLACE} cpu"),
        lambda of: of.keep(RunSettings(cluster=f"tls://{PLACE}")),
        lambda of: of.start_with(RunSettings(devices=f"rpc://{PLACE}/k")),
    ],
    ids=["target", "cluster", "devices"],
)
def test_what_a_person_writes_into_a_field_was_given(
    console: Console, write: Callable[[Commands], object]
) -> None:
    write(console.commands)
    require_all_given(f"rpc://{PLACE}/k")


class Refusing(FakeQueue):
    """Takes no job until its address was given."""

    def add(self, *args: object, **options: object) -> object:  # type: ignore[override]
        try:
            require_all_given(f"rpc://{PLACE}/k")
        except AddressNotGiven as error:
            return self._refuse(error)
        return super().add(*args, **options)  # type: ignore[arg-type]


@pytest.fixture
def queued(qtbot: QtBot) -> Iterator[tuple[Console, FakeQueue]]:
    """A console with a queue."""
    queue = Refusing()
    desk = JobDesk(lambda: queue)
    console = Console(qtbot, Settings(memory=True), desk)
    desk.open()
    yield console, queue
    desk.close()
    console.window.close_now()
    console.session.end()


def test_a_project_that_is_left_to_the_queue_is_asked_about_first(
    queued: tuple[Console, FakeQueue],
) -> None:
    console, queue = queued
    desk = console.window.console.windows.desk
    console.window.aids.jobs._add_project(Path("/m/net.tune"), RunSettings(), 0)
    desk.tick()
    assert queue.jobs == []
    box = question(console)
    assert PLACE in box.text()
    chosen(box, True).click()
    desk.tick()
    assert [job.project for job in queue.jobs] == ["/m/net.tune"]
