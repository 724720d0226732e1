"""What a job waits for: a device, cores, or its turn, and who has them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.records.outstanding import Wait, wait_sentence
from engine.records.stage import ALL_CORES, Needs, Stage
from engine.scheduling.free import Free
from engine.scheduling.waits import wait_of

AWAY = "rpc://a:1/b"


def stage(order: int, job: str, cores: int = 1, device: str = "", group: str = "") -> Stage:
    return Stage(order, job, "build", Needs(cores, (device,) if device else (), group))


def taken(*running: Stage) -> Free:
    free = Free({"": 4, AWAY: 1})
    for each in running:
        free.take(each.needs)
    return free


def waits(wanted: Stage, *running: Stage) -> Wait | None:
    return wait_of([wanted], running, taken(*running))


def test_a_device_that_another_job_measures_on_is_named_with_that_job() -> None:
    held = stage(1, "a", device="cuda:0"), stage(2, "b")
    assert waits(stage(3, "c", device="cuda:0"), *held) == Wait(0, "cuda:0", ("a",))


def test_cores_that_lack_are_counted_and_their_holders_named_by_how_many_they_have() -> None:
    held = stage(1, "a"), stage(2, "b"), stage(3, "b")
    assert waits(stage(4, "c", ALL_CORES), *held) == Wait(4, "", ("b", "a"))


def test_where_all_is_free_a_job_waits_for_its_turn() -> None:
    assert waits(stage(2, "c"), stage(1, "a")) == Wait(0, "", ("a",))
    assert waits(stage(2, "c")) == Wait()


def test_a_device_of_another_machine_is_named_and_its_own_jobs_only() -> None:
    held = stage(1, "a", 1, "", AWAY), stage(2, "b", 4)
    assert waits(stage(3, "c", 1, "", AWAY), *held) == Wait(0, AWAY, ("a",))


def test_the_first_stage_counts_and_a_job_without_one_waits_for_nothing() -> None:
    first, second = stage(1, "c", 4), stage(2, "c", device="cuda:0")
    assert wait_of([second, first], [stage(3, "a")], taken(stage(3, "a"))) == Wait(4, "", ("a",))
    assert wait_of([], [], taken()) is None


def test_words_name_what_is_waited_for_and_whoever_has_it() -> None:
    names = {"1": "net", "2": "net", "window": "a window"}.__getitem__
    assert wait_sentence(Wait(2, "", ("1",)), names) == "waits for 2 cores, held by net"
    assert wait_sentence(Wait(1, "", ()), names) == "waits for 1 core"
    two = Wait(0, "cuda:0", ("1", "window", "2"))
    assert wait_sentence(two, names) == "waits for cuda:0, held by net, a window"
    assert wait_sentence(Wait(0, "", ("1",)), names) == "waits for its turn, after net"
    assert wait_sentence(Wait(), names) == "waits for its turn"


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 4)), max_size=5))
def test_what_is_said_to_lack_lacks_and_who_has_it_runs(held: list[tuple[str, int]]) -> None:
    running = [stage(n, job, cores) for n, (job, cores) in enumerate(held)]
    free = taken(*running)
    found = wait_of([stage(9, "d", 2)], running, free)
    assert found is not None
    assert set(found.held_by) == {job for job, _ in held}
    assert bool(found.cores) == (free.free_cores("") < 2)
