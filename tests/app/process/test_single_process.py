"""A second start hands its file over; what nobody takes, it does itself."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QFileOpenEvent
from pytestqt.qtbot import QtBot

from app.process.application import opened_file
from app.process.handing_over import Request, hand_over, is_openable, parse_request, socket_place
from app.process.single_process import Inbox


@pytest.fixture
def place() -> Iterator[Path]:
    # The path of a socket has 107 bytes at most, and pytest's own folders may be longer.
    with tempfile.TemporaryDirectory(prefix="tw") as folder:
        found = socket_place({"XDG_RUNTIME_DIR": folder, "DISPLAY": ":7"})
        assert found is not None
        yield found


@pytest.fixture
def inbox(qtbot: QtBot, place: Path) -> Iterator[Inbox]:
    made = Inbox(place)
    assert made.open()
    yield made
    made.close()


def asked(request: Request, place: Path, qtbot: QtBot) -> bool:
    """What `hand_over` says from elsewhere, while the window goes on."""
    answers = list[bool]()
    thread = threading.Thread(target=lambda: answers.append(hand_over(request, place)))
    thread.start()
    qtbot.waitUntil(lambda: bool(answers))
    thread.join()
    return answers[0]


def test_a_file_is_handed_over(inbox: Inbox, place: Path, tmp_path: Path, qtbot: QtBot) -> None:
    heard = list[Request]()
    inbox.wanted.connect(heard.append)
    file = tmp_path / "net.tune"
    file.touch()
    requests = [Request(path=str(file)), Request(sample="squeezenet"), Request()]
    requests.append(Request(watched="ssh://me@rack/~/net.tune"))
    assert [asked(request, place, qtbot) for request in requests] == [True] * 4
    assert heard == requests


@pytest.mark.parametrize("name", ["there-is-none.tune", "script.py", ""])
def test_what_cannot_be_shown_is_left_to_the_second_start(
    inbox: Inbox, place: Path, tmp_path: Path, qtbot: QtBot, name: str
) -> None:
    (tmp_path / "script.py").touch()
    heard = list[Request]()
    inbox.wanted.connect(heard.append)
    assert not asked(Request(path=str(tmp_path / name)), place, qtbot)
    assert heard == []


@pytest.mark.parametrize(
    "text", ["ssh://-o/net.tune", "ssh://rack", "rack", "ssh://RACK/~/a b.tune"]
)
def test_what_is_no_address_is_not_handed_over(text: str) -> None:
    assert parse_request(json.dumps({"watched": text}).encode()) is None


def test_a_relative_path_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.tune").touch()
    assert not is_openable(Path("net.tune")) and is_openable(tmp_path / "net.tune")
    assert not is_openable(Path("/net\0.tune"))


def test_where_nobody_listens_nothing_is_handed_over(place: Path) -> None:
    assert not hand_over(Request(), place)
    assert not hand_over(Request(), None)


def test_a_process_that_hangs_is_not_waited_for_for_long(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(place))
        deaf.listen(1)
        assert not hand_over(Request(), place, patience_s=0.05)


def test_the_place_of_a_process_that_died_is_taken_over(
    qtbot: QtBot, place: Path, tmp_path: Path
) -> None:
    script = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()"
    )
    subprocess.run([sys.executable, "-c", script, str(place)], check=True)
    assert place.exists()
    inbox = Inbox(place)
    assert inbox.open()
    assert asked(Request(), place, qtbot)
    inbox.close()
    assert not place.exists()


def test_the_place_of_a_living_process_is_left_alone(inbox: Inbox, place: Path) -> None:
    second = Inbox(place)
    assert not second.open()
    second.close()
    assert place.exists()


def test_a_folder_that_others_can_look_into_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "tunewright" / "windows"
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    assert socket_place({"XDG_RUNTIME_DIR": str(tmp_path)}) is None


def test_each_screen_has_a_place_of_its_own(tmp_path: Path) -> None:
    places = {
        socket_place({"XDG_RUNTIME_DIR": str(tmp_path), **screen})
        for screen in ({}, {"DISPLAY": ":0"}, {"DISPLAY": ":1"}, {"WAYLAND_DISPLAY": ":0"})
    }
    assert len(places) == 4 and None not in places


@settings(deadline=None, max_examples=40)
@given(st.binary(max_size=60) | st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.dictionaries(st.sampled_from(["path", "sample", "token", "run"]), inner),
).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_nonsense_is_no_request(text: bytes) -> None:
    request = parse_request(text)
    assert request is None or (not request.path and not request.sample)


def test_a_message_without_an_end_is_dropped(inbox: Inbox, place: Path, qtbot: QtBot) -> None:
    heard = list[Request]()
    inbox.wanted.connect(heard.append)
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(place))
        link.sendall(b'{"path": ""')
        link.shutdown(socket.SHUT_WR)
        link.setblocking(False)
        qtbot.wait(20)
        assert link.recv(3) == b"no\n"
    assert heard == []


def test_a_second_start_shows_its_file_without_loading_qt(tmp_path: Path) -> None:
    script = (
        "import sys, app.cli.gui as g; g.hand_over = lambda request, place: True;"
        "print(g.gui('squeezenet').text, 'PySide6' in sys.modules)"
    )
    environment = {**os.environ, "DISPLAY": ":7", "XDG_RUNTIME_DIR": str(tmp_path)}
    environment.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "Shown by the console that is open already. False\n"


def test_a_file_that_the_desktop_opens_is_heard_of() -> None:
    assert opened_file(QFileOpenEvent(QUrl.fromLocalFile("/a/net.tune"))) == Path("/a/net.tune")
    assert opened_file(QEvent(QEvent.Type.Close)) is None
