"""What a run's slots spent their time on: search, build, waiting, measuring."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.history.run_profile import ProfileLog, SlotParts, Timing, covered, slot_parts
from engine.records.snapshot import Hardware, SlotInfo, Snapshot
from engine.records.trial import Trial
from tests.replayed import folded, opened, replayed_events
from tests.samples import make_trial

CPU, GPU = Hardware("{}", is_cpu=True), Hardware("{}")


def trial(
    end_s: float, run_s: float, build_s: float, slot: int = 1, run: int = 1, number: int = 1
) -> Trial:
    made = make_trial(number, 0, 1e-3, elapsed_s=end_s)
    return replace(made, run_s=run_s, build_s=build_s, slot=slot, run=run)


def project(slots: dict[int, float], *trials: Trial, hardware: Hardware = GPU) -> Snapshot:
    infos = tuple(SlotInfo(number, 1, 0, start_s) for number, start_s in slots.items())
    return Snapshot("", "test", "", "", (), (), trials, slots=infos, hardware=hardware)


def test_a_slot_is_cut_into_search_build_waiting_and_measuring() -> None:
    parts = slot_parts(10.0, [Timing(17.0, 1.0, 2.0), Timing(20.0, 0.5, 1.0)])
    assert parts == SlotParts(search_s=4.0, build_s=3.0, wait_s=1.5, measure_s=1.5)


def test_what_overlaps_counts_once_and_as_measuring() -> None:
    parts = slot_parts(0.0, [Timing(5.0, 1.0, 3.0), Timing(6.0, 1.0, 4.0)])
    assert parts == SlotParts(search_s=1.0, build_s=3.0, wait_s=0.0, measure_s=2.0)


def test_on_a_cpu_a_search_waits_while_another_slot_is_measured() -> None:
    slots, trials = {1: 0.0, 2: 2.0}, (trial(5.0, 2.0, 1.0), trial(9.0, 1.0, 1.0, slot=2))
    cpu = ProfileLog(project(slots, *trials, hardware=CPU)).profile(1)
    gpu = ProfileLog(project(slots, *trials)).profile(1)
    assert gpu == ProfileLog(
        project(slots, *trials, hardware=replace(CPU, is_remote=True))
    ).profile(1)
    assert cpu is not None
    assert gpu is not None
    assert (cpu.parts.search_s, cpu.parts.wait_s) == (2.0 + 3.0, 2.0)
    assert (gpu.parts.search_s, gpu.parts.wait_s) == (2.0 + 5.0, 0.0)
    assert cpu.measured_share == gpu.measured_share == pytest.approx(3.0 / 9.0)


def test_runs_are_apart_and_one_without_results_has_no_profile() -> None:
    log = ProfileLog(project({1: 0.0}, trial(4.0, 1.0, 1.0), trial(9.0, 4.0, 1.0, run=2)))
    found = log.profile(1)
    assert found is not None
    assert found.parts.total_s == 4.0
    assert log.profile(2) is None
    assert log.profile(7) is None
    assert ProfileLog().profile(1) is None


@pytest.mark.parametrize("every", [1, 1000])
def test_live_and_reopened_a_profile_is_the_same(every: int) -> None:
    events = replayed_events()
    live = ProfileLog(opened(events))
    for place, event in enumerate(events):
        live.apply([event])
        if place % every == 0:
            live.profile(1)
    assert live.profile(1) == ProfileLog(folded(events)).profile(1)
    assert live.profile(1) is not None


SECONDS = st.floats(0, 50)


@settings(deadline=None)
@given(SECONDS, st.lists(st.tuples(SECONDS, SECONDS, SECONDS), min_size=1, max_size=8))
def test_the_parts_are_never_negative_and_add_up_to_the_slot(
    start_s: float, rows: list[tuple[float, float, float]]
) -> None:
    trials = [Timing(start_s + after, run_s, build_s) for after, run_s, build_s in rows]
    parts = slot_parts(start_s, trials)
    assert min(parts.search_s, parts.build_s, parts.wait_s, parts.measure_s) >= -1e-9
    assert parts.total_s == pytest.approx(max(after for after, *_ in rows), abs=1e-6)


def test_overlapping_spans_are_covered_once() -> None:
    assert covered([(0, 4), (1, 2), (3, 6), (8, 20)], 1, 10) == 7
    assert covered([], 0, 5) == 0
