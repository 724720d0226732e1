"""Random programs, random stages of them, and a machine that runs a plan in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from engine.deploy.plan import Plan
from engine.records.task import TensorSpec
from engine.tasks.dataflow import Dataflow, Step

Stages = list[list[list[int]]]

sizes = st.integers(0, 6).map(lambda size: TensorSpec((size,), "float32"))


@st.composite
def flows(draw: st.DrawFn) -> Dataflow:
    """Programs of up to 12 steps with views, constants and results that nobody reads.

    They read from the first values, or from any: so there are wide ones and deep ones.
    """
    flow = Dataflow()
    flow.inputs = tuple(flow.add(draw(sizes), "input", name=f"x{i}") for i in range(2))
    flow.add(draw(sizes), "constant")
    for _ in range(draw(st.integers(1, 12))):
        reach = draw(st.sampled_from((4, len(flow.values))))
        values = st.sampled_from(range(min(reach, len(flow.values))))
        if draw(st.integers(0, 3)) == 3:
            flow.add(draw(sizes), "intermediate", alias_of=draw(values))
        read = draw(st.lists(values, min_size=1, max_size=3))
        written = [flow.add(draw(sizes), "intermediate") for _ in range(draw(st.integers(1, 2)))]
        flow.steps.append(Step("f", tuple(read), tuple(written)))
    values = st.sampled_from(range(len(flow.values)))
    flow.outputs = tuple(draw(st.lists(values, min_size=1, max_size=3)))
    return flow


def joined(flow: Dataflow, parts: Sequence[int]) -> tuple[Dataflow, dict[int, tuple[int, ...]]]:
    """The program with one value more, which these steps write instead of their one output, and
    which a step at its end reads; and who writes it."""
    whole = Dataflow(list(flow.values), list(flow.steps), flow.inputs, flow.outputs)
    value = whole.add(TensorSpec((7,), "float32"), "intermediate")
    for step in parts:
        whole.steps[step] = replace(whole.steps[step], outputs=(value,))
    result = whole.add(TensorSpec((2,), "float32"), "intermediate")
    whole.steps += [Step("concatenate", (), ()), Step("f", (value,), (result,))]
    whole.outputs = (*whole.outputs, result)
    return whole, {value: tuple(parts)}


def unread(flow: Dataflow) -> list[int]:
    """The steps whose one output nothing reads."""
    read = {flow.root(value) for step in flow.steps for value in step.inputs}
    read |= {flow.root(value) for value in flow.outputs}
    return [
        number
        for number, step in enumerate(flow.steps)
        if len(step.outputs) == 1 and not read.intersection(step.outputs)
    ]


@st.composite
def stages_of(draw: st.DrawFn, flow: Dataflow) -> Stages:
    """A random partition into stages and groups that respects what reads from what."""
    stages: Stages = []
    group_of: dict[int, int] = {}  # of the root that a step of the last stage writes
    for index, step in enumerate(flow.steps):
        groups = {group_of[flow.root(i)] for i in step.inputs if flow.root(i) in group_of}
        if not stages or len(groups) > 1 or draw(st.integers(0, 4)) == 4:
            stages.append([])
            group_of, groups = {}, set()
        group = groups.pop() if groups else draw(st.integers(0, len(stages[-1])))
        if group == len(stages[-1]):
            stages[-1].append([])
        stages[-1][group].append(index)
        group_of |= dict.fromkeys(step.outputs, group)
    return stages


@st.composite
def orders(draw: st.DrawFn, stages: Stages) -> list[list[int]]:
    """For each stage the groups in the order in which one of their steps starts or ends."""
    events = [
        [group for group, steps in enumerate(groups) for _ in range(2 * len(steps))]
        for groups in stages
    ]
    return [draw(st.permutations(stage)) for stage in events]


class Machine:
    """Runs a plan over storages that know whose value they hold, and who is at work on them."""

    def __init__(self, flow: Dataflow, plan: Plan) -> None:
        self._flow = flow
        self._plan = plan
        self._writers = {int(value): set(steps) for value, steps in plan["writers"].items()}
        self._holds: dict[int, int | None] = {}
        self._done: dict[int, set[int]] = {}  # the steps that have written a value of several
        self._running: set[int] = set()

    def run(self, orders: list[list[int]]) -> None:
        """Each step's inputs are there, and stay until it ends; so are the outputs at the end."""
        for groups, order in zip(self._plan["stages"], orders, strict=True):
            events = [[event for step in group for event in (step, step)] for group in groups]
            for group in order:
                step = events[group].pop(0)
                if step in self._running:
                    self._end(step)
                else:
                    self._start(step)
            assert not self._running
        for value in self._flow.outputs:
            self._check(value)

    def _start(self, step: int) -> None:
        reads, writes = self._storages(step)
        for other in self._running:
            others_reads, others_writes = self._storages(other)
            if not self._share(step, other):
                assert not writes & (others_reads | others_writes)
            assert not reads & others_writes
        assert not reads & writes
        for value in self._flow.steps[step].inputs:
            self._check(value)
        self._running.add(step)
        for value in self._flow.steps[step].outputs:
            if not self._done.get(value):  # else a part of it is there
                self._holds[self._place(value)] = None

    def _end(self, step: int) -> None:
        self._running.remove(step)
        outputs = self._flow.steps[step].outputs
        storages = [self._place(value) for value in outputs]
        assert len(set(storages)) == len(outputs)
        for storage, value in zip(storages, outputs, strict=True):
            self._finish(step, storage, value)

    def _finish(self, step: int, storage: int, value: int) -> None:
        others = self._done.setdefault(value, set())
        assert not others or self._holds[storage] == value  # nobody wrote over the parts
        others.add(step)
        self._holds[storage] = value

    def _share(self, step: int, other: int) -> bool:
        """Whether both write parts of one value."""
        return any({step, other} <= steps for steps in self._writers.values())

    def _check(self, value: int) -> None:
        storage = self._storage(value)
        root = self._flow.root(value)
        assert storage is None or self._holds[storage] == root
        assert self._done.get(root, set()) >= self._writers.get(root, set())

    def _storages(self, step: int) -> tuple[set[int], set[int]]:
        reads = map(self._storage, self._flow.steps[step].inputs)
        writes = map(self._storage, self._flow.steps[step].outputs)
        return {s for s in reads if s is not None}, {s for s in writes if s is not None}

    def _place(self, value: int) -> int:
        storage = self._storage(value)
        assert storage is not None
        return storage

    def _storage(self, value: int) -> int | None:
        buffer = self._plan["buffers"][value]
        storage: int | None = buffer.get("storage")
        if storage is not None:
            assert buffer["bytes"] <= self._plan["storage_bytes"][storage] or "root" in buffer
        return storage
