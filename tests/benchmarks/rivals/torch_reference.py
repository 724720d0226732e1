"""A convolutional ONNX model as PyTorch runs it: cuDNN's kernels in one CUDA Graph, or compiled.

`python -m tests.benchmarks.rivals.torch_reference FILE.onnx [--device cuda:0] [--seconds 1]
[--precisions float32,tf32,float16] [--layouts NCHW,NHWC] [--max-autotune] [--seconds-limit S]`

prints a JSON object for each row as it is done: the median latency, and whether the outputs are
ONNX Runtime's. A sample's name instead of a file prints one object with all rows that were done
within the limit, and the reason where some are missing. "float32" is without TF32; in "float16"
weights and activations are half. With `--max-autotune` the kernels are those of
`torch.compile(mode="max-autotune")`, which chooses the layout itself; they are captured in one CUDA
Graph of ours, so that no row pays for Python. On a CPU there is no graph. Run it on what
`engine.models.prepare` made, static and folded. It is a process of its own, since PyTorch and TVM
bring libraries of the same names.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.deploy.compare import HALF, SINGLE, Tolerance, largest_difference
from engine.records.errors import ExportError, TunewrightError
from tests.benchmarks.rivals.torch_model import LAYOUTS, Arrays, TorchModel, TracedModel, check

if TYPE_CHECKING:
    from onnx import ModelProto

__all__ = ["LAYOUTS", "PRECISIONS", "TorchModel", "check", "measured", "reference"]

PRECISIONS = ("float32", "tf32", "float16")
EAGER, MAX_AUTOTUNE = "eager", "max-autotune"
# Sums and activations are half, too, and errors add up from layer to layer.
_ALL_HALF = Tolerance(relative=5e-2, scaled=3e-2)
_TOLERANCES = {"float32": SINGLE, "tf32": HALF, "float16": _ALL_HALF}
_WARM_UP = 3
_LEAST_S = 10.0  # to start, and to choose cuDNN's kernels
_SEED = 1

Model = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows: of each precision either one for each layout or the compiled one."""

    precisions: tuple[str, ...] = ("float32", "tf32")
    layouts: tuple[str, ...] = LAYOUTS
    max_autotune: bool = False
    seconds: float = 1.0

    def options(self) -> list[str]:
        """As the command line takes them."""
        made = ["--precisions", ",".join(self.precisions), "--layouts", ",".join(self.layouts)]
        made += ["--seconds", str(self.seconds)]
        return [*made, "--max-autotune"] if self.max_autotune else made


def reference(
    proto: ModelProto, device: str, seconds: float = 1.0, wanted: Wanted | None = None
) -> dict[str, Any]:
    """All rows, and the best latency (s) of those that agree with ONNX Runtime."""
    wanted = wanted or Wanted(seconds=seconds)
    return summary(list(rows(proto, device, wanted)))


def rows(proto: ModelProto, device: str, wanted: Wanted) -> Iterator[dict[str, Any]]:
    """A row as soon as it is measured. A CPU has neither TF32 nor graphs."""
    from engine.models.reference import random_inputs, reference_outputs
    from engine.models.shapes import tensor_spec

    torch = importlib.import_module("torch")
    specs = [(value.name, spec) for value in proto.graph.input if (spec := tensor_spec(value))]
    inputs = random_inputs(specs, _SEED)
    expected = reference_outputs(proto, inputs)
    is_gpu = device.startswith("cuda")
    versions = {
        "torch": torch.__version__,
        "cudnn": torch.backends.cudnn.version() if is_gpu else None,
        "graph": is_gpu,
    }
    layouts = wanted.layouts[:1] if wanted.max_autotune else wanted.layouts
    for precision in wanted.precisions:
        if precision == "tf32" and not is_gpu:
            continue
        for layout in layouts:
            with torch.no_grad():
                row = _row(torch, proto, device, layout, precision, inputs, expected, wanted)
            yield versions | row


