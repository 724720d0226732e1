"""The model as graphs of operators and nodes, and what it was found to answer: plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from engine.records.errors import UsageError
from engine.records.options import Index, Real, made
from engine.records.sentences import Sentence
from engine.records.task import TensorSpec


@dataclass(frozen=True, slots=True)
class Operator:
    """One fused operator of the lowered program, in execution order.

    `task` is the index of its tuning task, None where there is nothing to tune. `inputs` are the
    ids of the operators whose outputs it reads. `output` is its (first) result.
    """

    id: Index
    name: str
    op_class: str
    task: Index | None
    inputs: tuple[Index, ...]
    output: TensorSpec
    flops: Real = 0.0


class Fate(StrEnum):
    """What became of a node of the file.

    MERGED: simplification left the nodes that read its result, which now do its work, or need none
    of it. VIEW: another shape of the same memory. UNKNOWN: it could not be followed.
    """

    OPERATORS = "operators"
    MERGED = "merged"
    CONSTANT = "constant"
    VIEW = "view"
    SIMPLIFIED = "simplified"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FileNode:
    """One node of the model file, in the file's order; stored constants are none.

    `inputs` are the ids of the nodes whose outputs it reads, `output` its first result where its
    shape is known. `operators` are the ids of the fused operators that compute it or a part of
    it, for a merged node those that it was merged into; where there are none, `fate` says why.
    """

    id: Index
    name: str
    op_type: str
    inputs: tuple[Index, ...]
    output: TensorSpec | None = None
    operators: tuple[Index, ...] = ()
    fate: Fate = Fate.UNKNOWN


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """A node of the file whose value differs while what it reads agrees.

    `place` is the node's among the file's (`FileNode.id`). `ours` and `theirs` are the values of
    its `output` at the worst element, `index`. `among` are the names of the nodes, in the file's
    order and with this one last, of which one is at fault: more than this one where the others
    could not be watched, because that takes the difference away or costs too much. `checked` says
    how many times the model was compiled.
    """

    operator: str
    node: str
    place: int
    output: str
    index: tuple[int, ...]
    ours: float
    theirs: float
    among: tuple[str, ...]
    checked: int


def nodes_by_operator(nodes: Iterable[FileNode]) -> dict[int, tuple[int, ...]]:
    """The ids of the file's nodes that each fused operator came of, those without any left out."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for node in nodes:
        for operator in node.operators:
            found[operator].append(node.id)
    return {operator: tuple(ids) for operator, ids in found.items()}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One draw of inputs, which its name and its seed make again.

    `difference` is the largest absolute one of all outputs, None where there is none to tell: then
    `note` says why, for a `wrong` answer what is wrong. `output` is the one that differs, `ours`
    and `theirs` are its values where they differ most, as texts. `shape` names the one of a set
    that it is of, empty where there is no set.
    """

    draw: str
    seed: int
    difference: Real | None = None
    note: str = ""
    wrong: bool = False
    output: str = ""
    ours: str = ""
    theirs: str = ""
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts of all draws; `reference` is what was compared with, empty for nothing.

    `module` says which module that was: versions that may compile the same file otherwise.
    `first` is the first node of the file that differs, where that was found out.
    """

    reference: str
    verdicts: tuple[Verdict, ...] = ()
    module: str = ""
    first: FirstDifference | None = None

    @property
    def wrong(self) -> Verdict | None:
        """The first draw that was answered wrongly."""
        return next((one for one in self.verdicts if one.wrong), None)

    @property
    def difference(self) -> float | None:
        """That of the first draw."""
        return self.verdicts[0].difference if self.verdicts else None

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready: JSON has no NaN."""
        data = asdict(self)
        for one in data["verdicts"]:
            if not one["shape"]:  # it came later
                del one["shape"]
        if self.first is not None:
            data["first"] |= {"ours": repr(self.first.ours), "theirs": repr(self.first.theirs)}
        return data

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Judged:
        """What `as_dict` gave; UsageError where it makes no sense."""
        first = data.get("first") if isinstance(data, Mapping) else None
        if isinstance(first, Mapping):
            sides = {key: _number(first.get(key)) for key in ("ours", "theirs")}
            data = {**data, "first": made(FirstDifference, {**first, **sides})}
        return made(Judged, data, Sentence("A judgement"))


def _number(text: object) -> float:
    try:
        return float(str(text))
    except ValueError as error:
        raise UsageError(Sentence("{text!r} is no number.", text=text)) from error
