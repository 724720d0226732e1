"""Attention in the forms that exporters write it, of x (2, 6, 32): 2 heads of 16."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto

from tests.engine.models.build import Value, model
from tests.engine.tasks.networks import BOOL, FLOAT, HALF, node, outputs, weight

BATCH, ROWS, WIDTH, HEADS, DIM = 2, 6, 32, 2, 16
LOWEST = float(np.finfo(np.float32).min)


@dataclass
class Form:
    """Nodes and constants of a model as they come."""

    nodes: list[NodeProto] = field(default_factory=list)
    weights: dict[str, np.ndarray] = field(default_factory=dict)
    inputs: list[Value] = field(default_factory=lambda: [("x", FLOAT, [BATCH, ROWS, WIDTH])])
    opset: int = 18
    domains: Sequence[str] = ()
    kind: int = FLOAT

    def add(self, kind: str, inputs: str, output: str = "", **attributes: Any) -> str:
        """The output's name of a node that is added."""
        output = output or f"t{len(self.nodes)}"
        self.nodes.append(node(kind, inputs, output, **attributes))
        return output.split()[0]

    def const(self, value: Any, dtype: Any = np.float32) -> str:
        """The name of a constant that is added."""
        name = f"c{len(self.weights)}"
        self.weights[name] = np.asarray(value, dtype)
        return name

    def ints(self, *values: int) -> str:
        return self.const(values, np.int64)

    def dense(self, given: str, columns: int = WIDTH, depth: int = WIDTH, bias: bool = True) -> str:
        """A product with constant weights, and its bias."""
        seed = len(self.weights)
        made = self.add("MatMul", f"{given} {self.const(weight(columns, depth, seed=seed).T)}")
        if not bias:
            return made
        return self.add("Add", f"{made} {self.const(weight(columns, seed=seed + 1))}")

    def reshape(self, given: str, *shape: int) -> str:
        return self.add("Reshape", f"{given} {self.ints(*shape)}")

    def turn(self, given: str, *perm: int) -> str:
        return self.add("Transpose", given, perm=perm)

    def headed(self, given: str, *perm: int, heads: int = HEADS) -> str:
        """(batch, rows, heads * dim) as heads, the axes in this order."""
        return self.turn(self.reshape(given, BATCH, -1, heads, DIM), *perm)

    def end(self, given: str, rows: int = ROWS) -> None:
        """(batch, heads, rows, dim) as rows again, and the product that follows."""
        self.add(
            "Identity", self.dense(self.reshape(self.turn(given, 0, 2, 1, 3), BATCH, rows, -1)), "y"
        )

    def made(self, *more: str) -> ModelProto:
        return model(
            self.nodes,
            self.inputs,
            outputs("y", *more, kind=self.kind),
            self.weights,
            opset=self.opset,
            domains=self.domains,
        )

    def projected(self, *perms: Sequence[int]) -> list[str]:
        return [self.headed(self.dense("x"), *perm) for perm in perms]


_ROWS_FIRST, _TURNED = (0, 2, 1, 3), (0, 2, 3, 1)
_SPREAD = math.sqrt(DIM)


def divided_scores() -> Form:
    """BERT by torch.onnx of old: keys turned round at once, an added mask of each sequence."""
    made = Form()
    made.inputs.append(("mask", FLOAT, [BATCH, 1, 1, ROWS]))
    q, k, v = made.projected(_ROWS_FIRST, _TURNED, _ROWS_FIRST)
    scores = made.add("Div", f"{made.add('MatMul', f'{q} {k}')} {made.const(_SPREAD)}")
    shares = made.add("Softmax", made.add("Add", f"{scores} mask"), axis=-1)
    made.end(made.add("MatMul", f"{shares} {v}"))
    return made


