"""The peak speed of a target where it was measured before: for views, which never measure."""

from __future__ import annotations

import json
import platform
import re
from pathlib import Path

_CPU = re.compile(r"cpu (?P<mcpu>.+) x(?P<cores>\d+)")


def known_peak(title: str, folder: Path | None = None) -> float | None:
    """The FLOP/s that `engine.targets.peak` keeps in `folder` for a CPU target of this title.

    None for another machine's, for a GPU's, and for one that was never measured.
    """
    found = _CPU.fullmatch(title)
    if found is None:
        return None
    from platformdirs import user_data_path

    path = (folder or Path(user_data_path("tunewright"))) / "peaks.json"
    prefix = f"{platform.node()} cpu x{found['cores']} "
    try:
        stored = json.loads(path.read_text())
        peaks = [
            float(value)
            for key, value in stored.items()
            if key.startswith(prefix) and json.loads(key[len(prefix) :])["mcpu"] == found["mcpu"]
        ]
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return None
    return max((peak for peak in peaks if peak > 0), default=None)
