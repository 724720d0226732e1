"""Hands seeds to a driver of each kind, sees it die or hang, and counts what came of them."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.benchmarks.torture.driver import READY
from tests.benchmarks.torture.verdicts import FAULTS, End, Verdict

HANG_S = 60.0
DRIVER = "tests.benchmarks.torture.driver"
_SLOW_S = {"kills": 600.0}  # it has limits of its own
_START_S = 300.0
_END_S = 30.0
_NOT_OURS = (".ses",)  # ONNX Runtime's


@dataclass(slots=True)
class Tally:
    """What came of the seeds of one kind."""

    ends: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, Verdict]] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, seed: int, found: Verdict) -> None:
        self.ends[found.end] += 1
        if found.end in FAULTS:
            self.faults.append((seed, found))


class Driver:
    """One driver's process, in a session of its own, with files of the user's under `home`."""

    def __init__(self, kind: str, home: Path) -> None:
        self._kind = kind
        self._errors = (home / "errors").open("w+b")
        for name in ("work", "tmp"):
            (home / name).mkdir()
        folders = ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
        environment = os.environ | dict.fromkeys(folders, str(home))
        self._process = subprocess.Popen(
            [sys.executable, "-m", DRIVER, kind, str(home / "work")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            start_new_session=True,
            env=environment | {"TMPDIR": str(home / "tmp"), "CUDA_VISIBLE_DEVICES": ""},
        )
        self._tmp = home / "tmp"
        if self._line(_START_S) != READY:
            raise RuntimeError(f"The driver of {kind} does not start: {self._last_words()}")

    def one(self, seed: int) -> Verdict:
        """What came of a seed. After a crash or a hang the driver is of no use any more."""
        assert self._process.stdin
        try:
            print(seed, file=self._process.stdin, flush=True)
        except OSError:
            return Verdict(End.CRASH, f"{self._process.wait()}: {self._last_words()}")
        line = self._line(_SLOW_S.get(self._kind, HANG_S))
        if line is None:
            self.kill()
            return Verdict(End.HANG, f"over {HANG_S:.0f} s: {self._last_words()}")
        if not line:
            return Verdict(End.CRASH, f"{self._process.wait()}: {self._last_words()}")
        end, words = json.loads(line)
        return Verdict(End(end), words)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> Verdict:
        """End it, and say whether it leaves processes or files behind."""
        members = _session(self._process.pid)
        assert self._process.stdin
        self._process.stdin.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self.kill()
            return Verdict(End.HANG, "the driver does not end")
        end = time.monotonic() + _END_S
        while (left := [one for one in members if one.is_running()]) and time.monotonic() < end:
            time.sleep(0.1)
        files = [
            path
            for path in self._tmp.rglob("*")
            if not path.is_dir() and path.name not in _NOT_OURS
        ]
        self.kill()
        if left or files:
            return Verdict(End.LEFT, f"processes {left}, files {files[:5]}")
        return Verdict(End.RIGHT)

    def kill(self) -> None:
        """It and all that it began."""
        for one in _session(self._process.pid):
            with suppress(psutil.Error):
                one.kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._errors):
            with suppress(OSError):
                if file:
                    file.close()

    def _line(self, seconds: float) -> str | None:
        """The next answer, "" where it has died, None after so long."""
        assert self._process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(seconds):
                return None
        return self._process.stdout.readline().strip()

    def _last_words(self) -> str:
        if self._errors.closed:
            return ""
        self._errors.flush()
        with Path(self._errors.name).open("rb") as file:
            return file.read()[-1500:].decode(errors="replace")


def _session(leader: int) -> list[psutil.Process]:
    """The processes of a driver's session."""
    found = []
    for one in psutil.process_iter():
        with suppress(psutil.Error, ProcessLookupError):
            if one.pid != os.getpid() and os.getsid(one.pid) == leader:
                found.append(one)
    return found


def torture(kind: str, seeds: range, say: Callable[[str], None] = lambda text: None) -> Tally:
    """Handle a hostile thing for each seed; a new driver goes on where one has died."""
    tally, began = Tally(), time.monotonic()
    rest = iter(seeds)
    seed = next(rest, None)
    while seed is not None:
        with _driver(kind) as driver:
            last = seed
            while seed is not None and driver.is_alive:
                found = driver.one(seed)
                tally.add(seed, found)
                if found.end in FAULTS:
                    say(f"{kind} {seed}: {found.end}: {found.words}")
                last, seed = seed, next(rest, None)
            if driver.is_alive and (end := driver.close()).end in FAULTS:
                tally.add(last, end)
                say(f"{kind} up to {last}: {end.end}: {end.words}")
    tally.seconds = time.monotonic() - began
    return tally


@contextmanager
def _driver(kind: str) -> Iterator[Driver]:
    with tempfile.TemporaryDirectory(prefix="torture-", ignore_cleanup_errors=True) as home:
        driver = Driver(kind, Path(home))
        try:
            yield driver
        finally:
            driver.kill()
