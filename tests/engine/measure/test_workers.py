"""Fork servers, and how workers word their failures."""

from __future__ import annotations

import multiprocessing
import os
import sys
from multiprocessing.connection import Connection

import pytest

from engine.measure.local_runner import LocalRunner
from engine.measure.runner import RunRequest
from engine.records.errors import TuningError
from engine.records.trial import ErrorKind
from engine.workers.child import TEXT_LIMIT, error_text, exit_text, first_line
from engine.workers.fork_server import ForkServerContext
from tests.engine.measure import kernels


def report(pipe: Connection) -> None:
    """Say what a worker has imported, whether it ran a main module, and who its parent is."""
    ran_main = hasattr(sys.modules["__mp_main__"], "__file__")
    pipe.send(("tvm" in sys.modules, ran_main, os.getppid()))


def ask(context: ForkServerContext) -> tuple[bool, bool, int]:
    ours, theirs = context.Pipe()
    process = context.Process(target=report, args=(theirs,))
    process.start()
    theirs.close()
    answer: tuple[bool, bool, int] = ours.recv()
    process.join()
    ours.close()
    assert process.exitcode == 0
    return answer


def test_only_what_was_asked_for_is_imported_and_servers_are_apart() -> None:
    bare, loaded = ForkServerContext(), ForkServerContext(("tvm",))
    tvm_in_bare, main_in_bare, bare_server = ask(bare)
    tvm_in_loaded, main_in_loaded, loaded_server = ask(loaded)
    assert (tvm_in_bare, tvm_in_loaded) == (False, True)
    assert not main_in_bare
    assert not main_in_loaded
    assert len({bare_server, loaded_server, os.getpid()}) == 3
    bare.stop()
    loaded.stop()


def test_a_stopped_server_starts_no_more_processes() -> None:
    before = multiprocessing.active_children()
    context = ForkServerContext()
    ask(context)
    context.stop()
    context.stop()
    with pytest.raises(OSError, match="stopped"):
        context.Process(target=report).start()
    assert multiprocessing.active_children() == before


def test_a_device_that_is_not_there_is_told_before_and_at_a_measurement() -> None:
    runner = LocalRunner("cuda:99")
    with pytest.raises(TuningError, match="no device cuda:99"):
        runner.wait_ready(60)
    assert not runner.ready()
    result = runner.submit(RunRequest("/nowhere.so", kernels.ARGS, kernels.QUICK)).result(60)
    assert result.error is ErrorKind.DEVICE_LOST
    assert "cuda:99" in result.error_text
    runner.close()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("\n  \nFirst.\nSecond.", "First."),
        ('Traceback (most recent call last):\n  File "x.py", line 3\nReal', "Real"),
        ("x" * 9999, "x" * TEXT_LIMIT),
    ],
)
def test_the_first_line_that_says_something_is_kept(text: str, line: str) -> None:
    assert first_line(text) == line


def test_an_error_without_a_message_keeps_its_name() -> None:
    assert error_text(MemoryError()) == "MemoryError"
    assert len(error_text(ValueError("y" * 9999))) == TEXT_LIMIT


@pytest.mark.parametrize(
    ("code", "text"), [(-11, "SIGSEGV"), (-9, "SIGKILL"), (3, "exit code 3"), (None, "killed")]
)
def test_an_exit_code_becomes_a_word(code: int, text: str) -> None:
    assert exit_text(code) == text
