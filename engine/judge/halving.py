"""The first node of a file whose value differs, by halving the nodes that may be at fault."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.judge.worst import Worst
from engine.models.file_nodes import FoundNode
from engine.records.errors import ExportError, ModelError, TuningError
from engine.records.network import FirstDifference

log = logging.getLogger(__name__)

Probe = Callable[[Sequence[str]], Mapping[str, Worst | None]]
"""Compiles the model with these values as further outputs, and compares them and the model's own
with the reference's: None where one agrees; values that cannot be compared are left out. Raises
TunewrightError where the model with these outputs cannot be compiled or run."""

Tell = Callable[[int], None]
"""Is told before each compile how many nodes may be at fault yet."""

_WIDTH = 31  # values watched at once: of a thousand nodes three compiles find one
_MOST = 40  # compiles
_MOST_BYTES = 1 << 30  # of the values watched at once


@dataclass(frozen=True, slots=True)
class FileGraph:
    """The nodes of a file in its order, and the bytes of their values where they are known."""

    nodes: tuple[FoundNode, ...]
    sizes: Mapping[str, int] = field(default_factory=dict)


def halve(graph: FileGraph, probe: Probe, tell: Tell = lambda left: None) -> FirstDifference | None:
    """The first node that differs; None where no output that a node makes does.

    A node that agrees clears all that leads to it, as long as it is not itself behind one that
    differs. Where watching values takes the difference away, or the model cannot be compiled so,
    half of them are watched, down to the value that is to blame: it is never watched again.
    Raises TunewrightError where the model as it is cannot be compiled or run.
    """
    search = _Halving(graph, probe, tell)
    return search.found() if search.begin() else None


class _Halving:
    """What is known of the nodes, by their places; `bad` is the first that differs."""

    def __init__(self, graph: FileGraph, probe: Probe, tell: Tell) -> None:
        self._nodes = graph.nodes
        self._probe, self._tell = probe, tell
        self._maker = {name: at for at, node in enumerate(graph.nodes) for name in node.outputs}
        self._bytes = [
            sum(graph.sizes.get(name, 0) for name in node.outputs) for node in graph.nodes
        ]
        self._blind = {
            at
            for at, node in enumerate(graph.nodes)
            if not node.outputs or self._bytes[at] > _MOST_BYTES
        }
        self._known: dict[int, Worst | None] = {}
        self._bad = len(graph.nodes)
        self._width = _WIDTH
        self._compiles = 0

    def begin(self) -> bool:
        """Whether anything differs."""
        first = self._spread(at for at in range(len(self._nodes)) if at not in self._blind)
        if self._ask(first):
            return True
        self._width = max(1, len(first) // 2)
        return self._take(self._verdicts(()))

    def found(self) -> FirstDifference:
        """Halve until no value is left to watch."""
        while self._compiles < _MOST and (places := self._next()):
            if self._ask(places):
                self._width = min(_WIDTH, 2 * self._width)
            elif len(places) == 1:
                self._blind.update(places)
            else:
                self._width = max(1, len(places) // 2)
        node, worst = self._nodes[self._bad], self._known[self._bad]
        assert worst is not None
        suspects = sorted(self._suspects() | {self._bad})
        return FirstDifference(
            operator=node.op_type,
            node=node.name,
            place=self._bad,
            output=worst.output,
            index=worst.index,
            ours=worst.ours,
            theirs=worst.theirs,
            among=tuple(self._nodes[at].name for at in suspects),
            checked=self._compiles,
        )

    def _next(self) -> list[int]:
        """The places to watch next: of those that may be at fault, and what the bad node reads,
        where that was only concluded to be right."""
        suspects, reads = self._suspects() - self._blind, self._unseen_reads()
        few = len(suspects | reads) <= self._width
        return self._spread(suspects | reads if few else suspects or reads)

    def _suspects(self) -> set[int]:
        """Nodes before the bad one that no node which agrees clears."""
        behind = self._reached([self._bad], self._readers())
        witnesses = [at for at, worst in self._known.items() if worst is None and at not in behind]
        reads = [node.inputs for node in self._nodes]
        before = self._reached([self._bad], reads) - {self._bad}
        return before - self._reached(witnesses, reads) - self._known.keys()

    def _unseen_reads(self) -> set[int]:
        """What the bad node reads, through nodes that cannot be watched, and nobody has seen."""
        unseen, left, passed = set[int](), [self._bad], set[int]()
        while left:
            for at in self._nodes[left.pop()].inputs:
                if at in self._known or at in passed:
                    continue
                passed.add(at)
                (left.append if at in self._blind else unseen.add)(at)
        return unseen

    def _readers(self) -> list[list[int]]:
        readers: list[list[int]] = [[] for _ in self._nodes]
        for at, node in enumerate(self._nodes):
            for source in node.inputs:
                readers[source].append(at)
        return readers

    def _reached(self, begin: Iterable[int], links: Sequence[Sequence[int]]) -> set[int]:
        reached, left = set(begin), list(begin)
        while left:
            new = set(links[left.pop()]) - reached
            reached |= new
            left.extend(new)
        return reached

    def _spread(self, places: Iterable[int]) -> list[int]:
        """Some of the places, far apart, whose values fit into memory together."""
        ordered = sorted(places)
        count = min(self._width, len(ordered))
        picked: list[int] = []
        room = _MOST_BYTES
        for number in range(1, count + 1):
            at = ordered[number * len(ordered) // (count + 1)]
            if self._bytes[at] <= room:
                picked.append(at)
                room -= self._bytes[at]
        return picked

    def _ask(self, places: Sequence[int]) -> bool:
        """Watch these: whether the bad node, or one before it, still differs."""
        names = [name for at in (*places, self._bad) for name in self._outputs(at)]
        try:
            verdicts = self._verdicts(names)
        except (ModelError, ExportError, TuningError) as error:
            log.info("The values of %s cannot be watched: %s", ", ".join(names), error)
            return False
        if not self._take(verdicts):
            return False
        self._blind.update(at for at in places if at not in self._known)
        return True

    def _outputs(self, at: int) -> tuple[str, ...]:
        return self._nodes[at].outputs if at < len(self._nodes) else ()

    def _verdicts(self, names: Sequence[str]) -> Mapping[str, Worst | None]:
        self._compiles += 1
        self._tell(min(self._bad + 1, len(self._nodes)))
        return self._probe(names)

    def _take(self, verdicts: Mapping[str, Worst | None]) -> bool:
        """Note the verdicts, unless the difference that was known is gone."""
        by_node: dict[int, Worst | None] = {}
        for name, worst in verdicts.items():
            if name in self._maker:
                at = self._maker[name]
                by_node[at] = by_node.get(at) or worst
        bad = min((at for at, worst in by_node.items() if worst is not None), default=None)
        if bad is None or bad > self._bad:
            return False
        self._known |= by_node
        self._bad = bad
        return True
