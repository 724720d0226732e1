"""Measuring a project's whole model again, for figures that something disturbed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from engine.history.figure import figure_of, schedules_key
from engine.jobs.baseline import kernel_times, measure_module, measure_reference
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.records import Records
from engine.jobs.resources import Need
from engine.jobs.session import Session
from engine.jobs.verifying.whole import keep_each
from engine.records.errors import TuningError
from engine.records.events import Message, Progress
from engine.records.outstanding import StageKind
from engine.records.sentences import Sentence
from engine.records.snapshot import REFERENCE, UNTUNED, Figure
from engine.records.trial import Measured
from engine.records.words import Doing
from engine.targets.bandwidth import peak_bytes
from engine.targets.peak import peak_flops


async def measure_again(session: Session) -> Figure:
    """Measure the untuned model, the tuned one and what runs its file, each as a whole, and find
    the peaks of the device where they are not known."""
    await session.require_idle()
    model = await session.load_model()
    project, emit = session.project, session.emit
    target, records = model.program.target, Records.of(session.project)
    need = Need(session.resources.cores, target.place, long=True, kind=StageKind.WHOLE)

    async def take(
        kind: str,
        doing: Doing,
        calls: Sequence[Callable[[], Measured | None]],
        about: str = "",
    ) -> None:
        emit(Progress(doing, about=about))
        async with session.device_elsewhere(target):
            found = [await session.resources.run(need, session.threads, call) for call in calls]
        if known := [one for one in found if one is not None]:
            keep_each(project, emit, kind, known)

    def whole(one: OpenedModel, traces: dict[int, str], sum_s: float | None) -> Measured:
        result = measure_module(one, traces)
        return result.measured(sum_s, kernel_times(one.program, result.steps))

    try:
        await take(UNTUNED, Doing.UNTUNED, [partial(whole, one, {}, None) for one in model.each])
        if (key := schedules_key(records.history)) != UNTUNED:
            tuned = [
                partial(whole, one, records.traces, sum_s)
                for one, sum_s in zip(model.each, records.sums_s(), strict=True)
            ]
            await take(key, Doing.TUNED, tuned)
        reference = model.prepared.reference
        if reference is not None and not target.remote:
            refer = [partial(measure_reference, one) for one in model.each]
            await take(REFERENCE, Doing.REFERENCE, refer, reference.name)
        if not target.remote:
            emit(Progress(Doing.PEAK))
            for find in (peak_flops, peak_bytes):
                try:
                    await session.resources.run(need, session.threads, partial(find, target))
                except TuningError as error:
                    emit(
                        Message(
                            "warning",
                            Sentence("A peak of the target is unknown: {what}", what=error.what),
                        )
                    )
    finally:
        emit(Progress(""))
    return figure_of(project.snapshot())
