"""The commands that lend devices: they listen, warn, refuse in a sentence and end cleanly."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import psutil
import pytest

from engine.interface.models import device_target
from tests.app.cli.support import Here, finish, start
from tests.engine.measure.rpc_lab import family, free_port


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(capfd)


def listening(process: subprocess.Popen[str]) -> str:
    """The line in which a command says where it listens."""
    assert process.stderr is not None
    line = process.stderr.readline()
    assert "Ctrl+C" in line, line + process.stderr.read()
    return line


def test_ctrl_c_ends_a_server_and_its_tracker_and_leaves_nothing(tmp_path: Path) -> None:
    pytest.importorskip("tornado", reason="TVM's tracker needs tornado")
    place = f"127.0.0.1:{free_port()}"
    tracker = start(tmp_path, "rpc-tracker", "--port", place.partition(":")[2], qt=False)
    assert place in listening(tracker)
    server = start(tmp_path, "rpc-server", "--key", "board", "--tracker", place, qt=False)
    assert "Serving board at 127.0.0.1:" in listening(server)
    left = family(server.pid) + family(tracker.pid)
    assert len(left) > 3
    for process, words in ((server, "The server has ended."), (tracker, "The tracker has ended.")):
        process.send_signal(signal.SIGINT)
        done = finish(process)
        assert (done.code, done.out.strip()) == (0, words)
        assert "Traceback" not in done.err
    assert not psutil.wait_procs(left, 10)[1]


def test_a_tracker_that_does_not_answer_is_one_sentence(here: Here) -> None:
    place = f"127.0.0.1:{free_port()}"
    done = here("rpc-server", "--key", "board", "--tracker", place)
    assert done.code == 1
    assert done.err.startswith(f"tunewright: No tracker answers at {place}.")
    assert len(done.err.splitlines()) == 1


def test_listening_beyond_this_machine_is_warned_of_in_one_line(here: Here) -> None:
    pytest.importorskip("tornado", reason="TVM's tracker needs tornado")
    done = here("rpc-tracker", "--host", "192.0.2.1")  # an address that no machine has
    warning, refusal = done.err.splitlines()
    assert "run any code" in warning
    assert "Nothing can listen at 192.0.2.1" in refusal
    assert done.code == 2


@pytest.mark.parametrize(
    ("key", "tracker"), [("a b", "127.0.0.1:9190"), ("board", "9190"), ("board", "host:0")]
)
def test_what_names_no_server_is_bad_use(here: Here, key: str, tracker: str) -> None:
    done = here("rpc-server", "--key", key, "--tracker", tracker)
    assert done.code == 2
    assert "names no remote device" in done.err


def test_a_device_comes_before_its_target() -> None:
    assert device_target(None, "cpu") == "cpu"
    assert device_target("rpc://h:1/k", "auto") == "rpc://h:1/k auto"
