"""What is known of the library without a GPU: where it lies, and what is asked of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.kernels import cublaslt
from engine.kernels.cublaslt import Matmul, find_library, register_cublaslt

WHEELS = ("nvidia/cu13/lib/libcublasLt.so.13", "nvidia/cublas/lib/libcublasLt.so.12")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder for packages, the only one there is on a machine without the library."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), str(folder)])
    monkeypatch.setattr(cublaslt, "_SYSTEM", ())
    for name in ("LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(name, raising=False)
    return folder


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_there_may_be_no_library(bare: Path) -> None:
    assert find_library() is None
    assert cublaslt.library_version() == ""


def test_a_file_that_is_no_library_has_no_version(bare: Path) -> None:
    put(bare / WHEELS[0])
    assert cublaslt.library_version() == ""


@pytest.mark.parametrize("place", WHEELS)
def test_the_library_of_a_wheel_is_found(bare: Path, place: str) -> None:
    path = put(bare / place)
    assert find_library() == path


def test_of_two_libraries_the_newer_one_is_taken(bare: Path) -> None:
    newer, _ = [put(bare / place) for place in WHEELS]
    assert find_library() == newer


@pytest.mark.parametrize(
    ("variable", "below"),
    [("LD_LIBRARY_PATH", ""), ("CUDA_HOME", "lib64"), ("CUDA_PATH", "targets/x86_64-linux/lib")],
)
def test_the_library_of_a_toolkit_is_found(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, below: str
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "toolkit"))
    path = put(tmp_path / "toolkit" / below / "libcublasLt.so.12")
    assert find_library() == path


def test_a_folder_that_a_program_is_started_in_is_not_searched(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / WHEELS[0])
    monkeypatch.chdir(tmp_path)
    assert find_library() is None


def test_what_graphs_use_is_kept_when_programs_load_the_library_again() -> None:
    import tvm_ffi

    register_cublaslt()
    first = tvm_ffi.get_global_func(cublaslt.FUNCTION)
    register_cublaslt(exact=True)
    assert tvm_ffi.get_global_func(cublaslt.FUNCTION).same_as(first)
    tvm_ffi.registry.remove_global_func(cublaslt.FUNCTION)


def test_a_text_is_the_whole_call() -> None:
    what = Matmul(3, "float32", "float32", True, 8, 6, 4, False, 8, True, 6, 8, 2, 1, 2, 3, True)
    assert Matmul.of(what.text) == what
