"""The numbers behind a drawn belief: its curve, its segments, the band ahead, its chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.allocation.belief import Belief, BeliefSettings, believe, walkers
from engine.allocation.board import Board
from engine.allocation.curves import family
from engine.allocation.policies.belief_policy import BeliefOptions
from engine.allocation.policies.registry import policy_options
from engine.allocation.policy import TaskView
from engine.allocation.progress import progress_of
from engine.allocation.segments import segment_starts
from engine.history.history import History
from engine.history.slot_log import SlotSpan
from engine.records.errors import UsageError
from engine.records.settings import RunSettings

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

SLOTS_AHEAD = 3
_POINTS = 65


@dataclass(frozen=True, slots=True)
class BeliefQuestion:
    """What a belief is asked of: a task as its policy sees it, and how beliefs are held."""

    view: TaskView
    settings: BeliefSettings
    seed: int

    @property
    def key(self) -> tuple[object, ...]:
        """Equal questions of one run have equal keys."""
        view = self.view
        return view.index, len(view.latencies), view.slots, view.slot_trials, self.settings


@dataclass(frozen=True, slots=True)
class BeliefSeries:
    """A belief as curves over the task's own trials (from 1); latencies in seconds.

    `fit_s` (n,) is the mean curve at the trials `fit_at` of the last segment. From the last trial
    on, `ahead_at` (m,) goes through the next slots: `mean_s` (m,) is the latency at the mean
    performance, and `fast_s` and `slow_s` (m,) those at the mean plus and minus a standard
    deviation, never slower than the best so far. `starts` are trials at which segments begin.
    `gain_s` is what the next slot is expected to take off the model's latency, give or take
    `spread_s`. `why` says why there is no curve: the band is then that of the fallback rule.
    """

    task: int
    family: str
    starts: Ints
    fit_at: Floats
    fit_s: Floats
    ahead_at: Floats
    mean_s: Floats
    fast_s: Floats
    slow_s: Floats
    gain_s: float
    spread_s: float
    acceptance: float | None
    why: str


@dataclass(frozen=True, slots=True)
class ChainSeries:
    """What the sampler did: `values` (parameters, walkers, steps).

    `burn_in` steps are left out of the belief; `acceptance` is the mean part of proposals taken,
    `autocorrelation` (parameters,) after how many steps a walker has forgotten where it was.
    """

    task: int
    family: str
    parameters: tuple[str, ...]
    values: Floats
    burn_in: int
    acceptance: float
    autocorrelation: Floats


def belief_question(
    history: History,
    task: int,
    spans: Sequence[SlotSpan],
    settings: RunSettings,
    peak_flops: float | None,
) -> BeliefQuestion:
    """The question that a run with these settings asks of a task now."""
    earlier = [(span.info.task, span.seconds if span.trials else None) for span in spans]
    board = Board(
        history.tasks,
        lambda index: tuple(history.log(index).latency_s) if index == task else (),
        history.untuned,
        batch=settings.search.batch,
        peak_flops=peak_flops,
        earlier=earlier,
    )
    view = next(view for view in board.views() if view.index == task)
    return BeliefQuestion(view, _settings(settings), settings.seed)


def build_belief_series(question: BeliefQuestion, slots: int = SLOTS_AHEAD) -> BeliefSeries | None:
    """What is believed of a task for its next slots; None before its first valid trial.

    Takes tens of milliseconds.
    """
    view, settings = question.view, question.settings
    progress = progress_of(view)
    if not progress.valid:
        return None
    belief = believe(view, progress, settings, question.seed)
    best_s, valid = progress.best_s, np.isfinite(progress.best)
    unseen = int(np.count_nonzero(~valid))
    starts = segment_starts(1.0 / progress.best[valid], settings.jump) + unseen + 1
    cost_s = view.weight * best_s
    ahead_at, mean, std = _ahead(belief, view, slots)
    if belief.theta is None:
        fit_at, fit_s = np.empty(0), np.empty(0)
        mean_s, fast_s, slow_s = _fallback(belief, best_s)
    else:
        fit_at = np.linspace(belief.first + 1.0, max(belief.trials, belief.first + 1.0), _POINTS)
        fit_s = 1.0 / (belief.peak_speed * _curves(belief, fit_at).mean(axis=0))
        mean_s, fast_s, slow_s = (
            np.minimum(1.0 / (belief.peak_speed * np.maximum(y, 1e-12)), best_s)
            for y in (mean, mean + std, mean - std)
        )
    return BeliefSeries(
        task=view.index,
        family=belief.family,
        starts=starts.astype(np.int64),
        fit_at=fit_at,
        fit_s=fit_s,
        ahead_at=ahead_at,
        mean_s=mean_s,
        fast_s=fast_s,
        slow_s=slow_s,
        gain_s=cost_s * belief.gain,
        spread_s=cost_s * belief.spread,
        acceptance=belief.acceptance,
        why=belief.why,
    )


def build_chain_series(question: BeliefQuestion) -> ChainSeries | None:
    """The chain behind a task's belief; None where the fallback rule holds."""
    from emcee.autocorr import integrated_time

    view, settings = question.view, question.settings
    progress = progress_of(view)
    chain = walkers(view, progress, settings, question.seed) if progress.valid else None
    if chain is None:
        return None
    return ChainSeries(
        task=view.index,
        family=settings.family,
        parameters=family(settings.family).parameters,
        values=np.ascontiguousarray(chain.theta.transpose(2, 1, 0)),
        burn_in=settings.burn_in,
        acceptance=chain.acceptance,
        autocorrelation=np.asarray(integrated_time(chain.theta[settings.burn_in :], tol=0)),
    )


def _settings(settings: RunSettings) -> BeliefSettings:
    """Those of the run's policy; the defaults where it holds no beliefs."""
    try:
        options = policy_options(settings.policy, settings.policy_options)
    except UsageError:
        options = None
    return options.settings() if isinstance(options, BeliefOptions) else BeliefSettings()


def _ahead(belief: Belief, view: TaskView, slots: int) -> tuple[Floats, Floats, Floats]:
    """Trials ahead with the mean and the standard deviation of the performance there."""
    if belief.theta is None:
        at = np.array([belief.trials, belief.horizon], np.float64)
        return at, np.zeros(2), np.zeros(2)
    end = belief.trials + max(1, slots) * max(1, view.slot_trials)
    at = np.linspace(belief.trials, end, _POINTS)
    y = _curves(belief, at)
    return at, y.mean(axis=0), y.std(axis=0)


def _curves(belief: Belief, trials: Floats) -> Floats:
    """Performance (curves, trials) of the posterior's curves."""
    assert belief.theta is not None
    return family(belief.family)(belief.theta, trials)


def _fallback(belief: Belief, best_s: float) -> tuple[Floats, Floats, Floats]:
    """Straight lines from the best so far to what the rule says of one slot ahead."""
    parts = (belief.gain, belief.gain + belief.spread, belief.gain - belief.spread)
    ends = [best_s * (1.0 - min(max(part, 0.0), 0.99)) for part in parts]
    mean_s, fast_s, slow_s = (np.array([best_s, end]) for end in ends)
    return mean_s, fast_s, slow_s
