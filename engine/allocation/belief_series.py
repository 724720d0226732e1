"""The numbers behind a drawn belief: the band ahead, and the paper's curve with its chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.allocation.board import Board
from engine.allocation.curve_belief import (
    CurveBelief,
    CurveSettings,
    believe,
    walkers,
)
from engine.allocation.curves import family
from engine.allocation.forecast import Forecaster
from engine.allocation.policies.belief_policy import BeliefOptions
from engine.allocation.policies.dynatune_paper import DynaTunePaper
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
    """What a belief is asked of: a task and the others, as their run's policy sees them.

    `options` are those of a policy that holds beliefs. With `curves` the policy is the paper's,
    which believes in the task's own curve.
    """

    task: int
    views: tuple[TaskView, ...]
    options: BeliefOptions
    curves: CurveSettings | None
    seed: int

    @property
    def view(self) -> TaskView:
        """The task that is asked of."""
        return next(view for view in self.views if view.index == self.task)

    @property
    def key(self) -> tuple[object, ...]:
        """Equal questions of one run have equal keys."""
        known = [self.view] if self.curves else self.views
        seen = tuple((len(view.latencies), view.slots, view.slot_trials) for view in known)
        return self.task, seen, self.options, self.curves


@dataclass(frozen=True, slots=True)
class BeliefSeries:
    """A belief over the task's own trials (from 1); latencies in seconds.

    From the last trial on, `ahead_at` (m,) goes through the next slots: `mean_s` (m,) is the
    latency that is expected, and `fast_s` and `slow_s` (m,) bound the central 80 % of what may
    come. None is slower than the latency as it stands. `gain_s` is what the next slot is expected
    to take off the model's latency, give or take `spread_s`; `low_s` to `high_s` is the 80 % range
    of what it will take off.

    The paper's policy believes in a curve: `fit_s` (n,) is its mean at the trials `fit_at` of the
    last segment, `starts` are trials at which segments begin, and the bounds are a standard
    deviation from its mean. `why` says why there is no curve, and the band is then that of the
    fallback rule. `curves` is whether it is that policy.
    """

    task: int
    ahead_at: Floats
    mean_s: Floats
    fast_s: Floats
    slow_s: Floats
    gain_s: float
    spread_s: float
    low_s: float = 0.0
    high_s: float = 0.0
    curves: bool = False
    family: str = ""
    starts: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    fit_at: Floats = field(default_factory=lambda: np.empty(0))
    fit_s: Floats = field(default_factory=lambda: np.empty(0))
    acceptance: float | None = None
    why: str = ""


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
        lambda index: tuple(history.log(index).latency_s),
        history.untuned,
        batch=settings.search.batch,
        peak_flops=peak_flops,
        earlier=earlier,
    )
    options = _options(settings)
    curves = options.curves() if isinstance(options, DynaTunePaper.Options) else None
    return BeliefQuestion(task, tuple(board.views()), options, curves, settings.seed)


def build_belief_series(question: BeliefQuestion, slots: int = SLOTS_AHEAD) -> BeliefSeries | None:
    """What is believed of a task for its next slots; None before it has a latency.

    A curve has none before the first valid trial, and takes tens of milliseconds.
    """
    if question.curves is not None:
        return _curve_series(question, question.curves, slots)
    view, options = question.view, question.options
    forecaster = Forecaster(per_second=options.per_second, peers=options.peers)
    situation = forecaster.situation(question.views)
    now_s = situation.progress[question.task].now_s
    if now_s is None:
        return None
    outlooks = forecaster.ahead(situation, view, slots)
    start, size = len(view.latencies), max(1, view.slot_trials)
    ends = np.array([start + size * slot for slot in range(len(outlooks) + 1)], np.float64)
    parts = np.array([(0.0, 0.0, 0.0), *((o.gain, o.high, o.low) for o in outlooks)])
    mean_s, fast_s, slow_s = now_s * (1.0 - parts.T)
    cost_s, first = view.weight * now_s, outlooks[0]
    return BeliefSeries(
        task=view.index,
        ahead_at=ends,
        mean_s=mean_s,
        fast_s=fast_s,
        slow_s=slow_s,
        gain_s=cost_s * first.gain,
        spread_s=cost_s * first.spread,
        low_s=cost_s * first.low,
        high_s=cost_s * first.high,
    )


def _curve_series(
    question: BeliefQuestion, settings: CurveSettings, slots: int
) -> BeliefSeries | None:
    view = question.view
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
        curves=True,
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
    """The chain behind a task's curve; None where the fallback rule holds, or there is no curve."""
    from emcee.autocorr import integrated_time

    view, settings = question.view, question.curves
    progress = progress_of(view)
    if settings is None or not progress.valid:
        return None
    chain = walkers(view, progress, settings, question.seed)
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


def _options(settings: RunSettings) -> BeliefOptions:
    """Those of the run's policy; the defaults where it holds no beliefs."""
    try:
        options = policy_options(settings.policy, settings.policy_options)
    except UsageError:
        options = None
    return options if isinstance(options, BeliefOptions) else BeliefOptions()


def _ahead(belief: CurveBelief, view: TaskView, slots: int) -> tuple[Floats, Floats, Floats]:
    """Trials ahead with the mean and the standard deviation of the performance there."""
    if belief.theta is None:
        at = np.array([belief.trials, belief.horizon], np.float64)
        return at, np.zeros(2), np.zeros(2)
    end = belief.trials + max(1, slots) * max(1, view.slot_trials)
    at = np.linspace(belief.trials, end, _POINTS)
    y = _curves(belief, at)
    return at, y.mean(axis=0), y.std(axis=0)


def _curves(belief: CurveBelief, trials: Floats) -> Floats:
    """Performance (curves, trials) of the posterior's curves."""
    assert belief.theta is not None
    return family(belief.family)(belief.theta, trials)


def _fallback(belief: CurveBelief, best_s: float) -> tuple[Floats, Floats, Floats]:
    """Straight lines from the best so far to what the rule says of one slot ahead."""
    parts = (belief.gain, belief.gain + belief.spread, belief.gain - belief.spread)
    ends = [best_s * (1.0 - min(max(part, 0.0), 0.99)) for part in parts]
    mean_s, fast_s, slow_s = (np.array([best_s, end]) for end in ends)
    return mean_s, fast_s, slow_s
