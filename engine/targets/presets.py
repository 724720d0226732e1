"""Boards and servers with AArch64 Linux that are tuned for from here, each by a word of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.targets.old_form import fields_of

# What of a processor decides how fast a network can be, of LLVM's words for it.
_TELLING = {
    "neon": "NEON",
    "fullfp16": "float16",
    "dotprod": "dot product",
    "i8mm": "int8 matrices",
    "bf16": "bfloat16",
    "sve": "SVE",
}


@dataclass(frozen=True, slots=True)
class Preset:
    """A device by its word: LLVM's name of its processor, and the cores of its largest model."""

    name: str
    title: str
    mcpu: str
    cores: int

    @property
    def fields(self) -> dict[str, Any]:
        """TVM's fields of it."""
        triple = "aarch64-linux-gnu"
        return {"kind": "llvm", "mcpu": self.mcpu, "mtriple": triple, "num-cores": self.cores}


PRESETS = (
    Preset("raspberry-pi-4", "Raspberry Pi 4", "cortex-a72", 4),
    Preset("raspberry-pi-5", "Raspberry Pi 5", "cortex-a76", 4),
    Preset("jetson-orin", "NVIDIA Jetson Orin (CPU)", "cortex-a78ae", 12),
    Preset("graviton-2", "AWS Graviton 2", "neoverse-n1", 64),
    Preset("graviton-3", "AWS Graviton 3", "neoverse-v1", 64),
)


def preset_fields(text: str) -> dict[str, Any] | None:
    """The fields that a preset's word means; options after it go first: "jetson-orin -num-cores=6".

    None where the text is no preset's. TargetError where its options cannot be read.
    """
    word, _, options = text.partition(" ")
    preset = next((one for one in PRESETS if one.name == word), None)
    if preset is None or not options.strip():
        return preset.fields if preset else None
    given = fields_of(text)
    return None if given is None else {**preset.fields, **given, "kind": "llvm"}


def telling_features(fields: dict[str, Any]) -> tuple[str, ...]:
    """What a processor has for networks, in a person's words, as LLVM knows it."""
    from tvm.target import Target, codegen

    has = set(map(str, codegen.llvm_get_cpu_features(Target(fields))))
    return tuple(word for name, word in _TELLING.items() if name in has)
