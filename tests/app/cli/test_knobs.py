"""The command `knobs`: what it says of a project's tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.cli.support import Here
from tests.engine.passes.test_knobs import drawn
from tests.engine.project.support import new_project


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Here(capfd)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "net.tune"
    with new_project(path) as opened:
        for trial in drawn(40, noise=0.0):
            opened.add_trial(trial)
    return path


def test_every_task_is_told_with_its_knobs(here: Here, project: Path) -> None:
    found = here("knobs", project, "--json").json
    assert [task["task"] for task in found["tasks"]] == ["conv2d", "pool", "scalar"]
    conv, pool, _ = found["tasks"]
    assert (conv["trials"], conv["failed"], conv["steady_knobs"]) == (40, 0, 2)
    first = conv["knobs"][0]
    assert first["knob"] == "unroll explicit of dense"
    assert first["importance"] == pytest.approx(1.0)
    assert first["best"] == "0"
    assert sum(value["trials"] for value in first["values"]) == 40
    assert [value["median_s"] for value in first["values"]] == pytest.approx(
        [1e-3, 2e-3, 4e-3, 8e-3]
    )
    assert pool == {"task": "pool", "trials": 0, "failed": 0, "steady_knobs": 0, "knobs": []}


def test_a_person_reads_the_first_knobs_of_all_tasks_or_all_of_one(
    here: Here, project: Path
) -> None:
    text = here("knobs", project).out
    assert "conv2d: 40 trials with a latency" in text
    assert "pool: 0 trials with a latency; no knob has two values" in text
    assert sum(line.startswith(("tile", "unroll", "place")) for line in text.splitlines()) == 3
    one = here("knobs", project, "--task", "conv2d").out
    assert "pool" not in one
    assert sum(line.startswith(("tile", "unroll", "place")) for line in one.splitlines()) == 4


def test_an_unknown_task_is_refused_with_what_to_do(here: Here, project: Path) -> None:
    done = here("knobs", project, "--task", "dense")
    assert done.code == 2
    assert done.err == (
        "tunewright: The project has no task dense. `tunewright info` lists them.\n"
    )
