"""What an exported folder needs to run, and under which licences: requirements.txt and README."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

REQUIREMENTS = "requirements.txt"
README = "README.md"

_README = """\
# {model}

Compiled for {target} ({device}) by Tunewright with Apache TVM {tvm}.

{use}

Inputs: {inputs}. Outputs: {outputs}.{shapes}

## What it needs

{needed}

and the kind of machine that it was compiled for: `load` says what is missing.

## Licences

- `*.py`, `*.c` and `*.h`: Apache-2.0, as Tunewright.
- `module.so`, `weights.bin` and `plan.json` are made of the model: its licence holds for them.
- Apache TVM and tvm-ffi, which run it: Apache-2.0. NumPy: BSD-3-Clause.{gpu}
"""
_USE = """\
    pip install -r requirements.txt
    python run.py    # random inputs: runs it once, then measures it

In a program, with this folder in `sys.path`: `from executor import load`, then
`load(FOLDER).run(INPUTS)`. In C: `tunewright.c`, whose head says how to compile it."""


def requirements(manifest: Mapping[str, Any]) -> list[str]:
    """What pip is to install for an export, a line each: of TVM no other version than the one that
    compiled."""
    exact = [f"{name}=={version(name)}" for name in ("apache-tvm", "apache-tvm-ffi")]
    gpu = ["cuda-bindings>=13,<14"] if manifest["device"].startswith("cuda") else []
    return [*exact, "numpy>=2.1", *gpu, *(["nvidia-cublas>=13,<14"] if _calls(manifest) else [])]


def _calls(manifest: Mapping[str, Any]) -> bool:
    """Whether it calls cuBLASLt, the one library that there is."""
    return bool(manifest.get("libraries"))


def put_needs(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write both files into an export whose manifest this will be. OSError."""
    lines = "".join(f"{line}\n" for line in requirements(manifest))
    (folder / REQUIREMENTS).write_text(lines)
    (folder / README).write_text(readme(manifest, _USE), "utf-8")


def readme(manifest: Mapping[str, Any], use: str) -> str:
    """What the module is, how to `use` it, what it needs and its licences, as Markdown."""
    device = manifest["device"]
    return _README.format(
        model=one_line(manifest["model"]),
        target=manifest["target"]["kind"],
        device=device,
        tvm=manifest["tvm_version"],
        use=use,
        inputs=_specs(manifest["inputs"]),
        outputs=_specs(manifest["outputs"]),
        shapes=_shapes(manifest),
        needed="\n".join(f"- {line}" for line in requirements(manifest)),
        gpu=_gpu_licences(manifest),
    )


def _gpu_licences(manifest: Mapping[str, Any]) -> str:
    if not manifest["device"].startswith("cuda"):
        return ""
    named = "cuda-bindings and nvidia-cublas" if _calls(manifest) else "cuda-bindings"
    return f" {named}: NVIDIA's own."


def _shapes(manifest: Mapping[str, Any]) -> str:
    """Which shapes there are, where there are several, and how others are padded to them."""
    if "shapes" not in manifest:
        return ""
    named = ", ".join(f"`{one_line(one['label'])}`" for one in manifest["shapes"])
    pads = [f"`{one_line(name)}` with {value:g}" for name, value in manifest["pads"].items()]
    padded = f" Inputs between them are padded: {', '.join(pads)}." if pads else ""
    return f"\n\nThat is the first of its shapes: {named}. The one that inputs have runs.{padded}"


def one_line(name: str) -> str:
    """A stranger's name without what a line or a quotation would end at."""
    return "".join(sign if sign.isprintable() and sign != "`" else "?" for sign in name)


def _specs(items: list[dict[str, Any]]) -> str:
    return ", ".join(
        f"`{one_line(item['name'])}` {item['dtype']} {list(item['shape'])}" for item in items
    )
