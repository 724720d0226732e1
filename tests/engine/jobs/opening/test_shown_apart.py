"""Texts of TVM's from a stranger's project are compiled, to be shown, in a worker."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from engine.deploy.detail import describe
from engine.jobs.opening.isolation import shown_apart
from engine.records.errors import TuningError
from engine.workers.watched import Limits
from tests.engine.search.searches import find_task, make_search
from tests.engine.tasks.programs import cpu
from tests.hostile.modules import damaged

# TUNEWRIGHT_FUZZ=2000 for a long run; -s shows what came of it.
EXAMPLES = int(os.environ.get("TUNEWRIGHT_FUZZ", "50"))
LIMITS = Limits(4 << 30, 5.0)
SUBJECT = "The schedule of trial 7 of net"


def crash() -> dict[str, str]:
    os.abort()


def hang() -> dict[str, str]:
    time.sleep(60)
    return {}


def grow() -> dict[str, str]:
    return {"x": "x" * len([b"x" * (1 << 20) for _ in range(1 << 20)])}


@pytest.mark.parametrize(
    ("call", "limits", "words"),
    [
        (crash, Limits(4 << 30, 60), "its process crashed (SIGABRT"),
        (hang, Limits(4 << 30, 0.2), "that takes more than 0 seconds"),
        (grow, Limits(400 << 20, 60), "that needs more than 0.4 GB of memory"),
    ],
)
def test_what_a_text_does_to_its_worker_is_a_sentence_about_the_trial(
    call: Callable[[], dict[str, str]], limits: Limits, words: str
) -> None:
    with pytest.raises(TuningError) as caught:
        shown_apart(SUBJECT, call, limits=limits)
    assert caught.value.what.startswith(f"{SUBJECT} cannot be shown: {words}")
    assert caught.value.todo


@cache
def seed(name: str, op_class: str) -> tuple[str, str]:
    """A task's workload, and a trace that a search proposed for it."""
    search = make_search(name, op_class)
    search.start()
    return find_task(name, op_class).workload, search.propose()[0].trace


SEEDS = (("dense", "matmul_add_relu"), ("split", "split"), ("concat", "relu_concatenate"))


@pytest.mark.long
def test_damaged_workloads_are_shown_or_refused_and_never_crash_this_process() -> None:
    counted: Counter[str] = Counter()
    for number in range(EXAMPLES):
        dice = random.Random(f"a damaged workload {number}")
        workload, trace = seed(*dice.choice(SEEDS))
        given = (SUBJECT, damaged(workload, dice), trace, cpu().text)
        try:
            counted[", ".join(shown_apart(SUBJECT, describe, *given, limits=LIMITS))] += 1
        except TuningError as error:
            why = error.what.removeprefix(f"{SUBJECT} cannot be shown: ")
            assert why != error.what
            assert "\n" not in error.what
            counted[why.partition("(")[0]] += 1
    print(counted)
    assert counted["the task's workload is damaged."] > EXAMPLES / 3
