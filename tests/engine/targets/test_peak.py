"""The peak speed of targets: measured once on a CPU, worked out for a GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.records.errors import TuningError
from engine.records.machine import TargetSpec, local_cpu
from engine.targets import peak
from engine.targets.peak import gpu_peak, peak_flops

SPEC = TargetSpec('{"kind": "llvm"}', "cpu test x2", "cpu", 2)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the next measurements will give; each is taken once."""
    queue: list[float] = []
    monkeypatch.setattr(peak, "run_fresh", lambda *_, **__: queue.pop(0))
    return queue


def test_this_machines_peak_is_measured_and_kept(tmp_path: Path) -> None:
    spec = local_cpu()
    measured = peak_flops(spec, tmp_path)
    assert 1e9 < measured / spec.cores < 1e12
    assert peak_flops(spec, tmp_path) == measured


def test_each_target_is_measured_once(tmp_path: Path, answers: list[float]) -> None:
    answers += [1e11, 2e11]
    other = TargetSpec('{"kind": "llvm"}', "cpu test x1", "cpu", 1)
    assert [peak_flops(spec, tmp_path) for spec in (SPEC, other, SPEC, other)] == [
        1e11,
        2e11,
        1e11,
        2e11,
    ]


def test_measuring_again_keeps_the_larger_one(tmp_path: Path, answers: list[float]) -> None:
    answers += [2e11, 1e11, 3e11]
    assert [peak_flops(SPEC, tmp_path, again=again) for again in (False, True, True)] == [
        2e11,
        2e11,
        3e11,
    ]
    assert peak_flops(SPEC, tmp_path) == 3e11


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a": "b"}', '{"a": null}'])
def test_a_damaged_store_is_replaced(tmp_path: Path, answers: list[float], text: str) -> None:
    (tmp_path / "peaks.json").write_text(text)
    answers += [1e11]
    assert peak_flops(SPEC, tmp_path) == 1e11
    assert peak_flops(SPEC, tmp_path) == 1e11


def test_where_nothing_can_be_kept_it_is_measured_each_time(
    tmp_path: Path, answers: list[float]
) -> None:
    answers += [1e11, 2e11]
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert peak_flops(SPEC, blocked) == 1e11
    assert peak_flops(SPEC, blocked) == 2e11


def test_a_measurement_that_fails_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> float:
        raise TuningError("No.")

    monkeypatch.setattr(peak, "run_fresh", fail)
    with pytest.raises(TuningError):
        peak_flops(SPEC, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("processors", "clock_khz", "capability", "tflops"),
    [(132, 1_980_000, 90, 66.9), (108, 1_410_000, 80, 19.5), (80, 1_530_000, 70, 15.7)],
)
def test_a_gpus_peak_follows_from_its_attributes(
    processors: int, clock_khz: int, capability: int, tflops: float
) -> None:
    assert gpu_peak(processors, clock_khz, capability) / 1e12 == pytest.approx(tflops, abs=0.1)


@pytest.mark.gpu
def test_the_local_gpus_peak_is_known() -> None:
    from engine.records.machine import cuda_devices, local_cuda

    if not cuda_devices():
        pytest.skip("There is no CUDA device.")
    assert peak_flops(local_cuda(0)) > 1e11
