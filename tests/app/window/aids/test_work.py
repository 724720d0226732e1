"""What goes on and takes a while: its time, its end, and what is overdue. Clocks are made up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.process.settings import Settings
from app.window.aids.notify import LEAST_S, Notifier, end_sentence, toggle_notices
from app.window.aids.silence import LEAST_S as SILENT_S
from app.window.aids.silence import PACE, Silence
from app.window.aids.work import Pace, WorkEnded, WorkKind, Works
from app.window.status import progress_share, status_sentence
from engine.jobs.cancelling import Cancelled
from engine.records.errors import ExportError
from engine.records.events import (
    Progress,
    ProjectOpened,
    RunChanged,
    Scores,
    StagesOutstanding,
    TrialDone,
)
from engine.records.outstanding import OutstandingStage, StageKind
from engine.records.settings import RunState
from engine.records.words import Doing, RunEnd
from tests.app.conftest import Console
from tests.figures import figure
from tests.samples import make_trial, run_begins, squeezenet_like_snapshot
from widgets.look.language import translation, use

OPENED = squeezenet_like_snapshot(8)
OPENED_PATH = Path("/nowhere/net.tune")


class Clock:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


# Pace


def work(pace: Pace, clock: Clock, *steps: tuple[str, float]) -> None:
    """One piece of work from begin to end."""
    pace.begin("Opening")
    for text, seconds in steps:
        pace.step(text)
        clock.wait(seconds)
    pace.end(whole=True)


def test_the_first_time_nothing_is_known_of_the_time_left(clock: Clock) -> None:
    pace = Pace(Settings(memory=True), clock)
    pace.begin("Opening")
    pace.step("reading")
    clock.wait(5)
    assert pace.left() is None


def test_later_work_is_expected_to_take_as_long_scaled_by_its_first_steps(clock: Clock) -> None:
    settings = Settings(memory=True)
    work(Pace(settings, clock), clock, ("reading", 2), ("lowering", 10), ("fusing", 4))
    pace = Pace(settings, clock)  # another session
    pace.begin("Opening")
    pace.step("reading")
    clock.wait(4)  # twice as long as the last time
    assert pace.left() == pytest.approx(14)  # it is overdue; what follows is known
    pace.step("lowering")
    clock.wait(5)
    assert pace.left() == pytest.approx(2 * 10 - 5 + 2 * 4)


def test_a_step_that_counts_is_read_ahead_from_its_own_parts(clock: Clock) -> None:
    pace = Pace(Settings(memory=True), clock)
    pace.begin("Finding")
    pace.step("spaces", 1, 11)
    clock.wait(6)
    pace.step("spaces", 4, 11)
    assert pace.left() == pytest.approx(6 / 3 * 7)


def test_only_whole_work_is_remembered(clock: Clock) -> None:
    settings = Settings(memory=True)
    pace = Pace(settings, clock)
    pace.begin("Opening")
    pace.step("reading")
    clock.wait(1)
    pace.end(whole=False)
    assert settings.get("work/paces", {}) == {}


@pytest.mark.parametrize("stored", [{"Opening": 3}, {"Opening": {"reading": "x"}}, {"Opening": []}])
def test_odd_settings_are_no_pace(clock: Clock, stored: dict[str, object]) -> None:
    settings = Settings(memory=True)
    settings.set("work/paces", stored)
    pace = Pace(settings, clock)
    pace.begin("Opening")
    pace.step("reading")
    clock.wait(5)
    assert pace.left() is None


# Silence


def stage(clock: Clock, kind: StageKind = StageKind.BUILD, task: int = 3) -> OutstandingStage:
    return OutstandingStage(kind, task, clock())


def name(task: int) -> str:
    return f"conv{task}"


def test_a_long_silence_is_told_with_what_is_waited_for(clock: Clock) -> None:
    silence = Silence(clock)
    silence.go_on()
    silence.stages([stage(clock), stage(clock, StageKind.SEARCH, 4)])
    clock.wait(SILENT_S)
    assert silence.alarm(name) == ""
    clock.wait(15)
    text = "No result for 1:15: build of conv3 for 1:15, search of conv4 for 1:15"
    assert silence.alarm(name) == text
    silence.result()
    assert silence.alarm(name) == ""


def test_the_pace_of_a_slow_run_raises_the_limit(clock: Clock) -> None:
    silence = Silence(clock)
    silence.go_on()
    for _ in range(3):
        silence.stages([stage(clock)])
        clock.wait(50)
        silence.stages([])
        silence.result()
    silence.stages([stage(clock)])
    clock.wait(PACE * 50)
    assert silence.alarm(name) == ""
    clock.wait(1)
    assert "No result" in silence.alarm(name)


def test_a_stage_of_a_kind_that_takes_long_is_no_reason_for_alarm(clock: Clock) -> None:
    silence = Silence(clock)
    silence.go_on()
    long_one = stage(clock, StageKind.SEARCH)
    silence.stages([long_one])
    clock.wait(59)
    silence.result()
    clock.wait(41)
    silence.stages([])  # that search took 100 s
    silence.result()
    silence.stages([stage(clock, StageKind.SEARCH)])
    clock.wait(200)
    assert silence.alarm(name) == ""
    clock.wait(150)
    assert "search of conv3 for 5:50" in silence.alarm(name)


def test_nothing_under_way_is_told_as_that(clock: Clock) -> None:
    silence = Silence(clock)
    silence.go_on()
    clock.wait(61)
    assert "nothing is under way" in silence.alarm(name)


def test_a_held_run_and_a_limit_of_zero_give_no_alarm(clock: Clock) -> None:
    silence = Silence(clock)
    silence.go_on()
    silence.hold()
    clock.wait(500)
    assert silence.alarm(name) == ""
    silence.go_on()
    assert silence.seconds == 0
    silence.least_s = 0
    clock.wait(500)
    assert silence.alarm(name) == ""
    assert silence.step_alarm("lowering", 500, None) == ""


def test_a_step_is_overdue_by_what_it_took_the_last_time(clock: Clock) -> None:
    silence = Silence(clock)
    assert silence.step_alarm("lowering", 179, None) == ""
    assert silence.step_alarm("lowering", 181, None) == "No news for 3:01: lowering"
    assert silence.step_alarm("lowering", 399, 100) == ""
    assert "(usually 1:40)" in silence.step_alarm("lowering", 401, 100)


# Works


class Followed:
    """A document, its works, and what has ended."""

    def __init__(self, clock: Clock) -> None:
        self.owner = QObject()
        self.document = Document(self.owner)
        self.works = Works(self.document, Settings(memory=True), clock, self.owner)
        self.ends: list[WorkEnded] = []
        self.works.ended.connect(self.ends.append)

    def tell(self, *events: object) -> None:
        self.document.apply(events)  # type: ignore[arg-type]
        self.works.apply(events)  # type: ignore[arg-type]


@pytest.fixture
def followed(qtbot: QtBot, clock: Clock) -> Followed:
    return Followed(clock)


def test_a_command_is_work_with_its_step_its_seconds_and_a_way_to_end_it(
    followed: Followed, clock: Clock
) -> None:
    followed.document.set_pending("Exporting", can_cancel=True)
    followed.tell(Progress("Compiling"))
    clock.wait(3)
    (found,) = followed.works.all()
    assert (found.title, found.text, found.seconds, found.cancel) == (
        "Exporting", "Compiling", 3.0, "cancel",
    )  # fmt: skip
    followed.document.set_pending("")
    assert followed.works.all() == []
    assert followed.ends == [WorkEnded("Exporting", 3.0, True)]


def test_a_run_is_work_that_ends_by_stop_with_the_time_its_budget_leaves(
    followed: Followed,
) -> None:
    followed.tell(ProjectOpened(OPENED), *run_begins(2))
    followed.tell(Scores(1.0, trials=8, trials_per_s=1.0, time_left_s=90.0))
    (found,) = followed.works.all()
    assert (found.title, found.seconds_left, found.cancel) == ("Tuning", 90.0, "stop")
    followed.tell(RunChanged(2, RunState.FINISHED))
    assert [end.kind for end in followed.ends] == [WorkKind.TUNING]


def test_the_time_left_of_a_run_counts_down_and_is_not_told_once_it_is_over(
    followed: Followed, clock: Clock
) -> None:
    followed.tell(ProjectOpened(OPENED), *run_begins(2))
    followed.tell(Scores(1.0, trials=8, trials_per_s=1.0, time_left_s=6.0))
    seen = []
    for _ in range(4):
        seen.append(followed.works.all()[0].seconds_left)
        clock.wait(3)
    assert seen == [6.0, 3.0, 0.0, None]
    followed.tell(Scores(9.0, trials=8, trials_per_s=1.0, time_left_s=4.0))
    assert followed.works.all()[0].seconds_left == 4.0
    followed.tell(RunChanged(2, RunState.PAUSED))
    clock.wait(60)
    assert followed.works.run_left() == 4.0
    followed.tell(RunChanged(2, RunState.STOPPED))


@pytest.mark.parametrize("overdue_s", [5.0, 60.0, 3600.0])
def test_a_step_that_is_long_overdue_has_no_time_left_that_stands_still(
    clock: Clock, overdue_s: float
) -> None:
    settings = Settings(memory=True)
    work(Pace(settings, clock), clock, ("reading", 2), ("lowering", 6))
    pace = Pace(settings, clock)
    pace.begin("Opening")
    pace.step("reading")
    clock.wait(overdue_s)
    assert pace.left() is None


STATES = [state for state in RunState if not state.active]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("step", ["Reading the model", "Importing the model into TVM", ""])
def test_no_step_moves_on_after_its_run_is_over(
    followed: Followed, state: RunState, step: str
) -> None:
    followed.tell(ProjectOpened(OPENED), *run_begins(2, RunState.PREPARING))
    followed.tell(Progress(step))
    followed.tell(RunChanged(2, state, "The file is gone."))
    assert followed.document.progress is None
    assert progress_share(followed.document) is None
    assert followed.works.all() == []


def test_a_search_for_stages_is_work(followed: Followed) -> None:
    followed.tell(ProjectOpened(OPENED))
    followed.document.set_searching(True)
    (found,) = followed.works.all()
    assert (found.title, found.cancel) == ("Finding stages", "stop")
    followed.document.set_searching(False)
    assert [end.kind for end in followed.ends] == [WorkKind.STAGES]


def test_work_of_the_windows_own_is_listed_after_the_engines_and_can_be_ended(
    followed: Followed, clock: Clock
) -> None:
    ended: list[str] = []
    own = followed.works.begin("Writing the report", lambda: ended.append("by me"))
    followed.document.set_pending("Exporting")
    own.tell("drawing", 2, 5)
    clock.wait(2)
    first, second = followed.works.all()
    assert (first.title, second.title, second.done, second.total) == (
        "Exporting", "Writing the report", 2, 5,
    )  # fmt: skip
    assert second.own
    assert callable(second.cancel)
    second.cancel()
    assert ended == ["by me"]
    own.end("It is there.")
    own.end("It is there.")
    assert followed.ends == [WorkEnded("Writing the report", 2.0, True, "It is there.")]
    followed.document.set_pending("")


def test_an_overdue_build_is_told_until_there_is_a_result(followed: Followed, clock: Clock) -> None:
    followed.tell(ProjectOpened(OPENED), *run_begins(2))
    followed.tell(StagesOutstanding((stage(clock, task=0),)))
    clock.wait(70)
    build = f"build of {OPENED.tasks[0].name} for 1:10"
    assert followed.works.alarm() == f"No result for 1:10: {build}"
    followed.tell(TrialDone(make_trial(9, 0, 1e-3, run=2)))
    assert followed.works.alarm() == ""
    clock.wait(70)
    followed.tell(RunChanged(2, RunState.PAUSED))
    assert followed.works.alarm() == ""
    followed.tell(RunChanged(2, RunState.STOPPED))


def test_an_overdue_step_without_trials_is_told_by_its_words(
    followed: Followed, clock: Clock
) -> None:
    followed.document.set_pending("Importing the model", can_cancel=True)
    followed.tell(Progress("Lowering"))
    clock.wait(200)
    assert followed.works.alarm() == "No news for 3:20: Lowering"
    followed.tell(Progress("Fusing"))
    assert followed.works.alarm() == ""
    followed.document.set_pending("")


# The status line, and cancelling


def open_project(console: Console) -> None:
    console.tell(ProjectOpened(OPENED))


def test_an_export_is_cancelled_from_the_status_line(console: Console, tmp_path: Path) -> None:
    open_project(console)
    console.commands.export(tmp_path)
    status = console.window.status
    assert not status.cancel_button.isHidden()
    assert status.cancel_button.text() == "Cancel"
    status.cancel_button.click()
    assert console.engine.names()[-1] == "cancel"
    console.engine.futures["export"].set_exception(Cancelled())
    console.tick()
    assert console.document.idle
    assert console.document.cancelled
    assert status.cancel_button.isHidden()
    assert not console.window.console.messages.rows()


def test_an_import_that_is_cancelled_leaves_what_was_open(console: Console) -> None:
    open_project(console)
    console.commands.open_sample("squeezenet")
    console.do("cancel")
    console.engine.futures["open_model"].set_exception(Cancelled())
    console.tick()
    assert console.document.is_open


def test_a_run_has_stop_in_the_status_line_and_what_is_short_has_nothing(
    console: Console,
) -> None:
    open_project(console)
    console.tell(*run_begins(2))
    status = console.window.status
    assert status.cancel_button.text() == "Stop"
    status.cancel_button.click()
    assert console.engine.names()[-1] == "stop"
    console.tell(RunChanged(2, RunState.STOPPED))
    console.commands.open_path(OPENED_PATH)
    assert status.cancel_button.isHidden()


def test_what_is_overdue_stands_in_the_status_line_with_the_way_to_the_log(
    console: Console,
) -> None:
    open_project(console)
    works, clock = console.window.console.works, Clock()
    works.clock = works.silence._clock = clock
    console.tell(*run_begins(2), StagesOutstanding((stage(clock, task=0),)))
    clock.wait(90)
    works.changed.emit()
    status = console.window.status
    assert "No result for 1:30: build of" in status.sentence.text()
    assert not status.log_button.isHidden()
    asked: list[str] = []
    status.action_wanted.connect(asked.append)
    status.log_button.click()
    assert asked == ["go-log"]
    console.tell(TrialDone(make_trial(9, 0, 1e-3, run=2)))
    assert "No result" not in status.sentence.text()
    console.tell(RunChanged(2, RunState.STOPPED))


# Notices


class Desk:
    """A desktop that remembers what it was told."""

    def __init__(self, able: bool = True) -> None:
        self.able, self.told = able, list[str]()

    def tell(self, title: str, text: str, clicked: Callable[[], object]) -> bool:
        if self.able:
            self.told.append(text)
        return self.able


def notified(console: Console, desk: Desk, end: WorkEnded) -> None:
    console.window.aids.notifier.desktop = desk
    console.window.console.works.ended.emit(end)


def test_the_end_of_long_work_is_told_to_the_desktop_where_nobody_looks(console: Console) -> None:
    desk = Desk()
    notified(console, desk, WorkEnded("Exporting", LEAST_S, True))
    notified(console, desk, WorkEnded("Exporting", LEAST_S - 1, True))
    notified(console, desk, WorkEnded("Exporting", 75, False))
    assert desk.told == ["Exporting is done after 0:10.", "Exporting failed after 1:15."]
    toggle_notices(console.settings)
    notified(console, desk, WorkEnded("Exporting", 75, False))
    assert len(desk.told) == 2


def test_without_a_desktop_the_message_bar_tells_it(console: Console) -> None:
    notified(console, Desk(able=False), WorkEnded("Exporting", 12, True))
    assert [row.what for row in console.window.console.messages.rows()] == [
        "Exporting is done after 0:12."
    ]


def test_a_finished_run_is_told_with_what_it_gave_and_a_stopped_one_not(console: Console) -> None:
    open_project(console)
    console.tell(*run_begins(2))
    console.tell(Scores(1.0, figure(8e-3, 2e-3), trials=8, trials_per_s=1.0))
    console.tell(RunChanged(2, RunState.FINISHED, "the time is spent"))
    end = WorkEnded("Tuning", 99, True, kind=WorkKind.TUNING)
    assert "8.00 ms untuned, 2.00 ms now (4.00x)" in end_sentence(end, console.document)
    console.tell(RunChanged(2, RunState.FAILED, "no space"))
    assert end_sentence(end, console.document) == "The run failed: no space"
    console.tell(RunChanged(2, RunState.STOPPED, "stopped"))
    assert end_sentence(end, console.document) == ""


@pytest.mark.parametrize("end", RunEnd)
def test_why_a_run_ended_and_what_goes_on_are_german_there(console: Console, end: RunEnd) -> None:
    open_project(console)
    use([translation("de")])
    try:
        console.tell(*run_begins(2), RunChanged(2, RunState.FINISHED, end))
        shown = status_sentence(console.document)
        told = end_sentence(WorkEnded("Tuning", 9, True, kind=WorkKind.TUNING), console.document)
        console.tell(Progress(Doing.CHECKING, about="ONNX Runtime"))
        goes_on = status_sentence(console.document)
    finally:
        use([])
    assert shown.startswith("Fertig: ") and end not in shown + told
    assert goes_on == "Ausgaben gegen ONNX Runtime prüfen"


def test_failed_work_is_not_whole(console: Console, tmp_path: Path) -> None:
    open_project(console)
    ends: list[WorkEnded] = []
    console.window.console.works.ended.connect(ends.append)
    console.commands.export(tmp_path)
    console.engine.refuse("export", ExportError("It differs.", "Report it."))
    console.tick()
    assert [(end.title, end.whole) for end in ends] == [("Exporting", False)]
    assert isinstance(console.window.aids.notifier, Notifier)


# Preferences


def test_preferences_hold_at_once_and_the_next_time(console: Console) -> None:
    dialog = console.window.aids.dialogs.preferences()
    assert dialog.form.value().notices
    dialog.form.controls["notices"].set_value(False)
    dialog.form.controls["silence_s"].set_value(300.0)
    dialog.buttons.accepted.emit()
    assert not console.window.console.actions["notify"].isChecked()
    assert console.window.console.works.silence.least_s == 300.0
    document = Document()
    assert Works(document, console.settings, parent=document).silence.least_s == 300.0
