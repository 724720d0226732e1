"""Attention in one kernel over a fused product's rows, against PyTorch's ways to it."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any

from tests.benchmarks.fused.device import Device, attention_op, difference
from tests.benchmarks.fused.kernels import Attention, AttentionShape
from tests.benchmarks.fused.part import Part, choose

BOUND = 2e-2  # of the largest difference


class TorchAttention:
    """Inputs of a shape, and PyTorch's attention of them."""

    def __init__(self, device: Device, shape: AttentionShape) -> None:
        self._device, self._shape, torch = device, shape, device.torch
        s, h, d = shape.tokens, shape.heads, shape.dim
        self.qkv = device.randn(s, (h + 2 * shape.key_heads) * d)
        self.mask = device.zeros(s)
        if not shape.causal:
            self.mask[-7:] = -65504.0
            self.mask[:40] = torch.randn(40, device="cuda")
        self.out = device.empty(s, h * d)
        added = self.mask.view(1, 1, 1, s).expand(1, h, s, s)
        self.masked = None if shape.causal else added

    def _split(self, copies: bool = True) -> tuple[Any, Any, Any]:
        """Queries, keys and values as views; shared keys are repeated as models do it."""
        _, s, h, d, kh, _ = self._shape
        q, k, v = self.qkv.split([h * d, kh * d, kh * d], -1)
        q = q.view(1, s, h, d).transpose(1, 2)
        k = k.view(1, s, kh, d).transpose(1, 2)
        v = v.view(1, s, kh, d).transpose(1, 2)
        if kh != h and copies:
            k, v = (t[:, :, None].expand(1, kh, h // kh, s, d).reshape(1, h, s, d) for t in (k, v))
        return q, k, v

    def _rows(self, heads: Any) -> Any:
        return heads.transpose(1, 2).reshape(self._shape.tokens, -1)

    def _attend(self, q: Any, k: Any, v: Any, mask: Any, **more: Any) -> Any:
        attend = self._device.torch.nn.functional.scaled_dot_product_attention
        found = attend(q, k, v, attn_mask=mask, is_causal=bool(self._shape.causal), **more)
        return self._rows(found)

    def sdpa(self, mask: Any, copies: bool = True) -> Any:
        """As PyTorch does it over views."""
        shared = self._shape.key_heads != self._shape.heads
        more = {"enable_gqa": True} if shared and not copies else {}
        return self._attend(*self._split(copies), mask, **more)

    def contiguous(self) -> Any:
        """As an exported graph does it: transposes are copies."""
        q, k, v = (t.contiguous() for t in self._split())
        return self._attend(q, k, v, self.masked)

    def reference(self) -> Any:
        """In float32."""
        torch, s = self._device.torch, self._shape.tokens
        q, k, v = (t.float() for t in self._split())
        p = q @ k.transpose(-1, -2) / math.sqrt(self._shape.dim) + self.mask.float()
        if self._shape.causal:
            later = torch.ones(s, s, device="cuda", dtype=torch.bool).triu(1)
            p = p.masked_fill(later, -math.inf)
        return self._rows(p.softmax(-1) @ v)

    def rivals(self) -> dict[str, Callable[[], float]]:
        """What times each of PyTorch's ways."""
        nn = importlib.import_module("torch.nn.attention")
        timed, backends = self._device.timed, nn.SDPBackend

        def backend(which: Any, mask: Any, copies: bool = True) -> Callable[[], float]:
            def run() -> float:
                with nn.sdpa_kernel(which):
                    return timed(lambda: self.sdpa(mask, copies))

            return run

        return {
            "sdpa_mask": lambda: timed(lambda: self.sdpa(self.masked)),
            "sdpa_mask_contiguous": lambda: timed(self.contiguous),
            "flash_no_mask": backend(backends.FLASH_ATTENTION, None, False),
            "efficient_mask": backend(backends.EFFICIENT_ATTENTION, self.masked),
            "cudnn_mask": backend(backends.CUDNN_ATTENTION, self.masked),
            "cudnn_no_mask": backend(backends.CUDNN_ATTENTION, None),
        }


def measure(device: Device, part: Part) -> None:
    """Every shape: PyTorch's ways, and ours."""
    part.data["rows"] = []
    for shape in part.scope.attentions():
        _measure_shape(device, part, shape)
        part.save()


def _measure_shape(device: Device, part: Part, shape: AttentionShape) -> None:
    row: dict[str, Any] = shape._asdict() | {"causal": bool(shape.causal), "variants": []}
    part.data["rows"].append(row)
    model, tokens = shape.model, shape.tokens
    rival = TorchAttention(device, shape)
    want = rival.reference()
    row["torch_diff"] = part.guarded(
        f"sdpa {model} {tokens}", lambda: difference(rival.sdpa(rival.masked), want)
    )
    row["rivals_us"] = {
        name: part.guarded(f"{name} {model} {tokens}", run) for name, run in rival.rivals().items()
    }

    def op_of(made: Attention) -> Any:
        return attention_op(
            device, made, rival.qkv, rival.mask, rival.out, tokens, shape.heads, shape.key_heads
        )

    part.try_all(
        device,
        row["variants"],
        f"attention {model} {tokens}",
        part.scope.attention_instances(tokens, shape.dim, shape.causal),
        op_of,
        rival.out,
        want,
        spare_s=5,
        replays=15,
    )
    choose(row, BOUND)
