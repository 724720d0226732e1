"""What float16 transformer layers could take on an H200 in five to seven kernels by hand.

Launches, attention, products with their epilogues and whole encoders (MiniLM-L6, BERT-base; 128
tokens, batch 1) against PyTorch, all in CUDA Graphs. The product does not use these kernels yet:
they say what is worth generating. Every instance is compiled first; each part runs in a process
of its own with a deadline, so that a fault or a hang in one loses no other.

    python -m tests.benchmarks.fused_layers --json
"""

from __future__ import annotations

import argparse
import json
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.records.errors import TargetError, TunewrightError, TuningError
from engine.records.machine import usable_cores
from tests.benchmarks.fused import attention, chain, launches, products
from tests.benchmarks.fused.device import Device, checked
from tests.benchmarks.fused.kernels import Scope, compile_all
from tests.benchmarks.fused.part import Part
from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.passes.pass_options import markdown, number

PARTS = {"launch": 40.0, "attention": 80.0, "products": 110.0, "chain": 110.0}  # seconds at most
GOAL = 1.0
_BUDGET_S = 280.0
_LEAST_S = 15.0
_WRITING_S = 6.0  # of a part, after its last measurement


def require_device() -> None:
    """Raise TargetError where nothing can be measured."""
    if find_spec("torch") is None:
        raise TargetError("PyTorch is not installed.", "Install torch to compare with it.")
    try:
        from cuda.bindings import driver

        checked(driver.cuInit(0))
        device = checked(driver.cuDeviceGet(0))
        kind = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
        major = checked(driver.cuDeviceGetAttribute(kind, device))
    except (ImportError, RuntimeError):
        raise TargetError(
            "There is no CUDA device on this machine.", "Check the driver with nvidia-smi."
        ) from None
    if major != 9:
        raise TargetError(
            f"The kernels are for compute capability 9, and the device has {major}.",
            "Use a Hopper GPU.",
        )


def run(scope: Scope) -> Report:
    """Compile, and measure part by part."""
    require_device()
    began = time.time()
    with tempfile.TemporaryDirectory(prefix="fused-layers-") as name:
        folder = Path(name)
        cubins, failed = compile_all(scope.kernels(), usable_cores())
        (folder / "cubins").write_bytes(pickle.dumps(cubins))
        result: dict[str, Any] = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "quick": scope.quick,
            "kernels": len(cubins),
            "compile_s": round(time.time() - began, 1),
            "errors": dict(enumerate(failed)),
            "parts": {},
        }
        for part, most_s in PARTS.items():
            left_s = min(most_s, began + _BUDGET_S - time.time())
            if left_s < _LEAST_S:
                result["errors"][part] = "no time left"
            else:
                _run_part(part, folder, left_s, scope, result)
    result["elapsed_s"] = round(time.time() - began, 1)
    return report_of(result)


def _run_part(name: str, folder: Path, limit_s: float, scope: Scope, result: Any) -> None:
    """One part in a process of its own; what it had written by its end counts."""
    module = __spec__.name if __spec__ is not None else "tests.benchmarks.fused_layers"
    command = [sys.executable, "-W", "ignore", "-m", module, "--part", name]
    command += ["--folder", str(folder), "--until", str(time.time() + limit_s - _WRITING_S)]
    command += ["--quick"] if scope.quick else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s, check=False)
        if done.returncode:
            said = done.stderr.splitlines() or [f"exit code {done.returncode}"]
            result["errors"][name] = said[-1][:300]
    except subprocess.TimeoutExpired:
        result["errors"][name] = f"took more than {limit_s:.0f} s"
    path = folder / f"{name}.json"
    if path.exists():
        result["parts"][name] = json.loads(path.read_text())


def measure_part(name: str, folder: Path, until: float, scope: Scope) -> None:
    """One part, in this process, into a file."""
    part = Part(folder / f"{name}.json", until, scope)
    device = Device(pickle.loads((folder / "cubins").read_bytes()))
    part.data["device"] = device.torch.cuda.get_device_name()
    part.data["torch"] = device.torch.__version__
    with device.torch.no_grad():
        part.guarded(name, lambda: _measure(name, folder, device, part))
    part.save()


def _measure(name: str, folder: Path, device: Device, part: Part) -> None:
    if name == "chain":
        rows = [_rows(folder / f"{other}.json") for other in ("products", "attention")]
        chain.measure(device, part, *rows)
    else:
        measures = {"launch": launches, "attention": attention, "products": products}
        measures[name].measure(device, part)


def _rows(path: Path) -> list[dict[str, Any]]:
    """What an earlier part found, or nothing."""
    found = json.loads(path.read_text()) if path.exists() else {}
    rows: list[dict[str, Any]] = found.get("rows", [])
    return rows


