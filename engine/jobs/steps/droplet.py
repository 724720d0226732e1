"""Droplet: each task's best schedule moves to a neighbour as long as one is surely faster."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

from engine.jobs.candidates import Provenance
from engine.jobs.context import RunContext
from engine.jobs.steps.spending import Spending
from engine.jobs.steps.steps import DropletOptions
from engine.jobs.steps.tries import Miss, Tries
from engine.jobs.steps.turns import measure_again, measure_in_turns
from engine.jobs.together import all_of
from engine.passes.decisions import point_key
from engine.passes.droplet import Droplet, Proposal, Verdict
from engine.records.events import Message, MoveMade
from engine.records.sentences import Sentence
from engine.records.space import Move
from engine.records.task import own_tasks
from engine.records.trial import Protocol, Source, Trial, typical_latency
from engine.records.words import Doing
from engine.search.replayer import NotReplayable

_BATCH = 8
_CONTENDERS = 3


async def polish(context: RunContext, spending: Spending, options: DropletOptions) -> None:
    """Polish the tasks that have a record, the dearest first, until the spending is over."""
    own = own_tasks(context.history.tasks)
    starts = {task.index: context.history.record(task.index) for task in own}
    tasks = [task for task, record in starts.items() if record is not None]
    tasks.sort(key=lambda task: -(context.history.share(task) or 0.0))
    tries = Tries(context, spending)
    turn = asyncio.Semaphore(2)  # while one task's contenders are measured, the next one builds

    async def one(task: int) -> None:
        async with turn:
            if spending.over:
                return
            try:
                await _Polish(context, spending, options, tries, task).run()
            except NotReplayable as error:
                name = context.model.program.tasks[task].name
                context.emit(
                    Message(
                        "warning",
                        Sentence("Droplet, {name}: {reason}", name=name, reason=error.reason),
                    )
                )

    try:
        await tries.take_all([partial(one, task) for task in tasks], Doing.POLISHING)
    finally:
        tries.end(tasks)
    if not tasks:
        context.emit(Message("warning", "Droplet polishes records, and no task has one yet."))


class _Polish:
    """Droplet on one task."""

    def __init__(
        self,
        context: RunContext,
        spending: Spending,
        options: DropletOptions,
        tries: Tries,
        task: int,
    ) -> None:
        self._context = context
        self._spending = spending
        self._options = options
        self._tries = tries
        self._task = task
        self._trials: dict[int, Trial] = {}

    async def run(self) -> None:
        """Until no neighbour is better, or the task's trials or the spending are spent."""
        slot = self._tries.begin(self._task, Sentence("neighbours of its best schedule"))
        self._droplet = await self._begin()
        tried = 0
        while not (self._droplet.done or self._spending.over) and tried < self._options.per_task:
            limit = min(_BATCH, self._options.per_task - tried)
            proposals = await asyncio.to_thread(self._droplet.propose, limit)
            found = await all_of(partial(self._try, slot, proposal) for proposal in proposals)
            tried += sum(found)
            await self._compare()
        name = self._context.model.program.tasks[self._task].name
        reason = self._droplet.reason or Sentence("what it may spend is spent")
        self._context.emit(
            Message("info", Sentence("Droplet, {name}: {reason}.", name=name, reason=reason))
        )

    async def _begin(self) -> Droplet:
        trials = self._context.project.trials_of(self._task)
        record = self._context.history.record(self._task)
        start = next(trial for trial in trials if trial.number == record)
        self._trials[start.number] = start

        def make() -> Droplet:
            return Droplet(
                start.number,
                start.trace,
                start.latency_s,
                known=(point_key(trial.trace) for trial in trials if trial.trace),
                locations=self._tries.replayer(self._task).locations,
                alpha=self._options.p_value,
            )

        droplet = await asyncio.to_thread(make)
        again = await measure_again(self._context, start, self._context.settings.protocol)
        droplet.restate(typical_latency(again))
        return droplet

    async def _try(self, slot: int, proposal: Proposal) -> bool:
        """Whether it cost more than a replay."""
        origin = {"from": proposal.start, "axis": proposal.axis}
        trial = await self._tries.attempt(
            self._task, slot, proposal.trace, Provenance(Source.DROPLET, origin)
        )
        if trial is Miss.KNOWN:
            self._droplet.skip(proposal)
        elif isinstance(trial, Trial) and trial.error is None and not trial.cut:
            self._trials[trial.number] = trial
            self._droplet.observe(proposal, trial.latency_s, trial.number, trial.trace)
        else:
            self._droplet.observe(proposal, None)
        return trial is not Miss.KNOWN

    async def _compare(self) -> None:
        """Measure the neighbours that look faster and the point in turns, and decide."""
        rivals = self._droplet.contenders(_CONTENDERS)
        if not rivals or self._spending.reason:
            return
        start = self._droplet.point.trial
        trials = [self._trials[number] for number in (start, *(rival.trial for rival in rivals))]
        results = await measure_in_turns(self._context, trials, _closely(self._context))
        samples = {trial.number: result.samples for trial, result in results if not result.error}
        compared = [(rival, samples.get(rival.trial, ())) for rival in rivals]
        settle = partial(self._droplet.settle, samples.get(start, ()), compared)
        for verdict in await asyncio.to_thread(settle):
            self._tell(verdict)

    def _tell(self, verdict: Verdict) -> None:
        context = self._context
        move = Move(
            0,
            context.run,
            self._task,
            verdict.start,
            verdict.contender.trial,
            verdict.contender.proposal.axis,
            verdict.gain,
            verdict.p_value,
            verdict.accepted,
            context.clock.project_s,
        )
        context.emit(MoveMade(context.project.add_move(move)))


def _closely(context: RunContext) -> Protocol:
    """Samples enough for a test of a difference of one in a hundred."""
    return replace(context.settings.protocol, min_samples=16, max_samples=48, max_s=1.0)
