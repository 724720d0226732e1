"""LSTM, GRU and RNN unrolled over time.

The equations are those of the ONNX operators' documentation. The products with the input are
computed for all steps at once; a step multiplies the state alone. Every step has the same
workloads, so that a network of any length has a handful of tasks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.models.rewriting.emit import Emitter
from engine.models.rewriting.gate_activations import Activation, activations
from engine.models.rewriting.products import Matrix, multiply


@dataclass(frozen=True, slots=True)
class Kind:
    """A family: its gates, their activations by default, and one step of it."""

    gates: int
    activations: tuple[str, ...]
    step: Callable[[Emitter, Direction, str], None]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Steps, batch, features, state and directions."""

    steps: int
    batch: int
    features: int
    hidden: int
    directions: int


@dataclass(slots=True)
class Direction:
    """One direction: its parameters, its state and the states of all steps, by name.

    `peepholes` are those of the input, output and forget gates, if it has any; where it is
    `coupled` it forgets what it does not take in.
    """

    acts: list[Activation]
    hidden: int
    recurrent: tuple[Matrix, ...]
    bias: str
    h: str
    c: str
    peepholes: tuple[str, ...] = ()
    coupled: bool = False
    rows: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)


def recurrent(emit: Emitter) -> None:
    """LSTM, GRU, RNN, and ONNX Runtime's LSTM with integer weights."""
    kind = _KINDS[emit.node.op_type.removeprefix("DynamicQuantize")]
    x = emit.input(0)
    sizes = _sizes(emit, x)
    if emit.attribute("layout", 0):
        x = emit("Transpose", x, perm=[1, 0, 2], part="time_first")
    acts = activations(emit, kind.activations, sizes.directions)
    count = len(kind.activations)
    done = [
        _run(emit, kind, x, sizes, place, acts[place * count : (place + 1) * count])
        for place in range(sizes.directions)
    ]
    _write(emit, done, sizes)


def _sizes(emit: Emitter, x: str) -> Sizes:
    steps, batch, features = emit.shape(x)
    if emit.attribute("layout", 0):
        steps, batch = batch, steps
    directions, *sides = emit.shape(emit.input(2))
    hidden = min(sides)  # of (gates x hidden, hidden), which integer weights have the other way
    return Sizes(steps, batch, features, hidden, directions)


def _run(
    emit: Emitter, kind: Kind, x: str, sizes: Sizes, place: int, acts: list[Activation]
) -> Direction:
    """All steps of one direction."""
    direction = _direction(emit, kind, x, sizes, place, acts)
    backward = place == 1 or emit.attribute("direction", "forward") == "reverse"
    inside = _inside(emit, sizes)
    order = list(range(sizes.steps))
    for time in reversed(order) if backward else order:
        h, c = direction.h, direction.c
        kind.step(emit, direction, direction.rows[time])
        state = direction.h
        if inside:
            state = _kept(emit, direction, inside[time], h, c)
        direction.states.append(state)
    if backward:
        direction.states.reverse()
    return direction


def _inside(emit: Emitter, sizes: Sizes) -> list[str]:
    """For each step which sequences are not over yet, (batch, 1); none where all are full."""
    import numpy as np

    if not emit.input(4):
        return []
    lengths = emit.facts.value(emit.input(4))
    if lengths is not None and (lengths == sizes.steps).all():
        return []
    column = emit.reshape(emit.input(4), sizes.batch, 1, part="lengths")
    steps = emit.constant(np.arange(sizes.steps).reshape(-1, 1, 1), "int32", "steps")
    flags = emit("Less", steps, column, part="inside")
    rows = []
    for time in range(sizes.steps):
        index = emit.constant(time, "int64", f"time{time}")
        rows.append(emit("Gather", flags, index, axis=0, part=f"inside{time}"))
    return rows


def _kept(emit: Emitter, direction: Direction, inside: str, h: str, c: str) -> str:
    """Where a sequence is over its states stay as they were; what it gives there is zero."""
    zero = emit.constant(0, emit.dtype(emit.input(0)), "zero")
    state = emit("Where", inside, direction.h, zero, part="given")
    direction.h = emit("Where", inside, direction.h, h, part="h")
    if emit.node.op_type.endswith("LSTM"):
        direction.c = emit("Where", inside, direction.c, c, part="c")
    return state


