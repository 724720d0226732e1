"""The interface over the real engine and a tiny model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import Tuning
from tests.engine.models.build import conv_relu_model, save

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_a_chain_tunes_exports_and_reports(tmp_path: Path) -> None:
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    result = Tuning(model).target("cpu").budget(trials=2).run()
    assert (result.state, result.trials) == ("finished", 2)
    assert result.project == tmp_path / "tiny.tune"
    assert result.untuned_latency_s
    assert result.tuned_latency_s
    manifest = result.export(tmp_path / "out")
    assert json.loads((tmp_path / "out" / "manifest.json").read_text()) == manifest
    assert result.report() == tmp_path / "tiny-report.html"
