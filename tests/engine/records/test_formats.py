"""Which files are models, and what is said where what reads one is missing."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from engine.models.choosing import other_reader, prepare_any
from engine.records.errors import ModelError
from engine.records.formats import FORMATS, ONNX, PYTORCH, TFLITE, format_of, reference_of, require
from engine.records.source import ModelSource
from tests.engine.models import build
from tests.engine.models.pt2 import build as pt2


def test_a_file_is_of_the_format_that_its_name_ends_in() -> None:
    for form in FORMATS:
        assert format_of(ModelSource("file", f"/a/net{form.suffix.upper()}")) is form
    assert format_of(ModelSource("sample", "squeezenet")) is ONNX
    assert format_of(ModelSource("file", "/a/net")) is ONNX
    assert reference_of("/a/net.pt2") == "PyTorch"
    assert reference_of("squeezenet") == "ONNX Runtime"


def test_each_format_but_onnx_has_a_reader(tmp_path: Path) -> None:
    readers = [other_reader(ModelSource("file", f"net{form.suffix}")) for form in FORMATS]
    assert [reader is None for reader in readers] == [form is ONNX for form in FORMATS]
    path = tmp_path / "net.onnx"
    path.write_bytes(build.conv_relu_model().SerializeToString())
    prepared = prepare_any(ModelSource("file", str(path)))
    assert prepared.reference is not None
    assert prepared.reference.name == "ONNX Runtime"


@pytest.mark.parametrize("form", [PYTORCH, TFLITE])
def test_a_missing_package_is_named_with_the_way_to_install_it(
    form: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ModelError) as caught:
        require(form, "net")
    assert caught.value.todo == f"Install it with: pip install 'tunewright[{form.extra}]'."
    path = tmp_path / f"net{form.suffix}"
    path.write_bytes(pt2.archive() if form is PYTORCH else b"\0\0\0\0TFL3")
    with pytest.raises(ModelError, match="not installed"):
        prepare_any(ModelSource("file", str(path)))
    require(ONNX, "net")
