"""What the board of a project's trials said of itself, over all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from engine.records.trial import Trial


@dataclass(frozen=True, slots=True)
class BoardRange:
    """Of so many trials that were measured on a board which answered: the coolest and the hottest
    temperature (C) and the lowest and the highest frequency (MHz), None where nobody knows, and
    in how many of them it held its cores back."""

    trials: int
    throttled: int
    celsius: tuple[int, int] | None
    mhz: tuple[int, int] | None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def board_range(trials: Iterable[Trial]) -> BoardRange | None:
    """What is known of a board by a project's trials; None where it said nothing of its state."""
    states = [state for trial in trials if (state := trial.board) is not None]
    heats = [state.celsius for state in states if state.celsius is not None]
    speeds = [state.mhz for state in states if state.mhz is not None]
    told = [state.throttled for state in states if state.throttled is not None]
    if not heats and not speeds and not told:
        return None
    return BoardRange(
        len(states),
        sum(told),
        (min(heats), max(heats)) if heats else None,
        (min(speeds), max(speeds)) if speeds else None,
    )
