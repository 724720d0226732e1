"""DynaTune, as it has become here: the slot goes where it may shorten the whole model most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from engine.allocation.forecast import Forecast, Situation
from engine.allocation.policies.belief_policy import BeliefOptions, BeliefPolicy, Pick
from engine.allocation.wording import short
from engine.records.sentences import Sentence


class DynaTune(BeliefPolicy):
    """Upper confidence bounds over Bayesian beliefs of how fast tasks improve.

    The frame is that of Zhang, Li, Wang and Li (ICLR 2021): bandits over the tasks of a model, a
    Bayesian belief of each, its upper confidence bound. The belief is another one, for their curve
    predicts little of what comes (`DynaTunePaper` has it). Task k occurs w times in the model, its
    latency is l, the model's is M = sum of w l. The slot goes to the largest

        u = p (w l / M) min(1, g + C s)

    where g is the part of l that one more slot is expected to take away, and s the standard
    deviation of that expectation, both of the posterior in closed form (`pooled.Rate`):

        g = h J a / (b n (1 + d)),   s = g / sqrt(a)

    n is the task's slots so far, d how many of the last brought no better schedule, J the size of
    jumps in this run, a and b the Gamma distribution's: jumps seen and chances had, of the task
    itself and of what its class and the run count as. h is how many times as long the task takes
    as its class does at its size (`forecast.headrooms`): gains follow all three in proportion.
    A first slot has the mean and the deviation of the class's first slots for g and s.

    The bonus C s does without the ln t of UCB1, which is for arms that are stationary: here s is
    the posterior's own, and what a task promises falls with its slots. With `per_second` p is the
    mean seconds of a slot over those expected of the task's next one (`forecast.Paces`), else 1.
    """

    name = "dynatune"
    title = "DynaTune"

    @dataclass(frozen=True)
    class Options(BeliefOptions):
        """Whom it considers, what it weighs, and how many standard deviations the bonus is (C)."""

        c: Annotated[float, Meta(ge=0, le=1_000_000)] = 0.5

    def pick(self, forecasts: Sequence[Forecast], situation: Situation) -> Pick:
        """The task with the largest upper confidence bound, the lowest index among equals."""
        terms = [self.terms(forecast, situation) for forecast in forecasts]
        bounds = [gain + bonus for gain, bonus in terms]
        best = max(range(len(forecasts)), key=lambda row: (bounds[row], -row))
        greedy = max(range(len(forecasts)), key=lambda row: terms[row][0])
        chosen = forecasts[best]
        why = (
            ""
            if terms[best][0] >= terms[greedy][0]
            else Sentence(
                "; task {task} promises more, but is better known",
                task=forecasts[greedy].view.index,
            )
        )
        columns = {
            "bonus": [short(bonus) for _, bonus in terms],
            "ucb": [short(bound) for bound in bounds],
        }
        return Pick(chosen, why, columns)

    def terms(self, forecast: Forecast, situation: Situation) -> tuple[float, float]:
        """The bound's two terms, the gain and the bonus: parts of the model's latency."""
        part = forecast.pace * forecast.cost_s / situation.latency_s
        bonus = min(self.options.c * forecast.spread, 1.0 - forecast.gain)
        return part * forecast.gain, part * bonus
