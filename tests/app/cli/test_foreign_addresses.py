"""What a stranger's file names as a device or a cluster is not connected to before a yes."""

from __future__ import annotations

import json
import shutil
import socket
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partialmethod
from pathlib import Path
from types import ModuleType

import pytest

from app.cli.main import COMMANDS
from app.cli.queue import queue
from engine import Tuning
from engine.measure.remote.given import default_path, give_place
from engine.measure.remote.rpc_runner import RpcRunner
from engine.project.repository import Project
from engine.queueing.store import QueueStore
from engine.records.errors import AddressNotGiven, TuningError
from engine.records.job import QueuedJob
from engine.records.settings import RunState
from engine.records.source import ModelSource
from engine.targets.targets import resolve
from tests.app.cli.support import Done, Here
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import conv_relu_model, save


class Listener:
    """A port of this machine that counts who connects."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._accepted, self._own, self._over = 0, 0, False
        self.place = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    @property
    def count(self) -> int:
        """How many connected so far: whoever came before a call of our own has been counted."""
        self._own += 1
        with socket.create_connection(self._socket.getsockname()) as own:
            own.recv(1)  # until it is hung up
        return self._accepted - self._own

    def _accept(self) -> None:
        while not self._over:
            connection, _ = self._socket.accept()
            self._accepted += 1
            connection.close()

    def close(self) -> None:
        self._over = True
        socket.create_connection(self._socket.getsockname()).close()
        self._thread.join()
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and data of a person who has given no address yet."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def _dask(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Dask whose client only knocks."""

    def client(address: str, **_options: object) -> None:
        host, _sep, port = address.partition("://")[2].rpartition(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(b"?")
        raise OSError("It does not answer.")

    module = ModuleType("distributed")
    vars(module)["Client"] = client
    monkeypatch.setitem(sys.modules, "distributed", module)


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(capfd)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of a tiny model for this CPU, with a run that was interrupted."""
    folder = tmp_path_factory.mktemp("own")
    console = Console()
    path = console.open(folder)
    console.engine.shutdown()
    with Project.open(path) as project:
        project.set_run(project.start_run(QUICK), state=RunState.INTERRUPTED)
    return path


def _settings(path: Path, **changes: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        ((text,),) = db.execute("SELECT settings FROM runs")
        db.execute("UPDATE runs SET settings = ?", (json.dumps({**json.loads(text), **changes}),))


def _target(path: Path, make: Callable[[str], str]) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        ((text,),) = db.execute("SELECT target FROM project")
        db.execute("UPDATE project SET target = ?", (make(text),))


def _tagged(tag: str) -> Callable[[str], str]:
    return lambda text: json.dumps({**json.loads(text), "tag": tag})


def _escaped(place: str) -> Callable[[str], str]:
    """An address that no search in the text finds."""
    return lambda text: _tagged("X")(text).replace('"X"', f'"rpc:\\/\\/{place}\\/k", "a": "rpc://"')


def _spread(path: Path, address: str) -> None:
    _target(path, _tagged(address))
    _settings(path, devices=f"{address},{address}")


# Every place of a project that may name an address, given the address.
PLANTS: dict[str, Callable[[Path, str], None]] = {
    "cluster": lambda path, place: _settings(path, cluster=f"tcp://{place}"),
    "cluster as a device": lambda path, place: _settings(path, cluster=f"dask://{place}"),
    "cluster with certificates": lambda path, place: _settings(path, cluster=f"tls://{place}"),
    "target of servers": lambda path, place: _target(path, _tagged(f"rpc://{place}/k")),
    "target of a worker": lambda path, place: _target(path, _tagged(f"dask://{place}")),
    "target to be asked": lambda path, place: _target(path, lambda _: f"dask://{place} auto"),
    "target to be asked by tls": lambda path, place: _target(path, lambda _: f"dask+tls://{place}"),
    "target in escapes": lambda path, place: _target(path, _escaped(place)),
    "devices": lambda path, place: _spread(path, f"rpc://{place}/k"),
}

# Every command that may connect for a project, for whichever of them.
ASKS: dict[str, tuple[str, ...]] = {
    "resume": ("resume", "FILE"),
    "resume anew": ("resume", "FILE", "--trials", "2"),
    "share": ("share", "FILE", "--trials", "2"),
    "transfer": ("transfer", "FILE", "--trials", "2"),
    "droplet": ("droplet", "FILE", "--trials", "2"),
    "plan": ("plan", "FILE", "search:2"),
    "ios": ("ios", "FILE", "--merge-trials", "2"),
}
# Those that need the target alone.
FOR_TARGETS: dict[str, tuple[str, ...]] = {
    "export": ("export", "FILE", "-o", "out"),
    "measure": ("measure", "FILE"),
    "queue add": ("queue", "add", "FILE", "--trials", "2"),
}
# And every one that only reads it.
LOOKS: dict[str, tuple[str, ...]] = {
    "info": ("info", "FILE"),
    "profile": ("profile", "FILE"),
    "knobs": ("knobs", "FILE"),
    "timeline": ("timeline", "FILE"),
    "code": ("code", "FILE"),
    "watch": ("watch", "FILE"),
    "report": ("report", "FILE", "-o", "out.html"),
    "record": ("record", "FILE", "-o", "out.npz"),
    "look": ("look", "FILE"),
    "check": ("check", "FILE"),
    "library": ("library", "add", "FILE"),
}
# These take no project, or one that they do not open.
APART = {"tune", "samples", "targets", "doctor", "gui", "demo", "verify", "experiment"} | {
    "rpc-tracker",
    "rpc-server",
}


def test_every_command_is_tried_here() -> None:
    tried = {words[0] for asks in (ASKS, FOR_TARGETS, LOOKS) for words in asks.values()}
    assert tried - {"library", "queue"} == set(COMMANDS) - APART


def test_every_command_that_connects_takes_a_yes() -> None:
    calls = [info.callback for info in queue.registered_commands if info.callback is not None]
    commands = COMMANDS | {f"queue {call.__name__}": call for call in calls}
    takes = {name for name, call in commands.items() if "connect" in call.__annotations__}
    tried = (ASKS | FOR_TARGETS).values()
    asked = {" ".join(words[: 1 + (words[0] == "queue")]) for words in tried}
    assert takes == asked | {"experiment", "queue run"}


@pytest.fixture
def foreign(own: Path, listener: Listener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(own, tmp_path / "foreign.tune"))


def _words(words: tuple[str, ...], path: Path) -> list[str]:
    return [str(path) if word == "FILE" else word for word in words]


def _require_refused(done: Done, place: str) -> None:
    assert done.code == 2
    assert "Traceback" not in done.err
    (line,) = [line for line in done.err.splitlines() if line.startswith("tunewright:")]
    assert f"would connect to {place}" in line
    assert f"`--connect {place}`" in line


REFUSED = [
    *((plant, "resume") for plant in PLANTS),
    *(
        (plant, command)
        for plant in ("cluster", "devices")
        for command in ASKS
        if command != "resume"
    ),
    *(("devices", command) for command in FOR_TARGETS),
    *(("target to be asked", command) for command in FOR_TARGETS),
]


@pytest.mark.parametrize(("plant", "command"), REFUSED)
def test_a_command_connects_to_no_address_of_a_project_and_says_which_it_is(
    here: Here, foreign: Path, listener: Listener, plant: str, command: str
) -> None:
    PLANTS[plant](foreign, listener.place)
    done = here(*_words((ASKS | FOR_TARGETS)[command], foreign))
    assert listener.count == 0
    if plant == "target in escapes":  # whose tasks are none of this target's
        return
    _require_refused(done, listener.place)
    with Project.open(foreign, read_only=True) as project:
        assert [run.state for run in project.snapshot().runs] == [RunState.INTERRUPTED]


@pytest.mark.parametrize("command", LOOKS)
def test_looking_at_a_project_connects_nowhere(
    here: Here, foreign: Path, listener: Listener, command: str
) -> None:
    for plant in ("cluster", "target to be asked"):
        PLANTS[plant](foreign, listener.place)
    here(*_words(LOOKS[command], foreign))
    assert listener.count == 0


YES: dict[str, str] = {**dict.fromkeys(ASKS, "cluster"), "export": "target of a worker"}


@pytest.mark.slow
@pytest.mark.parametrize("command", YES)
def test_it_connects_after_a_yes_and_from_then_on(
    here: Here, foreign: Path, listener: Listener, command: str
) -> None:
    PLANTS[YES[command]](foreign, listener.place)
    words = _words((ASKS | FOR_TARGETS)[command], foreign)
    here(*words, "--connect", listener.place)
    assert listener.count > 0
    assert default_path().read_text().split() == [listener.place]


@pytest.mark.slow
def test_a_yes_is_remembered(here: Here, foreign: Path, listener: Listener) -> None:
    give_place(listener.place)
    PLANTS["cluster"](foreign, listener.place)
    done = here("resume", foreign)
    assert "No Dask scheduler answers" in done.err
    assert listener.count > 0


@pytest.mark.slow
def test_a_tracker_is_asked_where_its_address_was_typed_or_after_a_yes(
    here: Here, own: Path, listener: Listener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brief = partialmethod(RpcRunner.__init__, wait_s=0.5, return_s=0.1)
    monkeypatch.setattr(RpcRunner, "__init__", brief)
    path = tmp_path / "there.tune"
    device, target = f"rpc://{listener.place}/k", resolve("cpu").text
    places = ("--device", device, "--target", target, "--trials", "1", "-o", path)
    assert "tracker" in here("tune", own.with_suffix(".onnx"), *places).err
    assert (typed := listener.count) > 0
    default_path().unlink()  # it comes from somebody else
    _require_refused(here("resume", path), listener.place)
    _target(path, lambda text: text.replace(device, device.replace("/", "\\/")))
    _target(path, lambda text: text.replace("{", '{"tag": "rpc://", ', 1))
    assert f"connect to {listener.place}" in here("resume", path).err
    assert listener.count == typed
    here("resume", path, "--connect", listener.place)
    assert listener.count > typed


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--cluster", "--devices"])
def test_an_address_that_a_person_types_was_given(
    here: Here, foreign: Path, listener: Listener, option: str
) -> None:
    address = f"{'tcp' if option == '--cluster' else 'dask'}://{listener.place}"
    if option == "--devices":
        PLANTS["target of a worker"](foreign, listener.place)
    here("resume", foreign, option, address)
    assert listener.count > 0
    assert default_path().read_text().split() == [listener.place]


@pytest.mark.parametrize(
    "words",
    [
        ("tune", "MODEL", "--device", "dask://PLACE"),
        ("tune", "MODEL", "--target", "dask://PLACE cpu"),
        ("tune", "MODEL", "--devices", "dask://PLACE"),
        ("verify", "MODEL", "--device", "dask://PLACE"),
    ],
    ids=" ".join,
)
def test_so_it_is_with_a_models(
    here: Here, own: Path, listener: Listener, tmp_path: Path, words: tuple[str, ...]
) -> None:
    model = str(own.with_suffix(".onnx"))
    known = {"MODEL": model}
    done = here(*(known.get(word, word.replace("PLACE", listener.place)) for word in words))
    assert "No Dask scheduler answers" in done.err
    assert listener.count > 0


@pytest.mark.parametrize("text", ["nowhere", "host:0", "host:70000", "a b:1", "rpc://", ""])
def test_what_is_no_address_cannot_be_allowed(here: Here, foreign: Path, text: str) -> None:
    done = here("resume", foreign, "--connect", text)
    assert done.code == 2
    assert "is no address. Write HOST:PORT." in done.err
    assert not default_path().exists()


# The queue, experiments and programs


def _run_row(here: Here, job: QueuedJob) -> Done:
    """Run a row that another program put into the queue."""
    with QueueStore.open() as store:
        store.add(job)
    return here("queue", "run")


@pytest.mark.parametrize("where", ["cluster", "devices", "project", "model"])
def test_a_job_of_the_queue_fails_where_it_would_connect(
    here: Here, foreign: Path, listener: Listener, tmp_path: Path, where: str
) -> None:
    place = listener.place
    job = QueuedJob(0, "foreign", project=str(foreign), settings=QUICK)
    if where == "cluster":
        job = replace(job, settings=replace(QUICK, cluster=f"tcp://{place}"))
    elif where == "devices":
        job = replace(job, settings=replace(QUICK, devices=f"rpc://{place}/k"))
    elif where == "project":
        PLANTS["target of servers"](foreign, place)
    else:
        source = ModelSource("file", str(save(conv_relu_model(), tmp_path / "tiny.onnx")))
        new = str(tmp_path / "new.tune")
        job = replace(job, source=source.as_dict(), target=f"dask://{place} auto", project=new)
    done = _run_row(here, job)
    assert done.code == 1
    assert f"would connect to {listener.place}" in done.out
    assert "queue add FILE --connect HOST:PORT" in done.out
    assert listener.count == 0


@pytest.mark.slow
def test_a_job_of_the_queue_connects_after_a_yes(
    here: Here, foreign: Path, listener: Listener
) -> None:
    PLANTS["target of a worker"](foreign, listener.place)
    here("queue", "add", foreign, "--trials", "1", "--connect", listener.place)
    here("queue", "run")
    assert listener.count > 0


@pytest.mark.parametrize("yes", [False, True])
def test_a_target_of_an_experiment_is_a_strangers(
    here: Here, listener: Listener, tmp_path: Path, yes: bool
) -> None:
    save(conv_relu_model(), tmp_path / "tiny.onnx")
    file = tmp_path / "matrix.yaml"
    targets = f"targets: ['dask://{listener.place} auto']"
    file.write_text(f"models: [tiny.onnx]\nbudgets: [{{trials: 1}}]\n{targets}\n")
    done = here("experiment", file, *(("--connect", listener.place) if yes else ()))
    assert (listener.count > 0) is yes
    if not yes:
        _require_refused(done, listener.place)


@pytest.mark.slow
def test_a_program_is_refused_likewise_and_may_say_yes(foreign: Path, listener: Listener) -> None:
    PLANTS["cluster"](foreign, listener.place)
    with pytest.raises(AddressNotGiven) as refused:
        Tuning(foreign).resume().run()
    assert refused.value.places == (listener.place,)
    assert listener.count == 0
    with pytest.raises(TuningError, match="No Dask scheduler answers"):
        Tuning(foreign).resume().connect(listener.place).run()
    assert listener.count > 0


def test_a_program_that_names_an_address_gave_it(own: Path, listener: Listener) -> None:
    with pytest.raises(TuningError, match="No Dask scheduler answers"):
        Tuning(own.with_suffix(".onnx")).target("cpu", device=f"dask://{listener.place}").run()
    assert listener.count > 0
