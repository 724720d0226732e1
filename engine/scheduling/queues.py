"""Waiting stages in order, found without looking at all of them: by need, job and rank."""

from __future__ import annotations

from collections.abc import Callable, Sized
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TypeAlias

from engine.records.stage import Needs, Stage

Rank: TypeAlias = tuple[float, ...]
"""Lower goes first. It ends with the stage's order of arrival, so no two are alike."""

RankOf: TypeAlias = Callable[[str, Needs, Rank], Rank | None]
"""The rank among all stages by job, needs and the rank within the job; None while it is held."""


class NeedQueue:
    """Stages of any job that need the same, of jobs of one device where they have `lane`s.

    Each job's are in a heap of their own, so that a job is paused or gets another priority
    without its stages being touched. `shown` and `parked` are its group's: the rank that it
    stands under, and whether it waits for a device.
    """

    def __init__(self, needs: Needs, brief: bool, rank_of: RankOf, lane: str = "") -> None:
        self.needs, self.brief, self.lane = needs, brief, lane
        self.shown: Rank | None = None
        self.parked = False
        self._of = rank_of
        self._since: dict[int, float] = {}
        self._jobs: dict[str, list[tuple[Rank, Stage]]] = {}
        self._firsts: list[tuple[Rank, str]] = []
        self._live: dict[str, Rank] = {}
        self._ages: list[tuple[float, int, str]] = []
        self._held_ages: dict[str, list[tuple[float, int, str]]] = {}

    def add(self, rank: Rank, stage: Stage, now_s: float) -> None:
        """A stage came, with its rank within its job."""
        self._since[stage.order] = now_s
        heappush(self._jobs.setdefault(stage.job, []), (rank, stage))
        if len(self._ages) > _most(self._since):
            self._ages = [age for age in self._ages if age[1] in self._since]
            heapify(self._ages)
        heappush(self._ages, (now_s, stage.order, stage.job))
        self.refresh(stage.job)

    def drop(self, stage: Stage) -> None:
        """A stage is gone; it is taken out when it would be the first."""
        del self._since[stage.order]
        self.refresh(stage.job)

    def refresh(self, job: str) -> None:
        """The job's first stage, or what its rank depends on, may be another."""
        stages = self._jobs.get(job)
        while stages and stages[0][1].order not in self._since:
            heappop(stages)
        if not stages:
            self._jobs.pop(job, None)
            self._live.pop(job, None)
            self._held_ages.pop(job, None)
            return
        rank = self._of(job, self.needs, stages[0][0])
        if rank is None:
            self._live.pop(job, None)
            return
        for age in self._held_ages.pop(job, ()):
            heappush(self._ages, age)
        if self._live.get(job) != rank:
            self._live[job] = rank
            heappush(self._firsts, (rank, job))
            if len(self._firsts) > _most(self._live):
                self._firsts = [(rank, job) for job, rank in self._live.items()]
                heapify(self._firsts)

    def head(self) -> tuple[Rank, Stage] | None:
        """The first stage that may start, and its rank."""
        firsts = self._firsts
        while firsts:
            rank, job = firsts[0]
            if self._live.get(job) == rank:
                return rank, self._jobs[job][0][1]
            heappop(firsts)
        return None

    def pop(self) -> None:
        """Take the first one out."""
        _, job = heappop(self._firsts)
        self.drop(self._jobs[job][0][1])

    def oldest_s(self) -> float:
        """Since when the longest has waited of those that may start."""
        ages = self._ages
        while True:
            since_s, order, job = ages[0]
            if order in self._since and job in self._live:
                return since_s
            heappop(ages)
            if order in self._since:
                self._held_ages.setdefault(job, []).append((since_s, order, job))


_Heads: TypeAlias = list[tuple[Rank, int, NeedQueue]]


class GroupQueue:
    """All that waits for cores of one group. `long` counts the long stages that run on them."""

    def __init__(self, rank_of: RankOf) -> None:
        self.long = 0
        self._of = rank_of
        self._queues: dict[tuple[int, tuple[str, ...], bool, str], NeedQueue] = {}
        self._heads: tuple[_Heads, _Heads] = ([], [])
        self._count = count()

    def queue(self, stage: Stage, lane: str) -> NeedQueue:
        """The queue that a stage belongs to."""
        needs = stage.needs
        key = (needs.cores, needs.devices, stage.brief, lane)
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = NeedQueue(needs, stage.brief, self._of, lane)
        return queue

    def show(self, queue: NeedQueue) -> None:
        """Put a queue where its first stage belongs, unless it is parked."""
        head = None if queue.parked else queue.head()
        rank = head[0] if head else None
        if rank == queue.shown:
            return
        queue.shown = rank
        if rank is None:
            return
        heap = self._heads[queue.brief]
        heappush(heap, (rank, next(self._count), queue))
        if len(heap) > _most(self._queues):
            shown = [found for found in self._queues.values() if found.brief == queue.brief]
            heap[:] = [(found.shown, next(self._count), found) for found in shown if found.shown]
            heapify(heap)

    def take(self, only_brief: bool) -> tuple[NeedQueue, Stage] | None:
        """Take out the queue with the first stage of all, or of all brief ones.

        Its owner shows it again, or parks it.
        """
        heads = [heap for heap in self._heads[only_brief:] if self._valid(heap)]
        if not heads:
            return None
        queue = heappop(min(heads, key=lambda heap: heap[0][0]))[2]
        queue.shown = None
        head = queue.head()
        assert head is not None
        return queue, head[1]

    def _valid(self, heap: _Heads) -> bool:
        """Whether the heap has a queue on top that still stands there; others are dropped."""
        while heap and heap[0][0] != heap[0][2].shown:
            heappop(heap)
        return bool(heap)


def _most(things: Sized) -> int:
    """How long a heap may be that has an entry for each of these, and dead ones."""
    return 2 * len(things) + 64
