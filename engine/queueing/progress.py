"""How far a job is, by the limit of its budget that it will reach first."""

from __future__ import annotations

from engine.records.events import Scores
from engine.records.settings import Budget
from engine.records.snapshot import Snapshot


class JobProgress:
    """Knows what the project had before the job's run."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._trials = 0
        self._elapsed_s = 0.0

    def begin(self, opened: Snapshot, run: int) -> None:
        """The run begins, or goes on where `run` is its number; 0 is a new one."""
        self._trials = sum(trial.run != run for trial in opened.trials)
        of_run = next((info.elapsed_s for info in opened.runs if info.id == run), 0.0)
        self._elapsed_s = opened.elapsed_s - of_run

    def share(self, scores: Scores) -> float | None:
        """From 0 to 1; None where neither trials nor seconds are limited."""
        budget = self._budget
        shares = []
        if budget.trials is not None:
            shares.append((scores.trials - self._trials) / budget.trials)
        if budget.seconds is not None:
            shares.append((scores.elapsed_s - self._elapsed_s) / budget.seconds)
        return min(1.0, max(0.0, *shares)) if shares else None
