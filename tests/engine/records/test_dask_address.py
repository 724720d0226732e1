"""What names a cluster's devices, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.records.addresses import DaskAddress, RpcAddress, is_remote, parse_remote, server_of
from engine.records.errors import TargetError
from tests.engine.records.test_rpc_address import HOSTS, KEYS


@given(HOSTS, st.integers(1, 65535), st.booleans())
def test_an_address_survives_its_text_and_is_told_from_others(
    host: str, port: int, tls: bool
) -> None:
    address = DaskAddress(host, port, tls)
    assert is_remote(str(address))
    assert parse_remote(str(address)) == address
    assert address.scheduler.startswith("tls://" if tls else "tcp://")
    assert server_of(address.scheduler) == (host, port)


@given(HOSTS, st.integers(1, 65535), KEYS)
def test_a_trackers_address_is_still_one(host: str, port: int, key: str) -> None:
    address = RpcAddress(host, port, key)
    assert parse_remote(str(address)) == address


@pytest.mark.parametrize(
    "text",
    ["dask://", "dask://host", "dask://h:0", "dask://h:65536", "dask://h:1/", "dask://h:1 ",
     "dask+tls://h", "dask://:1", "dask://h:1\n"],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_its_form(text: str) -> None:
    with pytest.raises(TargetError, match="dask://HOST:PORT"):
        parse_remote(text)


@pytest.mark.parametrize("name", ["", "inproc://10.0.0.1/7/1", "tcp://a", "a:1"])
def test_a_worker_without_a_port_is_nowhere(name: str) -> None:
    assert server_of(name) is None
