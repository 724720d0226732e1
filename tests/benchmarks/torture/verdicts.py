"""What became of one hostile thing, and how a command's answer is judged."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

KINDS = ("kills", "projects", "models", "traces", "workloads", "exports")


class End(StrEnum):
    """How the product ended. All but the first two are faults."""

    RIGHT = "right"
    REFUSED = "refused in a sentence"
    LOST = "lost"
    CRASH = "crash"
    TRACEBACK = "traceback"
    HANG = "hang"
    WRONG = "wrong answer"
    CODE = "code run"
    LEFT = "leftovers"


FAULTS = tuple(end for end in End if end not in (End.RIGHT, End.REFUSED))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end, and what tells about it."""

    end: End
    words: str = ""


@dataclass(slots=True)
class Answer:
    """What a command said; `code` is its exit code."""

    code: int = 0
    out: str = ""
    err: str = ""


_OWN_FAULTS = re.compile(r"Traceback \(most recent|an error of its own|Segfault|\bcore dumped")
_RAW = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def judged(answer: Answer) -> Verdict:
    """The verdict on what a command said: it succeeded, or it refused in a sentence."""
    said = answer.out + answer.err
    if found := _OWN_FAULTS.search(said):
        return Verdict(End.TRACEBACK, said[max(0, found.start() - 300) :][:1500])
    if found := _RAW.search(said):
        return Verdict(End.WRONG, f"raw {found[0]!r} in {said[:300]!r}")
    if answer.code == 0:
        return Verdict(End.RIGHT)
    if "--help` says more" in said:
        raise RuntimeError(f"The torture itself asks wrongly: {said}")
    if answer.code not in (1, 2):
        return Verdict(End.CRASH, f"exit code {answer.code}: {said[-500:]}")
    if answer.out.startswith('{"error"'):
        found = json.loads(answer.out)
        return judged_words(f"{found['error']} {found['todo']}".strip())
    return judged_words(answer.err or answer.out)


def judged_words(text: str) -> Verdict:
    """The verdict on why something was refused: the last of what is said is a sentence."""
    lines = text.strip().splitlines()
    if not lines or not lines[-1].rstrip().endswith((".", ")", "}.", "`.")):
        return Verdict(End.TRACEBACK, f"no sentence: {text[-500:]!r}")
    return Verdict(End.REFUSED, lines[-1])


@contextmanager
def captured() -> Iterator[Answer]:
    """Take what this process writes to its terminal, its libraries' words included."""
    answer = Answer()
    kept, ours = [os.dup(1), os.dup(2)], (sys.stdout, sys.stderr)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        for file in ours:
            file.flush()
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        try:
            with (
                open(1, "w", closefd=False) as sys.stdout,
                open(2, "w", closefd=False) as sys.stderr,
            ):
                yield answer
        finally:
            sys.stdout, sys.stderr = ours
            for old, new in zip(kept, (1, 2), strict=True):
                os.dup2(old, new)
                os.close(old)
            for file, name in ((out, "out"), (err, "err")):
                file.seek(0)
                setattr(answer, name, file.read().decode(errors="replace"))


def commanded(arguments: Sequence[str | Path]) -> Answer:
    """A command line carried out in this process."""
    from app.cli.main import run

    with captured() as answer:
        answer.code = run([str(argument) for argument in arguments])
    return answer
