"""A convolutional ONNX model as PyTorch runs it: cuDNN's kernels in one CUDA Graph.

`python -m tests.benchmarks.torch_reference FILE.onnx [--device cuda:0] [--seconds 1]`

prints one JSON object: the median latency with both orders of the axes, without TF32 and with it,
and whether the outputs are ONNX Runtime's. On a CPU there is no graph. Run it on what
`engine.models.prepare` made, static and folded. It is a process of its own, since PyTorch and TVM
bring libraries of the same names.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.deploy.compare import HALF, SINGLE, largest_difference
from engine.errors import ExportError, ModelError, TunewrightError
from tests.benchmarks.torch_operators import OPERATORS, Node

if TYPE_CHECKING:
    from onnx import ModelProto

Arrays = dict[str, np.ndarray]

LAYOUTS = ("NCHW", "NHWC")
_WARM_UP = 3
_LEAST_S = 10.0  # to start, and to choose cuDNN's kernels
_SEED = 1


class TorchModel:
    """The nodes of a static ONNX model, each done by PyTorch in the model's order."""

    def __init__(self, proto: ModelProto, device: str, layout: str = "NCHW") -> None:
        check(proto)
        self._torch = importlib.import_module("torch")
        self._device = self._torch.device(device)
        self._format = {
            "NCHW": self._torch.contiguous_format,
            "NHWC": self._torch.channels_last,
        }[layout]
        constants = _constants(proto)
        self._weights = {name: self.tensor(array) for name, array in constants.items()}
        opset = max(item.version for item in proto.opset_import if item.domain == "")
        self._nodes = [Node(node, opset, constants) for node in proto.graph.node]
        self._outputs = [value.name for value in proto.graph.output]

    def tensor(self, array: np.ndarray) -> Any:
        """A copy on the device, in the layout if it has four axes."""
        made = self._torch.from_numpy(np.array(array)).to(self._device)
        return made.contiguous(memory_format=self._format) if made.dim() == 4 else made

    def __call__(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Tensors by name to tensors by name."""
        torch, values = self._torch, self._weights | dict(inputs)
        for node in self._nodes:
            given = [values[name] for name in node.proto.input if name]
            values[node.proto.output[0]] = OPERATORS[node.kind](torch, node, given)
        return {name: values[name] for name in self._outputs}


def check(proto: ModelProto) -> None:
    """Raises ModelError where the model has operators that are not known here."""
    unknown = sorted({node.op_type for node in proto.graph.node} - set(OPERATORS))
    if unknown:
        raise ModelError(
            f"The PyTorch reference has no {', '.join(unknown)}.", "Choose another model."
        )


def reference(proto: ModelProto, device: str, seconds: float = 1.0) -> dict[str, Any]:
    """Every row, and the best latency (s) of those that agree with ONNX Runtime."""
    from engine.models.reference import random_inputs, reference_outputs
    from engine.models.shapes import tensor_spec

    torch = importlib.import_module("torch")
    specs = [(value.name, spec) for value in proto.graph.input if (spec := tensor_spec(value))]
    inputs = random_inputs(specs, _SEED)
    expected = reference_outputs(proto, inputs)
    is_gpu = device.startswith("cuda")
    with torch.inference_mode():
        rows = [
            _row(torch, TorchModel(proto, device, layout), inputs, expected, tf32, seconds, is_gpu)
            | {"layout": layout}
            for tf32 in ((False, True) if is_gpu else (False,))
            for layout in LAYOUTS
        ]
    return {
        "torch": torch.__version__,
        "cudnn": torch.backends.cudnn.version() if is_gpu else None,
        "graph": is_gpu,
        "rows": rows,
        "latency_s": _best(rows, tf32=False),
        "tf32_latency_s": _best(rows, tf32=True),
    }


def measured(
    proto: ModelProto, device: str, *, seconds: float = 1.0, limit_s: float = 180.0
) -> dict[str, Any]:
    """What `reference` gives, from a process of its own, or why there is nothing. Blocks for
    `limit_s` at most."""
    if limit_s < _LEAST_S:
        return {"reason": "No time was left for PyTorch."}
    if importlib.util.find_spec("torch") is None:
        return {"reason": "PyTorch is not installed."}
    with tempfile.TemporaryDirectory(prefix="torch-reference-") as folder:
        path = Path(folder, "model.onnx")
        path.write_bytes(proto.SerializeToString())
        options = ["--device", device, "--seconds", str(seconds)]
        command = [sys.executable, "-m", "tests.benchmarks.torch_reference", str(path), *options]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=limit_s, check=False
            )
        except subprocess.TimeoutExpired:
            return {"reason": f"PyTorch took more than {limit_s:.0f} s."}
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["It said nothing."]
        return {"reason": f"PyTorch failed: {last[0]}"}
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def _row(
    torch: Any,
    model: TorchModel,
    inputs: Arrays,
    expected: Arrays,
    tf32: bool,
    seconds: float,
    is_gpu: bool,
) -> dict[str, Any]:
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = tf32
    torch.backends.cuda.matmul.allow_tf32 = tf32
    given = {name: model.tensor(array) for name, array in inputs.items()}
    execute, outputs = _captured(torch, model, given) if is_gpu else _eager(model, given)
    execute()
    found = {name: tensor.cpu().numpy() for name, tensor in outputs.items()}
    difference, note = _difference(found, expected, tf32)
    return {
        "tf32": tf32,
        "latency_s": statistics.median(_time(execute, seconds)),
        "difference": difference,
        "note": note,
    }


def _captured(
    torch: Any, model: TorchModel, inputs: dict[str, Any]
) -> tuple[Callable[[], None], dict[str, Any]]:
    """What replays the model and waits, and the tensors that the result is in."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(_WARM_UP):  # cuDNN chooses its kernels, which a capture forbids
            model(inputs)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        outputs = model(inputs)

    def execute() -> None:
        graph.replay()
        torch.cuda.synchronize()

    return execute, outputs


def _eager(model: TorchModel, inputs: dict[str, Any]) -> tuple[Callable[[], None], dict[str, Any]]:
    outputs: dict[str, Any] = {}

    def execute() -> None:
        outputs.update(model(inputs))

    return execute, outputs


def _time(execute: Callable[[], None], seconds: float) -> list[float]:
    """Latencies (s) of executions, as the deploy executor takes them."""
    for _ in range(_WARM_UP):
        execute()
    samples: list[float] = []
    end = time.perf_counter() + seconds
    while len(samples) < 5 or time.perf_counter() < end:
        began = time.perf_counter()
        execute()
        samples.append(time.perf_counter() - began)
    return samples


def _difference(found: Arrays, expected: Arrays, tf32: bool) -> tuple[float | None, str]:
    """The largest difference from ONNX Runtime's outputs, or None and what is wrong."""
    try:
        return largest_difference(found, expected, HALF if tf32 else SINGLE), ""
    except ExportError as error:
        return None, error.what


def _best(rows: list[dict[str, Any]], tf32: bool) -> float | None:
    fits = [row["latency_s"] for row in rows if row["tf32"] is tf32 and not row["note"]]
    return min(fits, default=None)


def _constants(proto: ModelProto) -> Arrays:
    from onnx import numpy_helper

    return {tensor.name: numpy_helper.to_array(tensor) for tensor in proto.graph.initializer}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--seconds", type=float, default=1.0, help="of timing, for each row")
    options = parser.parse_args()
    from engine.models.onnx_file import load_onnx

    try:
        proto = load_onnx(options.file).proto
        print(json.dumps(reference(proto, options.device, options.seconds)))
    except TunewrightError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
