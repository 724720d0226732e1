"""Which page of the help a part of the window belongs to."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QTabWidget, QWidget

from app.window.panels import Panel

PAGES: dict[str, tuple[str, str]] = {
    "graph": ("graph", ""),
    "layers": ("graph", "layers"),
    "allocation": ("allocation", "the-allocation-view"),
    "timeline": ("tuning", "the-timeline-of-one-inference"),
    "knobs": ("tuning", "which-knobs-matter"),
    "code": ("tuning", "the-code-of-a-schedule"),
    "clusters": ("passes", "sharing"),
    "transfer": ("passes", "transfer"),
    "droplet": ("passes", "droplet"),
    "stages": ("ios", "the-stages-view"),
    "jobs": ("jobs", "the-jobs-view"),
    "compare": ("allocation", "comparing"),
    "convergence": ("allocation", "the-belief"),
    "tasks": ("tuning", "tasks"),
    "trials": ("tuning", "measurements"),
    "sources": ("passes", "nothing-gets-worse"),
    "log": ("troubleshooting", "logs"),
    "project": ("tuning", "stopping-killing-resuming"),
    "inspector": ("tuning", "measurements"),
    "welcome": ("getting-started", ""),
    "RunDialog": ("tuning", "budgets"),
    "ExportDialog": ("export", ""),
    "JobSheet": ("jobs", "the-jobs-view"),
    "ExperimentSheet": ("experiments", "results"),
    "ShapeSheet": ("real-models", "shapes"),
    "BoardSheet": ("jobs", "other-machines"),
    "WatchSheet": ("watching", ""),
    "PassSheet": ("passes", ""),
    "StageSheet": ("ios", "find-stages"),
    "TrialCompare": ("tuning", "measurements"),
    "CrashReport": ("troubleshooting", "the-window"),
    "ShortcutDialog": ("keys", ""),
}
START = ("getting-started", "")


def place_of(widget: QWidget | None, tabs: QTabWidget, names: dict[QWidget, str]) -> str:
    """The name in `PAGES` of the part that `widget` is in: a panel, a page of the workspace (which
    `names` tells), a dialog; of the page on show where nothing has the keyboard."""
    part = widget
    while part is not None:
        if isinstance(part, Panel):
            return part.objectName()
        if part in names:
            return names[part]
        kind = type(part).__name__
        if kind in PAGES or part.objectName() in PAGES:
            return kind if kind in PAGES else part.objectName()
        part = part.parentWidget()
    shown = tabs.currentWidget()
    return names.get(shown, "") if shown is not None and tabs.isVisible() else "welcome"


def help_of(place: str) -> tuple[str, str]:
    """The page and the heading for a part of the window."""
    return PAGES.get(place, START)


def focused() -> QWidget | None:
    """What has the keyboard, or else the active window."""
    return QApplication.focusWidget() or QApplication.activeWindow()
