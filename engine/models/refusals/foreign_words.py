"""What libraries say of a model, as far as a person can read it."""

from __future__ import annotations

import re

_LONGEST = 240

_STATUS = re.compile(r"^.*\[ONNXRuntimeError\] : (?:\d+ : [A-Z_]+ : )?", re.DOTALL)
_PLACE = re.compile(r"\S+\.(?:cc|cpp|cu|h|hpp|py):\d+:?(?: \w+(?= [A-Z]))?")
_SIGNATURE = re.compile(
    r"(?:[\w:<>*&~]+ )*[\w:<>*&~]+::[\w:<>*&~]+\((?:[^()]|\([^()]*\))*\)(?: const)?"
)
_CONDITION = re.compile(r"(?<=[ :])[^.': ][^.':]*(?:::[^.':]*)* was false\. (?=\S)")
_CHECK = re.compile(r"^.*Check failed: \(.*?\) is false:?")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")
_TENSOR = re.compile(r"\(?tensor\((\w+)\)\)?")
_CLASS = re.compile(r"<class '([\w.]+)'>")
_NODES = (  # as each of them is named by ONNX Runtime: operator and node
    r"Non-zero status code returned while running (?P<op>\w+) node\. Name: ?'(?P<node>[^']*)' "
    r"Status Message: ",
    r"Node:? \((?P<node>[^)]*)\) Op:? \((?P<op>\w+)\) (?:\[\w+\] )?",
    r"This is an invalid model\. In Node, \(\"(?P<node>[^\"]*)\", (?P<op>\w+), .*? , Error ",
)
_CHECKED = re.compile(r"(?:Bad node spec for node\. )?\b[Nn]ame: (\S*) OpType: (\w+)")
_TYPES = {"float": "float32", "double": "float64"}
_DUMP = re.compile(r"\b(?:R|T|I|ir|relax|tirx)\.\w+[(\[]|span=|Traceback|\bExpr\b")


def plain(text: str) -> str:
    """A library's message in one line of words: without status codes, places in its sources,
    signatures, addresses, and with types by the names that they have elsewhere here.

    Empty where the message shows a data structure of the library: nobody could read it.
    """
    text = _STATUS.sub("", text)
    for pattern in _NODES:
        text = re.sub(pattern, _named, text)
    for noise in (_PLACE, _SIGNATURE, _CONDITION, _CHECK, _ADDRESS):
        text = noise.sub("", text)
    text = _TENSOR.sub(lambda found: _TYPES.get(found[1], found[1]), text)
    text = _CLASS.sub(lambda found: found[1], text)
    text = _CHECKED.sub(r"\2 \1", " ".join(text.split()))
    text = re.sub(r"\s+([.,;:])", r"\1", text).strip(".,:; ")
    if _DUMP.search(text):
        return ""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _named(found: re.Match[str]) -> str:
    return f"{found['op']} (node {found['node']}): " if found["node"] else f"{found['op']}: "
