"""Export: a folder with the compiled module that runs without Tunewright, checked and measured."""

from __future__ import annotations

import json
import math
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from engine.deploy.bench import BenchResult
from engine.deploy.compare import tolerance_of
from engine.deploy.compile import compile_program
from engine.deploy.executor_template import file_sha256
from engine.deploy.export_stages import Staging, put_stages
from engine.deploy.folder import export_folder, put_manifest
from engine.deploy.packing.needs import put_needs
from engine.deploy.staged import merged_sets
from engine.kernels.cublaslt import library_version
from engine.models.reference import random_inputs
from engine.records.errors import DeviceMissing, ExportError, TuningError
from engine.records.network import Judged
from engine.records.precision import DEFAULT_PRECISION
from engine.records.sentences import Sentence, together
from engine.records.task import byte_size
from engine.records.words import Doing, Say
from engine.targets.cpu_features import told_instructions
from engine.tasks.tf32 import is_tf32

if TYPE_CHECKING:
    from engine.models.readers import Prepared, Reference
    from engine.tasks.extract import Program

_SOURCES = Path(__file__).parent
NATIVE = ("tunewright.h", "tunewright.c", "tunewright_reading.h", "example.c")
INPUT_SEED = 1
_REPORT = Sentence("Nothing was exported; report the model with this sentence.")
_SECONDS = 2.0  # of measuring the exported module
_CODE_BYTES = 64 << 20  # more than kernels take
_OURS = re.compile(r"^from engine\.[\w.]+ import (?:\([^)]*\)|.*)\n", re.MULTILINE)


class Examine(Protocol):
    """Runs a compiled folder and judges its answers: `engine.judge.examining.examine`."""

    def __call__(
        self, prepared: Prepared, program: Program, folder: Path, seed: int, seconds: float
    ) -> tuple[BenchResult, Judged]: ...


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """What the manifest says of a task: latencies in seconds; `trace` is empty where untuned, and
    `note` says why that is although it was tuned."""

    name: str
    weight: int
    flops: float
    latency_s: float | None
    trace: str
    note: str = ""


def export_module(
    prepared: Prepared,
    program: Program,
    records: Mapping[int, TaskRecord],
    coverage: float,
    reference_latency_s: float | None,
    directory: Path,
    examine: Examine,
    say: Say = lambda *said: None,
    staging: Staging | None = None,
    precision: str = DEFAULT_PRECISION,
    missing: bool = False,
    left_out: str = "",
) -> dict[str, Any]:
    """Write the folder and return its manifest. Blocks for seconds.

    A schedule is carried where it is for this program and device, and measured no slower. The
    outputs are compared with the reference's and the latency is that of the exported module.
    Where the device may be `missing`, and is, neither is done, which the manifest says beside what
    was `left_out` before.
    A folder of an earlier export is replaced, any other that holds something is refused.
    Raises ExportError, StorageError.
    """
    with export_folder(directory, room_for(program)) as folder:
        manifest = _fill(prepared, program, records, folder, examine, say, staging, missing)
        manifest |= {
            "left_out": together(manifest["left_out"], left_out),
            "precision": precision,
            "coverage": coverage,
            "reference": prepared.reference.name if prepared.reference else "",
            "reference_latency_s": reference_latency_s,
        }
        put_needs(folder, manifest)
        return put_manifest(folder, manifest)


def room_for(program: Program) -> int:
    """Bytes to have free beforehand: LLVM ends the whole process where it finds a disk full."""
    constants = [value.spec for value in program.dataflow.values if value.kind == "constant"]
    return _CODE_BYTES + sum(map(byte_size, constants))


def _fill(
    prepared: Prepared,
    program: Program,
    records: Mapping[int, TaskRecord],
    folder: Path,
    examine: Examine,
    say: Say,
    staging: Staging | None,
    missing: bool,
) -> dict[str, Any]:
    _compile(prepared, program, records, folder, say)
    tolerance = tolerance_of(program.dataflow.values, is_tf32(program.module))
    schedule = None
    if staging is not None:
        say(Doing.STAGED)
        inputs = random_inputs(prepared.inputs, INPUT_SEED, prepared.uses)
        schedule = put_stages(prepared, program, staging, folder, inputs, tolerance, _SECONDS)
    libraries = json.loads((folder / "plan.json").read_text()).get("libraries", [])
    put_scripts(folder, libraries)
    result, judged, left_out = _examined(prepared, program, folder, examine, say, missing)
    unused = unused_tasks(program, staging, schedule)
    told = [record for index, record in records.items() if index not in unused]
    manifest = manifest_of(prepared, program, told, result, judged) | {"left_out": left_out}
    return manifest | {"schedule": schedule, "libraries": versions(libraries)}


def compile_and_examine(
    prepared: Prepared,
    program: Program,
    records: Mapping[int, TaskRecord],
    folder: Path,
    examine: Examine,
    say: Say,
) -> tuple[BenchResult, Judged]:
    """Fill a folder with module, weights and plan, and judge what it answers. ExportError."""
    _compile(prepared, program, records, folder, say)
    result, judged, _ = _examined(prepared, program, folder, examine, say)
    assert result is not None
    return result, judged


