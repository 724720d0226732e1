"""Which program links for which machine, and what is said where there is none."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.measure import linker
from engine.measure.build_worker import build_candidate
from engine.measure.runner import BuildRequest, BuildResult
from engine.records.errors import TuningError
from engine.records.trial import ErrorKind
from engine.targets.presets import PRESETS, Preset
from engine.targets.targets import resolve, to_tvm
from tests.engine.measure import kernels

ARM, ELF_AARCH64 = "aarch64-linux-gnu", 183
# Puts the one object where the library shall be, and says how it was called.
_STAND_IN = (
    '#!/bin/sh\necho "$0 $*" >> "{log}"\nwhile [ "$1" != -o ]; do shift; done\ncp "$3" "$2"\n'
)


class Programs:
    """A PATH of stand-ins for linkers; `calls` is how they were called."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._log = folder, folder / "log"

    def put(self, name: str) -> Path:
        """Have a program of that name."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_STAND_IN.format(log=self._log))
        path.chmod(0o755)
        return path

    @property
    def calls(self) -> list[str]:
        return self._log.read_text().splitlines()


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Programs]:
    """No linker but those that a test puts there."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin:/usr/bin")
    real = shutil.which

    def which(name: str, path: str | None = None) -> str | None:
        found = real(name, path=path)
        return found if found and found.startswith(str(tmp_path)) else None

    monkeypatch.setattr(shutil, "which", which)
    put_package(monkeypatch, None)
    linker.find_linker.cache_clear()
    yield Programs(tmp_path / "bin")
    linker.find_linker.cache_clear()


def put_package(monkeypatch: pytest.MonkeyPatch, folder: Path | None) -> None:
    """Have the package ziglang in a folder, or nowhere."""
    real = importlib.util.find_spec
    spec = folder and SimpleNamespace(submodule_search_locations=(str(folder),))

    def find(name: str, package: str | None = None) -> object:
        return spec if name == "ziglang" else real(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find)


def with_zig(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Zig's program, as the wheel of ziglang lays it out."""
    zig = programs.put("ziglang/zig")
    put_package(monkeypatch, zig.parent)
    return zig


def test_a_linker_of_the_system_goes_before_zig(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    zig = with_zig(programs, monkeypatch)
    assert linker.require_linker(ARM) == str(zig)
    for name in ("ld.lld", f"{ARM}-gcc", f"{ARM}-ld"):
        linker.find_linker.cache_clear()
        path = programs.put(name)
        assert linker.require_linker(ARM) == str(path)


@pytest.mark.parametrize("name", ["ld", "gcc", "clang"])
def test_this_machines_linker_does_not_link_for_another(programs: Programs, name: str) -> None:
    programs.put(name)
    assert linker.require_linker()
    with pytest.raises(TuningError, match="No linker for aarch64"):
        linker.require_linker(ARM)


@pytest.mark.parametrize(
    ("triple", "package"),
    [
        ("", "binutils"),
        (ARM, "binutils-aarch64-linux-gnu"),
        ("riscv64-linux-gnu", "binutils-riscv64-linux-gnu"),
    ],
)
def test_a_missing_linker_is_named_with_what_to_install(
    programs: Programs, triple: str, package: str
) -> None:
    with pytest.raises(TuningError) as caught:
        linker.link_shared("library.so", ["object.o"], triple)
    assert package in caught.value.todo
    assert ("ziglang" in caught.value.todo) == bool(triple)


def test_a_refusing_linker_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"object\.o"):
        linker.link_shared(str(tmp_path / "library.so"), ["/nowhere/object.o"])


@pytest.mark.parametrize("zig", [False, True], ids=["binutils", "zig"])
@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_candidate_for_a_board_is_linked_for_the_board(
    preset: Preset, zig: bool, programs: Programs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    programs.put("ld")
    used = with_zig(programs, monkeypatch) if zig else programs.put(f"{ARM}-ld")
    result = built(preset, tmp_path / "candidate.so")
    assert result.error is None, result.error_text
    (call,) = programs.calls
    assert call.startswith(f"{used} {'ld.lld ' if zig else ''}-shared -o ")
    assert machine_of(tmp_path / "candidate.so") == ELF_AARCH64


def test_a_candidate_that_nothing_links_is_a_failed_build_that_says_so(
    programs: Programs, tmp_path: Path
) -> None:
    programs.put("ld")
    result = built(PRESETS[0], tmp_path / "candidate.so")
    assert result.error is ErrorKind.BUILD_ERROR
    assert "No linker for aarch64" in result.error_text


def test_a_real_linker_makes_a_library_for_a_board(tmp_path: Path) -> None:
    linker.find_linker.cache_clear()
    if linker.find_linker("aarch64") is None:
        pytest.skip("nothing here links for AArch64: pip install '.[boards]'")
    result = built(PRESETS[0], tmp_path / "candidate.so")
    assert result.error is None, result.error_text
    data = (tmp_path / "candidate.so").read_bytes()
    assert (int.from_bytes(data[16:18], "little"), machine_of(tmp_path / "candidate.so")) == (
        3,  # a shared object
        ELF_AARCH64,
    )


def built(preset: Preset, path: Path) -> BuildResult:
    """A tiny kernel, built as a worker would."""
    import tvm

    target = to_tvm(resolve(f"rpc://127.0.0.1:9190/board {preset.name}"))
    return build_candidate(BuildRequest(kernels.add(), tvm.ir.save_json(target), str(path)))


def machine_of(path: Path) -> int:
    """ELF's e_machine of a file."""
    return int.from_bytes(path.read_bytes()[18:20], "little")
