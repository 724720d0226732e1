"""Cores and devices that are shared: against a plain account of every stage's speed."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.scheduling.plays import seeds
from tests.engine.scheduling.sharing import SharedCores


@dataclass
class _Left:
    order: int
    cores: int
    device: str
    seconds: float


class Plain:
    """Every stage's speed worked out anew at each event."""

    def __init__(self, cores: int) -> None:
        self.cores, self.now_s, self.disturbed_s = cores, 0.0, 0.0
        self.stages: list[_Left] = []

    def speed(self, stage: _Left) -> float:
        asked = sum(item.cores for item in self.stages)
        held = Counter(item.device for item in self.stages)[stage.device] if stage.device else 1
        return min(1.0, self.cores / asked) / held

    def pass_to(self, now_s: float) -> None:
        passed_s, speeds = now_s - self.now_s, [self.speed(item) for item in self.stages]
        for item, speed in zip(self.stages, speeds, strict=True):
            if item.device and speed < 1:
                self.disturbed_s += passed_s
            item.seconds -= passed_s * speed
        self.now_s = now_s

    def next_end(self) -> tuple[float, _Left]:
        ends = [(self.now_s + item.seconds / self.speed(item), item) for item in self.stages]
        return min(ends, key=lambda end: end[0])


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 25), seeds)
def test_stages_end_when_a_plain_account_says(size: int, seed: int) -> None:
    dice = random.Random(seed)
    shared, plain = SharedCores(4), Plain(4)
    coming = sorted(round(dice.uniform(0, 10), 2) for _ in range(size))
    order = 0
    while coming or plain.stages:
        ends_s, first = plain.next_end() if plain.stages else (float("inf"), None)
        assert (shared.next_end_s() is None) == (first is None)
        if coming and coming[0] < ends_s - 1e-6:
            now_s = coming.pop(0)
            made = _Left(order, dice.randint(1, 4), dice.choice(["", "g", "h"]), dice.uniform(1, 5))
            plain.pass_to(now_s)
            plain.stages.append(made)
            shared.start(order, made.cores, made.device, made.seconds, now_s)
            order += 1
        else:
            assert first is not None
            assert shared.next_end_s() == pytest.approx(ends_s, abs=1e-6)
            plain.pass_to(ends_s)
            plain.stages.remove(first)
            assert shared.end(ends_s) == first.order
            coming = [max(at_s, ends_s) for at_s in coming]
    assert shared.disturbed_s == pytest.approx(plain.disturbed_s, abs=1e-5)


def test_alone_every_stage_takes_what_it_takes() -> None:
    shared = SharedCores(2)
    shared.start(0, 1, "", 3.0, 0.0)
    shared.start(1, 1, "gpu", 1.0, 0.0)
    assert shared.next_end_s() == 1.0
    assert shared.end(1.0) == 1
    assert shared.next_end_s() == 3.0
    assert shared.end(3.0) == 0
    assert shared.next_end_s() is None
    assert (shared.core_s, shared.measured_s, shared.disturbed_s) == (4.0, 1.0, 0.0)
    assert shared.devices["gpu"].busy_s == 1.0


def test_two_on_one_device_take_twice_as_long_and_are_disturbed() -> None:
    shared = SharedCores(4)
    for order in range(2):
        shared.start(order, 1, "gpu", 1.0, 0.0)
    assert shared.next_end_s() == 2.0
    shared.end(2.0)
    shared.end(shared.next_end_s() or 0.0)
    assert shared.now_s == 2.0
    assert shared.disturbed_s == shared.measured_s == 4.0
