"""Whole encoders: every layer's five to seven kernels in a row, against PyTorch's."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from tests.benchmarks.fused import attention, products
from tests.benchmarks.fused.device import (
    LATE,
    Device,
    Op,
    attention_op,
    difference,
    norm_op,
    product_op,
)
from tests.benchmarks.fused.kernels import EMPTY, GELU, NORM, TOKENS, Attention, Product
from tests.benchmarks.fused.launches import WAYS
from tests.benchmarks.fused.part import Part

Rows = list[dict[str, Any]]


class Split(NamedTuple):
    """A product with its residual, and the norm in a kernel of its own."""

    way: str
    product: Product


Choice = dict[str, Any]  # qkv, up, out, down: Product or Split; att: Attention


class Encoder(NamedTuple):
    """The sizes of a model."""

    width: int
    heads: int
    dim: int
    inner: int
    layers: int


MODELS = {"minilm": Encoder(384, 12, 32, 1536, 6), "bert": Encoder(768, 12, 64, 3072, 12)}


class TorchChain:
    """The weights and inputs of an encoder, and PyTorch's run of it."""

    def __init__(self, device: Device, model: Encoder) -> None:
        self._device, self._model = device, model
        self.weights = [self._layer() for _ in range(model.layers)]
        self.mask = device.zeros(TOKENS)
        self.mask[-9:] = -65504.0
        self.x = device.randn(TOKENS, model.width)

    def _layer(self) -> dict[str, Any]:
        width, inner = self._model.width, self._model.inner

        def matrix(n: int, k: int) -> Any:
            return self._device.randn(n, k) * (0.7 / math.sqrt(k))

        def vector(n: int, base: float = 0.0) -> Any:
            return self._device.randn(n) * 0.1 + base

        return {
            "qkv": matrix(3 * width, width),
            "bqkv": vector(3 * width),
            "out": matrix(width, width),
            "bout": vector(width),
            "g1": vector(width, 1),
            "e1": vector(width),
            "up": matrix(inner, width),
            "bup": vector(inner),
            "down": matrix(width, inner),
            "bdown": vector(width),
            "g2": vector(width, 1),
            "e2": vector(width),
        }

    def run(self, masked: bool = True) -> Any:
        """In float16, as PyTorch runs its functions."""
        return self._stack(self.x, self.weights, self.mask, masked)

    def reference(self) -> Any:
        """In float32."""
        weights = [{name: t.float() for name, t in layer.items()} for layer in self.weights]
        return self._stack(self.x.float(), weights, self.mask.float(), True)

    def _stack(self, x: Any, weights: list[dict[str, Any]], mask: Any, masked: bool) -> Any:
        functions = self._device.torch.nn.functional
        width, h, d = self._model.width, self._model.heads, self._model.dim
        linear, norm = functions.linear, functions.layer_norm
        attend, s = functions.scaled_dot_product_attention, TOKENS
        add = mask.view(1, 1, 1, s).expand(1, h, s, s) if masked else None
        for w in weights:
            fused = linear(x, w["qkv"], w["bqkv"])
            q, k, v = (t.view(1, s, h, d).transpose(1, 2) for t in fused.split(width, -1))
            o = attend(q, k, v, attn_mask=add).transpose(1, 2).reshape(s, width)
            x = norm(x + linear(o, w["out"], w["bout"]), (width,), w["g1"], w["e1"], 1e-12)
            y = linear(functions.gelu(linear(x, w["up"], w["bup"])), w["down"], w["bdown"])
            x = norm(x + y, (width,), w["g2"], w["e2"], 1e-12)
        return x

    def encoder_us(self) -> float:
        """What PyTorch's own module for encoders takes, without a mask."""
        torch, model = self._device.torch, self._model
        layer = torch.nn.TransformerEncoderLayer(
            model.width, model.heads, model.inner, 0.0, "gelu", batch_first=True
        )
        net = torch.nn.TransformerEncoder(layer, model.layers, enable_nested_tensor=False)
        net = net.to(device="cuda", dtype=torch.float16).eval()
        with torch.inference_mode():
            return self._device.timed(lambda: net(self.x[None]), 3, 15)


