"""Stages on a GPU: what a captured graph waits for, seen through a runtime without a GPU."""

from __future__ import annotations

import threading

import pytest

from engine.measure.units import CudaGraph, Streams
from tests.engine.fake_cuda import FakeCuda

Names = list[list[str]]


def program(cuda: FakeCuda, streams: Streams, *stages: Names) -> CudaGraph:
    """Kernels by name, captured."""
    return streams.program(
        [[[(cuda.kernel(name), ()) for name in group] for group in groups] for groups in stages]
    )


def test_groups_wait_for_the_stage_before_and_for_nothing_beside_them(
    cuda: FakeCuda, streams: Streams
) -> None:
    program(cuda, streams, [["a"], ["b"]], [["c", "d"], ["e"], ["f"]], [["g"]], [["h"], ["i"]])()
    (graph,) = cuda.launched
    assert sorted(graph.nodes) == list("abcdefghi")
    assert graph.before("a") == graph.before("b") == set()
    assert graph.before("c") == graph.before("e") == graph.before("f") == set("ab")
    assert graph.before("d") == set("abc")
    assert graph.before("g") == set("abcdef")
    assert graph.before("h") == graph.before("i") == set("abcdefg")


def test_a_sequence_stays_on_one_stream_and_needs_no_thread(
    cuda: FakeCuda, streams: Streams
) -> None:
    program(cuda, streams, *[[[name]] for name in "abcd"])()
    (graph,) = cuda.launched
    assert graph.waits == [set(), {0}, {1}, {2}]
    assert set(cuda.workspaces.values()) == {threading.get_ident()}


def test_groups_that_run_at_the_same_time_are_launched_by_different_threads(
    cuda: FakeCuda, streams: Streams
) -> None:
    """TVM keeps workspaces by thread."""
    program(cuda, streams, [["a"], ["b"], ["c"]], [["d"], ["e"]])
    threads = cuda.workspaces
    assert len({threads["a"], threads["b"], threads["c"]}) == 3
    assert threads["d"] == threads["a"] == threading.get_ident()
    assert threads["e"] == threads["b"]


def test_copies_of_a_stage_follow_each_other(cuda: FakeCuda, streams: Streams) -> None:
    graph = program(cuda, streams, *[[["a"], ["b"]]] * 3)
    graph.launch()
    found = cuda.launched[0]
    for node in range(2, 6):
        assert found.ancestors(node) >= {0, 1}
    assert found.ancestors(4) == found.ancestors(5) == {0, 1, 2, 3}
    graph.close()
    assert cuda.destroyed == [found]


@pytest.mark.parametrize("place", [(0, 0), (0, 1), (1, 0)])
def test_a_kernel_that_fails_ends_the_capture_and_the_next_one_works(
    place: tuple[int, int], cuda: FakeCuda, streams: Streams
) -> None:
    def failing() -> None:
        if cuda.capturing:
            raise RuntimeError("no such kernel")

    stages = [[[(cuda.kernel(name), ())] for name in "ab"], [[(cuda.kernel("c"), ())]]]
    stages[place[0]][place[1]] = [(failing, ())]
    with pytest.raises(RuntimeError, match="no such kernel"):
        streams.program(stages)
    assert not cuda.capturing
    program(cuda, streams, [["a"], ["b"]])()
    assert sorted(cuda.launched[0].nodes) == ["a", "b"]


def test_an_error_of_the_runtime_is_named(
    cuda: FakeCuda, streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda, "cudaStreamWaitEvent", lambda *_: (0,))
    with pytest.raises(RuntimeError, match="CUDA failed: UNJOINED"):
        program(cuda, streams, [["a"], ["b"]])


# Streams of the caller's


class Theirs:
    """A stream as PyTorch shows it, or CuPy."""

    def __init__(self, number: int, name: str) -> None:
        setattr(self, name, number)


def waits(cuda: FakeCuda, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What goes on which stream from now on, in order."""
    found: list[str] = []

    def note(name: str, at: int) -> None:
        known = getattr(cuda, name)

        def noted(*arguments: int) -> tuple[object, ...]:
            found.append(f"{name.removeprefix('cuda')} {arguments[at]}")
            result: tuple[object, ...] = known(*arguments)
            return result

        monkeypatch.setattr(cuda, name, noted)

    note("cudaStreamWaitEvent", 0)
    note("cudaEventRecord", 1)
    note("cudaGraphLaunch", 1)
    note("cudaStreamSynchronize", 0)
    return found


@pytest.mark.parametrize("kind", ["number", "cuda_stream", "ptr"])
def test_a_stream_of_the_callers_is_not_waited_for_but_what_comes_after_waits(
    kind: str, cuda: FakeCuda, streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = program(cuda, streams, [["a"]])
    one, other = (cuda.cudaStreamCreate()[1] for _ in range(2))
    ours = streams.main
    log = waits(cuda, monkeypatch)

    def run(number: int | None) -> list[str]:
        log.clear()
        given = number if number is None or kind == "number" else Theirs(number, kind)
        graph(given)
        return list(log)

    assert run(None) == [f"GraphLaunch {ours}", f"StreamSynchronize {ours}"]
    assert run(one) == [f"GraphLaunch {one}", f"EventRecord {one}"]
    assert run(other) == [
        f"StreamWaitEvent {other}",
        f"GraphLaunch {other}",
        f"EventRecord {other}",
    ]
    after = [f"StreamWaitEvent {ours}", f"GraphLaunch {ours}", f"StreamSynchronize {ours}"]
    assert run(None) == after
    assert run(None) == after[1:]
