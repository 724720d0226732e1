"""What a search found for one task, given to the others of its class while the run goes on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from engine.jobs.candidates import Provenance
from engine.jobs.context import RunContext
from engine.jobs.steps.spending import Spending
from engine.jobs.steps.tries import Miss, Tries
from engine.passes.donor import Donor
from engine.passes.donors import donor_of
from engine.passes.fitting import fits
from engine.passes.ranking import Ranked, rank
from engine.records.errors import TuningError
from engine.records.outstanding import StageKind
from engine.records.space import DesignSpace
from engine.records.task import Task, own_tasks
from engine.records.trial import Source, Trial
from engine.search.sketches import find_space

_FIRST = 2  # times as many where a task has had no trial


class Peers:
    """The best schedules of a run's tasks, as donors for each other; each is given once to each."""

    def __init__(self, context: RunContext, spending: Spending) -> None:
        self._context = context
        self._tries = Tries(context, spending)
        self._given: dict[int, set[int]] = {}  # the numbers of trials, by who was given them
        self._records: dict[int, tuple[Trial, Donor]] = {}
        self._spaces: dict[int, DesignSpace | None] = {}

    async def give(self, task: int, slot: int) -> None:
        """Try on a task, within its slot, what is best for others of its class and new to it."""
        wanted = self._context.settings.search.peers
        if not self._context.history.trials(task):
            wanted *= _FIRST
        found = list(islice(self._news(task), wanted)) if wanted else []
        space = await self._space(task) if found else None
        if space is None:
            return
        for trial, ranked in found:
            self._given.setdefault(task, set()).add(trial.number)
            origin = {"task": trial.task, "trial": trial.number, "rank": 0}
            provenance = Provenance(Source.SHARED, origin)
            for trace in _fitted(ranked.donor.trace, space):
                if await self._tries.attempt(task, slot, trace, provenance) is not Miss.REFUSED:
                    break

    def _news(self, task: int) -> Iterator[tuple[Trial, Ranked]]:
        """The others' records that the task was not given, the most promising first."""
        context, given = self._context, self._given.get(task, set())
        tasks = own_tasks(context.model.program.tasks)
        found: dict[str, tuple[Trial, Donor]] = {}
        for other in tasks:
            number = context.history.record(other.index)
            if other.index == task or number is None or number in given:
                continue
            if other.op_class == context.model.program.tasks[task].op_class:
                trial, donor = self._record(other, number)
                if trial.source is not Source.SHARED or trial.origin.get("task") != task:
                    found[donor.trace_key] = trial, donor  # else it comes from here
        project = context.project
        target = project.target, project.tvm_version, project.target_title
        donors = [donor for _, donor in found.values()]
        for item in rank(context.model.program.tasks[task], donors, *target):
            yield found[item.donor.trace_key][0], item

    def _record(self, task: Task, number: int) -> tuple[Trial, Donor]:
        if number not in self._records:
            trial = self._context.project.trial(number)
            self._records[number] = trial, donor_of(self._context.project, task, trial)
        return self._records[number]

    async def _space(self, task: int) -> DesignSpace | None:
        """The task's design space; None where it has none."""
        if task not in self._spaces:
            context, program = self._context, self._context.model.program
            call = partial(find_space, program.tasks[task], program.workloads[task], program.target)
            need = context.needs_update(task, StageKind.SPACES)
            try:
                self._spaces[task] = await context.resources.run(need, context.threads, call)
            except TuningError:  # which a search says of it, too
                self._spaces[task] = None
        return self._spaces[task]


def _fitted(trace: str, space: DesignSpace) -> tuple[str, ...]:
    try:
        return fits(trace, space)
    except ValueError:  # a project's trace may be a stranger's
        return ()
