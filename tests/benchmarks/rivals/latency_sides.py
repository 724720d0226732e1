"""Ours and what a person would otherwise use, in turns: an exported folder and its rivals."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.deploy.ways_bench import Candidate, bench_ways
from engine.models.reference import random_inputs, reference_latency
from engine.project.repository import Project
from engine.records.errors import TunewrightError, TuningError
from engine.workers.fresh import run_fresh
from tests.benchmarks.parts.kernel_profile import profile
from tests.benchmarks.parts.launch_shapes import Launch, launches_of
from tests.benchmarks.passes.pass_runs import Result, Workshop
from tests.benchmarks.rivals.openvino_reference import is_installed, openvino_latency
from tests.benchmarks.rivals.torch_reference import LAYOUTS, PRECISIONS, Wanted, measured

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto

TUNED, STAGED = "tuned", "tuned+stages"
ONNXRUNTIME, OPENVINO = "onnxruntime", "openvino"
TORCH, MAX_AUTOTUNE = "torch", "max_autotune"
RIVALS = (ONNXRUNTIME, OPENVINO, TORCH)
_SEED = 1
_TORCH_S = 180.0

Samples = dict[str, list[float]]
Ask = Callable[[], tuple[str, float | None]]


def sides(
    shop: Workshop,
    result: Result,
    folder: Path,
    manifest: Mapping[str, Any],
    *,
    rounds: int,
    precision: str = "float32",
    autotune_s: float = 0.0,
) -> dict[str, Any]:
    """Latencies (s) over rounds in which each side had its turn, and the profile of ours.

    PyTorch's kernels chosen by max-autotune are compiled and measured once, after the rounds.
    """
    from engine.models.prepare import prepare

    with Project.open(result.path, read_only=True) as project:
        prepared = prepare(replace(project.source, precision="float32"))  # as the file has it
        launches = launches_of(project) if shop.spec.is_gpu else {}
    inputs = random_inputs(prepared.inputs, _SEED)
    rival = _Torch(shop, prepared.proto, precision) if shop.spec.is_gpu else None
    asks = [rival] if rival else _on_cpu(shop, prepared.proto, inputs)
    samples = _in_turns(shop, folder, inputs, asks, rounds)
    if STAGED in samples and TUNED not in samples:  # other kernels: export had them in turns
        samples[TUNED] = [manifest["schedule"]["sequential_latency_s"]]
    found: dict[str, Any] = {"torch": rival.first} if rival else {}
    if autotune_s > 0:
        shop.say("torch.compile, max-autotune")
        wanted = Wanted((precision,), max_autotune=True)
        limit_s = min(autotune_s, shop.left_s())
        found[MAX_AUTOTUNE] = measured(prepared.proto, shop.spec.device, wanted, limit_s=limit_s)
        if (best_s := found[MAX_AUTOTUNE].get("best", {}).get(precision)) is not None:
            samples[MAX_AUTOTUNE] = [best_s]
    return found | {
        "schedule": manifest["schedule"],
        "latencies": {way: spread(values) for way, values in samples.items()},
        **over_rivals(samples),
        **_profile(shop, result, folder, inputs, precision, launches),
    }


def _profile(
    shop: Workshop,
    result: Result,
    folder: Path,
    inputs: dict[str, np.ndarray],
    precision: str,
    launches: Mapping[int, Launch],
) -> dict[str, Any]:
    """The kernels and what the whole comes to, or a note: latencies are worth telling alone."""
    shop.say("kernel by kernel")
    try:
        found = profile(result.snapshot, folder, shop.spec, inputs, precision, launches)
    except TunewrightError as error:
        shop.notes.append(f"{result.model} has no profile. {error.what}")
        return {"profile": None, "kernels": []}
    kernels = [kernel.as_dict() for kernel in found.kernels]
    return {"profile": found.summary(), "kernels": kernels}


def candidates(folder: Path) -> list[Candidate]:
    """The exported program, with its stages if it has any, and without them, unless stages have
    kernels of their own."""
    plan = json.loads((folder / "plan.json").read_text())
    schedule = json.loads((folder / "manifest.json").read_text())["schedule"]
    if not schedule or not schedule["used"]:
        return [Candidate(TUNED, folder, plan)]
    staged = Candidate(STAGED, folder, plan)
    if schedule["merged"]:
        return [staged]
    return [Candidate(TUNED, folder, plan | {"stages": None}), staged]


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, least and most."""
    return {"median_s": statistics.median(values), "least_s": min(values), "most_s": max(values)}


