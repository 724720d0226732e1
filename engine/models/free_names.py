"""Names that are not in use."""

from __future__ import annotations

from collections.abc import Callable


def free_names(used: set[str]) -> Callable[[str], str]:
    """Makes names that are not in `used` of those that it is given, and adds them to it."""
    counts: dict[str, int] = {}

    def free(wanted: str) -> str:
        name = wanted
        while name in used:
            counts[wanted] = counts.get(wanted, 0) + 1
            name = f"{wanted}_{counts[wanted]}"
        used.add(name)
        return name

    return free
