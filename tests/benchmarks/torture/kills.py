"""Runs that are killed, as a whole or helper by helper, opened again and ended."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

from tests.benchmarks.torture.verdicts import Answer, End, Verdict, judged
from tests.killing import ROLES, killing

TRIALS, LIMIT_S = 12, 120.0
_HELPER_KILLS = 6


class Kills:
    """`tune` of a tiny model. Its whole process group is killed at a seeded moment, and the project
    is opened again; or single helpers of it are, and it goes on."""

    def __init__(self, folder: Path) -> None:
        from tests.engine.models.build import conv_relu_model, save

        self._folder = folder
        self._model = save(conv_relu_model(), folder / "tiny.onnx")

    def one(self, seed: int) -> Verdict:
        dice = random.Random(f"kills {seed}")
        project = self._folder / f"{seed}" / "tiny.tune"
        project.parent.mkdir(parents=True)
        run = self._started("tune", self._model, "-o", project, "--trials", TRIALS)
        try:
            if dice.random() < 0.4:
                with killing(ROLES, seed=seed, every_s=0.8, kills=_HELPER_KILLS, top=run.pid):
                    found = self._ended(run)
            else:
                found = self._group_killed(run, project, dice)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.communicate()
        if found.end is not End.RIGHT:
            return found
        return self._whole(project) or found

    def _started(self, *arguments: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "app", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def _ended(self, run: subprocess.Popen[str]) -> Verdict:
        try:
            out, err = run.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            return Verdict(End.HANG, f"over {LIMIT_S:.0f} s")
        return judged(Answer(run.returncode, out, err))

    def _group_killed(
        self, run: subprocess.Popen[str], project: Path, dice: random.Random
    ) -> Verdict:
        """The whole group is killed; what was there a second before is there afterwards."""
        wanted, after_s = dice.randrange(TRIALS), dice.uniform(0.0, 1.5)
        seen = 0
        end = time.monotonic() + LIMIT_S
        while seen < wanted and run.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
            seen = max(seen, _trials(project))
        time.sleep(after_s)
        seen = max(seen, _trials(project))
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        if not project.exists():
            return Verdict(End.RIGHT, "killed before there was a project")
        found = self._ended(self._started("info", project))
        if found.end is not End.RIGHT:
            return found
        if (kept := _trials(project)) < seen:
            return Verdict(End.LOST, f"{seen - kept} of {seen} trials")
        return self._ended(self._started("resume", project, "--trials", "2"))

    def _whole(self, project: Path) -> Verdict | None:
        """What is wrong with what is left; None where nothing is."""
        if not project.exists():
            return None
        with closing(sqlite3.connect(project)) as connection:
            crashed = connection.execute(
                "SELECT count(*) FROM trials WHERE error LIKE '%crash%'"
            ).fetchone()[0]
        if crashed:
            return Verdict(End.WRONG, f"{crashed} trials are told to have crashed")
        left = [path.name for path in project.parent.iterdir() if path != project]
        return Verdict(End.LEFT, ", ".join(left)) if left else None


def _trials(project: Path) -> int:
    """How many trials a project has by now."""
    if not project.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM trials").fetchone()[0])
    except sqlite3.Error:  # it is being made, or written
        return 0
