"""Random programs, random stages of them, and a machine that runs a plan in any order."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.deploy.plan import Plan
from engine.tasks.dataflow import Dataflow, Step
from engine.tasks.task import TensorSpec

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
        self._holds: dict[int, int | None] = {}
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
            assert not writes & (others_reads | others_writes)
            assert not reads & others_writes
        assert not reads & writes
        for value in self._flow.steps[step].inputs:
            self._check(value)
        self._holds |= dict.fromkeys(writes)
        self._running.add(step)

    def _end(self, step: int) -> None:
        self._running.remove(step)
        outputs = self._flow.steps[step].outputs
        storages = [self._storage(value) for value in outputs]
        assert len(set(storages)) == len(outputs)
        self._holds |= {s: v for s, v in zip(storages, outputs, strict=True) if s is not None}

    def _check(self, value: int) -> None:
        storage = self._storage(value)
        assert storage is None or self._holds[storage] == self._flow.root(value)

    def _storages(self, step: int) -> tuple[set[int], set[int]]:
        reads = map(self._storage, self._flow.steps[step].inputs)
        writes = map(self._storage, self._flow.steps[step].outputs)
        return {s for s in reads if s is not None}, {s for s in writes if s is not None}

    def _storage(self, value: int) -> int | None:
        buffer = self._plan["buffers"][value]
        storage: int | None = buffer.get("storage")
        if storage is not None:
            assert buffer["bytes"] <= self._plan["storage_bytes"][storage] or "root" in buffer
        return storage
