"""The probe of stages tells whether outputs agree, and names what it times."""

from __future__ import annotations

import pytest

from tests.benchmarks.stages import stage_probe
from tests.benchmarks.stages.stage_probe import probe


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage_probe, "SECONDS", 0.001)
    monkeypatch.setattr(stage_probe, "INPUTS", 2)
    monkeypatch.setattr(stage_probe, "ROUNDS", 1)


def test_each_convolution_is_a_group_and_outputs_are_identical() -> None:
    report = probe("cpu", branches=3, channels=16, size=8, tuned=False, check=True)
    concurrent, last = report["stages"]
    assert len(concurrent) == 3
    assert last == [[len(report["kernels"]) - 1]]
    assert sorted(step for group in concurrent for step in group) == list(range(last[0][0]))
    assert report["identical"]
    assert report["peak_bytes"]["side_by_side"] >= report["peak_bytes"]["sequential"]
    assert "program_us" not in report


def test_programs_and_stages_are_timed() -> None:
    report = probe("cpu", branches=2, channels=16, size=8, tuned=False, check=False)
    assert set(report["program_us"]) == {"sequential_eager", "sequential", "side_by_side"}
    expected = {"group 0 alone", "group 1 alone", "in sequence", "2 side by side"}
    assert set(report["stages_us"]) == expected
    assert all(value > 0 for value in report["stages_us"].values())
