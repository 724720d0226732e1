"""A static ONNX model as PyTorch runs it, node by node or traced into one module."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.records.errors import ModelError
from tests.benchmarks.rivals.torch_operators import OPERATORS, Node

if TYPE_CHECKING:
    from onnx import ModelProto

Arrays = dict[str, np.ndarray]

LAYOUTS = ("NCHW", "NHWC")
HALF_PRECISION = "float16"


class TorchModel:
    """The nodes of a static ONNX model, each done by PyTorch in the model's order.

    In float16 its weights are, and so are the tensors that `tensor` makes.
    """

    def __init__(
        self, proto: ModelProto, device: str, layout: str = "NCHW", precision: str = "float32"
    ) -> None:
        check(proto)
        self._torch = importlib.import_module("torch")
        self._device = self._torch.device(device)
        self._format = {
            "NCHW": self._torch.contiguous_format,
            "NHWC": self._torch.channels_last,
        }[layout]
        self._half = precision == HALF_PRECISION
        constants = _constants(proto)
        self._weights = {name: self.tensor(array) for name, array in constants.items()}
        opset = max(item.version for item in proto.opset_import if item.domain == "")
        self._nodes = [Node(node, opset, constants) for node in proto.graph.node]
        self._outputs = [value.name for value in proto.graph.output]

    def tensor(self, array: np.ndarray) -> Any:
        """A copy on the device, in the layout if it has four axes, in the model's precision."""
        made = self._torch.from_numpy(np.array(array)).to(self._device)
        if self._half and made.is_floating_point():
            made = made.half()
        return made.contiguous(memory_format=self._format) if made.dim() == 4 else made

    def __call__(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Tensors by name to tensors by name."""
        torch, values = self._torch, self._weights | dict(inputs)
        for node in self._nodes:
            given = [values[name] for name in node.proto.input if name]
            values[node.proto.output[0]] = OPERATORS[node.kind](torch, node, given)
        return {name: values[name] for name in self._outputs}


class TracedModel:
    """The operations that a model of inputs of these shapes comes to, as one `nn.Module` that
    takes and gives tensors in order: what `torch.compile` can read without ONNX."""

    def __init__(self, model: TorchModel, inputs: Mapping[str, Any]) -> None:
        proxy = importlib.import_module("torch.fx.experimental.proxy_tensor")
        self._names = list(inputs)
        outputs: list[str] = []

        def forward(*tensors: Any) -> Sequence[Any]:
            found = model(dict(zip(self._names, tensors, strict=True)))
            outputs[:] = found
            return tuple(found.values())

        self.module = proxy.make_fx(forward)(*inputs.values())
        self._outputs = outputs
        self._call = self.module

    def compile(self, mode: str) -> None:
        """Have `torch.compile` run the module from now on; it works at the first call."""
        self._call = importlib.import_module("torch").compile(self.module, mode=mode)

    def __call__(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Tensors by name to tensors by name."""
        found = self._call(*(inputs[name] for name in self._names))
        return dict(zip(self._outputs, found, strict=True))


def check(proto: ModelProto) -> None:
    """Raises ModelError where the model has operators that are not known here."""
    unknown = sorted({node.op_type for node in proto.graph.node} - set(OPERATORS))
    if unknown:
        raise ModelError(
            f"The PyTorch reference has no {', '.join(unknown)}.", "Choose another model."
        )


def _constants(proto: ModelProto) -> Arrays:
    from onnx import numpy_helper

    return {tensor.name: numpy_helper.to_array(tensor) for tensor in proto.graph.initializer}
