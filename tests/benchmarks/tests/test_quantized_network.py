"""Quantized networks for benchmarks."""

from __future__ import annotations

from onnx import ModelProto

from tests.benchmarks.networks.quantized_network import quantized
from tests.engine.models.build import conv_relu_model


def test_a_network_is_quantized_the_same_way_each_time_by_channel() -> None:
    made: list[ModelProto] = [quantized(conv_relu_model(), images=1) for _ in range(2)]
    assert made[0].SerializeToString(True) == made[1].SerializeToString(True)
    kinds = [node.op_type for node in made[0].graph.node]
    assert kinds.count("QuantizeLinear") == 2
    scales = {tensor.name: list(tensor.dims) for tensor in made[0].graph.initializer}
    assert [4] in [dims for name, dims in scales.items() if name.endswith("_scale")]
