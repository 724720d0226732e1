"""TVM's own JSON of a module, checked before TVM sees it: it may come from a stranger's file.

Such a text is a list of nodes, each of a kind, whose fields name nodes before it by their place.
TVM makes an object of any kind that it knows, functions among them, and follows each field without
asking what it holds: a text of other kinds crashes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

Node = dict[str, Any]

# The largest of the 1,300 workloads of all test networks has 0.5 MB, 8,800 nodes, 31 levels and
# 102,000 nodes where each is counted wherever it is named, as TVM visits them.
_CHARACTERS = 8_000_000
_NODES = 200_000
_LEVELS = 400
_VISITS = 2_000_000
_LONGEST = 1000  # of a name

_BINARY = """
Add And BitwiseAnd BitwiseOr BitwiseXor Div EQ FloorDiv FloorMod GE GT LE LShift LT Max Min Mod Mul
NE Or RShift Sub
"""
_EXPR = (
    "ir.Call ir.FloatImm ir.IntImm ir.StringImm ir.TensorLoad ir.Var prim.BitwiseNot prim.Cast "
    "prim.Let prim.Not prim.Select " + " ".join(f"prim.{name}" for name in _BINARY.split())
)
_STMT = """
s_tir.SBlockRealize tirx.AllocBuffer tirx.AttrStmt tirx.Bind tirx.BufferStore tirx.Evaluate
tirx.For tirx.IfThenElse tirx.SeqStmt tirx.While
"""
_GROUPS = {
    "EXPR": _EXPR,
    "STMT": _STMT,
    "INTEGER": "int",
    "TYPE": "ir.PointerType ir.PrimType tirx.BufferType",
    "VALUE": "None bool ffi.Array ffi.String float int ir.FloatImm ir.IntImm ir.StringImm",
}

# What a module of TensorIR is made of, as in all workloads that we store: `kind field=what ...`.
# "[X]" is a list of X, "{X: Y}" a map, "X?" may be nothing; "int", "flag", "real", "text" stand in
# the field itself. Functions, classes of Python's, tensors and foreign code are none of it.
_KINDS = """
ir.IRModule functions={ir.GlobalVar:tirx.PrimFunc} global_var_map_={ffi.String:ir.GlobalVar}
  source_map=ir.SourceMap attrs=ir.DictAttrs global_infos={}
ir.SourceMap source_map={}
ir.GlobalVar ty=ir.Type name_hint=ffi.String
ir.DictAttrs __dict__={ffi.String:VALUE}
tirx.PrimFunc ty=relax.FuncType attrs=ir.DictAttrs params=[ir.Var] ret_type=ir.TupleType body=STMT
relax.FuncType params=[relax.TensorType] ret=ir.TupleType derive_func=None purity=flag
relax.TensorType shape=relax.expr.ShapeExpr? dtype=ir.PrimType vdevice=None ndim=int
relax.expr.ShapeExpr ty=relax.ShapeType values=[EXPR]
relax.ShapeType values=[EXPR] ndim=int
ir.Type
ir.TupleType fields=[TYPE]
ir.StringType
ir.PointerType element_type=ir.PrimType storage_scope=ffi.String
tirx.BufferRegionType
tirx.BufferType dtype=ir.PrimType storage_scope=ffi.String shape=[EXPR] strides=[EXPR]
  elem_offset=EXPR data_alignment=int offset_factor=int layout=tirx.TileLayout?
  allocated_addr=[EXPR]
