"""The protocol's arithmetic, on kernels that take exactly as long as they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.measure.kernels import TvmKernel
from engine.measure.run_worker import NO_TIME, Bench, Job
from engine.measure.runner import RunRequest
from engine.measure.sampling import Kernel, Sampler, interleave
from engine.records.trial import ErrorKind, Protocol
from tests.engine.measure import kernels
from tests.engine.measure.conftest import Library


class FakeKernel(Kernel):
    """Advances a clock of its own; `overhead_s` is what a lone call costs on top."""

    def __init__(self, durations: Iterator[float], overhead_s: float = 0.0) -> None:
        self.now = 0.0
        self.calls = 0
        self._durations = durations
        self._overhead_s = overhead_s

    def call(self) -> float:
        return self._spend(1) + self._overhead_s

    def batch(self, number: int, repeat: int) -> tuple[float, ...]:
        self._spend(1)
        return tuple(self._spend(number) for _ in range(repeat))

    def clock(self) -> float:
        return self.now

    def _spend(self, number: int) -> float:
        duration = next(self._durations)
        self.now += duration * number
        self.calls += number
        return duration


def sampler(kernel: FakeKernel, best_s: float | None = None, **changes: float) -> Sampler:
    return Sampler(kernel, Protocol(**changes), best_s, clock=kernel.clock)  # type: ignore[arg-type]


def steady(seconds: float) -> FakeKernel:
    return FakeKernel(cycle([seconds]))


def test_a_steady_kernel_needs_the_fewest_samples() -> None:
    taken = sampler(steady(1e-4))
    assert not taken.run()
    assert taken.samples == pytest.approx([1e-4] * Protocol().min_samples)
    assert taken.number == 40  # 4 ms


@pytest.mark.parametrize("durations", [[0.0], [0.0, 1e-9], [0.0, 0.0, 0.0, 1e-4]])
def test_a_kernel_faster_than_the_clock_is_sampled_to_an_end(durations: list[float]) -> None:
    taken = sampler(FakeKernel(cycle(durations)))
    taken.run()
    interleave([taken])
    assert Protocol().min_samples <= len(taken.samples) <= Protocol().max_samples


def test_a_lone_calls_overhead_does_not_shorten_the_samples() -> None:
    taken = sampler(FakeKernel(cycle([2e-6]), overhead_s=50e-6))
    taken.run()
    assert taken.number * 2e-6 == pytest.approx(Protocol().sample_s, rel=0.01)


@pytest.mark.parametrize("stolen_s", [1e-6, 1e-4, 1e-3])
def test_a_processor_taken_away_in_the_warm_up_does_not_shorten_the_samples(
    stolen_s: float,
) -> None:
    durations = chain([stolen_s] * (Protocol().warmup + 2), cycle([1e-8]))
    taken = sampler(FakeKernel(durations))
    assert not taken.run()
    assert taken.samples == pytest.approx([1e-8] * Protocol().min_samples)
    assert taken.number * 1e-8 == pytest.approx(Protocol().sample_s)


def test_a_noisy_kernel_is_sampled_until_the_mean_is_known_or_the_cap() -> None:
    wild = sampler(FakeKernel(cycle([1e-4, 9e-4, 5e-4])), max_s=100.0)
    wild.run()
    assert len(wild.samples) == Protocol().max_samples
    mild = sampler(FakeKernel(cycle([1e-4, 1.03e-4, 1.06e-4])), max_s=100.0)
    mild.run()
    assert Protocol().min_samples < len(mild.samples) < Protocol().max_samples


@given(
    call_s=st.floats(1e-6, 1.0),
    spread=st.floats(1.0, 3.0),
    max_s=st.floats(0.01, 1.0),
    warmup=st.integers(0, 3),
)
def test_any_kernel_gives_a_sample_and_keeps_to_its_time(
    call_s: float, spread: float, max_s: float, warmup: int
) -> None:
    kernel = FakeKernel(cycle([call_s, call_s * spread]))
    taken = sampler(kernel, max_s=max_s, warmup=warmup)
    assert not taken.run()
    assert 1 <= len(taken.samples) <= Protocol().max_samples
    first_sample = 2 * spread * max(call_s, Protocol().sample_s) + spread * call_s
    assert taken.spent <= spread * max_s + first_sample


def test_a_slow_first_call_cuts_at_once() -> None:
    kernel = steady(0.1)
    taken = sampler(kernel, best_s=0.001)
    assert taken.run()
    assert (taken.samples, kernel.calls) == ([0.1], 1)


def test_a_slow_short_kernel_is_cut_after_one_sample() -> None:
    taken = sampler(steady(60e-6), best_s=10e-6)
    assert taken.run()
    assert taken.samples == pytest.approx([60e-6])


def test_a_cold_first_call_cuts_nobody() -> None:
    def cold() -> Iterator[float]:
        yield 2e-3
        while True:
            yield 12e-6

    taken = sampler(FakeKernel(cold()), best_s=10e-6)
    assert not taken.run()
    assert len(taken.samples) == Protocol().min_samples


@pytest.mark.parametrize("best_s", [None, 1e-4])
def test_nothing_within_the_ratio_is_cut(best_s: float | None) -> None:
    assert not sampler(steady(4.9e-4), best_s=best_s).run()


def test_interleaved_kernels_take_turns_until_each_is_done() -> None:
    order: list[str] = []

    def noting(name: str, durations: Callable[[], Iterator[float]]) -> Sampler:
        kernel = FakeKernel(durations())
        taken = sampler(kernel)
        batch = kernel.batch

        def note(number: int, repeat: int) -> tuple[float, ...]:
            order.append(name)
            return batch(number, repeat)

        kernel.batch = note  # type: ignore[method-assign]
        return taken

    samplers = [noting("a", lambda: cycle([1e-4])), noting("b", lambda: cycle([1e-3, 3e-3, 2e-3]))]
    interleave(samplers)
    assert "".join(order[:8]) == "abababab"
    assert len(samplers[0].samples) == Protocol().min_samples
    assert len(samplers[1].samples) > Protocol().min_samples
    assert all(taken.done for taken in samplers)


# A kernel that takes no time by its device's clock: a failed trial with a sentence


@pytest.mark.parametrize("in_turns", [False, True])
@pytest.mark.parametrize(
    ("results", "error"), [((0.0,), ErrorKind.RUN_ERROR), ((1e-9,), None), ((3e-6,), None)]
)
def test_a_latency_of_nothing_is_no_latency(
    results: tuple[float, ...],
    error: ErrorKind | None,
    in_turns: bool,
    library: Library,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def batch(self: Any, number: int, repeat: int) -> tuple[float, ...]:
        return results * repeat

    monkeypatch.setattr(TvmKernel, "batch", batch)
    request = RunRequest(library(kernels.add()), kernels.ARGS, kernels.QUICK, best_s=1e-6)
    (result,) = Bench("cpu").run(Job((request,), in_turns=in_turns)).results
    assert result.error is error
    assert result.error_text == ("" if error is None else NO_TIME)
    assert bool(result.samples) == (error is None)