def over_rivals(samples: Samples) -> dict[str, Any]:
    """How many times as fast as the best rival, and as max-autotune, our better way is; None where
    there is no rival.

    Of rounds in which both had their turn it is the median of the rounds' own ratios.
    """
    ways = [way for way in (TUNED, STAGED) if way in samples]
    best = min(ways, key=lambda way: statistics.median(samples[way]))

    def over(rival: str) -> float | None:
        theirs, ours = samples.get(rival), samples[best]
        if not theirs:
            return None
        if len(theirs) == len(ours):
            pairs = zip(theirs, ours, strict=True)
            return statistics.median(other / mine for other, mine in pairs)
        return statistics.median(theirs) / statistics.median(ours)

    rivals = [name for name in RIVALS if samples.get(name)]
    rival = min(rivals, key=lambda name: statistics.median(samples[name]), default="")
    return {
        "best": best,
        "rival": rival,
        "speedup": over(rival),
        "over_max_autotune": over(MAX_AUTOTUNE),
    }


def _in_turns(
    shop: Workshop,
    folder: Path,
    inputs: dict[str, np.ndarray],
    asks: Sequence[Ask],
    rounds: int,
) -> Samples:
    """A process of each side in every round. A rival that gives no latency is not asked again."""
    spec, ours, samples = shop.spec, candidates(folder), Samples()
    asked = list(asks)
    for number in range(rounds):
        if number and shop.left_s() <= 0:
            break
        shop.say(f"sides in turns, {number + 1} of {rounds}")
        for way, item in bench_ways(ours, spec.device, spec.cores, inputs).items():
            if item.reason:
                raise TuningError(f"The exported module does not run. {item.reason}")
            samples.setdefault(way, []).append(item.latency_s)
        for ask in list(asked):
            name, latency_s = ask()
            if latency_s is None:
                asked.remove(ask)
            else:
                samples.setdefault(name, []).append(latency_s)
    return samples


def _on_cpu(shop: Workshop, proto: ModelProto, inputs: dict[str, np.ndarray]) -> list[Ask]:
    """ONNX Runtime, and OpenVINO where it is installed, on the target's threads."""

    def onnxruntime() -> tuple[str, float | None]:
        latencies = run_fresh(reference_latency, proto, inputs, shop.spec.cores)
        return ONNXRUNTIME, statistics.median(latencies)

    def openvino() -> tuple[str, float | None]:
        try:
            latencies = run_fresh(openvino_latency, proto, inputs, shop.spec.cores)
        except TuningError as error:
            shop.notes.append(error.what)
            return OPENVINO, None
        return OPENVINO, statistics.median(latencies)

    if is_installed():
        return [onnxruntime, openvino]
    shop.notes.append("OpenVINO is not installed (pip install openvino): it is no rival here.")
    return [onnxruntime]


class _Torch:
    """cuDNN in a CUDA Graph: every row in the first round, then only the best one's layout."""

    def __init__(self, shop: Workshop, proto: ModelProto, precision: str) -> None:
        self._shop, self._proto, self._precision = shop, proto, precision
        self._layouts: tuple[str, ...] = LAYOUTS
        self.first: dict[str, Any] = {}

    def __call__(self) -> tuple[str, float | None]:
        """Its latency (s) in the precision asked for."""
        others = tuple(item for item in PRECISIONS if item != self._precision)
        precisions = (self._precision,) if self.first else (self._precision, *others)
        found = measured(
            self._proto,
            self._shop.spec.device,
            Wanted(precisions, self._layouts),
            limit_s=min(_TORCH_S, self._shop.left_s()),
        )
        self.first = self.first or found
        fits = [
            row
            for row in found.get("rows", ())
            if row["precision"] == self._precision and not row["note"]
        ]
        if not fits:
            return TORCH, None
        best = min(fits, key=lambda row: row["latency_s"])
        self._layouts = (best["layout"],)
        return TORCH, float(best["latency_s"])
