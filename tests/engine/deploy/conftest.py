"""A GPU's streams without a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from engine.deploy.units import Streams
from tests.engine.deploy.fake_cuda import FakeCuda


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> FakeCuda:
    """The runtime that the executor imports."""
    import cuda.bindings
    import tvm_ffi

    fake = FakeCuda()
    monkeypatch.setattr(cuda.bindings, "runtime", fake, raising=False)
    monkeypatch.setattr(tvm_ffi, "use_raw_stream", fake.use_raw_stream)
    return fake


@pytest.fixture
def streams(cuda: FakeCuda) -> Iterator[Streams]:
    """Streams of the fourth GPU."""
    made = Streams(SimpleNamespace(index=3))
    yield made
    made.close()
