"""TVM gets every core before anything imports it."""

from __future__ import annotations

import os
import sys
from types import ModuleType

import pytest

from engine.records.machine import THREADS, prepare_environment, usable_cores


@pytest.fixture(autouse=True)
def _without_tvm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS, "")  # so that it is restored whatever a test sets
    monkeypatch.delitem(sys.modules, "tvm", raising=False)


def test_every_usable_core_is_the_default() -> None:
    prepare_environment()
    assert os.environ[THREADS] == str(usable_cores()) == str(len(os.sched_getaffinity(0)))


def test_a_given_number_of_threads_is_taken() -> None:
    prepare_environment(3)
    assert os.environ[THREADS] == "3"


def test_what_the_person_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS, "7")
    prepare_environment(3)
    assert os.environ[THREADS] == "7"


def test_coming_after_tvm_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tvm", ModuleType("tvm"))
    with pytest.raises(RuntimeError, match="before TVM_NUM_THREADS"):
        prepare_environment()


def test_a_second_call_after_tvm_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare_environment()
    monkeypatch.setitem(sys.modules, "tvm", ModuleType("tvm"))
    prepare_environment()