def scaled_sum() -> Form:
    """A mask that is added before the scores are scaled."""
    made = divided_scores()
    add = next(one for one in made.nodes if "mask" in one.input)
    divide = next(one for one in made.nodes if one.output[0] == add.input[0])
    add.input[0], divide.input[0] = divide.input[0], "masked"
    made.nodes.remove(add)
    made.nodes.insert(made.nodes.index(divide), add)
    softmax = next(one for one in made.nodes if one.op_type == "Softmax")
    add.output[0], softmax.input[0] = "masked", divide.output[0]
    return made


def scaled_operands() -> Form:
    """Factors of queries, keys, values and the result, each another one."""
    made = Form()
    names = made.projected(_ROWS_FIRST, _TURNED, _ROWS_FIRST)
    q, k, v = (
        made.add(kind, f"{name} {made.const(factor)}")
        for name, kind, factor in zip(names, ("Mul", "Div", "Mul"), (0.25, 0.5, 3.0), strict=True)
    )
    scores = made.add("Mul", f"{made.add('MatMul', f'{q} {k}')} {made.const(0.75)}")
    found = made.add("MatMul", f"{made.add('Softmax', scores, axis=-1)} {v}")
    made.end(made.add("Mul", f"{found} {made.const(0.5)}"))
    return made


def root_scales(hidden: bool = True) -> Form:
    """scaled_dot_product_attention by torch: root of the scale on both sides, NaN cleaned."""
    made = Form()
    q, k, v = made.projected(_ROWS_FIRST, _ROWS_FIRST, _ROWS_FIRST)
    flat = made.turn(made.reshape(k, BATCH * HEADS, ROWS, DIM), 0, 2, 1)
    root = made.const(DIM**-0.25)
    left = made.add("Mul", f"{q} {root}")
    right = made.add("Mul", f"{made.reshape(flat, BATCH, HEADS, DIM, ROWS)} {root}")
    scores = made.add("MatMul", f"{left} {right}")
    if hidden:
        made.inputs.append(("seen", BOOL, [BATCH, 1, ROWS, ROWS]))
        mask = made.add("Where", f"seen {made.const(0.0)} {made.const(-np.inf)}")
        scores = made.add("Add", f"{scores} {mask}")
    shares = made.add("Softmax", scores, axis=-1)
    shares = made.add("Where", f"{made.add('IsNaN', shares)} {made.const(0.0)} {shares}")
    made.end(made.add("MatMul", f"{shares} {v}"))
    return made


def dead_rows() -> Form:
    """The same, decomposed: rows of scores that are all -inf are found before the softmax."""
    made = root_scales()
    place = next(i for i, one in enumerate(made.nodes) if one.op_type == "Softmax")
    scores, low = made.nodes[place].input[0], made.const(-np.inf)
    test = next(one for one in made.nodes if one.op_type == "IsNaN")
    (found,) = test.output
    made.nodes.remove(test)
    made.nodes[place:place] = [
        node("Equal", f"{scores} {low}", "low"),
        node("Not", "low", "kept"),
        node("Cast", "kept", "kept_number", to=FLOAT),
        node("ReduceMax", f"kept_number {made.ints(-1)}", "any_kept", keepdims=1),
        node("Cast", "any_kept", "alive", to=BOOL),
        node("Not", "alive", found),
    ]
    return made


def chosen_scores(value: float = -np.inf) -> Form:
    """A choice in place of an added mask, as masked_fill becomes: where to hide scores."""
    made = Form()
    made.inputs.append(("hide", BOOL, [BATCH, 1, ROWS, ROWS]))
    q, k, v = made.projected(_ROWS_FIRST, _TURNED, _ROWS_FIRST)
    scores = made.add("MatMul", f"{made.add('Div', f'{q} {made.const(_SPREAD)}')} {k}")
    shares = made.add("Softmax", made.add("Where", f"hide {made.const(value)} {scores}"), axis=-1)
    made.end(made.add("MatMul", f"{shares} {v}"))
    return made


