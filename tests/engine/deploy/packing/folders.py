"""Folders that an export might have written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.deploy.executor_template import MANIFEST
from engine.deploy.export import put_scripts
from engine.deploy.folder import put_manifest
from engine.deploy.packing.needs import put_needs


def spec(name: str, dtype: str = "float32", *shape: int) -> dict[str, Any]:
    """An input or output as a manifest has it."""
    return {"name": name, "shape": list(shape), "dtype": dtype}


def exported(folder: Path, **changes: Any) -> dict[str, Any]:
    """A folder that an export would have written, around the module in it or none; its manifest."""
    import tvm

    folder.mkdir(exist_ok=True)
    for name in ("module.so", "weights.bin", "plan.json"):
        if not (folder / name).exists():
            (folder / name).write_bytes(name.encode() * 1000)
    told: dict[str, Any] = {
        "model": "net",
        "tvm_version": tvm.__version__,
        "target": {"kind": "llvm"},
        "device": "cpu",
        "threads": 1,
        "instructions": [],
        "inputs": [spec("x", "float32", 1, 3)],
        "outputs": [spec("y", "int64")],
        **changes,
    }
    (folder / MANIFEST).unlink(missing_ok=True)
    put_scripts(folder)
    put_needs(folder, told)
    return put_manifest(folder, told)
