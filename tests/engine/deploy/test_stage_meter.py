"""Stages measured slice by slice; merged operators are compiled when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.deploy import stage_meter
from engine.deploy.stage_bench import StageLatency
from engine.deploy.stage_meter import StageMeter
from engine.records.errors import ExportError
from engine.records.machine import TargetSpec
from engine.records.schedule import Stage, Strategy
from engine.records.trial import Protocol

TARGET = TargetSpec("{}", "cpu", "cpu", 2)
ALONE = [Stage(Strategy.CONCURRENT, ((place,),)) for place in range(4)]


def merged(*operators: int) -> Stage:
    """These as one operator."""
    return Stage(Strategy.MERGE, (operators,))


class Bench:
    """Answers with the number of the first step, and remembers what it was asked."""

    made: list[Bench]
    heard: Callable[[], None]

    def __init__(self, folder: Path, *_: Any) -> None:
        self.folder, self.asked, self.closed = folder, list[Any](), False
        Bench.made.append(self)

    def measure(self, stages: Sequence[Any]) -> list[StageLatency]:
        """One stage."""
        assert len(stages) == 1
        self.asked += stages
        Bench.heard()
        return [StageLatency(1.0 + stages[0][0][0])]

    def close(self) -> None:
        """Remembered."""
        self.closed = True


@pytest.fixture(autouse=True)
def _benches(monkeypatch: pytest.MonkeyPatch) -> None:
    Bench.made, Bench.heard = [], lambda: None
    monkeypatch.setattr(stage_meter, "StageBench", Bench)


def test_a_slice_ends_with_its_time_but_measures_one_stage_at_least(tmp_path: Path) -> None:
    meter = StageMeter(tmp_path, TARGET, Protocol())
    assert [stage for stage, _ in meter.measure(ALONE, 60)] == ALONE
    assert [stage for stage, _ in meter.measure(ALONE, 0)] == ALONE[:1]


def test_asked_to_halt_it_ends_after_the_stage_it_is_at(tmp_path: Path) -> None:
    meter = StageMeter(tmp_path, TARGET, Protocol())
    Bench.heard = meter.halt
    assert [stage for stage, _ in meter.measure(ALONE, 60)] == ALONE[:1]
    meter.close()
    assert all(bench.closed for bench in Bench.made)


def test_a_few_merged_operators_are_compiled_together_once(tmp_path: Path) -> None:
    sets = [(0, 1), (0, 2), (1, 2)]
    compiled = list[Any]()
    meter = StageMeter(
        tmp_path, TARGET, Protocol(), sets, lambda some, folder: compiled.append((some, folder))
    )
    meter.measure(ALONE, 60)
    assert compiled == []
    found = meter.measure([merged(1, 2), ALONE[3], merged(0, 1)], 60)
    assert [latency.latency_s for _, latency in found] == [5.0, 4.0, 1.0]
    assert meter.measure([merged(0, 2)], 60)[0][1].latency_s == 3.0
    ((some, folder),) = compiled
    assert some == sets
    assert [bench.folder for bench in Bench.made] == [tmp_path, folder]
    assert Bench.made[1].asked == [((4, 5),), ((0, 1),), ((2, 3),)]


def test_of_many_merged_operators_only_those_that_are_asked_for_are_compiled(
    tmp_path: Path,
) -> None:
    sets = [(place, place + 1) for place in range(100)]
    compiled = list[Any]()
    meter = StageMeter(
        tmp_path, TARGET, Protocol(), sets, lambda some, _: compiled.append(list(some))
    )
    meter.measure([merged(3, 4), merged(7, 8)], 60)
    meter.measure([merged(3, 4), merged(9, 10)], 60)
    assert compiled == [[(3, 4), (7, 8)], [(9, 10)]]


def test_a_merged_operator_that_cannot_be_compiled_costs_only_itself(tmp_path: Path) -> None:
    def compile_some(sets: Sequence[tuple[int, ...]], folder: Path) -> None:
        if (0, 2) in sets:
            raise ExportError("TVM cannot compile the model.")

    sets = [(0, 1), (0, 2), (1, 2)]
    meter = StageMeter(tmp_path, TARGET, Protocol(), sets, compile_some)
    found = meter.measure([merged(*members) for members in sets], 60)
    assert [math.isfinite(latency.latency_s) for _, latency in found] == [True, False, True]
    assert found[1][1].reason == "TVM cannot compile the model."
