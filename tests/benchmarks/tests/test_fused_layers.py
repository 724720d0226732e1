"""The benchmark of kernels by hand: what can be said of it without a GPU."""

from __future__ import annotations

import ctypes
import json
import math
import statistics
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.records.errors import TuningError
from tests.benchmarks import fused_layers
from tests.benchmarks.fused.chain import Alternatives
from tests.benchmarks.fused.device import LATE, Op
from tests.benchmarks.fused.kernels import EMPTY, Attention, Kernel, Product, Scope, compile_one
from tests.benchmarks.fused.part import Part, choose
from tests.benchmarks.halves import zoo
from tests.test_structure import ROOT

HALVES = Path(zoo.__file__).parents[1] / "results" / "halves-h200.json"
ANSWER = Path(fused_layers.__file__).parent / "results" / "fused-layers-h200.json"
_OTHERS = ("ours", "compile")
PRODUCT = Product(16, 64, 128, 4, 1, 2, 4, 1, 6, 3)
ATTENTION = Attention(32, 1, 4, 32, 1, 0, 1)


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """A machine with PyTorch and a GPU: what its driver answers, to be changed."""
    driver = pytest.importorskip("cuda.bindings.driver")
    found = {"status": 0, "major": 9}

    def answer(*values: Any) -> tuple[Any, ...]:
        return driver.CUresult(found["status"]), *values

    monkeypatch.setattr(fused_layers, "find_spec", lambda name: object())
    monkeypatch.setattr(driver, "cuInit", lambda flags: answer())
    monkeypatch.setattr(driver, "cuDeviceGet", answer)
    monkeypatch.setattr(driver, "cuDeviceGetAttribute", lambda *asked: answer(found["major"]))
    return found


def refusal(monkeypatch: pytest.MonkeyPatch) -> str:
    """What the command line ends with."""
    monkeypatch.setattr(sys, "argv", ["fused_layers", "--json", "--quick"])
    with pytest.raises(SystemExit) as ended:
        fused_layers.main()
    return str(ended.value)


def test_a_machine_without_pytorch_is_refused_with_a_sentence(
    device: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fused_layers, "find_spec", lambda name: None)
    assert refusal(monkeypatch).startswith("PyTorch is not installed.")


