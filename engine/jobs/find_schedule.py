"""A search for the program's schedule: stages measured turn by turn, whole programs at the end."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from engine.deploy.stage_meter import Measured, StageMeter
from engine.ios.baselines import latency_of
from engine.ios.cost_table import CostTable, StageCosts
from engine.ios.finding import Look, ScheduleSearch
from engine.ios.options import Strategies, Way
from engine.ios.tradeoffs import limits, tradeoffs
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.records import Records
from engine.jobs.resources import Need
from engine.jobs.schedule_work import Comparison, ScheduleWork
from engine.jobs.steps.merge import refuse_set
from engine.jobs.together import end
from engine.records.errors import TuningError, UsageError
from engine.records.events import Message, Progress, ScheduleFound, StageSearch
from engine.records.outstanding import StageKind
from engine.records.schedule import (
    FoundSchedule,
    IosOptions,
    Schedule,
    SearchState,
    Stage,
    TradeOff,
)
from engine.records.sentences import Sentence
from engine.records.snapshot import Snapshot
from engine.records.trial import LOAD_LIMIT, Protocol
from engine.records.units import format_share
from engine.records.words import Doing
from engine.workers.artifacts import ArtifactFolder, on_disk

if TYPE_CHECKING:
    from engine.jobs.session import Session

_T = TypeVar("_T")
_SLICE_S = 0.5  # of measuring, before what was measured is stored
_TELL_S = 0.25


class Ended(TuningError):
    """A person ended a search before it had a result."""

    def __init__(self) -> None:
        super().__init__(
            "The search for a schedule was ended before it had one.",
            "What was measured is kept: search again to go on.",
        )


def _is_dead_end(row: dict[str, Any]) -> bool:
    """Whether a row says that a single operator cannot run, which no search can go on from."""
    return row["latency_s"] is None and sum(map(len, row["groups"])) < 2


async def find_schedule(session: Session, options: IosOptions) -> FoundSchedule:
    """Search for a schedule of stages; nothing else may go on."""
    await session.require_idle()
    finding = Finding(session, options)
    session.finding = finding
    try:
        return await finding.run()
    finally:
        session.finding = None


def _protocol(snapshot: Snapshot) -> Protocol:
    """That of the project's last run."""
    runs = snapshot.runs
    return runs[-1].settings.protocol if runs else Protocol()


