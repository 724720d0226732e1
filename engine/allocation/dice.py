"""Chance that a resumed run repeats: draws numbered from the start of the run."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.records.options import Index, fits


class Dice:
    """A generator for each decision, made from the seed and the decision's number."""

    def __init__(self, seed: int) -> None:
        self._seed = seed & 0xFFFFFFFF
        self._draws = 0

    def roll(self) -> np.random.Generator:
        """The generator of the next decision."""
        self._draws += 1
        return np.random.default_rng([self._seed, self._draws])

    def state(self) -> dict[str, Any]:
        """How many decisions were made."""
        return {"draws": self._draws}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on after them."""
        draws: Any = state.get("draws")
        self._draws = draws if fits(draws, Index) else 0
