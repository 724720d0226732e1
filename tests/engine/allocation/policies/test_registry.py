"""Options that a policy has, and what is said of those that it has not."""

from __future__ import annotations

import pytest

from engine.allocation.policies.registry import policy_options
from engine.records.errors import UsageError


@pytest.mark.parametrize("option", ["family", "walkers", "steps", "samples", "jump"])
def test_an_option_of_another_policy_is_refused_with_that_policys_name(option: str) -> None:
    with pytest.raises(UsageError) as refused:
        policy_options("dynatune", {option: 10})
    assert refused.value.what == f"The policy dynatune has no option {option}."
    assert "dynatune-paper" in refused.value.todo


def test_an_option_of_no_policy_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError) as refused:
        policy_options("dynatune", {"walkers": 10, "nonsense": 1})
    assert "It has " in refused.value.todo
