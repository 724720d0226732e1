"""Nothing that is opened runs or crashes, nothing that is killed is lost: a few of each kind."""

from __future__ import annotations

import pickle
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.torture.__main__ import report_of
from tests.benchmarks.torture.kinds import Canary, Projects
from tests.benchmarks.torture.torturing import Tally, torture
from tests.benchmarks.torture.verdicts import FAULTS, KINDS, Answer, End, Verdict, judged

COUNTS = {"kills": 3, "traces": 30, "workloads": 30}  # of the others 50


@pytest.mark.parametrize("seed", range(50))
def test_a_mutated_project_is_shown_or_refused_in_a_sentence(seed: int, made: Projects) -> None:
    found = made.one(seed)
    assert found.end in (End.RIGHT, End.REFUSED), found.words


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Projects]:
    kind = Projects(tmp_path_factory.mktemp("projects"), None)
    yield kind
    kind.canary.close()


def test_what_is_reached_by_a_file_is_seen(tmp_path: Path) -> None:
    canary = Canary(tmp_path)
    assert canary.sings() == ""
    address = next(text for text in canary.texts if str(text).startswith("tcp://127"))
    host, _, port = str(address).removeprefix("tcp://").partition(":")
    with socket.create_connection((host, int(port))):
        assert "connected" in canary.sings()
    assert canary.sings() == ""
    (code,) = (text for text in canary.texts if isinstance(text, bytes) and b"touch" in text)
    pickle.loads(code)
    assert "ran" in canary.sings()
    canary.close()


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_there_is_no_fault(kind: str) -> None:
    tally = torture(kind, range(COUNTS.get(kind, 50)))
    assert not tally.faults
    assert set(tally.ends) <= {End.RIGHT, End.REFUSED}


@pytest.mark.parametrize(
    ("answer", "end"),
    [
        (Answer(0, "all is well"), End.RIGHT),
        (Answer(1, err="tunewright: This is no project. Open another."), End.REFUSED),
        (Answer(1, out="Softmax: no.\nIt cannot be tuned."), End.REFUSED),
        (Answer(1, err="half a"), End.TRACEBACK),
        (Answer(1), End.TRACEBACK),
        (Answer(0, err="Traceback (most recent call last):\n  x"), End.TRACEBACK),
        (Answer(1, err="Tunewright met an error of its own (KeyError)."), End.TRACEBACK),
        (Answer(0, out="a model named \x1b[2J"), End.WRONG),
        (Answer(-11), End.CRASH),
        (Answer(139), End.CRASH),
    ],
)
def test_what_a_command_says_is_told_apart(answer: Answer, end: End) -> None:
    assert judged(answer).end is end


def test_a_driver_that_dies_or_hangs_is_a_fault_of_its_seed_and_has_a_successor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tests.benchmarks.torture import torturing

    monkeypatch.setattr(torturing, "HANG_S", 1.0)
    monkeypatch.setattr(torturing, "DRIVER", "tests.benchmarks.tests.dying_driver")
    told: list[str] = []
    tally = torture("projects", range(6), told.append)
    assert [(seed, fault.end) for seed, fault in tally.faults] == [
        (1, End.CRASH),
        (2, End.HANG),
        (3, End.TRACEBACK),
    ]
    assert tally.ends[End.RIGHT] == 3
    assert len(told) == 3


def test_a_fault_misses_the_goals_of_its_kind() -> None:
    tallies = {"models": Tally(), "traces": Tally()}
    tallies["models"].add(7, Verdict(End.HANG, "over 60 s"))
    tallies["traces"].add(8, Verdict(End.REFUSED, "It is damaged."))
    missed = [goal.what for goal in report_of(tallies).goals if not goal.met]
    assert missed == ["faults of 1 models", f"{End.HANG} in all"]
    assert report_of(tallies).details["faults"][0]["seed"] == 7
    assert len(FAULTS) == 7
