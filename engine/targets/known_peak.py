"""The peaks of a target where they were found before: for views, which never measure."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

from engine.records.precision import DEFAULT_PRECISION
from engine.records.snapshot import Snapshot

MEMORY = "memory "  # before the key of a target: the peak of its memory


def peak_of(snapshot: Snapshot) -> float | None:
    """The FLOP/s that a project's device can do at most, where that was found out here before.

    It is that of float32: None for a project in another precision, which has units of its own.
    """
    if snapshot.precision != DEFAULT_PRECISION:
        return None
    return known_peak(snapshot.hardware.text)


def known_peak(target: str, folder: Path | None = None) -> float | None:
    """The FLOP/s that `engine.targets.peak` keeps in `folder` for a target, TVM's JSON of it.

    None for another machine's, and for one that was never found out.
    """
    return _known("", target, folder)


def known_bytes(target: str, folder: Path | None = None) -> float | None:
    """The bytes/s of memory that `engine.targets.bandwidth` keeps, as `known_peak`."""
    return _known(MEMORY, target, folder)


def _known(what: str, target: str, folder: Path | None) -> float | None:
    if not target:
        return None
    from platformdirs import user_data_path

    path = (folder or Path(user_data_path("tunewright"))) / "peaks.json"
    here = f"{what}{platform.node()} "
    try:
        stored = json.loads(path.read_text())
        peaks = [
            float(value)
            for key, value in stored.items()
            if key.startswith(here) and _fields(_target_of(key[len(here) :])) == _fields(target)
        ]
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return max((peak for peak in peaks if peak > 0), default=None)


def _fields(target: str) -> Any:
    """A target's fields without those that TVM adds when it reads them again."""
    try:
        fields = json.loads(target)
    except ValueError:
        return target
    return {k: v for k, v in fields.items() if k != "keys"} if isinstance(fields, dict) else target


def _target_of(key: str) -> str:
    """What stands after the device and "x4", the cores."""
    return key.partition(" x")[2].partition(" ")[2]
