"""`tunewright experiment`: refusals, and two cells over the real engine."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.app.cli.support import Here
from tests.engine.models.build import conv_relu_model, save

TEXT = "models: [tiny.onnx, lost.onnx]\ntargets: [cpu]\nbudgets: [{trials: 2}]\nname: Both\n"


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Here(capfd)


def test_a_wrong_file_is_bad_use_and_starts_nothing(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    file.write_text("models: [squeezenet]\nbudgets: [{hours: 1}]")
    done = here("experiment", file, "--json")
    assert done.code == 2
    assert done.json["error"] == "Line 2: A budget has no 'hours'."
    assert not (tmp_path / "e-results").exists()


@pytest.mark.long
@pytest.mark.slow
def test_a_cell_that_fails_leaves_the_other_alone_and_is_all_that_is_tried_again(
    here: Here, tmp_path: Path
) -> None:
    save(conv_relu_model(), tmp_path / "tiny.onnx")
    (tmp_path / "lost.onnx").write_bytes(b"no model")
    file = tmp_path / "e.yaml"
    file.write_text(TEXT)
    done = here("experiment", file)
    assert done.code == 1
    assert "1 of 1" in done.out
    assert "lost_cpu_dynatune_seed0" in done.out
    folder = tmp_path / "e-results"
    with (folder / "cells.csv").open() as rows:
        cells = {row["model"]: row for row in csv.DictReader(rows)}
    assert (cells["tiny"]["state"], cells["tiny"]["trials"]) == ("finished", "2")
    assert cells["lost"]["state"] == "failed"
    before = (folder / cells["tiny"]["project"]).read_bytes()
    again = here("experiment", file, "--json")
    assert again.code == 1
    assert again.json["groups"] == json.loads((folder / "experiment.json").read_text())["groups"]
    assert (folder / cells["tiny"]["project"]).read_bytes() == before


def test_more_cores_than_there_are_and_a_concurrency_said_twice_are_refused(
    here: Here, tmp_path: Path
) -> None:
    file = tmp_path / "e.yaml"
    file.write_text("models: [squeezenet]\nbudgets: [{trials: 2}]\ncores: [4096]\n")
    done = here("experiment", file, "--json")
    assert done.code == 2 and done.json["error"].startswith("4096 cores are wanted, and ")
    file.write_text("models: [squeezenet]\nbudgets: [{trials: 2}]\nconcurrency: [1, 2]\n")
    done = here("experiment", file, "--jobs", "2", "--json")
    assert done.code == 2 and "says how many cells run at once" in done.json["error"]
