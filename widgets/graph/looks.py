"""Which colour and which word each node of the graph has, by what a person wants to see."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.graph.shown import ShownNode
from engine.history.history import History
from engine.records.clustering import Clustering
from engine.records.network import Fate, FileNode, Operator
from engine.records.schedule import FoundSchedule
from engine.records.task import TaskState
from widgets.graph.look import ColorBy, NodeLook, share_look, share_scale
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.states import state_label, state_word

KINDS = 7
OTHER = KINDS
CLUSTER, STAGE = QT_TR_NOOP("cluster {number}"), QT_TR_NOOP("stage {number}")
_BY_TASK = (ColorBy.SHARE, ColorBy.STATE, ColorBy.CLUSTER)
FATES = {
    Fate.CONSTANT: QT_TR_NOOP("constant"),
    Fate.VIEW: QT_TR_NOOP("view"),
    Fate.SIMPLIFIED: QT_TR_NOOP("removed"),
    Fate.UNKNOWN: QT_TR_NOOP("not followed"),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One colour of the legend, shown by a look, and its word."""

    look: NodeLook
    word: str


class Looks:
    """Works out looks from what is known of a project."""

    def __init__(self, history: History) -> None:
        self.by = ColorBy.SHARE
        self.scale = 1.0
        self._history = history
        self._task_of: dict[int, int] = {}
        self._operators_of: defaultdict[int, list[int]] = defaultdict(list)
        self._clusters: dict[int, int] = {}
        self._stages: dict[int, int] = {}
        self._kinds: list[str] = []
        self._fates: Mapping[int, Fate] = {}
        self._shown: Sequence[ShownNode] = ()

    def set_project(
        self,
        operators: Sequence[Operator],
        clustering: Clustering | None,
        schedule: FoundSchedule | None,
    ) -> None:
        self._task_of = {op.id: op.task for op in operators if op.task is not None}
        self.set_clustering(clustering)
        self.set_schedule(schedule)

    def set_clustering(self, clustering: Clustering | None) -> None:
        """The clusters are these now."""
        clusters = clustering.clusters if clustering else ()
        self._clusters = {
            task: number
            for number, cluster in enumerate((c for c in clusters if len(c.members) > 1), 1)
            for task in cluster.members
        }

    def set_schedule(self, found: FoundSchedule | None) -> None:
        """The stages are these now."""
        stages = found.schedule.stages if found else ()
        self._stages = {op: n for n, stage in enumerate(stages, 1) for op in stage.operators}

    def set_shown(self, nodes: Sequence[ShownNode], files: Sequence[FileNode]) -> None:
        """The nodes of the drawing; `files` where it is one of the file."""
        self._shown = nodes
        self._fates = {node.id: node.fate for node in files if not node.operators}
        counts = Counter(node.kind for node in nodes)
        self._kinds = [kind for kind, _ in counts.most_common(KINDS)]

    def tasks_of(self, node: ShownNode) -> tuple[int, ...]:
        """The tasks whose figures a node shows."""
        tasks = (self._task_of.get(operator) for operator in node.operators)
        return tuple(dict.fromkeys(task for task in tasks if task is not None))

    def make(self) -> Callable[[ShownNode], NodeLook]:
        """A function that gives a node its look as of now."""
        makers: dict[ColorBy, Callable[[ShownNode], NodeLook]] = {
            ColorBy.SHARE: self._by_share,
            ColorBy.STATE: self._by_state,
            ColorBy.CLUSTER: self._by_cluster,
            ColorBy.STAGE: self._by_stage,
            ColorBy.KIND: self._by_kind,
        }
        if self.by is ColorBy.SHARE:
            self.scale = share_scale(map(self.share, self._shown))
        return makers[self.by]

    def alike(self, node: ShownNode) -> Hashable:
        """A key that is equal for nodes whose looks are always equal."""
        if self.by in _BY_TASK and len(node.operators) == 1:
            task = self._task_of.get(node.operators[0])
            return ("node", node.id) if task is None else ("task", task)
        return "node", node.id

    def share(self, node: ShownNode) -> float | None:
        """The part of the model's latency that a node's operators take."""
        shares = [
            self._history.operator_share(self._task_of[operator])
            for operator in node.operators
            if operator in self._task_of
        ]
        known = [share for share in shares if share is not None]
        return sum(known) if known else None

    def state(self, node: ShownNode) -> TaskState | None:
        """The state of a node's tasks where all have the same."""
        states = {self._history.state(task) for task in self.tasks_of(node)}
        return states.pop() if len(states) == 1 else None

    def entries(self) -> list[Entry]:
        """The legend of categories, in order; empty for shares, which have a ramp."""
        if self.by is ColorBy.STATE:
            looks = ((state, NodeLook(state=state, by_state=True)) for state in TaskState)
            return [Entry(look, state_label(state)) for state, look in looks]
        if self.by is ColorBy.KIND:
            found = [Entry(NodeLook(category=n), kind) for n, kind in enumerate(self._kinds)]
            more = any(node.kind not in self._kinds for node in self._shown)
            return found + ([Entry(NodeLook(category=OTHER), tr("other"))] if more else [])
        if self.by is ColorBy.CLUSTER:
            return _numbered(CLUSTER, self._clusters.values())
        if self.by is ColorBy.STAGE:
            return _numbered(STAGE, self._stages.values())
        return []

    def _by_share(self, node: ShownNode) -> NodeLook:
        share = self.share(node)
        look = share_look(share, self.scale, self.state(node))
        return look if share is not None else NodeLook(self._fate(node), state=look.state)

    def _by_state(self, node: ShownNode) -> NodeLook:
        state = self.state(node)
        word = state_word(state) if state else self._fate(node)
        return NodeLook(word, state=state, by_state=state is not None)

    def _by_cluster(self, node: ShownNode) -> NodeLook:
        numbers = {self._clusters.get(task) for task in self.tasks_of(node)}
        return self._category(node, CLUSTER, numbers)

    def _by_stage(self, node: ShownNode) -> NodeLook:
        return self._category(node, STAGE, {self._stages.get(op) for op in node.operators})

    def _by_kind(self, node: ShownNode) -> NodeLook:
        known = node.kind in self._kinds
        category = self._kinds.index(node.kind) if known else OTHER
        return NodeLook(self._fate(node), category=category, state=self.state(node))

    def _category(self, node: ShownNode, word: str, numbers: set[int | None]) -> NodeLook:
        number = numbers.pop() if len(numbers) == 1 else None
        if number is None:
            return NodeLook(self._fate(node), state=self.state(node))
        return NodeLook(tr(word, number=number), category=number - 1, state=self.state(node))

    def _fate(self, node: ShownNode) -> str:
        fate = FATES.get(self._fates.get(node.id, Fate.OPERATORS))
        return tr(fate) if fate else ""


def _numbered(word: str, numbers: Iterable[int]) -> list[Entry]:
    return [Entry(NodeLook(category=n - 1), tr(word, number=n)) for n in sorted(set(numbers))]
