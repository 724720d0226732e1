"""Loads this exported folder, if its files are those that were exported and it can run here.

This file is copied as it is into every exported folder, as executor.py. Until the files are
checked it needs nothing but Python; after that apache-tvm and NumPy, on a GPU cuda-bindings.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import math
import os
import platform
import re
import stat
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

MANIFEST = "manifest.json"
PIECE = 64 << 20  # bytes of a file that one thread hashes
_BLOCK = 1 << 20
_MANIFEST_BYTES = 64 << 20
_MOST_SHAPES = 1024
_AGAIN = "Copy the whole folder again, or export it again."
_ELSEWHERE = "Export it again for this machine."
_DAMAGED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
_CPUINFO = Path("/proc/cpuinfo")
# Of Linux's AT_HWCAP and AT_HWCAP2 for AArch64: which bit of which says what.
_HARDWARE_BITS = {
    16: {
        **{"fp": 0, "asimd": 1, "atomics": 8, "asimdhp": 10, "asimdrdm": 12, "jscvt": 13},
        **{"fcma": 14, "lrcpc": 15, "asimddp": 20, "sve": 22, "asimdfhm": 23},
    },
    26: {"sve2": 1, "i8mm": 13, "bf16": 14},
}


def load(
    folder: str | Path,
    device: str = "",
    sha256: str = "",
    *,
    pads: Mapping[str, float] | None = None,
) -> Any:
    """The module of an exported folder, a `PlanExecutor`, on the device that it was made on or
    another of its kind. `module.pool(4)` are as many executors with the weights of one.

    A folder of several shapes is a `ShapedModule`, which picks the shape that inputs have. `pads`
    says which of them may be padded to a larger one, and with what, in the place of what the export
    says: {"mask": 0}.

    `sha256` is what the export gave as the manifest's: where it is kept apart from the folder, all
    that may have been changed in the folder is noticed. ValueError says in a sentence what is
    wrong with the folder or with this machine.
    """
    folder = Path(folder)
    manifest = _manifest(folder, sha256)
    files = _typed(manifest, "files", dict)
    _require_files(folder, files)
    labels = _labels(manifest)
    plans = [_plan(folder, place, files) for place in range(max(1, len(labels)))]
    plan = plans[0]
    given = _pads(manifest, labels) if pads is None else pads
    if given and not labels:
        raise _refused("The module has one shape, and nothing to be padded to.", "Leave it out.")
    _require_machine(_typed(manifest, "target", dict))
    _require_instructions(_typed(manifest, "instructions", list))
    device = device or _typed(manifest, "device", str)
    _require_tvm(manifest, device)
    scope: dict[str, Any] = {"__name__": "plan_executor"}
    source = (folder / "plan_executor.py").read_bytes()
    exec(compile(source, str(folder / "plan_executor.py"), "exec"), scope)
    if any(one.get("libraries") for one in plans) and scope["find_library"]() is None:
        install = "Install nvidia-cublas, PyTorch for CUDA, or the CUDA toolkit."
        raise _refused("The module calls cuBLASLt, which is not installed here.", install)
    try:
        if not labels:
            return scope["PlanExecutor"](folder, device, plan)
        module = scope["ShapedModule"](folder, device, plans, labels)
    except Exception as error:
        raise _refused(f"The module does not load on {device} here.", _ELSEWHERE) from error
    module.allow_padding(given)
    return module


PlanExecutor = load  # as programs knew it before there was something to check


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file; of one of several pieces that of the digests of its pieces, in order.

    So several threads share the work. OSError where it cannot be read.
    """
    starts = range(0, max(path.stat().st_size, 1), PIECE)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        digests = list(pool.map(lambda start: _piece_sha256(path, start), starts))
    whole = digests[0] if len(digests) == 1 else hashlib.sha256(b"".join(digests)).digest()
    return whole.hex()


def manifest_sha256(text: str, told: str = "") -> str:
    """The SHA-256 of a manifest's text in which its own, the one `told`, is left empty."""
    return hashlib.sha256(text.replace(f'"{told}"', '""').encode()).hexdigest()


def _piece_sha256(path: Path, start: int) -> bytes:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        file.seek(start)
        left = PIECE
        while block := file.read(min(_BLOCK, left)):
            digest.update(block)
            left -= len(block)
    return digest.digest()


