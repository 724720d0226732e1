"""A project as it stands, from its snapshot and what came since; for what needs all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from engine.history.history import History
from engine.records.events import Event, TrialConfirmed, TrialDone
from engine.records.snapshot import Snapshot
from engine.records.trial import Source, Trial

NOTHING = Snapshot("", "", "", "", (), (), ())


class ProjectTrials:
    """The trials of one project, each in its newest version; how many each source had.

    Not safe to share between threads.
    """

    def __init__(self) -> None:
        self._head = NOTHING
        self._trials: dict[int, Trial] = {}
        self.tried: Counter[Source] = Counter()

    def __len__(self) -> int:
        return len(self._trials)

    def reset(self, snapshot: Snapshot) -> None:
        """Start from this project."""
        self._head = replace(snapshot, trials=())
        self._trials = {trial.number: trial for trial in snapshot.trials}
        self.tried = Counter(trial.source for trial in self._trials.values())

    def apply(self, events: Iterable[Event]) -> list[Trial]:
        """Take in events; the trials among them, new or confirmed."""
        taken = [event.trial for event in events if isinstance(event, TrialDone | TrialConfirmed)]
        for trial in taken:
            if trial.number not in self._trials:
                self.tried[trial.source] += 1
            self._trials[trial.number] = trial
        return taken

    def trial(self, number: int) -> Trial | None:
        """A trial by its number."""
        return self._trials.get(number)

    def snapshot(self) -> Snapshot:
        """The project with all trials so far, in their order."""
        numbers = sorted(self._trials)
        return replace(self._head, trials=tuple(self._trials[number] for number in numbers))


def unsettles(events: Iterable[Event]) -> bool:
    """Whether these change what earlier trials count for."""
    return any(isinstance(event, TrialConfirmed) for event in events)


def curve_state(history: History) -> tuple[int, ...]:
    """Something that differs once a task became faster."""
    return tuple(len(history.curve(task.index).trials) for task in history.tasks)
