"""The texts of the engine that a person may read, found in its sources, for `make translations`.

That is what is written in a `Sentence` or a `counting`, and what an error, an event or a choice of
a policy is made of where it has no values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "engine"
ERROR = "TunewrightError"
PLACES = {
    "Message": (1,),
    "Failure": (0, 1),
    "RunChanged": (2,),
    "TaskChanged": (2,),
    "Choice": (1,),
    "wrong": (1, 2),
    "say": (0,),
    "_say": (0,),
}
"""Which arguments are texts for a person; of an error it is the first two."""
_CHOICE = 3  # arguments of a policy's choice at most; another kind of choice has more
NAMES = frozenset({"what", "todo", "text", "reason"})
MAKERS = {"Sentence": (0,), "counting": (1, 2)}
"""Which arguments are templates."""


@cache
def trees() -> dict[Path, ast.Module]:
    """The engine's files."""
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(ENGINE.rglob("*.py"))}


@cache
def error_kinds() -> frozenset[str]:
    """The names of the classes of errors that a person can meet, but for those that are made of
    something else than two texts."""
    return frozenset(made.name for made in _classes() if _init(made) is None) | {ERROR}


@cache
def _classes() -> tuple[ast.ClassDef, ...]:
    """Those of errors that a person can meet."""
    nodes = [node for tree in trees().values() for node in ast.walk(tree)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    found = {ERROR}
    while more := {
        made.name
        for made in classes
        if made.name not in found and any(getattr(base, "id", "") in found for base in made.bases)
    }:
        found |= more
    return tuple(made for made in classes if made.name in found - {ERROR})


def _init(made: ast.ClassDef) -> ast.FunctionDef | None:
    inits = (item for item in made.body if getattr(item, "name", "") == "__init__")
    return next((item for item in inits if isinstance(item, ast.FunctionDef)), None)


@cache
def _own_texts() -> frozenset[ast.Call]:
    """Where errors that are made of something else hand their texts on."""
    return frozenset(
        call
        for made in _classes()
        if (init := _init(made)) is not None
        for call in ast.walk(init)
        if isinstance(call, ast.Call) and called(call) == "__init__"
    )


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def texts_for_a_person(call: ast.Call) -> Iterator[ast.expr]:
    """What a call is given that a person is to read, but for templates; both ways of a choice."""
    name = called(call)
    places = (0, 1) if name in error_kinds() or call in _own_texts() else PLACES.get(name, ())
    if name == "Choice" and len(call.args) > _CHOICE:
        places = ()
    for place in places:
        if place < len(call.args):
            yield from either(call.args[place])
    for keyword in call.keywords if places else ():
        if keyword.arg in NAMES:
            yield from either(keyword.value)


def either(text: ast.expr) -> Iterator[ast.expr]:
    """The text, or both that it may be."""
    if isinstance(text, ast.IfExp):
        yield from either(text.body)
        yield from either(text.orelse)
    else:
        yield text


def templates() -> set[str]:
    """All templates of the engine, and its texts for a person that have no values."""
    return {
        text.value
        for tree in trees().values()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for text in (*_templates(call), *texts_for_a_person(call))
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value
    }


def _templates(call: ast.Call) -> Iterator[ast.expr]:
    for place in MAKERS.get(called(call), ()):
        if place < len(call.args):
            yield from either(call.args[place])
