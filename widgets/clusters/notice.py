"""What stands where the clusters will be: a sentence, and the button for the next step."""

from __future__ import annotations

from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.notice import NO_MODEL, Notice

NO_SPACES = QT_TR_NOOP("No clusters yet: Find clusters groups the tasks that can use one schedule.")


class ClusterNotice(Notice):
    """Says how far a project is; `find_wanted` asks for the design spaces."""

    def __init__(self) -> None:
        super().__init__(tr("&Find clusters"))

    def say(self, tasks: int, finding: bool, comparing: bool) -> None:
        """How far a project of so many tasks is."""
        text = tr(NO_SPACES if tasks else NO_MODEL)
        if comparing:
            text = tr("Comparing the design spaces of %n tasks …", "", tasks)
        elif finding:
            text = tr("Looking at the design spaces of %n tasks …", "", tasks)
        self.put(text, bool(tasks) and not finding and not comparing)

    def say_problem(self, text: str) -> None:
        """Something went wrong; the button tries again."""
        self.put(text, True)
