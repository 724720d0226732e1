"""The job queue from the command line; nothing is tuned here."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.driver import QueueProgress
from engine.queueing.store import QueueStore
from engine.records.events import QueueChanged
from engine.records.job import JobState, QueuedJob
from engine.storage.lock import ProjectLock
from tests.app.cli.support import Here
from tests.engine.project.support import new_project


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return tmp_path / "home" / "tunewright" / "queue.db"


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(capfd)


def test_jobs_are_added_moved_held_and_taken_off(here: Here, home: Path, tmp_path: Path) -> None:
    new_project(tmp_path / "net.tune").close()
    added = here("queue", "add", "squeezenet", "--trials", "8", "--latency-ms", "2", "--json").json
    assert (added["job"]["id"], added["job"]["model"], added["running"]) == (1, "squeezenet", False)
    assert added["job"]["precision"] == "float32"
    assert added["job"]["budget"] == {"trials": 8, "seconds": None, "latency_s": 0.002}
    project = here("queue", "add", tmp_path / "net.tune", "--priority", "-1", "--title", "Net")
    assert "No budget was given" in project.err and project.out.startswith("Job 2: Net.")
    half = here("queue", "add", "alexnet", "--seconds", "5", "--precision", "float16", "--json")
    assert half.json["job"]["precision"] == "float16"
    assert here("queue", "move", "3", "1").out == "Job 3 is moved.\n"
    assert here("queue", "pause", "1", "--json").json["job"]["paused"]
    found = here("queue", "list", "--json").json
    assert (found["queue"], found["running"]) == (str(home), False)
    assert [job["id"] for job in found["jobs"]] == [2, 3, 1]
    assert here("queue", "unpause", "1").out == "Job 1 is unpaused.\n"
    urgent = here("queue", "priority", "1", "-2", "--json").json
    assert urgent["job"]["priority"] == -2
    assert here("queue", "priority", "1", "0").out == "Job 1 is given its priority.\n"
    assert here("queue", "cancel", "3").out == "Job 3 is cancelled.\n"
    assert here("queue", "remove", "3", "--json").json == {"removed": 3}
    lines = here("queue", "list").out.splitlines()
    assert [line.split()[0] for line in lines] == ["job", "2", "1", "The"]


def test_a_job_may_tune_despite_a_wrong_answer(here: Here, home: Path) -> None:
    here("queue", "add", "squeezenet", "--despite-wrong-answer")
    here("queue", "add", "squeezenet")
    with QueueStore.open(home) as store:
        assert [job.settings.despite for job in store.jobs()] == [True, False]


def test_a_job_begins_with_what_is_known_unless_that_is_not_wanted(here: Here, home: Path) -> None:
    here("queue", "add", "squeezenet", "--no-starter")
    here("queue", "add", "squeezenet")
    with QueueStore.open(home) as store:
        assert [job.settings.starter for job in store.jobs()] == [False, True]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("add", "no-such-model"), "neither a file nor a sample"),
        (("priority", "7", "1"), "The queue has no job 7"),
        (("add", "net.tune"), "There is no file net.tune"),
        (("add", "net.tune", "--target", "cpu"), "A project has its model"),
        (("add", "net.tune", "--precision", "tf32"), "A project has its model"),
        (("add", "squeezenet", "--precision", "bf16"), "There is no precision 'bf16'"),
        (("add", "squeezenet", "--policy", "luck", "--trials", "1"), "luck"),
        (("add", "squeezenet", "--trials", "1", "--priority", "1001"), "does not fit"),
        (("add", "squeezenet", "--trials", "1", "--priority", "9" * 20), "does not fit"),
        (("pause", "7"), "The queue has no job 7"),
        (("move", "7", "0"), "PLACE"),
        (("run", "--scheduling", "luck"), "There is no scheduling policy 'luck'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    here: Here, arguments: tuple[str, ...], what: str
) -> None:
    done = here("queue", *arguments)
    assert what in done.err
    assert done.code in (1, 2)
    assert not done.out


def test_a_queue_that_is_run_says_so_and_asks_its_runner(here: Here, home: Path) -> None:
    here("queue", "add", "squeezenet", "--trials", "8")
    with QueueStore.open() as store:
        store.put({1: {"state": "running"}})
    lock = ProjectLock(home)
    assert "takes it" in here("queue", "add", "alexnet", "--trials", "8").out
    assert here("queue", "cancel", "1").out == "Job 1 is being cancelled.\n"
    assert here("queue", "remove", "1").code == 2
    assert "The queue is being run." in here("queue", "list").out
    lock.release()


def test_the_display_says_what_became_of_each_job(capsys: pytest.CaptureFixture[str]) -> None:
    progress = QueueProgress()
    job = QueuedJob(1, "net", state=JobState.WAITING)
    progress.show([QueueChanged((job,))])
    progress.show([QueueChanged((QueuedJob(1, "net", state=JobState.RUNNING),), True)])
    failed = QueuedJob(1, "net", state=JobState.FAILED, message="It is open elsewhere.")
    progress.show([QueueChanged((failed,), True)])
    said = capsys.readouterr().err.splitlines()
    assert said == ["Job 1 (net): running", "Job 1 (net): failed (It is open elsewhere.)"]


@pytest.mark.parametrize(
    "name", ["cuda:abc", "cuda:²", "cuda:-1", "cuda:1_0", "cuda:", "cuda:9999"]
)
@pytest.mark.parametrize("option", ["--device", "--target"])
def test_a_job_for_a_device_of_no_number_is_refused_at_once(
    here: Here, option: str, name: str
) -> None:
    done = here("queue", "add", "squeezenet", option, name, "--trials", "8")
    assert done.code == 2
    assert "names no CUDA device" in done.err
    assert here("queue", "list", "--json").json["jobs"] == []