def causal() -> Form:
    """GPT-2: one product, split; a triangle of constants chooses."""
    made = Form()
    parts = ["q0", "k0", "v0"]
    made.add("Split", made.dense("x", 3 * WIDTH), " ".join(parts), axis=2, num_outputs=3)
    q, k, v = map(made.headed, parts, *zip(_ROWS_FIRST, _TURNED, _ROWS_FIRST, strict=True))
    scores = made.add("Div", f"{made.add('MatMul', f'{q} {k}')} {made.const(_SPREAD)}")
    seen = made.const(np.tril(np.ones((1, 1, ROWS, ROWS))), bool)
    scores = made.add("Where", f"{seen} {scores} {made.const(LOWEST)}")
    made.end(made.add("MatMul", f"{made.add('Softmax', scores, axis=-1)} {v}"))
    return made


def causal_and_masked() -> Form:
    """The same with a mask of the batch."""
    made = causal()
    made.inputs.append(("mask", FLOAT, [BATCH, 1, 1, ROWS]))
    place = next(i for i, one in enumerate(made.nodes) if one.op_type == "Softmax")
    given = made.nodes[place].input[0]
    made.nodes[place].input[0] = "masked"
    made.nodes.insert(place, node("Add", f"{given} mask", "masked"))
    return made


def grouped() -> Form:
    """Llama: keys and values of one head are repeated for several; a triangle is added."""
    made = Form()
    q = made.headed(made.dense("x", 4 * DIM, bias=False), *_ROWS_FIRST, heads=4)
    k, v = (
        made.headed(made.dense("x", 2 * DIM, bias=False), *_ROWS_FIRST, heads=2) for _ in range(2)
    )
    cosine = made.const(np.cos(np.arange(ROWS * DIM)).reshape(1, 1, ROWS, DIM))
    q, k = (made.add("Mul", f"{item} {cosine}") for item in (q, k))

    def repeated(given: str) -> str:
        wide = made.add("Unsqueeze", f"{given} {made.ints(2)}")
        wide = made.add("Expand", f"{wide} {made.ints(BATCH, 2, 2, ROWS, DIM)}")
        return made.reshape(wide, BATCH, 4, ROWS, DIM)

    k = made.turn(repeated(k), 0, 1, 3, 2)
    scores = made.add("Mul", f"{made.add('MatMul', f'{q} {k}')} {made.const(1 / _SPREAD)}")
    triangle = np.triu(np.full((ROWS, ROWS), LOWEST), 1)[None, None]
    shares = made.add("Softmax", made.add("Add", f"{scores} {made.const(triangle)}"), axis=-1)
    joined = made.turn(made.add("MatMul", f"{shares} {repeated(v)}"), 0, 2, 1, 3)
    made.dense(made.reshape(joined, BATCH, ROWS, 4 * DIM), depth=4 * DIM)
    made.nodes[-1].output[0] = "y"
    return made


def five_axes() -> Form:
    """ViT of timm: one product as (3, batch, heads, rows, dim), of which parts are gathered."""
    made = Form()
    joined = made.reshape(made.dense("x", 3 * WIDTH), BATCH, ROWS, 3, HEADS, DIM)
    joined = made.turn(joined, 2, 0, 3, 1, 4)
    q, k, v = (
        made.add("Gather", f"{joined} {made.const(place, np.int64)}", axis=0) for place in range(3)
    )
    left = made.add("Mul", f"{q} {made.const(1 / _SPREAD)}")
    scores = made.add("MatMul", f"{left} {made.turn(k, 0, 1, 3, 2)}")
    made.end(made.add("MatMul", f"{made.add('Softmax', scores, axis=-1)} {v}"))
    return made


