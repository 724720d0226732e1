"""Which sets of operators are worth a merged operator: all that may merge, up to a bound."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from engine.ios.merging_rules import OperatorFacts, can_merge, merged_window

Set = tuple[int, ...]

PER_INPUT = 16
_ALL_SUBSETS = 8  # operators: of more, only neighbours by the size of their windows are tried


def candidate_sets(
    facts: Mapping[int, OperatorFacts], most: int = 8, per_input: int = PER_INPUT
) -> tuple[Set, ...]:
    """Sets of 2 to `most` operators that may merge, each ascending, in the order of their first.

    Of the sets that share an input at most `per_input` are taken: the largest, and of equal ones
    those whose padded windows are filled best.
    """
    sharing: defaultdict[Set, list[int]] = defaultdict(list)
    for operator, known in sorted(facts.items()):
        if known.kind != "other" and len(known.inputs) == 1:
            sharing[known.inputs].append(operator)
    chosen: list[Set] = []
    for operators in sharing.values():
        found = [one for group in _alike(facts, operators) for one in _subsets(facts, group, most)]
        ranked = sorted(found, key=lambda one: (-len(one), -_filled(facts, one), one))
        chosen += ranked[:per_input]
    return tuple(sorted(chosen))


def _alike(facts: Mapping[int, OperatorFacts], operators: Sequence[int]) -> Iterator[list[int]]:
    """Operators in classes whose members differ in no more than their windows."""
    classes: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for operator in operators:
        one = facts[operator]
        key = (one.kind, one.dtype, one.layout, one.activation, one.strides, one.output_size)
        classes[key].append(operator)
    yield from classes.values()


def _subsets(facts: Mapping[int, OperatorFacts], alike: list[int], most: int) -> Iterator[Set]:
    if len(alike) > _ALL_SUBSETS:
        order = sorted(alike, key=lambda operator: (facts[operator].kernel, operator))
        every = (
            order[start : start + size]
            for size in range(2, most + 1)
            for start in range(len(order) - size + 1)
        )
    else:
        sizes = range(2, min(most, len(alike)) + 1)
        every = (list(one) for size in sizes for one in combinations(alike, size))
    for one in every:
        if can_merge([facts[operator] for operator in one]):
            yield tuple(sorted(one))


def _filled(facts: Mapping[int, OperatorFacts], operators: Set) -> float:
    """The part of the merged window that the members' windows fill, on average."""
    members = [facts[operator] for operator in operators]
    if members[0].kind != "conv2d":
        return 1.0
    height, width = merged_window(members).kernel
    return sum(one.kernel[0] * one.kernel[1] for one in members) / (len(members) * height * width)