class OurChain:
    """Our kernels over the same weights and inputs."""

    def __init__(self, device: Device, model: Encoder, rival: TorchChain) -> None:
        self._device, self._model, self._rival = device, model, rival
        width = model.width
        sizes = {"qkv": 3 * width, "att": width, "sum": width, "x1": width, "mid": model.inner}
        sizes |= {"x2a": width, "x2b": width}
        self._buffers = {name: device.empty(TOKENS, size) for name, size in sizes.items()}

    def build(self, choice: Choice, leave_out: Iterable[str] = ()) -> tuple[list[Op], Any]:
        """The ops of all layers, and where the result is."""
        buffers, ops, x = self._buffers, list[Op](), self._rival.x
        heads = self._model.heads
        for index, w in enumerate(self._rival.weights):
            to, x1 = buffers["x2a" if index % 2 else "x2b"], buffers["x1"]
            steps = {
                "qkv": (x, w["qkv"], w["bqkv"], None, None, None, buffers["qkv"]),
                "att": None,
                "out": (buffers["att"], w["out"], w["bout"], x, w["g1"], w["e1"], x1),
                "up": (x1, w["up"], w["bup"], None, None, None, buffers["mid"]),
                "down": (buffers["mid"], w["down"], w["bdown"], x1, w["g2"], w["e2"], to),
            }
            for name, tensors in steps.items():
                made = choice[name]
                if name in leave_out:
                    continue
                if tensors is not None:
                    ops += self._product(made, *tensors)
                    continue
                qkv, out, mask = buffers["qkv"], buffers["att"], self._rival.mask
                ops.append(attention_op(self._device, made, qkv, mask, out, TOKENS, heads, heads))
            x = to
        return ops, x

    def _product(
        self,
        made: Product | Split,
        a: Any,
        weight: Any,
        bias: Any,
        residual: Any,
        gamma: Any,
        beta: Any,
        out: Any,
    ) -> list[Op]:
        device, total = self._device, self._buffers["sum"]
        if isinstance(made, Product):
            return [product_op(device, made, a, weight, bias, residual, gamma, beta, out)]
        return [
            product_op(device, made.product, a, weight, bias, residual, None, None, total),
            norm_op(device, self._model.width, total, gamma, beta, out),
        ]

    def time_us(
        self, choice: Choice, pdl: int, leave_out: Iterable[str] = (), replays: int = 15
    ) -> float:
        """What the whole takes, or what is left of it."""
        ops, _ = self.build(choice, leave_out)

        def run() -> None:
            for op in ops:
                op.launch(pdl)

        return self._device.timed(run, 4, replays)

    def check(self, choice: Choice, pdl: int, want: Any) -> float:
        """The largest difference in five runs."""
        ops, x = self.build(choice)
        for buffer in self._buffers.values():
            buffer.fill_(math.nan)
        self._device.torch.cuda.synchronize()
        worst = 0.0
        for _ in range(5):
            for op in ops:
                op.launch(pdl)
            self._device.stream.synchronize()
            worst = max(worst, difference(x, want))
        return worst

    def floor_us(self, pdl: int) -> float:
        """Five launches a layer that do nothing."""
        empty = Op(self._device, EMPTY, (96, 1, 1), threads=128)

        def run() -> None:
            for _ in range(5 * self._model.layers):
                empty.launch(pdl)

        return self._device.timed(run, 4, 25)


def measure(device: Device, part: Part, product_rows: Rows, attention_rows: Rows) -> None:
    """Every model: PyTorch's chain, then ours of the fastest instances, chosen in the chain."""
    for name, model in MODELS.items():
        if part.scope.quick and name != "minilm":
            continue
        found: dict[str, Any] = {"layers": model.layers, "tokens": TOKENS}
        part.data[name] = found
        alternatives = Alternatives(product_rows, attention_rows)
        part.guarded(
            f"chain {name}",
            partial(_measure_model, device, part, name, model, found, alternatives),
        )
        part.save()


