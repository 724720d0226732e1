"""Products with their epilogues in one kernel, against cuBLAS and what follows it in PyTorch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.benchmarks.fused.device import Device, Op, difference, product_op
from tests.benchmarks.fused.kernels import (
    EPILOGUES,
    GELU,
    NORM,
    RESIDUAL,
    TOKENS,
    Product,
    ProductShape,
)
from tests.benchmarks.fused.part import Part, choose

_COLD_BYTES = 200_000_000  # of weights in turns: more than any cache holds


def bound(torch_diff: float) -> float:
    """The largest difference that is right, by PyTorch's own."""
    return 4 * torch_diff + 1e-2


class TorchProduct:
    """Inputs of a product, and what PyTorch makes of them."""

    def __init__(self, device: Device, shape: ProductShape) -> None:
        self._device, self._shape, n, k = device, shape, shape.n, shape.k
        self.a, self.weight = device.randn(TOKENS, k), device.randn(n, k) / math.sqrt(k)
        self.bias, self.gamma, self.beta = (device.randn(n) for _ in range(3))
        self.residual, self.out = device.randn(TOKENS, n), device.empty(TOKENS, n)

    def _after(self, x: Any, residual: Any, gamma: Any, beta: Any) -> Any:
        functions, epilogue = self._device.torch.nn.functional, self._shape.epilogue
        if epilogue == GELU:
            return functions.gelu(x)
        if epilogue >= RESIDUAL:
            x = x + residual
        if epilogue == NORM:
            return functions.layer_norm(x, (self._shape.n,), gamma, beta, 1e-12)
        return x

    def linear(self, weight: Any) -> Any:
        """The product and its bias."""
        return self._device.torch.nn.functional.linear(self.a, weight, self.bias)

    def whole(self) -> Any:
        """The product and its epilogue."""
        return self._after(self.linear(self.weight), self.residual, self.gamma, self.beta)

    def reference(self) -> Any:
        """In float32."""
        linear = self._device.torch.nn.functional.linear
        product = linear(self.a.float(), self.weight.float(), self.bias.float())
        return self._after(product, *(t.float() for t in (self.residual, self.gamma, self.beta)))

    def op(self, made: Product, weight: Any) -> Op:
        """Ours."""
        return product_op(
            self._device,
            made,
            self.a,
            weight,
            self.bias,
            self.residual,
            self.gamma,
            self.beta,
            self.out,
        )


def measure(device: Device, part: Part) -> None:
    """Every shape: PyTorch's product, with what follows it, and ours."""
    part.data["rows"] = []
    for shape in part.scope.products():
        _measure_shape(device, part, shape)
        part.save()
        device.torch.cuda.empty_cache()


def _measure_shape(device: Device, part: Part, shape: ProductShape) -> None:
    row: dict[str, Any] = {
        "model": shape.model,
        "name": shape.name,
        "m": TOKENS,
        "n": shape.n,
        "k": shape.k,
        "epilogue": EPILOGUES[shape.epilogue],
        "variants": [],
    }
    part.data["rows"].append(row)
    what = f"{shape.model} {shape.name}"
    rival = TorchProduct(device, shape)
    want = rival.reference()
    row["torch_diff"] = difference(rival.whole(), want)
    for name, execute in _rivals(rival).items():
        row[f"torch_{name}_us"] = part.guarded(f"{name} {what}", partial(device.timed, execute))
    part.try_all(
        device,
        row["variants"],
        f"product {what}",
        part.scope.product_instances(shape.n, shape.k, shape.epilogue),
        lambda made: rival.op(made, rival.weight),
        rival.out,
        want,
        spare_s=8,
        replays=11,
    )
    choose(row, bound(row["torch_diff"]))
    if "best" in row and shape.model == "bert" and not part.late(8):
        part.guarded(f"dram {what}", lambda: _measure_cold(device, row, rival))


def _rivals(rival: TorchProduct) -> dict[str, Callable[[], Any]]:
    return {
        "linear": lambda: rival.linear(rival.weight),
        "matmul": lambda: rival.a @ rival.weight.t(),
        "with_epilogue": rival.whole,
    }


def _measure_cold(device: Device, row: dict[str, Any], rival: TorchProduct) -> None:
    """Weights from the device's memory, as a whole model of 170 MB reads them."""
    count = max(2, _COLD_BYTES // (2 * row["n"] * row["k"]))
    many = [rival.weight.clone() for _ in range(count)]
    for which, pdl in (("best", 0), ("best_pdl", 1)):
        made = row[which]["config"]
        ops = itertools.cycle([rival.op(made, weight) for weight in many])
        row["us_dram" + "_pdl" * pdl] = device.timed(partial(_launch_next, ops, pdl), count, 9)
    turn = itertools.cycle(many)
    row["torch_linear_us_dram"] = device.timed(lambda: rival.linear(next(turn)), count, 9)


def _launch_next(ops: Iterator[Op], pdl: int) -> None:
    next(ops).launch(pdl)