def _manifest(folder: Path, pinned: str) -> dict[str, Any]:
    """The manifest, if its own SHA-256 is right, and the one that a person gave."""
    path = folder / MANIFEST
    _require_plain(path)
    if path.stat().st_size > _MANIFEST_BYTES:
        raise _refused(f"{MANIFEST} is far too long.", _AGAIN)
    text = path.read_bytes()
    manifest = _json(text, MANIFEST)
    told = _typed(manifest, "sha256", str)
    if told != manifest_sha256(text.decode(), told):
        raise _refused(f"{MANIFEST} is damaged or was changed.", _AGAIN)
    if pinned and pinned.strip().lower() != told:
        raise _refused("This is another export than the one of the given SHA-256.", _AGAIN)
    return manifest


def _require_files(folder: Path, files: Mapping[Any, Any]) -> None:
    """Refuse a folder that does not hold these files, each with its SHA-256.

    Others may lie there, a person's program for instance: nothing here reads them.
    """
    for name in files:
        if not isinstance(name, str) or Path(name).name != name or name in ("", ".."):
            raise _refused(f"{MANIFEST} names {name!r}, which is no file of this folder.", _AGAIN)
        _require_plain(folder / name)
    for name, told in files.items():
        if file_sha256(folder / name) != told:
            raise _refused(f"{name} is not the file that was exported.", _AGAIN)


def plan_name(place: int) -> str:
    """The file with the plan of a shape, by its place."""
    return f"plan-{place}.json" if place else "plan.json"


def library_name(place: int) -> str:
    """The file with the kernels of a shape, by its place."""
    return f"module-{place}.so" if place else "module.so"


def _plan(folder: Path, place: int, files: Mapping[str, Any]) -> dict[str, Any]:
    """The plan of a shape, which fits the weights; its files are among those that were checked."""
    name = plan_name(place)
    if place and not {name, library_name(place)} <= files.keys():
        raise _refused(f"{MANIFEST} has no files for all of its shapes.", _AGAIN)
    plan = _json((folder / name).read_bytes(), name)
    _require_fitting(plan, (folder / "weights.bin").stat().st_size, name)
    return plan


def _labels(manifest: dict[str, Any]) -> list[str]:
    """The names of a set's shapes, none where the module has one shape."""
    if "shapes" not in manifest:
        return []
    shapes = _typed(manifest, "shapes", list)
    labels = [one.get("label") if isinstance(one, dict) else None for one in shapes]
    named = [label for label in labels if isinstance(label, str)]
    if not 1 < len(set(named)) == len(labels) <= _MOST_SHAPES:
        raise _refused(f"{MANIFEST} is damaged: its shapes have no names.", _AGAIN)
    return named


def _pads(manifest: dict[str, Any], labels: list[str]) -> dict[str, float]:
    """What the export says that may be padded."""
    pads: dict[str, float] = _typed(manifest, "pads", dict) if labels else {}
    if not all(type(value) in (int, float) for value in pads.values()):
        raise _refused(f"{MANIFEST} is damaged: it pads with what is no number.", _AGAIN)
    return pads


def _require_plain(path: Path) -> None:
    """Refuse what is missing, a link, or no file at all."""
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError):  # ValueError: of a name that no system takes
        raise _refused(f"{path} is missing.", _AGAIN) from None
    if not stat.S_ISREG(mode):
        raise _refused(f"{path} is a link, or no file at all.", _AGAIN)


def _json(text: bytes, name: str) -> dict[str, Any]:
    try:
        found = json.loads(text.decode())
    except (ValueError, RecursionError):
        raise _refused(f"{name} is not valid JSON.", _AGAIN) from None
    if not isinstance(found, dict):
        raise _refused(f"{name} holds something else than it should.", _AGAIN)
    return found


def _typed(manifest: dict[str, Any], name: str, kind: type) -> Any:
    value = manifest.get(name)
    if not isinstance(value, kind):
        why = "was written by an earlier version, or is damaged" if value is None else "is damaged"
        raise _refused(f"{MANIFEST} {why}: it does not say {name!r} as it should.", _AGAIN)
    return value


def _require_fitting(plan: dict[str, Any], weights_bytes: int, name: str) -> None:
    """Refuse a plan whose buffers do not fit their places, or whose steps have no buffers."""
    try:
        fits = _fits(plan, weights_bytes)
    except _DAMAGED:
        fits = False
    if not fits:
        raise _refused(f"{name} does not fit weights.bin, or itself.", _AGAIN)


