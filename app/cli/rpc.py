"""`rpc-tracker` and `rpc-server`, which lend a device to other machines by TVM's own means."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from app.cli.output import Reply, say
from engine.records.addresses import is_loopback, parse_address, parse_place, place

_Host = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Where to listen: only this machine by default.")
]
_Port = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=65535, help="Default: the first that is free.")
]


def rpc_tracker(host: _Host = "127.0.0.1", port: _Port = None) -> Reply:
    """Start TVM's tracker, where servers and clients meet. Ctrl+C ends it."""
    from engine.measure.remote.rpc_serving import RpcTracker

    _warn(host)
    tracker = RpcTracker(host, port)
    with _until_told() as ended:
        say(f"The tracker listens at {place(tracker.address)}. Ctrl+C ends it.")
        ended.wait()
    tracker.close()
    return Reply({}, "The tracker has ended.")


def rpc_server(
    key: Annotated[str, typer.Option(metavar="KEY", help="The device's name at the tracker.")],
    tracker: Annotated[str, typer.Option(metavar="HOST:PORT", help="Where the tracker listens.")],
    host: _Host = "127.0.0.1",
    port: _Port = None,
) -> Reply:
    """Start TVM's server, which lends this machine's devices. Ctrl+C ends it.

    Whoever reaches it can run code here as you: leave it on 127.0.0.1 and come by ssh.
    """
    from engine.measure.remote.rpc_serving import RpcServer

    meeting = parse_place(tracker)
    parse_address(f"rpc://{tracker}/{key}")
    _warn(host)
    server = RpcServer(key, meeting, host, port, say)
    failure: list[BaseException] = []
    with _until_told() as ended:
        say(f"Serving {key} at {place(server.address)} for {tracker}. Ctrl+C ends it.")
        watcher = threading.Thread(target=_watch, args=(server, ended, failure), name="rpc-watch")
        watcher.start()
        ended.wait()
    server.close()
    watcher.join()
    if failure:
        raise failure[0]
    return Reply({}, "The server has ended.")


def _watch(server: Any, ended: threading.Event, failure: list[BaseException]) -> None:
    try:
        server.watch()
    except Exception as error:
        failure.append(error)
    ended.set()


def _warn(host: str) -> None:
    if not is_loopback(host):
        say(
            f"Warning: at {host} everyone who reaches it can run any code on this machine as "
            "you; TVM's RPC has no password and no encryption."
        )


@contextmanager
def _until_told() -> Iterator[threading.Event]:
    """An event that Ctrl+C or a polite kill sets."""
    ended = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: ended.set()) for number in numbers]
    try:
        yield ended
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