tirx.TileLayout shard=[tirx.Iter] replica=[tirx.Iter] offset={tirx.Axis:EXPR}
tirx.Iter extent=EXPR stride=EXPR axis=tirx.Axis
ir.Var ty=TYPE name=ffi.String
ir.Range min=EXPR extent=EXPR
ir.TensorRegion ty=tirx.BufferRegionType source=ir.Var region=[ir.Range]
ir.IntImm ty=ir.PrimType value=INTEGER
ir.FloatImm ty=ir.PrimType value=real
ir.StringImm ty=ir.StringType value=ffi.String
ir.TensorLoad ty=TYPE source=ir.Var indices=[EXPR]
ir.Call ty=TYPE op=ir.Op args=[EXPR] attrs=None ty_args=[]
prim.Not ty=ir.PrimType a=EXPR
prim.BitwiseNot ty=ir.PrimType a=EXPR
prim.Cast ty=ir.PrimType value=EXPR
prim.Let ty=ir.PrimType var=ir.Var value=EXPR body=EXPR
prim.Select ty=ir.PrimType condition=EXPR true_value=EXPR false_value=EXPR
s_tir.SBlock iter_vars=[tirx.IterVar] reads=[ir.TensorRegion] writes=[ir.TensorRegion]
  name_hint=ffi.String alloc_buffers=[ir.Var] match_buffers=[] annotations={ffi.String:VALUE}
  init=STMT? body=STMT
s_tir.SBlockRealize iter_values=[EXPR] predicate=EXPR block=s_tir.SBlock
tirx.IterVar dom=ir.Range? var=ir.Var iter_type=int thread_tag=ffi.String
tirx.For loop_var=ir.Var min=EXPR extent=EXPR kind=int body=STMT thread_binding=tirx.IterVar?
  annotations={ffi.String:VALUE} step=EXPR?
