"""A queue that really ran, as a file: for the picture of the Jobs view.

python -m tests.job_recording SECONDS SAMPLE... queues sample models, tunes each for so long, and
keeps what the queue told up to the moment when the last third of the time begins, or MOST_S.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.jobs.host import Host
from engine.queueing.api import JobQueue
from engine.records.events import QueueChanged, SpansChanged
from engine.records.job import JobState, QueuedJob
from engine.records.outstanding import StageKind
from engine.records.settings import Budget, RunSettings
from engine.records.source import ModelSource
from engine.records.stage import StageSpan

FILE = Path(__file__).parent / "data" / "jobs.json"
KEPT_SHARE = 2 / 3
MOST_S = 330.0
_LEFT_OUT = ("project", "source", "settings", "wait")


def load(path: Path = FILE) -> tuple[tuple[QueuedJob, ...], tuple[StageSpan, ...], float, int]:
    """The jobs, the stages, when on their clock that was, and the cores of the machine."""
    kept = json.loads(path.read_text("utf-8"))
    jobs = tuple(QueuedJob(**{**job, "state": JobState(job["state"])}) for job in kept["jobs"])
    return jobs, tuple(map(_span, kept["spans"])), kept["now_s"], kept["cores"]


def _span(kept: list[Any]) -> StageSpan:
    number, job, kind, *rest = kept
    return StageSpan(number, job, StageKind(kind), *rest)


def record(samples: list[str], seconds: float, folder: Path) -> dict[str, Any]:
    """Tune these samples at once; the queue as it was after two thirds of the time."""
    host = Host()
    queue = JobQueue(host, folder / "jobs.queue")
    queue.start().result()
    settings = RunSettings(budget=Budget(seconds=seconds))
    for sample in samples:
        project = folder / f"{sample}.tune"
        queue.add(
            ModelSource("sample", sample), project=project, target="cpu", settings=settings
        ).result()
    queue.run().result()
    jobs: tuple[QueuedJob, ...] = ()
    spans: dict[int, StageSpan] = {}
    end_s = time.monotonic() + MOST_S
    while not jobs or min(1.0 if j.state.over else j.progress or 0.0 for j in jobs) < KEPT_SHARE:
        time.sleep(0.2)
        if time.monotonic() > end_s:
            break
        for event in queue.events.drain():
            if isinstance(event, QueueChanged):
                jobs = event.jobs
            elif isinstance(event, SpansChanged):
                spans.update({span.number: span for span in event.spans})
    now_s, cores = time.monotonic(), host.resources.cores if host.resources else 1
    queue.close(60)
    rows = [{k: v for k, v in asdict(job).items() if k not in _LEFT_OUT} for job in jobs]
    stages = [list(asdict(span).values()) for span in spans.values()]
    return {"now_s": now_s, "cores": cores, "jobs": rows, "spans": stages}


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as place:
        kept = record(sys.argv[2:], float(sys.argv[1]), Path(place))
    FILE.write_text(json.dumps(kept), "utf-8")
    print(f"{FILE}: {len(kept['spans'])} stages, {FILE.stat().st_size:,} bytes")
