"""The interface in C: what it computes, and what it refuses with a code and a sentence."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.deploy.executor_template import MANIFEST, load
from engine.deploy.export import NATIVE
from engine.deploy.plan import Plan
from engine.models.reference import random_inputs
from tests.engine.deploy.calling.native import (
    ARGUMENT,
    FAILED,
    FOLDER,
    MACHINE,
    OK,
    SOURCES,
    Native,
)
from tests.engine.deploy.compiled import as_export, compiled
from tests.engine.tasks.programs import network
from tests.hostile.exports import DAMAGES, PLANS, change_plan, compile_kind

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")

_KINDS = ("weights", "staged", "integers")


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An export of each kind."""
    folders = {kind: tmp_path_factory.mktemp(kind) for kind in _KINDS}
    for kind, folder in folders.items():
        if kind == "integers":
            compiled(network(kind), {}, folder)
        else:
            compile_kind(kind, folder)
        as_export(folder)
    return folders


@pytest.fixture
def export(originals: dict[str, Path], tmp_path: Path) -> Path:
    """A copy of the one with weights."""
    return Path(shutil.copytree(originals["weights"], tmp_path / "out"))


# What it computes


@pytest.mark.parametrize("kind", _KINDS)
def test_it_computes_what_the_executor_does(
    native: Native, originals: dict[str, Path], kind: str
) -> None:
    executor = load(originals[kind])
    code, module = native.load(originals[kind])
    assert code == OK, native.said()
    assert native.specs(module, 0) == {name: (shape, of) for name, shape, of in executor.inputs}
    for seed in range(3):
        random = np.random.default_rng(seed)
        inputs = {
            name: random.standard_normal(shape).astype(dtype)
            if dtype.startswith("float")
            else random.integers(0, 2, shape).astype(dtype)
            for name, shape, dtype in executor.inputs
        }
        expected = executor.run(inputs)
        found = native.run(module, inputs)
        assert list(found) == list(expected)
        for name, array in expected.items():
            np.testing.assert_array_equal(found[name], array)
            assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
    native.library.tw_free(module)


def test_two_modules_do_not_share_what_they_hold(
    native: Native, originals: dict[str, Path]
) -> None:
    inputs = [random_inputs(network("dense").prepared.inputs, seed) for seed in range(2)]
    modules = [native.load(originals["weights"])[1] for _ in range(2)]
    first = [native.run(one, given) for one, given in zip(modules, inputs, strict=True)]
    second = [native.run(one, {}) for one in modules]  # the inputs stay
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one["y"], other["y"])
    assert (first[0]["y"] != first[1]["y"]).any()
    for module in modules:
        native.library.tw_free(module)
    native.library.tw_free(None)


def test_the_example_is_compiled_beside_the_export_as_its_source_says_and_runs(
    export: Path, tmp_path: Path
) -> None:
    head = (export / "tunewright.c").read_text().partition("*/")[0]
    lines = "\n".join(line.removeprefix(" *   ") for line in head.splitlines() if " *   " in line)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = lines.replace("app.c", "example.c")
    subprocess.run(
        ["bash", "-ec", command], cwd=export, env={**os.environ, "PATH": path}, check=True
    )
    given = random_inputs(network("dense").prepared.inputs, 1)
    expected = load(export).run(given)
    for name, array in given.items():
        (tmp_path / name).write_bytes(array.tobytes())
    arguments = [f"{name}={tmp_path / name}" for name in given]
    arguments += [f"{name}={tmp_path / 'out.bin'}" for name in expected]

    def app(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(export / "app"), *arguments], capture_output=True, text=True, check=False
        )

    done = app(str(export), *arguments)
    assert (done.returncode, done.stderr) == (OK, "")
    for name, array in expected.items():
        assert done.stdout == f"{name}: float32, {array.nbytes} bytes\n"
        assert (tmp_path / "out.bin").read_bytes() == array.tobytes()
    done = app(str(export), f"{next(iter(given))}=/nowhere")
    assert done.returncode == ARGUMENT
    assert "bytes, not 0." in done.stderr
    done = app(str(tmp_path / "nowhere"))
    assert done.returncode == FOLDER
    assert done.stderr.endswith("export it again.\n")


def test_all_sources_are_exported() -> None:
    assert {path.name for path in SOURCES.iterdir()} == set(NATIVE)


# What it refuses


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["module.so", "weights.bin", "plan.json", MANIFEST])
def test_a_damaged_file_is_refused_and_named(
    native: Native, export: Path, name: str, damage: Callable[[Path], None]
) -> None:
    damage(export / name)
    code, sentence = native.refusal(export)
    assert code == FOLDER
    assert name in sentence


