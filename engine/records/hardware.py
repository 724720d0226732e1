"""What a project is tuned for, in data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Hardware:
    """A target as TVM describes it, `text`; all is unknown where that is empty.

    `device` is the title of the device that it is for, empty where it names only an architecture.
    `cores` are those that the target names.
    """

    text: str = ""
    device: str = ""
    is_cpu: bool = False
    is_remote: bool = False
    cores: int = 1


UNKNOWN = Hardware()


def hardware_of(text: str, title: str) -> Hardware:
    """The hardware of a target, given as TVM's JSON and with the title that it was given."""
    try:
        fields: Any = json.loads(text)
        kind, arch = fields["kind"], fields.get("arch", "")
        cores, is_remote = fields.get("num-cores", 1), "://" in str(fields.get("tag", ""))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return UNKNOWN
    is_cpu = kind == "llvm"
    device = title if is_cpu else title.removesuffix(f" as {arch}")
    if is_remote and not is_cpu:
        device = ""
    return Hardware(text, device, is_cpu, is_remote, cores if type(cores) is int else 1)
