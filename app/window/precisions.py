"""Which precision the next model is opened in, and whether its target can compute in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from PySide6.QtCore import QObject, Signal

from app.process.bridge import Bridge
from app.process.settings import Settings
from engine.jobs.commands import EngineCommands
from engine.records.errors import TunewrightError
from engine.records.machine import TargetSpec
from engine.records.precision import DEFAULT_PRECISION, PRECISIONS, has_tensor_cores
from engine.records.source import ModelSource, Precision
from widgets.look.language import refusal, tr

KEY = "precision"


class Precisions(QObject):
    """Keeps a person's choice, and asks the engine what a target can.

    `reason` is why the chosen target has float32 only, "" where it has all, None while that is not
    known: the engine judges then.
    """

    changed = Signal()
    chosen_by_hand = Signal()

    def __init__(
        self,
        engine: Callable[[], EngineCommands],
        bridge: Bridge,
        settings: Settings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._bridge, self._settings = engine, bridge, settings
        stored = settings.get(KEY, DEFAULT_PRECISION)
        self.wanted = stored if stored in PRECISIONS else DEFAULT_PRECISION
        self.reason: str | None = None
        self._target = ""

    @property
    def holds(self) -> str:
        """What the next model is opened in."""
        return DEFAULT_PRECISION if self.reason else self.wanted

    def choose(self, precision: str) -> None:
        """A person's choice, for the next models."""
        if precision != self.wanted:
            self.wanted = precision
            self._settings.set(KEY, precision)
            self.changed.emit()
            self.chosen_by_hand.emit()

    def of(self, source: ModelSource) -> ModelSource:
        """The source in the precision that holds."""
        return in_precision(source, self.holds)

    def look(self, target: str) -> None:
        """Find out what the chosen target can; what is heard of an earlier one does not count."""
        self._target, self.reason = target, None
        self.changed.emit()

        def heard(reason: str) -> None:
            if self._target == target:
                self.reason = reason
                self.changed.emit()

        self.ask(target, heard)

    def ask(self, target: str, then: Callable[[str], None]) -> None:
        """Call `then` with the reason why a target has float32 only, "" where it has all."""

        def failed(error: BaseException) -> None:
            then(
                refusal(error)
                if isinstance(error, TunewrightError)
                else tr("The target could not be looked at.")
            )

        self._bridge.watch(
            self._engine().look_at_target(target), lambda spec: then(refusal_of(spec)), failed
        )


def in_precision(source: ModelSource, precision: str) -> ModelSource:
    """The source in another precision, which is one of `PRECISIONS`."""
    return replace(source, precision=cast("Precision", precision))


def refusal_of(target: TargetSpec) -> str:
    """Why a target has float32 only, "" where it has all."""
    if not target.is_gpu:
        return tr("A CPU has no tensor cores: its models are computed in float32.")
    if not has_tensor_cores(target):
        return tr(
            "{target} has no tensor cores for TF32 and 16 bits: they begin with sm_80.",
            target=target.title,
        )
    return ""
