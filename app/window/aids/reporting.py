"""File > Report and File > Print report: asks where to, writes in the background, says so."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from app.window.aids.work import OwnWork
from app.window.console import Console
from engine.jobs.opening.places import report_path
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.background import Background

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrintDialog

    from engine.report.subject import Subject

SUFFIX = "html"


class Reports(QObject):
    """Makes reports of the open project."""

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self._console = console
        self._work: OwnWork | None = None
        self._background = Background(self)
        self._background.done.connect(self._done)
        self._background.failed.connect(self._failed)

    def save(self) -> QFileDialog:
        """Ask where the report goes."""
        project = Path(self._console.document.path)
        name = report_path(project).name
        kinds = f"{tr('Web pages')} (*.{SUFFIX})"
        dialog = self._console.ask_file(tr("Save report"), kinds, self.write, save=name)
        dialog.setDefaultSuffix(SUFFIX)
        return dialog

    def write(self, path: Path) -> None:
        """Write the report to `path`."""
        project = Path(self._console.document.path)

        def work(_: object) -> Path:
            from engine.report.page import write_report
            from engine.report.subject import subject_of

            write_report(subject_of(project), path)
            return path

        self._begin(QT_TR_NOOP("Writing the report"), work)

    def print_report(self) -> None:
        """Gather what the report says, then ask for the printer."""
        project = Path(self._console.document.path)

        def work(_: object) -> Subject:
            from engine.report.subject import subject_of

            return subject_of(project)

        self._begin(QT_TR_NOOP("Preparing the report"), work)

    def close(self) -> None:
        """Leave no thread behind."""
        self._background.close()

    def _begin(self, title: str, work: object) -> None:
        if self._background.busy:
            return
        self._work = self._console.works.begin(title, self._cancel)
        self._background.start(work)  # type: ignore[arg-type]

    def _cancel(self) -> None:
        self._background.cancel()
        self._end(whole=False)

    def _end(self, text: str = "", whole: bool = True) -> None:
        work, self._work = self._work, None
        if work is not None:
            work.end(text, whole)

    def _done(self, result: object) -> None:
        if not isinstance(result, Path):
            self._end(tr("The report is ready to be printed."))
            self._ask_printer(result)  # type: ignore[arg-type]
            return
        said = tr("The report is {path}.", path=result)
        self._end(said)
        url = QUrl.fromLocalFile(str(result))
        action = (tr("Open"), lambda: QDesktopServices.openUrl(url))
        self._console.messages.show_message("info", said, action=action, kind="report")

    def _failed(self, what: str, todo: str) -> None:
        self._end(whole=False)
        self._console.messages.show_message("error", what, todo)

    def _ask_printer(self, subject: Subject) -> QPrintDialog:
        from PySide6.QtPrintSupport import QPrintDialog

        from app.window.aids.report_paper import paper_document, printer
        from engine.report.page import report

        made = printer()
        made.setDocName(subject.snapshot.model_name)
        dialog = QPrintDialog(made, self._console.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: paper_document(report(subject)).print_(made))
        dialog.show()
        return dialog
