"""Chance that a resumed run repeats: draws numbered from the start of the run."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.allocation.policy import Policy
from engine.records.options import Index, fits


class ByLot(Policy):
    """A policy that draws lots, each from the seed and the number of the draw."""

    _draws = 0

    def roll(self) -> np.random.Generator:
        """The generator of the next decision."""
        self._draws += 1
        return np.random.default_rng([self.seed & 0xFFFFFFFF, self._draws])

    def state(self) -> dict[str, Any]:
        """How many decisions were made."""
        return {"draws": self._draws}

    def restore(self, state: dict[str, Any]) -> None:
        draws: Any = state.get("draws")
        self._draws = draws if fits(draws, Index) else 0
