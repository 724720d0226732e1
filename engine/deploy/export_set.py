"""Export of a model in several shapes: the weights once, kernels and plan of each shape."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.deploy.executor_template import library_name, plan_name
from engine.deploy.export import (
    Examine,
    TaskRecord,
    compile_and_examine,
    manifest_of,
    put_scripts,
    room_for,
    versions,
)
from engine.deploy.folder import export_folder, put_manifest
from engine.deploy.packing.needs import put_needs
from engine.records.errors import UsageError
from engine.records.precision import DEFAULT_PRECISION
from engine.records.sentences import Sentence
from engine.records.words import Doing, Say

if TYPE_CHECKING:
    from engine.deploy.bench import BenchResult
    from engine.models.readers import Prepared
    from engine.records.network import Judged
    from engine.tasks.extract import Program

ALIGNMENT = 64  # bytes, as `engine.deploy.plan` places weights


@dataclass(frozen=True, slots=True)
class ShapeToExport:
    """A model in one of its shapes; `frequency` is how often it occurs beside the others."""

    label: str
    frequency: int
    prepared: Prepared
    program: Program
    reference_latency_s: float | None = None


def export_set(
    shapes: Sequence[ShapeToExport],
    records: Mapping[int, TaskRecord],
    coverage: float,
    directory: Path,
    examine: Examine,
    say: Say = lambda *said: None,
    pads: Mapping[str, float] | None = None,
    precision: str = DEFAULT_PRECISION,
) -> dict[str, Any]:
    """Write the folder and return its manifest, as `export_module` for one shape. Blocks.

    The files of the first shape have the names that one shape's have. `pads` says which inputs may
    be padded to a larger shape, and with what, as `ShapedModule` takes it. Latencies of the
    manifest are means by frequency; each shape's own are among its `shapes`. Raises ExportError,
    StorageError, UsageError for pads that make no sense.
    """
    _require_pads(shapes, pads or {})
    room = sum(room_for(one.program) for one in shapes)
    with export_folder(directory, room) as folder:
        weights = _Weights(folder / "weights.bin")
        found: list[tuple[BenchResult, Judged]] = []
        libraries: list[str] = []
        for place, one in enumerate(shapes):
            say(Doing.SHAPE, one.label)
            part = folder / "part"
            part.mkdir()
            result, judged = compile_and_examine(
                one.prepared, one.program, records, part, examine, say
            )
            found.append((result, judged))
            plan = json.loads((part / "plan.json").read_text())
            libraries += plan.get("libraries", [])
            weights.take(plan, part / "weights.bin")
            (folder / plan_name(place)).write_text(json.dumps(plan))
            (part / "module.so").rename(folder / library_name(place))
            shutil.rmtree(part)
        named = sorted(set(libraries))
        _set_weights_bytes(folder, len(shapes), weights.size)
        put_scripts(folder, named, shaped=True)
        manifest = _manifest(shapes, records, found) | {
            "schedule": None,
            "left_out": "",
            "libraries": versions(named),
            "pads": dict(pads or {}),
            "precision": precision,
            "coverage": coverage,
        }
        put_needs(folder, manifest)
        return put_manifest(folder, manifest)


class _Weights:
    """The one file of all weights, each tensor once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[tuple[int, bytes], int] = {}
        self.size = 0
        path.touch()

    def take(self, plan: dict[str, Any], path: Path) -> None:
        """Add the tensors of a plan's own file, and have the plan say where they are now."""
        moved: dict[tuple[int, int], int] = {}
        with path.open("rb") as source, self._path.open("ab") as file:
            for buffer in plan["buffers"]:
                if buffer is None or "weights" not in buffer:
                    continue
                at = buffer["weights"], buffer["bytes"]
                if at not in moved:
                    source.seek(at[0])
                    moved[at] = self._place(source.read(at[1]), file)
                buffer["weights"] = moved[at]

    def _place(self, data: bytes, file: Any) -> int:
        key = len(data), hashlib.sha256(data).digest()
        if key not in self._places:
            gap = -self.size % ALIGNMENT
            file.write(b"\0" * gap + data)
            self._places[key] = self.size + gap
            self.size += gap + len(data)
        return self._places[key]


def _set_weights_bytes(folder: Path, shapes: int, size: int) -> None:
    for place in range(shapes):
        path = folder / plan_name(place)
        path.write_text(json.dumps(json.loads(path.read_text()) | {"weights_bytes": size}))


def _require_pads(shapes: Sequence[ShapeToExport], pads: Mapping[str, float]) -> None:
    """UsageError for pads that make no sense for these shapes."""
    from engine.deploy.shaped import checked_pads

    inputs = [
        [(name, spec.shape, spec.dtype) for name, spec in one.prepared.inputs] for one in shapes
    ]
    try:
        checked_pads(inputs, pads)
    except ValueError as error:
        raise UsageError(
            Sentence("Padding makes no sense: {reason}.", reason=error),
            "Pad inputs that differ among the shapes, each with a value of its type.",
        ) from error


def _manifest(
    shapes: Sequence[ShapeToExport],
    records: Mapping[int, TaskRecord],
    found: Sequence[tuple[BenchResult, Judged]],
) -> dict[str, Any]:
    first = shapes[0]
    each = [
        manifest_of(one.prepared, one.program, list(records.values()), *outcome)
        for one, outcome in zip(shapes, found, strict=True)
    ]
    total = sum(one.frequency for one in shapes)

    def mean(values: Sequence[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return None
        parts = zip(known, shapes, strict=True)
        return sum(value * one.frequency for value, one in parts) / total

    def worst(name: str) -> float | None:
        return max((told[name] for told in each if told[name] is not None), default=None)

    own = ["inputs", "outputs", "latency_s", "latency_runs", "latency_spread_s", "latency_load"]
    own += ["max_abs_diff", "draws"]
    reference = first.prepared.reference
    return each[0] | {
        "latency_s": mean([told["latency_s"] for told in each]),
        "latency_spread_s": mean([told["latency_spread_s"] for told in each]),
        "latency_load": worst("latency_load"),
        "max_abs_diff": worst("max_abs_diff"),
        "reference": reference.name if reference else "",
        "reference_latency_s": mean([one.reference_latency_s for one in shapes]),
        "shapes": [
            {
                "label": one.label,
                "frequency": one.frequency,
                "reference_latency_s": one.reference_latency_s,
                **{name: told[name] for name in own},
            }
            for one, told in zip(shapes, each, strict=True)
        ],
    }
