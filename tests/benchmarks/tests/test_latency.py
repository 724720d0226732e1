"""The benchmark of whole models: what its figures are made of, and one tiny model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks import latency
from tests.benchmarks.parts.kernel_profile import Kernel, Profile, _bound
from tests.benchmarks.parts.launch_shapes import Launch, launch_of
from tests.benchmarks.parts.peaks import Peaks, peaks_of
from tests.benchmarks.passes.pass_options import Asked
from tests.benchmarks.passes.pass_runs import Workshop
from tests.benchmarks.rivals.latency_sides import STAGED, TUNED, candidates, over_rivals

H100 = {"processors": 132, "clock_khz": 1_980_000, "memory_khz": 2_619_000, "bus_bits": 5120}


def exported(folder: Path, stages: Any, schedule: dict[str, Any] | None) -> Path:
    """A folder with as much of an export as is read of it."""
    (folder / "plan.json").write_text(json.dumps({"steps": [], "stages": stages}))
    (folder / "manifest.json").write_text(json.dumps({"schedule": schedule}))
    return folder


@pytest.mark.parametrize("schedule", [None, {"used": False, "merged": 0}])
def test_a_program_without_stages_runs_one_way(
    schedule: dict[str, Any] | None, tmp_path: Path
) -> None:
    """Its plan has one stage a step."""
    found = candidates(exported(tmp_path, [[[0]], [[1]]], schedule))
    assert [item.way for item in found] == [TUNED]


def test_the_same_kernels_run_with_and_without_stages(tmp_path: Path) -> None:
    tuned, staged = candidates(exported(tmp_path, [[[0], [1]]], {"used": True, "merged": 0}))
    assert (tuned.way, tuned.plan["stages"]) == (TUNED, None)
    assert (staged.way, staged.plan["stages"]) == (STAGED, [[[0], [1]]])


def test_merged_kernels_run_in_their_stages_alone(tmp_path: Path) -> None:
    assert [
        item.way for item in candidates(exported(tmp_path, [[[0]]], {"used": True, "merged": 1}))
    ] == [STAGED]


def test_the_better_way_is_compared_within_rounds() -> None:
    samples = {TUNED: [4.0, 4.0], STAGED: [1.0, 2.0], "torch": [3.0, 2.0], "max_autotune": [1.5]}
    found = over_rivals(samples)
    assert found == {"best": STAGED, "rival": "torch", "speedup": 2.0, "over_max_autotune": 1.0}
    assert over_rivals({TUNED: [1.0]})["speedup"] is None


def test_the_better_rival_counts() -> None:
    found = over_rivals({TUNED: [2.0], "onnxruntime": [6.0], "openvino": [3.0]})
    assert (found["rival"], found["speedup"]) == ("openvino", 1.5)


def test_a_gpus_peaks_depend_on_the_precision() -> None:
    found = {name: peaks_of(capability=90, precision=name, **H100) for name in ("float32", "tf32")}
    assert found["float32"].flops_per_s == pytest.approx(66.9e12, rel=0.01)
    assert found["tf32"].flops_per_s == pytest.approx(535e12, rel=0.01)
    assert found["tf32"].bytes_per_s == pytest.approx(3.35e12, rel=0.01)
    unknown = peaks_of(capability=75, precision="tf32", **(H100 | {"memory_khz": 0}))
    assert unknown == Peaks(None, None, 132)


@pytest.mark.parametrize(
    ("of_peak", "bytes_of_peak", "short", "few", "bound"),
    [
        (0.9, 0.6, False, False, "arithmetic"),
        (0.1, 0.6, True, True, "bytes"),
        (0.1, 0.2, True, True, "launch"),
        (0.1, 0.2, False, True, "occupancy"),
        (0.1, 0.2, False, False, "schedule"),
    ],
)
def test_what_bounds_a_kernel_is_its_nearest_limit(
    of_peak: float, bytes_of_peak: float, short: bool, few: bool, bound: str
) -> None:
    assert _bound(of_peak, bytes_of_peak, short, few) == bound


def test_the_kernels_of_a_whole_are_summed_by_what_bounds_them() -> None:
    def kernel(name: str, count: int, seconds: float, bound: str) -> Kernel:
        return Kernel(name, count, seconds, 0.0, 0.0, 0.5, None, floor_s=1e-6, bound=bound)

    kernels = kernel("a", 2, 3e-6, "bytes"), kernel("b", 1, 1e-6, "launch")
    found = Profile(kernels, 5e-6, 1e-6, Peaks(1.0, 2.0, 3)).summary()
    assert (found["launches"], found["launches_s"]) == (3, 3e-6)
    assert found["kernels_of_whole"] == pytest.approx(0.8)
    assert found["by_bound"] == {"bytes": 3e-6, "launch": 1e-6}
    assert found["floor_s"] == 2e-6
    assert Kernel.from_dict(json.loads(json.dumps(kernels[0].as_dict()))) == kernels[0]


def test_blocks_and_threads_are_read_from_a_schedule() -> None:
    class Function:
        """What TVM prints of a kernel."""

        text = (
            '    for a in T.thread_binding(4, thread="blockIdx.x"):\n'
            '        for b in T.thread_binding(T.int64(3), thread="blockIdx.y"):\n'
            '            for c in T.thread_binding(32, thread="threadIdx.x"):\n'
            '                for d in T.thread_binding(32, thread="threadIdx.x"):\n'
            "                    for e in T.serial(8):\n"
        )

        def script(self, show_meta: bool) -> str:
            """That text."""
            return self.text

    function = Function()
    assert launch_of(function) == Launch(blocks=12, threads=32)
    adding = '    for a in T.thread_binding(7, thread="blockIdx.x"):\n'
    adding += '        for c in T.thread_binding(64, thread="threadIdx.x"):\n'
    product = function.text
    for function.text in (product + adding, adding + product):
        assert launch_of(function) == Launch(blocks=12, threads=32)
    function.text = ""
    assert launch_of(function) is None


def test_shapes_are_read_as_a_person_types_them() -> None:
    assert latency._shapes(["a.onnx:x=1x3", "a.onnx:y=2"]) == {"a.onnx": {"x": (1, 3), "y": (2,)}}
    with pytest.raises(SystemExit, match="is not FILE:NAME=1x3x4"):
        latency._shapes(["a.onnx:x=1xq"])


@pytest.mark.slow
@pytest.mark.long
def test_a_tiny_model_is_measured_end_to_end(tmp_path: Path) -> None:
    asked = Asked(("tiny",), target="cpu", trials=2, keep=tmp_path, quick=True)
    plan = latency.Plan(tune_s=2.0, rounds=1, stages_s=10.0)
    with Workshop(asked) as shop:
        row = latency.measure(shop, "tiny", plan)
        assert latency.tuned(shop, "tiny", plan).as_dict().items() <= row.items()
    assert row["speedup"] > 0
    assert row["profile"]["launches"] == sum(kernel["count"] for kernel in row["kernels"])
    assert row["schedule"] is not None
    text = "\n".join(latency.tables(json.loads(json.dumps({"rows": [row]}))))
    assert "| tiny |" in text