def test_a_machine_without_a_gpu_is_refused_with_a_sentence(
    device: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    device["status"] = 100  # CUDA_ERROR_NO_DEVICE
    assert refusal(monkeypatch).startswith("There is no CUDA device on this machine.")


def test_a_gpu_of_another_generation_is_refused_with_a_sentence(
    device: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    device["major"] = 8
    assert refusal(monkeypatch).startswith("The kernels are for compute capability 9")
    device["major"] = 9
    fused_layers.require_device()


def test_every_instance_fits_a_block_and_a_cluster() -> None:
    kernels = Scope().kernels()
    assert len(set(kernels)) == len(kernels) == 521
    for kernel in kernels:
        assert kernel.threads <= 1024 and kernel.smem <= 232_448
        if isinstance(kernel, Product):
            assert kernel.cluster * kernel.split <= 16


def test_every_shape_has_instances_and_the_quick_form_takes_a_few_of_them() -> None:
    whole, quick = Scope(), Scope(quick=True)
    for scope in (whole, quick):
        assert all(scope.product_instances(s.n, s.k, s.epilogue) for s in scope.products())
        assert all(scope.attention_instances(s.tokens, s.dim, s.causal) for s in scope.attentions())
    assert set(quick.kernels()) < set(whole.kernels())
    assert len(quick.kernels()) < 30


@pytest.mark.parametrize("kernel", [PRODUCT, ATTENTION], ids=lambda kernel: type(kernel).__name__)
def test_an_instance_compiles(kernel: Kernel) -> None:
    nvrtc = pytest.importorskip("cuda.bindings.nvrtc")
    try:
        nvrtc.nvrtcVersion()
    except RuntimeError as error:
        pytest.skip(f"NVRTC: {error}")
    assert kernel in Scope().kernels()
    _, cubin, why = compile_one(kernel)
    assert cubin is not None, why
    assert cubin.startswith(b"\x7fELF")
    _, cubin, why = compile_one(EMPTY._replace(text="no kernel"))
    assert (cubin, why) == (None, "NVRTC says NVRTC_ERROR_COMPILATION.")


@pytest.mark.parametrize(
    ("kernel", "cluster", "pdl", "attributes"),
    [
        (ATTENTION, (1, 1, 1), 0, []),
        (ATTENTION, (1, 1, 1), 1, [6]),
        (PRODUCT, (6, 1, 1), 0, [4]),
        (PRODUCT, (6, 1, 1), LATE, [4, 6]),
    ],
)
def test_a_launch_asks_for_its_cluster_and_for_the_next_kernels_early_start(
    kernel: Kernel, cluster: tuple[int, int, int], pdl: int, attributes: list[int]
) -> None:
    seen: list[Any] = []

    def launch(config: Any, function: Any, pointers: Any, extra: None) -> int:
        found = config._obj
        words = (ctypes.c_int * (18 * found.count)).from_address(found.attributes)
        flags = ctypes.c_int.from_address(pointers[len(pointers) - 1]).value
        seen.append((list(words[::18]), list(found.grid), found.block[0], found.smem, flags))
        return 0

    fake: Any = SimpleNamespace(
        function=lambda kernel, cluster: 7,
        stream=SimpleNamespace(cuda_stream=5),
        lib=SimpleNamespace(cuLaunchKernelEx=launch),
    )
    op = Op(fake, kernel, (6, 8, 1), [ctypes.c_void_p(0), ctypes.c_int(128)], cluster)
    op.launch(pdl)
    op.launch(pdl)
    assert seen == [(attributes, [6, 8, 1], kernel.threads, kernel.smem, pdl)] * 2


def test_a_part_keeps_what_failed_and_ends_where_the_device_is_lost(tmp_path: Path) -> None:
    def fail(why: str) -> None:
        raise RuntimeError(why)

    part = Part(tmp_path / "launch.json", time.time() + 100, Scope())
    assert part.guarded("one", lambda: fail("no room")) is None
    with pytest.raises(SystemExit, match=r"The context is lost\."):
        part.guarded("two", lambda: fail("CUDA_ERROR_ILLEGAL_ADDRESS"))
    written = json.loads((tmp_path / "launch.json").read_text())
    assert written["errors"] == {
        "one": "RuntimeError: no room",
        "two": "RuntimeError: CUDA_ERROR_ILLEGAL_ADDRESS",
    }


def test_what_has_no_time_left_is_named(tmp_path: Path) -> None:
    part = Part(tmp_path / "part.json", time.time() + 5, Scope())
    variants: list[dict[str, Any]] = []
    nothing: Any = None
    part.try_all(nothing, variants, "here", [ATTENTION], nothing, None, None, spare_s=8, replays=1)
    assert variants == []
    assert part.data["skipped"] == ["here (32, 1, 4, 32, 1, 0, 1)"]
    assert not part.late(0)


def test_a_part_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fused_layers, "require_device", lambda: None)
    monkeypatch.setattr(fused_layers, "compile_all", lambda kernels, workers: ({}, ["no kernel"]))
    monkeypatch.setattr(fused_layers, "PARTS", {"launch": 60.0})
    with pytest.raises(TuningError, match="No chain came to its end: 0: no kernel; "):
        fused_layers.run(Scope(quick=True))


def test_a_fast_instance_that_is_wrong_is_not_chosen() -> None:
    right = {"config": PRODUCT, "diff": 1e-3, "us": 3.0, "us_pdl": None}
    other = {"config": PRODUCT, "diff": 1e-3, "us": 4.0, "us_pdl": 2.0}
    wrong = {"config": PRODUCT, "diff": 1e9, "us": 1.0, "us_pdl": 1.0}
    row = {"model": "bert", "name": "qkv", "torch_diff": 1e-3, "variants": [wrong, other, right]}
    choose(row, 2e-2)
    assert (row["best"], row["best_pdl"], row["wrong"]) == (right, other, 1)
    alternatives = Alternatives([row], [])
    assert alternatives._top("bert", "qkv", 5, "us") == [PRODUCT, PRODUCT]
    assert alternatives._top("bert", "qkv", 5, "us_pdl") == [PRODUCT]
    assert alternatives._top("minilm", "qkv", 5, "us") == []


def test_a_chain_that_is_wrong_does_not_count() -> None:
    found = {
        "torch_us": 100.0,
        "torch_diff": 0.01,
        "ours": {"us": 80.0, "diff": 0.01},
        "ours_pdl": {"us": 20.0, "diff": 1e9},
        "ours_pdl_late": {"first_choice_us": 10.0},
    }
    assert fused_layers.ratio_of(found) == 1.25
    assert fused_layers.ratio_of({"layers": 6}) is None


def test_the_stored_answer_is_in_the_form_of_today() -> None:
    stored = json.loads(ANSWER.read_text())
    details = stored["details"]
    for goal, found in zip(stored["goals"], details["chain"].values(), strict=True):
        assert math.isclose(goal["value"], fused_layers.ratio_of(found) or 0.0)
    assert len(list(fused_layers.tables(details))) == 4
    assert details["kernels"] == len(Scope().kernels())
    assert {row["best"]["config"][0] for row in details["attention"]} == {32, 64}


def test_the_page_has_the_figures_of_exporters_graphs() -> None:
    rows = json.loads(HALVES.read_text())["rows"]
    page = Path(ROOT, "resources", "help", "benchmarks.md").read_text()
    section = page.partition("## Exporters' graphs in float16")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    speedups: dict[str, list[float]] = {}
    for row in rows:
        rival = min(ms for side, ms in row["ms"].items() if side.split()[-1] not in _OTHERS)
        if row["seconds"] > 60:
            continue  # told in a sentence
        (line,) = [line for line in lines if f" {row['trials']} |" in line]
        assert f"{row['ms']['ours']:.3f} ms" in line and f"{rival:.3f} ms" in line
        speedup = rival / row["ms"]["ours"]
        assert f"{speedup:.2f}" in line
        speedups.setdefault(row["precision"], []).append(speedup)
    assert {row["model"] for row in rows} == set(zoo.MODELS)
    mean = statistics.geometric_mean(speedups["float16"])
    (line,) = [line for line in lines if "geometric mean" in line]
    assert f"**{mean:.2f}**" in line
