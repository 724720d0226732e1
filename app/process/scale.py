"""How large the interface is drawn: a choice of the person's, on top of the desktop's own scale.

Qt takes the factor from the environment when the process starts, and everything grows by it: text,
icons, lines, room. So a choice holds from the next start.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping

from app.process.settings import Settings

KEY, VARIABLE = "scale", "QT_SCALE_FACTOR"
SCALES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)


def chosen(settings: Settings) -> float:
    """The scale of the next start; 1 where none was chosen, or none that is offered."""
    stored = settings.get(KEY, 1.0)
    return stored if stored in SCALES else 1.0


def choose(settings: Settings, scale: float) -> None:
    """Draw the interface so large from the next start on."""
    settings.set(KEY, scale)


def prepare(settings: Settings, environment: MutableMapping[str, str] = os.environ) -> None:
    """Before the QApplication: let Qt know. What the person's environment says goes before."""
    scale = chosen(settings)
    if scale != 1.0 and VARIABLE not in environment:
        environment[VARIABLE] = f"{scale:g}"


def text_of(scale: float) -> str:
    """The scale as it is shown."""
    return f"{100 * scale:.0f} %"
