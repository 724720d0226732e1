"""A process that handles hostile things of one kind, a seed a line; a JSON verdict answers each.

Usage: python -m tests.benchmarks.torture.driver KIND FOLDER
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.torture.verdicts import End, Verdict

READY = "ready"


def serve(make: Callable[[], Callable[[int], Verdict]]) -> None:
    """Answer each seed, by the handler that `make` makes, until there are no more. What anybody
    prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    handle = make()
    print(READY, file=answers, flush=True)
    for line in sys.stdin:
        try:
            found = handle(int(line))
        except Exception:  # what the product lets through
            found = Verdict(End.TRACEBACK, traceback.format_exc()[-1500:])
        print(json.dumps([found.end, found.words]), file=answers, flush=True)


def handler(kind: str, folder: Path) -> Callable[[int], Verdict]:
    """What handles a kind. TVM's environment comes before whatever imports it."""
    from engine.records.machine import prepare_environment

    prepare_environment()
    from tests.benchmarks.torture.kinds import HANDLERS

    handle: Callable[[int], Verdict] = HANDLERS[kind](folder).one
    return handle


if __name__ == "__main__":
    serve(lambda: handler(sys.argv[1], Path(sys.argv[2])))
