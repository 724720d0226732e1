"""The survey of real models, on tiny ones in wheels made here."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from engine.models.samples import SAMPLES
from engine.targets.targets import resolve
from engine.workers.watched import Limits
from tests.benchmarks import import_survey
from tests.benchmarks.import_survey import report_of, survey, tables
from tests.benchmarks.survey.survey_models import (
    PACKAGES,
    Found,
    Package,
    light_models,
    package_models,
    told_of,
)
from tests.benchmarks.survey.survey_worker import Verdict, examine
from tests.engine.models import build

PACKAGE = Package("tiny-models", "1.0", "test", named=True)


@pytest.fixture
def models(tmp_path: Path) -> list[Found]:
    """What is in a wheel with a dynamic model, one with a foreign operator, and no model at all."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    with zipfile.ZipFile(folder / "tiny_models-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny/a.onnx", build.dynamic_model().SerializeToString())
        wheel.writestr("tiny/b.onnx", build.unsupported_model().SerializeToString())
        wheel.writestr("tiny/c.txt", "text")
    return package_models(PACKAGE, tmp_path)


def test_the_models_of_a_wheel_are_found_in_it(models: list[Found]) -> None:
    assert [model.file for model in models] == ["tiny/a.onnx", "tiny/b.onnx"]
    assert all(Path(model.source.location).is_file() and model.named for model in models)


def test_a_model_is_compared_with_the_file_as_it_is_and_a_refusal_has_its_reason(
    models: list[Found],
) -> None:
    good, bad = (
        examine(lambda text: None, model.source, model.told, resolve("cpu")) for model in models
    )
    assert (good.reference_runs, good.opens, good.agrees, good.tasks > 0) == (True,) * 4
    assert (bad.opens, bad.agrees) == (False, False)
    assert bad.reason


def test_a_model_that_takes_too_long_is_one_row(models: list[Found]) -> None:
    ((_, verdict),) = survey(models[:1], Limits(4 << 30, 0.0))
    assert "took over 0 s" in verdict.reason
    assert not verdict.agrees


def test_the_report_counts_and_the_tables_name_every_reason(models: list[Found]) -> None:
    good = Verdict(True, True, True, 3, 1e-7)
    wrong = Verdict(True, True, tasks=3, reason="The output y differs from ONNX Runtime's by 2.")
    other = Found("more", "2", "text", "m/n.onnx", models[0].source, models[0].told, named=False)
    rows = [(models[0], good), (models[1], wrong), (other, good), (other, Verdict(reason="Bad."))]
    report = report_of(rows)
    assert [goal.value for goal in report.goals] == [1, 1.0, 1]
    assert json.loads(json.dumps(report.as_dict()))["details"]["models"][1]["tasks"] == 3
    text = "\n".join(tables(rows))
    assert "| tiny/a.onnx | tiny-models | 3 | 1e-07 |" in text
    assert "| more 2 | text | 2 | 1 | 1 | 1 |" in text
    assert "differs from ONNX Runtime's by 2" in text
    assert "| more | n.onnx | Bad. |" in text


def test_twenty_files_are_named_and_every_version_is_pinned() -> None:
    assert len(light_models()) == len(SAMPLES) == 9
    assert [p.name for p in PACKAGES if p.named] == [
        "rapidocr-onnxruntime",
        "nudenet",
        "magika",
        "silero-vad",
    ]
    assert len({p.name for p in PACKAGES if not p.named}) >= 10
    assert all(package.version for package in PACKAGES)


def test_what_is_told_of_a_file_goes_by_its_name() -> None:
    assert told_of("silero_vad/data/silero_vad.onnx").constants == {"sr": 16_000}
    assert told_of("silero_vad/data/silero_vad_half.onnx").values == {}
    assert told_of("somewhere/else.onnx").shapes == {}


def test_an_unknown_package_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["import_survey", "--packages", "none"])
    with pytest.raises(SystemExit, match="No such package"):
        import_survey.main()
