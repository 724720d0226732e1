"""A process that adds to a library: `python -m` this module, PATH, NAME, COUNT."""

from __future__ import annotations

import sys

from engine.passes.library import Library
from tests.engine.passes.donor_data import digest, donor


def main(path: str, name: str, count: int) -> None:
    """Add one donor at a time, each of a task of its own and one of a task that all share."""
    with Library.open(path) as library:
        for number in range(count):
            own = donor(number, model=name, fingerprint=digest(f"{name} {number}"))
            shared = donor(
                number,
                model="shared",
                fingerprint=digest("shared"),
                trace_key=digest(f"trace {name} {number}"),
                latency_s=1.0 / (1 + number),
            )
            library.add([own, shared])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
