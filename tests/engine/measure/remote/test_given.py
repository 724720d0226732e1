"""Addresses that a person gave are remembered; all others are refused, however they are written."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.measure.remote import cluster_link
from engine.measure.remote.cluster_builder import ClusterBuilder
from engine.measure.remote.dask_runner import DaskRunner
from engine.measure.remote.given import (
    VARIABLE,
    default_path,
    give,
    give_place,
    require_all_given,
    require_given,
)
from engine.measure.remote.rpc_link import Link
from engine.measure.remote.rpc_runner import RpcRunner
from engine.records.addresses import DaskAddress, RpcAddress, parse_remote, parse_scheduler
from engine.records.errors import AddressNotGiven, TargetError, TunewrightError, UsageError
from tests.test_structure import FILES, module_name

RPC, DASK = RpcAddress("127.0.0.1", 9, "k"), DaskAddress("127.0.0.1", 9)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of a person who has given nothing yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.delenv(VARIABLE, raising=False)
    return tmp_path / "home"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("rpc://host:1/k", "rpc://host:1/other"),
        ("rpc://HOST:1/k", "rpc://host:1/k"),
        ("host:1", "rpc://Host:1/k"),
        ("dask://127.0.0.1:1", "tcp://127.0.0.1:1"),
        ("tls://host:1", "dask+tls://host:1"),
        ("rpc://[FE80::1]:1/k", '{"kind": "llvm", "tag": "rpc://[fe80::1]:1/k"}'),
        ("cuda:0,rpc://host:1/k", "rpc://host:1/k cuda"),
        ("rpc://host:01/k", "rpc://host:1/k"),
    ],
)
def test_what_was_given_in_one_way_may_be_named_in_another(given: str, named: str) -> None:
    with pytest.raises(AddressNotGiven):
        require_all_given(named)
    if "," in given or "/k" in given:
        give(given)
    else:
        give_place(given)
    require_all_given(named)


@pytest.mark.parametrize(
    "named", ["rpc://host:2/k", "rpc://hosts:1/k", "rpc://ho:1/k", "rpc://host:11/k", "tls://a:1"]
)
def test_another_host_or_port_is_another_address(named: str) -> None:
    give_place("host:1")
    with pytest.raises(AddressNotGiven, match="nobody here has allowed"):
        require_all_given(named)


@pytest.mark.parametrize("text", ["", "cpu", "auto", "none", "cuda:0,cuda:1", '{"kind": "llvm"}'])
def test_what_names_no_address_needs_nothing_and_remembers_nothing(text: str, home: Path) -> None:
    require_all_given(text)
    give(text)
    assert not home.exists()


def test_all_that_are_missing_are_told_at_once() -> None:
    give_place("b:2")
    with pytest.raises(AddressNotGiven, match="a:1 and c:3") as refused:
        require_all_given("rpc://a:1/k", "", "tls://c:3", "rpc://b:2/k,rpc://a:1/k")
    assert refused.value.places == ("a:1", "c:3")


def test_a_crowd_of_addresses_is_asked_about_in_parts() -> None:
    crowd = ",".join(f"rpc://h{number}:1/k" for number in range(20))
    asked = 0
    while True:
        try:
            require_all_given(crowd)
        except AddressNotGiven as error:
            assert len(error.places) <= 8
            asked += len(error.places)
            for name in error.places:
                give_place(name)
        else:
            break
    assert asked == 20


@pytest.mark.parametrize("name", ["h" * 254, "h" * 100_000, f"[{'f' * 100}]"])
def test_a_name_that_no_machine_can_have_is_no_address_and_is_not_told_in_full(name: str) -> None:
    for text in (f"rpc://{name}:1/k", f"dask://{name}:1"):
        with pytest.raises(TargetError) as refused:
            parse_remote(text)
        assert len(str(refused.value)) < 250


@pytest.mark.parametrize("text", ["tcp://10.0.0.1:1", "dask://cluster:8786 auto", "dask://[::2]:1"])
def test_a_cluster_elsewhere_needs_certificates_whoever_names_it(text: str) -> None:
    give(text)
    with pytest.raises(TargetError, match=r"no encryption.*certificates.*ssh"):
        require_all_given(text)
    with_tls = text.replace("tcp:", "tls:").replace("dask:", "dask+tls:")
    require_all_given(with_tls)


@pytest.mark.parametrize("damage", [b"", b"\xff\x00\n", b"127.0.0.1", b"a:1\r\nb:2\n\n"])
def test_a_list_that_was_edited_by_hand_counts_as_far_as_it_is_one(damage: bytes) -> None:
    default_path().parent.mkdir(parents=True)
    default_path().write_bytes(damage)
    with pytest.raises(AddressNotGiven):
        require_given(RPC)
    if b"b:2" in damage:
        require_all_given("rpc://a:1/k", "rpc://b:2/k")


def test_where_nothing_can_be_written_it_holds_for_this_process_and_its_children(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "")
    home.write_text("no folder")
    give(str(RPC))
    give(str(parse_remote("rpc://b:2/k")))
    require_given(RPC)
    ask = "from engine.measure.remote.given import require_all_given as r; r('rpc://127.0.0.1:9/k')"
    child = [sys.executable, "-c", ask]
    assert subprocess.run(child, check=False, env=os.environ).returncode == 0


def test_two_programs_that_remember_at_once_lose_nothing() -> None:
    code = "import sys; from engine.measure.remote.given import give_place as g\n"
    code += "for n in range(1, 60): g(f'{sys.argv[1]}:{n}')"
    both = [subprocess.Popen([sys.executable, "-c", code, host]) for host in "ab"]
    assert [one.wait() for one in both] == [0, 0]
    require_all_given(*(f"rpc://{host}:{number}/k" for host in "ab" for number in range(1, 60)))


@pytest.mark.parametrize(
    "text",
    ["", "host", "host:0", "a:1 b:2", "rpc://a:1/k,rpc://b:2/k", "a:1\n", "a:1x", "rpc://a:1"],
)
def test_what_is_no_address_is_not_remembered(text: str, home: Path) -> None:
    with pytest.raises(UsageError, match="HOST:PORT"):
        give_place(text)
    assert not home.exists()


# What connects


def test_what_connects_refuses_by_itself() -> None:
    for refused in (lambda: Link(RPC), lambda: cluster_link.connect(DASK.scheduler)):
        with pytest.raises(AddressNotGiven):
            refused()
    builder = ClusterBuilder(DASK.scheduler)
    with pytest.raises(AddressNotGiven):
        builder.wait_ready()
    builder.close()


@pytest.mark.parametrize("make", [lambda: RpcRunner(RPC), lambda: DaskRunner(DASK)])
def test_a_runner_says_so_and_does_not_hang(make: type[RpcRunner]) -> None:
    runner = make()  # type: ignore[call-arg]
    with pytest.raises(AddressNotGiven):
        runner.wait_ready(20)
    runner.close()


@pytest.mark.parametrize(
    "text", ["10.0.0.1:1", "inproc://a/1", "ucx://127.0.0.1:1", "ws://127.0.0.1:1", "tcp://a", "x"]
)
def test_a_cluster_has_one_of_two_forms(text: str) -> None:
    with pytest.raises(TargetError, match=r"tcp://HOST:PORT"):
        cluster_link.connect(text)


@pytest.mark.parametrize(
    ("text", "scheduler"),
    [
        ("tcp://127.0.0.1:1", "tcp://127.0.0.1:1"),
        ("tls://h:1", "tls://h:1"),
        ("dask://[::1]:1", "tcp://[::1]:1"),
        ("dask+tls://h:1", "tls://h:1"),
    ],
)
def test_a_scheduler_is_named_as_dask_does_or_as_a_device(text: str, scheduler: str) -> None:
    assert parse_scheduler(text).scheduler == scheduler


GATES = {
    "engine.measure.remote.cluster_link",  # asks `require_given`, as these do
    "engine.measure.remote.rpc_link",
    "engine.measure.remote.rpc_tracker",  # for a Link, or for a server, which a person starts
    "engine.measure.remote.rpc_serving",  # its own tracker
}
CONNECTS = {"create_connection", "connect_ex", "connect_tracker", "urlopen", "Client", "rpc"}


def test_nothing_else_of_the_engine_connects_anywhere() -> None:
    """A call of these names needs the gate: see there, and add it here."""
    found = set()
    for path in FILES:
        name = module_name(path)
        if not name.startswith("engine."):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func).split(".")
                if called[-1] in CONNECTS or called[-2:] == ["rpc", "connect"]:
                    found.add(name)
    assert found == GATES
    assert issubclass(AddressNotGiven, TunewrightError)
