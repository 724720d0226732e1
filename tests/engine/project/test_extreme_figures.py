"""Figures that no measurement gives end in a project or a sentence, wherever they are read."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.cli.reports import info_reply
from engine.history.improvements import improvements
from engine.passes.donors import donors_of
from engine.project.glance import glance
from engine.project.repository import Project
from engine.records.errors import ProjectError, TunewrightError
from engine.replay.record_columns import record
from engine.report.markup import page_text
from engine.report.page import report
from engine.report.subject import subject_of
from tests.hostile.projects import changes, put, whole_project

# TUNEWRIGHT_FUZZ=2000 tries all values of all columns.
EXAMPLES = int(os.environ.get("TUNEWRIGHT_FUZZ", "4"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("extreme") / "net.tune"
    whole_project(path)
    return path


def use(path: Path) -> str:
    """Show of a project all that the commands and the window do."""
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
        for run in snapshot.runs:
            project.run_policy_state(run.id)
            project.run_progress(run.id)
        project.devices()
        project.trained_to(0)
    glance(path)
    improvements(snapshot)
    donors_of(path)
    page = page_text(report(subject_of(path)))
    try:
        record(path, path.with_suffix(".npz"))
    except TunewrightError as error:  # of a project without slots, for instance
        assert error.todo
    return info_reply(snapshot).text + page


def test_a_project_with_a_row_in_every_table_is_shown(whole: Path) -> None:
    assert "conv2d" in use(whole)
    assert len({table for table, *_ in changes(whole)}) >= 18


def test_any_figure_ends_in_a_project_or_a_sentence_that_names_its_place(
    whole: Path, tmp_path: Path
) -> None:
    """At least one value of each column, others by chance."""
    path, refused = tmp_path / "net.tune", set()
    for table, column, values in changes(whole):
        dice = random.Random(f"{table}.{column}")
        for value in dice.sample(values, min(EXAMPLES, len(values))):
            shutil.copy(whole, path)
            put(path, table, column, value)
            try:
                use(path)
            except ProjectError as error:
                assert "is damaged" in error.what, (table, column, value)
                assert error.what.endswith(").")
                refused.add(f"{table}.{column}")
    assert {"trials.samples", "tasks.flops", "latencies.latency_s"} <= refused


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("trials", "at", 1e200),
        ("runs", "started_at", 1e12),
        ("tasks", "weight", 2**63 - 1),
        ("tasks", "flops", 1.7e308),
        ("tasks", "untuned_latency_s", -1.0),
        ("tasks", "args", f'[[[{2**40},{2**40}],"float32"]]'),
        ("exports", "manifest", f'{{"latency_s": {"9" * 400}}}'),
        ("latencies", "latency_s", 1e200),
        ("operators", "flops", float("inf")),
        ("moves", "p_value", 7.0),
    ],
)
def test_a_figure_out_of_bounds_is_refused_with_its_table_and_column(
    whole: Path, tmp_path: Path, table: str, column: str, value: Any
) -> None:
    path = tmp_path / "net.tune"
    shutil.copy(whole, path)
    put(path, table, column, value)
    with pytest.raises(ProjectError, match="is damaged") as caught:
        use(path)
    assert caught.value.what.endswith(f" ({table}.{column}).")
