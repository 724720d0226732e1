"""Softmax sampling over the same beliefs as DynaTune."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from msgspec import Meta

from engine.allocation.dice import ByLot
from engine.allocation.forecast import Forecast, Situation
from engine.allocation.policies.belief_policy import BeliefOptions, BeliefPolicy, Pick
from engine.allocation.wording import short
from engine.records.sentences import Sentence


class Softmax(ByLot, BeliefPolicy):
    """Draws a task with probability growing with its expected gain (the paper's appendix A).

    The probability is proportional to exp(gain / (temperature x the largest gain)), so that it
    does not depend on the model's latency.
    """

    name = "softmax"
    title = "Softmax"

    @dataclass(frozen=True)
    class Options(BeliefOptions):
        """How beliefs are held, and how freely tasks with smaller gains are drawn."""

        temperature: Annotated[float, Meta(ge=0, le=1_000_000)] = 0.2

    def pick(self, forecasts: Sequence[Forecast], situation: Situation) -> Pick:
        """One drawn by its probability."""
        odds = probabilities(
            np.array([forecast.worth_s for forecast in forecasts]), self.options.temperature
        )
        row = int(self.roll().choice(len(forecasts), p=odds))
        columns = {"probability": [short(float(value)) for value in odds]}
        return Pick(
            forecasts[row], Sentence("; drawn with probability {p:.2g}", p=odds[row]), columns
        )


def probabilities(gains: np.ndarray, temperature: float) -> np.ndarray:
    """Softmax of gains (tasks,) over the largest of them; uniform where there are none."""
    top = float(gains.max())
    if top <= 0:
        return np.full(len(gains), 1.0 / len(gains))
    weights = np.exp((gains / top - 1.0) / max(temperature, 1e-3))
    return np.asarray(weights / weights.sum())
