"""A set of shapes from its file to answers: tuned, resumed, measured again, exported, run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.deploy import export as exporting
from engine.deploy.executor_template import load
from engine.deploy.packing.wheel import WheelName
from engine.interface.shape_sets import parse_shape_set, with_shapes
from engine.records.errors import UsageError
from engine.records.schedule import IosOptions
from engine.records.settings import Budget
from engine.records.snapshot import UNTUNED
from engine.records.source import ModelSource
from tests.engine.deploy.shapes.masked import draw, expected, masked_model
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import save


@pytest.mark.long
def test_a_set_is_tuned_resumed_and_exported_like_one_shape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "_SECONDS", 0.01)
    file = save(masked_model(), tmp_path / "m.onnx")
    shapes = parse_shape_set(["x={1x5,3x9*3}x4", "mask={1x5,3x9}"])
    source = with_shapes(ModelSource("file", str(file)), shapes)
    console = Console()
    engine = console.engine
    try:
        engine.open_model(source, "cpu", tmp_path / "m.tune").result(300)
        engine.start_run(QUICK).result(300)
        engine.wait().result(300)
        first = engine.snapshot().result(60)
        assert len(first.trials) == 6
        assert first.judged is not None
        assert {verdict.shape for verdict in first.judged.verdicts} == {"x=1x5x4", "x=3x9x4"}
        alone = [first.of_shape(place) for place in (0, 1)]
        small_s, large_s = (one.measured[UNTUNED].latency_s for one in alone)
        assert first.untuned_latency_s == pytest.approx((small_s + 3 * large_s) / 4)
        assert all(one.reference_latency_s for one in alone)
        assert all(one.measured[UNTUNED].kernels for one in alone)

        engine.open_project(tmp_path / "m.tune").result(60)
        engine.resume_run(Budget(trials=2)).result(300)
        engine.wait().result(300)
        assert len(engine.snapshot().result(60).trials) == 8
        engine.measure_again().result(300)
        with pytest.raises(UsageError, match="Stages belong to one shape"):
            engine.find_schedule(IosOptions(seconds=1.0)).result(300)
        with pytest.raises(UsageError, match="holds one shape"):
            engine.export(tmp_path / "out", WheelName("m", "1.0")).result(300)
        manifest = engine.export(tmp_path / "out", pads={"x": 0, "mask": 0}).result(300)
    finally:
        engine.shutdown()
    assert [one["label"] for one in manifest["shapes"]] == ["x=1x5x4", "x=3x9x4"]
    module = load(tmp_path / "out")
    for batch, length in ((1, 5), (3, 9), (2, 6)):
        inputs = draw(batch, length)
        found, wanted = module.run(inputs), expected(file, inputs)
        for name, array in wanted.items():
            np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-5)
