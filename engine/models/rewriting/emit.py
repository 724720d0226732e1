"""Makes the nodes that take another node's place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from onnx import NodeProto, TensorProto

    from engine.models.rewriting.facts import Facts

Names = Callable[[str], str]

MAX_NODES = 20_000
"""No node is rewritten into more: TVM would read them for many minutes."""

_JOINED = 16


class Declined(Exception):
    """A rule does not apply to a node; the reason is for a person, "" where there is none."""


class Refused(Declined):
    """A node that TVM would take and compute something else for."""


class Emitter:
    """Collects nodes and constants whose names derive from the node they replace: "node/part".

    Values are passed by name. Calling it adds a node and returns its (first) output.
    """

    def __init__(self, node: NodeProto, facts: Facts, fresh: Names) -> None:
        self.node = node
        self.facts = facts
        self.base = node.name or next(name for name in node.output if name)
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self.absorbed: list[NodeProto] = []
        self._fresh = fresh

    def __call__(
        self,
        op: str,
        *inputs: str,
        part: str = "",
        out: str | Sequence[str] = "",
        domain: str = "",
        **attributes: Any,
    ) -> str:
        """Add a node; `out` are its outputs' names where they are given."""
        from onnx import helper

        name = self.name(part or op.lower())
        outputs = [out or name] if isinstance(out, str) else list(out)
        made = helper.make_node(
            op, list(inputs), outputs, name=name, domain=domain or None, **attributes
        )
        self.append(made)
        return outputs[0]

    def append(self, node: NodeProto) -> None:
        """Add a node made elsewhere; Declined where they become too many."""
        if len(self.nodes) >= MAX_NODES:
            raise Declined(f"it would become more than {MAX_NODES} operators")
        self.nodes.append(node)

    def absorb(self, *nodes: NodeProto | None) -> None:
        """Say that the new nodes do the work of these as well, if nothing else reads them."""
        self.absorbed += [n for n in nodes if n is not None and self.facts.uses(n.output[0]) == 1]

    def name(self, part: str) -> str:
        """A name that nothing in the model has."""
        return self._fresh(f"{self.base}/{part}")

    def input(self, place: int) -> str:
        """The node's input at a place, "" where it has none."""
        return self.node.input[place] if place < len(self.node.input) else ""

    def output(self, place: int) -> str:
        """The node's output at a place, "" where nothing wants it."""
        return self.node.output[place] if place < len(self.node.output) else ""

    def attribute(self, name: str, default: Any) -> Any:
        """An attribute's value, texts decoded."""
        from onnx import helper

        for attribute in self.node.attribute:
            if attribute.name == name:
                value = helper.get_attribute_value(attribute)
                if isinstance(value, bytes):
                    return value.decode()
                if isinstance(value, list) and value and isinstance(value[0], bytes):
                    return [text.decode() for text in value]
                return value
        return default

    def shape(self, name: str) -> tuple[int, ...]:
        """A value's shape; Declined where it is not known."""
        shape = self.facts.shape(name)
        if shape is None:
            raise Declined(f"the shape of {name} is not known")
        return shape

    def value(self, name: str, what: str) -> np.ndarray:
        """A constant's value; Declined, naming `what`, where it is none."""
        value = self.facts.value(name)
        if value is None:
            raise Declined(f"{what} must be constant")
        return value

    def dtype(self, name: str) -> np.dtype[Any]:
        """A value's NumPy type; Declined where it is not known."""
        from onnx import helper

        made = {tensor.name: tensor.data_type for tensor in self.constants}
        kind = made.get(name) or self.facts.type(name)
        if not kind:
            raise Declined(f"the type of {name} is not known")
        dtype: np.dtype[Any] = helper.tensor_dtype_to_np_dtype(kind)
        return dtype

    def common_dtype(self) -> np.dtype[Any]:
        """The NumPy type of inputs that share one, by the first whose type is known.

        The weights' type is, before the data's: no round of rewriting need wait for that.
        """
        known = [name for name in self.node.input if self.facts.type(name)]
        return self.dtype(known[0] if known else self.input(0))

    def constant(self, value: Any, dtype: Any, part: str = "constant") -> str:
        import numpy as np
        from onnx import numpy_helper

        name = self.name(part)
        self.constants.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def scalar(self, value: float, like: str, part: str = "number") -> str:
        """A number in the type of the value `like`."""
        return self.constant(value, self.dtype(like), part)

    def ints(self, *values: int, part: str = "ints") -> str:
        """Store a list of int64."""
        return self.constant(values, "int64", part)

    def cast(self, x: str, dtype: str, out: str = "", part: str = "cast") -> str:
        """x in another NumPy type."""
        import numpy as np
        from onnx import helper

        kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        return self("Cast", x, to=kind, out=out, part=part)

    def reshape(self, x: str, *shape: int, out: str = "", part: str = "reshape") -> str:
        return self("Reshape", x, self.ints(*shape, part=f"{part}_shape"), out=out, part=part)

    def slice(self, x: str, axis: int, start: int, stop: int, part: str = "slice") -> str:
        """x[..., start:stop, ...] along an axis."""
        if self.facts.opset < 10:
            return self("Slice", x, axes=[axis], starts=[start], ends=[stop], part=part)
        ends = [self.ints(number, part=f"{part}_at") for number in (start, stop, axis)]
        return self("Slice", x, *ends, part=part)

    def unsqueeze(self, x: str, *axes: int, out: str = "", part: str = "unsqueeze") -> str:
        """x with axes of size 1 put in."""
        if self.facts.opset < 13:
            return self("Unsqueeze", x, axes=axes, out=out, part=part)
        return self("Unsqueeze", x, self.ints(*axes, part=f"{part}_axes"), out=out, part=part)

    def reduce(self, op: str, x: str, axis: int, *, keep: bool = True, out: str = "") -> str:
        """x reduced along an axis; which form that takes depends on operator and version."""
        options: dict[str, Any] = {"keepdims": int(keep), "out": out, "part": op.lower()}
        if self.facts.opset < (13 if op == "ReduceSum" else 18):
            return self(op, x, axes=[axis], **options)
        return self(op, x, self.ints(axis, part="axes"), **options)

    def concat(self, parts: Sequence[str], axis: int, out: str = "", part: str = "concat") -> str:
        """All parts in a row. Many are joined in groups of groups.

        TVM compares an index with every part in turn, and a kernel takes each as an argument.
        """
        while len(parts) > _JOINED:
            groups = [parts[at : at + _JOINED] for at in range(0, len(parts), _JOINED)]
            parts = [self("Concat", *group, axis=axis, part=part) for group in groups]
        return self("Concat", *parts, axis=axis, out=out, part=part)

    def identity(self, x: str, out: str) -> None:
        """Give x to the output `out`."""
        self("Identity", x, out=out)
