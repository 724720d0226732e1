"""An event loop whose clock runs at any speed, or jumps from timer to timer."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Coroutine
from selectors import SelectorKey, SelectSelector
from typing import Any, TypeVar

_T = TypeVar("_T")


class PacedLoop(asyncio.SelectorEventLoop):
    """`asyncio.sleep(1)` takes `1 / speed` real seconds here, and none at all at infinite speed.
    `speed` is above zero.

    Its clock starts at 0 and stands still while it is held. Other threads may post calls to it.
    With `alone` nobody does: waiting without a timer is then a deadlock and raises RuntimeError.
    """

    def __init__(self, speed: float = math.inf, *, alone: bool = False) -> None:
        self._speed = speed
        self.alone = alone
        self._now_s = 0.0
        self._since: float | None = time.monotonic()
        super().__init__(_PacedSelector(self))

    @property
    def speed(self) -> float:
        """Seconds of this clock in a real one."""
        return self._speed

    def time(self) -> float:
        """Seconds since the loop was made, without those it was held."""
        if self._since is None or math.isinf(self._speed):
            return self._now_s
        return self._now_s + (time.monotonic() - self._since) * self._speed

    def hold(self) -> None:
        self._now_s, self._since = self.time(), None

    def let_go(self) -> None:
        """Let the clock run again."""
        if self._since is None:
            self._since = time.monotonic()

    def real_wait(self, timeout: float | None) -> float | None:
        """Real seconds to wait for a `timeout` of this clock; None is until somebody calls."""
        if timeout is None or timeout <= 0:
            if timeout is None and self.alone:
                raise RuntimeError("a replay waits for something that will never come")
            return timeout
        if self._since is None:
            return None
        return timeout / self._speed

    def jump(self, seconds: float) -> None:
        """Move a clock of infinite speed."""
        if self._since is not None and math.isinf(self._speed):
            self._now_s += seconds


class _PacedSelector(SelectSelector):
    """Waits as long as the loop's clock says."""

    def __init__(self, loop: PacedLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """What is ready; nothing after `timeout` seconds of the loop's clock."""
        wait = self._loop.real_wait(timeout)
        # Alone, nobody writes to its files, and asking the system would cost more than all else.
        found = [] if self._loop.alone and wait == 0 else super().select(wait)
        if timeout and not found:
            self._loop.jump(timeout)
        return found


def run_virtual(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine to its end with every wait skipped, in a loop of its own."""
    loop = PacedLoop(alone=True)
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()
