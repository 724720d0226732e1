"""Devices elsewhere of any kind: what is said of them."""

from __future__ import annotations

import pytest

from engine.records.addresses import again_todo


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("", "it works again"),
        ("rpc://127.0.0.1:9190/board", "server"),
        ("dask://127.0.0.1:8786", "worker"),
        ("dask+tls://127.0.0.1:8786", "worker"),
    ],
)
def test_a_lost_device_is_brought_back_where_it_is(address: str, what: str) -> None:
    assert what in again_todo(address)
