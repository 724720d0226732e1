"""The comparison of simplifiers, on tiny models."""

from __future__ import annotations

import sys
from pathlib import Path

from engine.records.source import ModelSource
from tests.benchmarks.survey.simplifiers import table
from tests.benchmarks.survey.simplifiers_worker import BASIC, NONE, SIM, SLIM, Row, examine
from tests.benchmarks.survey.survey_models import Told
from tests.engine.models import build


def test_what_a_simplifier_made_is_counted_run_and_imported(tmp_path: Path) -> None:
    path = build.save(build.dynamic_model(), tmp_path / "net.onnx")
    source = ModelSource("file", str(path))
    rows = {
        name: examine(lambda text: None, source, Told(), name, sys.executable)
        for name in (NONE, SLIM, BASIC)
    }
    assert all(row.runs and row.opens and row.difference < 1e-5 for row in rows.values())
    assert rows[SLIM].nodes <= rows[NONE].nodes


def test_a_simplifier_that_fails_is_one_row_with_its_reason(tmp_path: Path) -> None:
    path = build.save(build.conv_relu_model(), tmp_path / "net.onnx")
    row = examine(lambda text: None, ModelSource("file", str(path)), Told(), SIM, "/bin/false")
    assert not row.opens
    assert row.reason


def test_the_table_adds_up_by_simplifier() -> None:
    rows = [
        Row("p", "a.onnx", SLIM, 3, 1.4, True, 1e-7, True),
        Row("p", "b.onnx", SLIM, 4, 0.2, True, 2e-6, False, "Bad."),
        Row("p", "a.onnx", BASIC, reason="failed"),
    ]
    assert "| onnxslim | 2 | 2 | 1 | 7 | 2 | 2e-06 |" in table(rows)
    assert "| ort basic | 1 | 0 | 0 | 0 | 0 | 0 |" in table(rows)
