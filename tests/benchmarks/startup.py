"""Seconds from the start of the process to a painted window, with Tunewright's own entry point."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from tests.benchmarks.parts.report import Goal, Report, main

_CHILD = """
import sys, time
from app.process import main
from PySide6.QtCore import QCoreApplication, QTimer
from app.window.main_window import MainWindow

def painted():
    print(time.monotonic(), flush=True)
    QTimer.singleShot(0, QCoreApplication.quit)

made = MainWindow.__init__
def patched(self, *args, **kwargs):
    made(self, *args, **kwargs)
    self.first_painted.connect(painted)
MainWindow.__init__ = patched
main.run_gui()
"""


def start_once() -> float:
    """One start; CLOCK_MONOTONIC is the same clock in both processes."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ,
            "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
            "HOME": home,
            "XDG_CONFIG_HOME": home,
            "XDG_DATA_HOME": home,
            "XDG_STATE_HOME": home,
        }
        began = time.monotonic()
        child = subprocess.run(
            [sys.executable, "-c", _CHILD],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
    return float(child.stdout.split()[0]) - began


def run(quick: bool) -> Report:
    """Start the console a few times; the first start fills the file cache."""
    start_once()
    seconds = [start_once() for _ in range(2 if quick else 7)]
    return Report(
        "startup",
        (Goal("seconds to a painted window, median", statistics.median(seconds), 1.0, "lower"),),
        {"starts": len(seconds), "fastest_s": min(seconds), "slowest_s": max(seconds)},
    )


if __name__ == "__main__":
    main(run)
