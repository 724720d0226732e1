"""A future of work in another process."""

from __future__ import annotations

import threading
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


class WorkFuture(Future[T]):
    """A future that may be cancelled until it ends, also while a worker is at it."""

    def __init__(self) -> None:
        super().__init__()
        self._untold = threading.Lock()

    def cancel(self) -> bool:
        """Cancel it and tell all who wait; False where it has a result already."""
        cancelled = super().cancel()
        if cancelled and self._untold.acquire(blocking=False):
            self.set_running_or_notify_cancel()
        return cancelled

    def settle(self, result: T) -> None:
        """Set the result, unless nobody wants it any more."""
        with suppress(InvalidStateError):
            self.set_result(result)

    def fail(self, error: Exception) -> None:
        """Set what to raise instead of a result, unless nobody wants it any more."""
        with suppress(InvalidStateError):
            self.set_exception(error)
