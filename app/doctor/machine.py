"""The doctor's look at the machine: target, CUDA, linker, Qt's libraries, folders."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from app.doctor.checks import Check, Verdict, about_packages, probe
from app.doctor.system_packages import is_loadable, missing_packages
from engine.kernels.cublaslt import find_library, library_version
from engine.measure.linker import find_linker
from engine.records.errors import TunewrightError
from engine.records.machine import THREADS, usable_cores
from engine.records.units import format_bytes
from engine.workers.artifacts import ArtifactFolder

_ROOM = 1 << 30  # bytes; a project takes a few MB, an export the size of its model

_TOOLKIT = "Install the CUDA toolkit."

_TARGETS = """
import json
from engine.targets.targets import local_targets
print(json.dumps([[found.device, found.title] for found in local_targets()]))
"""

_NVRTC = """
import json
from cuda.bindings import nvrtc
error, major, minor = nvrtc.nvrtcVersion()
assert not int(error), error
print(json.dumps(f"{major}.{minor}"))
"""

_QT = """
import json, sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontDatabase, QGuiApplication
app = QGuiApplication([])
timer = QTimer()
before = sys.getrefcount(None)
for _ in range(200):
    timer.stop()
lost = before - sys.getrefcount(None)
print(json.dumps([lost, len(QFontDatabase.families())]))
"""


def check_target() -> Iterator[Check]:
    """What `auto` finds, and with how many threads."""
    try:
        found = probe(_TARGETS)
    except TunewrightError as error:
        yield Check("target", Verdict.MISSING, f"TVM does not load: {error.what}",
                    about_packages("Install the packages above again."))  # fmt: skip
        return
    titles = ", ".join(title for _, title in found)
    yield Check("target", Verdict.OK, titles)
    yield _check_threads()
    if is_loadable("libcuda.so.1"):
        yield _check_cuda([device for device, _ in found if device.startswith("cuda")])
        yield check_cublas()


def _check_threads() -> Check:
    cores, given = usable_cores(), os.environ.get(THREADS)
    text = f"{cores} cores, {THREADS} is {given or 'not set: kernels get every core'}"
    if given is None or given == str(cores):
        return Check("threads", Verdict.OK, text)
    return Check("threads", Verdict.WARNING, text, f"Unset {THREADS}, unless that is meant.")


def _check_cuda(devices: list[str]) -> Check:
    """Only where there is a driver."""
    if not devices:
        return Check("cuda", Verdict.WARNING, "a driver is here, but TVM finds no device",
                     "See what nvidia-smi says.")  # fmt: skip
    try:
        return Check("cuda", Verdict.OK, f"{', '.join(devices)}, NVRTC {probe(_NVRTC)}")
    except TunewrightError as error:
        nvcc = shutil.which("nvcc")
        if nvcc:
            return Check("cuda", Verdict.OK, f"{', '.join(devices)}, {nvcc}")
        todo = about_packages(
            "pip install nvidia-cuda-nvrtc, or install the CUDA toolkit.", _TOOLKIT
        )
        return Check("cuda", Verdict.MISSING, f"no CUDA compiler: {error.what}", todo)


def check_cublas() -> Check:
    """An extra: without it nothing is missing."""
    path = find_library()
    if path is None:
        todo = about_packages(
            "To try it: pip install 'tunewright[cublas]'", f"To try it: {_TOOLKIT}"
        )
        return Check("cublas", Verdict.OK, "none: products are tuned without it", todo)
    if version := library_version():
        return Check("cublas", Verdict.OK, f"cuBLASLt {version}, {path}")
    todo = about_packages("pip install --force-reinstall nvidia-cublas", _TOOLKIT)
    return Check("cublas", Verdict.WARNING, f"{path} does not load", todo)


def check_linker() -> Iterator[Check]:
    """Candidates are linked into libraries."""
    linker = find_linker()
    if linker is not None:
        yield Check("linker", Verdict.OK, linker)
    else:
        yield Check("linker", Verdict.MISSING, "none", "apt-get install binutils")


def check_qt() -> Iterator[Check]:
    """The window's system libraries, and whether this Qt keeps its references."""
    display = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    lacking = missing_packages(window=display, linker=False)
    if lacking:
        yield Check("qt", Verdict.WARNING, "no window: system libraries are missing",
                    f"apt-get install {' '.join(lacking)}")  # fmt: skip
        return
    try:
        lost, families = probe(_QT, QT_QPA_PLATFORM="offscreen")
    except TunewrightError as error:
        yield Check("qt", Verdict.WARNING, f"no window: {error.what}",
                    about_packages("Install PySide6-Essentials as above."))  # fmt: skip
        return
    if lost > 100:
        yield Check("qt", Verdict.WARNING, "this PySide6 loses a reference at every call",
                    about_packages('pip install "PySide6-Essentials~=6.11.3"'))  # fmt: skip
    elif not families:
        yield Check("qt", Verdict.WARNING, "no fonts: text shows as boxes",
                    "apt-get install fonts-dejavu-core")  # fmt: skip
    else:
        where = "a display is here" if display else "no display: the window needs one"
        yield Check("qt", Verdict.OK, f"its libraries load, {families} font families, {where}")


def check_folders() -> Iterator[Check]:
    """Where projects of samples go, and libraries on their way to a measurement."""
    from platformdirs import user_data_path

    yield check_folder("data folder", user_data_path("tunewright"))
    yield _check_libraries()


def _check_libraries() -> Check:
    """Candidates are loaded from a folder that must allow it."""
    name, todo = "library folder", "Set TMPDIR to a folder that can be written and run from."
    try:
        folder = ArtifactFolder()
        system = os.statvfs(folder.path)
        folder.close()
    except OSError as error:
        return Check(name, Verdict.MISSING, f"none: {error.strerror}", todo)
    if system.f_flag & os.ST_NOEXEC:
        return Check(name, Verdict.MISSING, f"{folder.path.parent} is mounted noexec", todo)
    return Check(name, Verdict.OK, str(folder.path.parent))


def check_folder(name: str, folder: Path) -> Check:
    """Whether a folder, or the one it would be made in, can be written to and has room."""
    place = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        return Check(name, Verdict.WARNING, f"{folder} cannot be written",
                     "Change its permissions, or name files elsewhere with -o.")  # fmt: skip
    free = shutil.disk_usage(place).free
    text = f"{folder}, {format_bytes(free)} free"
    if free < _ROOM:
        return Check(name, Verdict.WARNING, text, "Free some space.")
    return Check(name, Verdict.OK, text)
