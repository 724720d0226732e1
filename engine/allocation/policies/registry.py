"""All policies by name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from engine.allocation.policies.ansor import Ansor
from engine.allocation.policies.dynatune import DynaTune
from engine.allocation.policies.epsilon_greedy import EpsilonGreedy
from engine.allocation.policies.flops import Flops
from engine.allocation.policies.gradient import Gradient
from engine.allocation.policies.oracle import Oracle
from engine.allocation.policies.random_choice import DynamicRandom, RandomChoice
from engine.allocation.policies.round_robin import DynamicRoundRobin, RoundRobin
from engine.allocation.policies.sequential import Sequential
from engine.allocation.policies.softmax import Softmax
from engine.allocation.policy import Policy
from engine.records.errors import UsageError

POLICIES: dict[str, type[Policy]] = {
    policy.name: policy
    for policy in (
        DynaTune,
        EpsilonGreedy,
        Softmax,
        Gradient,
        Ansor,
        RoundRobin,
        RandomChoice,
        Flops,
        Sequential,
        DynamicRandom,
        DynamicRoundRobin,
    )
}
"""Those that a live run can have."""

REPLAY_POLICIES: dict[str, type[Policy]] = {Oracle.name: Oracle}
"""Those that need the future, which only a replay has."""

DEFAULT_POLICY = DynaTune.name


def make_policy(name: str, options: dict[str, Any], seed: int) -> Policy:
    """A policy with its options; UsageError for a name or an option that does not exist."""
    if name in REPLAY_POLICIES:
        raise UsageError(
            f"The policy {name} needs to know the future.", "Choose it for a replay only."
        )
    if name not in POLICIES:
        raise UsageError(f"There is no policy {name!r}.", f"Choose one of {', '.join(POLICIES)}.")
    kind = POLICIES[name]
    known = [field.name for field in fields(kind.Options)]
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise UsageError(
            f"The policy {name} has no option {', '.join(unknown)}.",
            f"It has {', '.join(known) or 'none'}.",
        )
    return kind(kind.Options(**options), seed)
