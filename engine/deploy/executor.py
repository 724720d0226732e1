"""Runs a plan of compiled kernels over static buffers, in one CUDA Graph on a GPU.

This file is copied as it is into every exported folder: it needs only apache-tvm and NumPy, and
cuda-bindings on a GPU.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import tvm


class PlanExecutor:
    """A loaded module. Inputs and outputs are NumPy arrays by name.

    `folder` holds module.so, weights.bin and plan.json. One caller at a time.
    """

    def __init__(self, folder: str | Path, device: str = "cpu") -> None:
        folder = Path(folder)
        plan = json.loads((folder / "plan.json").read_text())
        self.device = tvm.device(device)
        self.library = tvm.runtime.load_module(str(folder / "module.so"))
        self._plan = plan
        weights = np.fromfile(folder / "weights.bin", dtype=np.uint8)
        self._storages = [self._zeros(size) for size in plan["storage_bytes"]]
        self._inputs = [self._input(plan["buffers"][item["buffer"]]) for item in plan["inputs"]]
        tensors = [buffer and self._tensor(buffer, weights) for buffer in plan["buffers"]]
        self._outputs = [(item["name"], tensors[item["buffer"]]) for item in plan["outputs"]]
        self.steps = [
            (name, self.library[name], tuple(tensors[i] for i in args))
            for name, args in plan["steps"]
        ]
        self._graph: Any = None
        if device.startswith("cuda"):
            self._capture()

    def _bytes(self, data: np.ndarray) -> Any:
        return tvm.runtime.tensor(data, self.device)

    def _zeros(self, size: int) -> Any:
        # What nobody has set yet must be no index out of bounds when a GPU captures the plan.
        return self._bytes(np.zeros(max(size, 1), np.uint8))

    def _input(self, buffer: dict[str, Any]) -> Any:
        return self._zeros(buffer["bytes"])._create_view(tuple(buffer["shape"]), buffer["dtype"])

    def _tensor(self, buffer: dict[str, Any], weights: np.ndarray) -> Any:
        shape, dtype = tuple(buffer["shape"]), buffer["dtype"]
        if "input" in buffer:
            return self._inputs[buffer["input"]]._create_view(shape, dtype)
        if "storage" in buffer:
            return self._storages[buffer["storage"]]._create_view(shape, dtype)
        data = weights[buffer["weights"] : buffer["weights"] + buffer["bytes"]]
        return self._bytes(data if data.size else np.zeros(1, np.uint8))._create_view(shape, dtype)

    def set_inputs(self, inputs: dict[str, np.ndarray]) -> None:
        """Copy every input of the model into its buffer; ValueError says what does not fit."""
        names = [item["name"] for item in self._plan["inputs"]]
        if set(inputs) != set(names):
            raise ValueError(f"the inputs are {', '.join(names)}, not {', '.join(inputs)}")
        for name, tensor in zip(names, self._inputs, strict=True):
            given, dtype = np.asarray(inputs[name]), np.dtype(str(tensor.dtype))
            if given.shape != tuple(tensor.shape):
                raise ValueError(f"input {name} has shape {given.shape}, not {tuple(tensor.shape)}")
            if not np.can_cast(given.dtype, dtype, casting="same_kind"):
                raise ValueError(f"input {name} holds {given.dtype}, not {dtype}")
            tensor.copyfrom(np.asarray(given, dtype=dtype, order="C"))

    def execute(self) -> None:
        """Run every kernel once over the inputs that were set."""
        if self._graph is not None:
            self._graph.launch()
            return
        for _, kernel, args in self.steps:
            kernel(*args)

    def outputs(self) -> dict[str, np.ndarray]:
        """The outputs of the last execution."""
        self.device.sync()
        return {name: tensor.numpy() for name, tensor in self._outputs}

    def run(self, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Outputs for these inputs."""
        self.set_inputs(inputs)
        self.execute()
        return self.outputs()

    def time(self, seconds: float = 1.0, minimum: int = 5) -> list[float]:
        """Latencies (s) of whole executions, for about `seconds`; warm-up comes first."""
        for _ in range(2):
            self.execute()
        self.device.sync()
        samples: list[float] = []
        end = time.perf_counter() + seconds
        while len(samples) < minimum or time.perf_counter() < end:
            start = time.perf_counter()
            self.execute()
            self.device.sync()
            samples.append(time.perf_counter() - start)
        return samples

    def profile(self, repeats: int = 3) -> list[tuple[str, float]]:
        """Each step's name and its median latency (s), one after another."""
        # A GPU's launch and wait take longer than a small kernel: many calls share one wait.
        calls = 1 if self._graph is None else 20
        rounds = [[self._step_s(step, calls) for step in self.steps] for _ in range(1 + repeats)]
        medians = np.median(np.asarray(rounds[1:]), axis=0)
        return [(name, float(t)) for (name, _, _), t in zip(self.steps, medians, strict=True)]

    def _step_s(self, step: tuple[str, Any, tuple[Any, ...]], calls: int) -> float:
        _, kernel, args = step
        start = time.perf_counter()
        for _ in range(calls):
            kernel(*args)
        self.device.sync()
        return (time.perf_counter() - start) / calls

    def _capture(self) -> None:
        self._graph = CudaGraph(self.device, self.steps)


class CudaGraph:
    """All kernels of a plan, captured once and launched as one."""

    def __init__(self, device: Any, steps: list[tuple[str, Any, tuple[Any, ...]]]) -> None:
        import tvm_ffi
        from cuda.bindings import runtime as cudart

        self._cudart = cudart
        _checked(cudart.cudaSetDevice(device.index))
        self._stream = _checked(cudart.cudaStreamCreate())
        with tvm_ffi.use_raw_stream(device, int(self._stream)):
            for _, kernel, args in steps:  # loads the modules, which a capture forbids
                kernel(*args)
            _checked(cudart.cudaStreamSynchronize(self._stream))
            mode = cudart.cudaStreamCaptureMode.cudaStreamCaptureModeRelaxed
            _checked(cudart.cudaStreamBeginCapture(self._stream, mode))
            for _, kernel, args in steps:
                kernel(*args)
            graph = _checked(cudart.cudaStreamEndCapture(self._stream))
        self._executable = _checked(cudart.cudaGraphInstantiate(graph, 0))

    def launch(self) -> None:
        """Run the graph and wait for it."""
        _checked(self._cudart.cudaGraphLaunch(self._executable, self._stream))
        _checked(self._cudart.cudaStreamSynchronize(self._stream))


def _checked(result: tuple[Any, ...]) -> Any:
    code, *values = result
    if int(code) != 0:
        raise RuntimeError(f"CUDA failed: {code.name}")
    return values[0] if values else None
