"""What the Jobs view says of jobs, stages and idle time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.records.job import JobState
from engine.records.outstanding import StageKind
from tests.job_data import JOBS
from widgets.jobs.spans import Idle
from widgets.jobs.words import (
    STATES,
    brief_word,
    idle_text,
    kind_word,
    shown_state,
    stage_text,
    state_label,
    summary,
)

IDLE = Idle(10.0, 12.5, True, 4, 2, ((StageKind.BUILD, 2),))


def test_every_state_has_a_shape_and_a_word_of_its_own() -> None:
    assert set(STATES) == set(JobState)
    labels = [state_label(state) for state in JobState]
    assert len({label.split()[0] for label in labels}) == len({*labels}) == len(JobState)


def test_every_kind_of_stage_has_a_word_that_fits_a_bar() -> None:
    for kind in StageKind:
        assert kind_word(kind) and len(brief_word(kind)) <= 11, kind


def test_a_job_that_is_held_is_called_paused_until_it_is_over() -> None:
    held = replace(JOBS[3], state=JobState.WAITING, paused=True)
    assert shown_state(held) is JobState.PAUSED
    assert shown_state(replace(held, state=JobState.FINISHED)) is JobState.FINISHED


@pytest.mark.parametrize(
    ("running", "holding", "word"),
    [
        (True, False, "the queue runs"),
        (True, True, "no other job begins"),
        (False, False, "the queue does not run"),
    ],
)
def test_the_queue_is_summed_up_in_a_line(running: bool, holding: bool, word: str) -> None:
    text = summary(JOBS, running, holding)
    assert text == f"2 of 5 jobs have ended  ·  2 under way  ·  {word}"
    assert summary((), running, holding) == ""


def test_a_stage_is_told_with_its_job_its_task_and_its_seconds() -> None:
    text = stage_text(StageKind.MEASUREMENT, "fused_dense", "squeezenet", 0.412, False, 2)
    assert text == "squeezenet\nmeasurement: fused_dense\n412 ms\non 2 cores"
    assert "for 1:30 so far" in stage_text(StageKind.SEARCH, "", "net", 90.0, True, 1)


@pytest.mark.parametrize(
    ("idle", "said"),
    [
        (IDLE, "Nothing was ready to be measured. Meanwhile: 2 builds."),
        (replace(IDLE, cores=2), "All cores were held: 2 builds."),
        (replace(IDLE, device=False), "Beside it: 2 builds. Nothing else was ready."),
        (
            replace(IDLE, device=False, wanted=4),
            "The next stage waited for 4 cores, of which 2 were held: 2 builds.",
        ),
        (replace(IDLE, held=0, kinds=()), "No stage went on anywhere."),
        (replace(IDLE, until_s=None, held=0, kinds=()), "All jobs are paused."),
    ],
)
def test_idle_time_is_told_with_its_cause_as_far_as_stages_tell(idle: Idle, said: str) -> None:
    first, cause = idle_text(idle, 14.0, "All jobs are paused.").split("\n")
    assert cause == said
    assert first == ("idle for 2.50 s" if idle.until_s else "idle for 4.00 s so far")


def test_stages_without_a_plural_are_counted_by_their_word() -> None:
    text = idle_text(replace(IDLE, kinds=((StageKind.READING, 2), (StageKind.SEARCH, 3))), 14.0, "")
    assert text.endswith("Meanwhile: 2 x reading of the model, 3 searches.")
