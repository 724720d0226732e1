"""The tuning engine: everything that works, and nothing of Qt.

Programs are promised `Tuning` and the `Tuned` that it gives, and nothing else in here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.interface.tuned import Tuned
    from engine.interface.tuning import Tuning

# Unless it finds this when it is loaded, ONNX Runtime notes the name and hashes of each model for a
# collector of Microsoft's, and leaves files in HOME and in the temporary folder.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__all__ = ["Tuned", "Tuning"]


def __getattr__(name: str) -> Any:
    """The interface for programs, loaded when it is asked for."""
    if name == "Tuning":
        from engine.interface.tuning import Tuning

        return Tuning
    if name == "Tuned":
        from engine.interface.tuned import Tuned

        return Tuned
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
