"""A queue of jobs and the stages that they ran, made up: for tests of what shows them."""

from __future__ import annotations

from dataclasses import replace

from engine.records.job import JobState, QueuedJob
from engine.records.outstanding import StageKind
from engine.records.settings import Budget, RunSettings
from engine.records.stage import StageSpan

BEGIN_S = 1000.0
"""Where the clock of the spans stood when the first stage began."""

_SETTINGS = RunSettings(budget=Budget(seconds=600.0))

JOBS = (
    QueuedJob(
        1, "squeezenet", "/m/squeezenet.tune", None, "cpu", _SETTINGS, place=0,
        state=JobState.FINISHED, message="600 s of tuning.", progress=1.0,
        best_s=4.31e-3, untuned_s=12.84e-3, left_s=0.0,
    ),
    QueuedJob(
        2, "mobilenet_v2", "/m/mobilenet_v2.tune", None, "cuda", _SETTINGS, priority=-1, place=1,
        state=JobState.RUNNING, progress=0.42, best_s=0.91e-3, untuned_s=3.4e-3,
        objective_s=0.5e-3, left_s=348.0,
    ),
    QueuedJob(
        3, "resnet18", "/m/resnet18.tune", None, "cuda", _SETTINGS, place=2,
        state=JobState.PREPARING, progress=0.0, left_s=600.0,
    ),
    QueuedJob(4, "bert_tiny", "", {"kind": "file"}, "cpu", _SETTINGS, place=3, paused=True),
    QueuedJob(
        5, "unet", "/m/unet.tune", None, "cpu", _SETTINGS, place=4,
        state=JobState.FAILED, message="The model has a shape that nobody knows.",
    ),
)  # fmt: skip


def waiting(count: int) -> tuple[QueuedJob, ...]:
    """So many jobs that have not begun."""
    return tuple(QueuedJob(n + 1, f"net{n + 1}", place=n) for n in range(count))


def span(
    number: int,
    kind: str,
    since_s: float,
    until_s: float | None,
    cores: int = 1,
    lane: str = "",
    job: int | str = 1,
    task: str = "",
) -> StageSpan:
    """A stage, its seconds counted from `BEGIN_S`."""
    end = None if until_s is None else BEGIN_S + until_s
    return StageSpan(number, job, StageKind(kind), task, lane, cores, BEGIN_S + since_s, end)


def spans(rounds: int = 12, cores: int = 4) -> tuple[StageSpan, ...]:
    """Two jobs that search, build and measure in turns; the last stages still run."""
    found: list[StageSpan] = []

    def add(kind: str, start_s: float, end_s: float, **more: object) -> None:
        values = {"cores": 1, "lane": "", "job": 1, "task": "fused_conv2d_add_relu", **more}
        found.append(replace(span(len(found) + 1, kind, start_s, end_s), **values))  # type: ignore[arg-type]

    for turn in range(rounds):
        job, at = 2 + turn % 2, turn * 9.0
        add("search", at, at + 4.2, job=job)
        for build in range(8):
            start = at + 4.3 + 1.1 * (build // (cores - 1))
            add("build", start, start + 1.0 + 0.05 * build, job=job)
        for trial in range(8):
            start = at + 5.6 + 0.45 * trial
            add("measurement", start, start + 0.4, job=job, lane="cuda:0", cores=1)
        add("learning", at + 9.1, at + 9.6, job=job)
    last = found[-1].until_s or 0.0
    for kind in (StageKind.SEARCH, StageKind.BUILD):
        number = len(found) + 1
        found.append(StageSpan(number, 2, kind, "fused_dense", "", 1, last + 0.2 * number / 100))
    return tuple(found)
