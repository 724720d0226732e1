"""Plays what the comparison wishes for, in a thread, while the window goes on."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from engine.records.recording import Recording
from engine.replay.replay_series import ReplayState, ReplayWish, replay_all
from widgets.comparison.view import ComparisonView
from widgets.look.language import tr
from widgets.parts.background import Background, Job


class Replays(QObject):
    """Answers a comparison's wishes, one at a time. `told` carries the share that is done, in
    words, too."""

    began = Signal()
    told = Signal(float, str)
    ended = Signal()

    def __init__(self, view: ComparisonView) -> None:
        super().__init__(view)
        self._view = view
        self._background = Background(self)
        self._background.told.connect(self._tell)
        self._background.done.connect(view.end_replays)
        self._background.done.connect(lambda _: self.ended.emit())
        self._background.failed.connect(self._fail)
        view.replay_wanted.connect(self.play)
        view.cancel_wanted.connect(self._cancelled)

    def play(self, wish: ReplayWish) -> None:
        """Replay; the view is told how far it is, each result, and the end."""

        def work(job: Job) -> Recording:
            return replay_all(wish, job.tell, lambda: job.stopped)

        self._background.start(work)
        self.began.emit()

    def cancel(self) -> None:
        """End the replays, as the comparison's own button does."""
        self._view.cancel_wanted.emit()
        self._view.end_replays(None, tr("Cancelled."))

    def _cancelled(self) -> None:
        self._background.cancel()
        self.ended.emit()

    def close(self) -> None:
        """Leave no thread behind."""
        self._background.close()

    def _tell(self, news: object) -> None:
        if isinstance(news, ReplayState):
            self._view.show_progress(news.share, news.text)
            self.told.emit(news.share, news.text)
        else:
            self._view.add_replay(news)  # type: ignore[arg-type]

    def _fail(self, what: str, todo: str) -> None:
        self._view.end_replays(None, f"{what} {todo}")
        self.ended.emit()
