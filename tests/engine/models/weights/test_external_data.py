"""Weights beside the model: read, hashed, and never taken from outside the model's folder."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, numpy_helper

from engine.models.onnx_file import load_onnx
from engine.records.errors import ModelError
from tests.engine.models import build


@pytest.fixture
def external(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    return build.save_external(folder)


def refusal(path: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load_onnx(path)
    assert caught.value.todo
    return caught.value.what


def test_weights_beside_the_model_are_read_in(external: Path) -> None:
    proto = load_onnx(external).proto
    weight = numpy_helper.to_array(proto.graph.initializer[0])
    expected = numpy_helper.to_array(build.conv_relu_model().graph.initializer[0])
    np.testing.assert_array_equal(weight, expected)


def test_the_hash_covers_the_weights(external: Path) -> None:
    before = load_onnx(external).sha256
    weights = external.parent / "weights.bin"
    data = bytearray(weights.read_bytes())
    data[0] ^= 1
    weights.write_bytes(data)
    assert load_onnx(external).sha256 != before


def test_the_hash_ignores_bytes_that_the_model_does_not_use(external: Path) -> None:
    before = load_onnx(external).sha256
    with (external.parent / "weights.bin").open("ab") as file:
        file.write(b"unused")
    assert load_onnx(external).sha256 == before


def test_a_missing_weight_file_is_named(external: Path) -> None:
    (external.parent / "weights.bin").unlink()
    assert "weights.bin, which is missing" in refusal(external)


def test_a_folder_in_place_of_the_weight_file_counts_as_missing(external: Path) -> None:
    (external.parent / "weights.bin").unlink()
    (external.parent / "weights.bin").mkdir()
    assert "missing" in refusal(external)


def test_a_pipe_in_place_of_the_weight_file_is_not_waited_for(external: Path) -> None:
    (external.parent / "weights.bin").unlink()
    os.mkfifo(external.parent / "weights.bin")
    assert "missing" in refusal(external)


@pytest.mark.parametrize(
    "place", ["../secret.bin", "a/../../secret.bin", "C:\\secret.bin", "..\\s"]
)
def test_a_path_that_leaves_the_folder_is_refused(external: Path, place: str) -> None:
    (external.parent.parent / "secret.bin").write_bytes(bytes(432))
    build.set_external(external, location=place)
    assert "outside the model's folder" in refusal(external)


def test_an_absolute_path_is_refused_even_into_the_folder(external: Path) -> None:
    build.set_external(external, location=str(external.parent / "weights.bin"))
    assert "outside the model's folder" in refusal(external)


def test_a_symbolic_link_out_of_the_folder_is_refused(external: Path) -> None:
    weights = external.parent / "weights.bin"
    secret = weights.rename(external.parent.parent / "secret.bin")
    weights.symlink_to(secret)
    assert "outside the model's folder" in refusal(external)


def test_a_linked_folder_out_of_the_folder_is_refused(external: Path) -> None:
    outside = external.parent.parent / "outside"
    outside.mkdir()
    (external.parent / "weights.bin").rename(outside / "weights.bin")
    (external.parent / "sub").symlink_to(outside)
    build.set_external(external, location="sub/weights.bin")
    assert "outside the model's folder" in refusal(external)


def test_a_link_that_stays_inside_the_folder_is_followed(external: Path) -> None:
    weights = external.parent / "weights.bin"
    weights.symlink_to(weights.rename(external.parent / "real.bin"))
    assert load_onnx(external).proto.graph.initializer[0].raw_data


def test_a_link_to_itself_is_refused(external: Path) -> None:
    weights = external.parent / "weights.bin"
    weights.unlink()
    weights.symlink_to(weights)
    assert "weights.bin" in refusal(external)


@pytest.mark.parametrize("place", ["", "a\0b"])
def test_a_place_that_is_no_path_is_refused(external: Path, place: str) -> None:
    build.set_external(external, location=place)
    assert "outside the model's folder" in refusal(external)


def test_a_weight_file_that_is_too_short_is_refused(external: Path) -> None:
    os.truncate(external.parent / "weights.bin", 100)
    assert "which has 100" in refusal(external)


@pytest.mark.parametrize("entries", [{"offset": "-4"}, {"length": "-1"}, {"offset": "99999"}])
def test_bytes_outside_the_weight_file_are_refused(external: Path, entries: dict[str, str]) -> None:
    build.set_external(external, **entries)
    assert "weights.bin" in refusal(external)


def test_an_offset_that_is_no_number_is_refused(external: Path) -> None:
    build.set_external(external, offset="first")
    assert "no valid place" in refusal(external)


def test_a_length_that_does_not_fill_the_shape_is_refused(external: Path) -> None:
    build.set_external(external, length="400")
    assert "whose shape needs 432" in refusal(external)


def test_weights_larger_than_the_memory_are_refused_unread(external: Path) -> None:
    proto = ModelProto.FromString(external.read_bytes())
    proto.graph.initializer[0].dims[0] = 10**9
    length = 10**9 * 27 * 4
    build.save(proto, external)
    build.set_external(external, length=str(length), offset="0")
    os.truncate(external.parent / "weights.bin", length)
    assert "108.0 GB" in refusal(external)
