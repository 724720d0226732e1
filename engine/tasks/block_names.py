"""The names of a workload's blocks, by which traces find them. A structural hash ignores them."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

from engine.storage.module_text import read_nodes

_log = logging.getLogger(__name__)
_BLOCK = "SBlock"
_OF_VARIABLE = re.compile(r"(?:lv|gv|node|layout)[\dx_]*(?=_[a-z])")
_NAME = re.compile(r"[A-Za-z_]\w{0,499}")


def block_names(text: str) -> list[str]:
    """The blocks' names of a module (TVM's JSON text), in the text's order.

    ValueError, LookupError or TypeError where a stranger's text is none.
    """
    nodes, _ = read_nodes(text)
    return [_read(nodes, item) for item in _blocks(nodes)]


def with_block_names(text: str, names: list[str]) -> str:
    """The same module with other names. ValueError where they are not as many, or no names."""
    graph = json.loads(text)
    nodes = graph["nodes"]
    blocks = _blocks(nodes)
    if len(names) != len(blocks) or not all(map(_NAME.fullmatch, names)):
        raise ValueError("these are not this module's names")
    for item, name in zip(blocks, names, strict=True):
        item["name_hint"] = len(nodes)
        nodes.append({"type": "ffi.String", "data": name})
    return json.dumps(graph)


def with_plain_names(workload: Any) -> Any:
    """A module whose blocks have plain names, of this one."""
    import tvm

    text = tvm.ir.save_json(workload)
    names = block_names(text)
    plain = plain_names(names)
    return workload if plain == names else tvm.ir.load_json(with_block_names(text, plain))


def with_names_of(workload: Any, stored: str) -> Any:
    """The module with the names that traces of `stored`, an equal one's JSON text, go by.

    Nothing of the text but names is taken; where they do not fit, the module stays as it is.
    """
    import tvm

    text = tvm.ir.save_json(workload)
    try:
        names = block_names(stored)
        if names == block_names(text):
            return workload
        return tvm.ir.load_json(with_block_names(text, names))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        _log.warning("Names of blocks cannot be taken over: %s", error)
        return workload


def plain_names(names: list[str]) -> list[str]:
    """The names without those of Relax variables that some of TVM's operators put into them.

    Equal operators of two models, or of two versions, then have equal traces.
    """
    made: list[str] = []
    for name in names:
        plain = wanted = _OF_VARIABLE.sub("x", name)
        count = 0
        while plain in made:
            count += 1
            plain = f"{wanted}_{count}"
        made.append(plain)
    return made


def _blocks(nodes: list[Any]) -> list[dict[str, Any]]:
    return [
        node["data"]
        for node in nodes
        if str(node.get("type", "")).endswith(_BLOCK) and "name_hint" in node["data"]
    ]


def _read(nodes: list[Any], block: dict[str, Any]) -> str:
    name = block["name_hint"]
    return str(nodes[name]["data"] if isinstance(name, int) else name)
