"""The command `timeline`: one inference, kernel by kernel, in a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.history.inference import Bound
from engine.records.snapshot import UNTUNED
from engine.records.trial import Measured
from tests.app.cli.support import Here
from tests.engine.project.support import new_project

KERNELS = ((0, 1e-3), (1, 2e-4))


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("engine.targets.known_peak.known_peak", lambda text: 1e12)
    monkeypatch.setattr("engine.targets.known_peak.known_bytes", lambda text: 1e10)
    return Here(capfd)


def project(path: Path, measured: Measured) -> Path:
    with new_project(path) as opened:
        opened.set_measured(UNTUNED, measured)
    return path


def test_kernels_are_told_with_times_bytes_and_part_of_the_peak(here: Here, tmp_path: Path) -> None:
    path = project(tmp_path / "a.tune", Measured(1.5e-3, at=5.0, kernels=KERNELS))
    found = here("timeline", path, "--json").json["inference"]
    assert found["whole_s"] == 1.5e-3
    assert found["kernels_s"] == pytest.approx(1.2e-3)
    assert found["gap_s"] == pytest.approx(3e-4)
    assert (found["tuned"], found["current"], found["at"]) == (False, True, 5.0)
    first, second = found["kernels"]
    size = 56 * 56 * 64 * 4
    assert (first["operator"], first["task"], first["start_s"]) == (0, "conv2d", 0.0)
    assert (first["read_bytes"], first["written_bytes"]) == (size, size)
    assert (first["bound"], second["bound"]) == (Bound.ARITHMETIC, Bound.MEMORY)
    assert first["of_peak"] == pytest.approx(2.3e8 / 1e12 / 1e-3)
    assert second["of_peak"] == pytest.approx(size / 1e10 / 2e-4)
    assert second["start_s"] == 1e-3


def test_a_person_reads_a_table_and_what_is_not_in_kernels(here: Here, tmp_path: Path) -> None:
    text = here("timeline", project(tmp_path / "a.tune", Measured(1.5e-3, kernels=KERNELS))).out
    assert "conv2d" in text
    assert "memory" in text
    assert "not in kernels           300 us" in text
    faster = here("timeline", project(tmp_path / "b.tune", Measured(1e-3, kernels=KERNELS))).out
    assert "within the model they are faster by 200 us" in faster


def test_where_nothing_was_timed_the_next_step_is_said(here: Here, tmp_path: Path) -> None:
    path = project(tmp_path / "a.tune", Measured(1.5e-3))
    assert here("timeline", path, "--json").json == {"project": str(path), "inference": None}
    assert "run `tunewright measure`" in here("timeline", path).out