def _direction(
    emit: Emitter, kind: Kind, x: str, sizes: Sizes, place: int, acts: list[Activation]
) -> Direction:
    width = kind.gates * sizes.hidden
    weights, matrix = (_matrix(emit, slot, place, part) for slot, part in ((1, "w"), (2, "r")))
    input_bias, bias = _biases(emit, place, width)
    flat = emit.reshape(x, sizes.steps * sizes.batch, sizes.features, part="rows")
    product = multiply(emit, flat, weights, "from_input")
    if input_bias:
        product = emit("Add", product, input_bias, part="from_input_biased")
    by_step = emit.reshape(product, sizes.steps, sizes.batch, width, part="by_step")
    h, c = (_initial(emit, slot, sizes, place, part) for slot, part in ((5, "h"), (6, "c")))
    matrices = _split(emit, matrix, sizes.hidden) if _resets_first(emit) else (matrix,)
    peepholes = _peepholes(emit, place, sizes.hidden)
    coupled = bool(emit.attribute("input_forget", 0))
    direction = Direction(acts, sizes.hidden, matrices, bias, h, c, peepholes, coupled)
    for time in range(sizes.steps):
        index = emit.constant(time, "int64", f"time{time}")
        direction.rows.append(emit("Gather", by_step, index, axis=0, part=f"step{time}"))
    return direction


def _at(emit: Emitter, name: str, place: int, part: str, axis: int = 0) -> str:
    """A direction's part of a parameter."""
    index = emit.constant(place, "int64", f"{part}_place")
    return emit("Gather", name, index, axis=axis, part=f"{part}_{place}")


def _matrix(emit: Emitter, slot: int, place: int, part: str) -> Matrix:
    matrix = _at(emit, emit.input(slot), place, part)
    if emit.node.op_type != "DynamicQuantizeLSTM":
        return Matrix(emit("Transpose", matrix, perm=[1, 0], part=f"{part}_transposed"))
    scale, zero_point = (emit.input(8 + 2 * (slot - 1) + more) for more in range(2))
    zero_point = _at(emit, zero_point, place, f"{part}_zero_point") if zero_point else ""
    return Matrix(matrix, _at(emit, scale, place, f"{part}_scale"), zero_point)


def _resets_first(emit: Emitter) -> bool:
    """Whether a GRU's reset gate acts on the state before it is multiplied."""
    return emit.node.op_type == "GRU" and not emit.attribute("linear_before_reset", 0)


def _split(emit: Emitter, matrix: Matrix, hidden: int) -> tuple[Matrix, Matrix]:
    gates = emit.slice(matrix.name, 1, 0, 2 * hidden, part="r_gates")
    new = emit.slice(matrix.name, 1, 2 * hidden, 3 * hidden, part="r_hidden")
    return Matrix(gates), Matrix(new)


def _biases(emit: Emitter, place: int, width: int) -> tuple[str, str]:
    """What is added to the input's product and what to the state's, "" for nothing.

    Where a gate multiplies the state's product only after the bias, the two stay apart.
    """
    if not emit.input(3):
        return "", ""
    both = _at(emit, emit.input(3), place, "b")
    from_input = emit.slice(both, 0, 0, width, part="wb")
    from_state = emit.slice(both, 0, width, 2 * width, part="rb")
    if emit.node.op_type == "GRU" and not _resets_first(emit):
        return from_input, from_state
    return emit("Add", from_input, from_state, part="bias"), ""


def _initial(emit: Emitter, slot: int, sizes: Sizes, place: int, part: str) -> str:
    """A direction's first state, (batch, hidden)."""
    if emit.input(slot):
        axis = 1 if emit.attribute("layout", 0) else 0
        return _at(emit, emit.input(slot), place, f"first_{part}", axis)
    import numpy as np

    zeros = np.zeros((sizes.batch, sizes.hidden))
    return emit.constant(zeros, emit.dtype(emit.input(0)), f"zero_{part}")


def _peepholes(emit: Emitter, place: int, hidden: int) -> tuple[str, ...]:
    """What the gates see of the cell: input, output, forget."""
    if not emit.node.op_type.endswith("LSTM") or not emit.input(7):
        return ()
    all_three = _at(emit, emit.input(7), place, "p")
    starts = (0, hidden, 2 * hidden)
    return tuple(emit.slice(all_three, 0, start, start + hidden, part="p") for start in starts)


