"""The searches of a run, each kept with its cost model from its task's first slot to the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from engine.jobs.context import RunContext
from engine.records.outstanding import StageKind
from engine.records.trial import ErrorKind, Trial
from engine.search.task_search import Candidate, Record, TaskSearch

# What all searches of a run may keep together, whatever its length: schedules of TVM's searches
# (80 KB each) and samples of cost models (10 KB each).
_ROOM, _LEAST_ROOM = 2048, 48
_SAMPLES, _LEAST_SAMPLES = 8192, 96


@dataclass(slots=True)
class Kept:
    """A search, and the trials that it was given, in that order; the project had trials up to
    number `seen` when it last looked."""

    search: TaskSearch
    trials: list[int] = field(default_factory=list)
    seen: int = 0
    started: bool = False


class SearchPool:
    """Gives slots to a run's searches. They outlive the pool: the next step goes on with them.

    A model is kept in the project as the last trial it is made of. A later run makes the same one
    of the same records, in their order, and goes on with it.
    """

    def __init__(self, context: RunContext) -> None:
        self._context = context

    async def propose(self, task: int) -> list[Candidate]:
        """The next candidates of a task; TuningError where it has no design space."""
        context, kept = self._context, self._kept(task)
        search = kept.search
        search.room = max(_LEAST_ROOM, _ROOM // len(context.searches))
        search.samples = max(_LEAST_SAMPLES, _SAMPLES // len(context.searches))
        trials = context.project.trials_of(task, after=kept.seen)
        # Those of passes, and those that a step left unlearnt when it ended.
        news = [trial for trial in trials if trial.number not in kept.trials]
        records = [_record(trial) for trial in news]
        trained = None if kept.started else self._trained(task, news)

        def work() -> list[Candidate]:
            if not kept.started:
                search.start(records, trained)
                kept.started = True
            elif records:
                search.hear(records)
            return search.propose()

        await context.gate.wait()
        staged = context.outstanding.during(StageKind.SEARCH, task, work)
        found = await context.resources.run(context.needs_search(task), context.threads, staged)
        self._learnt(task, kept, news)
        kept.seen = max([kept.seen, *(trial.number for trial in trials)])
        return found

    async def learn(self, task: int, outcomes: Sequence[tuple[Candidate, Trial]]) -> None:
        """Give a search its results, in the order of the trials' numbers."""
        context, kept = self._context, self._kept(task)
        ordered = sorted(outcomes, key=lambda pair: pair[1].number)
        results = [(candidate, _samples(trial)) for candidate, trial in ordered]
        call = partial(kept.search.learn, results)
        staged = context.outstanding.during(StageKind.LEARNING, task, call)
        await context.resources.run(context.needs_update(task), context.threads, staged)
        self._learnt(task, kept, [trial for _, trial in ordered])

    def _kept(self, task: int) -> Kept:
        key = (task, self._context.settings.search)
        kept: Kept = self._context.searches.setdefault(key, Kept(self._make(task)))
        return kept

    def _make(self, task: int) -> TaskSearch:
        program, settings = self._context.model.program, self._context.settings
        return TaskSearch(
            program.tasks[task],
            program.workloads[task],
            program.target,
            settings.search,
            settings.seed,
            self._context.experience,
        )

    def _trained(self, task: int, trials: Sequence[Trial]) -> int | None:
        """How many of a task's trials made the model that the project keeps."""
        last = self._context.project.trained_to(task)
        return None if last is None else sum(trial.number <= last for trial in trials)

    def _learnt(self, task: int, kept: Kept, trials: Sequence[Trial]) -> None:
        """Note what a search has been given, and keep its model where it is a new one."""
        kept.trials += [trial.number for trial in trials]
        project, trained = self._context.project, kept.trials[: kept.search.trained]
        if trained and project.trained_to(task) != max(trained):
            project.set_trained_to(task, max(trained))


def _record(trial: Trial) -> Record:
    """A trial whose device was lost is proposed no more, as a project has no two of one trace."""
    return trial.trace, None if trial.error is ErrorKind.DEVICE_LOST else _samples(trial)


def _samples(trial: Trial) -> tuple[float, ...]:
    return () if trial.error else trial.samples
