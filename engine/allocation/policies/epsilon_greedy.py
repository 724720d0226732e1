"""Epsilon-greedy over the same beliefs as DynaTune."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.allocation.dice import ByLot
from engine.allocation.forecast import Forecast, Situation
from engine.allocation.policies.belief_policy import BeliefOptions, BeliefPolicy, Pick
from engine.records.options import Share
from engine.records.sentences import Sentence


class EpsilonGreedy(ByLot, BeliefPolicy):
    """The largest expected gain; now and then any task (the paper's appendix A)."""

    name = "epsilon-greedy"
    title = "Epsilon-greedy"

    @dataclass(frozen=True)
    class Options(BeliefOptions):
        """How beliefs are held, and how often the task is drawn by lot."""

        epsilon: Share = 0.05

    def pick(self, forecasts: Sequence[Forecast], situation: Situation) -> Pick:
        """By lot with probability epsilon, or else by gain."""
        dice = self.roll()
        if dice.random() < self.options.epsilon:
            drawn = forecasts[int(dice.integers(len(forecasts)))]
            return Pick(drawn, Sentence("; drawn by lot, to explore"), {})
        best = max(forecasts, key=lambda forecast: (forecast.worth_s, -forecast.view.index))
        return Pick(best, "", {})
