"""A board without a board: an AArch64 Debian in a folder, whose programs qemu-user runs here.

    python -m tests.emulated_board       # makes it in build/aarch64, as root: 700 MB, a few minutes

needs Debian's packages debootstrap and qemu-user-static. TUNEWRIGHT_AARCH64 names another folder.
Nothing of it is installed: packages are unpacked, and TVM's wheel for AArch64 lies in `site`.
Its outputs are an AArch64's. How long anything takes there says nothing of any board.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(os.environ.get("TUNEWRIGHT_AARCH64", "build/aarch64")).absolute()
_QEMU = ("qemu-aarch64-static", "qemu-aarch64")
_SUITE, _PYTHON = "bookworm", "3.11"
_DEBS = ("python3.11", "libgomp1")
_WHEELS = (
    *("apache-tvm", "apache-tvm-ffi", "cloudpickle", "ml_dtypes", "numpy"),
    *("psutil", "typing_extensions"),
)
_PLATFORMS = ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64")
# TVM's own server in one process: its usual start runs Python by name, which is not this Python.
_SERVER = """
import multiprocessing, sys
multiprocessing.set_start_method("fork")
from tvm.rpc.server import PopenRPCServerState
key, port, tracker = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
state = PopenRPCServerState("127.0.0.1", port, port + 1, tracker_addr=("127.0.0.1", tracker),
                            key=key, custom_addr="127.0.0.1", silent=True)
print("serving", flush=True)
state.thread.join()
"""


def missing() -> str:
    """Why there is no emulated board here; empty where there is one."""
    if not any(map(shutil.which, _QEMU)):
        return "qemu-user is missing: apt-get install qemu-user-static"
    if not (ROOT / "site" / "tvm").is_dir():
        return f"no AArch64 in {ROOT}: python -m tests.emulated_board"
    return ""


@dataclass(frozen=True)
class Board:
    """The folder, with one of the processors that qemu has, in its words."""

    cpu: str = "cortex-a72"

    def run(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """A Python there with these arguments, until it ends."""
        return subprocess.run(
            self._command(*words), env=_environment(), cwd=cwd, text=True, capture_output=True,
            check=False, timeout=600,
        )  # fmt: skip

    @contextmanager
    def serving(self, key: str, port: int, tracker: int) -> Iterator[subprocess.Popen[str]]:
        """TVM's server there, registered at the tracker of a port of this machine."""
        command = self._command("-c", _SERVER, key, str(port), str(tracker))
        with subprocess.Popen(
            command, env=_environment(), text=True, stdout=subprocess.PIPE, start_new_session=True
        ) as process:
            try:
                assert process.stdout is not None
                assert process.stdout.readline().strip() == "serving"
                yield process
            finally:
                os.killpg(process.pid, 9)

    def _command(self, *words: str) -> list[str]:
        qemu = next(filter(None, map(shutil.which, _QEMU)))
        python = str(ROOT / "usr" / "bin" / f"python{_PYTHON}")
        return [qemu, "-L", str(ROOT), "-cpu", self.cpu, python, *words]


def _environment() -> Mapping[str, str]:
    """TVM's runtime alone, which is what a board needs of it, in few threads that let others be."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    threads = {"TVM_NUM_THREADS": "2", "TVM_THREAD_POOL_SPIN_COUNT": "0"}
    return kept | threads | {"PYTHONPATH": str(ROOT / "site"), "TVM_USE_RUNTIME_LIB": "1"}


def make() -> None:
    """Download and unpack all of it."""
    ROOT.parent.mkdir(parents=True, exist_ok=True)
    packages = ",".join(_DEBS)
    _do("debootstrap", "--arch=arm64", "--variant=minbase", "--foreign", f"--include={packages}",
        _SUITE, str(ROOT))  # fmt: skip
    for deb in sorted((ROOT / "var/cache/apt/archives").glob("*.deb")):
        unpack = 'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"'
        _do("sh", "-ec", unpack, "sh", str(deb), str(ROOT))
        deb.unlink()
    platforms = [f"--platform={name}" for name in _PLATFORMS]
    _do(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:",
        *platforms, f"--python-version={_PYTHON}", "--constraint=constraints.txt",
        f"--target={ROOT / 'site'}", *_WHEELS)  # fmt: skip


def _do(*command: str) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    make()
