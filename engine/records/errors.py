"""The errors a person can act on: each says what happened and what to do."""

from __future__ import annotations

import sys
from enum import Enum, auto
from itertools import zip_longest
from typing import Any, Self

from engine.records.sentences import Sentence, listed, together


class Hint(Enum):
    """What helps on. The command line says which of its commands or options that is."""

    CHECK = auto()  # of this machine
    RESUME = auto()  # of a project
    QUEUE = auto()
    TARGETS = auto()
    SERVER = auto()  # of a device
    TRACKER = auto()
    SHAPE = auto()
    VALUE = auto()
    RECORD = auto()  # of a project, for a replay
    WITHOUT_REFERENCE = auto()
    DESPITE = auto()  # a wrong answer


class TunewrightError(Exception):
    """An expected failure. `what` and `todo` are each one short sentence for a person.

    `usage` is true where the request itself was wrong (exit code 2), false where carrying it
    out failed (exit code 1). No text names a command or an option of the command line: the
    window shows it, too. The command line adds those of the `hint`.
    """

    usage = False

    def __init__(self, what: str, todo: str = "", hint: Hint | None = None) -> None:
        super().__init__(together(what, todo))
        self.what = what
        self.todo = todo
        self.hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


class ModelError(TunewrightError):
    """A model file cannot be opened, simplified or lowered; `node` names the one that is why."""

    node = ""

    def at(self, node: str) -> Self:
        """The error, with the name of the file's node."""
        self.node = node
        return self


class ShapeError(ModelError):
    """An input's shape is missing, dynamic or contradicts the file.

    `questions` holds an `engine.models.questions.InputQuestion` for each input of the model,
    where it could be read, and `sha256` says which model that was.
    """

    usage = True
    questions: tuple[Any, ...] = ()
    sha256 = ""


class ModelMissing(ModelError):
    """The model's file of a project is not where it was."""


class NoReference(ModelError):
    """Nothing here runs the model's file, to compare with what is made of it."""

    usage = True


class UnsupportedOperators(ModelError):
    """The model uses operators that the importer lacks.

    `operators` names all of them, `nodes` for each the first node that is one.
    """

    def __init__(self, operators: tuple[str, ...], nodes: tuple[str, ...] = ()) -> None:
        names = ", ".join(
            f"{operator} ({node})" if node else operator
            for operator, node in zip_longest(operators, nodes)
        )
        if len(operators) == 1:
            super().__init__(
                Sentence("TVM cannot import this operator: {names}.", names=names),
                "Replace it in the model, or export it again without it.",
            )
        else:
            super().__init__(
                Sentence("TVM cannot import these operators: {names}.", names=names),
                "Replace them in the model, or export it again without them.",
            )
        self.operators = operators
        self.nodes = nodes


class TargetError(TunewrightError):
    """A target is unknown, or its hardware is not on this machine."""

    usage = True


class AddressNotGiven(TunewrightError):
    """A file names `places` (HOST:PORT each) to connect to, which no person gave on this machine.

    Nothing was connected to; giving them and asking again goes on.
    """

    usage = True
    SAYS = "which a file names and nobody here has allowed"

    def __init__(self, places: tuple[str, ...]) -> None:
        super().__init__(
            Sentence(
                "This would connect to {places}, which a file names and nobody here has allowed.",
                places=listed(places),
            ),
            "Allow it only if you know who answers there: they can run code on this machine.",
        )
        self.places = places


class WatchError(TunewrightError):
    """A project on another machine cannot be read from here, or not any more."""


class ProjectError(TunewrightError):
    """A project file is corrupt, newer than this program, in use, or cannot be written."""


class StorageError(TunewrightError):
    """A disk is full or a folder refuses to be written to."""


class TuningError(TunewrightError):
    """A run cannot start or go on: nothing to tune, no working build, a lost device."""


class DeviceMissing(TuningError):
    """What has a device elsewhere, or leads to it, does not answer, or has none that is fit."""


class WrongAnswer(TuningError):
    """The untuned module answers otherwise than what runs the file.

    `draw` names the inputs, `output` what differs, `ours` and `theirs` its values there as texts;
    `operator` and `node` are the first node of the file that differs, empty where it is unknown.
    """

    draw = output = ours = theirs = operator = node = ""


class ExportError(TunewrightError):
    """A module could not be exported or its outputs disagree with the reference."""


class ProtectedFile(StorageError):
    """A file or its folder cannot be written; it may be readable all the same."""


class UsageError(TunewrightError):
    """An argument or setting has a value that makes no sense."""

    usage = True


def _restored(
    kind: type[TunewrightError], args: tuple[Any, ...], state: dict[str, Any]
) -> TunewrightError:
    """An error that came from another process, as it was there."""
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


def install_todo(package: str, extra: str = "") -> Sentence:
    """What to do where a package is missing: one of its own, or those of an extra of ours."""
    ours = f"'tunewright[{extra}]'" if extra else "tunewright"
    if getattr(sys, "frozen", False):
        return Sentence(
            "This program takes up no packages: use Tunewright from pip install {package}.",
            package=ours,
        )
    return Sentence("Install it with: pip install {package}.", package=ours if extra else package)