tirx.While condition=EXPR body=STMT
tirx.IfThenElse condition=EXPR then_case=STMT else_case=STMT?
tirx.SeqStmt seq=[STMT]
tirx.Bind var=ir.Var value=EXPR
tirx.Evaluate value=EXPR
tirx.BufferStore buffer=ir.Var value=EXPR indices=[EXPR]
tirx.AllocBuffer buffer=ir.Var annotations={ffi.String:VALUE}
tirx.AttrStmt node=int|tirx.IterVar|EXPR attr_key=ffi.String value=EXPR body=STMT
tirx.IndexMap initial_indices=[ir.Var] final_indices=[EXPR] inverse_index_map=tirx.IndexMap?
""" + "\n".join(f"prim.{name} ty=ir.PrimType a=EXPR b=EXPR" for name in _BINARY.split())

# An index map's, TVM's JSON within a trace: arithmetic, no calls.
_ARITHMETIC = """
None ffi.Array ffi.String int ir.IntImm ir.PrimType ir.Var prim.Add prim.Cast prim.FloorDiv
prim.FloorMod prim.Mul prim.Sub tirx.IndexMap
"""
ARITHMETIC = frozenset(_ARITHMETIC.split())

# Functions of numbers, and what TVM's own kernels of sorts, scans and scatters call on a CPU.
_CALLED = """
prim.ceil prim.clz prim.if_then_else prim.likely prim.log2 tirx.acos tirx.acosh tirx.asin tirx.asinh
tirx.atan tirx.atan2 tirx.atanh tirx.atomic_add tirx.buffer_data tirx.copysign tirx.cos tirx.cosh
tirx.erf tirx.exp tirx.exp10 tirx.exp2 tirx.fabs tirx.floor tirx.fma tirx.fmod tirx.hypot
tirx.isfinite tirx.isinf tirx.isnan tirx.ldexp tirx.log tirx.log10 tirx.log1p tirx.nearbyint
tirx.nextafter tirx.popcount tirx.pow tirx.q_multiply_shift tirx.q_multiply_shift_per_axis
tirx.reinterpret tirx.round tirx.rsqrt tirx.sigmoid tirx.sin tirx.sinh tirx.sqrt tirx.tan tirx.tanh
tirx.thread_return tirx.trunc tirx.tvm_call_packed tirx.tvm_stack_make_array
tirx.tvm_stack_make_shape tirx.tvm_storage_sync
"""
# Keys under which TVM takes code, "pragma_import_c" for instance, are none of them.
_KEYS = re.compile(
    r"s_tir|layout_free_buffers|global_symbol|tirx\.(?:noalias|is_scheduled)|schedule_rule|axis"
    r"|extern_scope|pragma_scope|thread_extent|virtual_thread|hand_threaded"
    r"|(?:meta_schedule|tunewright)[._]\w{1,60}|software_pipeline_\w{1,60}|pragma_(?:auto_)?unroll_\w{1,60}"
)
_DTYPE = re.compile(r"(?:(?:u?int|b?float)\d{1,3}|bool|handle|)")
_MOST = {"kind": 4, "iter_type": 8, "ndim": 64, "data_alignment": 4096, "offset_factor": 65536}


@dataclass(frozen=True, slots=True)
class _Field:
    """What a field may hold: `kinds` of nodes, in a list, or as values of a map with `keys`."""

    form: str
    kinds: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    optional: bool = False


def checked_module(text: str) -> str:
    """The module of a text of TVM's JSON as a text that TVM may be given; ValueError for others.

    It is of kinds that TensorIR needs, each field of the kind that it is for. What it computes may
    be nonsense: load it in a worker.
    """
    nodes, root = read_nodes(text)
    require_kinds(nodes)
    if nodes[root]["type"] != "ir.IRModule":
        raise ValueError("it is no module")
    return json.dumps({"root_index": root, "nodes": nodes})


def read_nodes(text: str) -> tuple[list[Node], int]:
    """The nodes of a text of TVM's JSON, and which one is the whole; ValueError for other texts.

    Each has a kind ("type"), and names only nodes before it. Nothing is known of the kinds.
    """
    if len(text) > _CHARACTERS:
        raise ValueError("it is too long")
    try:
        graph = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    if not isinstance(nodes, list) or not 0 < len(nodes) <= _NODES:
        raise ValueError("it has no nodes, or too many")
    root = graph.get("root_index")
    if not _is_int(root) or not 0 <= root < len(nodes):
        raise ValueError("it has no root")
    if not all(_is_node(node) for node in nodes):
        raise ValueError("a node has no kind")
    return nodes, root


def require_kinds(nodes: Sequence[Node], allowed: frozenset[str] | None = None) -> None:
    """ValueError unless all nodes are of kinds that a module is made of, or of the `allowed` ones,
    with what belongs into their fields, and name none but earlier ones."""
    _Checker(nodes).require(allowed)


def _is_node(node: Any) -> bool:
    return (
        isinstance(node, dict) and node.keys() <= {"type", "data"} and type(node.get("type")) is str
    )


class _Checker:
    """Goes over the nodes once, in their order."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._kinds = [node["type"] for node in nodes]
        self._inside: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
        self._levels: list[int] = []
        self._visits: list[int] = []

    def require(self, allowed: frozenset[str] | None) -> None:
        for place, node in enumerate(self._nodes):
            kind = self._kinds[place]
            if kind not in _known() or (allowed is not None and kind not in allowed):
                raise ValueError(f"it holds {kind[:40]!r}")
            named = list(self._named(place, kind, node.get("data")))
            self._levels.append(1 + max((self._levels[at] for at in named), default=0))
            self._visits.append(1 + sum(self._visits[at] for at in named))
            if self._levels[-1] > _LEVELS or self._visits[-1] > _VISITS:
                raise ValueError("it is nested too deeply")

    def _named(self, place: int, kind: str, data: Any) -> Iterable[int]:
        """The nodes that a node's fields name, each checked."""
        fields = _known()[kind]
        if fields is None:
            _require(_is_leaf(kind, data), kind)
            return ()
        if kind in ("ffi.Array", "ffi.Map"):
            _require(isinstance(data, list) and all(_is_before(at, place) for at in data), kind)
            halves = (data, ()) if kind == "ffi.Array" else (data[1::2], data[::2])
            _require(kind == "ffi.Array" or len(data) % 2 == 0, kind)
            values, keys = (frozenset(self._kinds[at] for at in half) for half in halves)
            self._inside[place] = values, keys
            return data  # type: ignore[no-any-return]
        _require(isinstance(data, dict) and data.keys() == fields.keys(), kind)
        named = []
        for name, field in fields.items():
            value = data[name]
            if field.form in _WRITTEN:
                _require(_is_written(name, field.form, value), kind)
            else:
                _require(_is_before(value, place) and self._suits(value, field), f"{kind} {name}")
                named.append(value)
        self._require_harmless(kind, data)
        return named

    def _suits(self, at: int, field: _Field) -> bool:
        """Whether a node is what a field is for."""
        kind = self._kinds[at]
        if kind == "None":
            return field.optional or "None" in field.kinds
        if field.form == "one":
            return kind in field.kinds
        if kind != ("ffi.Array" if field.form == "many" else "ffi.Map"):
            return False
        values, keys = self._inside[at]
        return values <= field.kinds and keys <= field.keys

    def _require_harmless(self, kind: str, data: Node) -> None:
        """ValueError for a name under which code could be brought, and for a call of any."""
        if kind == "ir.Call":
            name = self._nodes[data["op"]]["data"]
            _require(name in _called(), f"a call of {name[:40]!r}")
        if kind == "tirx.AttrStmt":
            self._require_key(data["attr_key"])
        for field in ("annotations", "__dict__"):
            if field in data:
                for key in self._nodes[data[field]]["data"][::2]:
                    self._require_key(key)

    def _require_key(self, at: int) -> None:
        key = self._nodes[at]["data"]
        _require(_KEYS.fullmatch(key) is not None, f"the annotation {key[:40]!r}")


