"""Maxima, minima and powers of floats that are numbers where, and only where, ONNX Runtime's are.

LLVM's code for TVM's `max(a, b)` is one instruction that answers b wherever the comparison fails;
CUDA's answers the other one of the two. In CUDA's fast math, which TVM compiles with, `powf(a, b)`
is `exp2(b * log2(a))`, so that no power of a negative number is one. Kernels are changed when they
are built: tasks and records know nothing of it.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

_NAMES = {"prim.Max": "maximum", "prim.Min": "minimum"}
_LARGEST = {
    "float16": 65504.0,
    "float32": (2 - 2**-23) * 2.0**127,
    "float64": (2 - 2**-52) * 2.0**1023,
}

# From sm_80 on one instruction does it.
_CUDA = """
#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ float kept_{name}(float a, float b) {{
  float c;
  asm("{name}.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  return c;
}}
#endif
template <class A, class B> __device__ __forceinline__ auto kept_{name}(A a, B b) {{
  return a {sign} b || a != a ? a : b;
}}
#define {name} kept_{name}
"""
_CUDA_TEXTS = {
    name: _CUDA.format(name=name, sign=sign) for name, sign in (("max", ">"), ("min", "<"))
}
_KERNELS = 'extern "C"'
POWERS = """
__device__ __forceinline__ float tunewright_powf(float a, float b) {
  float c = powf(fabsf(a), b);
  if (b == 0.0f) return 1.0f;
  if (a >= 0.0f || a != a) return c;
  float whole = truncf(b);
  if (whole != b) return 0.0f / 0.0f;
  int odd = fabsf(whole) < 16777216.0f ? (int)whole & 1 : 0;
  return odd ? -c : c;
}
#define powf tunewright_powf
"""
"""Powers of all numbers, in C but for its two first words. TVM makes its `hpow` of this one."""
_POWER = re.compile(r"\b(?:powf|hpow)\(")

Node = dict[str, Any]


def source_with_kept_nan(code: str) -> str:
    """TVM's CUDA source, in which maxima and minima are NaN where one of the values is, and
    powers of negative numbers are numbers where they are any."""
    powers = POWERS if _POWER.search(code) else ""
    head, kernels, rest = code.partition(_KERNELS)
    needed = [text for name, text in _CUDA_TEXTS.items() if f"{name}(" in rest]
    return "".join((powers, head, *needed, kernels, rest))


def with_kept_nan(text: str) -> str:
    """TVM's JSON of a module for LLVM, in which maxima and minima of two values keep NaN.

    One with a constant has that first, which costs nothing. Along an axis NaN is passed over, as
    in ONNX Runtime where it is not the first, and the search starts at infinity.
    """
    if not any(f'"{name}"' in text for name in _NAMES):
        return text
    document = json.loads(text)
    nodes: list[Node] = document["nodes"]
    found = [place for place, node in enumerate(nodes) if _is_extreme(nodes, node)]
    running = _running(nodes)
    for place in found:
        data = nodes[place]["data"]
        a, b = data["a"], data["b"]
        if place in running:
            if _buffer(nodes[a]) == running[place]:
                data["a"], data["b"] = b, a
        elif nodes[b]["type"] == "ir.FloatImm":
            data["a"], data["b"] = b, a
        elif nodes[a]["type"] != "ir.FloatImm":
            nodes[place] = _intrinsic(nodes, _NAMES[nodes[place]["type"]], data)
    _start_at_infinity(nodes, {running[place] for place in found if place in running})
    return json.dumps(document)


def _is_extreme(nodes: list[Node], node: Node) -> bool:
    return node["type"] in _NAMES and nodes[node["data"]["ty"]]["data"].get("dtype") in _LARGEST


def _running(nodes: list[Node]) -> dict[int, int]:
    """By place of a maximum, the buffer whose elements it is compared with and put into."""
    stores = (node["data"] for node in nodes if node["type"] == "tirx.BufferStore")
    return {
        store["value"]: store["buffer"]
        for store in stores
        if nodes[store["value"]]["type"] in _NAMES
        and store["buffer"]
        in (_buffer(nodes[nodes[store["value"]]["data"][side]]) for side in "ab")
    }


def _buffer(node: Node) -> int | None:
    """The buffer that a node reads, if that is all it does."""
    return int(node["data"]["source"]) if node["type"] == "ir.TensorLoad" else None


def _start_at_infinity(nodes: list[Node], buffers: set[int]) -> None:
    for node in list(nodes):
        if node["type"] != "tirx.BufferStore" or node["data"]["buffer"] not in buffers:
            continue
        value = nodes[node["data"]["value"]]
        if value["type"] == "ir.FloatImm" and abs(value["data"]["value"]) in _LARGEST.values():
            sign = value["data"]["value"]
            infinite = value["data"] | {"value": math.copysign(math.inf, sign)}
            node["data"]["value"] = _added(nodes, "ir.FloatImm", infinite)


def _intrinsic(nodes: list[Node], name: str, data: Node) -> Node:
    """LLVM's own function of two values, which keeps NaN of either."""
    from tvm.target.codegen import llvm_lookup_intrinsic_id

    kind = _added(nodes, "ir.PrimType", {"span": data["span"], "dtype": "uint32"})
    number = _added(nodes, "int", llvm_lookup_intrinsic_id(f"llvm.{name}"))
    chosen = _added(nodes, "ir.IntImm", {"span": data["span"], "ty": kind, "value": number})
    call = {
        "span": data["span"],
        "ty": data["ty"],
        "op": _added(nodes, "ir.Op", "tirx.call_llvm_pure_intrin"),
        "args": _added(nodes, "ffi.Array", [chosen, data["a"], data["b"]]),
        "attrs": data["span"],
        "ty_args": _added(nodes, "ffi.Array", []),
    }
    return {"type": "ir.Call", "data": call}


def _added(nodes: list[Node], kind: str, data: Any) -> int:
    nodes.append({"type": kind, "data": data})
    return len(nodes) - 1
