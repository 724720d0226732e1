"""The lowered main function as plain steps over values, in execution order."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.models.relax.binding_names import bindings_of
from engine.models.relax.importing import INPUT_NAMES
from engine.records.errors import ModelError
from engine.records.sentences import Sentence
from engine.records.task import TensorSpec

_RESHAPES = ("relax.reshape", "relax.flatten", "relax.squeeze", "relax.expand_dims")


@dataclass(frozen=True, slots=True)
class Value:
    """One tensor of the program. `alias_of` names the value whose memory it is a view of.

    `data` is the constant's content (a TVM tensor), None for everything else.
    """

    id: int
    spec: TensorSpec
    kind: Literal["input", "constant", "intermediate"]
    name: str = ""
    data: Any = None
    alias_of: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One kernel call: `function` reads the values `inputs` and writes the values `outputs`.

    `binding` is its place among the bindings of the module's `main`.
    """

    function: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    binding: int = field(default=-1, compare=False)


@dataclass(slots=True)
class Dataflow:
    """A whole program: `values` by id, `steps` in order, ids of its inputs and outputs."""

    values: list[Value] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()

    def add(
        self, spec: TensorSpec, kind: Literal["input", "constant", "intermediate"], **more: Any
    ) -> int:
        self.values.append(Value(len(self.values), spec, kind, **more))
        return len(self.values) - 1

    def root(self, value: int) -> int:
        """The value whose memory this one uses."""
        while (alias := self.values[value].alias_of) is not None:
            value = alias
        return value


def functions_of(module: Any) -> dict[str, Any]:
    """A module's functions by name."""
    return {str(var.name_hint): function for var, function in module.functions.items()}


def read_dataflow(module: Any) -> Dataflow:
    """The steps of a module's `main`, which must be straight-line code over `call_tir`.

    Raises ModelError where something else is left, such as control flow or a dynamic shape.
    """
    return _Reader(module).read()


Nested = int | tuple["Nested", ...]


class _Reader:
    """Walks the bindings of one Relax function."""

    def __init__(self, module: Any) -> None:
        from tvm import relax
        from tvm.ir import GenericConst

        self._relax = relax
        self._constant_type = GenericConst
        self._module = module
        self._main = module["main"]
        self._flow = Dataflow()
        self._values: dict[Any, Nested] = {}
        self._constants: dict[Any, int] = {}

    def read(self) -> Dataflow:
        flow = self._flow
        for parameter, name in zip(self._main.params, self._input_names(), strict=True):
            self._values[parameter] = flow.add(self._spec(parameter.ty), "input", name=name)
        flow.inputs = tuple(range(len(self._main.params)))
        for place, binding in enumerate(bindings_of(self._main)):
            if isinstance(binding, self._relax.MatchCast):
                raise ModelError("The model checks shapes while it runs.", "Give static shapes.")
            self._values[binding.var] = self._bind(binding.value, place)
        flow.outputs = tuple(_flatten(self._lookup(self._main.body.body)))
        return flow

    def _input_names(self) -> list[str]:
        """As the model has them; TVM's variables may be named otherwise."""
        attrs = self._main.attrs
        if attrs is not None and INPUT_NAMES in attrs:
            return list(json.loads(str(attrs[INPUT_NAMES])))
        return [str(parameter.name) for parameter in self._main.params]

    def _bind(self, expr: Any, place: int) -> Nested:
        relax = self._relax
        if not isinstance(expr, relax.Call):
            return self._lookup(expr)
        name = getattr(expr.op, "name", str(expr.op))
        if name == "relax.call_tir":
            return self._call(expr, place)
        if name in _RESHAPES:
            source = _single(self._lookup(expr.args[0]))
            return self._flow.add(self._spec(expr.ty), "intermediate", alias_of=source)
        raise ModelError(
            Sentence(
                "The model still holds {operator} after lowering, which has no static kernel.",
                operator=name.removeprefix("relax."),
            ),
            "Export it with static shapes and without control flow.",
        )

    def _call(self, call: Any, place: int) -> Nested:
        if len(call.args) > 2:
            raise ModelError("The model's shapes depend on its data.", "Give static shapes.")
        inputs = tuple(_flatten(self._lookup(call.args[1])))
        if self._is_reshape(call):
            return self._flow.add(self._spec(call.ty), "intermediate", alias_of=inputs[0])
        result = self._allocate(call.ty)
        outputs = tuple(_flatten(result))
        self._flow.steps.append(Step(str(call.args[0].name_hint), inputs, outputs, place))
        return result

    def _is_reshape(self, call: Any) -> bool:
        kernel = self._module[call.args[0]]
        return bool(self._relax.analysis.has_reshape_pattern(kernel))

    def _allocate(self, ty: Any) -> Nested:
        if isinstance(ty, self._relax.TupleType):
            return tuple(self._allocate(item) for item in ty.fields)
        return self._flow.add(self._spec(ty), "intermediate")

    def _lookup(self, expr: Any) -> Nested:
        relax = self._relax
        if isinstance(expr, relax.Tuple):
            return tuple(self._lookup(item) for item in expr.fields)
        if isinstance(expr, relax.TupleGetItem):
            whole = self._lookup(expr.tuple_value)
            assert isinstance(whole, tuple)
            return whole[int(expr.index)]
        if isinstance(expr, self._constant_type):
            return self._constant(expr)
        if expr in self._values:
            return self._values[expr]
        raise ModelError(
            "The model holds a value that is no tensor.",
            "Export it with static shapes.",
        )

    def _constant(self, expr: Any) -> int:
        if expr not in self._constants:
            tensor = expr.value
            spec = TensorSpec(tuple(int(n) for n in tensor.shape), str(tensor.dtype))
            self._constants[expr] = self._flow.add(spec, "constant", data=tensor)
        return self._constants[expr]

    def _spec(self, ty: Any) -> TensorSpec:
        try:
            return TensorSpec(tuple(int(n) for n in ty.shape), str(ty.dtype))
        except (TypeError, AttributeError):
            raise ModelError(
                "A tensor of the model has no static shape.", "Give static shapes."
            ) from None


def _flatten(nested: Nested) -> list[int]:
    if isinstance(nested, int):
        return [nested]
    return [leaf for item in nested for leaf in _flatten(item)]


def _single(nested: Nested) -> int:
    (leaf,) = _flatten(nested)
    return leaf
