"""The commands that only look, how the command line is used wrongly, and what it loads."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli.main import app
from app.cli.options import AsJson
from app.cli.output import Output, Reply, log_path, table
from engine.models.samples import SAMPLES
from engine.project.repository import Project
from engine.records.errors import StorageError
from engine.records.settings import RunSettings
from engine.records.trial import ErrorKind
from engine.targets.presets import PRESETS
from tests.app.cli.support import Done, Here, environment, finish, start
from tests.engine.project.support import new_project, new_trial

HEAVY = ("tvm", "onnx", "onnxruntime", "onnxslim", "PySide6", "xgboost")


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Here(capfd)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "net.tune"
    with new_project(path) as opened:
        opened.start_run(RunSettings())
        opened.set_untuned(4e-3, {0: 1e-3, 1: 1e-3})
        for seed in range(3):
            opened.add_trial(new_trial(seed))
        opened.add_trial(new_trial(3, error=ErrorKind.BUILD_ERROR, samples=()))
    return path


def loaded_by(home: Path, *arguments: str | Path) -> Done:
    """Run a command; stderr is the list of heavy packages that it loaded."""
    script = (
        "import json, sys; from app.cli.main import run; run(sys.argv[1:]); "
        f"print(json.dumps([name for name in {HEAVY} if name in sys.modules]), file=sys.stderr)"
    )
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=environment(home)
    )
    return Done(done.returncode, done.stdout, done.stderr)


def test_the_samples_are_listed(here: Here) -> None:
    found = here("samples", "--json").json["samples"]
    assert [item["name"] for item in found] == [sample.name for sample in SAMPLES]
    assert all(item["title"] and item["description"] for item in found)
    assert all(sample.name in here("samples").out for sample in SAMPLES)


def test_the_targets_of_this_machine_are_listed(here: Here) -> None:
    found = here("targets", "--json").json
    assert found["targets"][-1]["name"] == "cpu"
    assert found["targets"][0]["name"] == found["auto"]
    assert json.loads(found["targets"][-1]["target"])["kind"] == "llvm"
    assert "cpu" in here("targets").out


def test_boards_are_listed_by_their_words_with_what_their_processors_have(here: Here) -> None:
    boards = {item["name"]: item for item in here("targets", "--json").json["presets"]}
    assert list(boards) == [preset.name for preset in PRESETS]
    assert "SVE" in boards["graviton-3"]["features"]
    assert json.loads(boards["raspberry-pi-4"]["target"])["mcpu"] == "cortex-a72"
    assert all(name in here("targets").out for name in boards)


def test_info_tells_state_tasks_and_trials_of_a_project(here: Here, project: Path) -> None:
    found = here("info", project, "--json").json
    assert found["state"] == "interrupted"
    assert found["trials"] == 4
    assert found["errors"] == 1
    conv, pool, _ = found["tasks"]
    assert set(conv) >= {"name", "weight", "flops", "trials", "best_latency_s", "errors"}
    assert (conv["name"], conv["weight"], conv["trials"], conv["errors"]) == ("conv2d", 3, 4, 1)
    assert 1e-4 < conv["best_latency_s"] < 2e-4
    assert conv["commonest_error"] == "build error"
    assert pool["best_latency_s"] is None
    assert found["runs"][0]["trials"] == 4
    assert {task["state"] for task in found["tasks"]} == {"waiting", "tuned"}


def test_info_tells_of_tasks_that_failed_why(here: Here, project: Path) -> None:
    with Project.open(project) as opened:
        opened.set_failed(1, {1: "there is no schedule for it."})
    conv, pool, _ = here("info", project, "--json").json["tasks"]
    assert (conv["state"], conv["why_failed"]) == ("tuned", "")
    assert (pool["state"], pool["why_failed"]) == ("failed", "there is no schedule for it.")
    assert f"{pool['name']} failed: there is no schedule for it.\n" in here("info", project).out


def test_info_tells_which_tasks_keep_their_untuned_kernels(here: Here, project: Path) -> None:
    line = "conv2d keeps its untuned kernel: no schedule measured faster.\n"
    assert line not in here("info", project).out
    with Project.open(project) as opened:
        opened.set_untuned(4e-3, {0: 1e-6})
    assert line in here("info", project).out
    found = here("info", project, "--json").json
    assert [task["tuned"] for task in found["tasks"]] == [False, False, False]
    assert found["coverage"] == 0.0


def test_a_report_is_written_beside_the_project_or_where_one_says(
    here: Here, project: Path, tmp_path: Path
) -> None:
    beside = project.with_name(f"{project.stem}-report.html")
    assert here("report", project).out.strip() == str(beside)
    found = here("report", project, "-o", tmp_path / "mine.html", "--json").json
    assert found == {"project": str(project), "report": str(tmp_path / "mine.html")}
    assert "conv2d" in (tmp_path / "mine.html").read_text("utf-8")
    assert beside.read_text("utf-8").startswith("<!DOCTYPE html>")
    refused = here("report", project, "-o", tmp_path / "none" / "x.html")
    assert refused.code == 1
    assert "cannot be written" in refused.err


def test_info_is_readable_without_json(here: Here, project: Path) -> None:
    text = here("info", project).out
    assert "interrupted" in text
    assert "conv2d" in text
    assert "1 (build error)" in text


def test_info_of_a_project_that_was_never_run_says_new(here: Here, tmp_path: Path) -> None:
    new_project(tmp_path / "a.tune").close()
    assert here("info", tmp_path / "a.tune", "--json").json["state"] == "new"


def test_info_reads_a_project_that_is_open_elsewhere(here: Here, tmp_path: Path) -> None:
    with new_project(tmp_path / "a.tune") as opened:
        opened.start_run(RunSettings())
        assert here("info", tmp_path / "a.tune", "--json").json["state"] == "preparing"


def test_looking_loads_neither_tvm_nor_qt(project: Path, tmp_path: Path) -> None:
    for arguments in (("--help",), ("samples",), ("info", project), ("profile", project)):
        assert json.loads(loaded_by(tmp_path, *arguments).err.splitlines()[-1]) == []


@pytest.mark.parametrize(
    "command",
    [
        *("tune", "resume", "info", "profile", "export", "ios", "samples", "targets", "doctor"),
        *("gui", "demo"),
    ],
)
def test_every_command_has_help(here: Here, command: str) -> None:
    done = here(command, "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: tunewright {command}")


def test_no_command_at_all_shows_the_help(here: Here) -> None:
    done = here()
    assert done.code == 2
    assert "Commands:" in done.out


def test_the_version_can_be_asked_for(here: Here) -> None:
    assert here("--version").code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("tune",),
        ("tune", "squeezenet", "--trials", "many"),
        ("tune", "squeezenet", "--sedd", "1"),
        ("export", "a.tune"),
        ("play",),
        ("samples", "extra"),
        ("ios", "a.tune", "--strategy", "all"),
        ("ios", "a.tune", "--r", "0"),
        ("ios", "a.tune", "--seconds", "0"),
        ("ios", "a.tune", "--strategy", "parallel", "--merge-trials", "8"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused_with_code_2(
    here: Here, arguments: tuple[str, ...]
) -> None:
    plain = here(*arguments)
    assert plain.code == 2
    assert plain.out == ""
    assert len(plain.err.splitlines()) == 1
    asked = here(*arguments, "--json")
    assert asked.code == 2
    assert set(asked.json) == {"error", "todo"}
    assert asked.json["error"] in plain.err


def put_in_place_of_samples(work: Callable[[], Reply], monkeypatch: pytest.MonkeyPatch) -> None:
    def command(as_json: AsJson = False) -> Reply:
        return work()

    (known,) = [each for each in app.registered_commands if each.name == "samples"]
    monkeypatch.setattr(known, "callback", command)


def test_an_unforeseen_error_is_one_sentence_and_the_log_has_the_rest(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down() -> Reply:
        raise ZeroDivisionError("secret detail")

    put_in_place_of_samples(break_down, monkeypatch)
    done = here("samples", "--json")
    assert done.code == 1
    assert "ZeroDivisionError" in done.json["error"]
    assert str(log_path()) in done.json["todo"]
    assert "Traceback" not in done.err
    assert "secret detail" in log_path().read_text()


def test_warnings_of_libraries_go_to_the_log_and_not_to_the_terminal(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def warn() -> Reply:
        logging.getLogger("library").warning("noise")
        return Reply({}, "fine")

    put_in_place_of_samples(warn, monkeypatch)
    assert here("samples") == Done(0, "fine\n", "")
    assert "noise" in log_path().read_text()


def test_a_home_that_cannot_be_written_does_not_keep_a_command_from_working(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert here("samples", "--json").code == 0


def test_with_json_stdout_has_the_answer_alone_whatever_else_is_printed(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chatter() -> Reply:
        print("python says")
        subprocess.run([sys.executable, "-c", "print('child says')"], check=True)
        return Reply({"value": float("inf"), "nested": [float("nan"), 1.5]}, "")

    put_in_place_of_samples(chatter, monkeypatch)
    done = here("samples", "--json")
    assert done.json == {"value": None, "nested": [None, 1.5]}
    assert "python says" in done.err
    assert "child says" in done.err


def test_a_command_line_begins_without_what_only_some_commands_need() -> None:
    heavy = {
        "asyncio",
        "tvm",
        "onnx",
        "PySide6",
        "rich.live",
        "engine.records.events",
        "engine.history.history",
    }
    code = f"import sys, app.cli.main; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_a_reader_the_answer_ends_quietly(tmp_path: Path) -> None:
    process = start(tmp_path, "samples", "--json")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    done = finish(process)
    assert "Traceback" not in done.err
    assert "Exception ignored" not in done.err


@pytest.mark.parametrize("as_json", ["--json", ""])
@pytest.mark.parametrize("where", [">/dev/full", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_an_answer_that_cannot_be_written_ends_without_a_traceback(
    tmp_path: Path, where: str, as_json: str
) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m app samples {as_json} {where}"],
        capture_output=True, text=True, check=False, env=environment(tmp_path),
    )  # fmt: skip
    assert done.returncode == ("full" in where)
    assert len(done.stderr.splitlines()) == ("full" in where)


def test_errors_are_one_line_without_json(capfd: pytest.CaptureFixture[str]) -> None:
    error = StorageError("The disk is full.", "Free some space.")
    with Output(as_json=False) as output:
        assert output.refuse(error.what, error.todo, 1) == 1
    assert capfd.readouterr() == ("", "tunewright: The disk is full. Free some space.\n")


def test_a_table_is_aligned() -> None:
    assert table([("a", "1"), ("bcd", "20")], frozenset({1})) == "a     1\nbcd  20"


def test_a_window_without_a_display_is_refused_with_a_sentence(tmp_path: Path) -> None:
    done = finish(start(tmp_path, "gui"))
    assert done.code == 1
    assert done.err.startswith("tunewright: There is no display here.")
    assert len(done.err.splitlines()) == 1


def test_a_window_without_its_system_libraries_is_refused_with_their_packages(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setattr("app.cli.gui.missing_packages", lambda window, linker: ["libxcb-cursor0"])
    monkeypatch.delenv("QT_QPA_PLATFORM")
    done = here("gui")
    assert done.code == 1
    assert "apt-get install libxcb-cursor0" in done.err


def test_a_project_is_recorded_and_a_replay_of_it_is_read_back(
    here: Here, project: Path, tmp_path: Path
) -> None:
    from engine.replay.recording_file import load_recording

    done = here("record", project, "-o", tmp_path / "a.npz", "--device", "bench", "--json")
    assert done.code == 0, done.err
    recording = load_recording(tmp_path / "a.npz")
    assert done.json["trials"] == sum(len(task.latency_s) for task in recording.tasks)
    assert (done.json["device"], recording.device) == ("bench", "bench")
    assert done.json["bytes"] == (tmp_path / "a.npz").stat().st_size


@pytest.mark.parametrize("content", [b"", b"no recording"])
def test_what_is_no_recording_is_not_replayed(here: Here, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.npz").write_bytes(content)
    done = here("gui", "--replay", tmp_path / "a.npz")
    assert done.code in (1, 2)
    assert "a.npz" in done.err


def test_info_says_how_a_board_was_over_all_its_trials(here: Here, project: Path) -> None:
    assert "\nboard " not in here("info", project).out
    cool = {"answer_ms": 2.0, "celsius": 48, "mhz": 1500, "throttled": False}
    with Project.open(project) as opened:
        for seed, state in ((11, cool), (12, cool | {"celsius": 81, "throttled": True})):
            opened.add_trial(new_trial(seed, run=1, protocol=state))
    assert "48 to 81 °C, 1,500 MHz, throttled in 1 of 2 trials" in here("info", project).out
    told = here("info", project, "--json").json["board"]
    assert told == {"trials": 2, "throttled": 1, "celsius": [48, 81], "mhz": [1500, 1500]}
