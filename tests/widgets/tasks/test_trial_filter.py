"""Which trials pass a filter, against looking at each of them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.records.trial import ErrorKind, Source, Trial
from tests.samples import make_trial
from widgets.look.states import source_word
from widgets.tasks.trial_columns import TrialColumns, TrialFilter

NAMES = {0: "fused_conv2d", 1: "fused_Dense", 7: "softmax"}
WORDS = ("", "conv2d", "DENSE", "line 7", "build", "shared", "run crash", "nothing like it")


@st.composite
def trials(draw: st.DrawFn) -> list[Trial]:
    made = []
    for number in range(1, draw(st.integers(1, 12)) + 1):
        error = draw(st.sampled_from([None, *ErrorKind]))
        trial = make_trial(number, draw(st.sampled_from([0, 1, 7])), 1e-3, error=error)
        text = f"Stopped at Line {draw(st.integers(5, 8))}" if error else ""
        made.append(replace(trial, source=draw(st.sampled_from(Source)), error_text=text))
    return made


def passes(asked: TrialFilter, trial: Trial) -> bool:
    if asked.task not in (None, trial.task) or asked.source not in (None, trial.source):
        return False
    if asked.error is not None and asked.error is not trial.error:
        return False
    if asked.error is None and asked.failed not in (None, trial.error is not None):
        return False
    fields = (NAMES[trial.task], trial.error or "", trial.error_text, source_word(trial.source))
    return all(
        any(word in field.lower() for field in fields) for word in asked.text.lower().split()
    )


@given(
    trials(),
    st.builds(
        TrialFilter,
        task=st.sampled_from([None, 0, 1]),
        failed=st.sampled_from([None, True, False]),
        error=st.sampled_from([None, *ErrorKind]),
        source=st.sampled_from([None, *Source]),
        text=st.sampled_from(WORDS),
    ),
)
def test_a_trial_is_shown_where_all_that_was_asked_is_true_of_it(
    made: list[Trial], asked: TrialFilter
) -> None:
    columns = TrialColumns()
    columns.add(made)
    mask = asked.mask(columns, NAMES)
    shown = [True] * len(made) if mask is None else mask.tolist()
    assert shown == [passes(asked, trial) for trial in made]


def test_a_task_without_a_name_is_found_by_its_number() -> None:
    columns = TrialColumns()
    columns.add([make_trial(1, 40, 1e-3), make_trial(2, 41, 1e-3)])
    mask = TrialFilter(text="task 41").mask(columns, {})
    assert mask is not None and mask.tolist() == [False, True]
