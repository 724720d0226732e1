"""What the engine says can be said in another language: no text for a person is put together."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from string import Formatter

from app.process.engine_texts import (
    ENGINE,
    MAKERS,
    PLACES,
    called,
    either,
    texts_for_a_person,
    trees,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.Module | Function
# What hands on what it was given, as it is.
_HANDED_ON = {"what", "todo", "reason", "note"}
_SAYS = re.compile("Sentence|Doing")
_WORDS = re.compile(r"[^\W\d_]{2,}")
# What an error that a person meets is told by: the argument is the reason, a value of its sentence.
REASONS = {
    "Refused": 0,
    "CannotConvert": 0,
    "NotReplayable": 0,
    "NoServer": 0,
    "Unreachable": 0,
    "refusal": 1,
}
# How many of these, by file, are still English in any language. None may come in.
NOT_YET = {
    "measure/remote/dask_link.py": 1,
    "measure/remote/rpc_runner.py": 1,
    "models/pt2/arguments.py": 5,
    "models/pt2/static.py": 3,
    "models/relax/reductions.py": 1,
    "models/relax/tensor_ops.py": 1,
    "models/rewriting/casts.py": 3,
    "models/rewriting/normalisations.py": 2,
    "models/rewriting/rules.py": 2,
    "models/rewriting/selection.py": 2,
    "models/rewriting/sequences.py": 6,
    "models/rewriting/spatial/deformed.py": 1,
    "models/rewriting/spatial/images.py": 1,
    "models/rewriting/spatial/pooling.py": 1,
    "models/rewriting/spatial/resizing.py": 2,
    "models/rewriting/tensors.py": 6,
    "models/rewriting/widths.py": 5,
    "models/tflite/converter.py": 1,
    "search/replayer.py": 6,
}
NAMES = ("tunewright", "oracle", "'tunewright[")  # which are no words
HERE = "records/sentences.py"
ENGLISH = "interface/"  # lines for the command line and programs, which speak English


def scopes(tree: ast.Module) -> Iterator[tuple[Scope, ast.Call]]:
    """Each call with the innermost function around it."""

    def walk(node: ast.AST, scope: Scope) -> Iterator[tuple[Scope, ast.Call]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call):
                yield scope, child
            yield from walk(child, child if isinstance(child, Function) else scope)

    return walk(tree, tree)


def assigned(scope: ast.AST, name: str) -> list[ast.expr]:
    """What a name is set to in a function or module."""
    found = []
    nodes: list[ast.AST] = [*scope.body] if isinstance(scope, ast.Module) else [*ast.walk(scope)]
    for node in nodes:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            targets = [node.target]
        for target in targets:
            value = getattr(node, "value", None)
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            else:
                pairs = [(target, value)] if value is not None else []
            found += [
                each
                for part, said in pairs
                if getattr(part, "id", "") == name and said is not None
                for each in either(said)
            ]
    return found


@cache
def sayers() -> frozenset[str]:
    """Functions that return a Sentence, which mypy holds them to."""
    return frozenset(
        node.name
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, Function)
        and node.returns is not None
        and "Sentence" in ast.unparse(node.returns)
    ) | {*MAKERS, "together", "restored"}


@cache
def constants() -> frozenset[str]:
    """Names of modules and classes that are a Sentence."""
    found = set()
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef):
                for item in node.body:
                    if isinstance(item, ast.Assign) and _is_said(item.value):
                        found |= {ast.unparse(target) for target in item.targets}
                    if isinstance(item, ast.AnnAssign) and "Sentence" in ast.unparse(
                        item.annotation
                    ):
                        found.add(ast.unparse(item.target))
    return frozenset(found)


def _is_said(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and called(value) in sayers()


def said_well(text: ast.expr, scope: ast.Module | Function, tree: ast.Module) -> bool:
    """Whether a text for a person is in the form that can be translated."""
    match text:
        case ast.Constant() | ast.Starred():  # what is handed on by a `say` of all it is told
            return True
        case ast.Call():
            return called(text) in sayers() or called(text) in PLACES  # which is looked at itself
        case ast.Attribute(attr=name, value=of):
            known = name in constants() or ast.unparse(of)[:1].isupper()  # of an Enum
            return name in _HANDED_ON or known
        case ast.Name(id=name):
            return _name_said_well(name, scope, tree)
    return False


def _name_said_well(name: str, scope: ast.Module | Function, tree: ast.Module) -> bool:
    if not isinstance(scope, ast.Module):
        if own := assigned(scope, name):
            return all(not _bare(each) and said_well(each, scope, tree) for each in own)
        arguments = scope.args.args + scope.args.kwonlyargs + scope.args.posonlyargs
        if kinds := [each.annotation for each in arguments if each.arg == name]:
            return kinds[0] is not None and bool(_SAYS.search(ast.unparse(kinds[0])))
    if of_module := assigned(tree, name):
        return all(not _bare(each) and said_well(each, tree, tree) for each in of_module)
    return name in constants()


def _bare(text: ast.expr) -> bool:
    """A text that no template marks."""
    return isinstance(text, ast.Constant) and isinstance(text.value, str) and bool(text.value)


def words_in(value: ast.expr, scope: ast.Module | Function) -> bool:
    """Whether a value of a sentence has words of its own, which stay English."""
    match value:
        case ast.Constant(value=str() as text):
            return text not in NAMES and bool(_WORDS.search(text))
        case ast.JoinedStr(values=parts):
            return any(isinstance(part, ast.Constant) and words_in(part, scope) for part in parts)
        case ast.IfExp() | ast.BoolOp():
            ways = value.values if isinstance(value, ast.BoolOp) else list(either(value))
            return any(words_in(each, scope) for each in ways)
        case ast.Name(id=name) if not isinstance(scope, ast.Module):
            return any(words_in(each, scope) for each in assigned(scope, name) if each is not value)
        case ast.BinOp(left=left, right=right):
            return words_in(left, scope) or words_in(right, scope)
    return False


def faults() -> Iterator[tuple[str, int, str]]:
    """Each text for a person that cannot be translated: file, line, text."""
    for path, tree in trees().items():
        name = path.relative_to(ENGINE).as_posix()
        if name == HERE:
            continue
        for scope, call in scopes(tree):
            for text in texts_for_a_person(call):
                english = name.startswith(ENGLISH) and called(call) == "say"
                if not english and not said_well(text, scope, tree):
                    yield name, text.lineno, ast.unparse(text)
            if called(call) in MAKERS:
                for place in MAKERS[called(call)]:
                    for text in either(call.args[place]):
                        if not isinstance(text, ast.Constant):
                            yield name, text.lineno, ast.unparse(text)
                for keyword in call.keywords:
                    if words_in(keyword.value, scope):
                        yield name, call.lineno, ast.unparse(keyword)


def bare_reasons() -> Iterator[tuple[str, int, str]]:
    """Each reason that no template has: file, line, text."""
    for path, tree in trees().items():
        for scope, call in scopes(tree):
            place = REASONS.get(called(call))
            file = path.relative_to(ENGINE).as_posix()
            other = called(call) == "refusal" and not file.startswith("models/pt2")
            if place is None or place >= len(call.args) or other:
                continue
            for text in either(call.args[place]):
                if not isinstance(text, ast.Attribute | ast.Subscript) and (
                    _bare(text) or not said_well(text, scope, tree)
                ):
                    yield file, text.lineno, ast.unparse(text)


def test_every_text_of_the_engine_for_a_person_is_a_template_with_values() -> None:
    found = [f"engine/{file}:{line}: {text}" for file, line, text in faults()]
    assert found == []


def test_no_more_reasons_are_english_in_every_language() -> None:
    found = list(bare_reasons())
    told = "\n".join(f"engine/{file}:{line}: {text}" for file, line, text in found)
    assert Counter(file for file, _, _ in found) == Counter(NOT_YET), told


def test_every_template_has_the_fields_that_it_is_given() -> None:
    wrong = []
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or called(node) not in MAKERS or not node.keywords:
                continue
            given = {each.arg for each in node.keywords} | {"n"}
            for place in MAKERS[called(node)]:
                for text in either(node.args[place]):
                    if not isinstance(text, ast.Constant) or None in given:
                        continue
                    parts = Formatter().parse(str(text.value))
                    fields = {name for _, name, _, _ in parts if name}
                    if fields | {"n"} != given:
                        wrong.append(f"{path.name}:{node.lineno}: {text.value!r}")
    assert wrong == []
