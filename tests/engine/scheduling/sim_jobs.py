"""Jobs for the simulator: rounds of recorded stage seconds, in the order in which they depend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.records.stage import ALL_CORES, Job, Needs

SEARCH, BUILD, MEASUREMENT, LEARNING = "search", "build", "measurement", "learning"
_MADE_UP = 4


@dataclass(frozen=True, slots=True)
class Round:
    """One slot of a task: a search, then builds, each followed by its run, then the update.

    All in seconds. A run of 0 s did not take place: its build failed.
    """

    task: str
    search_s: float
    builds_s: tuple[float, ...]
    runs_s: tuple[float, ...]
    update_s: float

    @property
    def core_s(self) -> float:
        """The seconds of all its stages but measurements."""
        return self.search_s + sum(self.builds_s) + self.update_s


@dataclass(frozen=True, slots=True)
class SimJob:
    """A job on one device and the cores beside it, or, with `on_cores`, on the cores themselves.

    It keeps up to `lanes` of its rounds going, as a run of the engine does.
    """

    name: str
    rounds: Sequence[Round]
    device: str
    group: str
    on_cores: bool = False
    lanes: int = 2
    priority: int = 0
    place: int = 0
    arrives_s: float = 0.0

    @property
    def entry(self) -> Job:
        """The job as a policy sees it, with its device as what its turn is about."""
        return Job(self.name, self.priority, self.place, device=self.device)


@dataclass(frozen=True, slots=True)
class Work:
    """One stage to come: what a policy is told of it, and the seconds that it takes.

    `lane` and `place` say which it is when it has ended.
    """

    kind: str
    task: str
    needs: Needs
    urgency: int
    long: bool
    brief: bool
    seconds: float
    lane: int
    place: int


class JobRun:
    """A simulated job under way: what follows from the end of each stage."""

    def __init__(self, job: SimJob) -> None:
        self.job = job
        self._rounds: Iterator[Round] = iter(job.rounds)
        self._lanes: list[Round | None] = [None] * job.lanes
        self._open = [0] * job.lanes
        self._done, self._done_s = 0, 0.0
        self._cpu = Needs(1, (), job.group)
        self._whole = Needs(ALL_CORES if job.on_cores else 1, (job.device,), job.group)

    def left_s(self, peers_s: float) -> float:
        """The core seconds still to come, by its rounds so far and, as four more, its peers'."""
        left = len(self.job.rounds) - self._done
        return left * (self._done_s + _MADE_UP * peers_s) / (self._done + _MADE_UP)

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return all(found is None for found in self._lanes)

    def begin(self) -> list[Work]:
        """The first stages, one a lane."""
        return [work for lane in range(self.job.lanes) for work in self._next_round(lane)]

    def round_of(self, work: Work) -> Round:
        """The round that a stage under way belongs to."""
        found = self._lanes[work.lane]
        assert found is not None
        return found

    def ended(self, work: Work) -> list[Work]:
        """What can go on now."""
        lane, found = work.lane, self.round_of(work)
        if work.kind == SEARCH:
            self._open[lane] = len(found.builds_s)
            return [self._build(found, lane, place) for place in range(len(found.builds_s))]
        if work.kind == LEARNING:
            self._done += 1
            self._done_s += found.core_s
            return self._next_round(lane)
        if work.kind == BUILD and found.runs_s[work.place] > 0:
            seconds = found.runs_s[work.place]
            args = (found.task, self._whole, 0, False, False, seconds, lane, work.place)
            return [Work(MEASUREMENT, *args)]
        self._open[lane] -= 1
        if self._open[lane]:
            return []
        args = (found.task, self._cpu, 1, False, True, found.update_s, lane, 0)
        return [Work(LEARNING, *args)]

    def _next_round(self, lane: int) -> list[Work]:
        found = self._lanes[lane] = next(self._rounds, None)
        if found is None:
            return []
        return [Work(SEARCH, found.task, self._cpu, 3, True, False, found.search_s, lane, 0)]

    def _build(self, found: Round, lane: int, place: int) -> Work:
        seconds = found.builds_s[place]
        return Work(BUILD, found.task, self._cpu, 2, False, True, seconds, lane, place)
