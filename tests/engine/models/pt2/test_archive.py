"""Reading .pt2 files: plain numbers only, and nothing is unpickled."""

from __future__ import annotations

import pickle
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.models.pt2.archive import read_archive
from engine.records.errors import ModelError
from tests.engine.models.pt2 import build


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def refused(path: Path) -> ModelError:
    with pytest.raises(ModelError) as caught:
        read_archive(path)
    return caught.value


def test_weights_are_read_as_the_numbers_that_are_stored(tmp_path: Path) -> None:
    found = read_archive(build.saved(tmp_path))
    assert found.name == "net"
    np.testing.assert_array_equal(found.weights["w"], np.array([1, 2, 3], np.float32))


def test_a_weight_may_be_a_part_of_what_is_stored(tmp_path: Path) -> None:
    part = build.meta(build.size(2)) | {
        "strides": [build.size(1)],
        "storage_offset": build.size(1),
    }
    data = build.archive(weight=build.weights(tensor_meta=part))
    found = read_archive(build.saved(tmp_path, data))
    np.testing.assert_array_equal(found.weights["w"], [2, 3])


@pytest.mark.parametrize("changes", [{"use_pickle": True}, {"path_name": "custom_obj_0"}])
def test_a_pickled_weight_is_refused_by_name_and_not_read(
    changes: dict[str, Any], tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    trap = pickle.dumps(Trap(mark))
    extra = {"net/data/weights/weight_0": trap, "net/data/weights/custom_obj_0": trap}
    data = build.archive(weight=build.weights(**changes), extra=extra)
    assert "holds w as a pickle" in refused(build.saved(tmp_path, data)).what
    assert not mark.exists()


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("serialized_exported_program.json", "an old PyTorch that pickled its weights"),
        ("net/data/weights/model.pt", "an old PyTorch that pickled its weights"),
        ("net/data/constants/model.pt", "an old PyTorch that pickled its weights"),
        ("net/data/aotinductor/model/a.so", "machine code"),
        ("net/data.pkl", "a pickle of torch.save or a TorchScript archive"),
        ("net/models/other.json", "2 programs"),
    ],
)
def test_another_kind_of_archive_is_told_apart(entry: str, sentence: str, tmp_path: Path) -> None:
    path = build.saved(tmp_path, build.archive(extra={entry: b"{}"}))
    assert sentence in refused(path).what


def test_the_example_inputs_are_never_read(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    extra = {"net/data/sample_inputs/model.pt": pickle.dumps(Trap(mark))}
    read_archive(build.saved(tmp_path, build.archive(extra=extra)))
    assert not mark.exists()


def test_a_compressed_entry_is_refused(tmp_path: Path) -> None:
    data = build.archive(compression=zipfile.ZIP_DEFLATED)
    assert "is compressed" in refused(build.saved(tmp_path, data)).what


@pytest.mark.parametrize(
    "changed",
    [
        {"sizes": [build.size(4)]},
        {"sizes": [build.size(-1)]},
        {"strides": []},
        {"storage_offset": build.size(1)},
        {"storage_offset": build.size(build.BATCH)},
        {"dtype": 10},
        {"dtype": "float"},
        {"layout": 1},
        {"sizes": [build.size(2**40)], "strides": [build.size(0)]},
    ],
)
def test_a_weight_that_does_not_fit_its_bytes_is_refused(
    changed: dict[str, Any], tmp_path: Path
) -> None:
    part = build.meta(build.size(3)) | changed
    assert refused(
        build.saved(tmp_path, build.archive(weight=build.weights(tensor_meta=part)))
    ).todo


@pytest.mark.parametrize("data", [b"", b"PK", b"version https://git-lfs\n", b"x" * 500])
def test_what_is_no_archive_is_refused(data: bytes, tmp_path: Path) -> None:
    assert refused(build.saved(tmp_path, data)).todo


def test_a_damaged_archive_is_refused_or_read(tmp_path: Path) -> None:
    whole = build.archive()
    dice = random.Random(0)
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        try:
            read_archive(build.saved(tmp_path, bytes(data[: dice.choice((None, 400, 900))])))
        except ModelError as error:
            assert error.what
