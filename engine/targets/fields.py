"""Which fields of a target are taken, and what each may hold: a target may come from a stranger."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.records.errors import TargetError
from engine.records.sentences import Sentence

FORM = Sentence(
    'Write auto, cpu, cuda, a TVM tag, or JSON such as {"kind": "llvm", "mcpu": "x86-64-v3"}.'
)

# LLVM's own command line ("cl-opt") loads libraries and writes files, "libs" calls functions that
# TVM's package has not, "from_device" asks whatever device it names: they and their like are not
# taken. No text has a blank, for TVM writes targets as lines of options into what it compiles.
_NAME = r"[A-Za-z0-9][\w.+-]{0,63}"
# LLVM crashes where it is asked for the processors of a machine that it does not know.
_MACHINES = (
    r"x86_64|i[3-6]86|aarch64|arm64|arm(v[678][al]?)?|riscv(32|64)|(powerpc|ppc)64(le)?|s390x"
    r"|loongarch64"
)
_TEXTS = {
    "kind": _NAME,
    "tag": r"[\w.+/:\[\]-]{0,400}",
    "device": _NAME,
    "model": _NAME,
    "mcpu": _NAME,
    "mtriple": rf"({_MACHINES})(-[\w.]{{1,32}}){{0,4}}",
    "mabi": _NAME,
    "mfloat-abi": "hard|soft",
    "arch": r"sm_\d{2,3}[a-z]?",
}
_LISTS = {"keys": _NAME, "mattr": r"[+-][A-Za-z0-9][\w.-]{0,63}"}
_LONGEST = 300  # LLVM knows fewer features of any architecture
_MOST = 2**31 - 1
_NUMBERS = {
    "num-cores": (-_MOST, _MOST),  # whether it is too few is said where cores are looked at
    "vector-width": (1, 4096),
    "opt-level": (0, 3),
    "thread_warp_size": (1, 1024),
    **dict.fromkeys(
        (
            *("max_num_threads", "max_threads_per_block", "max_shared_memory_per_block"),
            *("registers_per_block", "l2_cache_size_bytes"),
        ),
        (1, _MOST),
    ),
}
_FLAG = re.compile(r"fast-math(-(nnan|ninf|nsz|arcp|contract|reassoc))?|feature\.\w{1,64}")
_HOST = "host"


def require_fields(fields: Mapping[str, Any]) -> None:
    """TargetError unless each field, the host's included, is one that is taken and its value is
    of the form that it has. Whether LLVM knows what it names is not asked."""
    for name, value in fields.items():
        if name == _HOST:
            _require_host(value)
        elif not _is_known(name):
            raise TargetError(
                Sentence("The field {name!r} of a target is not taken.", name=name[:40]), FORM
            )
        elif not _suits(name, value):
            shown = repr(value)
            shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
            raise TargetError(
                Sentence("A target's {name} cannot be {shown}.", name=name, shown=shown), FORM
            )


def _require_host(host: Any) -> None:
    kind = host.get("kind") if isinstance(host, Mapping) else host
    if kind != "llvm":
        raise TargetError("A target's host must be of kind llvm.", FORM)
    if isinstance(host, Mapping):
        require_fields(host)


def _is_known(name: str) -> bool:
    return name in {*_TEXTS, *_LISTS, *_NUMBERS} or _FLAG.fullmatch(name) is not None


def _suits(name: str, value: Any) -> bool:
    if name in _TEXTS:
        return _is_text(_TEXTS[name], value)
    if name in _LISTS:
        return (
            isinstance(value, list)
            and len(value) <= _LONGEST
            and all(_is_text(_LISTS[name], item) for item in value)
        )
    if name in _NUMBERS:
        least, most = _NUMBERS[name]
        return type(value) is int and least <= value <= most
    return type(value) is bool


def _is_text(form: str, value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(form, value, re.ASCII) is not None
