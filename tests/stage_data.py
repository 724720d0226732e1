"""A made-up schedule of a network with branches: the search is real, the device is not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.ios.choosing import fastest
from engine.ios.cost_table import CostTable, StageCosts
from engine.ios.finding import Look, ScheduleSearch
from engine.ios.keys import graph_of, kernel_keys
from engine.ios.tradeoffs import tradeoffs
from engine.records.network import Operator
from engine.records.schedule import FoundSchedule, IosOptions, WayResult
from engine.records.snapshot import Snapshot
from engine.records.task import TensorSpec
from tests.engine.ios.dags import Device
from tests.samples import make_task, make_trial

DEVICE = "cpu made-up x8"
OPTIONS = IosOptions(seconds=30.0)
FOUND_AT = 2e9
LAUNCH_S = 2e-6  # of a stage
BRANCHES = (
    ("conv2d1_add_relu",),
    ("conv2d2_add_relu", "conv2d3_add_relu"),
    ("conv2d4_add_relu", "conv2d5_add_relu", "conv2d6_add_relu"),
    ("max_pool2d", "conv2d7_add_relu"),
)
MERGEABLE = {"conv2d1_add_relu", "conv2d2_add_relu", "conv2d4_add_relu"}
# By kind: latency alone in us, and the share of the device that it occupies.
FIGURES = {
    "conv2d_add_relu": (38.0, 0.9),
    "conv2d1_add_relu": (14.0, 0.9),
    "conv2d2_add_relu": (10.0, 0.9),
    "conv2d3_add_relu": (31.0, 0.5),
    "conv2d4_add_relu": (5.0, 0.9),
    "conv2d5_add_relu": (12.0, 0.25),
    "conv2d6_add_relu": (17.0, 0.3),
    "conv2d7_add_relu": (7.0, 0.2),
    "max_pool2d": (9.0, 0.3),
    "concatenate": (6.0, 0.6),
    "adaptive_avg_pool2d": (5.0, 0.4),
}


def network(modules: int) -> tuple[Operator, ...]:
    """A convolution, modules of four branches, a pool."""
    made: list[Operator] = []
    kinds = list(FIGURES)
    output = TensorSpec((1, 28, 28, 64), "float32")

    def op(kind: str, *inputs: int) -> int:
        number, task = len(made), kinds.index(kind)
        made.append(Operator(number, f"fused_{kind}", kind, task, inputs, output, 1e8))
        return number

    last = op("conv2d_add_relu")
    for _ in range(modules):
        ends = []
        for branch in BRANCHES:
            end = last
            for kind in branch:
                end = op(kind, end)
            ends.append(end)
        last = op("concatenate", *ends)
    op("adaptive_avg_pool2d", last)
    return tuple(made)


def branched_snapshot(modules: int = 3, searched: bool = True) -> Snapshot:
    """A project of a network with branches; with its `schedule` where it was searched."""
    operators = network(modules)
    weights = Counter(operator.task for operator in operators)
    tasks = tuple(
        make_task(index, f"fused_{kind}", 3e-6 * seconds, weight=weights[index])
        for index, (kind, (seconds, _)) in enumerate(FIGURES.items())
    )
    trials = tuple(
        replace(make_trial(index + 1, index, seconds * 1e-6), at=FOUND_AT - 100)
        for index, (seconds, _) in enumerate(FIGURES.values())
    )
    snapshot = Snapshot(
        path="/nowhere/branched.tune",
        model_name="test data (branched)",
        model_source="sample:test-data",
        target=DEVICE,
        tasks=tasks,
        operators=operators,
        trials=trials,
    )
    return replace(snapshot, schedule=find(snapshot)[0]) if searched else snapshot


def find(
    snapshot: Snapshot, options: IosOptions = OPTIONS, ended: str = "exact"
) -> tuple[FoundSchedule, list[Look]]:
    """The schedule that a search finds on the made-up device, and its turns."""
    operators, tasks = snapshot.operators, snapshot.tasks
    figures = [FIGURES[operator.op_class] for operator in operators]
    alone = tuple(seconds * 1e-6 for seconds, _ in figures)
    device = Device(alone, tuple(share for _, share in figures), merged=0.55)
    traces = {tasks[trial.task].fingerprint: trial.trace for trial in snapshot.trials}
    keys = kernel_keys(operators, tasks, traces)
    graph, costs = graph_of(operators), StageCosts(CostTable(DEVICE, 1), keys)

    def mergeable(chosen: tuple[int, ...]) -> bool:
        kinds = {operators[operator].op_class for operator in chosen}
        inputs = {operators[operator].inputs for operator in chosen}
        return kinds <= MERGEABLE and len(inputs) == 1

    search = ScheduleSearch(graph, costs, options, mergeable)
    looks = []
    for look in search.looks():
        for stage in look.wanted:
            costs.put(stage, device.latency(stage) + LAUNCH_S)
        looks.append(look)
    schedules = search.schedules()
    ways = tuple(
        WayResult(
            str(way),
            len(schedule.stages),
            schedule.latency_s,
            schedule.latency_s * 1.03,
            int(1e6 + 1e5 * max(len(stage.groups) for stage in schedule.stages)),
        )
        for way, schedule in schedules.items()
    )
    way = fastest({each.way: [each.measured_s or 1.0] * 5 for each in ways})
    chosen = next(schedule for name, schedule in schedules.items() if str(name) == way)
    eager = WayResult("sequential_eager", graph.n, None, 1.2 * sum(alone), 1_100_000)
    return FoundSchedule(
        schedule=chosen,
        way=way,
        stage_s=tuple(costs.get(stage) or 1e-6 for stage in chosen.stages),
        alone_s=tuple(seconds + LAUNCH_S for seconds in alone),
        kernels=keys,
        options=options,
        search=replace(search.state(), seconds=71.0, seconds_left=None),
        ended=ended,
        created_at=FOUND_AT,
        ways=(eager, *ways),
        tradeoffs=tradeoffs(graph, costs, options, mergeable),
    ), looks