def report_of(result: dict[str, Any]) -> Report:
    """The answer to what the parts found. Raises TuningError where no chain came to its end."""
    parts = result["parts"]
    chains = {name: parts.get("chain", {}).get(name, {}) for name in chain.MODELS}
    goals = tuple(
        Goal(f"{name}, PyTorch's time over ours", ratio, GOAL, "higher")
        for name, found in chains.items()
        if (ratio := ratio_of(found)) is not None
    )
    notes = list(_notes(result))
    if not goals:
        raise TuningError(f"No chain came to its end: {'; '.join(notes[:3])}", "Look at its part.")
    details = {
        "torch": parts["chain"]["torch"],
        **{name: result[name] for name in ("kernels", "compile_s", "elapsed_s")},
        "quick": result.get("quick", False),
        "launch": {name: us for name, us in parts.get("launch", {}).items() if "_us" in name},
        **{name: _chosen(parts.get(name, {})) for name in ("attention", "products")},
        "chain": {name: found for name, found in chains.items() if found},
        "notes": notes,
    }
    return Report("fused_layers", goals, details, parts["chain"]["device"], result["date"])


def ratio_of(found: dict[str, Any]) -> float | None:
    """PyTorch's time over that of the fastest of our chains that is right."""
    ways = [way for name, way in found.items() if name.startswith("ours") and "diff" in way]
    right = [way["us"] for way in ways if way["diff"] < products.bound(found["torch_diff"])]
    return found["torch_us"] / min(right) if right and found.get("torch_us") else None


def _notes(result: dict[str, Any]) -> Iterator[str]:
    """What failed or was left out."""
    for name, error in result["errors"].items():
        yield f"{name}: {error}"
    for name, part in result["parts"].items():
        yield from (f"{what}: {error}" for what, error in part["errors"].items())
        if part["skipped"]:
            yield f"{name}: {len(part['skipped'])} instances were left out for want of time."


def _chosen(part: dict[str, Any]) -> list[dict[str, Any]]:
    """A part's rows without all that was tried."""
    return [
        {name: value for name, value in row.items() if name != "variants"}
        | {"tried": len(row["variants"])}
        for row in part.get("rows", [])
    ]


def tables(details: dict[str, Any]) -> Iterator[str]:
    """Launches, attention, products and chains, in microseconds."""
    us, ways = details["launch"], launches.WAYS.values()
    yield markdown(
        ("a launch, us", "alone", "PDL", "PDL, late"),
        [
            (what, *(number(us.get(f"{what}_us{way}")) for way in ways))
            for what in ("empty", "empty_96_blocks", "elementwise")
        ],
    )
    rivals = ("sdpa_mask", "sdpa_mask_contiguous", "flash_no_mask", "cudnn_mask")
    yield markdown(
        ("attention, us", "ours", "ours, PDL", *rivals),
        [
            (
                f"{row['model']}, {row['tokens']}",
                *_best(row),
                *(number(row["rivals_us"].get(name)) for name in rivals),
            )
            for row in details["attention"]
        ],
    )
    rivals = ("torch_linear_us", "torch_with_epilogue_us", "us_dram_pdl", "torch_linear_us_dram")
    yield markdown(
        ("products, us", "ours", "ours, PDL", *rivals),
        [
            (f"{row['model']} {row['name']}", *_best(row), *(number(row.get(n)) for n in rivals))
            for row in details["products"]
        ],
    )
    rivals = ("torch_us", "torch_encoder_no_mask_us", "floor_us", "floor_us_pdl")
    yield markdown(
        ("chains, us", "ours", "ours, PDL", "ours, PDL late", *rivals),
        [
            (
                name,
                *(number(found.get(f"ours{way}", {}).get("us"), 4) for way in ways),
                *(number(found.get(rival), 4) for rival in rivals),
            )
            for name, found in details["chain"].items()
        ],
    )


def _best(row: dict[str, Any]) -> tuple[str, str]:
    return (
        number(row.get("best", {}).get("us")),
        number(row.get("best_pdl", {}).get("us_pdl")),
    )


def main() -> None:
    """Read the command line and answer."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--json", action="store_true", help="print one JSON object")
    add("--quick", action="store_true", help="a few instances for MiniLM, for a smoke test")
    add("--part", choices=PARTS, help="one part in this process, into a file")
    add("--folder", type=Path, help="of a part's file, and of the compiled instances")
    add("--until", type=float, metavar="S", help="when a part ends, since the epoch")
    options = parser.parse_args()
    scope = Scope(options.quick)
    if options.part:
        measure_part(options.part, options.folder, options.until, scope)
        return
    try:
        report = run(scope)
    except TunewrightError as error:
        sys.exit(str(error))
    if options.json:
        print(json.dumps(report.as_dict()))
        return
    print(replace(report, details={}).as_table())
    for table in tables(report.details):
        print(f"\n{table}")
    for note in report.details["notes"]:
        print(f"- {note}")


if __name__ == "__main__":
    main()
