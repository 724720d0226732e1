"""The peak speed of a target where it was measured before: for views, which never measure."""

from __future__ import annotations

import json
import platform
from pathlib import Path


def known_peak(target: str, folder: Path | None = None) -> float | None:
    """The FLOP/s that `engine.targets.peak` keeps in `folder` for a CPU target, TVM's JSON of it.

    None for another machine's, for a GPU's, and for one that was never measured.
    """
    if not target:
        return None
    from platformdirs import user_data_path

    path = (folder or Path(user_data_path("tunewright"))) / "peaks.json"
    here = f"{platform.node()} cpu x"
    try:
        stored = json.loads(path.read_text())
        peaks = [
            float(value)
            for key, value in stored.items()
            if key.startswith(here) and key[len(here) :].partition(" ")[2] == target
        ]
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return max((peak for peak in peaks if peak > 0), default=None)
