"""All policies by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.allocation.policies.ansor import Ansor
from engine.allocation.policies.dynatune import DynaTune
from engine.allocation.policies.dynatune_paper import DynaTunePaper
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
from engine.records.options import hints, made
from engine.records.sentences import Sentence

POLICIES: dict[str, type[Policy]] = {
    policy.name: policy
    for policy in (
        DynaTune,
        EpsilonGreedy,
        Softmax,
        DynaTunePaper,
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


def make_policy(name: str, options: Mapping[str, Any], seed: int) -> Policy:
    """A policy with its options; UsageError as in `policy_options`."""
    return _kind(name)(policy_options(name, options), seed)


def policy_options(name: str, options: Mapping[str, Any]) -> Any:
    """A policy's options; UsageError for a name or an option that makes no sense."""
    known = _kind(name).Options
    if isinstance(options, Mapping) and (unknown := set(options) - set(hints(known))):
        others = [one.name for one in POLICIES.values() if set(options) <= set(hints(one.Options))]
        if others:
            words = ", ".join(sorted(map(str, unknown)))
            todo = Sentence("Choose {names} for it, or leave it out.", names=" or ".join(others))
            raise UsageError(
                Sentence("The policy {name} has no option {words}.", name=name, words=words), todo
            )
    return made(known, options, Sentence("The policy {name}", name=name))


def _kind(name: str) -> type[Policy]:
    if name in REPLAY_POLICIES:
        raise UsageError(
            Sentence("The policy {name} needs to know the future.", name=name),
            "Choose it for a replay only.",
        )
    if name not in POLICIES:
        raise UsageError(
            Sentence("There is no policy {name!r}.", name=name),
            Sentence("Choose one of {names}.", names=", ".join(POLICIES)),
        )
    return POLICIES[name]
