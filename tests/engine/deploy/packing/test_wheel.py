"""A wheel of an export: its name, what it holds, and where it goes."""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib
import os
import sys
import zipfile
from email import message_from_string
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import parse_wheel_filename

from engine.deploy.packing.needs import requirements
from engine.deploy.packing.wheel import WheelName, refuse_foreign, wheel_path, write_wheel
from engine.records.errors import StorageError, UsageError
from tests.engine.deploy.packing.folders import exported, spec

NAME = WheelName("My-Net", "1.0")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where packages are installed, among which there is none of this name yet."""
    monkeypatch.syspath_prepend(tmp_path / "site")
    for known in [one for one in sys.modules if one.partition(".")[0] == "my_net"]:
        monkeypatch.delitem(sys.modules, known)
    return tmp_path / "site"


# Names


@pytest.mark.parametrize(
    ("name", "package", "stem"),
    [
        ("net", "net", "net-1.0"),
        ("My-Net", "my_net", "my_net-1.0"),
        ("a..b__c", "a_b_c", "a_b_c-1.0"),
        ("N2", "n2", "n2-1.0"),
    ],
)
def test_a_name_is_written_as_pip_writes_it(name: str, package: str, stem: str) -> None:
    found = WheelName(name, "1.0")
    assert (found.package, found.stem) == (package, stem)


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "a b", "-a", "a-", ".a", "é", "a/b", "../a", "a\n", "a;b", "a\0"),
        *("1net", "class", "json", "os", "numpy", "tvm", "TVM-FFI", "cuda"),
    ],
)
def test_a_name_that_no_wheel_can_have_is_refused(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        WheelName(name, "1.0")
    assert caught.value.what.endswith(".")
    assert caught.value.todo.endswith(".")


@pytest.mark.parametrize("version", ["", "x", "1.0 beta", "1..0", "../1", "1.0\n\nx", "v"])
def test_a_version_that_is_none_is_refused(version: str) -> None:
    with pytest.raises(UsageError, match="is no version"):
        WheelName("net", version)


@pytest.mark.parametrize(
    ("version", "written"), [("1", "1"), ("1.0-rc1", "1.0rc1"), ("2.1+cpu", "2.1+cpu")]
)
def test_a_version_is_written_as_pip_writes_it(version: str, written: str, tmp_path: Path) -> None:
    manifest = exported(tmp_path / "out")
    path = write_wheel(tmp_path / "out", WheelName("net", version), manifest)
    name, found, _, _ = parse_wheel_filename(path.name)
    assert (name, str(found)) == ("net", written)


# What it holds


def test_it_lists_every_file_with_its_hash(tmp_path: Path) -> None:
    manifest = exported(tmp_path / "out")
    path = write_wheel(tmp_path / "out", NAME, manifest)
    assert path == wheel_path(tmp_path / "out", NAME, manifest)
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name, "out"]
    with zipfile.ZipFile(path) as archive:
        rows = list(csv.reader(archive.read("my_net-1.0.dist-info/RECORD").decode().splitlines()))
        assert {row[0] for row in rows} == set(archive.namelist())
        for place, digest, size in rows[:-1]:
            data = archive.read(place)
            told = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={told}", str(len(data)))
        assert rows[-1] == ["my_net-1.0.dist-info/RECORD", "", ""]
        for file in (tmp_path / "out").iterdir():
            assert archive.read(f"my_net/module/{file.name}") == file.read_bytes()


def test_its_metadata_name_what_it_needs(tmp_path: Path) -> None:
    manifest = exported(tmp_path / "out", model="a\nRequires-Dist: evil", device="cuda:0")
    with zipfile.ZipFile(write_wheel(tmp_path / "out", NAME, manifest)) as archive:
        found = message_from_string(archive.read("my_net-1.0.dist-info/METADATA").decode())
    assert (found["Name"], found["Version"]) == ("My-Net", "1.0")
    assert found.get_all("Requires-Dist") == requirements(manifest)


@pytest.mark.parametrize(
    ("device", "libraries", "needed"),
    [
        ("cpu", [], set()),
        ("cuda:0", [], {"cuda-bindings"}),
        ("cuda:0", [{"name": "cublaslt", "version": 130100}], {"cuda-bindings", "nvidia-cublas"}),
    ],
)
def test_a_gpus_packages_are_needed_where_they_are_called(
    device: str, libraries: list[dict[str, Any]], needed: set[str]
) -> None:
    names = {
        one.partition(">")[0] for one in requirements({"device": device, "libraries": libraries})
    }
    assert names & {"cuda-bindings", "nvidia-cublas"} == needed


@pytest.mark.parametrize(
    ("target", "machine"),
    [
        ({"kind": "llvm", "mtriple": "aarch64-linux-gnu"}, "aarch64"),
        ({"kind": "cuda", "host": {"kind": "llvm", "mtriple": "x86_64-pc-linux"}}, "x86_64"),
        ({"kind": "llvm"}, os.uname().machine),
    ],
)
def test_it_is_for_the_machine_that_the_module_was_compiled_for(
    target: dict[str, Any], machine: str, tmp_path: Path
) -> None:
    path = wheel_path(tmp_path / "out", NAME, {"target": target})
    assert path.name == f"my_net-1.0-py3-none-linux_{machine}.whl"


NAMES = ["x", "input.1", "a b", "é", "\N{SNOWMAN}", '"', "'", '"""', "\\", "{x}", "{0}", "%s", "\n"]
NAMES += ['"); raise SystemExit("run")  #', "'}); raise SystemExit('run')  #", "\\'", "x" * 300]


