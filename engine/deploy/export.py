"""Export: a folder with the compiled module that runs without Tunewright, checked and measured."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.deploy.bench import BenchResult, bench
from engine.deploy.compile import compile_program
from engine.errors import ExportError, StorageError

if TYPE_CHECKING:
    import numpy as np

    from engine.models.prepare import PreparedModel
    from engine.tasks.extract import Program

_EXECUTOR = Path(__file__).with_name("executor.py")
_RUN_SCRIPT = Path(__file__).with_name("run_template.py")
_INPUT_SEED = 1
_TOLERANCE = 1e-3  # of the reference's largest magnitude; fp32 sums differ in their order only


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """What the manifest says of a task: latencies in seconds; `trace` is empty where untuned."""

    name: str
    weight: int
    flops: float
    latency_s: float | None
    trace: str


def export_module(
    prepared: PreparedModel,
    program: Program,
    records: Mapping[int, TaskRecord],
    coverage: float,
    reference_latency_s: float | None,
    directory: Path,
    say: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Write the folder and return its manifest. Blocks for seconds.

    The outputs are compared with ONNX Runtime's and the latency is that of the exported module.
    A folder of an earlier export is replaced, any other that holds something is refused.
    Raises ExportError, StorageError.
    """
    _refuse_foreign(directory)
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=".export-", dir=directory.parent))
    except OSError as error:
        raise _storage_error(directory, error) from error
    try:
        manifest = _fill(prepared, program, records, scratch, say)
        manifest |= {"coverage": coverage, "reference_latency_s": reference_latency_s}
        (scratch / "manifest.json").write_text(json.dumps(manifest, indent=1))
        scratch.chmod(0o755)
        if directory.exists():
            shutil.rmtree(directory)
        scratch.replace(directory)
    except OSError as error:
        raise _storage_error(directory, error) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return manifest


def _fill(
    prepared: PreparedModel,
    program: Program,
    records: Mapping[int, TaskRecord],
    folder: Path,
    say: Callable[[str], None],
) -> dict[str, Any]:
    from engine.models.reference import random_inputs, reference_outputs

    say("Compiling the model with its records")
    traces = {index: record.trace for index, record in records.items() if record.trace}
    compile_program(program, traces, tuple(name for name, _ in prepared.outputs), folder)
    shutil.copyfile(_EXECUTOR, folder / "executor.py")
    shutil.copyfile(_RUN_SCRIPT, folder / "run.py")
    say("Checking the outputs against ONNX Runtime")
    inputs = random_inputs(prepared.inputs, _INPUT_SEED)
    target = program.target
    result = bench(folder, target.device, target.cores, inputs, seconds=2.0)
    difference = _compare(result, reference_outputs(prepared.proto, inputs))
    return _manifest(prepared, program, records, result, difference) | {
        "files": {path.name: _sha256(path) for path in sorted(folder.iterdir())}
    }


def _compare(result: BenchResult, expected: Mapping[str, np.ndarray]) -> float:
    """The largest absolute difference; ExportError where it is more than rounding."""
    import numpy as np

    worst = 0.0
    for name, reference in expected.items():
        found = result.outputs[name]
        if found.shape != reference.shape:
            raise ExportError(
                f"The output {name} has shape {found.shape}, ONNX Runtime's is {reference.shape}.",
                "Report the model with this sentence.",
            )
        if not reference.size:
            continue
        difference = np.abs(found.astype(np.float64) - reference.astype(np.float64))
        largest = float(np.nanmax(difference))
        scale = max(1.0, float(np.nanmax(np.abs(reference.astype(np.float64)))))
        if not largest <= _TOLERANCE * scale or np.isnan(found).sum() != np.isnan(reference).sum():
            raise ExportError(
                f"The output {name} differs from ONNX Runtime's by {largest:.3g}.",
                "Nothing was exported; report the model with this sentence.",
            )
        worst = max(worst, largest)
    return worst


def _manifest(
    prepared: PreparedModel,
    program: Program,
    records: Mapping[int, TaskRecord],
    result: BenchResult,
    difference: float,
) -> dict[str, Any]:
    import tvm

    def specs(items: Any) -> list[dict[str, Any]]:
        return [
            {"name": name, "shape": list(spec.shape), "dtype": spec.dtype} for name, spec in items
        ]

    return {
        "model": prepared.name,
        "model_sha256": prepared.sha256,
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "tvm_version": str(tvm.__version__),
        "target": json.loads(program.target.text),
        "device": program.target.device,
        "threads": program.target.cores,
        "inputs": specs(prepared.inputs),
        "outputs": specs(prepared.outputs),
        "latency_s": result.latency_s,
        "latency_runs": len(result.samples),
        "max_abs_diff": difference,
        "tasks": [
            {
                "name": record.name,
                "weight": record.weight,
                "flops": record.flops,
                "latency_s": record.latency_s,
                "tuned": bool(record.trace),
            }
            for record in records.values()
        ],
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _refuse_foreign(directory: Path) -> None:
    if directory.is_file():
        raise StorageError(f"{directory} is a file.", "Choose a folder.")
    if (
        directory.exists()
        and not (directory / "manifest.json").exists()
        and any(directory.iterdir())
    ):
        raise StorageError(
            f"{directory} holds files that are no export.", "Choose another or an empty folder."
        )


def _storage_error(directory: Path, error: OSError) -> StorageError:
    reason = (error.strerror or str(error)).lower()
    return StorageError(f"{directory} cannot be written: {reason}.", "Choose another folder.")
