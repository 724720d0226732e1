"""Feeds a view by hand, as the document of a window does: first its project, then the view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.history.open_project import OpenProject
from engine.records.events import Event
from engine.records.snapshot import Snapshot


class Fed(Protocol):
    """A view, or a sheet that follows a project."""

    project: OpenProject

    def show_project(self) -> None:
        """Show it from the beginning."""

    def apply(self, events: Sequence[Event]) -> None:
        """Follow a batch of events."""


def begin(view: Fed, snapshot: Snapshot) -> None:
    """Open a project, and have a view show it."""
    view.project.reset(snapshot)
    view.show_project()


def feed(view: Fed, events: Sequence[Event]) -> None:
    """Tell a project, and then a view of it, what happened."""
    view.project.apply(events)
    view.apply(events)
