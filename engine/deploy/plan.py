"""A plan: kernels in order over buffers at fixed places, as plain JSON-ready data."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.records.schedule import Stage
from engine.records.task import byte_size
from engine.tasks.dataflow import Dataflow

FORMAT = 2

Plan = dict[str, Any]
Groups = Sequence[Sequence[int]]  # of one stage: indices of steps


def make_plan(
    flow: Dataflow,
    output_names: tuple[str, ...],
    stages: Sequence[Stage | Groups] | None = None,
    writers: Mapping[int, Sequence[int]] | None = None,
) -> Plan:
    """The plan of a program, one step after another where there are no `stages`.

    `buffers` lists the tensors by value id: shape, dtype, bytes and place, which is a storage (of
    `storage_bytes`), a byte offset in the weights file, or an input; null where nothing touches
    one. Values that are views share a place with the buffer `root`. `steps` names a kernel and
    its buffers, inputs before outputs, `stages` lists the groups of each stage, which run side
    by side, as indices of steps. `writers` holds the steps that write a buffer, by its index,
    where several do; a step without buffers does nothing. Raises ValueError where the stages do
    not fit.
    """
    weights, weights_size = _weights(flow)
    plan = {
        "format": FORMAT,
        "storage_bytes": [],
        "weights_bytes": weights_size,
        "buffers": _buffers(flow, weights),
        "inputs": [{"name": flow.values[i].name, "buffer": i} for i in flow.inputs],
        "outputs": [
            {"name": name, "buffer": value}
            for name, value in zip(output_names, flow.outputs, strict=True)
        ],
        "steps": [[step.function, [*step.inputs, *step.outputs]] for step in flow.steps],
        "writers": {str(value): list(steps) for value, steps in (writers or {}).items()},
        "stages": [],
    }
    return with_stages(plan, sequential(len(flow.steps)) if stages is None else stages)


def sequential(steps: int) -> list[Groups]:
    """The stages of a program whose steps run one after another."""
    return [((step,),) for step in range(steps)]


def with_stages(plan: Plan, stages: Sequence[Stage | Groups]) -> Plan:
    """The same program in other stages, its buffers placed anew.

    Buffers share a storage only where one is done with before the other is written, whatever
    order groups of a stage run in. Raises ValueError where the plan does not say what its views
    are of, the stages are not all steps, each once, or a step runs before or beside one that it
    reads from.
    """
    if plan["format"] < FORMAT:
        raise ValueError(f"The plan is of format {plan['format']}, which has no stages.")
    chosen = [groups_of(stage) for stage in stages]
    lifetimes = _lifetimes(plan, _moments(plan, chosen), end=len(chosen))
    placement = place(lifetimes)
    return _placed(plan, chosen, placement.storage_of, list(placement.sizes))


def apart(plan: Plan) -> Plan:
    """The same plan with a storage for each buffer, so that none is ever written over."""
    roots = [i for i, buffer in enumerate(plan["buffers"]) if _owns_storage(i, buffer)]
    sizes = [plan["buffers"][root]["bytes"] for root in roots]
    storage_of = {root: index for index, root in enumerate(roots)}
    return _placed(plan, plan["stages"], storage_of, sizes)


def peak_bytes(plan: Plan) -> int:
    """Bytes that the intermediates take: all storages, from the first stage to the last."""
    return sum(plan["storage_bytes"])


def weight_places(flow: Dataflow) -> dict[int, int]:
    """Byte offset in the weights file of each constant, by value id."""
    return _weights(flow)[0]


def _buffers(flow: Dataflow, weights: dict[int, int]) -> list[dict[str, Any] | None]:
    touched = {flow.root(value) for step in flow.steps for value in (*step.inputs, *step.outputs)}
    buffers = []
    for value in flow.values:
        root = flow.root(value.id)
        tensor: dict[str, Any] = {
            "shape": list(value.spec.shape),
            "dtype": value.spec.dtype,
            "bytes": byte_size(value.spec),
        }
        if root != value.id:
            tensor["root"] = root
        if root in flow.inputs:
            where = {"input": flow.inputs.index(root)}
        elif root in weights:
            where = {"weights": weights[root]}
        elif root in touched:
            where = {"storage": -1}  # until it is placed
        else:
            where = {}
        buffers.append(tensor | where if where else None)
    return buffers


def groups_of(stage: Stage | Groups) -> list[list[int]]:
    groups = stage.groups if isinstance(stage, Stage) else stage
    return [list(group) for group in groups]


def _owns_storage(index: int, buffer: dict[str, Any] | None) -> bool:
    return buffer is not None and "storage" in buffer and buffer.get("root", index) == index


def _placed(
    plan: Plan, stages: Sequence[Groups], storage_of: dict[int, int], sizes: list[int]
) -> Plan:
    buffers = [
        buffer | {"storage": storage_of[buffer.get("root", index)]}
        if buffer is not None and "storage" in buffer
        else buffer
        for index, buffer in enumerate(plan["buffers"])
    ]
    return plan | {"buffers": buffers, "storage_bytes": sizes, "stages": stages}


class _Moments:
    """When each step runs: its stage, and its turn there."""

    def __init__(self, stages: Sequence[Groups], steps: int) -> None:
        self.stage_of: dict[int, int] = {}
        self.turn_of: dict[int, Turn] = {}
        for stage, groups in enumerate(stages):
            for group, members in enumerate(groups):
                for position, step in enumerate(members):
                    if step in self.stage_of or not 0 <= step < steps:
                        raise ValueError(f"The stages hold step {step}, of {steps}, wrongly.")
                    self.stage_of[step] = stage
                    self.turn_of[step] = (group, position)
        if missing := set(range(steps)) - set(self.stage_of):
            raise ValueError(f"The stages miss step {min(missing)}.")

    def in_order(self, earlier: int, later: int) -> bool:
        """Whether the one step has surely ended when the other starts."""
        if self.stage_of[earlier] != self.stage_of[later]:
            return self.stage_of[earlier] < self.stage_of[later]
        one, other = self.turn_of[earlier], self.turn_of[later]
        return one[0] == other[0] and one[1] < other[1]


def _moments(plan: Plan, stages: Sequence[Groups]) -> _Moments:
    moments = _Moments(stages, len(plan["steps"]))
    for use in _uses(plan):
        for writer, reader in itertools.product(use.writers, use.readers):
            if not moments.in_order(writer, reader):
                raise ValueError(f"Step {reader} reads what step {writer} writes too late.")
    return moments


@dataclass(frozen=True, slots=True)
class _Use:
    """A buffer that owns a storage, with the steps that write it and those that read it."""

    root: int
    writers: list[int]
    readers: list[int]


def _uses(plan: Plan) -> Iterator[_Use]:
    """Of the steps that touch a buffer the first in the order of the program is the one that
    writes it, unless the plan names several."""
    users: defaultdict[int, list[int]] = defaultdict(list)
    for step, (_, arguments) in enumerate(plan["steps"]):
        for root in dict.fromkeys(_root(plan, index) for index in arguments):
            if "storage" in plan["buffers"][root]:
                users[root].append(step)
    named = plan.get("writers", {})
    for root, steps in users.items():
        writers = named.get(str(root), steps[:1])
        yield _Use(root, writers, [step for step in steps if step not in writers])


def _root(plan: Plan, index: int) -> int:
    root: int = plan["buffers"][index].get("root", index)
    return root


def _lifetimes(plan: Plan, moments: _Moments, end: int) -> list[Lifetime]:
    outputs = {_root(plan, item["buffer"]) for item in plan["outputs"]}
    lifetimes = []
    for use in _uses(plan):
        users = [*use.writers, *use.readers]
        first = min(moments.stage_of[step] for step in use.writers)
        last = max(moments.stage_of[step] for step in users)
        begun = [moments.turn_of[step] for step in use.writers if moments.stage_of[step] == first]
        ended = [moments.turn_of[step] for step in users if moments.stage_of[step] == last]
        written, used = _in_one_group(begun, min), _in_one_group(ended, max)
        if use.root in outputs:
            last, used = end, None
        size = plan["buffers"][use.root]["bytes"]
        lifetimes.append(Lifetime(use.root, size, first, last, written, used))
    return lifetimes


def _in_one_group(turns: list[Turn], which: Callable[[list[Turn]], Turn]) -> Turn | None:
    return which(turns) if len({group for group, _ in turns}) == 1 else None


def _weights(flow: Dataflow) -> tuple[dict[int, int], int]:
    offsets, end = {}, 0
    used = {flow.root(value) for step in flow.steps for value in step.inputs}
    used |= {flow.root(value) for value in flow.outputs}
    for value in flow.values:
        if value.kind == "constant" and value.id in used:
            offsets[value.id] = end
            end += -(-byte_size(value.spec) // 64) * 64
    return offsets, end


Turn = tuple[int, int]  # a group of a stage, and a position in that group's sequence


@dataclass(frozen=True, slots=True)
class Lifetime:
    """A buffer of `size` bytes that is live from stage `first` to stage `last`, both included.

    Groups of one stage run side by side, so a stage is shared by two buffers only where one
    group uses both, one after the other: `written` is the turn that first writes the buffer,
    `used` the last turn that touches it, None where several groups of that stage do.
    """

    id: int
    size: int
    first: int
    last: int
    written: Turn | None = None
    used: Turn | None = None

    def ends_before(self, other: Lifetime) -> bool:
        """Whether nothing touches this buffer any more when the other is first written."""
        if self.last != other.first:
            return self.last < other.first
        if self.used is None or other.written is None:
            return False
        return self.used[0] == other.written[0] and self.used[1] < other.written[1]


@dataclass(frozen=True, slots=True)
class Placement:
    """The storage of each buffer, and the size of each storage in bytes."""

    storage_of: dict[int, int]
    sizes: tuple[int, ...]


def place(lifetimes: list[Lifetime]) -> Placement:
    """Largest first, each into the first storage whose buffers are dead while it lives.

    Storages rather than offsets in one arena: TVM's kernels refuse a tensor whose byte offset
    is not zero. The order is greedy by size (Pisarchyk and Lee 2020, arXiv:2001.03288).
    """
    storages: list[list[Lifetime]] = []
    storage_of: dict[int, int] = {}
    for buffer in sorted(lifetimes, key=_order):
        free = (
            index
            for index, held in enumerate(storages)
            if all(buffer.ends_before(other) or other.ends_before(buffer) for other in held)
        )
        index = next(free, len(storages))
        if index == len(storages):
            storages.append([])
        storages[index].append(buffer)
        storage_of[buffer.id] = index
    return Placement(storage_of, tuple(held[0].size for held in storages))


def _order(buffer: Lifetime) -> tuple[int, int, Turn, int]:
    return -buffer.size, buffer.first, buffer.written or (0, 0), buffer.id
