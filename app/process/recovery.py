"""After a crash: its report, and the edits that were in no file; nothing is sent."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from app.document.document import Document
from app.process.crash_log import Crash, CrashLog, crash_report
from app.process.drafts import Draft, Drafts
from app.window.aids.aids import Aids
from engine.allocation.wishes import Wishes
from engine.records.errors import TunewrightError, UsageError
from engine.records.settings import RunSettings
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import PlainLabel
from widgets.parts.pieces import MonoPage, stacked

CRASHED = QT_TR_NOOP(
    "The last session ended in a crash; every measured trial is in its project file."
)
ENDED = QT_TR_NOOP(
    "An earlier session ended without a word; every measured trial is in its project file."
)
SETTINGS, WISHES, PROJECT = "run settings", "wishes", "project"


class CrashReport(QDialog):
    """The words of a crash, to be copied."""

    def __init__(self, crash: Crash, log: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Report of the crash"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 520)
        hint = PlainLabel(
            tr(
                "Nothing is sent anywhere. If you report this, copy the text into the report, and "
                "say what you did before. Look through it first: error texts may name your model's "
                "parts."
            )
        )
        hint.setWordWrap(True)
        self.text = MonoPage(tr("Report of the crash"))
        self.text.setPlainText(crash_report(crash, log))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.copy_button = self.buttons.addButton(tr("Copy report"), role)
        folder = self.buttons.addButton(tr("Open folder"), role)
        self.copy_button.clicked.connect(self._copy)
        folder.clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(crash.path.parent)))
        )
        self.buttons.rejected.connect(self.reject)
        stacked(hint, self.text, self.buttons, on=self)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


class Recovery(QObject):
    """Keeps the window's unsaved edits, and offers what dead sessions left until a person has
    recovered it or discarded it."""

    def __init__(self, aids: Aids, crash_log: CrashLog) -> None:
        super().__init__(aids.console.window)
        self._aids, self._console, self._log = aids, aids.console, crash_log
        self.drafts = Drafts(crash_log.folder, crash_log.name, self)
        self._wanted = False  # what belongs to a project is recovered when that opens
        self.watch(aids)

    def watch(self, aids: Aids) -> None:
        """Keep the unsaved edits of one more window."""
        document = aids.console.document
        self.drafts.watch(partial(_settings, aids))
        for read in (_wishes, _project):
            self.drafts.watch(partial(read, document))
        document.opened.connect(lambda: self._opened(document))

    def begin(self) -> None:
        """Offer what was left, then keep what would be lost."""
        left = self.drafts.adopt(self._log.lives)
        messages, crash = self._console.messages, self._log.previous
        if crash is not None:
            report = partial(CrashReport, crash, self._log.log, self._console.window)
            action = (tr("Show report"), lambda: report().show())
            messages.show_message("warning", tr(CRASHED), tr("Nothing is sent."), action)
        if left:
            titles = ", ".join(dict.fromkeys(draft.title for draft in left))
            what = "" if crash is not None else f"{tr(ENDED)} "
            lost = tr("Open or not saved then: {titles}.", titles=titles)
            text = f"{what}{lost}"

            def discard() -> None:
                self.drafts.drop(left)
                messages.dismiss(text)

            recover = (tr("Recover"), lambda: self.recover(left))
            messages.show_message("info", text, "", recover, look=(tr("Discard"), discard))
        self.drafts.start()

    def recover(self, drafts: list[Draft]) -> None:
        """Put the edits back where they were; those of a project once it is open."""
        self._wanted = True
        settings = [draft for draft in drafts if draft.kind == SETTINGS]
        for draft in settings:
            self._recover_settings(draft)
        self.drafts.drop(settings)
        projects = list(dict.fromkeys(draft.project for draft in drafts if draft.project))
        for project in projects[:1]:
            if project == self._console.document.path:
                self._opened(self._console.document)
            elif self._console.document.idle:
                self._console.commands.open_path(Path(project))
        for project in projects[1:]:
            self._console.windows.new(Path(project))

    def close(self) -> None:
        """Nothing is unsaved any more."""
        self.drafts.close()

    def _recover_settings(self, draft: Draft) -> None:
        try:
            settings = RunSettings.from_dict(draft.value)
        except UsageError:
            return
        self._aids.dialogs.run_settings().show_settings(settings)

    def _opened(self, document: Document) -> None:
        """Recover what was left of a project, now that its window keeps it."""
        if not self._wanted:
            return
        left = [draft for draft in self.drafts.left if draft.project == document.path]
        for draft in left:
            with suppress(UsageError):
                if draft.kind == WISHES:
                    document.set_wishes(Wishes.from_dict(draft.value))
        if left:
            self.drafts.drop(left)


# What would be lost


def _settings(aids: Aids) -> Draft | None:
    """Those in the open dialog that were neither kept nor used."""
    dialog = aids.dialogs.run_dialog
    if dialog is None:
        return None
    try:
        if not dialog.isVisible():
            return None
        settings = dialog.settings()
    except (TunewrightError, RuntimeError):  # it makes no sense yet, or the dialog is gone
        return None
    if settings == aids.console.commands.run_settings:
        return None
    return Draft(SETTINGS, tr("run settings"), "", settings.as_dict())


def _wishes(document: Document) -> Draft | None:
    """Those that no run has: they are stored with the next one."""
    if not document.path or document.watched or document.wishes == document.stored_wishes:
        return None
    title = tr("what tasks shall get in {name}", name=Path(document.path).name)
    return Draft(WISHES, title, document.path, document.wishes.as_dict())


def _project(document: Document) -> Draft | None:
    path = "" if document.watched else document.path  # the copy of that goes with this process
    return Draft(PROJECT, Path(path).name, path, None) if path else None
