"""Latencies of the whole model with what is known of them, in the project file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.project.repository import Project
from engine.records.errors import ProjectError
from engine.records.snapshot import REFERENCE, UNTUNED
from engine.records.trial import Measured
from tests.engine.project.support import new_project

WHOLE = Measured(4e-3, 1e-5, 0.25, 5e-3, 1.7e9)
HOT = Measured(4e-3, at=1.7e9, throttled=True)
TIMED = Measured(4e-3, at=1.7e9, kernels=((0, 1e-3), (2, 2e-3), (11, 0.0)))


@pytest.mark.parametrize("kind", [UNTUNED, REFERENCE, "0123456789abcdef"])
@pytest.mark.parametrize(
    "measured", [WHOLE, Measured(4e-3, at=1.7e9), Measured(4e-3, load=0.0), TIMED, HOT]
)
def test_a_latency_comes_back_with_all_that_is_known_of_it(
    tmp_path: Path, kind: str, measured: Measured
) -> None:
    with new_project(tmp_path / "a.tune") as project:
        project.set_measured(kind, replace(TIMED, kernels=((7, 1.0),)))
        project.set_measured(kind, WHOLE)
        project.set_measured(kind, HOT)
        project.set_measured(kind, measured)  # nothing of the one before is left
    with Project.open(tmp_path / "a.tune", read_only=True) as project:
        assert project.snapshot().measured == {kind: measured}


@pytest.mark.parametrize(
    "measured", [Measured(-1.0), Measured(float("inf")), Measured(1.0, load=1.5)]
)
def test_a_latency_that_is_none_is_refused(tmp_path: Path, measured: Measured) -> None:
    with new_project(tmp_path / "a.tune") as project:
        with pytest.raises(ValueError, match="cannot store"):
            project.set_measured(UNTUNED, measured)
        assert project.snapshot().measured == {}


def test_a_load_of_a_strangers_file_is_a_share(tmp_path: Path) -> None:
    path = tmp_path / "a.tune"
    with new_project(path) as project:
        project.set_measured(UNTUNED, WHOLE)
        project._db.execute("UPDATE latencies SET latency_s = 9.0 WHERE kind = 'untuned/load'")
        project._db.conn.commit()
        with pytest.raises(ProjectError):
            project.snapshot()


def test_parts_of_a_latency_that_is_not_there_are_left_out(tmp_path: Path) -> None:
    with new_project(tmp_path / "a.tune") as project:
        project.set_measured("ab/load", Measured(0.5))
        assert project.snapshot().measured == {}


def test_kernels_are_kept_of_the_untuned_model_and_of_the_latest_tuned_one(tmp_path: Path) -> None:
    with new_project(tmp_path / "a.tune") as project:
        for kind in (UNTUNED, "aa", "bb", REFERENCE):
            project.set_measured(kind, WHOLE if kind == REFERENCE else TIMED)
        timed = {kind for kind, each in project.snapshot().measured.items() if each.kernels}
        assert timed == {UNTUNED, "bb"}
        project.set_measured(UNTUNED, TIMED)
        project.set_measured("cc", WHOLE)  # which has not timed any
        timed = {kind for kind, each in project.snapshot().measured.items() if each.kernels}
        assert timed == {UNTUNED, "bb"}


@pytest.mark.parametrize("operator", ["", "-1", "1.5", "x", "9" * 30, "1/2"])
def test_kernels_of_what_is_no_operator_are_left_out(tmp_path: Path, operator: str) -> None:
    with new_project(tmp_path / "a.tune") as project:
        project.set_measured("aa", TIMED)
        project._db.execute(
            "UPDATE latencies SET kind = ? WHERE kind = 'aa/kernel/2'", [f"aa/kernel/{operator}"]
        )
        assert project.snapshot().measured["aa"].kernels == ((0, 1e-3), (11, 0.0))
