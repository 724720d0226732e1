"""Names of a Relax function's bindings that tell which nodes of the ONNX model they came of.

Most of TVM's passes keep the names of what they rewrite, and keep nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from engine.graph.feeding import Owners, consumers_share
from engine.models.free_names import free_names
from engine.models.relax.calls import with_main

_NAME = re.compile(r"node((?:\d+x)*\d+)(?:_\d+)?")
_ADDED = "layout"


@contextmanager
def noting_results() -> Iterator[dict[Any, int]]:
    """Have TVM's front end note what each node becomes: places of nodes by TVM's expressions.

    The caller sees to it that one thread does so at a time.
    """
    from tvm.relax.frontend.onnx import onnx_frontend

    plain = onnx_frontend.ONNXGraphImporter
    results: dict[Any, int] = {}

    class Noting(plain):  # type: ignore[misc, valid-type]
        """Converts nodes one by one."""

        def _construct_nodes(self, graph: Any) -> None:
            for place, node in enumerate(graph.node):
                super()._construct_nodes(SimpleNamespace(node=[node]))
                for name in node.output:
                    if name and name in self._nodes:
                        results.setdefault(self._nodes[name], place)

    onnx_frontend.ONNXGraphImporter = Noting
    try:
        yield results
    finally:
        onnx_frontend.ONNXGraphImporter = plain


def name_bindings(module: Any, results: dict[Any, int] | None = None) -> Any:
    """The module with every binding of `main` named after the nodes that it came of.

    `results` are those of `noting_results`; without them, the names that are there tell it. A
    binding between, which is no node's result, came of what the bindings that read it came of.
    """
    bindings = list(bindings_of(module["main"]))
    known = [owners_of(binding.var) for binding in bindings]
    owners = known if results is None else [_noted(results, binding) for binding in bindings]
    filled = consumers_share(owners, places_read(bindings))
    names = ["" if own else _name(item) for own, item in zip(known, filled, strict=True)]
    return _renamed(module, names)


def name_added(before: Any, after: Any) -> Any:
    """`after`, made of `before` by a change of layout, with names for the bindings that it added.

    A result of the model keeps its variable for the tensor in its old layout; the name goes back
    to the binding that computes it.
    """
    kinds = {str(binding.var.name): _kind(binding) for binding in bindings_of(before["main"])}
    bindings = list(bindings_of(after["main"]))
    reads = places_read(bindings)
    names = ["" if owners_of(binding.var) else _ADDED for binding in bindings]
    for place, binding in enumerate(bindings):
        name = str(binding.var.name)
        kind, at = kinds.get(name), place
        while names[place] == "" and _kind(bindings[at]) != kind and len(reads[at]) == 1:
            (at,) = reads[at]
            if names[at] != _ADDED:
                break
            if _kind(bindings[at]) == kind:
                names[at], names[place] = _name(owners_of(binding.var)), _ADDED
    return _renamed(after, names)


def name_joined(module: Any, joined: Mapping[str, Iterable[str]], before: Any) -> Any:
    """The module with bindings named after the nodes of several of `before`, by their names."""
    known = {
        str(binding.var.name): owners_of(binding.var) for binding in bindings_of(before["main"])
    }
    none = frozenset[int]()
    names = [
        _name(
            none.union(*(known.get(name, none) for name in joined.get(str(binding.var.name), ())))
        )
        for binding in bindings_of(module["main"])
    ]
    return _renamed(module, names)


def owners_of(var: Any) -> Owners:
    """The places of the ONNX model's nodes that a variable's name tells."""
    match = _NAME.fullmatch(str(var.name))
    return frozenset(map(int, match[1].split("x"))) if match else frozenset()


def is_added(var: Any) -> bool:
    """Whether a variable's name says that a change of layout needed it."""
    return str(var.name).startswith(_ADDED)


def is_named(module: Any) -> bool:
    """Whether `main`'s bindings tell where they come from."""
    return any(owners_of(binding.var) for binding in bindings_of(module["main"]))


def bindings_of(function: Any) -> Iterator[Any]:
    """All bindings of a Relax function, in order."""
    for block in function.body.blocks:
        yield from block.bindings


def leaves(value: Any) -> Iterator[Any]:
    """The expressions that a bound value of normal form is made of, without what they hold."""
    from tvm import relax

    if isinstance(value, relax.Call):
        for argument in value.args:
            yield from leaves(argument)
    elif isinstance(value, relax.Tuple):
        for item in value.fields:
            yield from leaves(item)
    elif isinstance(value, relax.TupleGetItem):
        yield from leaves(value.tuple_value)
    else:
        yield value


def _kind(binding: Any) -> str:
    """The operator of a binding's call."""
    return str(getattr(binding.value, "op", ""))


def _noted(results: dict[Any, int], binding: Any) -> Owners:
    place = results.get(binding.value, results.get(binding.var))
    return frozenset() if place is None else frozenset((place,))


def places_read(bindings: list[Any]) -> list[list[int]]:
    """For each binding the places of those that it reads."""
    places = {binding.var: place for place, binding in enumerate(bindings)}
    return [[places[leaf] for leaf in leaves(b.value) if leaf in places] for b in bindings]


def _name(owners: Owners) -> str:
    return f"node{'x'.join(map(str, sorted(owners)))}" if owners else ""


def _renamed(module: Any, names: list[str]) -> Any:
    """The module with these names for `main`'s bindings, in order; "" leaves one as it is."""
    from tvm import relax

    main = module["main"]
    bindings = list(bindings_of(main))
    free = free_names({str(binding.var.name) for binding in bindings})
    pairs = zip(bindings, names, strict=True)
    variables = {binding.var: free(name) for binding, name in pairs if name}
    if not variables:
        return module

    @relax.expr_functor.mutator
    class Renaming(relax.PyExprMutator):  # type: ignore[misc]
        """Makes the variables anew."""

        def visit_var_def_(self, var: Any) -> Any:
            return self._made(var, relax.Var)

        def visit_dataflow_var_def_(self, var: Any) -> Any:
            return self._made(var, relax.DataflowVar)

        def _made(self, var: Any, kind: Callable[[str, Any], Any]) -> Any:
            if var not in variables:
                return var
            made = kind(variables[var], var.ty)
            self.set_var_remap(var, made)
            return made

    body = Renaming().visit_expr(main.body)
    renamed = relax.Function(main.params, body, main.ret_ty, main.is_pure, main.attrs)
    return with_main(module, renamed)
