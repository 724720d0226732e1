"""TVM gets its threads before the first test imports it; references do not depend on the CPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from engine.models import reference
from engine.records.machine import prepare_environment
from tests.processor import undecided_weights

if TYPE_CHECKING:
    from onnx import ModelProto

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
