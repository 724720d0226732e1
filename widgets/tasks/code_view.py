"""The code of the selected trial, or of the selected task's best: schedule, TensorIR, source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QPushButton, QStackedWidget, QWidget

from engine.history.open_project import OpenProject
from engine.project.repository import Project
from engine.records.events import Event, RunChanged, TrialConfirmed, TrialDone
from engine.records.trial import Trial
from engine.records.units import format_seconds
from widgets.look.elided import ElidedLabel
from widgets.look.icons import icon
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme_notifier
from widgets.parts.background import Background
from widgets.parts.notice import NO_MODEL, OPEN, Notice
from widgets.parts.pieces import beside, pages, stacked, surface, switch, tool_button
from widgets.parts.view import View
from widgets.tasks.code_page import CodePage
from widgets.tasks.trial_texts import TEXTS, recorded_trace, text_title

NO_TRIALS = QT_TR_NOOP(
    "No trials yet: press Start, and here is the code of each task's best schedule."
)
NONE_OF_TASK = QT_TR_NOOP("{task}: no trial has a latency yet.")
COMPILING = QT_TR_NOOP("{trial}: applying the trace and compiling …")
RUNNING = QT_TR_NOOP("{trial}: compiling it takes a core from the run for about a second.")
KEPT = 16  # trials whose texts are kept
SOON_MS = 150  # who goes through rows passes many trials
_LEAST = 90


class CodeView(View):
    """Asks for texts with `detail_wanted(number)`, one trial at a time, and only in sight.

    While a run goes on it waits to be told so: compiling would disturb measurements.
    """

    detail_wanted = Signal(int)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._task: int | None = None
        self._number: int | None = None
        self._texts: dict[int, Mapping[str, str]] = {}
        self._asked: int | None = None  # whose texts are being made
        self._shown: tuple[int, str] | None = None
        self._failed: int | None = None
        self.page = CodePage(tr("Code"))
        self.sentence = ElidedLabel("")
        self.button = QPushButton(tr("Compile and show"))
        self.kinds = {key: switch(text_title(key), tr("Show this text")) for key in TEXTS}
        self.field = QLineEdit()
        self.count = ElidedLabel("")
        self.before = tool_button("", tr("The place before (Shift+F3)"))
        self.after = tool_button("", tr("The next place (F3)"))
        self.copy_button = tool_button("", tr("Copy the whole text"))
        self.notice = Notice()
        self._pages = QStackedWidget()
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._ask)
        self._reading = Background(self)
        self._reading.done.connect(self._take_trace)
        self._arrange()

    def first_part(self) -> QWidget:
        return self.page if self._pages.currentIndex() else self

    @property
    def busy(self) -> bool:
        """Whether texts are being made or read for what is on show."""
        return self._soon.isActive() or self._asked is not None or self._reading.busy

    # The view protocol

    def show_project(self) -> None:
        self._reading.cancel()
        self._texts, self._asked, self._shown, self._failed = {}, None, None, None
        self._number = None
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """A task may have a better trial now, or a run begun or ended."""
        if any(isinstance(event, TrialDone | TrialConfirmed | RunChanged) for event in events):
            self._refresh()

    def select_task(self, task: int | None) -> None:
        self._task, self._number = task, None
        self._refresh()

    def select_trial(self, number: int | None) -> None:
        """Show a trial's code; None goes back to the task's best."""
        self._number = number
        self._refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no thread behind."""
        self._reading.close()
        super().closeEvent(event)

    def number(self) -> int | None:
        """The trial on show: the selected one, or the best of the selected or costliest task."""
        if self._number is not None:
            return self._number
        task = self._task
        if task is None:
            shares, best = self._history.shares(), self._history.best_trial
            tried = (each for each in shares if best(each) is not None)
            task = max(tried, key=lambda each: shares[each], default=None)
        return None if task is None else self._history.best_trial(task)

    # The texts

    def show_detail(self, number: int, texts: Mapping[str, str]) -> None:
        """Take the texts of a trial, whoever asked for them."""
        self._texts.pop(number, None)
        self._texts[number] = texts
        while len(self._texts) > KEPT:
            del self._texts[next(iter(self._texts))]
        self._answered(number)

    def show_detail_problem(self, number: int, text: str) -> None:
        """There is no more than the recorded trace; say why."""
        if number != self._asked:
            return
        if number == self.number():
            self._failed = number
            self._say(text)
            self._read_trace(number)
        self._answered(number)

    def _answered(self, number: int) -> None:
        if number == self._asked:
            self._asked = None
        self._refresh()

    def _ask(self) -> None:
        """Have the trial on show compiled; another one that is under way comes first."""
        number = self.number()
        if number is not None and self._asked is None and number not in self._texts:
            self._asked, self._failed = number, None
            self._refresh()
            self.detail_wanted.emit(number)

    def _read_trace(self, number: int) -> None:
        path, known = self.project.head.path, self.project.trial(number)
        if (known is not None and known.trace) or not path:
            self._take_trace((number, known))
            return

        def read(_: object) -> tuple[int, Trial]:
            with Project.open(path, read_only=True) as opened:
                return number, opened.trial(number)

        self._reading.start(read)

    def _take_trace(self, answer: tuple[int, Trial | None]) -> None:
        number, trial = answer
        if number == self.number() and trial is not None:
            self._put(number, {TEXTS[0]: recorded_trace(trial)})

    # Showing

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        tried = bool(self._history.tasks and self._history.trial_count)
        self._pages.setCurrentIndex(1 if tried else 0)
        if not tried:
            known = bool(self._history.tasks)
            self.notice.offer(tr(NO_TRIALS if known else NO_MODEL), "start" if known else OPEN)
            return
        self._show_number(self.number())

    def _show_number(self, number: int | None) -> None:
        if number != self._failed:
            self._failed = None
        run = self.project.run
        running = run is not None and run.state.active
        known = number in self._texts
        self.button.setVisible(running and number is not None and not known)
        self.button.setEnabled(self._asked is None)
        if number is None:
            task = "" if self._task is None else self._task_name(self._task)
            self._say(tr(NONE_OF_TASK, task=task))
            self._put(None, {})
        elif known:
            self._say(self._title(number))
            self._put(number, self._texts[number])
        elif self._failed is None:
            waits = running and self._asked != number
            self._say(tr(RUNNING if waits else COMPILING, trial=self._title(number)))
            self._put(None, {})
            if not running and self._asked is None:
                self._soon.start()

    def _say(self, text: str) -> None:
        self.sentence.setText(text)
        self.sentence.setToolTip(text)

    def _title(self, number: int) -> str:
        trial = self.project.trial(number)
        if trial is None:
            return f"#{number:,}"
        latency_s = trial.latency_s
        took = "" if latency_s is None else f", {format_seconds(latency_s)}"
        best = self._history.best_trial(trial.task) == number
        what = tr("best trial") if best else tr("trial")
        return f"{self._task_name(trial.task)}, {what} #{number:,}{took}"

    def _put(self, number: int | None, texts: Mapping[str, str]) -> None:
        """Offer the texts that there are, and show the one that was last chosen."""
        for key, button in self.kinds.items():
            button.setEnabled(bool(texts.get(key)))
        self.kinds["source"].setText(self._source_title())
        wanted = self._kind()
        kind = wanted if texts.get(wanted) or not texts else TEXTS[0]
        shown = None if number is None else (number, f"{kind}{len(texts)}")
        if shown != self._shown or number is None:
            self._shown = shown
            text = texts.get(kind, "")
            if text or self.page.toPlainText():
                self.page.show_code(text, self._language(kind))
        self._show_count()

    def _kind(self) -> str:
        return next(key for key, button in self.kinds.items() if button.isChecked())

    @property
    def _on_gpu(self) -> bool:
        hardware = self.project.head.hardware
        return bool(hardware.text) and not hardware.is_cpu

    def _source_title(self) -> str:
        return "CUDA" if self._on_gpu else tr("Assembly")

    def _language(self, kind: str) -> str:
        return ("cuda" if self._on_gpu else "asm") if kind == "source" else "python"

    # Searching

    def start_search(self) -> None:
        """Put the keyboard on the field; what is selected in the text is searched."""
        chosen = self.page.textCursor().selectedText()
        if chosen and "\u2029" not in chosen:
            self.field.setText(chosen)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _show_count(self) -> None:
        if not self.field.text():
            text = ""
        elif not self.page.count:
            text = tr("none")
        else:
            text = tr("{at} of {count}", at=f"{self.page.at:,}", count=f"{self.page.count:,}")
        self.count.setText(text)
        self.count.setToolTip(text)
        for button in (self.before, self.after):
            button.setEnabled(bool(self.page.count))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.page.toPlainText())

    # Making

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Code of the trial"))
        self.sentence.setAccessibleName(tr("Whose code it is"))
        self.button.clicked.connect(self._ask)
        group = QButtonGroup(self)
        self.kinds[TEXTS[0]].setText(tr("Schedule", "code"))
        for button in self.kinds.values():
            group.addButton(button)
        with QSignalBlocker(group):
            self.kinds["tir"].setChecked(True)
        group.buttonClicked.connect(lambda _: self._refresh())
        self.field.setPlaceholderText(tr("Find"))
        self.field.setAccessibleName(tr("Find in the code"))
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(_LEAST)
        self.field.setMaximumWidth(2 * _LEAST)
        self.field.textChanged.connect(self.page.search)
        self.field.returnPressed.connect(lambda: self.page.step(1))
        self.count.setMinimumWidth(_LEAST - 20)
        self.page.found.connect(self._show_count)
        self.before.clicked.connect(lambda: self.page.step(-1))
        self.after.clicked.connect(lambda: self.page.step(1))
        self.copy_button.clicked.connect(self._copy)
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for keys, by in (("F3", 1), ("Shift+F3", -1), ("Shift+Return", -1)):
            QShortcut(QKeySequence(keys), self, lambda by=by: self.page.step(by), context=inside)
        find = self.field, (self.count, 1), self.before, self.after, self.copy_button
        row = beside(*self.kinds.values(), 8, *find, margins=(8, 2, 8, 2), spacing=4)
        head = beside((self.sentence, 1), self.button, margins=(12, 4, 8, 0), spacing=4)
        page = surface(stacked(head, row, (self.page, 1), margins=0, spacing=2))
        pages(self._pages, self.notice, page, on=self)
        theme_notifier().changed.connect(self._retint)
        self._retint()
        self._show_count()

    def _retint(self) -> None:
        self.before.setIcon(icon("chevron-up"))
        self.after.setIcon(icon("chevron-down"))
        self.copy_button.setIcon(icon("copy"))
