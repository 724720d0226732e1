"""The doctor, and the list of system packages that it and the Makefile share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from app.doctor import machine as doctor_machine
from app.doctor import system_packages
from app.doctor.checks import FROZEN_TODO, Check, Verdict, probe
from app.doctor.doctor import examine
from app.doctor.machine import check_cublas, check_folder, check_linker, check_qt, check_target
from app.doctor.packages import check_names, check_package, check_packages
from app.doctor.system_packages import is_loadable, missing_packages
from app.own_packages import OWN
from engine.records.errors import TunewrightError
from tests.app.cli.support import finish, start

REPOSITORY = Path(__file__).parents[3]


def test_a_machine_that_runs_these_tests_is_able_to_tune(tmp_path: Path) -> None:
    done = finish(start(tmp_path, "doctor", "--json", qt=False))
    assert done.code == 0, done
    found = done.json
    assert found["able"] is True
    names = {check["name"] for check in found["checks"]}
    assert names >= {"python", "apache-tvm", "apache-tvm-ffi", "target", "linker", "qt"}
    assert all(set(check) == {"name", "verdict", "text", "todo"} for check in found["checks"])


def test_something_missing_makes_it_fail_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = Check("linker", Verdict.MISSING, "none", "apt-get install binutils")
    monkeypatch.setattr("app.doctor.doctor.CHECKS", (lambda: iter([lacking]),))
    reply = examine()
    assert reply.code == 1
    assert reply.data["able"] is False
    assert "apt-get install binutils" in reply.text
    assert reply.text.endswith("Not able to tune: see what is marked missing.")


def test_a_warning_does_not_make_it_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    no_window = Check("qt", Verdict.WARNING, "no fonts", "apt-get install fonts-dejavu-core")
    monkeypatch.setattr("app.doctor.doctor.CHECKS", (lambda: iter([no_window]),))
    assert examine().code == 0


@pytest.fixture(params=OWN)
def foreign(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A package of a stranger's that has a name of ours."""
    package = tmp_path / "path" / str(request.param)
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    return package


def test_a_package_that_stands_before_ours_is_named(
    foreign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [check.verdict for check in check_names()] == [Verdict.OK]
    monkeypatch.chdir(foreign.parent)
    (found,) = check_names()  # Python starts with the folder that it stands in
    assert found.verdict is Verdict.MISSING
    assert f"{foreign.name} is taken from {foreign}" in found.text


def test_a_distribution_that_claims_a_name_of_ours_is_named(
    foreign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = foreign.parent / "other-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (folder / "top_level.txt").write_text(f"{foreign.name}\n")
    monkeypatch.syspath_prepend(str(foreign.parent))
    (found,) = check_names()
    assert found.verdict is Verdict.WARNING
    assert f"other has installed a package {foreign.name}" in found.text


@pytest.mark.parametrize("name", ["engine", "widgets"])
def test_the_program_does_not_begin_with_packages_of_others(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")
    begin = "from app.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", begin, "doctor"], cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith(f"tunewright: Python takes the package {name} from {tmp_path}")
    assert "Traceback" not in done.stderr


def test_every_package_of_the_project_is_checked() -> None:
    names = {check.name for check in check_packages()}
    assert {"apache-tvm-ffi", "PySide6-Essentials", "onnxruntime", "numpy"} <= names
    assert not names & {"pytest", "ruff"}


@pytest.mark.parametrize(
    ("name", "specifier", "verdict"),
    [
        ("numpy", ">=2", Verdict.OK),
        ("numpy", "==1.0", Verdict.MISSING),
        ("PySide6-Essentials", "~=5.0", Verdict.WARNING),
        ("no-such-package-at-all", ">=1", Verdict.MISSING),
    ],
)
def test_a_package_is_judged_by_its_version(name: str, specifier: str, verdict: Verdict) -> None:
    check = check_package(name, specifier)
    assert check.verdict is verdict
    assert (f'"{name}{specifier}"' in check.todo) is (verdict is not Verdict.OK)


def test_a_wrong_tvm_ffi_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda name: "0.1.15.post2")
    check = check_package("apache-tvm-ffi", "==0.1.14.post1")
    assert check.verdict is Verdict.MISSING
    assert "segmentation fault" in check.text


@pytest.mark.parametrize(
    ("path", "version", "verdict", "says"),
    [
        (None, "", Verdict.OK, "tunewright[cublas]"),
        (Path("libcublasLt.so.13"), "13.1.0", Verdict.OK, "cuBLASLt 13.1.0"),
        (Path("libcublasLt.so.13"), "", Verdict.WARNING, "does not load"),
    ],
)
def test_a_library_for_products_is_an_extra_that_may_be_missing(
    path: Path | None,
    version: str,
    verdict: Verdict,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor_machine, "find_library", lambda: path)
    monkeypatch.setattr(doctor_machine, "library_version", lambda: version)
    check = check_cublas()
    assert check.verdict is verdict
    assert says in check.text + check.todo


def test_advice_is_pip_only_where_pip_can_help(monkeypatch: pytest.MonkeyPatch) -> None:
    def advice() -> list[str]:
        return [
            check_package("numpy", "==1.0").todo,
            *(check.todo for check in check_target()),
            *(check.todo for check in check_qt()),
            doctor_machine._check_cuda(["cuda:0"]).todo,
        ]

    def broken(script: str, **_: str) -> None:
        raise TunewrightError("it does not load")

    monkeypatch.setattr(doctor_machine, "probe", broken)
    monkeypatch.setattr(doctor_machine, "missing_packages", lambda window, linker: [])
    monkeypatch.setattr(shutil, "which", lambda name: None)
    package, target, qt, cuda = advice()
    assert "pip install" in package
    assert "above" in target
    assert "PySide6" in qt
    assert "pip install" in cuda
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert advice() == [FROZEN_TODO, FROZEN_TODO, FROZEN_TODO, "Install the CUDA toolkit."]
    monkeypatch.setattr(doctor_machine, "probe", lambda script, **_: [200, 9])
    assert [check.todo for check in check_qt()] == [FROZEN_TODO]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("import os; os.abort()", "exit code -6"),
        ("raise SystemExit('broken')", "broken"),
        ("print('not json')", "exit code 0"),
        ("import no_such_module_at_all", "no_such_module_at_all"),
    ],
)
def test_a_probe_that_breaks_is_a_sentence(script: str, said: str) -> None:
    with pytest.raises(TunewrightError) as caught:
        probe(script)
    assert said in caught.value.what