_WRITTEN = ("int", "flag", "real", "text")


@cache
def _known() -> dict[str, dict[str, _Field] | None]:
    """The fields of each kind; None for what stands for itself."""
    known: dict[str, dict[str, _Field] | None] = dict.fromkeys(_LEAVES)
    known |= {"ffi.Array": {}, "ffi.Map": {}}
    for line in _KINDS.replace("\n  ", " ").strip().splitlines():
        kind, *fields = line.split()
        pairs = (field.split("=") for field in fields)
        known[kind] = {name: _field(text) for name, text in pairs}
        if kind not in _WITHOUT_SPAN:
            known[kind] = {"span": _Field("one", frozenset(["None"])), **(known[kind] or {})}
    known["ir.PrimType"] = {"span": _Field("one", frozenset(["None"])), "dtype": _Field("text")}
    return known


_WITHOUT_SPAN = (
    *("ir.IRModule", "ir.SourceMap", "ir.DictAttrs", "tirx.TileLayout", "tirx.Iter"),
    "tirx.IndexMap",
)


def _field(text: str) -> _Field:
    """What a field of the table may hold."""
    optional = text.endswith("?")
    text = text.rstrip("?")
    if text in _WRITTEN:
        return _Field(text)
    if text.startswith("{"):
        keys, _, values = text.strip("{}").partition(":")
        return _Field("map", _group(values), _group(keys), optional)
    form = "many" if text.startswith("[") else "one"
    return _Field(form, _group(text.strip("[]")), optional=optional)


def _group(text: str) -> frozenset[str]:
    return frozenset(kind for name in text.split("|") for kind in _GROUPS.get(name, name).split())


@cache
def _called() -> frozenset[str]:
    return frozenset(_CALLED.split())


_LEAVES = ("None", "bool", "int", "float", "ffi.String", "ir.Op", "tirx.Axis")


def _is_leaf(kind: str, data: Any) -> bool:
    match kind:
        case "None":
            return data is None
        case "bool":
            return type(data) is bool
        case "int":
            return _is_int(data)
        case "float":
            return type(data) is float
    return type(data) is str and len(data) <= _LONGEST


def _is_written(name: str, form: str, value: Any) -> bool:
    match form:
        case "int":
            most = _MOST.get(name)
            return _is_int(value) and (most is None or -1 <= value <= most)
        case "flag":
            return type(value) is bool
        case "real":
            return type(value) in (float, int)
    return type(value) is str and _DTYPE.fullmatch(value) is not None


def _is_int(value: Any) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def _is_before(at: Any, place: int) -> bool:
    return type(at) is int and 0 <= at < place


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise ValueError(f"{what} is not as it must be")