def _compile(
    prepared: Prepared,
    program: Program,
    records: Mapping[int, TaskRecord],
    folder: Path,
    say: Say,
) -> None:
    say(Doing.COMPILING)
    traces = {index: record.trace for index, record in records.items() if record.trace}
    compile_program(program, traces, tuple(name for name, _ in prepared.outputs), folder)


def _examined(
    prepared: Prepared,
    program: Program,
    folder: Path,
    examine: Examine,
    say: Say,
    missing: bool = False,
) -> tuple[BenchResult | None, Judged, str]:
    """What a folder took and answered, and what was left out where its device is not there and may
    be `missing`. ExportError."""
    reference, left_out = prepared.reference, ""
    say(Doing.CHECKING, reference.name if reference else "")
    result: BenchResult | None = None
    judged = Judged("")
    try:
        result, judged = examine(prepared, program, folder, INPUT_SEED, _SECONDS)
    except TuningError as error:
        if missing and isinstance(error, DeviceMissing):
            left_out = _left_out(error.what, reference)
        else:
            raise _unusable(error) from error
    if wrong := judged.wrong:
        raise ExportError(
            Sentence(
                "{note} The inputs were: {draw}.", note=wrong.note, draw=Sentence.of(wrong.draw)
            ),
            _REPORT,
        )
    return result, judged, left_out


def _unusable(error: TuningError) -> ExportError:
    """A device that is not there says nothing of the module; it is for a person to see to."""
    if isinstance(error, DeviceMissing):
        return ExportError(error.what, error.todo, error.hint)
    what = Sentence("The compiled module does not run. {what}", what=error.what)
    return ExportError(what, _REPORT)


def _left_out(why: str, reference: Reference | None) -> Sentence:
    """What was not done without the device, as it stands in the manifest."""
    if reference is None:
        return Sentence("The export was never run, nor measured: {why}", why=why)
    return Sentence(
        "The export was never run: it was not measured, and its outputs were not compared with "
        "those of {reference}. {why}",
        reference=reference.name,
        why=why,
    )


def versions(libraries: Sequence[str]) -> list[dict[str, Any]]:
    """Vendors' libraries, each with the version whose algorithms were measured here."""
    return [{"name": name, "version": library_version()} for name in libraries]


def put_scripts(folder: Path, libraries: Sequence[str] = (), shaped: bool = False) -> None:
    """Write the sources that check, load and run a compiled folder into it, in Python and C; one of
    several shapes is `shaped`."""
    (folder / "plan_executor.py").write_text(_plan_executor(libraries, shaped))
    shutil.copyfile(_SOURCES / "executor_template.py", folder / "executor.py")
    for name in NATIVE:
        shutil.copyfile(_SOURCES / "native" / name, folder / name)
    script = (_SOURCES / "run_template.py").read_text()
    digest = file_sha256(folder / "executor.py")
    (folder / "run.py").write_text(
        script.replace('EXECUTOR_SHA256 = ""', f'EXECUTOR_SHA256 = "{digest}"')
    )


def _plan_executor(libraries: Sequence[str], shaped: bool) -> str:
    """units.py, what calls these libraries, and executor.py as one file, which imports nothing of
    ours; where it is `shaped`, with shaped.py."""
    engine = _SOURCES.parent
    called = [engine / "kernels" / f"{name}.py" for name in libraries]
    places = [engine / "measure" / "units.py", *called, _SOURCES / "executor.py"]
    places += [_SOURCES / "shaped.py"] if shaped else []
    units, *others = [path.read_text() for path in places]
    once = [text.replace("from __future__ import annotations\n", "") for text in others]
    return "\n\n".join([units, *(_OURS.sub("", text) for text in once)])


def unused_tasks(
    program: Program, staging: Staging | None, schedule: dict[str, Any] | None
) -> frozenset[int]:
    """The tasks of merged operators that the exported schedule does not use.

    Sets whose members have equal tasks are one merged operator.
    """
    used = staging is not None and schedule is not None and schedule["used"]
    sets = merged_sets(staging.found.schedule.stages) if staging is not None and used else ()

    def kinds(members: Sequence[int]) -> list[int]:
        return sorted(program.operators[one].task or 0 for one in members)

    known = [kinds(members) for members in sets]
    return frozenset(
        task.index for task in program.tasks if task.merged and kinds(task.merged) not in known
    )


def manifest_of(
    prepared: Prepared,
    program: Program,
    records: Sequence[TaskRecord],
    result: BenchResult | None,
    judged: Judged,
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
        "instructions": told_instructions(program.target),
        "inputs": specs(prepared.inputs),
        "outputs": specs(prepared.outputs),
        "latency_s": result.latency_s if result else None,
        "latency_runs": len(result.samples) if result else 0,
        "latency_spread_s": result.measured().spread_s if result else None,
        "latency_load": result.load if result else None,
        "board": result.board.as_dict() if result and result.board else None,
        "max_abs_diff": judged.difference,
        "draws": [
            {"name": one.draw, "seed": one.seed, "max_abs_diff": one.difference, "note": one.note}
            for one in judged.verdicts
        ],
        "tasks": [
            {
                "name": record.name,
                "weight": record.weight,
                "flops": record.flops,
                "latency_s": _finite(record.latency_s),
                "tuned": bool(record.trace),
                "note": record.note,
            }
            for record in records
        ],
    }


def _finite(latency_s: float | None) -> float | None:
    return latency_s if latency_s is not None and math.isfinite(latency_s) else None
