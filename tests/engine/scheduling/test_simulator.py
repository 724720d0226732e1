"""The simulator: what depends on what, what it adds up, and recorded stages in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records.stage import Stage
from engine.scheduling.free import Free
from engine.scheduling.interleaved import Interleaved
from engine.scheduling.policy import SchedulingPolicy
from engine.scheduling.registry import SCHEDULING, make_scheduling
from tests.benchmarks.stages.stage_times import LEARNING_SHARE, SOURCES, stage_times
from tests.engine.scheduling.sim_jobs import Round, SimJob
from tests.engine.scheduling.simulator import SimResult, simulate

each_policy = pytest.mark.parametrize("name", SCHEDULING)
ROUND = Round("t", 2.0, (1.0, 1.0), (0.5, 0.25), 0.5)
seconds = st.sampled_from([0.01, 0.3, 1.2, 2.5])
rounds = st.lists(
    st.builds(
        lambda task, search_s, pairs, update_s: Round(
            task,
            search_s,
            tuple(build_s for build_s, _ in pairs),
            tuple(run_s for _, run_s in pairs),
            update_s,
        ),
        st.sampled_from(["a", "b"]),
        seconds,
        st.lists(st.tuples(seconds, st.sampled_from([0.0, 0.02, 0.4])), min_size=1, max_size=4),
        seconds,
    ),
    max_size=3,
)
job_lists = st.lists(st.tuples(rounds, st.booleans(), st.integers(1, 3)), max_size=5)


def run(name: str, jobs: Sequence[SimJob], cores: int = 4) -> SimResult:
    """On machines of so many cores each."""
    groups = {job.group: cores for job in jobs} or {"": cores}
    return simulate(jobs, make_scheduling(name, Free(groups)))


def made(given_: list[tuple[list[Round], bool, int]]) -> list[SimJob]:
    """Jobs on one machine, on its cores or its device."""
    return [
        SimJob(str(n), tuple(some), "cpu" if on_cores else "gpu", "", on_cores, lanes, place=n)
        for n, (some, on_cores, lanes) in enumerate(given_)
    ]


def stages(jobs: Sequence[SimJob]) -> int:
    """How many stages the jobs have."""
    found = [r for job in jobs for r in job.rounds]
    return sum(2 + len(r.builds_s) + sum(run_s > 0 for run_s in r.runs_s) for r in found)


@each_policy
def test_a_round_takes_its_longest_way(name: str) -> None:
    job = SimJob("a", [ROUND], "gpu", "")
    # Both builds end at 3; the runs follow each other on the device; then the update.
    assert run(name, [job]).makespan_s == 2.0 + 1.0 + 0.5 + 0.25 + 0.5
    one_core = run(name, [job], cores=1)
    assert one_core.makespan_s == 2.0 + 1.0 + 1.0 + 0.5 + 0.25 + 0.5
    assert one_core.cores_used == {"": pytest.approx(1.0)}
    assert one_core.devices_used == {"gpu": pytest.approx(0.75 / 5.25)}


@each_policy
def test_a_failed_build_has_no_run_and_ends_its_round_all_the_same(name: str) -> None:
    failed = Round("t", 1.0, (1.0, 1.0), (0.0, 0.0), 0.5)
    result = run(name, [SimJob("a", [failed], "gpu", "")])
    assert result.makespan_s == 2.5
    assert result.devices_used == {}


@each_policy
@settings(max_examples=40, deadline=None)
@given(job_lists)
def test_every_stage_is_carried_out_within_the_bounds(
    name: str, given_: list[tuple[list[Round], bool, int]]
) -> None:
    jobs, cores = made(given_), 3
    result = run(name, jobs, cores)
    alone = sum(
        r.core_s + sum(r.runs_s) * (cores if job.on_cores else 1)
        for job in jobs
        for r in job.rounds
    )
    everything = sum(r.core_s + sum(r.runs_s) for job in jobs for r in job.rounds)
    assert result.stages == stages(jobs)
    assert set(result.completion_s) == {job.name for job in jobs}
    assert result.makespan_s >= alone / cores - 1e-6
    assert max(result.completion_s.values(), default=0.0) == pytest.approx(result.makespan_s)
    assert all(0 <= share <= 1 + 1e-9 for share in result.devices_used.values())
    if SCHEDULING[name].exclusive:
        assert result.disturbed_s == 0
        assert result.makespan_s <= everything + 1e-6
        assert result.cores_used[""] == pytest.approx(
            alone / cores / result.makespan_s if result.makespan_s else 0.0
        )


@each_policy
@settings(max_examples=15, deadline=None)
@given(job_lists)
def test_a_simulation_gives_the_same_again(
    name: str, given_: list[tuple[list[Round], bool, int]]
) -> None:
    assert run(name, made(given_)) == run(name, made(given_))


def test_sequential_jobs_follow_each_other_and_interleaved_ones_fill_the_cores() -> None:
    jobs = [SimJob(str(n), [ROUND] * 4, "gpu", "", place=n, lanes=1) for n in range(3)]
    alone_s = run("sequential", jobs[:1]).makespan_s
    sequential, interleaved = run("sequential", jobs), run("interleaved", jobs)
    assert sequential.completion_s == {str(n): pytest.approx((n + 1) * alone_s) for n in range(3)}
    assert interleaved.makespan_s < sequential.makespan_s / 1.5
    assert interleaved.disturbed_s == 0


def test_jobs_on_machines_of_their_own_do_not_wait_for_each_other() -> None:
    jobs = [SimJob(name, [ROUND] * 4, f"gpu {name}", name) for name in "ab"]
    for name in SCHEDULING:
        both, one = run(name, jobs), run(name, jobs[:1])
        assert both.completion_s == {"a": one.makespan_s, "b": one.makespan_s}


def test_parallel_jobs_disturb_each_others_measurements() -> None:
    jobs = [SimJob(str(n), [ROUND] * 4, "cpu", "", on_cores=True) for n in range(2)]
    result = run("parallel", jobs)
    assert 0 < result.disturbed_s <= result.measured_s


def test_a_job_that_comes_late_completes_in_its_own_time() -> None:
    jobs = [
        SimJob("a", [ROUND], "gpu", ""),
        SimJob("b", [ROUND], "gpu", "", place=1, arrives_s=100.0),
    ]
    result = run("interleaved", jobs)
    assert result.completion_s["a"] == result.completion_s["b"]
    assert result.makespan_s == 100.0 + result.completion_s["b"]


def test_a_stopwatch_times_a_decision_for_every_stage_that_came_or_ended() -> None:
    ticks: Iterator[float] = iter(range(10_000))
    jobs = [SimJob("a", [ROUND] * 2, "gpu", "")]
    result = simulate(jobs, make_scheduling("interleaved", Free({"": 4})), lambda: next(ticks))
    decisions = result.decisions
    assert decisions.count == result.stages + 1
    assert decisions.mean_s == decisions.p99_s == decisions.worst_s == 1.0
    assert decisions.most_waiting >= 1


def test_a_policy_that_leaves_jobs_unfinished_is_found_out() -> None:
    class Idle(Interleaved):
        """Starts nothing."""

        def start(self, now_s: float) -> list[Stage]:
            return []

    policy: SchedulingPolicy = Idle(Free({"": 1}))
    with pytest.raises(RuntimeError, match="unfinished"):
        simulate([SimJob("a", [ROUND], "gpu", "")], policy)


@pytest.mark.parametrize("name", SOURCES)
def test_recorded_stages_are_whole_rounds_of_real_seconds(name: str) -> None:
    models = stage_times(name)
    assert set(models) == set(SOURCES[name])
    for found in models.values():
        assert len(found) > 20
        for item in found:
            assert 0 < len(item.builds_s) == len(item.runs_s) <= 16
            assert min(item.builds_s) > 0 <= min(item.runs_s)
            share = item.update_s / (item.search_s + item.update_s)
            assert share == pytest.approx(LEARNING_SHARE, abs=0.01)
