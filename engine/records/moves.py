"""The path of Droplet through a task's decisions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """A comparison of one neighbour with the point where Droplet stood.

    `start` and `end` are trial numbers of the project, measured in turns. `axis` names the decision
    that differs, for a person. `gain` is start's latency over end's, less 1. `p_value` is that of
    the one-sided test that `end` is faster; `accepted`: Droplet stands on `end` from then on.
    """

    number: int
    run: int
    task: int
    start: int
    end: int
    axis: str
    gain: float
    p_value: float
    accepted: bool
    elapsed_s: float = 0.0
