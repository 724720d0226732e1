"""What a model's convolutions and matrix products are computed in, by a person's choice."""

from __future__ import annotations

import json
from typing import Any

from engine.records.errors import TargetError, UsageError
from engine.records.machine import TargetSpec, arch_number
from engine.records.sentences import Sentence

DEFAULT_PRECISION = "float32"

_TITLES = {
    "float32": "float32, as in the file",
    "tf32": "TF32 tensor cores",
    "float16": "float16 tensor cores",
    "bfloat16": "bfloat16 tensor cores",
}
PRECISIONS: tuple[str, ...] = tuple(_TITLES)
"""The choices, the default first. Inputs and outputs keep the file's types in all of them."""

HALVES = ("float16", "bfloat16")
"""Those of 16 bits, which are another graph. Each is the name of its type."""

_FIRST_ARCH = 80  # the first GPUs whose tensor cores take TF32, and load by `ldmatrix`


def title_of(precision: str) -> str:
    """What a precision is called for a person."""
    return _TITLES.get(precision, precision)


def known_precision(value: Any) -> str:
    """The precision that `value` names; UsageError where it names none."""
    if isinstance(value, str) and value in PRECISIONS:
        return value
    raise UsageError(
        Sentence("There is no precision {value!r}.", value=str(value)[:40]),
        Sentence("Choose one of {names}.", names=", ".join(PRECISIONS)),
    )


def refuse_precision(precision: str, target: TargetSpec) -> None:
    """UsageError for an unknown precision, TargetError where the target has no tensor cores for
    it: a CPU, or a GPU before sm_80."""
    if known_precision(precision) == DEFAULT_PRECISION:
        return
    if not target.is_gpu:
        raise TargetError(
            Sentence(
                "A CPU has no tensor cores, which {precision} is computed by.", precision=precision
            ),
            "Choose float32, or a CUDA device.",
        )
    if not has_tensor_cores(target):
        raise TargetError(
            Sentence(
                "{title} has no tensor cores for {precision}: they begin with sm_80.",
                title=target.title,
                precision=precision,
            ),
            "Choose float32, or a newer GPU.",
        )


def has_tensor_cores(target: TargetSpec) -> bool:
    """Whether the target is a GPU with tensor cores that kernels here are made for."""
    return target.is_gpu and _arch(target) >= _FIRST_ARCH


def _arch(target: TargetSpec) -> int:
    fields = json.loads(target.text)
    return arch_number(str(fields.get("arch", ""))) if fields.get("kind") == "cuda" else 0
