"""Which instructions a CPU target asks for that this machine's processor lacks."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from engine.records.machine import TargetSpec, host_fields

_CPUINFO = Path("/proc/cpuinfo")

# Of LLVM's features those that are instructions for a compiler to use: others say how fast
# something is, or what an operating system does.
_INSTRUCTIONS = re.compile(
    r"(s?sse|avx|amx|fma|f16c$|bmi|lzcnt$|popcnt$|movbe$|xop$|tbm$|adx$|v?aes$|v?pclmul|gfni$|sha|"
    r"sm[34]$|egpr$|ndd$|ccmp$|push2pop2$|ppx$|nf$|zu$|cmpccxadd$|"
    r"neon$|sve|sme|dotprod$|fullfp16$|fp16fml$|bf16$|i8mm$|lse|fp-armv8$|crypto$)"
)
# Those of an AArch64 that kernels are made of, as LLVM and as Linux call them. Ciphers are none:
# LLVM takes a Cortex-A72 to have them, and a Raspberry Pi's has not.
_ARM_NAMES = {
    "fp-armv8": "fp",
    "neon": "asimd",
    "fullfp16": "asimdhp",
    "rdm": "asimdrdm",
    "dotprod": "asimddp",
    "fp16fml": "asimdfhm",
    "complxnum": "fcma",
    "jsconv": "jscvt",
    "lse": "atomics",
    "rcpc": "lrcpc",
    "i8mm": "i8mm",
    "bf16": "bf16",
    "sve": "sve",
    "sve2": "sve2",
}
# What Linux calls by another name, apart from points and strokes.
_KERNEL_NAMES = {"sse3": "pni", "lzcnt": "abm", "bmi": "bmi1", "pclmul": "pclmulqdq", **_ARM_NAMES}
_TOLD = re.compile(
    r"(s?sse|avx(?!10)|amx|fma|f16c|bmi|lzcnt|popcnt|movbe|v?aes|v?pclmul|gfni)"
    rf"|({'|'.join(_ARM_NAMES)})$"
)
_AARCH64 = ("aarch64-", "arm64-")


def missing_features(target: Any) -> list[str]:
    """The instructions of a `tvm.target.Target` that are not this processor's, in LLVM's words.

    A processor that hides some, as those of virtual machines do, is still the one that LLVM
    takes it for: of that one only what was asked for beside its name can be missing.
    """
    from tvm.target import Target

    host = host_fields()
    asked = {str(name)[1:] for name in target.attrs.get("mattr", ()) or () if str(name)[0] == "+"}
    own = str(target.attrs.get("mcpu", "") or host["mcpu"]) == host["mcpu"]
    wanted = asked if own else _features(target)
    here = _features(Target(host))
    hidden = {name for name in here if _TOLD.match(name)} if (told := _told()) else set()
    here -= {name for name in hidden if _kernel_name(name) not in told}
    return sorted(name for name in wanted - here if _INSTRUCTIONS.match(name))


def told_instructions(spec: TargetSpec) -> list[str]:
    """The instructions that code for a target's processor may use, in Linux's words.

    Of those that LLVM takes a target to have, what this processor has: an export ran here. Of an
    AArch64 elsewhere all that kernels are made of; of another device elsewhere none, as Linux
    says nothing here of its processor, which may hide some.
    """
    from tvm.target import Target

    fields = json.loads(spec.text)
    if spec.is_gpu:
        fields = fields.get("host", {}) if spec.remote else host_fields()
    names = _features(Target({"kind": "llvm", **fields}))
    if not spec.remote:
        return sorted({_kernel_name(name) for name in names if _TOLD.match(name)} & _told())
    is_arm = str(fields.get("mtriple", "")).startswith(_AARCH64)
    return sorted(_ARM_NAMES[name] for name in names & _ARM_NAMES.keys()) if is_arm else []


def _features(target: Any) -> set[str]:
    from tvm.target import codegen

    return set(map(str, codegen.llvm_get_cpu_features(target)))


def _kernel_name(feature: str) -> str:
    return _KERNEL_NAMES.get(feature) or re.sub("[._-]", "", feature)


@cache
def _told() -> frozenset[str]:
    """What Linux says that the processor has; empty where it does not say."""
    try:
        text = _CPUINFO.read_text()
    except OSError:
        return frozenset()
    flags = re.search(r"^(?:flags|Features)\s*: (.*)$", text, re.MULTILINE)
    return frozenset(flags.group(1).replace("_", "").split()) if flags else frozenset()
