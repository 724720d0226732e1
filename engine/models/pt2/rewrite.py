"""From a program's archive and its sizes to a new archive that is safe to load."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.models.pt2.archive import DTYPES, Archive, Json, damaged, only, refusing
from engine.models.pt2.arguments import Static
from engine.models.pt2.static import StaticGraph
from engine.records.errors import ModelError
from engine.records.sentences import Sentence
from engine.records.task import TensorSpec

if TYPE_CHECKING:
    import numpy as np

Specs = tuple[tuple[str, TensorSpec], ...]

_WEIGHTS = {"parameter": "parameter_name", "buffer": "buffer_name"}
_NO_LEAVES: Json = {"type": "builtins.dict", "context": "[]", "children_spec": []}
_LEAF: Json = {"type": None, "context": None, "children_spec": []}
_MODEL = "program"


@dataclass(frozen=True, slots=True)
class StaticProgram:
    """The bytes of the new archive, and what goes in and out."""

    archive: np.ndarray
    inputs: Specs
    outputs: Specs


@dataclass(slots=True)
class _Stored:
    """Numbers on their way into the new archive."""

    arrays: dict[str, np.ndarray]
    specs: list[Json]


def rewritten(archive: Archive, symbols: Mapping[str, int]) -> StaticProgram:
    """The program with these sizes for its symbols. ModelError says what is not taken over."""
    with refusing(archive.name):
        return _rewritten(archive, symbols)


def _rewritten(archive: Archive, symbols: Mapping[str, int]) -> StaticProgram:
    module = archive.program["graph_module"]
    source, signature = module["graph"], module["signature"]
    graph, env = StaticGraph(archive, symbols), dict[str, Static]()
    stored, inputs = _Stored({}, []), list[str]()
    for spec in signature["input_specs"]:
        _take_input(archive, source, graph, env, spec, stored, inputs)
    graph.block(source, env)
    names, outputs = _outputs(archive, signature["output_specs"], module), list[str]()
    for spec in signature["output_specs"]:
        kind, value = only(spec)
        arg_kind, content = only(value["arg"]) if kind == "user_output" else ("", {})
        if arg_kind == "as_tensor":
            outputs.append(env[content["name"]].tensor)
        elif arg_kind != "as_none":
            raise ModelError(
                Sentence(
                    "The program does more than return tensors ({kind}).",
                    kind=kind.replace("_", " "),
                ),
                "Export the module after eval(), and so that it only returns tensors.",
            )
    if not outputs:
        raise ModelError("The program returns no tensor.", "Export a module that returns one.")
    program = _program(archive, graph, stored, inputs, outputs)
    return StaticProgram(
        _zipped(program, stored.arrays),
        tuple((name, _spec(graph.tensors[name])) for name in inputs),
        tuple(
            (name, _spec(graph.tensors[tensor]))
            for name, tensor in zip(names, outputs, strict=True)
        ),
    )


def _take_input(
    archive: Archive,
    source: Json,
    graph: StaticGraph,
    env: dict[str, Static],
    spec: Json,
    stored: _Stored,
    inputs: list[str],
) -> None:
    kind, value = only(spec)
    if kind == "user_input":
        arg_kind, content = only(value["arg"])
        if arg_kind != "as_tensor":
            return  # None and the like, which no operator reads
        name = graph.tensor(source, content["name"])
        env[content["name"]] = Static(tensor=name)
        inputs.append(name)
        stored.specs.append({"user_input": {"arg": {"as_tensor": {"name": name}}}})
        return
    if kind == "constant_input":
        number = only(value["value"])[1]
        env[value["name"]] = Static(number)
        return
    if kind not in (*_WEIGHTS, "tensor_constant"):
        raise ModelError(
            Sentence(
                "The program takes an input of the kind {kind}.", kind=kind.replace("_", " ")[:40]
            ),
            "Export a module that takes and holds only tensors.",
        )
    local = value["arg"]["name"]
    name = graph.tensor(source, local)
    env[local] = Static(tensor=name)
    key = value[_WEIGHTS.get(kind, "tensor_constant_name")]
    array = archive.weights.get(key)
    array = archive.constants[key] if array is None else array
    sizes = [size["as_int"] for size in graph.tensors[name]["sizes"]]
    if list(array.shape) != sizes or DTYPES[graph.tensors[name]["dtype"]] != array.dtype.name:
        raise damaged(archive.name, f"{key} is not of the shape and type that its graph says")
    stored.arrays[name] = array
    graph.tensors[name]["strides"] = [{"as_int": step} for step in _strides(array)]
    stored.specs.append(
        {"buffer": {"arg": {"name": name}, "buffer_name": name, "persistent": True}}
    )


def _strides(array: np.ndarray) -> list[int]:
    return [step // array.itemsize for step in array.strides]


def _outputs(archive: Archive, specs: list[Json], module: Json) -> list[str]:
    """A name for each tensor that is returned: its key where a flat dict is, else the graph's."""
    tensors = [
        spec["user_output"]["arg"]["as_tensor"]["name"]
        for spec in specs
        if "user_output" in spec and "as_tensor" in spec["user_output"]["arg"]
    ]
    names = _keys(module) if len(_keys(module)) == len(tensors) else tensors
    unique: list[str] = []
    for name in names:
        count, made = 1, name
        while made in unique:
            count += 1
            made = f"{name}_{count}"
        unique.append(made)
    return unique


