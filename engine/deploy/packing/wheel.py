"""A wheel of an exported folder: pip installs it, and Python imports it by a name of its own."""

from __future__ import annotations

import base64
import hashlib
import keyword
import platform
import re
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from engine.deploy.executor_template import MANIFEST
from engine.deploy.packing.needs import one_line, readme, requirements
from engine.deploy.packing.package import package_text
from engine.records.errors import StorageError, UsageError
from engine.records.sentences import Sentence
from engine.storage.whole_file import replacing

_NAME = re.compile(r"[A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]", re.ASCII)
_TAKEN = {"tvm", "tvm_ffi", "numpy", "cuda", "ml_dtypes", "typing_extensions"}
_WEIGHTS = "weights.bin"  # numbers do not get smaller
_BLOCK = 1 << 20
_USE = """\
    import {package}
    outputs = {package}.load().run({package}.Inputs(...))"""


@dataclass(frozen=True, slots=True)
class WheelName:
    """What a person calls a wheel, and its version; UsageError where none can be called so."""

    name: str
    version: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UsageError(
                Sentence("{value!r} cannot be the name of a wheel.", value=self.name),
                "Take letters, digits and - _ . between them.",
            )
        package = self.package
        if not package.isidentifier() or keyword.iskeyword(package):
            raise UsageError(
                Sentence("Python cannot import {package!r}.", package=package),
                "Begin the wheel's name with a letter.",
            )
        if package in _TAKEN | set(sys.stdlib_module_names):
            raise UsageError(
                Sentence(
                    "{package} is a package that the module itself needs, or Python's own.",
                    package=package,
                ),
                "Choose another name for the wheel.",
            )
        try:
            Version(self.version)
        except InvalidVersion:
            raise UsageError(
                Sentence("{version!r} is no version of a wheel.", version=self.version),
                "Write one like 1.0 or 1.2.3.",
            ) from None

    @property
    def package(self) -> str:
        """What Python imports."""
        return re.sub(r"[-_.]+", "_", self.name).lower()

    @property
    def stem(self) -> str:
        """What the names of the file, and of the folder of its metadata, begin with."""
        return f"{self.package}-{Version(self.version)}"


def wheel_path(folder: Path, name: WheelName, manifest: Mapping[str, Any]) -> Path:
    """Where the wheel of an exported folder lies: beside the folder."""
    return _beside(folder) / f"{name.stem}-{_tag(manifest)}.whl"


def refuse_foreign(folder: Path, name: WheelName) -> None:
    """StorageError where a file would be written over that is no wheel of an export."""
    for path in _beside(folder).glob(f"{name.stem}-*.whl"):
        try:
            with zipfile.ZipFile(path) as archive:
                ours = f"{name.package}/module/{MANIFEST}" in archive.namelist()
        except (OSError, zipfile.BadZipFile):
            ours = False
        if not ours:
            raise StorageError(
                Sentence("{path} is no wheel of an export.", path=path),
                "Choose another version, name or folder.",
            )


def _beside(folder: Path) -> Path:
    return folder.expanduser().resolve().parent


def write_wheel(folder: Path, name: WheelName, manifest: Mapping[str, Any]) -> Path:
    """Write the wheel of an exported folder beside it, over an earlier one; where it is.

    It holds the folder as it is, and a package of typed inputs and outputs that loads no other
    module than this one. StorageError.
    """
    path = wheel_path(folder, name, manifest)
    info = f"{name.stem}.dist-info"
    version = str(Version(name.version))
    texts = {
        f"{name.package}/__init__.py": package_text(name.package, version, manifest),
        f"{name.package}/py.typed": "",
        f"{info}/METADATA": _metadata(name, version, manifest),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: tunewright\nRoot-Is-Purelib: false\n"
        f"Tag: {_tag(manifest)}\n",
    }
    record: list[str] = []
    try:
        with replacing(path) as draft, zipfile.ZipFile(draft, "x", zipfile.ZIP_DEFLATED) as archive:
            for file in (*manifest["files"], MANIFEST):
                _put(archive, folder.expanduser() / file, f"{name.package}/module/{file}", record)
            for place, text in texts.items():
                archive.writestr(place, text)
                record.append(
                    _line(place, hashlib.sha256(text.encode()).digest(), len(text.encode()))
                )
            archive.writestr(f"{info}/RECORD", "".join([*record, f"{info}/RECORD,,\n"]))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise StorageError(
            Sentence("{path} cannot be written: {reason}.", path=path, reason=reason),
            "Choose another folder, or make room.",
        ) from error
    return path


def _put(archive: zipfile.ZipFile, file: Path, place: str, record: list[str]) -> None:
    """Copy a file, a block at a time: weights may be larger than the memory."""
    info = zipfile.ZipInfo.from_file(file, place)
    info.compress_type = zipfile.ZIP_STORED if file.name == _WEIGHTS else zipfile.ZIP_DEFLATED
    digest = hashlib.sha256()
    with file.open("rb") as source, archive.open(info, "w", force_zip64=True) as target:
        while block := source.read(_BLOCK):
            digest.update(block)
            target.write(block)
    record.append(_line(place, digest.digest(), file.stat().st_size))


def _line(place: str, digest: bytes, size: int) -> str:
    """A row of RECORD."""
    text = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return f"{place},sha256={text},{size}\n"


def _metadata(name: WheelName, version: str, manifest: Mapping[str, Any]) -> str:
    needed = "".join(f"Requires-Dist: {one}\n" for one in requirements(manifest))
    return (
        f"Metadata-Version: 2.1\nName: {name.name}\nVersion: {version}\n"
        f"Summary: {one_line(manifest['model'])}, compiled by Tunewright\n"
        f"Requires-Python: >=3.10\n{needed}Description-Content-Type: text/markdown\n\n"
        f"{readme(manifest, _USE.format(package=name.package))}"
    )


def _tag(manifest: Mapping[str, Any]) -> str:
    """Any Python 3, on the kind of machine that the module was compiled for."""
    target = manifest["target"]
    host = target.get("host", target)
    triple = host.get("mtriple", "") if isinstance(host, dict) else ""
    machine = triple.partition("-")[0] or platform.machine()
    return f"py3-none-linux_{machine}"
