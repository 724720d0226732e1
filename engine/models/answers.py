"""The shapes that a person gave before, by the model's SHA-256, in the user's data folder."""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Mapping
from pathlib import Path

_MOST = 500  # models; the oldest go first
_log = logging.getLogger(__name__)


def recall(sha256: str) -> dict[str, tuple[int, ...]]:
    """The shapes last given for that model, by input; empty where there are none."""
    return _read(_path()).get(sha256, {})


def remember(sha256: str, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Keep the shapes. A folder that cannot be written to costs only the memory."""
    path = _path()
    kept = _read(path)
    kept.pop(sha256, None)
    kept[sha256] = dict(shapes)
    newest = dict(list(kept.items())[-_MOST:])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            json.dump(newest, file)
        Path(file.name).replace(path)
    except OSError as error:
        _log.info("Shapes are not remembered: %s", error)


def _path() -> Path:
    from platformdirs import user_data_path

    return user_data_path("tunewright") / "shapes.json"


def _read(path: Path) -> dict[str, dict[str, tuple[int, ...]]]:
    """What is stored; another program's or a damaged file counts as none."""
    try:
        stored = json.loads(path.read_text())
        return {
            str(sha256): {str(name): tuple(map(int, shape)) for name, shape in shapes.items()}
            for sha256, shapes in stored.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
