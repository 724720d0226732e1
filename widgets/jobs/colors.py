"""A colour for each job of the queue: by its number of arrival, the same in table and timeline."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QColor

from widgets.look.theme import blend, theme

_TINTS = (0.0, 0.4, 0.65)


class JobColors:
    """After eight jobs the colours come again, paler; a job keeps its colour while it is known."""

    def __init__(self) -> None:
        self._ranks: dict[int, int] = {}

    def know(self, jobs: Iterable[int]) -> None:
        """Give those that are new a colour, in this order."""
        for job in jobs:
            self._ranks.setdefault(job, len(self._ranks))

    def of(self, job: int | str) -> QColor:
        """The job's colour in the theme in force; work that is no job's is grey."""
        rank = None if isinstance(job, str) else self._ranks.get(job)
        colors = theme()
        if rank is None:
            return colors.muted
        count = len(colors.categories)
        tint = _TINTS[rank // count % len(_TINTS)]
        return blend(colors.category(rank), colors.surface, tint)
