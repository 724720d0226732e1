"""What stands where the clusters will be: a sentence, and the button for the next step."""

from __future__ import annotations

from widgets.notice import NO_MODEL, Notice

NO_SPACES = "No clusters yet: Find clusters groups the tasks that can use one schedule."
FINDING = "Looking at the design spaces of {count:,} tasks …"
COMPARING = "Comparing the design spaces of {count:,} tasks …"


class ClusterNotice(Notice):
    """Says how far a project is; `find_wanted` asks for the design spaces."""

    def __init__(self) -> None:
        super().__init__("&Find clusters")

    def say(self, tasks: int, finding: bool, comparing: bool) -> None:
        """How far a project of so many tasks is."""
        text = NO_SPACES if tasks else NO_MODEL
        if comparing:
            text = COMPARING.format(count=tasks)
        elif finding:
            text = FINDING.format(count=tasks)
        self.put(text, bool(tasks) and not finding and not comparing)

    def say_problem(self, text: str) -> None:
        """Something went wrong; the button tries again."""
        self.put(text, True)