class Finding:
    """One search of a session, in the engine's thread.

    The first `stop` ends the search with the best schedule so far, which is still compared and
    stored; a second one, or `end`, ends all of it. Every stage that was measured is kept.
    """

    def __init__(self, session: Session, options: IosOptions) -> None:
        self._merge = Strategies(options.strategies).merge
        self._session, self._options = session, options
        self._task: asyncio.Task[FoundSchedule] | None = None
        self._working = threading.Lock()
        self._meter: StageMeter | None = None
        self._device = ""
        self._searches = self._stopping = False
        self._measured = 0
        self._state = SearchState()
        self._best: Schedule | None = None
        self._told_at = 0.0

    async def run(self) -> FoundSchedule:
        """The schedule, stored and told of; Ended where it was ended before."""
        self._task = asyncio.create_task(self._run())
        try:
            await asyncio.wait([self._task])
        finally:  # who waits for it may be cancelled itself
            await end(self._task)
        if self._task.cancelled():
            raise Ended
        return self._task.result()

    async def stop(self) -> None:
        """End the search; asked again, or before there is anything to keep, all of it."""
        if not self._searches or self._stopping:
            await self.end()
            return
        self._stopping = True
        if self._meter is not None:
            self._meter.halt()
        assert self._task is not None
        await asyncio.wait([self._task])

    async def end(self) -> None:
        """End everything, without a result."""
        assert self._task is not None
        await end(self._task)

    async def _run(self) -> FoundSchedule:
        folder = ArtifactFolder(on_disk())
        try:
            refuse_set(self._session.project.source)
            model = await self._session.load_model()
            if model.program.target.remote:
                raise UsageError(
                    "Stages cannot be searched for on a remote device.",
                    "Search where the device is.",
                )
            async with self._session.turn(model.program.target.device):
                return await self._find(model, folder.path)
        finally:
            self._session.emit(StageSearch(self._state, self._best, running=False))
            self._session.emit(Progress(""))
            if self._meter is not None:
                self._meter.halt()
            with suppress(RuntimeError):  # the engine has ended, and the folder is swept up later
                self._session.threads.submit(self._clear, folder)

    def _clear(self, folder: ArtifactFolder) -> None:
        """Once the thread that a cancelled search left has ended."""
        with self._working:
            if self._meter is not None:
                self._meter.close()
            folder.close()

    async def _find(self, model: OpenedModel, folder: Path) -> FoundSchedule:
        session, project = self._session, self._session.project
        self._say(Doing.COMPILING)
        records = Records.of(project)
        self._device = model.program.target.device
        work = await self._in_thread(
            partial(ScheduleWork, model, records.by_fingerprint, folder, self._merge)
        )
        rows = [row for row in project.stage_costs() if not _is_dead_end(row)]
        costs = work.costs(CostTable.of(rows, work.device, work.batch))
        self._say("")
        search = await self._search(work, costs, _protocol(records.snapshot))
        schedules = await self._in_thread(search.schedules)
        self._say(Doing.WAYS)
        comparison = await self._in_thread(partial(work.compare, schedules))
        for reason in comparison.left_out:
            session.emit(
                Message(
                    "warning",
                    Sentence("A schedule is left out. {reason}", reason=reason),
                )
            )
        if (load := comparison.load) is not None and load > LOAD_LIMIT:
            text = Sentence(
                "The schedules were compared while other programs had {load} of the cores that "
                "they need: search again.",
                load=format_share(load),
            )
            session.emit(Message("warning", text))
        others = () if self._stopping else await self._tradeoffs(work, costs)
        found = self._result(search, costs, schedules, comparison, others)
        project.set_schedule(found)
        session.emit(ScheduleFound(found))
        return found

    # The search

    async def _search(
        self, work: ScheduleWork, costs: StageCosts, protocol: Protocol
    ) -> ScheduleSearch:
        """Measure stages until the search is done, its time is over or it was stopped."""
        self._meter = meter = work.meter(protocol)
        may_merge = work.may_merge if work.merged else None
        search = ScheduleSearch(work.graph, costs, self._options, may_merge)
        self._searches = True
        looks = search.looks()
        try:
            while (look := await self._in_thread(partial(next, looks, None), whole=False)) and (
                await self._take(look, search, costs)
            ):
                pass
            state = await self._in_thread(search.state, whole=False)
            self._best = search.best()
            self._state = replace(state, measured=self._measured, seconds_left=None)
        finally:
            meter.halt()
        await self._in_thread(meter.close)
        if self._best is None:
            if self._stopping:
                raise Ended
            raise TuningError(
                Sentence(
                    "{seconds:g} s were too few to measure each operator alone.",
                    seconds=self._options.seconds,
                ),
                "Search again to go on from there, or give more.",
            )
        return search

    async def _take(self, look: Look, search: ScheduleSearch, costs: StageCosts) -> bool:
        """Measure what one turn wants; whether the search goes on."""
        assert self._meter is not None
        self._best = look.best
        wanted: Sequence[Stage] = look.wanted
        self._tell(look, len(wanted), search)
        while wanted:
            left = min(_SLICE_S, search.until - time.monotonic())
            if left <= 0 or self._stopping:
                return False
            done = await self._in_thread(partial(self._meter.measure, wanted, left))
            self._store(done, costs)
            wanted = wanted[len(done) :]
            self._tell(look, len(wanted), search)
        return not self._stopping

    def _store(self, done: Sequence[Measured], costs: StageCosts) -> None:
        """Keep the latencies, in one transaction. A single operator that fails ends the search."""
        new = CostTable(costs.table.device, costs.table.batch)
        for stage, latency in done:
            if not math.isfinite(latency.latency_s) and len(stage.operators) == 1:
                raise TuningError(
                    Sentence(
                        "Operator {operators} does not run by itself. {reason}",
                        operators=min(stage.operators),
                        reason=latency.reason,
                    ),
                    "Search again; where it happens again, report the model.",
                )
            costs.put(stage, latency.latency_s)
            new.put(costs.contents(stage), latency.latency_s)
        self._session.project.add_stage_costs(new.rows())
        self._measured += len(done)

    def _tell(self, look: Look, wanted: int, search: ScheduleSearch) -> None:
        """Say how far it is, a few times a second."""
        now = time.monotonic()
        self._state = replace(
            look.state,
            measured=self._measured,
            open_stages=max(wanted, look.state.open_stages - len(look.wanted) + wanted),
            seconds=search.seconds,
            seconds_left=max(0.0, search.until - now),
        )
        if now - self._told_at >= _TELL_S:
            self._told_at = now
            self._session.emit(StageSearch(self._state, self._best))

    # Around it

    async def _tradeoffs(self, work: ScheduleWork, costs: StageCosts) -> tuple[TradeOff, ...]:
        self._say(Doing.NARROWER)
        call = partial(tradeoffs, work.graph, costs, self._options, work.may_merge)
        found = await self._in_thread(call, whole=False)
        wanted = len(limits(self._options))
        if len(found) < wanted:
            text = Sentence(
                "The trade-off has {count} of {wanted} limits: the others take too long.",
                count=len(found),
                wanted=wanted,
            )
            self._session.emit(Message("info", text))
        return found

    def _result(
        self,
        search: ScheduleSearch,
        costs: StageCosts,
        schedules: dict[Way, Schedule],
        comparison: Comparison,
        others: tuple[TradeOff, ...],
    ) -> FoundSchedule:
        schedule = schedules[comparison.way]
        alone = [costs.alone(operator) for operator in range(len(costs.keys))]
        of_stages = [latency_of(stage, costs) for stage in schedule.stages]
        ended = "exact" if search.is_done else "stopped" if self._stopping else "time"
        return FoundSchedule(
            schedule=schedule,
            way=comparison.way.value,
            stage_s=tuple(seconds for seconds in of_stages if seconds is not None),
            alone_s=tuple(seconds for seconds in alone if seconds is not None),
            kernels=tuple(costs.keys),
            options=self._options,
            search=self._state,
            ended=ended,
            created_at=time.time(),
            ways=comparison.ways,
            tradeoffs=others,
        )

    async def _in_thread(self, call: Callable[[], _T], whole: bool = True) -> _T:
        """Run a blocking call while it holds the whole device, or one core."""
        resources = self._session.resources
        need = Need(cores=1, long=True, kind=StageKind.BUILD)
        if whole:
            cores = resources.cores if self._device == "cpu" else 1
            need = Need(cores=cores, device=self._device, kind=StageKind.MEASUREMENT)
        return await resources.run(need, self._session.threads, partial(self._alone, call))

    def _alone(self, call: Callable[[], _T]) -> _T:
        with self._working:
            return call()

    def _say(self, text: str, about: str = "") -> None:
        self._session.emit(Progress(text, about=about))
