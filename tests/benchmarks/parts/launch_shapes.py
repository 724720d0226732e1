"""How a project's tuned kernels are launched on a GPU: read from their schedules."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.project.repository import Project

_BOUND = re.compile(r'thread_binding\((?:T\.int64\()?(\d+)\)?, thread="(\w+\.\w)"')
_KERNEL = re.compile(r"^(?= {4}for)", re.MULTILINE)  # a loop straight within the root block


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel's blocks, and threads of each."""

    blocks: int
    threads: int


def launches_of(project: Project) -> dict[int, Launch]:
    """The launch of each tuned task of a GPU's project, by index. Blocks for seconds."""
    import tvm

    from engine.jobs.records import Records
    from engine.search.task_search import apply_trace

    workloads = {task.index: task.workload for task in project.tasks()}
    found = {}
    for index, trace in Records.of(project).traces.items():
        try:
            schedule = apply_trace(tvm.ir.load_json(workloads[index]), trace)
        except Exception:  # of many kinds of TVM's; a profile without its launch is worth having
            continue
        if launch := launch_of(schedule.mod["main"]):
            found[index] = launch
    return found


def launch_of(function: Any) -> Launch | None:
    """Blocks and threads of a scheduled function: of the kernel that takes most lines, where others
    prepare weights or add up partial sums. None where it is bound to no threads."""
    kernels = _KERNEL.split(function.script(show_meta=False))
    found = _BOUND.findall(max(kernels, key=len))
    extents = {tag: int(extent) for extent, tag in found}
    if not extents:
        return None
    sizes = {
        kind: math.prod(size for tag, size in extents.items() if tag.startswith(kind))
        for kind in ("blockIdx", "threadIdx")
    }
    return Launch(sizes["blockIdx"], sizes["threadIdx"])
