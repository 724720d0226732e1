"""Jobs without models."""

from __future__ import annotations

from typing import Any

from engine.records.job import QueuedJob
from engine.records.settings import Budget, RunSettings

SOURCE = {"kind": "file", "location": "/models/net.onnx", "shapes": {}, "sha256": ""}


def job(title: str = "net", **changes: Any) -> QueuedJob:
    """A job that was not added yet."""
    given: dict[str, Any] = {
        "source": SOURCE,
        "target": "cpu",
        "settings": RunSettings(Budget(trials=8, latency_s=1e-3)),
    }
    return QueuedJob(0, title, **{**given, **changes})
