"""Replays of several policies, one after another, which can be watched and stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.allocation.policies.registry import POLICIES, REPLAY_POLICIES
from engine.allocation.policy import Choice, Policy, TaskView
from engine.allocation.recording import Recording
from engine.project.repository import Project
from engine.replay.record_columns import recording_of
from engine.replay.recording_file import SUFFIX, load_recording
from engine.replay.replay import make_replay_policy, replay
from engine.replay.side_by_side import Contender, replay_contender
from engine.targets.known_peak import known_peak


@dataclass(frozen=True, slots=True)
class ReplayWish:
    """What is to be replayed: a project or a recording, under which policies."""

    path: Path
    policies: tuple[str, ...]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ReplayState:
    """How far it is: `share` of everything, in [0, 1], and what goes on."""

    share: float
    text: str


class Stopped(Exception):
    """Nobody waits for the replays any more."""


def replay_title(policy: str) -> str:
    """What the replay of a policy is called."""
    title = {**POLICIES, **REPLAY_POLICIES}[policy].title
    return f"{title.removesuffix(' (replays only)')} (replay)"


def open_recording(path: Path) -> Recording:
    """The recording of a file: of its own, or of what a project measured."""
    if path.suffix.lower() == SUFFIX:
        return load_recording(path)
    with Project.open(path, read_only=True) as project:
        return recording_of(project, peak_flops=known_peak(project.target) or 0.0)


def replay_all(
    wish: ReplayWish,
    tell: Callable[[ReplayState | Contender], None],
    stopped: Callable[[], bool],
) -> Recording:
    """Replay a wish to its end and tell each result as it comes; the recording it was made of.

    Raises Stopped soon after `stopped` says so, and TunewrightErrors for what cannot be read.
    """
    tell(ReplayState(0.0, f"Reading {wish.path.name}"))
    recording = open_recording(wish.path)
    for place, name in enumerate(wish.policies):
        policy = make_replay_policy(recording, name, seed=wish.seed)
        text = replay_title(name)

        def report(share: float, place: int = place, text: str = text) -> None:
            if stopped():
                raise Stopped
            tell(ReplayState((place + share) / len(wish.policies), text))

        report(0.0)
        total = sum(len(task.latency_s) for task in recording.tasks)
        result = replay(recording, _Watched(policy, total, report))
        tell(replay_contender(recording, result, replay_title(name)))
    return recording


class _Watched(Policy):
    """A policy that says at each choice how much of the recording is used up."""

    name = "watched"
    title = "Watched"

    def __init__(self, policy: Policy, total: int, report: Callable[[float], None]) -> None:
        super().__init__(seed=policy.seed)
        self._policy = policy
        self._total = max(1, total)
        self._report = report
        self.name = policy.name  # type: ignore[misc]  # a result carries it

    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        self._report(sum(len(task.latencies) for task in tasks) / self._total)
        return self._policy.choose(tasks)

    def state(self) -> dict[str, Any]:
        return self._policy.state()