def test_a_tvm_that_does_not_load_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_machine, "_TARGETS", "import os; os.abort()")
    [check] = check_target()
    assert check.verdict is Verdict.MISSING
    assert "TVM does not load" in check.text


def test_a_machine_without_a_linker_is_told_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_machine, "find_linker", lambda: None)
    [check] = check_linker()
    assert check.verdict is Verdict.MISSING
    assert "binutils" in check.todo


@pytest.mark.parametrize(("lost", "families"), [(200, 9), (0, 0)])
def test_a_qt_that_loses_references_or_has_no_fonts_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, lost: int, families: int
) -> None:
    monkeypatch.setattr(doctor_machine, "probe", lambda script, **_: [lost, families])
    [check] = check_qt()
    assert check.verdict is Verdict.WARNING
    assert check.todo


def test_missing_libraries_of_qt_are_a_warning_with_their_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor_machine, "missing_packages", lambda window, linker: ["libegl1"])
    [check] = check_qt()
    assert check.verdict is Verdict.WARNING
    assert check.todo == "apt-get install libegl1"


def test_a_folder_that_cannot_be_written_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check_folder("data folder", tmp_path / "not" / "yet").verdict is Verdict.OK
    (tmp_path / "file").write_text("")
    assert check_folder("data folder", tmp_path / "file" / "x").verdict is Verdict.WARNING
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert check_folder("data folder", tmp_path).verdict is Verdict.WARNING


def test_missing_libraries_name_their_debian_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_loadable("libno-such-library.so.7")
    monkeypatch.setattr(system_packages, "is_loadable", lambda library: library != "libEGL.so.1")
    assert missing_packages(window=False) == ["libegl1"]
    monkeypatch.setattr(system_packages, "is_loadable", lambda library: False)
    assert "libxcb-cursor0" not in missing_packages(window=False)
    assert "libxcb-cursor0" in missing_packages(window=True)
    monkeypatch.setattr(system_packages, "find_linker", lambda: None)
    assert missing_packages(window=False)[-1] == "binutils"
    assert "binutils" not in missing_packages(window=False, linker=False)


def test_the_list_of_packages_needs_no_installed_package() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-m", "app.doctor.system_packages", "--window"],
        capture_output=True, text=True, check=True, cwd=REPOSITORY,
    )  # fmt: skip
    assert len(done.stdout.splitlines()) == 1
