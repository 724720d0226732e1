"""Bad input through the command line: one sentence, what to do, the right exit code."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path

import pytest
from typer.main import get_command

from app.cli.main import HINTS, app
from engine.interface.models import find_model
from engine.project.migrations import PROJECT_FILE
from engine.records import machine
from engine.records.errors import Hint
from engine.records.settings import RunSettings
from engine.records.source import ModelSource
from engine.targets.targets import resolve
from tests.app.cli.support import Here
from tests.engine.models.build import (
    conv_relu_model,
    dynamic_model,
    save,
    save_external,
    set_external,
    unsupported_model,
)
from tests.engine.project.support import have_models, new_project


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Here(capfd)


def refused(here: Here, *arguments: str | Path, code: int) -> str:
    """What the refusal says; it is one line, the same with --json, and no traceback."""
    done = here(*arguments, "--json")
    assert done.code == code, done
    assert set(done.json) - {"inputs"} == {"error", "todo"}  # inputs, where shapes are asked for
    assert "Traceback" not in done.err
    error, todo = done.json["error"], done.json["todo"]
    assert error.endswith(".")
    assert "\n" not in error + todo
    return f"{error} {todo}"


# Names


@pytest.mark.parametrize(
    "command",
    [
        "tune",
        "check",
        "queue add",
        "resume",
        "info",
        "profile",
        "report",
        "export",
        "ios",
        "share",
        "record",
    ],
)
def test_a_name_that_the_system_refuses_is_told_in_a_sentence(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    more = ("-o", str(tmp_path / "out")) if command in ("export", "record") else ()
    suffix = ".onnx" if command in ("tune", "check", "queue add") else ".tune"
    assert "too long" in refused(here, *command.split(), "a" * 300 + suffix, *more, code=1)
    done = here(*command.split(), f"a\0b{suffix}", *more, "--json")
    assert done.code and "of its own" not in done.json["error"]


# Models


def test_a_name_that_is_neither_a_file_nor_a_sample_is_refused(here: Here) -> None:
    said = refused(here, "tune", "squeezenot", code=2)
    assert "'squeezenot'" in said
    assert "resnet50" in said


def test_a_project_is_not_tuned_as_a_model(here: Here, tmp_path: Path) -> None:
    assert "tunewright resume" in refused(here, "tune", tmp_path / "net.tune", code=2)


def test_a_file_goes_before_a_sample_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_model("alexnet") == ModelSource("sample", "alexnet")
    Path("alexnet").write_text("")
    assert find_model("alexnet") == ModelSource("file", str(tmp_path / "alexnet"))


def test_a_file_that_is_not_onnx_is_refused(here: Here, tmp_path: Path) -> None:
    (tmp_path / "notes.onnx").write_text("These are notes.\n" * 9)
    said = refused(here, "tune", tmp_path / "notes.onnx", code=1)
    assert "not an ONNX file" in said


def test_a_truncated_file_is_refused(here: Here, tmp_path: Path) -> None:
    path = save(conv_relu_model(), tmp_path / "cut.onnx")
    path.write_bytes(path.read_bytes()[:300])
    assert "truncated" in refused(here, "tune", path, code=1)


def test_external_weights_that_are_missing_are_named(here: Here, tmp_path: Path) -> None:
    path = save_external(tmp_path)
    (tmp_path / "weights.bin").unlink()
    assert "weights.bin" in refused(here, "tune", path, code=1)


def test_external_weights_outside_the_folder_are_refused(here: Here, tmp_path: Path) -> None:
    path = save_external(tmp_path)
    set_external(path, location="../weights.bin")
    assert "folder" in refused(here, "tune", path, code=1)


def test_all_operators_that_are_not_supported_are_named_at_once(here: Here, tmp_path: Path) -> None:
    said = refused(here, "tune", save(unsupported_model(), tmp_path / "m.onnx"), code=1)
    assert "my.ops::Fold" in said
    assert "my.ops::Twist" in said


def test_dynamic_dimensions_without_a_value_are_named(here: Here, tmp_path: Path) -> None:
    model = save(dynamic_model(), tmp_path / "m.onnx")
    said = refused(here, "tune", model, code=2)
    (asked,) = here("tune", model, "--json").json["inputs"]
    assert (asked["name"], asked["declared"]) == ("x", ["batch", 3, "height", "width"])
    assert "'height'" in said
    assert "'width'" in said
    assert "--shape x=1x3x224x224" in said


def test_a_precision_that_is_none_is_refused_before_anything_is_read(here: Here) -> None:
    for command in (("tune",), ("queue", "add")):
        said = refused(here, *command, "squeezenet", "--precision", "fp16", code=2)
        assert "'fp16'" in said and "float32, tf32, float16, bfloat16" in said


def test_a_cpu_has_no_tensor_cores_to_tune_for(here: Here) -> None:
    arguments = ("tune", "squeezenet", "--target", "cpu", "--precision", "tf32")
    assert "tensor cores" in refused(here, *arguments, code=2)


@pytest.mark.parametrize("shape", ["x", "x=1xtwo", "=1x2", "x=0x1", "x=1x-1"])
def test_a_shape_that_is_none_is_refused_before_anything_is_read(here: Here, shape: str) -> None:
    assert "--shape" in refused(here, "tune", "squeezenet", "--shape", shape, code=2)


def test_a_shape_of_an_unknown_input_is_refused(here: Here, tmp_path: Path) -> None:
    model = save(conv_relu_model(), tmp_path / "m.onnx")
    assert "y" in refused(here, "tune", model, "--shape", "y=1x3x8x8", code=2)


# Targets and settings


def test_an_unknown_target_is_refused_by_name(here: Here, tmp_path: Path) -> None:
    model = save(conv_relu_model(), tmp_path / "m.onnx")
    assert "abacus" in refused(here, "tune", model, "--target", "abacus", code=2)
    assert not (tmp_path / "m.tune").exists()


def test_a_target_without_its_hardware_is_refused(here: Here, tmp_path: Path) -> None:
    model = save(conv_relu_model(), tmp_path / "m.onnx")
    assert "99" in refused(here, "tune", model, "--target", "cuda:99", code=2)
    assert "vulkan" in refused(here, "tune", model, "--target", "vulkan", code=2)


@pytest.mark.parametrize(
    "option", [("--trials", "0"), ("--seconds", "-1"), ("--seconds", "nan"), ("--latency-ms", "0")]
)
def test_a_budget_that_is_not_above_zero_is_refused(here: Here, option: tuple[str, str]) -> None:
    assert "budget" in refused(here, "tune", "squeezenet", *option, code=2)


def test_an_unknown_policy_is_refused_by_name(here: Here) -> None:
    said = refused(here, "tune", "squeezenet", "--policy", "coin-toss", code=2)
    assert "coin-toss" in said
    assert RunSettings().policy in said


# Where a new project goes


def test_an_existing_project_is_not_replaced(here: Here, tmp_path: Path) -> None:
    new_project(tmp_path / "a.tune").close()
    before = (tmp_path / "a.tune").read_bytes()
    said = refused(here, "tune", "squeezenet", "-o", tmp_path / "a.tune", code=1)
    assert "tunewright resume" in said
    assert (tmp_path / "a.tune").read_bytes() == before


def test_a_folder_that_is_missing_or_protected_is_refused_at_once(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no folder" in refused(here, "tune", "alexnet", "-o", tmp_path / "n/a.tune", code=1)
    assert "is a folder" in refused(here, "tune", "alexnet", "-o", tmp_path, code=1)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "protected" in refused(here, "tune", "alexnet", "-o", tmp_path / "a.tune", code=1)


# Projects

READERS = ("info", "profile", "resume", "export")


def ask(here: Here, command: str, project: Path) -> str:
    extra = ("-o", project.parent / "out") if command == "export" else ()
    return refused(here, command, project, *extra, code=1)


@pytest.mark.parametrize("command", READERS)
def test_a_project_that_is_not_there_is_refused(here: Here, tmp_path: Path, command: str) -> None:
    assert "no file none.tune" in ask(here, command, tmp_path / "none.tune")


@pytest.mark.parametrize("command", READERS)
def test_a_file_that_is_no_project_is_refused(here: Here, tmp_path: Path, command: str) -> None:
    path = save(conv_relu_model(), tmp_path / "net.onnx")
    assert "not a Tunewright project" in ask(here, command, path)
    assert "folder" in ask(here, command, tmp_path)


@pytest.mark.parametrize("command", READERS)
def test_a_damaged_project_is_refused(here: Here, tmp_path: Path, command: str) -> None:
    path = tmp_path / "a.tune"
    new_project(path).close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\x5a" * (len(data) - 4096)
    path.write_bytes(data)
    assert "a.tune is damaged" in ask(here, command, path)
    assert path.read_bytes() == data


@pytest.mark.parametrize("command", READERS)
def test_a_project_of_a_newer_version_is_refused(here: Here, tmp_path: Path, command: str) -> None:
    path = tmp_path / "a.tune"
    new_project(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {PROJECT_FILE.newest + 1}")
    db.close()
    assert "newer" in ask(here, command, path)


@pytest.mark.parametrize("command", ["resume", "export"])
def test_a_project_that_is_open_elsewhere_is_refused(
    here: Here, tmp_path: Path, command: str
) -> None:
    with new_project(tmp_path / "a.tune"):
        assert "already open" in ask(here, command, tmp_path / "a.tune")


@pytest.mark.parametrize("runs", [0, 1])  # without one, to resume is to start the first
def test_a_model_that_has_gone_is_named(here: Here, tmp_path: Path, runs: int) -> None:
    with new_project(tmp_path / "a.tune", target=resolve("cpu").text) as project:
        for _ in range(runs):
            project.start_run(RunSettings())
    assert "/models/net.onnx" in ask(here, "resume", tmp_path / "a.tune")


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        *(((name, "FOLDER"), "model") for name in ("tune", "check")),
        (("queue", "add", "FOLDER"), "model"),
        (("queue", "add", "FOLDER.tune"), ".tune"),
        *(((name, "FOLDER"), ".tune") for name in ("resume", "info", "report", "ios", "share")),
        (("profile", "FOLDER"), ".tune"),
        (("export", "FOLDER", "-o", "out"), ".tune"),
        (("record", "FOLDER", "-o", "a.npz"), ".tune"),
        (("library", "add", "FOLDER"), ".tune"),
        (("tune", "squeezenet", "-o", "FOLDER"), ".tune"),
        (("queue", "add", "squeezenet", "-o", "FOLDER"), ".tune"),
        (("experiment", "FOLDER"), "YAML"),
        (("gui", "--replay", "FOLDER"), "tunewright record"),
        (("report", "a.tune", "-o", "FOLDER"), "another name"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_folder_in_a_files_place_is_answered_by_what_was_asked_for(
    here: Here,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    wanted: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("FOLDER", "FOLDER.tune"):
        (tmp_path / name).mkdir()
    new_project(tmp_path / "a.tune").close()
    done = here(*command)
    assert done.code in (1, 2)
    assert wanted in done.err.splitlines()[-1]
    assert (".tune" in done.err.splitlines()[-1].partition(". ")[2]) == (wanted == ".tune")


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="names x86 processors")
@pytest.mark.parametrize(
    ("stored", "found", "lacks"),
    [  # levels that processors of every maker share
        ("x86-64-v4", "x86-64-v3", "avx512f"),
        ("x86-64-v3", "x86-64-v2", "avx2"),
        ("x86-64-v2", "x86-64-v3", ""),
        ("x86-64-v2", "x86-64-v4", ""),
    ],
)
def test_a_project_of_a_processor_with_more_is_refused_and_of_one_with_less_goes_on(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored: str, found: str, lacks: str
) -> None:
    monkeypatch.setattr(machine, "host_cpu", lambda: found)
    have_models(monkeypatch)
    target = f'{{"kind": "llvm", "mcpu": "{stored}", "num-cores": 1}}'
    with new_project(tmp_path / "a.tune", target=target) as project:
        project.start_run(RunSettings())
    said = refused(here, "resume", tmp_path / "a.tune", code=2 if lacks else 1)
    assert (f"The target {stored} uses " if lacks else "/models/net.onnx") in said
    assert not lacks or lacks in re.split(r"[ ,]+", said.partition(", which")[0])


@pytest.mark.parametrize("hint", Hint)
def test_what_helps_on_is_a_command_or_an_option_that_there_is(hint: Hint) -> None:
    (named,) = re.findall("`(?:tunewright )?([^`]+)`", HINTS[hint])
    command = get_command(app)
    if named.startswith("--"):
        options = [name for each in vars(command)["commands"]["tune"].params for name in each.opts]
        assert named.split()[0] in options
        return
    for name in named.split():
        command = vars(command)["commands"][name]
