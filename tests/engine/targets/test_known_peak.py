"""The peak that was measured before is found by its description; nothing is measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.records.machine import TargetSpec
from engine.records.snapshot import NO_PROJECT, Hardware
from engine.targets import peak
from engine.targets.known_peak import known_peak, peak_of

TARGET = TargetSpec('{"kind": "llvm", "mcpu": "znver4", "num-cores": 2}', "cpu znver4 x2", "cpu", 2)


def test_what_was_measured_for_a_target_is_found_by_its_description(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peak, "run_fresh", lambda *_, **__: 3e11)
    assert known_peak(TARGET.text, tmp_path) is None
    peak.peak_flops(TARGET, tmp_path)
    assert known_peak(TARGET.text, tmp_path) == 3e11
    with_keys = TARGET.text.replace("{", '{"keys": ["cpu"], ')
    assert known_peak(with_keys, tmp_path) == 3e11  # as TVM writes what it has read
    for other in (TARGET.text.replace("2}", "4}"), TARGET.text.replace("4", "3"), "2}", ""):
        assert known_peak(other, tmp_path) is None


def test_what_was_worked_out_for_a_gpu_is_found_by_its_description(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '{"kind": "cuda", "arch": "sm_90"}'
    monkeypatch.setattr(peak, "_gpu_peak", lambda index: 6.7e13)
    assert peak.peak_flops(TargetSpec(text, "NVIDIA H200", "cuda:0", 1), tmp_path) == 6.7e13
    assert known_peak(text, tmp_path) == 6.7e13
    assert known_peak(text.replace("90", "80"), tmp_path) is None


@pytest.mark.parametrize("precision", ["float32", "tf32", "float16"])
def test_only_a_project_in_float32_has_the_peak_of_float32(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, precision: str
) -> None:
    monkeypatch.setattr(peak, "run_fresh", lambda *_, **__: 3e11)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    peak.peak_flops(TARGET)
    project = replace(NO_PROJECT, precision=precision, hardware=Hardware(TARGET.text))
    assert peak_of(project) == (3e11 if precision == "float32" else None)


@pytest.mark.parametrize("text", ["", "[]", '{"a": "b"}', '{"x cpu x2 {": 1}'])
def test_a_broken_file_is_no_peak(tmp_path: Path, text: str) -> None:
    (tmp_path / "peaks.json").write_text(text)
    assert known_peak(TARGET.text, tmp_path) is None
