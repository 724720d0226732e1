"""Processes of a run's tree, told apart by what they are for, and killed at seeded moments."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

_NAMES = {
    "build-worker": "build worker",
    "run-worker": "measuring worker",
    "opener": "opener",
    "one-call": "one call",
}
ROLES = ("fork server", "tracker", *_NAMES.values())
"""Of the processes below a run's. Searches are threads of the run's own process; `tracker` is
Python's resource tracker, which a run does not have; `one call` is a process for one call."""


def role_of(process: psutil.Process) -> str:
    """What a process of a run's tree is for, "" where it is none of `ROLES`: a worker shows it by
    its name, fork servers and trackers by what they were started with."""
    try:
        line, name = " ".join(process.cmdline()), process.name()
    except psutil.Error:
        return ""
    if "multiprocessing.resource_tracker" in line:
        return "tracker"
    return _NAMES.get(name, "fork server" if "multiprocessing.forkserver" in line else "")


def wait_for_pid(path: Path) -> int:
    """The process id of who wrote it there."""
    while not path.exists() or not path.read_text():
        time.sleep(0.01)
    return int(path.read_text())


def family(role: str, top: int | None = None) -> list[psutil.Process]:
    """The processes of a role below the process `top`, this one where there is none."""
    try:
        found = psutil.Process(top).children(recursive=True)
    except psutil.Error:
        return []
    return [process for process in found if role_of(process) == role]


def family_of_now() -> frozenset[int]:
    """The ids of all processes below this one: what others share is not to be killed with ours."""
    return frozenset(process.pid for process in psutil.Process().children(recursive=True))


@dataclass
class Killer:
    """What was killed, by role and process id, in order."""

    killed: list[tuple[str, int]] = field(default_factory=list)


@contextmanager
def killing(
    roles: Sequence[str],
    *,
    seed: int,
    every_s: float,
    kills: int = 10,
    top: int | None = None,
    signum: signal.Signals = signal.SIGKILL,
    at_once: bool = False,
    rounds: int | None = None,
    spared: Collection[int] = (),
) -> Iterator[Killer]:
    """Kill processes of `roles` below `top`, but for those `spared`, while the block runs: each
    time one of a role that is there, or `at_once` all of them, no role more than `rounds` times; a
    random time around `every_s` seconds lies between two."""
    killer, end, luck = Killer(), threading.Event(), random.Random(seed)
    done: Counter[str] = Counter()

    def work() -> None:
        while len(killer.killed) < kills and not end.wait(every_s * luck.uniform(0.2, 1.8)):
            found = {
                role: [each for each in family(role, top) if each.pid not in spared]
                for role in roles
            }
            there = [r for r in roles if found[r] and (rounds is None or done[r] < rounds)]
            if not there:
                continue
            role = luck.choice(there)
            done[role] += 1
            for process in found[role] if at_once else [luck.choice(found[role])]:
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signum)
                    killer.killed.append((role, process.pid))

    thread = threading.Thread(target=work, name="killer")
    thread.start()
    try:
        yield killer
    finally:
        end.set()
        thread.join()
