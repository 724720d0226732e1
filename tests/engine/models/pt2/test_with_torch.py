"""PyTorch programs from the file to the module, where PyTorch is installed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.deploy.compare import largest_difference
from engine.deploy.compile import compile_program
from engine.deploy.executor import PlanExecutor
from engine.jobs.baseline import measure_reference
from engine.jobs.opening.checking import check_source
from engine.jobs.opening.opening import open_source
from engine.models.reference import random_inputs
from engine.records.errors import ModelError, ShapeError, UnsupportedOperators
from engine.records.source import ModelSource
from engine.targets.targets import resolve

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(
        importlib.util.find_spec("torch") is None, reason="PyTorch is not installed"
    ),
]

_EXPORT = """
import sys, torch
from torch import nn
from torch.export import Dim, export, save

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.line = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.Linear(8, 5)
        self.drop = nn.Dropout()
    def forward(self, x, scale):
        y = self.drop(torch.relu(self.norm(self.conv(x))).mean((2, 3)))
        with torch.no_grad():
            place = torch.arange(x.shape[0])[:, None].float()
        first, second = self.line(y).reshape(x.shape[0], 5).split([2, 3], -1)
        both = torch.cat([second, first], -1) * scale + place
        return {"sum": both, "gelu": nn.functional.gelu(y)}

class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
    def forward(self, x):
        self.count.add_(1)
        return x + self.count

class Median(nn.Module):
    def forward(self, x):
        return torch.lgamma(x)

torch.manual_seed(0)
folder = sys.argv[1]
inputs = torch.randn(2, 3, 8, 8), torch.ones(5)
side = Dim("side", min=4, max=64)
open_dims = {"x": {0: Dim("batch", min=1, max=8), 2: side, 3: side}, "scale": None}
save(export(Net().eval(), inputs, dynamic_shapes=open_dims), f"{folder}/net.pt2")
save(export(Net().train(), inputs), f"{folder}/train.pt2")
save(export(Counter(), (torch.ones(3),)), f"{folder}/counter.pt2")
save(export(Median(), (torch.ones(3, 4),)), f"{folder}/lacking.pt2")
torch.save(Net().state_dict(), f"{folder}/pickle.pt2")
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of exported programs; PyTorch stays out of this process."""
    folder = tmp_path_factory.mktemp("programs")
    subprocess.run([sys.executable, "-W", "ignore", "-c", _EXPORT, str(folder)], check=True)
    return folder


def source(path: Path, **shapes: tuple[int, ...]) -> ModelSource:
    return ModelSource("file", str(path), shapes)


def refusal(path: Path, **shapes: tuple[int, ...]) -> ModelError:
    with pytest.raises(ModelError) as caught:
        open_source(source(path, **shapes), resolve("cpu"))
    return caught.value


def test_a_program_opens_and_agrees_with_pytorch(programs: Path, tmp_path: Path) -> None:
    model = open_source(source(programs / "net.pt2", x=(3, 3, 10, 10)), resolve("cpu"))
    assert [name for name, _ in model.prepared.outputs] == ["sum", "gelu"]
    inputs = random_inputs(model.prepared.inputs)
    compile_program(model.program, {}, ("sum", "gelu"), tmp_path)
    found = PlanExecutor(tmp_path, "cpu").run(inputs)
    expected = model.prepared.reference_outputs(inputs)
    assert largest_difference(found, expected, reference="PyTorch") < 1e-3
    assert np.ptp(expected["sum"]) > 0.01
    measured = measure_reference(model)
    assert measured is not None and measured.latency_s > 0


def test_open_sizes_are_asked_for(programs: Path) -> None:
    error = refusal(programs / "net.pt2")
    assert isinstance(error, ShapeError)
    assert " x=" in error.todo and "?" not in error.todo
    assert "damaged" not in refusal(programs / "net.pt2", x=(2, 3, 8, 9)).what


def test_operators_are_listed(programs: Path) -> None:
    found = {item.op: item.state for item in check_source(source(programs / "net.pt2")).operators}
    assert found["conv2d.default"] == "supported"
    assert set(found.values()) <= {"supported", "rewritten"}
    lacking = {item.op: item for item in check_source(source(programs / "lacking.pt2")).operators}
    assert lacking["lgamma.default"].state == "missing"


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("train.pt2", "eval()"),
        ("counter.pt2", "keeps a state that it changes as it runs (b_count)"),
        ("lacking.pt2", "TVM cannot import this operator: lgamma.default (lgamma)"),
        ("pickle.pt2", "a pickle may run any code"),
    ],
)
def test_what_cannot_be_tuned_is_refused_by_name(file: str, sentence: str, programs: Path) -> None:
    error = refusal(programs / file)
    assert sentence in error.what
    assert isinstance(error, UnsupportedOperators) == (file == "lacking.pt2")


def test_code_in_a_name_is_never_run(programs: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    evil = f"x):\n    open({str(mark)!r}, 'w')\n    return (x,)\ndef f("

    def rewrite(content: str) -> Any:
        return content.replace(json.dumps("x"), json.dumps(evil))

    changed = tmp_path / "net.pt2"
    with zipfile.ZipFile(programs / "net.pt2") as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith("models/model.json"):
                data = rewrite(data.decode()).encode()
            new.writestr(name, data)
    model = open_source(source(changed, **{evil: (2, 3, 8, 8)}), resolve("cpu"))
    inputs = random_inputs(model.prepared.inputs)
    model.prepared.reference_outputs(inputs)
    assert model.prepared.inputs[0][0].isidentifier()
    assert not mark.exists()