def windows(images: int = 1) -> Form:
    """Swin: windows as a batch, a bias of each head, and a mask of each window of an image."""
    made = Form()
    number, rows = BATCH, ROWS
    made.inputs = [("x", FLOAT, [images * number, rows, WIDTH])]
    joined = made.reshape(made.dense("x", 3 * WIDTH), images * number, rows, 3, HEADS, DIM)
    joined = made.turn(joined, 2, 0, 3, 1, 4)
    q, k, v = (
        made.add("Gather", f"{joined} {made.const(place, np.int64)}", axis=0) for place in range(3)
    )
    left = made.add("Mul", f"{q} {made.const(1 / _SPREAD)}")
    scores = made.add("MatMul", f"{left} {made.turn(k, 0, 1, 3, 2)}")
    scores = made.add("Add", f"{scores} {made.const(weight(1, HEADS, rows, rows))}")
    scores = made.reshape(scores, images, number, HEADS, rows, rows)
    hidden = np.where(np.arange(number * rows * rows) % 3 == 0, -100.0, 0.0)
    mask = made.const(hidden.reshape(1, number, 1, rows, rows))
    scores = made.reshape(made.add("Add", f"{scores} {mask}"), -1, HEADS, rows, rows)
    found = made.add("MatMul", f"{made.add('Softmax', scores, axis=-1)} {v}")
    made.dense(made.reshape(made.turn(found, 0, 2, 1, 3), images * number, rows, WIDTH))
    made.nodes[-1].output[0] = "y"
    return made


def rows_first() -> Form:
    """MultiheadAttention of torch: sequences side by side, batch and heads one axis."""
    made = Form()
    made.inputs = [("x", FLOAT, [ROWS, BATCH, WIDTH])]
    q, k, v = (made.reshape(made.dense("x"), ROWS, BATCH * HEADS, DIM) for _ in range(3))
    q, v = made.turn(q, 1, 0, 2), made.turn(v, 1, 0, 2)
    scores = made.add(
        "MatMul", f"{made.add('Div', f'{q} {made.const(_SPREAD)}')} {made.turn(k, 1, 2, 0)}"
    )
    found = made.add("MatMul", f"{made.add('Softmax', scores, axis=-1)} {v}")
    flat = made.reshape(made.turn(found, 1, 0, 2), ROWS * BATCH, WIDTH)
    made.add("Identity", made.reshape(made.dense(flat), ROWS, BATCH, WIDTH), "y")
    return made


def crossed() -> Form:
    """A decoder's look at what an encoder gave."""
    made = Form()
    made.inputs.append(("context", FLOAT, [BATCH, 9, WIDTH]))
    q = made.headed(made.dense("x"), *_ROWS_FIRST)
    k, v = (
        made.headed(made.dense("context"), *_TURNED),
        made.headed(made.dense("context"), *_ROWS_FIRST),
    )
    scores = made.add("Mul", f"{made.add('MatMul', f'{q} {k}')} {made.const(1 / _SPREAD)}")
    made.end(made.add("MatMul", f"{made.add('Softmax', scores, axis=-1)} {v}"))
    return made


def operator(**attributes: Any) -> Form:
    """ONNX's own operator, of grouped heads."""
    made = Form(opset=23)
    made.nodes = []
    q, k, v = made.dense("x", 4 * DIM), made.dense("x"), made.dense("x")
    given = f"{q} {k} {v}"
    if not attributes.get("is_causal"):
        made.inputs.append(("seen", BOOL, [ROWS, ROWS]))
        given += " seen"
    found = made.add("Attention", given, q_num_heads=4, kv_num_heads=2, **attributes)
    made.dense(found, depth=4 * DIM)
    made.nodes[-1].output[0] = "y"
    return made


def microsoft(heads: int = HEADS) -> Form:
    """ONNX Runtime's operator of one product for all three."""
    made = Form(domains=["com.microsoft"])
    given = f"x {made.const(weight(3 * WIDTH, WIDTH).T)} {made.const(weight(3 * WIDTH))}"
    made.inputs.append(("mask", TensorProto.INT32, [BATCH, ROWS]))
    found = made.add("Attention", f"{given} mask", num_heads=heads, domain="com.microsoft")
    made.add("Identity", made.dense(found), "y")
    return made


