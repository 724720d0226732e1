"""Archives of PyTorch programs, written by hand: these tests need no PyTorch."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

Json = dict[str, Any]

FLOAT, INT64 = 7, 5
BATCH = "Symbol('s0', positive=True, integer=True)"


def size(value: int | str, hint: int | None = None) -> Json:
    """A size: a number, or an expression with the number that it was exported with."""
    if isinstance(value, int):
        return {"as_int": value}
    return {"as_expr": {"expr_str": value, "hint": None if hint is None else {"as_int": hint}}}


def meta(*sizes: Json, dtype: int = FLOAT) -> Json:
    """What the archive says of a tensor, contiguous; strides of symbols are not worked out."""
    strides, step = list[Json](), 1
    for one in reversed(sizes):
        strides.insert(0, size(step))
        step *= one.get("as_int", 1)
    return {
        "dtype": dtype,
        "sizes": list(sizes),
        "requires_grad": False,
        "device": {"type": "cuda", "index": 0},
        "strides": strides,
        "storage_offset": size(0),
        "layout": 7,
    }


def node(target: str, inputs: Json, *outputs: Json, name: str = "n") -> Json:
    """A call; `inputs` are arguments by name."""
    items = [{"name": key, "arg": value, "kind": 1} for key, value in inputs.items()]
    return {"target": target, "inputs": items, "outputs": list(outputs), "metadata": {}} | {
        "name": name
    }


def tensor(name: str) -> Json:
    """An argument that is a tensor."""
    return {"as_tensor": {"name": name}}


def program(rows: str = BATCH) -> Json:
    """y = (x * w).reshape(rows, 3) of x: (rows, 3), whose rows are open from 2 to 64."""
    sym = {"as_sym_int": {"as_name": "rows"}}
    nodes = [
        node("torch.ops.aten.sym_size.int", {"self": tensor("x"), "dim": {"as_int": 0}}, sym),
        node(
            "torch.ops.aten.mul.Tensor", {"self": tensor("x"), "other": tensor("p_w")}, tensor("m")
        ),
        node(
            "torch.ops.aten.reshape.default",
            {"self": tensor("m"), "shape": {"as_sym_ints": [{"as_name": "rows"}, {"as_int": 3}]}},
            tensor("y"),
        ),
    ]
    graph = {
        "inputs": [tensor("p_w"), tensor("x")],
        "outputs": [tensor("y")],
        "nodes": nodes,
        "tensor_values": {"p_w": meta(size(3))}
        | {name: meta(size(rows, 4), size(3)) for name in ("x", "m", "y")},
        "sym_int_values": {"rows": size(rows, 4)},
        "sym_bool_values": {},
        "sym_float_values": {},
        "custom_obj_values": {},
        "is_single_tensor_return": False,
    }
    weight = {"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}}
    leaf: Json = {"type": None, "context": None, "children_spec": []}
    keys = {"type": "builtins.dict", "context": '["answer"]', "children_spec": [leaf]}
    return {
        "graph_module": {
            "graph": graph,
            "signature": {
                "input_specs": [weight, {"user_input": {"arg": tensor("x")}}],
                "output_specs": [{"user_output": {"arg": tensor("y")}}],
            },
            "module_call_graph": [
                {"fqn": "", "signature": {"in_spec": "", "out_spec": json.dumps([1, keys])}}
            ],
            "metadata": {},
        },
        "opset_version": {"aten": 10},
        "range_constraints": {"s0": {"min_val": 2, "max_val": 64}},
        "schema_version": {"major": 8, "minor": 14},
    }


def weights(**changes: Any) -> Json:
    """What the archive says of its weight."""
    entry = {"path_name": "weight_0", "is_param": True, "use_pickle": False} | {
        "tensor_meta": meta(size(3))
    }
    return {"config": {"w": entry | changes}}


def archive(
    content: Json | None = None,
    weight: Json | None = None,
    extra: dict[str, bytes] | None = None,
    compression: int = zipfile.ZIP_STORED,
) -> bytes:
    """The bytes of a .pt2 file."""
    numbers = np.array([1, 2, 3], np.float32).tobytes()
    entries = {
        "net/byteorder": b"little",
        "net/data/weights/weight_0": numbers,
        "net/data/weights/model_weights_config.json": json.dumps(weight or weights()).encode(),
        "net/data/constants/model_constants_config.json": b'{"config": {}}',
        "net/models/model.json": json.dumps(content or program()).encode(),
    } | (extra or {})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as made:
        for name, data in entries.items():
            made.writestr(name, data)
    return file.getvalue()


def saved(folder: Path, data: bytes | None = None) -> Path:
    """The file on disk."""
    path = folder / "net.pt2"
    path.write_bytes(archive() if data is None else data)
    return path
