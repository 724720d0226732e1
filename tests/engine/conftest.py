"""TVM gets its threads before the first test imports it; references do not depend on the CPU. A
GPU's streams without a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from engine.kernels import ready
from engine.models import reference
from engine.records.machine import prepare_environment
from tests.engine.fake_cuda import FakeCuda
from tests.processor import undecided_weights

if TYPE_CHECKING:
    from onnx import ModelProto

    from engine.measure.units import Streams

prepare_environment()


@pytest.fixture(autouse=True)
def _no_reference_depends_on_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that takes ONNX Runtime's word for sums that stop at 16 bits without VNNI."""
    session = reference._session

    def checked(proto: ModelProto, *args: Any, **options: Any) -> Any:
        if found := undecided_weights(proto):
            pytest.fail(f"Compare with exact integers, or keep to 7 bits: {', '.join(found)}")
        return session(proto, *args, **options)

    monkeypatch.setattr(reference, "_session", checked)


@pytest.fixture(autouse=True)
def _no_library_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches propose the same on every machine."""
    monkeypatch.setattr(ready, "find_library", lambda: None)


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> FakeCuda:
    """The runtime that graphs are made with."""
    import cuda.bindings
    import tvm_ffi

    fake = FakeCuda()
    monkeypatch.setattr(cuda.bindings, "runtime", fake, raising=False)
    monkeypatch.setattr(tvm_ffi, "use_raw_stream", fake.use_raw_stream)
    return fake


@pytest.fixture
def streams(cuda: FakeCuda) -> Iterator[Streams]:
    """Streams of the fourth GPU."""
    from engine.measure.units import Streams

    made = Streams(SimpleNamespace(index=3))
    yield made
    made.close()
