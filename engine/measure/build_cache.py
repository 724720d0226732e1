"""Libraries by what they were built of, which jobs of a queue share: none is built twice."""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections import OrderedDict
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from engine.measure.runner import Builder, BuildRequest, BuildResult
from engine.workers.artifacts import ArtifactFolder, on_disk
from engine.workers.work_future import WorkFuture

_MOST_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class _Kept:
    path: str
    seconds: float
    size: int


class BuildCache:
    """Good libraries of this process's jobs, the longest unused go first. For any thread.

    A scheduled module's text is what a trace made of a workload: two jobs with the same trace of
    the same workload for the same target have one library.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._folder = ArtifactFolder(on_disk())
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._bytes = 0

    def find(self, request: BuildRequest) -> BuildResult | None:
        """The result of before, with a copy of the library where it was asked for; its seconds are
        those that the build took. None where there is none."""
        with self._lock, suppress(OSError):
            kept = self._kept.get(_key(request))
            if kept is not None:
                self._kept.move_to_end(_key(request))
                shutil.copyfile(kept.path, request.artifact)
                return BuildResult(request.artifact, kept.seconds)
        return None

    def keep(self, request: BuildRequest, result: BuildResult) -> None:
        """Keep a good library; where that cannot be, it is built again next time."""
        key = _key(request)
        with self._lock, suppress(OSError):
            if result.artifact is None or key in self._kept:
                return
            path = self._folder.fresh()
            shutil.copyfile(result.artifact, path)
            size = Path(path).stat().st_size
            self._kept[key] = _Kept(path, result.seconds, size)
            self._bytes += size
            while self._bytes > self._most_bytes:
                _, old = self._kept.popitem(last=False)
                self._bytes -= old.size
                Path(old.path).unlink(missing_ok=True)

    def close(self) -> None:
        """Remove all of it; idempotent."""
        with self._lock:
            self._kept.clear()
            self._folder.close()


class CachedBuilder(Builder):
    """Builds with `inner` what the cache does not have. `named`: code has its kernel's name in it,
    as a GPU's does; else models that call it otherwise share it."""

    def __init__(self, inner: Builder, cache: BuildCache, named: bool = True) -> None:
        self._inner, self._cache, self._named = inner, cache, named
        self.is_here, self.width = inner.is_here, inner.width

    def wait_ready(self, timeout: float | None = None) -> bool:
        return self._inner.wait_ready(timeout)

    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        what = request if self._named else replace(request, kernel="")
        known = self._cache.find(what)
        if known is not None:
            found: WorkFuture[BuildResult] = WorkFuture()
            found.settle(known)
            return found
        future = self._inner.submit(request)

        def keep(done: Future[BuildResult]) -> None:
            """Before who asked for it hears of it, and has the library removed."""
            if not done.cancelled() and done.exception() is None:
                self._cache.keep(what, done.result())

        future.add_done_callback(keep)
        return future

    def close(self) -> None:
        self._inner.close()


def _key(request: BuildRequest) -> str:
    """What a library depends on, but for its place."""
    parts = replace(request, artifact="")
    return hashlib.sha256(repr(parts).encode()).hexdigest()
