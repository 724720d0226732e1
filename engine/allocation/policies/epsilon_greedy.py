"""Epsilon-greedy over the same beliefs as DynaTune."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.allocation.dice import Dice
from engine.allocation.forecast import Forecast, Situation
from engine.allocation.policies.belief_policy import BeliefOptions, BeliefPolicy, Pick
from engine.records.options import Share


class EpsilonGreedy(BeliefPolicy):
    """The largest expected gain; now and then any task (the paper's appendix A)."""

    name = "epsilon-greedy"
    title = "Epsilon-greedy"

    @dataclass(frozen=True)
    class Options(BeliefOptions):
        """How beliefs are held, and how often the task is drawn by lot."""

        epsilon: Share = 0.05

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self._dice = Dice(seed)

    def pick(self, forecasts: Sequence[Forecast], situation: Situation) -> Pick:
        """By lot with probability epsilon, or else by gain."""
        dice = self._dice.roll()
        if dice.random() < self.options.epsilon:
            drawn = forecasts[int(dice.integers(len(forecasts)))]
            return Pick(drawn, "; drawn by lot, to explore", {})
        best = max(forecasts, key=lambda forecast: (forecast.worth_s, -forecast.view.index))
        return Pick(best, "", {})

    def state(self) -> dict[str, Any]:
        """How often it was asked."""
        return self._dice.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Go on after that."""
        self._dice.restore(state)
