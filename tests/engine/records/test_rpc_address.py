"""What names a remote device, and what does not."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.records.addresses import RpcAddress, is_loopback, parse_address, parse_place, place
from engine.records.errors import TargetError

HOSTS = st.one_of(
    st.from_regex(r"[a-z0-9][a-z0-9.-]{0,20}", fullmatch=True),
    st.ip_addresses().map(str),
)
KEYS = st.from_regex(r"[A-Za-z0-9_.-]{1,64}", fullmatch=True)


@given(HOSTS, st.integers(1, 65535), KEYS)
def test_an_address_survives_its_text(host: str, port: int, key: str) -> None:
    address = RpcAddress(host, port, key)
    assert parse_address(str(address)) == address
    assert parse_place(place(address.tracker)) == address.tracker


@pytest.mark.parametrize(
    "text",
    ["", "rpc://", "rpc://host/key", "rpc://host:0/k", "rpc://host:65536/k", "rpc://h:1/",
     "rpc://h:1/a b", "rpc://h:1/k/more", "http://h:1/k", "rpc://:1/k", "rpc://h:1/k\n"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_its_form(text: str) -> None:
    with pytest.raises(TargetError, match="rpc://HOST:PORT/KEY"):
        parse_address(text)


@given(st.ip_addresses())
def test_loopback_is_what_the_system_says_it_is(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    assert is_loopback(str(address)) == address.is_loopback


def test_names_are_not_taken_for_loopback() -> None:
    assert is_loopback("localhost")
    assert not any(map(is_loopback, ("0.0.0.0", "::", "example.org", "")))