def _gate(emit: Emitter, gates: str, place: int, hidden: int) -> str:
    return emit.slice(gates, 1, place * hidden, (place + 1) * hidden, part="gate")


def _lstm_step(emit: Emitter, direction: Direction, row: str) -> None:
    """Gates in ONNX's order: input, output, forget, cell."""
    gate_act, cell_act, out_act = direction.acts
    product = multiply(emit, direction.h, direction.recurrent[0], "from_state")
    gates = emit("Add", row, product, part="gates")
    i, o, f, new = (_gate(emit, gates, place, direction.hidden) for place in range(4))
    see_i, see_o, see_f = direction.peepholes or ("", "", "")
    i, f = (_seeing(emit, gate, see, direction.c) for gate, see in ((i, see_i), (f, see_f)))
    i = gate_act(emit, i, "input_gate")
    if direction.coupled:
        f = emit("Sub", emit.scalar(1, emit.input(0)), i, part="forget_gate")
    else:
        f = gate_act(emit, f, "forget_gate")
    new = cell_act(emit, new, "cell")
    kept = emit("Mul", f, direction.c, part="kept")
    direction.c = emit("Add", kept, emit("Mul", i, new, part="added"), part="c")
    o = gate_act(emit, _seeing(emit, o, see_o, direction.c), "output_gate")
    squashed = replace(out_act, clip=0.0)(emit, direction.c, "squashed")  # as ONNX Runtime has it
    direction.h = emit("Mul", o, squashed, part="h")


def _seeing(emit: Emitter, gate: str, peephole: str, c: str) -> str:
    """A gate's sum with what it sees of the cell."""
    if not peephole:
        return gate
    return emit("Add", gate, emit("Mul", peephole, c, part="seen"), part="seeing")


def _gru_step(emit: Emitter, direction: Direction, row: str) -> None:
    """Gates in ONNX's order: update, reset, hidden."""
    gate_act, new_act = direction.acts
    hidden, h = direction.hidden, direction.h
    product = multiply(emit, h, direction.recurrent[0], "from_state")
    if direction.bias:
        product = emit("Add", product, direction.bias, part="from_state_biased")
    z, r = (
        gate_act(emit, emit("Add", _gate(emit, row, place, hidden), part, part="sum"), "gate")
        for place, part in enumerate(_gate(emit, product, place, hidden) for place in range(2))
    )
    if len(direction.recurrent) == 2:
        reset = emit("Mul", r, h, part="reset")
        reset = multiply(emit, reset, direction.recurrent[1], "from_reset")
    else:
        reset = emit("Mul", r, _gate(emit, product, 2, hidden), part="reset")
    new = new_act(emit, emit("Add", _gate(emit, row, 2, hidden), reset, part="new_sum"), "new")
    # (1 - z) * new + z * h, without a constant
    change = emit("Mul", z, emit("Sub", h, new, part="difference"), part="change")
    direction.h = emit("Add", new, change, part="h")


def _rnn_step(emit: Emitter, direction: Direction, row: str) -> None:
    product = multiply(emit, direction.h, direction.recurrent[0], "from_state")
    total = emit("Add", row, product, part="total")
    direction.h = direction.acts[0](emit, total, "h")


def _write(emit: Emitter, done: list[Direction], sizes: Sizes) -> None:
    """The operator's outputs: all states, the last ones, the last cells."""
    shape = (sizes.steps, 1, sizes.batch, sizes.hidden)
    if emit.output(0):
        sides = [
            emit.reshape(emit.concat(side.states, 0, part="states"), *shape, part="all")
            for side in done
        ]
        turned = emit.attribute("layout", 0)
        states = emit.concat(sides, 1, out="" if turned else emit.output(0), part="directions")
        if turned:
            emit("Transpose", states, perm=[2, 0, 1, 3], out=emit.output(0), part="batch_first")
    for slot, last in ((1, [side.h for side in done]), (2, [side.c for side in done])):
        if emit.output(slot):
            axis = 1 if emit.attribute("layout", 0) else 0
            ends = [emit.unsqueeze(name, axis, part="last") for name in last]
            emit.concat(ends, axis, out=emit.output(slot), part="last_states")


_KINDS = {
    "LSTM": Kind(4, ("Sigmoid", "Tanh", "Tanh"), _lstm_step),
    "GRU": Kind(3, ("Sigmoid", "Tanh"), _gru_step),
    "RNN": Kind(1, ("Tanh",), _rnn_step),
}
