"""Donors to and from rows of the library; every column of a row is checked when it is read."""

from __future__ import annotations

from typing import Any

from engine.passes.donor import Donor
from engine.records.task import TensorSpec
from engine.storage.fields import Malformed, Row, clean, dump, integers
from engine.storage.packing import pack_text, unpack_text


def donor_row(donor: Donor) -> dict[str, Any]:
    """A donor with its trace packed."""
    untuned_s = donor.untuned_latency_s
    return {
        "model": clean(donor.model),
        "task": clean(donor.task),
        "op_class": clean(donor.op_class),
        "args": dump([[arg.shape, arg.dtype] for arg in donor.args]),
        "flops": float(donor.flops),
        "latency_s": float(donor.latency_s),
        "untuned_latency_s": untuned_s if untuned_s is None else float(untuned_s),
        "trace": pack_text(donor.trace),
        "trace_key": donor.trace_key,
        "fingerprint": donor.fingerprint,
        "target": donor.target,
        "target_title": clean(donor.target_title),
        "tvm_version": donor.tvm_version,
        "place": clean(donor.place),
        "at": float(donor.at),
    }


def read_donor(row: Row) -> Donor:
    """A donor; raises Malformed."""
    latency_s = row.real("latency_s")
    args = row.json("args")
    if not latency_s > 0 or type(args) is not list:
        raise Malformed("donors")
    return Donor(
        model=row.text("model"),
        task=row.text("task"),
        op_class=row.text("op_class"),
        args=tuple(map(_read_spec, args)),
        flops=row.real("flops"),
        latency_s=latency_s,
        untuned_latency_s=row.optional("untuned_latency_s", row.real),
        trace=unpack_text(row.blob("trace")),
        trace_key=row.text("trace_key"),
        fingerprint=row.text("fingerprint"),
        target=row.text("target"),
        target_title=row.text("target_title"),
        tvm_version=row.text("tvm_version"),
        place=row.text("place"),
        at=row.real("at"),
    )


def _read_spec(value: Any) -> TensorSpec:
    if type(value) is not list or len(value) != 2 or type(value[1]) is not str:
        raise Malformed("a tensor")
    return TensorSpec(integers(value[0]), value[1])
