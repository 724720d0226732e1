"""Opening files: a model, or one sentence that says what and one that says what to do."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

from engine.models.onnx_file import load_onnx, size_text
from engine.models.prepare import prepare
from engine.records.errors import ModelError, UnsupportedOperators
from engine.records.source import ModelSource
from tests.engine.models import build


def refusal(path: Path) -> ModelError:
    """The error that opening `path` ends in, checked for its form."""
    with pytest.raises(ModelError) as caught:
        load_onnx(path)
    error = caught.value
    assert error.what.endswith(".")
    assert error.todo.endswith(".")
    assert "\n" not in str(error)
    return error


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    return build.save(build.conv_relu_model(), tmp_path / "m.onnx")


def test_a_good_file_is_loaded_with_the_hash_of_its_bytes(model_file: Path) -> None:
    loaded = load_onnx(model_file)
    assert [node.op_type for node in loaded.proto.graph.node] == ["Conv", "Relu"]
    assert loaded.sha256 == hashlib.sha256(model_file.read_bytes()).hexdigest()


def test_a_missing_file_is_refused_by_its_path(tmp_path: Path) -> None:
    assert str(tmp_path / "no.onnx") in refusal(tmp_path / "no.onnx").what


def test_a_folder_is_refused_as_a_folder(tmp_path: Path) -> None:
    assert "folder" in refusal(tmp_path).what


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.onnx")
    assert "not a regular file" in refusal(tmp_path / "pipe.onnx").what


@pytest.mark.parametrize("path", ["a" * 5000, "a\0b.onnx"])
def test_a_path_that_no_file_system_takes_is_refused(path: str) -> None:
    assert refusal(Path(path)).todo.startswith("Check the")


def test_an_unreadable_file_is_refused_with_the_systems_reason(
    model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    assert "Permission denied" in refusal(model_file).what


def test_an_empty_file_is_refused_as_empty(tmp_path: Path) -> None:
    (tmp_path / "e.onnx").touch()
    assert "empty" in refusal(tmp_path / "e.onnx").what


@pytest.mark.parametrize(
    "content",
    [b"<html><body>Not found</body></html>", b'{"a": 1}', b"PK\x03\x04rest", b"\0" * 64, b"hello"],
)
def test_a_file_of_another_kind_is_refused_as_not_onnx(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.onnx"
    path.write_bytes(content)
    assert "not an ONNX file" in refusal(path).what


def test_a_git_lfs_pointer_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")
    error = refusal(path)
    assert "Git LFS pointer" in error.what
    assert "git lfs pull" in error.todo


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused_as_truncated(model_file: Path, kept: float) -> None:
    data = model_file.read_bytes()
    model_file.write_bytes(data[: int(len(data) * kept)])
    assert "truncated" in refusal(model_file).what


def test_a_file_above_two_gigabytes_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.onnx"
    with path.open("wb") as file:
        file.truncate(3 * 10**9)
    error = refusal(path)
    assert "3 GB" in error.what
    assert "external data" in error.todo


def test_a_file_that_does_not_fit_into_memory_is_refused(
    model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path) -> bytes:
        raise MemoryError

    monkeypatch.setattr(Path, "read_bytes", full)
    assert "memory" in refusal(model_file).what


def test_a_model_without_operators_is_refused(tmp_path: Path) -> None:
    path = build.save(build.model([], [], []), tmp_path / "m.onnx")
    assert "no operators" in refusal(path).what


def test_a_model_from_before_operator_sets_is_refused(tmp_path: Path) -> None:
    proto = build.conv_relu_model()
    proto.ir_version = 2
    assert "IR version 2" in refusal(build.save(proto, tmp_path / "m.onnx")).what


def test_what_the_checker_finds_is_told_with_the_operator_it_is_about(tmp_path: Path) -> None:
    proto = build.conv_relu_model()
    proto.graph.node[0].name = "first"
    del proto.graph.node[0].input[:]
    error = refusal(build.save(proto, tmp_path / "m.onnx"))
    assert "not a valid ONNX model" in error.what
    assert "first" in error.what


def test_a_weight_whose_bytes_do_not_fill_its_shape_is_refused(tmp_path: Path) -> None:
    proto = build.conv_relu_model()
    proto.graph.initializer[0].dims[0] = 5
    error = refusal(build.save(proto, tmp_path / "m.onnx"))
    assert "weight w has 432 bytes" in error.what
    assert "needs 540" in error.what


def test_operators_that_onnx_does_not_define_are_named_all_at_once(tmp_path: Path) -> None:
    path = build.save(build.unary_model("Swirl", "Relu", "Twirl"), tmp_path / "m.onnx")
    error = refusal(path)
    assert isinstance(error, UnsupportedOperators)
    assert error.operators == ("Swirl", "Twirl")


def test_an_output_without_a_declared_shape_is_no_reason_to_refuse(tmp_path: Path) -> None:
    proto = build.conv_relu_model()
    proto.graph.output[0].type.tensor_type.ClearField("shape")
    path = build.save(proto, tmp_path / "m.onnx")
    assert prepare(ModelSource("file", str(path))).outputs[0][1].shape == (1, 4, 8, 8)


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = build.save(build.unary_model("Relu"), tmp_path / "m.onnx")
    path.write_bytes(path.read_bytes().replace(b"Relu", b"Re\xc1\xff"))
    with pytest.raises(ModelError):
        prepare(ModelSource("file", str(path)))


def test_sizes_read_as_a_person_says_them() -> None:
    assert [size_text(n) for n in (7, 1500, 3_100_000_000)] == ["7 bytes", "1.5 kB", "3.1 GB"]


SMALL = build.model(
    [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("Reshape", ["c", "s"], ["y"], name="flat"),
    ],
    [("x", TensorProto.FLOAT, ["N", 1, 2, 2])],
    [("y", TensorProto.FLOAT, ["N", 8])],
    {"w": np.ones((2, 1, 1, 1), np.float32), "s": np.array([-1, 8])},
).SerializeToString()

Mutations = st.lists(
    st.tuples(st.integers(0, len(SMALL) - 1), st.binary(max_size=2), st.integers(0, 3)),
    min_size=1,
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(Mutations)
def test_any_damage_to_a_file_ends_in_a_model_or_a_sentence(
    mutations: list[tuple[int, bytes, int]],
) -> None:
    data = bytearray(SMALL)
    for position, written, dropped in mutations:
        data[position : position + dropped] = written
    logging.getLogger("engine.models").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "m.onnx")
        path.write_bytes(data)
        try:
            assert prepare(ModelSource("file", str(path))).inputs is not None
        except ModelError as error:
            assert error.what
            assert error.todo
