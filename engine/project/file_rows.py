"""The fourth version of a project file: the nodes of the model's own file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.project.rows import read_spec, spec_data
from engine.records.network import Fate, FileNode, Operator
from engine.storage.fields import Malformed, Row, clean, dump, read

if TYPE_CHECKING:
    from sqlite_utils import Database

_COLUMNS = {
    "id": int,
    "name": str,
    "op_type": str,
    "inputs": str,  # JSON: [id, ...]
    "output": str,  # JSON: [shape, dtype]; NULL: not known
    "operators": str,  # JSON: [id, ...]
    "fate": str,
}
_WITH_OPERATORS = (Fate.OPERATORS, Fate.MERGED)


def add_file_nodes(db: Database) -> None:
    """From version 3. Never change it; add a migration instead."""
    db.table("file_nodes").create(
        _COLUMNS, pk="id", not_null=set(_COLUMNS) - {"id", "output"}, strict=True
    )


def file_node_row(node: FileNode) -> dict[str, Any]:
    """A node of the file."""
    return {
        "id": node.id,
        "name": clean(node.name),
        "op_type": clean(node.op_type),
        "inputs": dump(node.inputs),
        "output": None if node.output is None else dump(spec_data(node.output)),
        "operators": dump(node.operators),
        "fate": node.fate.value,
    }


def read_file_node(row: Row) -> FileNode:
    """A node of the file, which says why it has no operators where it has none."""
    output = row.optional("output", lambda name: row.made(name, read_spec))
    lists = {name: row.json(name) for name in ("inputs", "operators")}
    node = read({**row.values, **lists, "output": output}, FileNode)
    if bool(node.operators) != (node.fate in _WITH_OPERATORS):
        raise Malformed("fate")
    return node


def require_file_nodes(nodes: Sequence[FileNode], operators: Sequence[Operator]) -> None:
    """Raise Malformed unless nodes are numbered from 0, read earlier ones only, and name operators
    that there are."""
    known = {operator.id for operator in operators}
    for place, node in enumerate(nodes):
        if node.id != place or any(source >= place for source in node.inputs):
            raise Malformed("file_nodes")
        if not known.issuperset(node.operators):
            raise Malformed("file_nodes")
