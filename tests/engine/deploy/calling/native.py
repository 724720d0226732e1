"""The interface in C, called as a program in C calls it."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import numpy as np
import tvm
import tvm_ffi

from engine.deploy.executor_template import load

SOURCES = Path(load.__code__.co_filename).parent / "native"
TVM = Path(str(tvm.__file__)).parent
FFI = Path(str(tvm_ffi.__file__)).parent
OK, FOLDER, MACHINE, ARGUMENT, FAILED = range(5)


Specs = dict[str, tuple[tuple[int, ...], str]]


class Tensor(ctypes.Structure):
    """`tw_tensor`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_char_p),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("ndim", ctypes.c_int),
        ("bytes", ctypes.c_size_t),
    )


class Native:
    """The library, called as a program in C calls it."""

    def __init__(self, path: Path) -> None:
        self.library = ctypes.CDLL(str(path))
        self.library.tw_error.restype = ctypes.c_char_p
        self.library.tw_tensors.restype = ctypes.POINTER(Tensor)

    def said(self) -> str:
        """What was wrong: sentences."""
        text = str(self.library.tw_error().decode())
        assert re.fullmatch(r"[^\n]{10,300}\.", text), text
        return text

    def load(self, folder: Path, device: str = "", sha256: str = "") -> tuple[int, ctypes.c_void_p]:
        """A code and a module."""
        module = ctypes.c_void_p()
        texts = [text.encode() or None for text in (str(folder), device, sha256)]
        return self.library.tw_load(*texts, ctypes.byref(module)), module

    def refusal(self, folder: Path, *arguments: str) -> tuple[int, str]:
        """The code and the sentence of a folder that is not loaded."""
        code, module = self.load(folder, *arguments)
        assert module.value is None
        assert code != OK
        return code, self.said()

    def specs(
        self, module: ctypes.c_void_p, outputs: int
    ) -> dict[str, tuple[tuple[int, ...], str]]:
        """Shape and dtype of each input or output."""
        count = ctypes.c_size_t()
        found = self.library.tw_tensors(module, outputs, ctypes.byref(count))
        return {
            one.name.decode(): (tuple(one.shape[: one.ndim]), one.dtype.decode())
            for one in found[: count.value]
        }

    def run(self, module: ctypes.c_void_p, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The outputs."""
        for name, array in inputs.items():
            given = np.ascontiguousarray(array)
            code = self.library.tw_set(
                module,
                name.encode(),
                ctypes.c_void_p(given.ctypes.data),
                ctypes.c_size_t(given.nbytes),
            )
            assert code == OK, self.said()
        assert self.library.tw_run(module) == OK, self.said()
        outputs = {
            name: np.zeros(shape, dtype) for name, (shape, dtype) in self.specs(module, 1).items()
        }
        for name, array in outputs.items():
            place, size = ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes)
            assert self.library.tw_get(module, name.encode(), place, size) == OK, self.said()
        return outputs


def built(path: Path) -> Native:
    """It, compiled into a library with all warnings; TVM's libraries are loaded already."""
    options = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    paths = ["-I", TVM / "include", "-I", FFI / "include", "-L", TVM / "lib", "-L", FFI / "lib"]
    command = ["gcc", *options, "-o", path, SOURCES / "tunewright.c", *paths]
    command += ["-Wl,--no-as-needed", "-ltvm_runtime", "-ltvm_ffi", "-ldl"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Native(path)
