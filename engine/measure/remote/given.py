"""Which addresses a person gave on this machine: nothing connects to any other.

A project, an experiment or a model's file is a stranger's, and what answers at an address can run
code here: Dask's protocol is made of pickles, and TVM's takes calls in both directions. So an
address in a file is only a name, until the person who runs the program has given it, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from engine.records.addresses import (
    SCHEME,
    Named,
    RemoteAddress,
    addresses_in,
    is_loopback,
    named_of,
    parse_address,
    parse_scheduler,
)
from engine.records.errors import AddressNotGiven, TargetError, UsageError
from engine.records.sentences import Sentence

VARIABLE = "TUNEWRIGHT_ADDRESSES"
"""Further addresses of this process and its children: HOST:PORT, with spaces between them."""


_ASKED = 8  # at once: more than anybody reads before a yes; the others are asked about next


def default_path() -> Path:
    """The list in the folder of the user's settings: HOST:PORT, one a line."""
    from platformdirs import user_config_path

    return user_config_path("tunewright") / "addresses"


def give(*texts: str) -> None:
    """Remember the addresses in what a person wrote: an address, several, or a target with one.

    Where the folder of the settings cannot be written, that holds for this process alone.
    """
    _remember([named.place for text in texts for named in addresses_in(text)])


def give_machine(place: str) -> None:
    """The same for a machine to watch, as a person named it: "ssh://USER@HOST"."""
    _remember([place.lower()])


def _remember(names: list[str]) -> None:
    known = _given()
    new = [name for name in dict.fromkeys(names) if name not in known]
    if not new:
        return
    path = default_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="ascii") as file:
            file.write("".join(f"{name}\n" for name in new))
    except OSError:
        os.environ[VARIABLE] = " ".join([os.environ.get(VARIABLE, ""), *new])


def give_place(text: str) -> None:
    """The same for one "HOST:PORT", or an address; UsageError where that is none."""
    address = text if "://" in text else f"tcp://{text}"
    try:
        (parse_address if address.startswith(SCHEME) else parse_scheduler)(address)
    except TargetError:
        raise UsageError(
            Sentence("{text!r} is no address.", text=text[:80]), "Write HOST:PORT."
        ) from None
    give(address)


def require_given(address: RemoteAddress) -> None:
    """The gate, at what connects: AddressNotGiven where no person gave this address here.

    Loopback is no exception: what another program there answers is code, too. TargetError for a
    Dask cluster on another machine without certificates: whoever is between could answer for it.
    """
    _require([named_of(address)])


def require_machine_given(place: str) -> None:
    """The same before a machine is asked for a project of its own."""
    if place.lower() not in _given():
        raise AddressNotGiven((place,))


def require_all_given(*texts: str) -> None:
    """The same for all that texts name, before anything is begun."""
    _require([named for text in texts for named in addresses_in(text)])


def _require(named: list[Named]) -> None:
    for found in named:
        if found.is_dask and not found.tls and not is_loopback(found.host):
            raise TargetError(
                Sentence(
                    "The Dask cluster at {place} is on another machine and has no "
                    "encryption: whoever is on the network between could run code here.",
                    place=found.place,
                ),
                "Use certificates and a tls:// or dask+tls:// address, or join the machines with "
                "ssh and name 127.0.0.1.",
            )
    known = _given() if named else frozenset()
    missing = dict.fromkeys(found.place for found in named if found.place not in known)
    if missing:
        raise AddressNotGiven(tuple(missing)[:_ASKED])


def _given() -> frozenset[str]:
    return frozenset(_lines())


def _lines() -> Iterator[str]:
    yield from os.environ.get(VARIABLE, "").lower().split()
    try:
        yield from default_path().read_text("utf-8", "replace").lower().split()
    except OSError:  # there is none, or none that may be read
        return
