"""A call that crashes, hangs or takes too much memory, and one that answers."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from engine.records.errors import ModelError, ShapeError, TuningError, UnsupportedOperators
from engine.records.words import Say
from engine.workers.child import UNKNOWN, settle
from engine.workers.fork_server import ForkServerContext
from engine.workers.watched import Cause, Limits, WorkerLost, run_watched
from tests.killing import wait_for_pid

PLENTY = Limits(memory_bytes=2 << 30, seconds=60.0)


@pytest.fixture(scope="module")
def context() -> Iterator[ForkServerContext]:
    made = ForkServerContext(("numpy", "psutil", "pytest"))
    yield made
    made.stop()


def answer(say: Say, size: int) -> tuple[str, np.ndarray]:
    say("halfway")
    logging.getLogger("engine.test").warning("take %s", "care")
    return "done", np.arange(size)


def abort(say: Say) -> None:
    os.write(2, b"terminate called\n")
    os.abort()


def segfault(say: Say) -> None:
    ctypes.string_at(0)


def vanish(say: Say) -> None:
    os._exit(0)


def killed(say: Say, signum: int) -> None:
    os.kill(os.getpid(), signum)


def killed_once(say: Say, mark: Path) -> str:
    """Killed from outside in the first worker that does it."""
    if not mark.exists():
        mark.write_text(str(os.getpid()))
        time.sleep(60)
    return "done"


def take_a_while(say: Say, mark: Path) -> int:
    mark.write_text(str(os.getpid()))
    time.sleep(0.5)
    return os.getpid()


def settled(log_dir: str, mark: Path) -> None:
    """A worker that sleeps."""
    settle(log_dir)
    mark.write_text(str(os.getpid()))
    time.sleep(60)


def hang(say: Say) -> None:
    time.sleep(60)


def grow(say: Say) -> None:
    kept = []
    while True:
        kept.append(bytearray(os.urandom(1)) * (8 << 20))
        time.sleep(0.001)


def ask_for_too_much(say: Say) -> None:
    np.zeros(1 << 45, np.uint8)


def refuse(say: Say, error: Exception) -> None:
    raise error


def test_an_answer_comes_with_its_arrays_and_with_what_was_said_and_logged(
    context: ForkServerContext, caplog: pytest.LogCaptureFixture
) -> None:
    said: list[str] = []
    text, array = run_watched(context, PLENTY, answer, 100_000, say=said.append)
    assert (text, said) == ("done", ["halfway"])
    assert np.array_equal(array, np.arange(100_000))
    assert "take care" in caplog.text


@pytest.mark.parametrize(
    ("call", "words"),
    [(abort, "SIGABRT terminate called"), (segfault, "SIGSEGV"), (vanish, "exit code 0")],
)
def test_a_crash_says_how_the_process_ended(
    context: ForkServerContext, call: Callable[[Say], None], words: str
) -> None:
    with pytest.raises(WorkerLost) as lost:
        run_watched(context, PLENTY, call)
    assert lost.value.cause is Cause.CRASH
    assert words in lost.value.words


def test_a_call_that_hangs_is_given_up(context: ForkServerContext) -> None:
    with pytest.raises(WorkerLost) as lost:
        run_watched(context, Limits(PLENTY.memory_bytes, 0.2), hang)
    assert lost.value.cause is Cause.TIME


def test_a_call_that_nobody_waits_for_any_more_is_ended(context: ForkServerContext) -> None:
    with pytest.raises(WorkerLost) as lost:
        run_watched(context, PLENTY, hang, stopped=lambda: True)
    assert lost.value.cause is Cause.STOPPED


@pytest.mark.parametrize("call", [grow, ask_for_too_much])
def test_a_call_that_takes_too_much_memory_is_stopped(
    context: ForkServerContext, call: Callable[[Say], None]
) -> None:
    with pytest.raises(WorkerLost) as lost:
        run_watched(context, Limits(256 << 20, 60.0), call)
    assert lost.value.cause is Cause.MEMORY


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_is_killed_has_a_few_successors(
    context: ForkServerContext, signum: signal.Signals, tmp_path: Path
) -> None:
    mark = tmp_path / "begun"
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(run_watched, context, PLENTY, killed_once, mark)
        os.kill(wait_for_pid(mark), signum)
        assert future.result(60) == "done"
    with pytest.raises(WorkerLost) as lost:
        run_watched(context, PLENTY, killed, signum)
    assert (lost.value.cause, lost.value.words) == (Cause.KILLED, signum.name)


def test_a_call_outlives_its_server(context: ForkServerContext, tmp_path: Path) -> None:
    made = ForkServerContext(("numpy", "psutil", "pytest"))
    mark = tmp_path / "begun"
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(run_watched, made, PLENTY, take_a_while, mark)
        worker = wait_for_pid(mark)
        psutil.Process(worker).parent().kill()
        assert future.result(60) == worker
    assert run_watched(made, PLENTY, killed_once, mark) == "done"
    made.stop()


def test_a_worker_whose_server_is_dead_can_still_be_ended(tmp_path: Path) -> None:
    made = ForkServerContext()
    mark = tmp_path / "begun"
    process = made.Process(target=settled, args=(str(tmp_path), mark), daemon=True)
    process.start()
    worker = psutil.Process(wait_for_pid(mark))
    worker.parent().kill()
    process.join(10)
    assert process.exitcode == UNKNOWN
    assert worker.is_running()
    process.kill()
    assert psutil.wait_procs([worker], 10)[1] == []
    made.stop()


@pytest.mark.parametrize(
    "error", [ModelError("It is bad.", "Mend it."), UnsupportedOperators(("LSTM", "a::B"))]
)
def test_an_error_arrives_as_it_was_raised(context: ForkServerContext, error: ModelError) -> None:
    with pytest.raises(type(error)) as caught:
        run_watched(context, PLENTY, refuse, error)
    assert str(caught.value) == str(error)
    assert vars(caught.value) == vars(error)


def test_what_an_error_carries_arrives_with_it(context: ForkServerContext) -> None:
    error = ShapeError("Which?", "Say.")
    error.questions = ("a",)
    with pytest.raises(ShapeError) as caught:
        run_watched(context, PLENTY, refuse, error)
    assert caught.value.questions == ("a",)


def test_a_bug_of_the_call_is_one_sentence(context: ForkServerContext) -> None:
    with pytest.raises(TuningError, match="KeyError"):
        run_watched(context, PLENTY, refuse, KeyError("x"))


def unpicklable(say: Say) -> Any:
    return lambda: None


def test_an_answer_that_cannot_be_sent_is_one_sentence(context: ForkServerContext) -> None:
    with pytest.raises(TuningError):
        run_watched(context, PLENTY, unpicklable)
