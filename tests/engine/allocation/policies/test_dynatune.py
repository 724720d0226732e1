"""DynaTune: its terms in numbers, whom it prefers, and what it says of it."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.allocation.forecast import Forecaster
from engine.allocation.policies.dynatune import DynaTune
from engine.allocation.policies.epsilon_greedy import EpsilonGreedy
from engine.allocation.policies.registry import make_policy
from engine.allocation.policies.softmax import Softmax, probabilities
from engine.records.errors import UsageError
from tests.engine.allocation.support import (
    chosen,
    flat_task,
    forecast,
    log_power_task,
    situation,
    task,
)


def dynatune(**options: Any) -> DynaTune:
    return DynaTune(DynaTune.Options(**options))


# Terms

NOW = situation(latency_s=8e-3, untuned_s=40e-3, slots=100)


def test_the_bonus_is_so_many_standard_deviations_of_the_belief() -> None:
    gain, bonus = dynatune(c=2.0).terms(forecast(4, 0.1, 0.05, 2e-3), NOW)
    assert gain == pytest.approx(0.25 * 0.1)
    assert bonus == pytest.approx(0.25 * 2.0 * 0.05)


def test_no_bound_is_above_the_whole_of_a_task() -> None:
    gain, bonus = dynatune(c=2.0).terms(forecast(1, 0.4, 0.9, 2e-3), NOW)
    assert gain + bonus == pytest.approx(0.25)


def test_a_task_whose_slots_are_slow_is_worth_less_a_second() -> None:
    slow, quick = (
        sum(dynatune().terms(forecast(4, 0.1, 0.05, 2e-3, pace), NOW)) for pace in (0.5, 2.0)
    )
    assert quick == pytest.approx(4 * slow)


def test_slots_in_flight_count_among_all_slots_and_a_tasks_own() -> None:
    policy = dynatune()
    alone = [log_power_task(0, 16), flat_task(1, 16)]
    busy = [*alone[:1], replace(alone[1], slots=2, in_flight=True)]
    first, second = chosen(policy, *alone), chosen(policy, *busy)
    assert (first.scores["slots"], second.scores["slots"]) == (2, 3)
    assert second.scores["tasks"]["task"] == [0]


@pytest.mark.parametrize("options", [{"c": -1.0}, {"form": "paper"}, {"walkers": 10}])
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        make_policy("dynatune", options, 0)


# Preferences


def test_a_heavy_task_that_still_improves_goes_before_a_light_one_and_a_level_one() -> None:
    heavy = log_power_task(0, 32, weight=6)
    light = log_power_task(1, 32)
    level = flat_task(2, 96, latency_s=5e-4, weight=6)
    assert chosen(dynatune(), level, heavy, light).task == 0


def test_of_two_equal_tasks_the_one_with_quicker_slots_goes_first() -> None:
    slow = log_power_task(0, 32, slot_s=9.0)
    quick = replace(slow, index=1, slot_s=3.0)
    by_second, by_slot = (
        chosen(dynatune(), slow, quick),
        chosen(dynatune(per_second=False), slow, quick),
    )
    assert by_second.task == 1
    ratios = [
        choice.scores["tasks"]["ucb"][1] / choice.scores["tasks"]["ucb"][0]
        for choice in (by_second, by_slot)
    ]
    expected_s = [(2 * seconds + 4 * 6.0) / 6 for seconds in (9.0, 3.0)]
    assert ratios == pytest.approx([expected_s[0] / expected_s[1], 1.0], rel=0.1)


def test_an_untried_task_waits_until_its_part_of_the_model_is_worth_a_slot() -> None:
    heavy = log_power_task(0, 16, weight=20)
    trifle = task(1, untuned_s=1e-6)
    costly = task(2, untuned_s=5e-2)
    assert chosen(dynatune(), heavy, trifle).task == 0
    assert chosen(dynatune(), heavy, trifle, costly).task == 2
    assert chosen(dynatune(first_pass=True), heavy, trifle).task == 1


def test_a_task_whose_slot_was_nearly_empty_is_taken_to_be_nearly_used_up() -> None:
    full = log_power_task(0, 16, slot_s=4.0)
    empty = task(1, [2e-3], weight=2, slots=1, slot_trials=16, slot_s=0.5)
    choice = chosen(dynatune(), full, empty)
    gains = choice.scores["tasks"]["gain_s"]
    assert choice.task == 0
    assert gains[1] < 0.1 * 2 * 2e-3


def test_tasks_that_stopped_improving_are_left_out_and_named() -> None:
    stuck, lively = flat_task(0, 202, weight=50), log_power_task(1, 32)
    choice = chosen(dynatune(), stuck, lively)
    assert choice.task == 1
    assert choice.scores["stuck"] == [0]
    assert chosen(dynatune(finish_after=0), stuck, lively).scores["stuck"] == []


def test_a_task_without_any_latency_goes_first_the_costliest_of_them() -> None:
    known = log_power_task(0, 16, weight=20)
    small, large = (task(i, untuned_s=None, flops=10.0**i) for i in (7, 8))
    assert chosen(dynatune(), known, small, large).task == 8


def test_a_task_whose_slots_all_fail_does_not_starve_the_others() -> None:
    failing = task(0, [math.inf] * 16, untuned_s=None)
    fine = log_power_task(1, 16)
    assert chosen(dynatune(), failing, fine).task == 1


def test_a_search_that_has_gone_dry_is_expected_to_gain_less() -> None:
    slots = [[9e-4] * 4, [8e-4] * 4, [7e-4] * 4, [6e-4] * 4]
    rows = [slots[0] + slots[1] + slots[2] + slots[3], slots[0] + slots[3] + slots[3] + slots[3]]
    tasks = [task(index, row) for index, row in enumerate(rows)]
    forecaster = Forecaster()
    lively, dry = forecaster.of(forecaster.situation(tasks), tasks)
    assert lively.gain == pytest.approx(3 * dry.gain, rel=0.35)
    assert lively.gain > 2 * dry.gain


def test_a_task_that_lags_behind_its_peers_is_expected_to_gain_more() -> None:
    tasks = [
        *(task(index, [3e-4] * 4) for index in range(7)),
        task(7, [6e-4] * 4),
    ]

    def gains(peers: bool) -> list[float]:
        forecaster = Forecaster(peers=peers)
        return [known.gain for known in forecaster.of(forecaster.situation(tasks), tasks)]

    alone, compared = gains(False), gains(True)
    assert compared[7] == pytest.approx(alone[7] * 2 ** (7 / 8))
    assert compared[0] == pytest.approx(alone[0] * 2 ** (-1 / 8))


# Words and scores


def test_a_choice_says_what_is_expected_of_it_and_stores_its_terms() -> None:
    tasks = [log_power_task(0, 32, weight=6, slot_s=3.0), flat_task(1, 96, slot_s=5.0)]
    choice = chosen(dynatune(), *tasks)
    assert "expected to save" in choice.reason
    assert "give or take" in choice.reason
    assert "after 2 slots" in choice.reason
    assert "at 3.00 s a slot" in choice.reason
    scores = json.loads(json.dumps(choice.scores, allow_nan=False))
    columns = scores["tasks"]
    assert columns["task"] == [0, 1]
    assert {len(column) for column in columns.values()} == {2}
    assert {"slots", "gain_s", "spread_s", "slot_s", "bonus", "ucb"} <= set(columns)
    assert scores["decision_s"] > 0


def test_why_says_that_a_task_is_slower_than_its_peers() -> None:
    peers = [task(index, [3e-4] * 4) for index in range(6)]
    choice = chosen(dynatune(), *peers, task(6, [6e-4] * 4))
    assert choice.task == 6
    assert "for it takes 1.8 times as long as its peers" in choice.reason
    assert "peers" not in chosen(dynatune(peers=False), *peers, task(6, [6e-4] * 4)).reason


def test_a_less_known_task_that_goes_first_is_said_to_be_that() -> None:
    policy = dynatune()
    sure, unsure = forecast(9, 0.10, 0.0, 2e-3), forecast(1, 0.09, 0.2, 2e-3)
    other = replace(unsure, view=task(1, slots=1))
    pick = policy.pick([sure, other], NOW)
    assert pick.forecast is other
    assert "task 0 promises more" in pick.why


def test_a_decision_draws_nothing_and_loads_no_sampler() -> None:
    script = (
        "import sys\n"
        "from engine.allocation.policies.registry import make_policy\n"
        "from tests.engine.allocation.support import flat_task, log_power_task\n"
        "tasks = [log_power_task(0, 64), flat_task(1, 64)]\n"
        "assert make_policy('dynatune', {}, 0).choose(tasks)\n"
        "assert not {'emcee', 'scipy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


# The other two on the same beliefs


def test_epsilon_greedy_takes_the_largest_gain_and_now_and_then_any() -> None:
    tasks = [log_power_task(0, 32, weight=6), *(flat_task(i, 96) for i in (1, 2, 3))]
    policy = EpsilonGreedy(EpsilonGreedy.Options(epsilon=0.2), seed=1)
    picks = [chosen(policy, *tasks).task for _ in range(100)]
    assert 70 <= picks.count(0) <= 95
    assert set(picks) == {0, 1, 2, 3}
    greedy = EpsilonGreedy(EpsilonGreedy.Options(epsilon=0.0))
    assert {chosen(greedy, *tasks).task for _ in range(9)} == {0}


def test_softmax_draws_by_gain_over_the_largest() -> None:
    odds = probabilities(np.array([1.0, 0.5, 0.0]), 0.5)
    assert odds.sum() == pytest.approx(1.0)
    assert odds[1] / odds[0] == pytest.approx(math.exp(-1.0))
    assert odds[2] / odds[0] == pytest.approx(math.exp(-2.0))
    assert probabilities(np.array([5.0, 2.5, 0.0]), 0.5) == pytest.approx(odds)
    assert probabilities(np.zeros(4), 0.5).tolist() == [0.25] * 4


def test_softmax_prefers_the_task_that_promises_most() -> None:
    tasks = [log_power_task(0, 32, weight=6), flat_task(1, 96)]
    policy = Softmax(seed=3)
    picks = [chosen(policy, *tasks).task for _ in range(40)]
    assert picks.count(0) >= 30
