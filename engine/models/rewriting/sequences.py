"""Sequences and optional values of which it is known what they hold."""

from __future__ import annotations

from itertools import accumulate, pairwise

from engine.models.rewriting.emit import Emitter, Refused
from engine.models.rewriting.selection import constant

_DEPTH = 1000


def sequence_at(emit: Emitter) -> None:
    held = elements(emit, emit.input(0))
    place = int(constant(emit, 1, "its position").item())
    if not -len(held) <= place < len(held):
        raise Refused(f"its position {place} is outside a sequence of {len(held)}")
    emit.identity(held[place], emit.output(0))


def sequence_length(emit: Emitter) -> None:
    length = emit.constant(len(elements(emit, emit.input(0))), "int64", "length")
    emit.identity(length, emit.output(0))


def concat_from_sequence(emit: Emitter) -> None:
    held = elements(emit, emit.input(0))
    axis = emit.attribute("axis", 0)
    if not held:
        raise Refused("its sequence is empty")
    if emit.attribute("new_axis", 0):
        held = [emit.unsqueeze(value, axis, part="row") for value in held]
    emit.concat(held, axis, out=emit.output(0))


def optional_get_element(emit: Emitter) -> None:
    emit.identity(_held(emit, emit.input(0)), emit.output(0))


def optional_has_element(emit: Emitter) -> None:
    name = emit.input(0)
    there = bool(name and _held(emit, name))
    emit.identity(emit.constant(there, "bool", "there"), emit.output(0))


def _held(emit: Emitter, name: str) -> str:
    """What an optional value holds, "" for nothing; any other value holds itself."""
    maker = emit.facts.maker(name)
    if maker is not None and maker.op_type == "Optional":
        return maker.input[0] if maker.input else ""
    if not emit.facts.type(name):
        raise Refused("what its optional value holds is not known")
    return name


def elements(emit: Emitter, name: str, depth: int = 0) -> list[str]:
    """The values in a sequence, in order; Refused where it is not known what is in it."""
    maker = emit.facts.maker(name)
    if maker is None or depth > _DEPTH:
        raise Refused("what its sequence holds is not known")
    inputs = list(maker.input)
    if maker.op_type == "SequenceConstruct":
        return inputs
    if maker.op_type == "SequenceEmpty":
        return []
    if maker.op_type == "SplitToSequence":
        return _parts(Emitter(maker, emit.facts, emit.name), emit)
    if maker.op_type in ("Identity", "Optional", "OptionalGetElement") and inputs:
        return elements(emit, inputs[0], depth + 1)
    if maker.op_type not in ("SequenceInsert", "SequenceErase"):
        raise Refused(f"its sequence comes of {maker.op_type}")
    held = elements(emit, inputs[0], depth + 1)
    inserts = maker.op_type == "SequenceInsert"
    change = Emitter(maker, emit.facts, emit.name)
    position = 2 if inserts else 1
    place = len(held) - (not inserts)
    if change.input(position):
        place = int(constant(change, position, "a position in its sequence").item())
    if not -len(held) <= place < len(held) + inserts:
        raise Refused(f"a position {place} is outside a sequence of {len(held)}")
    place += len(held) if place < 0 else 0
    return held[:place] + ([inputs[1]] if inserts else []) + held[place + (not inserts) :]


def _parts(split: Emitter, emit: Emitter) -> list[str]:
    """What SplitToSequence cuts its input into, in places that `emit` adds."""
    x = split.input(0)
    shape, axis = split.shape(x), split.attribute("axis", 0)
    size = shape[axis]
    if not split.input(1):
        if split.attribute("keepdims", 1):
            return [emit.slice(x, axis, at, at + 1, part="part") for at in range(size)]
        places = [emit.constant(at, "int64", "at") for at in range(size)]
        return [emit("Gather", x, place, axis=axis, part="part") for place in places]
    sizes = constant(split, 1, "how its sequence is split")
    if sizes.ndim == 0:
        whole = int(sizes)
        ends = [*range(whole, size, whole), size]
    else:
        ends = list(accumulate(sizes.tolist()))
    return [emit.slice(x, axis, *ends_of, part="part") for ends_of in pairwise([0, *ends])]
