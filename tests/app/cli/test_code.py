"""The command `code`: whose texts it prints, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.jobs.opening import isolation
from engine.records.errors import TuningError
from tests.app.cli.support import Here
from tests.engine.passes.test_knobs import drawn
from tests.engine.project.support import new_project

TEXTS = {"trace": "b0 = sch", "tir": "def main", "source": ".globl"}


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    """A command line whose worker answers at once, with the name of what it was asked of."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def shown(subject: str, *_: object) -> dict[str, str]:
        if "trial 1 " in subject:
            raise TuningError(f"{subject} cannot be shown: it is damaged.", "Choose another.")
        return TEXTS | {"trace": subject}

    monkeypatch.setattr(isolation, "shown_apart", shown)
    return Here(capfd)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "net.tune"
    with new_project(path) as opened:
        for trial in drawn(9):
            opened.add_trial(trial)
    return path


@pytest.mark.parametrize(
    ("text", "said"), [("tensorir", "def main"), ("source", ".globl"), ("", ".globl")]
)
def test_one_text_is_printed(here: Here, project: Path, text: str, said: str) -> None:
    given = ("--text", text) if text else ()
    assert here("code", project, "--trial", "3", *given).out.strip() == said


@pytest.mark.parametrize("chosen", [(), ("--task", "conv2d")])
def test_it_is_the_best_trials_of_the_costliest_task(
    here: Here, project: Path, chosen: tuple[str, ...]
) -> None:
    best = min(drawn(9), key=lambda trial: trial.latency_s or 9.0).number
    found = here("code", project, *chosen, "--json").json
    assert (found["task"], found["trial"]) == ("conv2d", best)
    assert found["schedule"] == f"The schedule of trial {best} of conv2d"
    assert (found["tensorir"], found["source"]) == ("def main", ".globl")


@pytest.mark.parametrize(
    ("options", "said", "code"),
    [
        (("--task", "dense"), "The project has no task dense.", 2),
        (("--task", "pool"), "No trial of pool has a latency yet.", 2),
        (("--trial", "77"), "The project has no trial 77.", 2),
        (("--text", "ptx"), "There is no text ptx.", 2),
        (("--trial", "1"), "The schedule of trial 1 of conv2d cannot be shown: it is damaged.", 1),
    ],
)
def test_what_there_is_not_is_refused_with_a_sentence(
    here: Here, project: Path, options: tuple[str, ...], said: str, code: int
) -> None:
    done = here("code", project, *options)
    assert done.code == code and done.err.startswith(f"tunewright: {said}")
