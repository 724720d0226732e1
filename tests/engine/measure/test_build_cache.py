"""Libraries that one job has built are another's, too."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from engine.measure.build_cache import BuildCache, CachedBuilder
from engine.measure.build_pool import BuildPool
from engine.measure.runner import Builder, BuildRequest, BuildResult
from engine.records.trial import ErrorKind
from engine.workers.artifacts import ArtifactFolder
from engine.workers.work_future import WorkFuture
from tests.engine.measure import kernels


class FakeBuilder(Builder):
    """Writes the module's text as its library, when the test says so."""

    width = 3

    def __init__(self) -> None:
        self.asked: list[tuple[BuildRequest, WorkFuture[BuildResult]]] = []
        self.closed = False

    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        future: WorkFuture[BuildResult] = WorkFuture()
        self.asked.append((request, future))
        return future

    def build(self, place: int = -1) -> None:
        request, future = self.asked[place]
        if "fault" in request.module:
            future.settle(BuildResult(None, 1.0, ErrorKind.BUILD_ERROR, "No module."))
        else:
            Path(request.artifact).write_text(request.module)
            future.settle(BuildResult(request.artifact, 2.5))

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def cache() -> Iterator[BuildCache]:
    made = BuildCache(most_bytes=100)
    yield made
    made.close()


def request(folder: ArtifactFolder, module: str = "add", target: str = "llvm") -> BuildRequest:
    return BuildRequest(module, target, folder.fresh())


def test_what_one_job_built_another_has_at_once_as_a_file_of_its_own(
    cache: BuildCache, folder: ArtifactFolder
) -> None:
    inner = FakeBuilder()
    one, other = CachedBuilder(inner, cache), CachedBuilder(FakeBuilder(), cache)
    first, second = request(folder), request(folder)
    built = one.submit(first)
    assert not built.done()
    inner.build()
    assert built.result() == BuildResult(first.artifact, 2.5)
    Path(first.artifact).unlink()  # as a runner does
    found = other.submit(second)
    assert found.done() and found.result() == BuildResult(second.artifact, 2.5)
    assert Path(second.artifact).read_text() == "add"
    assert (one.width, one.is_here) == (3, True)
    one.close()
    assert inner.closed


@pytest.mark.parametrize(
    "changes", [{"module": "sub"}, {"target": "cuda"}, {"whole": True}, {"kernel": "conv"}]
)
def test_whatever_it_depends_on_makes_another_library(
    cache: BuildCache, folder: ArtifactFolder, changes: dict[str, object]
) -> None:
    inner = FakeBuilder()
    builder = CachedBuilder(inner, cache)
    builder.submit(request(folder))
    inner.build()
    assert not builder.submit(replace(request(folder), **changes)).done()  # type: ignore[arg-type]


def test_code_without_its_kernels_name_is_shared_whatever_models_call_it(
    cache: BuildCache, folder: ArtifactFolder
) -> None:
    inner = FakeBuilder()
    builder = CachedBuilder(inner, cache, named=False)
    builder.submit(replace(request(folder), kernel="conv"))
    inner.build()
    assert builder.submit(replace(request(folder), kernel="conv_1")).done()


def test_a_failure_and_a_cancelled_build_are_not_kept(
    cache: BuildCache, folder: ArtifactFolder
) -> None:
    inner = FakeBuilder()
    builder = CachedBuilder(inner, cache)
    fault = builder.submit(request(folder, "fault"))
    inner.build()
    assert fault.result().error is ErrorKind.BUILD_ERROR
    gone = builder.submit(request(folder))
    assert gone.cancel()
    assert not builder.submit(request(folder, "fault")).done()
    assert not builder.submit(request(folder)).done()


def test_the_longest_unused_go_first_and_what_is_damaged_is_built_again(
    cache: BuildCache, folder: ArtifactFolder
) -> None:
    inner = FakeBuilder()
    builder = CachedBuilder(inner, cache)
    for name in "ab":
        builder.submit(request(folder, name * 40))
        inner.build()
    assert builder.submit(request(folder, "a" * 40)).done()
    builder.submit(request(folder, "c" * 40))
    inner.build()
    assert builder.submit(request(folder, "a" * 40)).done()
    assert not builder.submit(request(folder, "b" * 40)).done()
    for path in Path(cache._folder.path).iterdir():
        path.unlink()
    assert not builder.submit(request(folder, "a" * 40)).done()
    cache.close()
    inner.build()  # after its end nothing is kept, and nothing fails
    assert not builder.submit(request(folder, "a" * 40)).done()


def test_a_real_library_from_the_cache_loads_and_runs(
    pool: BuildPool, cache: BuildCache, folder: ArtifactFolder
) -> None:
    import tvm

    big = BuildCache()
    try:
        builder = CachedBuilder(pool, big)
        built = builder.submit(kernels.request(kernels.add(), folder.fresh())).result(60)
        again = kernels.request(kernels.add(), folder.fresh())
        found = builder.submit(again)
        assert found.done() and found.result().seconds == built.seconds > 0
        assert tvm.runtime.load_module(again.artifact) is not None
    finally:
        big.close()
