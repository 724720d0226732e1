"""What carries out the actions of a console: its dialogs, sheets, notices, reports, help, guide."""

from __future__ import annotations

from dataclasses import dataclass

from app.window.actions.cycling import Cycle
from app.window.aids.guiding import Guiding
from app.window.aids.help_window import Help
from app.window.aids.notify import Notifier
from app.window.aids.recents import Recents
from app.window.aids.reporting import Reports
from app.window.console import Console
from app.window.dialogs import Dialogs
from app.window.jobs import Jobs
from app.window.late_views import LateViews
from app.window.layouts import Layouts
from app.window.passes import Passes
from app.window.stages import Stages
from app.window.views import Views


@dataclass(frozen=True, eq=False)
class Aids:
    """Made once, when all parts of a window are there; closed with it."""

    console: Console
    views: Views
    late: LateViews
    dialogs: Dialogs
    passes: Passes
    stages: Stages
    jobs: Jobs
    layouts: Layouts
    cycle: Cycle
    notifier: Notifier
    reports: Reports
    help: Help
    guiding: Guiding
    recents: Recents

    def begin(self, lead: bool) -> None:
        """The window is on screen: read recent files; `lead` a new person through a first run."""
        self.show_recents()
        if lead:
            self.guiding.offer()

    def show_recents(self) -> None:
        """Show what is known of the recent projects, where they can be seen."""
        if not self.console.document.is_open:
            self.recents.show(self.console.commands.recent())

    def close(self) -> None:
        """Remember the layout; leave no thread, timer or window behind."""
        self.layouts.keep()
        for close in (
            self.passes.close,
            self.stages.close,
            self.jobs.close,
            self.console.works.close,
            self.reports.close,
            self.recents.close,
            self.help.close,
            self.late.close,
            self.views.close,
        ):
            close()
