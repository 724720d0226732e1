"""What the window asks of the engine, and what becomes of the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.document.document import Document
from app.document.edits import Edits
from app.process.bridge import Bridge, Done, Failed
from app.process.settings import Settings
from app.window.aids.recent_files import RecentFiles
from app.window.precisions import Precisions
from engine.allocation.wishes import Wishes
from engine.deploy.packing.wheel import WheelName
from engine.jobs.cancelling import Cancelled
from engine.jobs.commands import EngineCommands
from engine.measure.remote.given import give, give_machine
from engine.records.errors import (
    AddressNotGiven,
    ModelMissing,
    NoReference,
    ShapeError,
    TunewrightError,
)
from engine.records.formats import PROJECT_SUFFIX, is_project
from engine.records.schedule import IosOptions
from engine.records.settings import Budget, RunSettings, RunState, Step
from engine.records.snapshot import Snapshot
from engine.records.source import ModelSource
from engine.watching.address import parse_watched
from widgets.look.language import QT_TR_NOOP, refusal, tr

TARGETS = ("auto", "cpu", "cuda")
DEFAULT_BUDGET = Budget(seconds=1200)
WATCHED, WATCHED_KEPT = "watched", 8
STARTING = QT_TR_NOOP("Starting")


class Commands(QObject):
    """Calls the engine and keeps the document's idea of what is in flight.

    What fails is told by the engine's own Failure event; nothing is told here again. What is in
    flight is named in English; whoever shows it translates it.
    """

    shapes_wanted = Signal(object, object)  # ModelSource, ShapeError
    reference_missed = Signal(object, object)  # ModelSource, NoReference
    model_missed = Signal(object)  # ModelMissing
    address_wanted = Signal(object, object)  # AddressNotGiven, what to do once it is given
    detail_ready = Signal(int, dict)
    detail_failed = Signal(int, str)
    export_done = Signal()
    recent_changed = Signal()
    target_changed = Signal()
    settings_changed = Signal()
    leaving = Signal()  # the open project, for another or none

    def __init__(
        self, engine: EngineCommands, bridge: Bridge, document: Document, settings: Settings
    ) -> None:
        super().__init__()
        self._engine = engine
        self._bridge = bridge
        self._document = document
        self._settings = settings
        self.source: ModelSource | None = None
        self.target = settings.get("target", "auto")
        self.run_settings = _stored_settings(settings)
        self.recent_files = RecentFiles(settings, self)
        self.recent_files.changed.connect(self.recent_changed)
        self.precisions = Precisions(lambda: self._engine, bridge, settings, self)
        self.edits = Edits(lambda: self._engine, bridge, document, self, self)
        document.opened.connect(self._remember)

    def attach(self, engine: EngineCommands) -> None:
        """Ask this engine from now on."""
        self._engine = engine

    def look_at_target(self) -> None:
        """Find out what the chosen target can, once the engine has started."""
        self.precisions.look(self.target)

    # Opening

    def open_path(self, path: Path) -> None:
        """Open a project file or a model file."""
        self.leaving.emit()
        if is_project(path):
            opening = partial(self._engine.open_project, path)
            self._open(QT_TR_NOOP("Opening the project"), opening)
        else:
            self.open_model(ModelSource("file", str(path)))

    def open_model(self, source: ModelSource) -> None:
        """Import a model, file or sample, for the chosen target and in the chosen precision."""
        self.leaving.emit()
        source = self.precisions.of(source)

        def opening() -> Future[Any]:
            return self._engine.open_model(source, self.target, None)

        self._open(QT_TR_NOOP("Importing the model"), opening, source, can_cancel=True)

    def show_shape(self, place: int | None) -> None:
        """Show one shape of a set by its place, or all of them together."""
        path = self._document.path

        def done(snapshot: Snapshot) -> None:
            if self._document.path == path:
                self._document.show_shape(snapshot, place)

        self._call(QT_TR_NOOP("Reading the project"), self._engine.snapshot, done, brief=True)

    def watch(self, address: str) -> None:
        """Show a project of another machine, which a person named; UsageError for no address."""
        file = parse_watched(address)
        give_machine(file.place)
        kept = [str(file), *(other for other in self.watched() if other != str(file))]
        self._settings.set(WATCHED, kept[:WATCHED_KEPT])
        self.leaving.emit()
        opening = partial(self._engine.watch_project, str(file))
        self._open(QT_TR_NOOP("Connecting"), opening, can_cancel=True)

    def watched(self) -> list[str]:
        """Addresses of projects that were watched lately, the last one first."""
        return [
            text for text in self._settings.get(WATCHED, [""]) if isinstance(text, str) and text
        ]

    def open_sample(self, name: str) -> None:
        self.open_model(ModelSource("sample", name))

    def reopen(self) -> None:
        """Import the model again, for the target or in the precision chosen since."""
        if self.source is not None:
            self.open_model(self.source)

    def save_as(self, path: Path) -> None:
        """Copy the project and go on in the copy."""
        chosen = path if path.suffix else path.with_suffix(PROJECT_SUFFIX)
        self._bridge.watch(self._engine.save_as(chosen))

    def locate_model(self, path: Path) -> None:
        """Take the open project's model from another place, where it is the same."""
        self._call(QT_TR_NOOP("Locating the model"), partial(self._engine.locate_model, path))

    def close_project(self, then: Callable[[], object] = lambda: None) -> None:
        """Close the project file, `then` go on."""

        def closed(_: Any) -> None:
            self._document.close()
            then()

        self.leaving.emit()
        self._call(QT_TR_NOOP("Closing"), self._engine.close_project, closed, brief=True)

    # Running

    def set_target(self, target: str) -> None:
        """Choose the target that the next model is opened for, as a person wrote it."""
        give(target)
        self.target = target.strip() or "auto"
        self._settings.set("target", self.target)
        self.look_at_target()
        self.target_changed.emit()

    def set_budget(self, budget: Budget) -> None:
        """Choose how long the next run may go on."""
        self.keep(replace(self.run_settings, budget=budget))

    def keep(self, settings: RunSettings) -> None:
        """Use these settings when Start is pressed, as a person wrote them; an edit that can be
        taken back."""
        give(settings.devices, settings.cluster)
        self.edits.set_settings(settings)

    def keep_settings(self, settings: RunSettings) -> None:
        """Use these settings when Start is pressed."""
        self.run_settings = settings
        self._settings.set("run", settings.as_dict())
        self.settings_changed.emit()

    def start(self, despite: bool = False) -> None:
        """Start a run with the settings kept, this one `despite` a wrong answer."""
        settings, wishes = self.run_settings, self._document.wishes
        if despite:
            settings = replace(settings, despite=True)
        if wishes != Wishes():
            settings = replace(settings, wishes=wishes.as_dict())
        self._call(STARTING, partial(self._engine.start_run, settings), brief=True)

    def start_with(self, settings: RunSettings) -> None:
        """Keep these settings and start."""
        self.keep(settings)
        self.start()

    def resume(self) -> None:
        """Go on with the last run; after a finished one, for another budget."""
        run = self._document.run
        spent = run is not None and run.state is RunState.FINISHED
        budget = self.run_settings.budget if spent else None
        self._call(STARTING, partial(self._engine.resume_run, budget), brief=True)

    def start_pass(self, steps: tuple[Step, ...], budget: Budget, repeat: bool = False) -> None:
        """Start a run with this plan and budget, and the other settings of the last run."""
        run = self._document.run
        settings = run.settings if run else self.run_settings
        asked = replace(settings, steps=steps, budget=budget, repeat=repeat)
        self._call(STARTING, partial(self._engine.start_run, asked), brief=True)

    def find_schedule(self, options: IosOptions) -> None:
        """Search a schedule of stages within these limits."""

        def finding() -> Future[Any]:
            self._document.set_searching(True)
            return self._engine.find_schedule(options)

        def ended(_: Any) -> None:
            self._document.set_searching(False)

        self._call(QT_TR_NOOP("Finding stages"), finding, ended, ended)

    def find_spaces(self) -> None:
        """Have the design spaces of all tasks found, for the clusters."""
        self._call(QT_TR_NOOP("Finding design spaces"), self._engine.find_spaces, can_cancel=True)

    def toggle_pause(self) -> None:
        """Hold the run, or let it go on."""
        paused = self._document.state is RunState.PAUSED
        future = self._engine.unpause() if paused else self._engine.pause()
        self._bridge.watch(future)

    def stop(self) -> None:
        """End the run, or the search for stages."""
        self._bridge.watch(self._engine.stop())

    def cancel(self) -> None:
        """Take back the command in flight."""
        self._bridge.watch(self._engine.cancel())

    def measure_again(self) -> None:
        """Measure the whole model again, and what runs its file."""
        self._call(QT_TR_NOOP("Measuring again"), self._engine.measure_again, can_cancel=True)

    def export(
        self,
        folder: Path,
        wheel: WheelName | None = None,
        pads: Mapping[str, float] | None = None,
    ) -> None:
        """Export the module into `folder`, and a wheel of it where that has a name; of several
        shapes with what its inputs may be padded."""
        self._call(
            QT_TR_NOOP("Exporting"),
            partial(self._engine.export, folder, wheel, pads),
            lambda _: self.export_done.emit(),
            can_cancel=True,
        )

    def trial_detail(self, number: int) -> None:
        """Ask for a trial's schedule and source; an answer after it was left is dropped."""
        path = self._document.path

        def done(texts: dict[str, str]) -> None:
            if self._document.path == path:
                self.detail_ready.emit(number, texts)

        def failed(error: BaseException) -> None:
            if self._document.path == path:
                text = (
                    refusal(error)
                    if isinstance(error, TunewrightError)
                    else tr("There are no details.")
                )
                self.detail_failed.emit(number, text)

        self._bridge.watch(self._engine.trial_detail(number), done, failed)

    # Recent files

    def recent(self) -> list[str]:
        """Project files opened lately: pinned ones, then the latest first."""
        return self.recent_files.paths()

    def forget_recent(self, path: str) -> None:
        """Take a file out of the list."""
        self.recent_files.forget(path)

    def _remember(self) -> None:
        if not self._document.watched:  # whose copy here goes again
            self.recent_files.remember(self._document.path)

    # Answers

    def _open(
        self,
        text: str,
        ask: Callable[[], Future[Any]],
        source: ModelSource | None = None,
        can_cancel: bool = False,
    ) -> None:
        """Have a project opened, or one made of `source`."""

        def done(_: Any) -> None:
            self.source = source

        def failed(error: BaseException) -> None:  # what was open stays open
            if isinstance(error, ShapeError) and source is not None:
                self.shapes_wanted.emit(source, error)
            elif isinstance(error, NoReference) and source is not None:
                self.reference_missed.emit(source, error)

        self._call(text, ask, done, failed, can_cancel)

    def _call(
        self,
        text: str,
        ask: Callable[[], Future[Any]],
        done: Done | None = None,
        failed: Failed | None = None,
        can_cancel: bool = False,
        brief: bool = False,
    ) -> None:
        """Have the engine do what `ask` asks; again, where a person allows an address for it."""
        future = ask()
        self._document.set_pending(text, can_cancel, brief=brief)

        def ended(answer: Done | Failed | None, value: Any) -> None:
            self._document.set_pending("", cancelled=isinstance(value, Cancelled))
            if answer is not None:
                answer(value)
            if isinstance(value, ModelMissing):
                self.model_missed.emit(value)
            if isinstance(value, AddressNotGiven):
                again = partial(self._call, text, ask, done, failed, can_cancel, brief)
                self.address_wanted.emit(value, again)

        self._bridge.watch(future, partial(ended, done), partial(ended, failed))


def _stored_settings(settings: Settings) -> RunSettings:
    try:
        return RunSettings.from_dict(settings.get("run", {"": ""}))
    except (KeyError, TypeError, ValueError, TunewrightError):
        return RunSettings(budget=DEFAULT_BUDGET)
