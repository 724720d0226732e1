"""Names of devices elsewhere, of every kind."""

from __future__ import annotations

from engine.measure.dask_address import DASK, DASK_TLS, DaskAddress, parse_dask
from engine.measure.rpc_address import SCHEME, RpcAddress, parse_address

SCHEMES = (SCHEME, DASK, DASK_TLS)
RemoteAddress = RpcAddress | DaskAddress


def is_remote(text: str) -> bool:
    """Whether a text begins as such a name does."""
    return text.startswith(SCHEMES)


def parse_remote(text: str) -> RemoteAddress:
    """The address that a text names; TargetError where it names none."""
    return parse_dask(text) if text.startswith((DASK, DASK_TLS)) else parse_address(text)
