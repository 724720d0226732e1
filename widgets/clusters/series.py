"""What the clusters view shows, as plain data and sentences, worked out apart from Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.jobs.steps.estimate import Estimate, estimate
from engine.passes.similarity import similarity_matrix
from engine.records.clustering import Cluster, Clustering
from engine.records.snapshot import Snapshot
from engine.records.space import DesignSpace
from engine.records.task import Task
from engine.records.units import format_duration
from widgets.clusters.items import label_of
from widgets.clusters.layout import Floats, lay_out
from widgets.look.language import tr


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike the tasks are by one metric: `matrix` (n, n) and `places` (n, 2) in their order."""

    metric: str
    matrix: Floats
    places: Floats


def aligned(tasks: Sequence[Task], spaces: Sequence[DesignSpace]) -> tuple[DesignSpace, ...]:
    """The space of each task in their order; an empty one, like no other, where none was found."""
    known = {space.task: space for space in spaces}
    return tuple(
        known.get(task.index, DesignSpace(task.index, task.op_class, ())) for task in tasks
    )


def likeness(
    spaces: Sequence[DesignSpace],
    metric: str,
    sizes: Floats,
    stopped: Callable[[], bool] = lambda: False,
) -> Likeness:
    """Similarities and places of the tasks of `spaces`, whose discs need rooms `sizes` (n, 2)."""
    matrix = similarity_matrix(spaces, metric)
    return Likeness(metric, matrix, lay_out(matrix, sizes, stopped))


def cluster_of(clustering: Clustering, task: int) -> Cluster:
    """The cluster of a task; one that no cluster has is on its own."""
    found = (cluster for cluster in clustering.clusters if task in cluster.members)
    return next(found, Cluster(task, (task,)))


def summary(snapshot: Snapshot, clustering: Clustering) -> str:
    """Clusters, tasks to tune, and the time that takes against tuning all of them."""
    shared = [cluster for cluster in clustering.clusters if len(cluster.members) > 1]
    alone = len(clustering.clusters) - len(shared)
    parts = [tr("%n clusters of several tasks", "", len(shared))]
    if alone:
        parts.append(tr("%n tasks on their own", "", alone))
    ours, whole = (_cost(snapshot, each) for each in (clustering, _all_alone(snapshot)))
    count, every = f"{len(clustering.clusters):,}", f"{len(snapshot.own_tasks):,}"
    parts.append(tr("tasks to tune: {count} of {all}", count=count, all=every))
    parts.append(
        tr(
            "predicted tuning time: {time} for {trials}, all tasks: {all}",
            time=format_duration(ours.seconds),
            trials=tr("%n trials", "", ours.trials),
            all=format_duration(whole.seconds),
        )
    )
    return " · ".join(parts)


def _cost(snapshot: Snapshot, clustering: Clustering) -> Estimate:
    return estimate("share", replace(snapshot, clustering=clustering))


def _all_alone(snapshot: Snapshot) -> Clustering:
    alone = (Cluster(task.index, (task.index,)) for task in snapshot.own_tasks)
    return Clustering("", 1.0, tuple(alone))


def role_text(clustering: Clustering, tasks: Sequence[Task], matrix: Floats, task: int) -> str:
    """What a task is to its cluster, in a few words."""
    cluster = cluster_of(clustering, task)
    if len(cluster.members) == 1:
        return tr("on its own: no other task uses its schedules")
    if cluster.representative == task:
        return tr("representative of %n tasks", "", len(cluster.dependants))
    rows = {known.index: row for row, known in enumerate(tasks)}
    first = cluster.representative
    return tr(
        "takes the schedules of {task}, similarity {value}",
        task=label_of(tasks[rows[first]]),
        value=f"{matrix[rows[task], rows[first]]:.2f}",
    )