@pytest.mark.parametrize("change", PLANS, ids=range(len(PLANS)))
def test_a_plan_that_does_not_fit_its_weights_or_itself_is_refused(
    native: Native, export: Path, change: Callable[[Plan], object]
) -> None:
    change_plan(export, change)
    as_export(export)
    code, module = native.load(export)
    if code == OK:  # kernels check their arguments
        code = native.library.tw_run(module)
        assert code in (OK, FAILED)
        native.library.tw_free(module)
    if code != OK:
        native.said()


def test_a_module_that_calls_a_library_is_left_to_python(native: Native, export: Path) -> None:
    change_plan(export, lambda plan: plan | {"libraries": ["cublaslt"]})
    as_export(export)
    code, _ = native.load(export)
    assert code == MACHINE
    assert "cuBLASLt" in native.said()


@pytest.mark.parametrize(
    ("changes", "code", "sentence"),
    [
        ({"tvm_version": "0.1.2"}, MACHINE, "compiled by TVM 0.1.2"),
        ({"tvm_version": "0.27.01"}, MACHINE, "compiled by TVM 0.27.01"),
        ({"instructions": ["avx2", "amx9"]}, MACHINE, "uses amx9, which this processor lacks"),
        ({"device": "cuda:0"}, MACHINE, "no cuda:0 "),
        ({"device": "vulkan"}, MACHINE, "no vulkan like vulkan"),
        ({"instructions": [1]}, FOLDER, "manifest.json is damaged"),
        ({"threads": "x"}, FOLDER, "manifest.json is damaged"),
        ({"files": []}, FOLDER, "is not the file that was exported"),
        ({"device": None}, FOLDER, "manifest.json is damaged"),
    ],
)
def test_another_machine_is_refused(
    native: Native, export: Path, changes: dict[str, Any], code: int, sentence: str
) -> None:
    if "files" in changes:
        manifest = json.loads((export / MANIFEST).read_text())
        rewritten(export, {**manifest, **changes})
    else:
        as_export(export, **changes)
    found = native.refusal(export)
    assert found[0] == code
    assert sentence in found[1]


def rewritten(folder: Path, manifest: dict[str, object]) -> None:
    """Write another manifest, with its SHA-256 as it should be."""
    from engine.deploy.executor_template import manifest_sha256

    text = json.dumps(manifest | {"sha256": ""})
    digest = manifest_sha256(text)
    (folder / MANIFEST).write_text(text.replace('"sha256": ""', f'"sha256": "{digest}"'))


@pytest.mark.parametrize("device", ["cuda:0", "cuda:99", "vulkan", "cpu:x", "cpu:-1", "rpc", ":"])
def test_a_device_of_another_kind_is_refused(native: Native, export: Path, device: str) -> None:
    code, sentence = native.refusal(export, device)
    assert code == MACHINE
    assert device in sentence


def test_an_export_of_another_sha256_is_refused(native: Native, export: Path) -> None:
    told = json.loads((export / MANIFEST).read_text())["sha256"]
    code, module = native.load(export, "cpu:0", told.upper())
    assert code == OK
    native.library.tw_free(module)
    assert native.refusal(export, "", "0" * 64)[0] == FOLDER


@pytest.mark.parametrize("call", ["tw_set", "tw_get"])
def test_wrong_names_and_sizes_are_refused(native: Native, export: Path, call: str) -> None:
    _, module = native.load(export)
    outputs = call == "tw_get"
    name, (shape, _) = next(iter(native.specs(module, outputs).items()))
    room = (ctypes.c_char * 100_000)()
    size = 4 * int(np.prod(shape))
    for given, length, sentence in (
        ("no such", size, "The module has no"),
        (name, size + 1, f"{name} takes {size} bytes, not {size + 1}."),
        (name, 0, f"{name} takes {size} bytes, not 0."),
    ):
        code = getattr(native.library, call)(module, given.encode(), room, ctypes.c_size_t(length))
        assert code == ARGUMENT
        assert sentence in native.said()
    assert getattr(native.library, call)(module, name.encode(), room, ctypes.c_size_t(size)) == OK
    native.library.tw_free(module)


@pytest.mark.parametrize("size", [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
def test_its_hashes_are_those_of_the_export(native: Native, export: Path, size: int) -> None:
    (export / "weights.bin").write_bytes(bytes(range(256)) * 4 + bytes(size))
    as_export(export)
    code, sentence = native.refusal(export)
    assert (code, "does not fit" in sentence) == (FOLDER, True)