class Alternatives:
    """The fastest instances by themselves, to be tried in a chain."""

    def __init__(self, product_rows: Rows, attention_rows: Rows) -> None:
        self._products, self._attentions = product_rows, attention_rows

    def of(self, part: Part, name: str, model: Encoder, key: str) -> dict[str, list[Any]]:
        """By the part of a layer; `key` is by which time they are ordered."""
        width, inner, instances = model.width, model.inner, part.scope.product_instances
        found: dict[str, list[Any]] = {
            "qkv": self._top(name, "qkv", 5, key) or instances(3 * width, width, 0)[:5],
            "up": self._top(name, "ffn1_gelu", 5, key) or instances(inner, width, GELU)[:5],
        }
        for where, shape, k in (("out", "out", width), ("down", "ffn2", inner)):
            split = [Split("split", made) for made in self._top(name, f"{shape}_res", 3, key)]
            whole = self._top(name, f"{shape}_ln", 5, key)
            found[where] = [*whole, *split] or list(instances(width, k, NORM)[:5])
        return found | {"att": self._attention(model.dim, key)}

    def _top(self, model: str, name: str, count: int, key: str) -> list[Product]:
        for row in self._products:
            if (row["model"], row["name"]) == (model, name):
                good = _fastest(row, products.bound(row["torch_diff"]), key)
                return [Product(*config) for config in good[:count]]
        return []

    def _attention(self, dim: int, key: str) -> list[Attention]:
        wanted = {"dim": dim, "tokens": TOKENS, "causal": False}
        for row in self._attentions:
            if wanted.items() <= row.items():
                good = _fastest(row, attention.BOUND, key)[:5]
                return [Attention(*config) for config in good] or [_fallback(dim)]
        return [_fallback(dim)]


def _fastest(row: dict[str, Any], bound: float, key: str) -> list[Any]:
    good = [found for found in row["variants"] if found["diff"] < bound and found.get(key)]
    return [found["config"] for found in sorted(good, key=lambda found: float(found[key]))]


def _fallback(dim: int) -> Attention:
    return Attention(dim, 1, 4, 32, 1, 0, 1)


def _measure_model(
    device: Device,
    part: Part,
    name: str,
    model: Encoder,
    found: dict[str, Any],
    alternatives: Alternatives,
) -> None:
    rival = TorchChain(device, model)
    with device.torch.no_grad():
        want = rival.reference()
        found["torch_diff"] = difference(rival.run(), want)
    rivals: dict[str, Callable[[], float]] = {
        "torch_us": lambda: device.timed(rival.run, 3, 25),
        "torch_no_mask_us": lambda: device.timed(lambda: rival.run(False), 3, 25),
        "torch_encoder_no_mask_us": rival.encoder_us,
    }
    for what, run in rivals.items():
        found[what] = part.guarded(f"{name} {what}", run)
    part.save()
    ours = OurChain(device, model, rival)
    for key, ways in (("us", (0,)), ("us_pdl", (1, LATE))):
        choices = alternatives.of(part, name, model, key)
        for pdl in ways:
            part.guarded(
                f"chain {name} pdl {pdl}",
                partial(_choose, part, ours, name, choices, pdl, want, found),
            )
            part.save()
    found["floor_us"] = part.guarded("floor", lambda: ours.floor_us(0))
    found["floor_us_pdl"] = part.guarded("floor pdl", lambda: ours.floor_us(1))


def _choose(
    part: Part,
    ours: OurChain,
    model: str,
    alternatives: dict[str, list[Any]],
    pdl: int,
    want: Any,
    found: dict[str, Any],
) -> None:
    """Try each alternative in the whole chain, twice round, and keep what makes it faster."""
    what = f"{model} pdl {pdl}"
    choice: Choice = {name: instances[0] for name, instances in alternatives.items()}
    best = ours.time_us(choice, pdl, (), 25)
    entry: dict[str, Any] = {"first_choice_us": best}
    found["ours" + WAYS[pdl]] = entry
    for _ in range(2):
        for name, instances in alternatives.items():
            for instance in instances:
                if instance == choice[name] or part.late(6):
                    continue
                tried = {**choice, name: instance}
                time_us = part.guarded(
                    f"{what} {name} {tuple(instance)}",
                    partial(ours.time_us, tried, pdl),
                )
                if time_us and time_us < best * 0.998:
                    best, choice = time_us, tried
    entry["us"] = ours.time_us(choice, pdl, (), 31)
    entry["config"] = dict(choice)
    entry["launches"] = len(ours.build(choice)[0])
    entry["diff"] = ours.check(choice, pdl, want)
    entry["us_without"] = {
        name: part.guarded(f"{what} without {name}", partial(ours.time_us, choice, pdl, (name,)))
        for name in choice
        if not part.late(4)
    }
