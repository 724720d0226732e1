"""Plays what the comparison wishes for, in a thread, while the window goes on."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.window.aids.work import OwnWork, Works
from engine.allocation.recording import Recording
from engine.replay.replay_series import ReplayState, ReplayWish, replay_all
from widgets.comparison.view import ComparisonView
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.background import Background, Job

PERCENT = 100


class Replays(QObject):
    """Answers a comparison's wishes, one at a time."""

    def __init__(self, view: ComparisonView, works: Works) -> None:
        super().__init__(view)
        self._view, self._works = view, works
        self._work: OwnWork | None = None
        self._background = Background(self)
        self._background.told.connect(self._tell)
        self._background.done.connect(view.end_replays)
        self._background.done.connect(self._end)
        self._background.failed.connect(self._fail)
        view.replay_wanted.connect(self.play)
        view.cancel_wanted.connect(self._cancelled)

    def play(self, wish: ReplayWish) -> None:
        """Replay; the view is told how far it is, each result, and the end."""

        def work(job: Job) -> Recording:
            return replay_all(wish, job.tell, lambda: job.stopped)

        self._background.start(work)
        self._work = self._works.begin(QT_TR_NOOP("Replaying policies"), self.cancel)

    def cancel(self) -> None:
        """End the replays, as the comparison's own button does."""
        self._view.cancel_wanted.emit()
        self._view.end_replays(None, tr("Cancelled."))

    def _cancelled(self) -> None:
        self._background.cancel()
        self._end()

    def _end(self, _: object = None) -> None:
        work, self._work = self._work, None
        if work is not None:
            work.end()

    def close(self) -> None:
        """Leave no thread behind."""
        self._background.close()

    def _tell(self, news: object) -> None:
        if isinstance(news, ReplayState):
            self._view.show_progress(news.share, news.text)
            if self._work is not None:
                self._work.tell(news.text, round(PERCENT * news.share), PERCENT)
        else:
            self._view.add_replay(news)  # type: ignore[arg-type]

    def _fail(self, what: str, todo: str) -> None:
        self._view.end_replays(None, f"{what} {todo}")
        self._end()
