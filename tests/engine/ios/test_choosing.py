"""The fastest way, and the simplest where nothing tells them apart."""

from __future__ import annotations

import random

from engine.ios.choosing import fastest


def rounds(latency_s: float, seed: int, spread: float = 0.01) -> list[float]:
    """Eight rounds of a way."""
    choose = random.Random(seed)
    return [latency_s * (1 + choose.uniform(-spread, spread)) for _ in range(8)]


def test_a_way_that_is_surely_faster_is_chosen() -> None:
    ways = {"sequential": rounds(1.0, 1), "greedy": rounds(1.2, 2), "ios_both": rounds(0.9, 3)}
    assert fastest(ways) == "ios_both"


def test_within_noise_the_simplest_is_chosen() -> None:
    ways = {
        "sequential": rounds(1.0, 1, 0.1),
        "greedy": rounds(1.3, 2, 0.1),
        "ios_both": rounds(0.99, 3, 0.1),
    }
    assert fastest(ways) == "sequential"


def test_a_large_gain_is_taken_however_noisy_the_rounds_were() -> None:
    noisy = [74.0, 30.0, 90.0, 74.0, 20.0, 110.0, 76.0, 30.0]
    ways = {"sequential": noisy, "ios_both": [0.6 * latency for latency in noisy]}
    assert fastest(ways) == "ios_both"


def test_a_gain_that_is_sure_but_tiny_is_worth_no_schedule() -> None:
    assert fastest({"sequential": rounds(1.0, 1, 1e-5), "greedy": rounds(0.999, 2, 1e-5)}) == (
        "sequential"
    )


def test_a_schedule_never_loses_to_a_simpler_one_that_is_surely_faster() -> None:
    ways = {"sequential": rounds(1.0, 1), "greedy": rounds(0.8, 2), "ios_both": rounds(0.85, 3)}
    assert fastest(ways) == "greedy"


def test_one_way_alone_is_the_fastest() -> None:
    assert fastest({"sequential": rounds(1.0, 1)}) == "sequential"