def summary(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The rows, and the best latency (s) of each precision."""
    best = {precision: _best(found, precision) for precision in PRECISIONS}
    versions = {name: found[0][name] if found else None for name in ("torch", "cudnn", "graph")}
    return versions | {
        "rows": list(found),
        "best": best,
        "latency_s": best["float32"],
        "tf32_latency_s": best["tf32"],
    }


def measured(
    proto: ModelProto,
    device: str,
    wanted: Wanted | None = None,
    *,
    limit_s: float = 180.0,
) -> dict[str, Any]:
    """What `reference` gives, from a process of its own. Blocks for `limit_s` at most.

    Where rows are missing, "reason" says why; those that were done by then are there.
    """
    wanted = wanted or Wanted()
    if limit_s < _LEAST_S:
        return {"reason": "No time was left for PyTorch."}
    if importlib.util.find_spec("torch") is None:
        return {"reason": "PyTorch is not installed."}
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="torch-reference-") as folder:
        path = Path(folder, "model.onnx")
        path.write_bytes(proto.SerializeToString())
        options = ["--device", device, *wanted.options()]
        command = [
            sys.executable,
            "-m",
            "tests.benchmarks.rivals.torch_reference",
            str(path),
            *options,
        ]
        lines, reason = _child(command, limit_s, Path(folder))
    found = summary([json.loads(line) for line in lines if line.startswith("{")])
    found |= {"seconds": time.monotonic() - began}
    return found | {"reason": reason} if reason else found


def _child(command: Sequence[str], limit_s: float, folder: Path) -> tuple[list[str], str]:
    """The lines that a command prints within the limit, and why there are no more of them.

    It has a session of its own, so that the helpers that a compilation starts end with it.
    """
    out, err = folder / "out.txt", folder / "err.txt"
    reason = ""
    with out.open("w") as to_out, err.open("w") as to_err:
        child = subprocess.Popen(command, stdout=to_out, stderr=to_err, start_new_session=True)
        try:
            if child.wait(limit_s):
                last = err.read_text().strip().splitlines()[-1:] or ["It said nothing."]
                reason = f"PyTorch failed: {last[0]}"
        except subprocess.TimeoutExpired:
            reason = f"PyTorch took more than {limit_s:.0f} s."
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    return out.read_text().splitlines(), reason


def _row(
    torch: Any,
    proto: ModelProto,
    device: str,
    layout: str,
    precision: str,
    inputs: Arrays,
    expected: Arrays,
    wanted: Wanted,
) -> dict[str, Any]:
    tf32 = precision == "tf32"
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = tf32
    torch.backends.cuda.matmul.allow_tf32 = tf32
    began = time.perf_counter()
    model = TorchModel(proto, device, layout, precision)
    given = {name: model.tensor(array) for name, array in inputs.items()}
    called: Model = _compiled(torch, model, given) if wanted.max_autotune else model
    is_gpu = device.startswith("cuda")
    execute, outputs = _captured(torch, called, given) if is_gpu else _eager(called, given)
    execute()
    found = {
        name: tensor.float().cpu().numpy() if tensor.is_floating_point() else tensor.cpu().numpy()
        for name, tensor in outputs.items()
    }
    difference, note = _difference(found, expected, _TOLERANCES[precision])
    prepared_s = time.perf_counter() - began
    return {
        "way": MAX_AUTOTUNE if wanted.max_autotune else EAGER,
        "precision": precision,
        "tf32": tf32,
        "layout": "chosen" if wanted.max_autotune else layout,
        "latency_s": statistics.median(_time(execute, wanted.seconds)),
        "difference": difference,
        "note": note,
        "prepared_s": prepared_s,
    }


def _compiled(torch: Any, model: TorchModel, inputs: Mapping[str, Any]) -> TracedModel:
    """The model by `torch.compile`; its own CUDA Graph is left out, as ours holds the kernels."""
    torch._dynamo.reset()
    traced = TracedModel(model, inputs)
    traced.compile("max-autotune-no-cudagraphs")
    return traced


def _captured(
    torch: Any, model: Model, inputs: dict[str, Any]
) -> tuple[Callable[[], None], dict[str, Any]]:
    """What replays the model and waits, and the tensors that the result is in."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(_WARM_UP):  # kernels are chosen or compiled, which a capture forbids
            model(inputs)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        outputs = model(inputs)

    def execute() -> None:
        graph.replay()
        torch.cuda.synchronize()

    return execute, outputs


def _eager(model: Model, inputs: dict[str, Any]) -> tuple[Callable[[], None], dict[str, Any]]:
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


def _difference(found: Arrays, expected: Arrays, tolerance: Tolerance) -> tuple[float | None, str]:
    """The largest difference from ONNX Runtime's outputs, or None and what is wrong."""
    try:
        return largest_difference(found, expected, tolerance), ""
    except ExportError as error:
        return None, error.what


def _best(found: Sequence[dict[str, Any]], precision: str) -> float | None:
    fits = [row["latency_s"] for row in found if row["precision"] == precision and not row["note"]]
    return min(fits, default=None)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="or a sample's name")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--seconds", type=float, default=1.0, help="of timing, for each row")
    parser.add_argument("--precisions", default="float32,tf32", metavar="A,B")
    parser.add_argument("--layouts", default=",".join(LAYOUTS), metavar="A,B")
    parser.add_argument("--max-autotune", action="store_true", help="compiled")
    parser.add_argument("--seconds-limit", type=float, default=180.0, metavar="S")
    options = parser.parse_args()
    from engine.models.onnx_file import load_onnx
    from engine.models.prepare import prepare
    from engine.records.source import ModelSource

    wanted = Wanted(
        tuple(options.precisions.split(",")),
        tuple(options.layouts.split(",")),
        options.max_autotune,
        options.seconds,
    )
    try:
        if not Path(options.file).is_file():
            proto = prepare(ModelSource("sample", options.file)).proto
            limit_s = options.seconds_limit
            print(json.dumps(measured(proto, options.device, wanted, limit_s=limit_s)))
            return
        for row in rows(load_onnx(Path(options.file)).proto, options.device, wanted):
            print(json.dumps(row), flush=True)
    except TunewrightError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
