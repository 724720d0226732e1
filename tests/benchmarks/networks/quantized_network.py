"""Networks with seeded weights as ONNX Runtime's own tools quantize them.

`python -m tests.benchmarks.networks.quantized_network NAME FILE.onnx` writes one, a sample or
`mobilenet_like`. Data is uint8, weights are int8 by channel, in QuantizeLinear and
DequantizeLinear round the operators; the ranges come from a few random images. The file is then a
model for `python -m tests.benchmarks.latency --models FILE.onnx`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from onnx import ModelProto, load

from engine.models.prepare import PreparedModel, prepare
from engine.models.reference import random_inputs
from engine.records.source import ModelSource
from tests.benchmarks.networks.mobile_network import mobilenet_like
from tests.engine.models.build import save

IMAGES = 2
_OPSET = 13


def quantized(proto: ModelProto, images: int = IMAGES) -> ModelProto:
    """A model of floats, quantized after so many random images; the same each time."""
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static

    with tempfile.TemporaryDirectory() as folder:
        source = save(_by_channel(proto), Path(folder, "float.onnx"))
        prepared = prepare(ModelSource("file", str(source)))
        static = save(prepared.proto, Path(folder, "static.onnx"))
        result = Path(folder, "int8.onnx")
        quantize_static(
            static,
            result,
            _images(prepared, images),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
        )
        return load(result)


def network(name: str) -> ModelProto:
    """A network of floats by its name."""
    from engine.models.samples import load_sample

    return mobilenet_like() if name == "mobilenet_like" else load_sample(name)


def _by_channel(proto: ModelProto) -> ModelProto:
    """A model in a version of ONNX whose DequantizeLinear has scales by channel."""
    from onnx.version_converter import convert_version

    opset = next(item.version for item in proto.opset_import if item.domain in ("", "ai.onnx"))
    return convert_version(proto, _OPSET) if opset < _OPSET else proto


def _images(prepared: PreparedModel, count: int) -> Any:
    from onnxruntime.quantization import CalibrationDataReader

    class Images(CalibrationDataReader):  # type: ignore[misc]  # it has no types
        """Random images, one after another."""

        def __init__(self) -> None:
            self._left = _drawn(prepared, count)

        def get_next(self) -> Any:
            """The next image, None at the end."""
            return next(self._left, None)

    return Images()


def _drawn(prepared: PreparedModel, count: int) -> Iterator[dict[str, Any]]:
    for seed in range(count):
        yield random_inputs(prepared.inputs, seed)


def main(arguments: list[str]) -> int:
    """Write one network into a file."""
    name, path = arguments
    Path(path).write_bytes(quantized(network(name)).SerializeToString(deterministic=True))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
