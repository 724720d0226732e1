"""A donor: another model's record, whose trace may serve a task of the same class."""

from __future__ import annotations

from dataclasses import dataclass

from engine.records.options import Latency, Real, Seconds
from engine.records.task import TensorSpec


@dataclass(frozen=True, slots=True)
class Donor:
    """The record of one task of another project.

    `place` is the file it comes from. `target` is TVM's JSON text, `trace` TVM's JSON text with
    its SHA-256 `trace_key`. `latency_s` was measured there, on `target_title`: it ranks donors
    and is never shown as a result here. `fingerprint` is its task's.
    """

    model: str
    task: str
    op_class: str
    args: tuple[TensorSpec, ...]
    flops: Real
    latency_s: Latency
    untuned_latency_s: Seconds | None
    trace: str
    trace_key: str
    fingerprint: str
    target: str
    target_title: str
    tvm_version: str
    place: str
    at: Seconds = 0.0