def microsoft_heads() -> Form:
    """ONNX Runtime's operator of three products."""
    made = Form(domains=["com.microsoft"])
    given = " ".join(made.dense("x") for _ in range(3))
    found = made.add("MultiHeadAttention", given, num_heads=HEADS, domain="com.microsoft")
    made.add("Identity", made.dense(found), "y")
    return made


def one_key_head() -> Form:
    """Heads that all look at the same keys, which the products broadcast."""
    made = Form()
    q = made.headed(made.dense("x"), *_ROWS_FIRST)
    k = made.headed(made.dense("x", DIM), *_TURNED, heads=1)
    v = made.headed(made.dense("x", DIM), *_ROWS_FIRST, heads=1)
    scores = made.add("Mul", f"{made.add('MatMul', f'{q} {k}')} {made.const(1 / _SPREAD)}")
    made.end(made.add("MatMul", f"{made.add('Softmax', scores, axis=-1)} {v}"))
    return made


def one_row() -> Form:
    """A decoder's step: one query, keys and values of the rows before it beside its own."""
    made = Form()
    made.inputs = [("x", FLOAT, [BATCH, 1, WIDTH])]
    made.inputs += [(name, FLOAT, [BATCH, HEADS, ROWS, DIM]) for name in ("keys", "values")]
    q, k, v = (made.headed(made.dense("x"), *_ROWS_FIRST) for _ in range(3))
    k = made.turn(made.add("Concat", f"keys {k}", axis=2), 0, 1, 3, 2)
    v = made.add("Concat", f"values {v}", axis=2)
    scores = made.add("Mul", f"{made.add('MatMul', f'{q} {k}')} {made.const(1 / _SPREAD)}")
    made.end(made.add("MatMul", f"{made.add('Softmax', scores, axis=-1)} {v}"), rows=1)
    return made


def one_head() -> Form:
    """An autoencoder's attention over the places of an image, without heads."""
    made = Form()
    q, k, v = (made.dense("x") for _ in range(3))
    scores = made.add("MatMul", f"{q} {made.turn(k, 0, 2, 1)}")
    scores = made.add("Mul", f"{scores} {made.const(WIDTH**-0.5)}")
    found = made.add("MatMul", f"{made.add('Softmax', scores, axis=-1)} {v}")
    made.add("Identity", made.dense(found), "y")
    return made


def in_halves() -> Form:
    """A model of halves, whose softmax is of float32."""
    made = divided_scores()
    made.inputs = [(name, HALF, shape) for name, _, shape in made.inputs]
    made.weights = {
        name: array.astype(np.float16) if array.dtype == np.float32 else array
        for name, array in made.weights.items()
    }
    made.kind = HALF
    place = next(i for i, one in enumerate(made.nodes) if one.op_type == "Softmax")
    (given,), (shares,) = made.nodes[place].input, made.nodes[place].output
    made.nodes[place : place + 1] = [
        node("Cast", given, "wide", to=FLOAT),
        node("Softmax", "wide", "wide_shares", axis=-1),
        node("Cast", "wide_shares", shares, to=HALF),
    ]
    return made


FORMS = {
    "divided_scores": divided_scores,
    "scaled_sum": scaled_sum,
    "scaled_operands": scaled_operands,
    "root_scales": root_scales,
    "root_scales_without_a_mask": lambda: root_scales(False),
    "dead_rows": dead_rows,
    "chosen_scores": chosen_scores,
    "chosen_scores_weakly": lambda: chosen_scores(-1e9),
    "causal": causal,
    "causal_and_masked": causal_and_masked,
    "grouped": grouped,
    "five_axes": five_axes,
    "windows": windows,
    "windows_of_several_images": lambda: windows(3),
    "rows_first": rows_first,
    "crossed": crossed,
    "operator": operator,
    "operator_causal": lambda: operator(is_causal=1),
    "one_key_head": one_key_head,
    "one_row": one_row,
    "one_head": one_head,
    "in_halves": in_halves,
    "microsoft": microsoft,
    "microsoft_heads": microsoft_heads,
}
