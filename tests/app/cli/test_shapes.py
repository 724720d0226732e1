"""What the command line answers about a project of several shapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.jobs.verifying.whole import keep_each
from engine.records.network import Operator
from engine.records.snapshot import REFERENCE, UNTUNED
from engine.records.source import InputShapes, ModelSource
from engine.records.trial import Measured
from tests.app.cli.support import Here
from tests.engine.project.support import OPERATORS, TASKS, TENSOR, new_project

MORE = (Operator(0, "conv2d", "conv2d_add_relu", 0, (), TENSOR, 2.3e8),)
SOURCE = ModelSource(
    "file", "/models/net.onnx", {"x": (1, 8)}, "ab" * 32, more=(InputShapes({"x": (1, 16)}, 3),)
)


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(capfd)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two shapes, the second three times as often and of one operator."""
    project = new_project(
        tmp_path / "net.tune", source=SOURCE, tasks=TASKS, operators=OPERATORS, further=[MORE]
    )
    with project:
        for kind, scale in ((UNTUNED, 1.0), (REFERENCE, 2.0)):
            found = [
                Measured(scale * 1e-3, kernels=((0, 4e-4), (1, 5e-4))),
                Measured(scale * 2e-3, kernels=((0, 2e-3),)),
            ]
            keep_each(project, lambda event: None, kind, found)
    return project.path


def test_info_has_the_mean_and_each_shape(path: Path, here: Here) -> None:
    data = here("info", path, "--json").json
    assert data["untuned_latency_s"] == pytest.approx(1.75e-3)
    shapes = [
        (one["label"], one["frequency"], one["untuned_latency_s"], one["reference_latency_s"])
        for one in data["shapes"]
    ]
    assert shapes == [("x=1x8", 1, 1e-3, 2e-3), ("x=1x16", 3, 2e-3, 4e-3)]
    assert data["shapes"][1]["occurrences"] == {"conv2d": 1}
    text = here("info", path).out
    assert "2; latencies are their mean by frequency" in text
    assert text.index("x=1x8") < text.index("x=1x16")


def test_one_shape_is_shown_alone(path: Path, here: Here) -> None:
    data = here("info", path, "--of", "x=1x16", "--json").json
    assert data["untuned_latency_s"] == 2e-3 and "shapes" not in data
    assert [task["weight"] for task in data["tasks"]] == [1, 0, 0]
    layers = here("profile", path, "--of", "x=1x16", "--json").json["layers"]
    assert [layer["tasks"] for layer in layers] == ["conv2d"]
    found = here("timeline", path, "--of", "x=1x16", "--json").json["inference"]
    assert (found["whole_s"], len(found["kernels"])) == (2e-3, 1)
    assert here("timeline", path, "--json").json["inference"]["whole_s"] == 1e-3


def test_a_shape_that_there_is_none_of_is_refused_with_those_there_are(
    path: Path, here: Here
) -> None:
    done = here("info", path, "--of", "x=1x9")
    assert done.code == 2 and "It has x=1x8, x=1x16." in done.err
    alone = new_project(path.with_name("alone.tune"))
    alone.close()
    done = here("info", alone.path, "--of", "x=1x8")
    assert done.code == 2 and "leave --of out" in done.err


def test_braces_that_a_shell_took_are_told_by_quotes(here: Here) -> None:
    done = here("tune", "m.onnx", "--shape", "ids=1x32", "ids=1x64")
    assert done.code == 2 and "write 'NAME=1x{32,64}', in quotes" in done.err
