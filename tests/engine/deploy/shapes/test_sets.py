"""Exports of several shapes: they answer each as the file does, others by padding or a sentence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.deploy.executor_template import load
from engine.deploy.folder import put_manifest
from engine.jobs.opening.open_worker import OpenedModel
from engine.records.errors import UsageError
from tests.engine.deploy.calling.native import OK, built
from tests.engine.deploy.shapes.masked import draw, expected, export_opened, opened_set
from tests.engine.deploy.test_export import run

PADS = {"x": 0.0, "mask": 0.0}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sets")


@pytest.fixture(scope="module")
def opened(place: Path) -> OpenedModel:
    return opened_set(place)


@pytest.fixture(scope="module")
def original(opened: OpenedModel, place: Path) -> Path:
    export_opened(opened, place / "out", PADS)
    return place / "out"


@pytest.fixture
def export(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "out"))


def assert_right(module: Any, file: Path, batch: int, length: int, **more: Any) -> None:
    inputs = draw(batch, length)
    found, wanted = module.run(inputs, **more), expected(file, inputs)
    assert {name: array.shape for name, array in found.items()} == {
        name: array.shape for name, array in wanted.items()
    }
    for name, array in wanted.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-5)


def test_every_shape_is_answered_as_by_the_file_with_weights_that_are_there_once(
    original: Path, place: Path
) -> None:
    module = load(original)
    assert list(module.shapes) == ["x=1x5x4", "x=3x9x4"]
    for batch, length in ((3, 9), (1, 5), (3, 9)):
        assert_right(module, place / "m.onnx", batch, length)
    assert (original / "weights.bin").stat().st_size == 4 * 8 * 4
    assert len(list(original.glob("module*.so"))) == 2


@pytest.mark.parametrize(("batch", "length"), [(1, 1), (1, 7), (2, 5), (3, 8), (1, 9)])
def test_inputs_between_shapes_are_padded_and_their_outputs_cut_back(
    original: Path, place: Path, batch: int, length: int
) -> None:
    module = load(original)
    assert_right(module, place / "m.onnx", batch, length)
    own = {name: np.zeros_like(array) for name, array in module.run(draw(batch, length)).items()}
    assert module.run(draw(batch, length), own) is own
    np.testing.assert_array_equal(own["each"], module.run(draw(batch, length))["each"])


@pytest.mark.parametrize(("batch", "length"), [(4, 5), (1, 10), (1, 0)])
def test_what_no_shape_takes_is_refused_with_the_shapes_that_there_are(
    original: Path, batch: int, length: int
) -> None:
    with pytest.raises(ValueError, match=r"no shape for x .*: it has x=1x5x4; x=3x9x4") as caught:
        load(original).run(draw(batch, length))
    assert "padded" not in str(caught.value)


def test_nothing_is_padded_that_nobody_named_and_the_sentence_says_how(original: Path) -> None:
    for pads in ({}, {"mask": 0.0}, {"mask:0": 0.0, "x:0": 0.0}):
        with pytest.raises(ValueError, match=r"say that x, mask may be padded"):
            load(original, pads=pads).run(draw(1, 7))


def test_one_axis_may_be_padded_alone(original: Path, place: Path) -> None:
    module = load(original, pads={"mask:1": 0, "x:1": 7})
    assert_right(module, place / "m.onnx", 3, 7)
    with pytest.raises(ValueError, match="no shape"):
        module.run(draw(2, 9))


def test_inputs_that_do_not_go_together_are_refused(original: Path) -> None:
    inputs = {"x": draw(1, 6)["x"], "mask": draw(1, 7)["mask"]}
    with pytest.raises(ValueError, match="go with it"):
        load(original).run(inputs)


@pytest.mark.parametrize(
    "pads",
    [
        {"y": 0},
        {"mask": 0.5},
        {"mask": float("inf")},
        {"mask": float("nan")},
        {"mask": float(1 << 70)},
        {"x:2": 0},
        {"mask:7": 0},
        {"": 0},
    ],
)
def test_padding_that_makes_no_sense_is_refused_when_it_is_said(
    original: Path, pads: dict[str, float]
) -> None:
    with pytest.raises(ValueError, match="cannot be padded"):
        load(original, pads=pads)


def test_an_export_with_such_padding_is_refused_before_anything_is_compiled(
    opened: OpenedModel, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="cannot be padded"):
        export_opened(opened, tmp_path / "out", {"y": 0.0})
    assert not (tmp_path / "out").exists()


def test_a_pool_answers_all_shapes_at_the_same_time(original: Path, place: Path) -> None:
    pool = load(original).pool(2)
    sizes = [(1, 5), (3, 9), (2, 7), (1, 4)] * 3
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda size: assert_right(pool, place / "m.onnx", *size), sizes))
    pool.close()


def test_a_stranger_runs_each_shape_and_pads_by_an_option(original: Path, tmp_path: Path) -> None:
    inputs = draw(1, 7)
    np.savez(tmp_path / "in.npz", x=inputs["x"], mask=inputs["mask"])
    done = run(original, "in.npz", "--save", "out.npz", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "(1, 7, 8)" in done.stdout and "median latency" in done.stdout
    done = run(original, "in.npz", "--pad", "x=0", cwd=tmp_path)
    assert done.returncode == 1
    assert "it has x=1x5x4; x=3x9x4" in done.stderr and "Traceback" not in done.stderr


def _labels(change: Callable[[list[Any]], Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda manifest: manifest.update(shapes=change(manifest["shapes"]))


@pytest.mark.parametrize(
    "change",
    [
        _labels(lambda shapes: shapes * 2),
        _labels(lambda shapes: shapes[:1]),
        _labels(lambda shapes: [*shapes, {"label": "more"}]),
        _labels(lambda shapes: [*shapes, 3]),
        _labels(lambda shapes: [*shapes[1:], {"label": 3}]),
        _labels(lambda shapes: {}),
        lambda manifest: manifest.update(pads=[]),
        lambda manifest: manifest.update(pads={"x": "0"}),
        lambda manifest: manifest.update(pads={"nobody": 0}),
    ],
)
def test_a_manifest_of_other_shapes_is_refused_in_a_sentence(
    export: Path, change: Callable[[dict[str, Any]], Any]
) -> None:
    manifest = json.loads((export / "manifest.json").read_text())
    change(manifest)
    (export / "manifest.json").unlink()
    put_manifest(export, manifest)
    with pytest.raises(ValueError, match=r"damaged|no files for all|cannot be padded"):
        load(export)


@pytest.mark.parametrize("name", ["plan-1.json", "module-1.so", "weights.bin", "plan.json"])
def test_a_file_of_any_shape_that_is_missing_or_changed_is_refused(export: Path, name: str) -> None:
    whole = (export / name).read_bytes()
    (export / name).write_bytes(whole[:-1] + b"?")
    with pytest.raises(ValueError, match=f"{name} is not the file"):
        load(export)
    (export / name).unlink()
    with pytest.raises(ValueError, match=f"{name} is missing"):
        load(export)


def test_a_plan_of_a_further_shape_that_does_not_fit_is_refused(export: Path) -> None:
    plan = json.loads((export / "plan-1.json").read_text())
    place = next(buffer for buffer in plan["buffers"] if buffer and "weights" in buffer)
    place["weights"] = 1 << 40
    (export / "plan-1.json").write_text(json.dumps(plan))
    manifest = json.loads((export / "manifest.json").read_text())
    (export / "manifest.json").unlink()
    put_manifest(export, manifest)
    with pytest.raises(ValueError, match=r"plan-1.json does not fit"):
        load(export)


def test_the_interface_in_c_runs_the_first_shape(
    original: Path, place: Path, tmp_path: Path
) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc here")
    native = built(tmp_path / "libtunewright.so")
    code, module = native.load(original)
    assert code == OK, native.said()
    inputs = draw(1, 5)
    found, wanted = native.run(module, inputs), expected(place / "m.onnx", inputs)
    for name, array in wanted.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-5)
