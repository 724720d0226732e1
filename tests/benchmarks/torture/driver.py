"""A process that handles hostile things of one kind, a seed a line; a JSON verdict answers each.

Usage: python -m tests.benchmarks.torture.driver KIND FOLDER
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.benchmarks.torture.verdicts import End, Verdict


def main(kind: str, folder: Path) -> None:
    """Answer until there are no more seeds."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    from engine.records.machine import prepare_environment

    prepare_environment()
    from tests.benchmarks.torture.kinds import HANDLERS

    handler = HANDLERS[kind](folder)
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        try:
            found = handler.one(int(line))
        except Exception as error:  # what the product lets through
            import traceback

            text = traceback.format_exc()
            found = Verdict(End.TRACEBACK, f"{type(error).__name__}: {text[-1500:]}")
        print(json.dumps([found.end, found.words]), file=answers, flush=True)
    sys.stderr.flush()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
