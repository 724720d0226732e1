"""What the command line adds to an error: the option or command of its own that helps."""

from __future__ import annotations

from engine.records.errors import Hint, ShapeError, TunewrightError

HINTS: dict[Hint, str] = {
    Hint.CHECK: "Run `tunewright doctor`.",
    Hint.RESUME: "That is `tunewright resume`.",
    Hint.QUEUE: "See `tunewright queue list`.",
    Hint.TARGETS: "See `tunewright targets`.",
    Hint.SERVER: "Run `tunewright rpc-server` there.",
    Hint.TRACKER: "Run `tunewright rpc-tracker` there.",
    Hint.SHAPE: "That is `--shape NAME=1x3x224x224`.",
    Hint.VALUE: "That is `--value NAME=1`.",
    Hint.RECORD: "`tunewright record` makes one.",
}


def advice(error: TunewrightError) -> str:
    """What to do about an error, in a terminal."""
    parts = [error.todo, HINTS[error.hint] if error.hint else ""]
    if isinstance(error, ShapeError):
        wanted = (item for item in error.questions if item.is_open)
        forms = [f"--shape {item.name}={item.form}" for item in wanted]
        parts += [f"Use {' '.join(forms)}."] if forms else []
    return " ".join(part for part in parts if part)
