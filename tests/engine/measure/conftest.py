"""Fixtures shared by the tests of measuring."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.measure.build_pool import BuildPool
from engine.workers.artifacts import ArtifactFolder
from tests.engine.measure import kernels
from tests.engine.measure.hooks import build_or_misbehave
from tests.engine.measure.rpc_lab import Lab, open_lab


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArtifactFolder]:
    """Fresh artifact paths."""
    artifacts = ArtifactFolder(tmp_path_factory.mktemp("artifacts"))
    yield artifacts
    artifacts.close()


@pytest.fixture(scope="session")
def pool() -> Iterator[BuildPool]:
    """A build pool with one worker that misbehaves on demand."""
    builds = BuildPool(1, timeout_s=4.0, still_s=4.0, work=build_or_misbehave)
    assert builds.wait_ready(60)
    yield builds
    builds.close()


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    """A tracker with one server."""
    with open_lab() as opened:
        yield opened


class Library:
    """Builds a module and gives the path of its library."""

    def __init__(self, pool: BuildPool, folder: ArtifactFolder) -> None:
        self._pool = pool
        self._folder = folder

    def __call__(self, text: str) -> str:
        result = self._pool.submit(kernels.request(text, self._folder.fresh())).result(60)
        assert result.error is None, result.error_text
        assert result.artifact is not None
        assert Path(result.artifact).is_file()
        return result.artifact


@pytest.fixture(scope="session")
def library(pool: BuildPool, folder: ArtifactFolder) -> Library:
    """A function from a module's text to its library."""
    return Library(pool, folder)
