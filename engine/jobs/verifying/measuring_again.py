"""Measuring a project's whole model again, for figures that something disturbed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.history.figure import figure_of, schedules_key
from engine.jobs.baseline import measure_module, measure_reference
from engine.jobs.records import Records
from engine.jobs.resources import Need
from engine.jobs.session import Session
from engine.jobs.verifying.whole import keep_measured
from engine.records.events import Progress
from engine.records.outstanding import StageKind
from engine.records.snapshot import REFERENCE, UNTUNED, Figure
from engine.records.trial import Measured
from engine.records.words import Doing


async def measure_again(session: Session) -> Figure:
    """Measure the untuned model, the tuned one and what runs its file, each as a whole."""
    await session.require_idle()
    model = await session.load_model()
    project, emit = session.project, session.emit
    target, records = model.program.target, Records.of(session.project)
    need = Need(session.resources.cores, target.place, long=True, kind=StageKind.WHOLE)

    async def take(
        kind: str, doing: Doing, call: Callable[[], Measured | None], about: str = ""
    ) -> None:
        emit(Progress(doing, about=about))
        async with session.device_elsewhere(target):
            found = await session.resources.run(need, session.threads, call)
        if found is not None:
            keep_measured(project, emit, kind, found)

    def whole(traces: dict[int, str], sum_s: float | None) -> Measured:
        return measure_module(model, traces, False).measured(sum_s)

    try:
        await take(UNTUNED, Doing.UNTUNED, partial(whole, {}, None))
        if (key := schedules_key(records.history)) != UNTUNED:
            tuned = partial(whole, records.traces, records.history.now_s())
            await take(key, Doing.TUNED, tuned)
        reference = model.prepared.reference
        if reference is not None and not target.remote:
            refer = partial(measure_reference, model)
            await take(REFERENCE, Doing.REFERENCE, refer, reference.name)
    finally:
        emit(Progress(""))
    return figure_of(project.snapshot())
