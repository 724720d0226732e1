"""An exported folder is loaded as it was exported, where it can run, or refused in a sentence."""

from __future__ import annotations

import ctypes
import hashlib
import json
import platform
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import tvm_ffi

from engine.deploy import executor_template
from engine.deploy.executor_template import MANIFEST, file_sha256, load
from engine.deploy.export import put_scripts
from engine.deploy.plan import Plan
from engine.kernels.cublaslt import FUNCTION, find_library
from engine.models.reference import random_inputs
from engine.targets import cpu_features
from engine.targets.cpu_features import told_instructions
from tests.engine.deploy.compiled import as_export
from tests.engine.tasks.programs import cpu, network
from tests.hostile.exports import (
    DAMAGES,
    FILES,
    KINDS,
    PLANS,
    SCRIPTS,
    change_plan,
    compile_kind,
    emptied,
    flipped,
    halved,
    missing,
    nested,
    replaced,
)


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An export of each kind."""
    folders = {kind: tmp_path_factory.mktemp(kind) for kind in KINDS}
    for kind, folder in folders.items():
        compile_kind(kind, folder)
        as_export(folder)
    return folders


@pytest.fixture
def export(originals: dict[str, Path], tmp_path: Path) -> Path:
    """A copy of the one with weights."""
    return Path(shutil.copytree(originals["weights"], tmp_path / "out"))


def refusal(folder: Path, *arguments: str) -> str:
    """Why a folder is not loaded: sentences of which the last says what to do."""
    with pytest.raises(ValueError) as caught:
        load(folder, *arguments)
    return checked(str(caught.value))


def checked(text: str) -> str:
    """What was said, if it is sentences."""
    assert text.endswith(".")
    assert "\n" not in text
    assert len(text) < 250
    return text


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the folder's own script."""
    return subprocess.run(
        [sys.executable, str(folder / "run.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def said(folder: Path, *arguments: str) -> str:
    """What the folder's own script says when it refuses."""
    done = command(folder, *arguments)
    assert done.returncode == 1, done
    assert done.stdout == ""
    return checked(done.stderr.strip())


# Damage


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, originals: dict[str, Path], tmp_path: Path) -> Path:
    """A copy of an export of each kind."""
    return Path(shutil.copytree(originals[request.param], tmp_path / "out"))


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FILES)
def test_a_folder_with_any_file_damaged_is_refused_and_the_file_named(
    kind: Path, name: str, damage: Callable[[Path], None]
) -> None:
    if damage in (emptied, halved) and not (kind / name).stat().st_size:
        return  # it has no weights
    damage(kind / name)
    assert name in refusal(kind)


@pytest.mark.parametrize("damage", [missing, emptied, halved, flipped, replaced, nested])
@pytest.mark.parametrize("name", sorted(set(FILES) - {"run.py"}))
def test_the_script_refuses_a_damaged_folder_in_a_sentence_and_a_code(
    export: Path, name: str, damage: Callable[[Path], None]
) -> None:
    damage(export / name)
    assert name in said(export)


def test_any_bit_of_a_manifest_counts(export: Path) -> None:
    text = (export / MANIFEST).read_bytes()
    for place in random.Random(0).sample(range(8 * len(text)), 400):
        damaged = bytearray(text)
        damaged[place // 8] ^= 1 << place % 8
        (export / MANIFEST).write_bytes(damaged)
        assert MANIFEST in refusal(export)


@pytest.mark.parametrize("name", ["app.py", "json.py", "numpy.py", "tvm.py", "in.npz", "a folder"])
def test_what_else_lies_in_the_folder_is_left_alone_and_not_imported(
    export: Path, name: str
) -> None:
    if "." in name:
        (export / name).write_text("raise SystemExit('imported')")
    else:
        (export / name).mkdir()
    given = random_inputs(network("dense").prepared.inputs, 1)
    expected = network("dense").prepared.reference_outputs(given)
    for output, array in load(export).run(given).items():
        np.testing.assert_allclose(array, expected[output], rtol=1e-3, atol=1e-5)
    done = command(export)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "files",
    [
        {"../out.txt": ""},
        {"/etc/passwd": ""},
        {"a/b": ""},
        {"..": ""},
        {"": ""},
        {"a\0b": ""},
        {"module.so": 1},
        {"module.so": ["x"]},
        [],
        "module.so",
        None,
        7,
    ],
)
def test_a_manifest_that_names_no_files_of_the_folder_is_refused(export: Path, files: Any) -> None:
    change_manifest(export, files=files)
    refusal(export)


def change_manifest(folder: Path, **changes: object) -> None:
    """Write another manifest, with its SHA-256 as it should be."""
    manifest = json.loads((folder / MANIFEST).read_text()) | changes | {"sha256": ""}
    text = json.dumps(manifest)
    digest = hashlib.sha256(text.encode()).hexdigest()
    (folder / MANIFEST).write_text(text.replace('"sha256": ""', f'"sha256": "{digest}"'))


@pytest.mark.parametrize("value", [None, [], {}, 1.5, "x", [[]], [{}]])
@pytest.mark.parametrize(
    "field", ["files", "sha256", "tvm_version", "target", "device", "instructions", "threads"]
)
def test_a_manifest_of_other_types_is_refused_or_loads(
    export: Path, field: str, value: Any
) -> None:
    change_manifest(export, **{field: value})
    try:
        load(export)
    except ValueError as error:
        checked(str(error))


def test_a_manifest_of_a_gigabyte_is_not_read(export: Path) -> None:
    with (export / MANIFEST).open("r+b") as file:
        file.truncate(1 << 30)
    assert "too long" in refusal(export)


def test_a_folder_of_an_earlier_version_is_to_be_exported_again(export: Path) -> None:
    manifest = json.loads((export / MANIFEST).read_text())
    del manifest["sha256"]
    (export / MANIFEST).write_text(json.dumps(manifest))
    assert "earlier version" in refusal(export)
    assert refusal(export).endswith("export it again.")


def test_a_folder_that_is_not_there_is_no_export(tmp_path: Path) -> None:
    assert "nowhere" in refusal(tmp_path / "nowhere")


# A plan that was changed together with the manifest


@pytest.mark.parametrize("change", PLANS, ids=range(len(PLANS)))
def test_a_plan_that_does_not_fit_its_weights_or_itself_is_refused(
    export: Path, change: Callable[[Plan], object]
) -> None:
    change_plan(export, change)
    as_export(export)
    try:
        module = load(export)
    except ValueError as error:
        checked(str(error))
        return
    with pytest.raises(Exception, match=r"shape|inputs"):  # TVM's kernels check their arguments
        module.run(random_inputs(network("dense").prepared.inputs, 1))


def test_the_script_says_in_a_sentence_that_a_kernel_gets_another_array(export: Path) -> None:
    def flat(plan: Plan) -> object:
        for buffer in plan["buffers"]:
            if buffer and "input" in buffer:
                buffer["shape"] = [int(np.prod(buffer["shape"]))]
        return plan

    change_plan(export, flat)
    as_export(export)
    assert "does not run: " in said(export)


def test_weights_that_are_too_short_for_the_plan_are_refused(export: Path) -> None:
    halved(export / "weights.bin")
    as_export(export)
    assert "weights.bin" in refusal(export)


# Machines


def test_another_version_of_tvm_is_named(export: Path) -> None:
    as_export(export, tvm_version="0.1.2")
    assert "0.1.2" in refusal(export)


def test_where_tvm_is_not_installed_its_version_is_told(
    export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tvm", None)
    assert "not installed" in refusal(export)


@pytest.mark.parametrize("device", ["cuda:0", "cuda:99", "vulkan", "nonsense", "cpu:x", "rpc"])
def test_a_device_of_another_kind_is_refused(export: Path, device: str) -> None:
    assert device in refusal(export, device)


@pytest.fixture
def caller(export: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An export that names cuBLASLt, on a machine that lacks it."""
    for name in ("LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(name, raising=False)
    change_plan(export, lambda plan: plan | {"libraries": ["cublaslt"]})
    as_export(export, ["cublaslt"])
    return export


@pytest.mark.skipif(find_library() is not None, reason="cuBLASLt is installed here")
def test_a_library_that_is_not_installed_is_named(caller: Path) -> None:
    assert "nvidia-cublas" in refusal(caller)


def test_a_module_that_calls_a_library_finds_it_where_it_lies(
    caller: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "libcublasLt.so.13").touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    load(caller)
    assert tvm_ffi.get_global_func(FUNCTION, allow_missing=True) is not None
    tvm_ffi.registry.remove_global_func(FUNCTION)


def test_the_script_refuses_a_device_that_is_not_here(export: Path) -> None:
    assert "cuda:99" in said(export, "--device", "cuda:99")


def test_a_gpu_of_an_older_architecture_is_refused(
    export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tvm

    class Device:
        exist, compute_version = True, "8.0"

    as_export(export, device="cuda:0", target={"kind": "cuda", "arch": "sm_90a"})
    monkeypatch.setattr(tvm, "device", lambda name: Device())
    assert "compiled for sm_90a, and cuda:0 is 8.0" in refusal(export)


def test_a_processor_that_lacks_instructions_is_refused(
    export: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpuinfo").write_text("model\t: x\nflags\t\t: fpu sse4_1 avx2\n")
    monkeypatch.setattr(executor_template, "_CPUINFO", tmp_path / "cpuinfo")
    as_export(export, instructions=["avx2", "avx512f", "sse41"])
    assert "uses avx512f, which this processor lacks" in refusal(export)
    as_export(export, instructions=["avx2", "sse41"])
    load(export)
    monkeypatch.setattr(executor_template, "_CPUINFO", tmp_path / "nowhere")
    as_export(export, instructions=["avx2", "avx512f"])
    load(export)  # where nobody says what it has


def test_an_export_tells_instructions_that_this_processor_has(
    export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_export(export, instructions=told_instructions(cpu()))
    load(export)
    monkeypatch.setattr(cpu_features, "_told", lambda: frozenset({"avx2", "fma", "sse41", "rtm"}))
    assert set(told_instructions(cpu())) <= {"avx2", "fma", "sse41"}


@pytest.mark.parametrize(
    ("bits", "missing"),
    [
        ({16: 1 | 1 << 1 | 1 << 10 | 1 << 20, 26: 1 << 13}, ""),
        ({16: 1 | 1 << 1 | 1 << 10 | 1 << 20, 26: 0}, "i8mm"),
        ({16: 1 | 1 << 1, 26: 1 << 13}, "asimddp, asimdhp"),
        ({16: 1 << 20 | 1 << 10 | 1, 26: -1}, "asimd"),
        (None, ""),  # a C library that does not say
    ],
)
def test_an_aarch64_is_asked_by_the_bits_of_its_hardware(
    bits: dict[int, int] | None, missing: str, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(entry: int) -> int:
        return bits[entry] if bits else 0

    library = SimpleNamespace(getauxval=ask) if bits else SimpleNamespace()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: library)
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    as_export(export, instructions=["asimd", "asimddp", "asimdhp", "fp", "i8mm"])
    if missing:
        assert f"uses {missing}, which this processor lacks" in refusal(export)
    else:
        load(export)


def test_a_module_for_another_machine_is_refused_before_it_is_loaded(export: Path) -> None:
    other = "aarch64" if platform.machine() != "aarch64" else "x86_64"
    as_export(export, target={"kind": "llvm", "mtriple": f"{other}-linux-gnu"})
    assert f"for {other}, and this machine is {platform.machine()}" in refusal(export)
    as_export(export, target={"kind": "llvm", "mtriple": f"{platform.machine()}-linux-gnu"})
    load(export)


def test_a_library_of_another_machine_is_refused(export: Path) -> None:
    data = bytearray((export / "module.so").read_bytes())
    data[18:20] = b"\xf3\x00"  # ELF's e_machine: RISC-V
    (export / "module.so").write_bytes(data)
    as_export(export)
    assert "does not load on cpu here" in refusal(export)


# The SHA-256 that a person keeps


def test_an_export_of_another_sha256_is_refused(export: Path) -> None:
    told = json.loads((export / MANIFEST).read_text())["sha256"]
    load(export, "", told)
    assert "another export" in refusal(export, "", "0" * 64)
    assert "another export" in said(export, "--sha256", "ab")
    assert command(export, "--sha256", told.upper()).returncode == 0
    as_export(export, model="changed by someone who knows how")
    load(export)
    assert "another export" in refusal(export, "", told)


def test_a_file_of_many_pieces_has_the_digest_of_their_digests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor_template, "PIECE", 1000)
    for size in (0, 1, 999, 1000, 1001, 2000, 2500):
        data = random.Random(size).randbytes(size)
        (tmp_path / "file").write_bytes(data)
        pieces = [data[at : at + 1000] for at in range(0, size, 1000)] or [b""]
        digests = [hashlib.sha256(piece).digest() for piece in pieces]
        whole = hashlib.sha256(b"".join(digests)).digest() if len(digests) > 1 else digests[0]
        assert file_sha256(tmp_path / "file") == whole.hex()


# What the script is given


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04"])
def test_inputs_that_cannot_be_read_are_refused(export: Path, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "in.npz").write_bytes(data)
    done = command(export, str(tmp_path / "in.npz"))
    assert done.returncode == 1
    assert done.stderr.startswith(f"{tmp_path / 'in.npz'} cannot be read as an .npz file")
    assert "Traceback" not in done.stderr


def test_outputs_that_cannot_be_written_end_in_a_sentence(export: Path, tmp_path: Path) -> None:
    done = command(export, "--save", str(tmp_path / "no" / "out.npz"))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_scripts_of_the_engine_are_what_is_exported(export: Path, tmp_path: Path) -> None:
    put_scripts(tmp_path)
    for name in SCRIPTS:
        assert (tmp_path / name).read_bytes() == (export / name).read_bytes()
