"""The peak speed of a target's memory: measured once on a CPU, and found by views."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.records.errors import TuningError
from engine.records.machine import TargetSpec, local_cpu
from engine.targets import bandwidth, peak
from engine.targets.bandwidth import peak_bytes
from engine.targets.known_peak import known_bytes, known_peak

SPEC = TargetSpec('{"kind": "llvm"}', "cpu test x2", "cpu", 2)


def test_this_machines_memory_is_measured_and_kept(tmp_path: Path) -> None:
    spec = local_cpu()
    measured = peak_bytes(spec, tmp_path)
    assert 1e8 < measured < 1e14
    assert peak_bytes(spec, tmp_path) == measured
    assert known_bytes(spec.text, tmp_path) == measured
    assert known_peak(spec.text, tmp_path) is None


def test_both_peaks_of_a_target_are_kept_beside_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peak, "run_fresh", lambda *_, **__: 2e11)
    monkeypatch.setattr(bandwidth, "run_fresh", lambda *_, **__: 4e10)
    peak.peak_flops(SPEC, tmp_path)
    peak_bytes(SPEC, tmp_path)
    assert known_peak(SPEC.text, tmp_path) == 2e11
    assert known_bytes(SPEC.text, tmp_path) == 4e10
    assert known_bytes('{"kind": "cuda"}', tmp_path) is None


def test_a_remote_devices_memory_is_not_measured(tmp_path: Path) -> None:
    remote = TargetSpec('{"kind": "llvm"}', "far", "cpu", 2, "rpc://127.0.0.1:9190/key")
    with pytest.raises(TuningError):
        peak_bytes(remote, tmp_path)


@pytest.mark.gpu
def test_the_local_gpus_memory_is_known(tmp_path: Path) -> None:
    from engine.records.machine import cuda_devices, local_cuda

    if not cuda_devices():
        pytest.skip("There is no CUDA device.")
    spec = local_cuda(0)
    assert 1e11 < peak_bytes(spec, tmp_path) < 1e14
    assert known_bytes(spec.text, tmp_path) == peak_bytes(spec, tmp_path)
