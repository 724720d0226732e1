"""The sample models: real, complete, with weights under which signals keep their size."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from onnx import numpy_helper

from engine.models.prepare import prepare
from engine.models.reference import random_inputs, reference_outputs
from engine.models.samples import SAMPLES, find_sample, load_sample, sample_path
from engine.records.errors import ModelError, UsageError
from engine.records.source import ModelSource

# Those with few weights; all nine were checked by hand.
SMALL = ["squeezenet", "shufflenet", "inception_v1"]


def test_every_sample_has_its_file_and_squeezenet_comes_first() -> None:
    assert len(SAMPLES) == 9
    assert SAMPLES[0].name == "squeezenet"
    assert len({sample.name for sample in SAMPLES}) == 9
    for sample in SAMPLES:
        assert sample_path(sample.name).is_file()
        assert sample.title
        assert sample.description.endswith(".")


def test_listing_samples_imports_neither_onnx_nor_tvm() -> None:
    code = (
        "import sys; from engine.models.samples import SAMPLES, sample_path; "
        "[sample_path(s.name) for s in SAMPLES]; "
        "print(sorted({'onnx', 'tvm', 'numpy', 'onnxruntime'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_sample_is_refused_with_the_known_names() -> None:
    with pytest.raises(UsageError) as caught:
        find_sample("resnet18")
    assert "resnet18" in caught.value.what
    assert "squeezenet, resnet50" in caught.value.todo


def test_a_package_without_its_samples_is_refused_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(ModelError, match="not among the installed files"):
        sample_path("squeezenet")


def test_a_seed_decides_the_weights() -> None:
    first, again, other = (
        load_sample("squeezenet", seed).SerializeToString() for seed in (3, 3, 4)
    )
    assert first == again
    assert first != other


def test_no_weight_is_constant_and_none_is_left_to_compute() -> None:
    graph = load_sample("shufflenet").graph
    assert "ConstantOfShape" not in {node.op_type for node in graph.node}
    weights = [numpy_helper.to_array(tensor) for tensor in graph.initializer]
    floats = [weight for weight in weights if weight.dtype == np.float32]
    assert all(weight.std() > 0 for weight in floats if weight.size > 1)


@pytest.mark.parametrize("name", SMALL)
def test_outputs_are_finite_depend_on_the_input_and_are_not_saturated(name: str) -> None:
    model = prepare(ModelSource("sample", name))
    first, second = (
        next(iter(reference_outputs(model.proto, random_inputs(model.inputs, seed)).values()))
        for seed in (0, 1)
    )
    assert np.isfinite(first).all()
    assert first.std() > 0
    assert first.max() < 0.9  # a softmax near 1 would hide differences
    assert abs(first - second).max() > 1e-3 * abs(first).max()


def test_a_signal_keeps_its_size_through_all_layers() -> None:
    proto = prepare(ModelSource("sample", "shufflenet")).proto
    names = [name for node in proto.graph.node[:-1] for name in node.output]
    for name in names:
        proto.graph.output.add(name=name).type.tensor_type.elem_type = 1
    outputs = reference_outputs(
        proto, {"gpu_0/data_0": np.random.default_rng(0).normal(size=(1, 3, 224, 224)).astype("f")}
    )
    sizes = [float(np.sqrt((outputs[name] ** 2).mean())) for name in names]
    assert min(sizes) > 0.1
    assert max(sizes) < 10
