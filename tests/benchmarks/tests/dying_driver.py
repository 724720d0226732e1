"""A driver of the torture whose product dies, hangs or raises at some seeds."""

from __future__ import annotations

import os
import time

from tests.benchmarks.torture.driver import serve
from tests.benchmarks.torture.verdicts import End, Verdict


def one(seed: int) -> Verdict:
    """The end of a seed."""
    if seed == 1:
        os.abort()
    if seed == 2:
        time.sleep(60)
    if seed == 3:
        raise KeyError(seed)
    return Verdict(End.RIGHT)


if __name__ == "__main__":
    serve(lambda: one)
