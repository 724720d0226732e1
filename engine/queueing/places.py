"""Which device a job measures on, known before any of its stages waits."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from engine.project.repository import Project
from engine.records.errors import TunewrightError
from engine.records.job import QueuedJob
from engine.targets.remote_target import split_remote
from engine.targets.targets import resolve


def device_of(job: QueuedJob) -> str:
    """The device's name among all that are tuned from here ("cpu", "cuda:1", rpc://HOST:PORT/KEY),
    the project's own of a job that measures on several.

    Empty where it cannot be told: what opens the job says why. Nothing is connected to. TVM must
    be loaded.
    """
    text, device, uuid = job.target, "", ""
    project = Path(job.project) if job.project else None
    with suppress(TunewrightError):
        if project is not None and project.is_file() and project.stat().st_size:
            with Project.open(project, read_only=True) as opened:
                text, device, uuid = opened.target, opened.device, opened.device_uuid
        remote = split_remote(text)
        return remote[0] if remote else resolve(text, device, uuid).place
    return ""
