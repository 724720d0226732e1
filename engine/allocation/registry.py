"""All policies by name."""

from __future__ import annotations

from typing import Any

from engine.allocation.policy import Policy
from engine.allocation.round_robin import RoundRobin
from engine.errors import UsageError

POLICIES: dict[str, type[Policy]] = {policy.name: policy for policy in (RoundRobin,)}
DEFAULT_POLICY = RoundRobin.name


def make_policy(name: str, options: dict[str, Any], seed: int) -> Policy:
    """A policy with its options; UsageError for a name or an option that does not exist."""
    if name not in POLICIES:
        raise UsageError(f"There is no policy {name!r}.", f"Choose one of {', '.join(POLICIES)}.")
    kind = POLICIES[name]
    try:
        return kind(kind.Options(**options), seed)
    except TypeError as error:
        raise UsageError(f"The policy {name} has no such option: {error}.") from None
