"""The shapes and values given before, by the model's SHA-256, in the user's data folder."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from engine.storage.whole_file import write_whole

_MOST = 500  # models; the oldest go first
_SHAPES, _VALUES = "shapes.json", "values.json"
_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")


def recall(sha256: str) -> dict[str, tuple[int, ...]]:
    """The shapes last given for that model, by input; empty where there are none."""
    return _read(_path(_SHAPES), _shape).get(sha256, {})


def remember(sha256: str, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Keep the shapes. A folder that cannot be written to costs only the memory."""
    _keep(_path(_SHAPES), sha256, shapes, _shape)


def recall_values(sha256: str) -> dict[str, float]:
    """The values last given for that model, by input; empty where there are none."""
    return _read(_path(_VALUES), float).get(sha256, {})


def remember_values(sha256: str, values: Mapping[str, float]) -> None:
    """Keep the values, or forget earlier ones where there are none now."""
    if values or recall_values(sha256):
        _keep(_path(_VALUES), sha256, values, float)


def _keep(
    path: Path, sha256: str, answers: Mapping[str, _Answer], read: Callable[[Any], _Answer]
) -> None:
    kept = _read(path, read)
    kept.pop(sha256, None)
    kept[sha256] = dict(answers)
    newest = dict(list(kept.items())[-_MOST:])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(newest))
    except OSError as error:
        _log.info("Answers are not remembered: %s", error)


def _shape(sizes: Any) -> tuple[int, ...]:
    return tuple(map(int, sizes))


def _path(name: str) -> Path:
    from platformdirs import user_data_path

    return user_data_path("tunewright") / name


def _read(path: Path, read: Callable[[Any], _Answer]) -> dict[str, dict[str, _Answer]]:
    """What is stored; another program's or a damaged file counts as none."""
    try:
        stored = json.loads(path.read_text())
        return {
            str(sha256): {str(name): read(answer) for name, answer in answers.items()}
            for sha256, answers in stored.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
