"""Targets of remote devices: what a person says of a device that cannot be asked here."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from engine.records.addresses import (
    SCHEMES,
    DaskAddress,
    RemoteAddress,
    is_loopback,
    is_remote,
    parse_remote,
)
from engine.records.devices import cuda_index
from engine.records.errors import TargetError
from engine.records.machine import TargetSpec, host_fields, local_cuda
from engine.records.sentences import Sentence

_EXAMPLE = Sentence(
    'Give its target, such as raspberry-pi-4 or {"kind": "llvm", "mcpu": '
    '"cortex-a72", "mtriple": "aarch64-linux-gnu", "num-cores": 4}.'
)


def split_remote(text: str) -> tuple[str, str] | None:
    """The address and the target in "rpc://HOST:PORT/KEY TARGET"; None where it is no such text.

    TVM's JSON with the address as its tag, which is how a project remembers it, is one too.
    """
    if is_remote(text):
        address, _, target = text.partition(" ")
        return address, target.strip()
    if not any(scheme in text for scheme in SCHEMES):
        return None
    try:
        described = json.loads(text)
        address = described.pop("tag")
    except (ValueError, RecursionError, LookupError, AttributeError):
        return None
    return str(address), json.dumps(described)


def as_remote(address: str, fields: dict[str, Any]) -> TargetSpec:
    """The target of the device at an address, from TVM's fields of it. TargetError."""
    place = parse_remote(address)
    kind = fields["kind"]
    if kind == "cuda":
        title, cores = f"cuda {fields.get('arch', '')} at {place.key}", 1
    elif kind == "llvm":
        cores = _cores(fields, place)
        name = fields.get("mcpu") or fields.get("mtriple", "").partition("-")[0] or "generic"
        title = f"cpu {name} at {place.key} x{cores}"
    else:
        raise TargetError(
            Sentence("A remote device of kind {kind} cannot be tuned.", kind=kind),
            "Its kind must be llvm or cuda.",
        )
    text = json.dumps({**fields, "tag": str(place)}, sort_keys=True)
    return TargetSpec(text, title, "cuda:0" if kind == "cuda" else "cpu", cores, str(place))


def without_scheduler(spec: TargetSpec) -> TargetSpec:
    """The target as if it were here, where its address is a Dask scheduler's: unlike a key of
    TVM's servers, that says nothing of the device, and what is found must not depend on it."""
    if not spec.remote or not isinstance(parse_remote(spec.remote), DaskAddress):
        return spec
    fields = json.loads(spec.text)
    del fields["tag"]
    return replace(spec, text=json.dumps(fields, sort_keys=True), remote="")


def presumed_fields(address: str, target: str) -> dict[str, Any] | None:
    """The fields of a device that is named by a word: a cluster's worker is asked, and a device
    behind loopback is this machine's.

    None where the text is a target of TVM's. TargetError where the device is elsewhere, or none.
    """
    word = target or "auto"
    if word not in ("auto", "cpu") and word.partition(":")[0] != "cuda":
        return None
    index = None if word in ("auto", "cpu") else cuda_index(word)
    place = parse_remote(address)
    if isinstance(place, DaskAddress):
        from engine.targets.cluster_target import ask_target

        return ask_target(place, word)
    if not is_loopback(place.host):
        raise TargetError(
            Sentence("What {key} is cannot be found out from here.", key=place.key), _EXAMPLE
        )
    if index is not None:
        found: dict[str, Any] = json.loads(local_cuda(index).text)
        return found
    return host_fields()


def _cores(fields: dict[str, Any], place: RemoteAddress) -> int:
    cores = int(fields.get("num-cores", 0))
    if cores < 1:
        raise TargetError(
            Sentence("How many cores {key} has is not told.", key=place.key), _EXAMPLE
        )
    return cores
