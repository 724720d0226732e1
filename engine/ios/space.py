"""The search space of one block: every set of operators left to run, and every last stage of it."""

from __future__ import annotations

from array import array
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from engine.ios.endings import Pruning, endings
from engine.ios.graph import OperatorGraph

Explored = tuple[int, int]
PAIRS_A_TURN = 5_000


@dataclass(frozen=True, slots=True)
class Space:
    """States as masks, stages as those of their groups; pairs as rows of three columns of indices.

    State 0 is the empty set, the last one all operators; states ascend in size, pairs in `state`.
    """

    states: list[int]
    stages: list[tuple[int, ...]]
    rest: np.ndarray
    state: np.ndarray
    stage: np.ndarray


def explore(
    graph: OperatorGraph,
    pruning: Pruning,
    *,
    sequences: bool,
    most_states: int,
    most_pairs: int,
) -> Generator[Explored, None, Space | None]:
    """Yields the numbers of states and pairs so far now and then; None where there are too many.

    Without `sequences`, stages of one group with several operators are looked at, but left out of
    the space: a schedule without them takes no longer.
    """
    states = [graph.all]
    stages: list[tuple[int, ...]] = []
    state_at, stage_at = {graph.all: 0}, dict[int, int]()
    rest_column, state_column, stage_column = array("i"), array("i"), array("i")
    seen = 0
    for place, state in enumerate(states):
        for ending, groups in endings(graph, state, pruning):
            seen += 1
            if seen > most_pairs or len(states) > most_states:
                return None
            if seen % PAIRS_A_TURN == 0:
                yield len(states), seen
            if len(groups) == 1 and not sequences and ending & (ending - 1):
                continue
            rest = state ^ ending
            if rest not in state_at:
                state_at[rest] = len(states)
                states.append(rest)
            if ending not in stage_at:
                stage_at[ending] = len(stages)
                stages.append(tuple(sorted(groups, key=_first)))
            rest_column.append(state_at[rest])
            state_column.append(place)
            stage_column.append(stage_at[ending])
    yield len(states), seen
    return _sorted(states, stages, rest_column, state_column, stage_column)


def _first(group: int) -> int:
    return group & -group


def _sorted(
    states: list[int],
    stages: list[tuple[int, ...]],
    rest: array[int],
    state: array[int],
    stage: array[int],
) -> Space:
    order = sorted(range(len(states)), key=lambda place: (states[place].bit_count(), states[place]))
    rank = np.empty(len(states), np.int32)
    rank[order] = np.arange(len(states), dtype=np.int32)
    new_state = rank[np.frombuffer(state, np.int32)]
    by_state = np.argsort(new_state, kind="stable")
    return Space(
        [states[place] for place in order],
        stages,
        rank[np.frombuffer(rest, np.int32)][by_state],
        new_state[by_state],
        np.frombuffer(stage, np.int32)[by_state],
    )
