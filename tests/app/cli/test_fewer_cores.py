"""Commands of ours on fewer cores than this process has."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from contextlib import suppress

import psutil
import pytest

from app.cli.fewer_cores import on_cores, require_cores
from engine.records.errors import UsageError
from engine.records.machine import usable_cores
from tests.engine.measure.rpc_lab import free_port


def test_a_command_has_so_many_cores_and_this_process_its_own_afterwards() -> None:
    ours = os.sched_getaffinity(0)
    seen: list[int] = []

    def look() -> None:
        end = time.monotonic() + 30
        while not seen and time.monotonic() < end:
            for child in psutil.Process().children():
                if "targets" in child.cmdline():
                    seen.append(len(child.cpu_affinity()))
            time.sleep(0.01)

    looking = threading.Thread(target=look)
    looking.start()
    assert not on_cores(["targets", "--json"], 1)
    looking.join()
    assert seen == [1] and os.sched_getaffinity(0) == ours


def test_a_signal_is_passed_on_once_and_ends_the_command() -> None:
    before, port = signal.getsignal(signal.SIGINT), free_port()

    def interrupt() -> None:
        """Once the command listens."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                os.kill(os.getpid(), signal.SIGINT)
                return
            time.sleep(0.05)

    waiting = threading.Thread(target=interrupt)
    waiting.start()
    assert on_cores(["rpc-tracker", "--port", str(port)], 1)
    waiting.join()
    assert signal.getsignal(signal.SIGINT) is before


def test_more_cores_than_there_are_are_refused() -> None:
    require_cores(usable_cores())
    with pytest.raises(UsageError, match=r"5000 cores are wanted, and \d+ are here"):
        require_cores(5000)
