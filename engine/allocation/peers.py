"""How much slower a task is than its peers of the same class and size: what it may still gain."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

import numpy as np

_FEWEST = 5
_MOST = 4.0
_RIDGE = 0.3


def headrooms(tasks: Iterable[tuple[int, str, float, float]]) -> dict[int, float]:
    """How many times as long each task takes as one of its class and size does, by its index.

    `tasks` are rows of index, class, FLOPs and latency now in seconds. What a size takes is read
    off the least-squares line of ln(FLOP/s) over ln(FLOPs) through the class. Classes of fewer
    than five tasks have no line, and their tasks are left out; results lie in [1/4, 4].
    """
    classes: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
    for index, name, flops, latency_s in tasks:
        if flops > 0 and 0 < latency_s < math.inf:
            classes[name].append((index, flops, latency_s))
    found: dict[int, float] = {}
    for rows in classes.values():
        if len(rows) >= _FEWEST:
            found.update(_of_class(rows))
    return found


def _of_class(rows: list[tuple[int, float, float]]) -> dict[int, float]:
    _, flops, latency_s = (np.array(column) for column in zip(*rows, strict=True))
    size, speed = np.log(flops), np.log(flops / latency_s)
    size, level = size - size.mean(), speed.mean()
    slope = float(size @ (speed - level)) / (float(size @ size) + _RIDGE)
    behind = np.exp(level + slope * size - speed).clip(1 / _MOST, _MOST)
    return {row[0]: float(value) for row, value in zip(rows, behind, strict=True)}