def _keys(module: Json) -> list[str]:
    """The keys of the dict that the program returns, if it is a plain one."""
    for entry in module["module_call_graph"]:
        if entry["fqn"] == "" and entry["signature"]:
            _, spec = json.loads(entry["signature"]["out_spec"])
            leaves = all(child["type"] is None for child in spec["children_spec"])
            if spec["type"] == "builtins.dict" and leaves:
                return [str(key) for key in json.loads(spec["context"])]
    return []


def _program(
    archive: Archive, graph: StaticGraph, stored: _Stored, inputs: list[str], outputs: list[str]
) -> Json:
    def arguments(names: list[str]) -> list[Json]:
        return [{"as_tensor": {"name": name}} for name in names]

    def tree(children: list[Json]) -> Json:
        return {"type": "builtins.tuple", "context": "null", "children_spec": children}

    taken = [_name_of(spec) for spec in stored.specs]
    in_spec = tree([tree([_LEAF] * len(inputs)), _NO_LEAVES])
    call: Json = {
        "inputs": [],
        "outputs": [],
        "in_spec": json.dumps([1, in_spec]),
        "out_spec": json.dumps([1, tree([_LEAF] * len(outputs))]),
        "forward_arg_names": None,
    }
    version = archive.program["schema_version"]
    return {
        "graph_module": {
            "graph": {
                "inputs": arguments(taken),
                "outputs": arguments(outputs),
                "nodes": graph.nodes,
                "tensor_values": graph.tensors,
                "sym_int_values": {},
                "sym_bool_values": {},
                "sym_float_values": {},
                "custom_obj_values": {},
                "is_single_tensor_return": False,
            },
            "signature": {
                "input_specs": stored.specs,
                "output_specs": [{"user_output": {"arg": one}} for one in arguments(outputs)],
            },
            "module_call_graph": [{"fqn": "", "signature": call}],
            "metadata": {},
            "treespec_namedtuple_fields": {},
        },
        "opset_version": {"aten": int(archive.program["opset_version"]["aten"])},
        "range_constraints": {},
        "schema_version": {"major": int(version["major"]), "minor": int(version["minor"])},
        "verifiers": ["TRAINING"],
        "torch_version": "",
        "guards_code": [],
    }


def _name_of(spec: Json) -> str:
    value = only(spec)[1]
    arg = value["arg"]
    return str(arg["as_tensor"]["name"] if "as_tensor" in arg else arg["name"])


def _spec(meta: Json) -> TensorSpec:
    return TensorSpec(tuple(size["as_int"] for size in meta["sizes"]), DTYPES[meta["dtype"]])


def _zipped(program: Json, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The archive as PyTorch 2.9 and newer read it, all entries stored."""
    import numpy as np

    config: Json = {"config": {}}
    metas: dict[str, Any] = program["graph_module"]["graph"]["tensor_values"]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:

        def write(name: str, data: bytes | memoryview) -> None:
            with archive.open(zipfile.ZipInfo(f"{_MODEL}/{name}"), "w", force_zip64=True) as entry:
                entry.write(data)

        write("archive_format", b"pt2")
        write("archive_version", b"0")
        write("byteorder", b"little")
        write(".data/version", b"6\n")
        for place, (name, array) in enumerate(arrays.items()):
            write(f"data/weights/weight_{place}", array.reshape(-1).view(np.uint8).data)
            config["config"][name] = {
                "path_name": f"weight_{place}",
                "is_param": False,
                "use_pickle": False,
                "tensor_meta": metas[name],
            }
        write("data/weights/model_weights_config.json", json.dumps(config).encode())
        write("data/constants/model_constants_config.json", b'{"config": {}}')
        write("data/sample_inputs/model.pt", b"")
        write("models/model.json", json.dumps(program, allow_nan=False).encode())
    return np.frombuffer(file.getbuffer(), np.uint8)