@pytest.mark.parametrize("name", NAMES)
def test_a_strangers_names_are_text_in_it(name: str, tmp_path: Path, site: Path) -> None:
    inputs = [spec(name, "float32", 2), spec("b", "bool"), spec("w", "bfloat16", 4)]
    manifest = exported(
        tmp_path / "out", model=name, inputs=inputs, outputs=[spec(name, "int8", 0)]
    )
    with zipfile.ZipFile(write_wheel(tmp_path / "out", NAME, manifest)) as archive:
        archive.extractall(site)
    package = importlib.import_module("my_net")
    assert {name: ((2,), "float32"), "b": ((), "bool"), "w": ((4,), "bfloat16")} == package.INPUTS
    assert {name: ((0,), "int8")} == package.OUTPUTS
    assert list(package.Inputs.__annotations__) == [name, "b", "w"]
    assert (package.__version__, package.SHA256) == ("1.0", manifest["sha256"])


def test_it_loads_no_other_module_than_its_own(tmp_path: Path, site: Path) -> None:
    path = write_wheel(tmp_path / "out", NAME, exported(tmp_path / "out"))
    with zipfile.ZipFile(path) as archive:
        archive.extractall(site)
    exported(site / "my_net" / "module", model="another, which fits itself")
    with pytest.raises(ValueError, match="another export than the one of the given SHA-256"):
        importlib.import_module("my_net").load()


# Where it goes


def test_it_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    first = write_wheel(tmp_path / "out", NAME, exported(tmp_path / "out"))
    before = first.read_bytes()
    refuse_foreign(tmp_path / "out", NAME)
    manifest = exported(tmp_path / "out", model="other")
    assert write_wheel(tmp_path / "out", NAME, manifest) == first
    assert first.read_bytes() != before


@pytest.mark.parametrize("data", [b"", b"mine", b"PK\x05\x06" + bytes(18)])
def test_a_persons_file_is_not_written_over(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "my_net-1.0-py3-none-any.whl").write_bytes(data)
    with pytest.raises(StorageError, match="is no wheel of an export"):
        refuse_foreign(tmp_path / "out", NAME)
    refuse_foreign(tmp_path / "out", WheelName("my-net", "1.1"))


def test_a_full_disk_leaves_an_earlier_one_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = exported(tmp_path / "out")
    path = write_wheel(tmp_path / "out", NAME, manifest)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    with pytest.raises(StorageError, match="no space left on device"):
        write_wheel(tmp_path / "out", NAME, manifest)
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name, "out"]
