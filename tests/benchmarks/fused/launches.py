"""What a launch takes that does nothing, or next to nothing."""

from __future__ import annotations

import ctypes
from functools import partial

from tests.benchmarks.fused.device import LATE, Device, Op, pointer
from tests.benchmarks.fused.kernels import ELEMENTWISE, EMPTY, TOKENS
from tests.benchmarks.fused.part import Part

WAYS = {0: "", 1: "_pdl", LATE: "_pdl_late"}


def measure(device: Device, part: Part) -> None:
    """Empty kernels and elementwise ones, each after another, without PDL and with it."""
    x, y = device.randn(TOKENS, 384), device.randn(TOKENS, 384)
    size = x.numel()
    empty = Op(device, EMPTY, (1, 1, 1))
    blocks = Op(device, EMPTY, (96, 1, 1), threads=128)
    there, back = (
        Op(
            device,
            ELEMENTWISE,
            (-(-size // 1024), 1, 1),
            [pointer(a), pointer(b), ctypes.c_int(size)],
        )
        for a, b in ((x, y), (y, x))
    )

    def way(pdl: int, name: str) -> None:
        def pair() -> None:
            there.launch(pdl)
            back.launch(pdl)

        for what, op in (("empty_us", empty), ("empty_96_blocks_us", blocks)):
            part.data[what + name] = part.guarded(
                what + name, partial(device.timed, partial(op.launch, pdl), 100, 30)
            )
        both_us = part.guarded("elementwise" + name, lambda: device.timed(pair, 50, 30))
        part.data["elementwise_us" + name] = both_us and round(both_us / 2, 3)
        part.save()

    for pdl, name in WAYS.items():
        way(pdl, name)
    half = device.torch.tensor(0.5, device="cuda", dtype=device.torch.float16)

    def torch_pair() -> None:
        device.torch.mul(x, half, out=y)
        device.torch.mul(y, half, out=x)

    both_us = part.guarded("torch mul", lambda: device.timed(torch_pair, 50, 30))
    part.data["torch_mul_us"] = both_us and round(both_us / 2, 3)
