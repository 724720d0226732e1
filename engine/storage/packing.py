"""Traces and samples as few bytes: a trial's row should stay well under a kilobyte."""

from __future__ import annotations

import struct
import zlib

from engine.records.options import LEAST_S, MOST_S
from engine.storage.fields import Malformed

_MOST_SAMPLES = 1_000_000
_MOST = 1 << 26  # a stranger's blob may not unpack into more than 64 MiB


def pack_text(text: str, base: str = "") -> bytes:
    """`text` deflated; `base` is a similar text, which must be at hand to unpack it again.

    The traces of one task repeat each other: against the first one, 6 KB become 350 bytes on
    average, where plain zlib leaves 1,450.
    """
    packer = zlib.compressobj(9, zdict=base.encode()) if base else zlib.compressobj(9)
    return packer.compress(text.encode()) + packer.flush()


def unpack_text(data: bytes, base: str = "") -> str:
    """What `pack_text` packed with the same base; raises Malformed."""
    unpacker = zlib.decompressobj(zdict=base.encode()) if base else zlib.decompressobj()
    try:
        text = unpacker.decompress(data, _MOST).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise Malformed("packed text") from error
    if not unpacker.eof:
        raise Malformed("packed text")
    return text


def pack_samples(samples: tuple[float, ...]) -> bytes:
    """Latencies in seconds as little-endian 64-bit floats."""
    return struct.pack(f"<{len(samples)}d", *samples)


def unpack_samples(data: bytes) -> tuple[float, ...]:
    """What `pack_samples` packed; raises Malformed, also where one is no latency."""
    if len(data) % 8 or len(data) > _MOST_SAMPLES * 8:
        raise Malformed("samples")
    samples = struct.unpack(f"<{len(data) // 8}d", data)
    if not all(LEAST_S <= sample <= MOST_S for sample in samples):
        raise Malformed("samples")
    return samples
