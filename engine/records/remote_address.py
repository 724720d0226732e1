"""Names of devices elsewhere, of every kind."""

from __future__ import annotations

from engine.records.dask_address import DASK, DASK_TLS, DaskAddress, parse_dask
from engine.records.rpc_address import SCHEME, RpcAddress, parse_address

SCHEMES = (SCHEME, DASK, DASK_TLS)
RemoteAddress = RpcAddress | DaskAddress


def is_remote(text: str) -> bool:
    """Whether a text begins as such a name does."""
    return text.startswith(SCHEMES)


def again_todo(address: str) -> str:
    """What brings a lost device back: one of this machine, where there is no address."""
    if not address:
        return "See that it works again"
    worker = address.startswith((DASK, DASK_TLS))
    return f"Start its {'worker' if worker else 'server'} again"


def parse_remote(text: str) -> RemoteAddress:
    """The address that a text names; TargetError where it names none."""
    return parse_dask(text) if text.startswith((DASK, DASK_TLS)) else parse_address(text)