def _fits(plan: dict[str, Any], weights_bytes: int) -> bool:
    buffers, inputs, storages = plan["buffers"], plan["inputs"], plan["storage_bytes"]
    rooms = {"weights": weights_bytes, "input": len(inputs), "storage": len(storages)}
    for buffer in buffers:
        if buffer is None:
            continue
        (place,) = rooms.keys() & buffer.keys()
        at, size = buffer[place], buffer["bytes"]
        end = at + size if place == "weights" else at + 1
        room = storages[at] if place == "storage" else size
        if min(at, size, *buffer["shape"]) < 0 or end > rooms[place] or size > room:
            return False
        if size != -(-math.prod(buffer["shape"]) * _bits(buffer["dtype"]) // 8):
            return False
    used = {item["buffer"] for item in (*inputs, *plan["outputs"])}
    used |= {index for _, arguments in plan["steps"] for index in arguments}
    steps = {step for stage in plan.get("stages", ()) for group in stage for step in group}
    return (
        all(index >= 0 and buffers[index] is not None for index in used)
        and all(0 <= step < len(plan["steps"]) for step in steps)
        and all(isinstance(item["name"], str) for item in (*inputs, *plan["outputs"]))
        and all(isinstance(name, str) for name, _ in plan["steps"])
        and plan.get("libraries", []) in ([], ["cublaslt"])
    )


def _bits(dtype: str) -> int:
    width = re.search(r"\d+", dtype)  # the first number: float8_e4m3fn has 8 bits
    return int(width.group()) if width else 8  # bool


def _require_machine(target: dict[str, Any]) -> None:
    """Refuse a machine of another kind than the target names, where it names one."""
    wanted = _machine(str(target.get("mtriple", "")).partition("-")[0])
    if wanted and wanted != (here := _machine(platform.machine())):
        raise _refused(f"The module is for {wanted}, and this machine is {here}.", _ELSEWHERE)


def _machine(name: str) -> str:
    return {"arm64": "aarch64", "amd64": "x86_64"}.get(name, name)


def _require_instructions(needed: list[Any]) -> None:
    """Refuse a processor that would end in SIGILL."""
    wanted = set(map(str, needed))
    here = _hardware_words() if platform.machine() == "aarch64" else _told_words()
    if missing := sorted(wanted - here) if here else []:
        lacks = ", ".join(missing[:8])
        raise _refused(f"The module uses {lacks}, which this processor lacks.", _ELSEWHERE)


def _told_words() -> set[str]:
    """What Linux says that an x86 processor has; empty where it does not say."""
    try:
        found = re.search(r"^flags\s*: (.*)$", _CPUINFO.read_text(), re.MULTILINE)
    except OSError:
        found = None
    return set(found.group(1).replace("_", "").split()) if found else set()


def _hardware_words() -> set[str]:
    """What an AArch64 has, of what exports name; empty where the C library does not say.

    Under emulation that is the emulated processor, while /proc/cpuinfo shows the real one.
    """
    try:
        ask = ctypes.CDLL(None).getauxval
    except (OSError, AttributeError):
        return set()
    ask.argtypes, ask.restype = [ctypes.c_ulong], ctypes.c_ulong
    return {
        word
        for entry, words in _HARDWARE_BITS.items()
        for word, bit in words.items()
        if ask(entry) >> bit & 1
    }


def _require_tvm(manifest: dict[str, Any], device: str) -> None:
    """Refuse another version of TVM than the one that compiled, and a device that is not here."""
    version = _typed(manifest, "tvm_version", str)
    if "tvm" not in sys.modules:  # it reads that at its import
        os.environ.setdefault("TVM_NUM_THREADS", str(_typed(manifest, "threads", int)))
    install = f"Install apache-tvm {version}, or export it again."
    try:
        import tvm
    except ImportError as error:
        raise _refused("TVM, which runs the module, is not installed.", install) from error
    if tvm.__version__ != version:
        raise _refused(f"It was compiled by TVM {version}, and here is {tvm.__version__}.", install)
    made_on = _typed(manifest, "device", str)
    try:
        found = tvm.device(device)
        here = found.exist and device.partition(":")[0] == made_on.partition(":")[0]
    except ValueError:
        here = False
    if not here:
        raise _refused(f"There is no {device} like {made_on} here.", "Name another of its kind.")
    wanted = str(_typed(manifest, "target", dict).get("arch", ""))
    if wanted and _number(wanted) > _number(arch := found.compute_version):
        raise _refused(f"It was compiled for {wanted}, and {device} is {arch}.", _ELSEWHERE)


def _number(arch: Any) -> int:
    """Of "sm_90a" or "9.0": 90."""
    digits = re.sub(r"\D", "", str(arch))
    return int(digits or 0)


def _refused(what: str, todo: str) -> ValueError:
    return ValueError(f"{what} {todo}")
