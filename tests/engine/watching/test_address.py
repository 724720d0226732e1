"""An address names one file of one machine, or is refused before anything is started."""

from __future__ import annotations

import pytest

from engine.records.errors import UsageError
from engine.watching.address import WatchedFile, parse_watched
from engine.watching.link import arguments


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("ssh://rack/a/net.tune", WatchedFile("", "rack", None, "/a/net.tune")),
        ("ssh://me@rack-1.lan:2222/net.tune", WatchedFile("me", "rack-1.lan", 2222, "/net.tune")),
        ("ssh://rack/~/a/net.tune", WatchedFile("", "rack", None, "~/a/net.tune")),
        ("ssh://me@[fe80::1%eth0]/a.tune", WatchedFile("me", "fe80::1%eth0", None, "/a.tune")),
        ("ssh://rack/my%20runs/ä.tune", WatchedFile("", "rack", None, "/my runs/ä.tune")),
        ("ssh://rack/my runs/a'b;c.tune", WatchedFile("", "rack", None, "/my runs/a'b;c.tune")),
    ],
)
def test_an_address_names_an_account_a_machine_and_a_file(text: str, file: WatchedFile) -> None:
    assert parse_watched(text) == file
    assert parse_watched(str(file)) == file


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ssh://",
        "ssh://rack",
        "ssh:///a.tune",
        "ssh://rack/a.onnx",
        "ssh://rack/.tune/x",
        "ssh://rack:0/a.tune",
        "ssh://rack:70000/a.tune",
        "http://rack/a.tune",
        "ssh://me@/a.tune",
        "ssh://rack/a%0ab.tune",
        "ssh://rack/a%00.tune",
        "ssh://rack/a\nb.tune",
        "ssh://rack/%ff.tune",
        f"ssh://rack/{'a' * 300}.tune",
        f"ssh://rack/{'a/' * 3000}b.tune",
    ],
)
def test_what_names_no_project_elsewhere_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_watched(text)
    assert caught.value.what.endswith(".")
    assert caught.value.todo


@pytest.mark.parametrize(
    "odd", ["-oProxyCommand=x", "a b", "a;b", "$(x)", "`x`", "a\nb", "a'b", "x|y"]
)
@pytest.mark.parametrize("form", ["ssh://{}/a.tune", "ssh://{}@rack/a.tune"])
def test_no_machine_or_account_can_be_an_option_or_words_of_a_shell(form: str, odd: str) -> None:
    with pytest.raises(UsageError):
        parse_watched(form.format(odd))


def test_ssh_asks_for_nothing_and_gets_no_word_of_the_path() -> None:
    given = arguments(parse_watched("ssh://me@rack:22/'; touch x; '/$(y).tune"))
    assert given[0] == "ssh"
    assert "BatchMode=yes" in given
    assert not any("StrictHostKeyChecking" in word or "UserKnownHosts" in word for word in given)
    assert given[given.index("-l") + 1] == "me"
    assert given[-3:-1] == ["--", "rack"]
    assert not any("touch" in word or "$(" in word for word in given)
