"""Reads the archive of a PyTorch program: a ZIP of JSON and of plain numbers.

What `torch.export.load` would unpickle (tensors of a class of their own, objects, the archives of
PyTorch before 2.9, the example inputs) is refused by name, or not read at all.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.models.plain_file import read_file
from engine.models.shapes import MAX_ELEMENTS
from engine.records.errors import ModelError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    import numpy as np

Json = dict[str, Any]

SAVE_AGAIN = Sentence("Save the program again with torch.export.save of PyTorch 2.9 or newer.")
_CONVERT = Sentence("Make plain tensors of them before torch.export.export.")
_COPY_AGAIN = Sentence("Copy or download it again.")
_FILE_NAME = re.compile(r"[A-Za-z0-9_]+")
_PROGRAM = re.compile(r"[^/]+/models/([^/]+)\.json")

DTYPES = {
    1: "uint8",
    2: "int8",
    3: "int16",
    4: "int32",
    5: "int64",
    6: "float16",
    7: "float32",
    8: "float64",
    12: "bool",
    13: "bfloat16",
}
"""NumPy's names of PyTorch's types of elements, by the numbers that the archive writes."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A program as its file has it: unchecked JSON, and arrays of weights and constants by name."""

    name: str
    program: Json
    weights: dict[str, np.ndarray]
    constants: dict[str, np.ndarray]
    sha256: str


def read_archive(path: Path) -> Archive:
    """The program of a .pt2 file. ModelError where it is damaged, or pickles would be needed."""
    data = read_file(path)
    sha256 = hashlib.sha256(data).hexdigest()
    try:
        with refusing(path.name), zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _read(path, archive, sha256)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise ModelError(
            Sentence(
                "{path} is not an exported PyTorch program, or it is damaged.", path=path.name
            ),
            SAVE_AGAIN,
        ) from error


@contextmanager
def refusing(name: str) -> Iterator[None]:
    """Say of what is not as PyTorch writes it that the file `name` is damaged."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise damaged(name, "its program is not as PyTorch writes it") from error
    except (OverflowError, RecursionError) as error:
        raise damaged(name, "its program is out of all proportion") from error


def damaged(name: str, why: str) -> ModelError:
    """The error for a file that no program wrote so."""
    return ModelError(Sentence("{name} is damaged: {why}.", name=name, why=why), _COPY_AGAIN)


def _read(path: Path, archive: zipfile.ZipFile, sha256: str) -> Archive:
    names = archive.namelist()
    _refuse_others(path.name, names)
    for info in archive.infolist():
        # PyTorch stores; a compressed entry could be a small file that fills the memory.
        if info.compress_type != zipfile.ZIP_STORED or info.file_size > info.compress_size:
            raise damaged(path.name, f"{info.filename} is compressed")
    found = [match for name in names if (match := _PROGRAM.fullmatch(name))]
    if len(found) != 1:
        raise ModelError(
            Sentence("{path} holds {count} programs, not one.", path=path.name, count=len(found)),
            SAVE_AGAIN,
        )
    root, model = found[0][0].split("/")[0], found[0][1]
    if f"{root}/byteorder" in names and archive.read(f"{root}/byteorder") != b"little":
        raise ModelError(
            Sentence("{path} was saved on a big-endian machine.", path=path.name), SAVE_AGAIN
        )

    def part(kind: str) -> dict[str, np.ndarray]:
        config = json.loads(archive.read(f"{root}/data/{kind}/{model}_{kind}_config.json"))
        folder = f"{root}/data/{kind}"
        return dict(_arrays(path.name, config, lambda name: archive.read(f"{folder}/{name}")))

    program = json.loads(archive.read(found[0][0]))
    return Archive(path.stem, program, part("weights"), part("constants"), sha256)


def _refuse_others(name: str, entries: list[str]) -> None:
    """Say of other archives what they are."""
    parts = [entry.split("/", 1)[-1] for entry in entries]
    if any(part.startswith("data/aotinductor/") for part in parts):
        raise ModelError(
            Sentence(
                "{name} holds machine code that AOTInductor compiled, not a program.", name=name
            ),
            "Save the program itself with torch.export.save.",
        )
    old = "serialized_exported_program.json" in entries
    if old or any(re.fullmatch(r"data/(weights|constants)/[^/]+\.pt", part) for part in parts):
        raise ModelError(
            Sentence(
                "{name} was saved by an old PyTorch that pickled its weights, and a "
                "pickle may run any code when it is read.",
                name=name,
            ),
            SAVE_AGAIN,
        )
    if any(part == "data.pkl" for part in parts):
        raise ModelError(
            Sentence(
                "{name} is a pickle of torch.save or a TorchScript archive, and a pickle "
                "may run any code when it is read.",
                name=name,
            ),
            "Export the module with torch.export.export, and save that with torch.export.save.",
        )


def _arrays(
    name: str, config: Json, read: Callable[[str], bytes]
) -> Iterator[tuple[str, np.ndarray]]:
    for key, entry in config["config"].items():
        file = entry["path_name"]
        if not _FILE_NAME.fullmatch(file):
            raise damaged(name, f"{key} is in no file of it")
        if entry["use_pickle"] or file.startswith(("custom_obj", "opaque_obj")):
            raise ModelError(
                Sentence(
                    "{name} holds {key} as a pickle, which may run any code when it is read.",
                    name=name,
                    key=key,
                ),
                _CONVERT,
            )
        yield key, _array(name, key, entry["tensor_meta"], read(file))


def _array(name: str, key: str, meta: Json, data: bytes) -> np.ndarray:
    """The contiguous array that a part of the stored numbers is."""
    import math

    import ml_dtypes
    import numpy as np

    title = DTYPES.get(meta["dtype"])
    if title is None or meta["layout"] != 7:
        raise ModelError(
            Sentence("{name}'s {key} is of a type or layout that TVM lacks.", name=name, key=key),
            _CONVERT,
        )
    dtype = np.dtype(ml_dtypes.bfloat16 if title == "bfloat16" else title)
    shape, strides = (tuple(map(whole, meta[field])) for field in ("sizes", "strides"))
    offset = whole(meta["storage_offset"])
    if len(strides) != len(shape) or min((*shape, *strides, offset), default=0) < 0:
        raise damaged(name, f"{key} has no shape")
    if math.prod(shape) > MAX_ELEMENTS:
        raise ModelError(
            Sentence(
                "{name}'s {key} has more than {max_elements} elements.",
                name=name,
                key=key,
                max_elements=MAX_ELEMENTS,
            ),
            _CONVERT,
        )
    if 0 in shape:
        return np.zeros(shape, dtype)
    flat = np.frombuffer(data, np.uint8 if title == "bool" else dtype)
    last = offset + sum((size - 1) * step for size, step in zip(shape, strides, strict=True))
    if last >= len(flat):
        raise damaged(name, f"{key} has {len(flat)} numbers, and its shape needs {last + 1}")
    steps = [step * flat.itemsize for step in strides]
    view = np.lib.stride_tricks.as_strided(flat[offset:], shape, steps, writeable=False)
    return np.ascontiguousarray(view != 0 if title == "bool" else view).reshape(shape)


def only(union: Json) -> tuple[str, Any]:
    """Kind and content of a value that is one of several kinds."""
    ((kind, content),) = union.items()
    return kind, content


def whole(size: Json) -> int:
    """A size that must be a number."""
    value = size["as_int"]
    if type(value) is not int:
        raise TypeError("not an integer")
    return value
