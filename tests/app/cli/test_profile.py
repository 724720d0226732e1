"""`tunewright profile`: the layers of a project, for people, programs and spreadsheets."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from app.cli.profile import profile_reply
from engine.history.open_project import OpenProject
from engine.history.overview import advice_text, overview
from tests.app.cli.support import Here
from tests.engine.project.support import new_project, new_trial
from tests.samples import squeezenet_like_snapshot

SNAPSHOT = squeezenet_like_snapshot(400)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with trials of one task, and layers of two nodes each."""
    with new_project(tmp_path / "net.tune") as made:
        made.set_untuned(1e-2, {0: 2e-3, 1: 1e-3, 2: 1e-6})
        for seed in range(3):
            made.add_trial(new_trial(seed))
    return tmp_path / "net.tune"


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(capfd)


def test_a_program_gets_every_layer_with_its_figures(here: Here, project: Path) -> None:
    found = here("profile", project, "--json").json
    assert [layer["layer"] for layer in found["layers"]] == ["pool", "conv", "reshape"]
    pool, conv, reshape = found["layers"]
    assert conv["nodes"] == "Conv conv, BatchNormalization bn"
    assert (conv["operators"], conv["tasks"]) == ("conv2d_add_relu", "conv2d")
    assert conv["output"] == "1x56x56x64 float32" and conv["flops"] == 2.3e8
    assert conv["untuned_latency_s"] == 2e-3 and 1e-4 < conv["latency_s"] < 2e-4
    assert conv["speedup"] == pytest.approx(conv["untuned_latency_s"] / conv["latency_s"])
    assert (pool["speedup"], pool["peak_share"]) == (1.0, None)
    assert (reshape["latency_s"], reshape["share"], reshape["tasks"]) == (None, None, "")
    assert found["figure"]["kind"] == "estimate" and found["peak_flop_per_s"] is None


def test_a_spreadsheet_gets_the_same_rows(here: Here, project: Path) -> None:
    listed = here("profile", project, "--json").json["layers"]
    rows = list(csv.DictReader(io.StringIO(here("profile", project, "--csv").out)))
    assert [list(row) for row in rows] == [list(layer) for layer in listed]
    texts = [["" if value is None else str(value) for value in each.values()] for each in listed]
    assert [list(row.values()) for row in rows] == texts


def test_a_person_reads_the_slowest_first_and_what_to_try_next() -> None:
    text = profile_reply(SNAPSHOT, 4e11).text
    assert " of 400 GFLOP/s\n" in text
    assert text.splitlines()[-1] == advice_text(overview(OpenProject(SNAPSHOT), 4e11).advice)
    data = profile_reply(SNAPSHOT, 4e11).data
    shares = [layer["share"] for layer in data["layers"] if layer["share"] is not None]
    assert shares == sorted(shares, reverse=True) and sum(shares) == pytest.approx(1.0)
    assert len(data["layers"]) == len(SNAPSHOT.operators)
    assert 0 < data["peak_share"] < 1


def test_without_a_peak_that_is_said(here: Here, project: Path) -> None:
    assert "peak          – (not measured on this machine)" in here("profile", project).out
