"""A process that writes trials until it is killed; prints each number once it is committed.

Usage: python -m tests.engine.project.writer PATH [TRIALS]. After TRIALS it holds the project.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from engine.records.settings import RunSettings, RunState
from tests.engine.project.support import new_project, new_trial


def main(path: Path, trials: int) -> None:
    """Write until done, then wait for the kill."""
    project = new_project(path)
    run = project.start_run(RunSettings(seed=7))
    project.set_run(run, state=RunState.RUNNING)
    for seed in range(trials):
        print(project.add_trial(new_trial(seed, run=run)).number, flush=True)
    print("done", flush=True)
    time.sleep(600)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000)
