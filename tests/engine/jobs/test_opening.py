"""Opening a model, several times at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from engine.jobs.opening import open_source
from engine.models.source import ModelSource
from engine.tasks.targets import resolve
from tests.engine.models.build import save, two_convs_model


def test_models_that_are_opened_at_once_have_the_tasks_of_one_opened_alone(tmp_path: Path) -> None:
    source = ModelSource("file", str(save(two_convs_model(), tmp_path / "m.onnx")))
    target = resolve("cpu")

    def tasks(_: int) -> list[str]:
        return [task.fingerprint for task in open_source(source, target).program.tasks]

    alone = tasks(0)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tasks, range(8))) == [alone] * 8
