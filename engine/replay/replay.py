"""A policy played over a recording on a virtual clock: what it would have reached, and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.allocation.policies.oracle import Future, Oracle
from engine.allocation.policies.registry import make_policy
from engine.allocation.policy import Choice, Policy
from engine.allocation.recording import Floats, Recording
from engine.records.options import made
from engine.records.sentences import Sentence
from engine.replay.paced_loop import run_virtual
from engine.replay.replay_run import Given, Listener, ReplayRun
from engine.replay.tape import Tape

Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ReplaySlot:
    """One slot: its task, virtual seconds of its start and end (the replay's, where cut off).

    `trials` counts the results it gave. `state` is the policy's state after it chose.
    """

    task: int
    start_s: float
    end_s: float
    trials: int
    reason: str
    scores: dict[str, Any]
    state: dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class ReplayResult:
    """A replay. `seconds`, `latency_s` and `task` have an entry a trial, in order of time.

    `seconds` is virtual, `latency_s` the model's latency after that trial (weights times best
    latencies), `start_s` the same before any. `decision_s` is what each choice really took (s),
    and nothing else of a result differs between two runs of it. `end` says why it ended.
    """

    policy: str
    seconds: Floats
    latency_s: Floats
    task: Ints
    slots: tuple[ReplaySlot, ...]
    start_s: float
    end: str
    decision_s: Floats

    @property
    def final_s(self) -> float:
        """The model's latency at the end, in seconds."""
        return float(self.latency_s[-1]) if len(self.latency_s) else self.start_s

    @property
    def duration_s(self) -> float:
        """Virtual seconds until the last result."""
        return float(self.seconds[-1]) if len(self.seconds) else 0.0


def replay(
    recording: Recording,
    policy: Policy,
    *,
    lanes: int | None = None,
    batch: int | None = None,
    seconds: float | None = None,
    trials: int | None = None,
    latency_s: float | None = None,
    after: Sequence[ReplaySlot] = (),
) -> ReplayResult:
    """Play `recording` under `policy`, as fast as it decides, until it or the budget is used up.

    The budget is in virtual `seconds`, in `trials`, or a `latency_s` that the model shall reach.
    `lanes` slots are in flight (default: as many as in a live run on that device); the timing is
    that of `engine.replay.replay_run.ReplayRun`. To go on from an interrupted one, pass its first
    slots as `after`, and a policy restored from the `state` of the last of them. Not to be called
    in a running event loop.
    """
    tape = Tape(recording, batch)
    collector = _Collector(tape, policy, [slot.state for slot in after])
    script = [Choice(slot.task, slot.reason, slot.scores) for slot in after]
    run = ReplayRun(
        tape,
        policy,
        lanes=lanes,
        trials=trials,
        latency_s=latency_s,
        script=script,
        listener=collector,
    )
    return collector.result(run_virtual(run.run(seconds)))


def make_replay_policy(
    recording: Recording, name: str, options: Mapping[str, Any] | None = None, seed: int = 0
) -> Policy:
    """A policy for a replay of `recording`: as for a live run, or the oracle, which looks ahead.

    UsageError for a name or an option that does not exist.
    """
    if name != Oracle.name:
        return make_policy(name, options or {}, seed)
    futures = {
        index: Future.of(task, recording.cores) for index, task in enumerate(recording.tasks)
    }
    return Oracle(
        made(Oracle.Options, options or {}, Sentence("The policy {name}", name="oracle")),
        seed,
        futures,
    )


class _Collector(Listener):
    """Keeps what happened."""

    def __init__(self, tape: Tape, policy: Policy, known: Sequence[dict[str, Any]]) -> None:
        """`known`: the states after the slots that the policy is not asked for."""
        self._known = known
        self._tape = tape
        self._policy = policy
        self._start_s = tape.model_s
        self._slots: list[Given] = []
        self._states: list[dict[str, Any]] = []
        self._ends: dict[int, float] = {}
        self._trials: dict[int, int] = {}
        self._rows: list[tuple[float, float, int]] = []

    def slot_given(self, slot: Given) -> None:
        place = len(self._slots)
        asked = place >= len(self._known)
        self._slots.append(slot)
        self._states.append(self._policy.state() if asked else self._known[place])
        self._trials[slot.number] = 0

    def trial_done(self, slot: Given, row: int, latency_s: float, now_s: float) -> None:
        self._trials[slot.number] += 1
        self._rows.append((now_s, self._tape.model_s, slot.task))

    def slot_over(self, slot: Given, now_s: float) -> None:
        self._ends[slot.number] = now_s

    def result(self, end: str) -> ReplayResult:
        columns = list(zip(*self._rows, strict=True)) or [(), (), ()]
        last_s = columns[0][-1] if self._rows else 0.0
        slots = tuple(
            ReplaySlot(
                slot.task,
                slot.start_s,
                self._ends.get(slot.number, max(last_s, slot.start_s)),
                self._trials[slot.number],
                slot.reason,
                slot.scores,
                state,
            )
            for slot, state in zip(self._slots, self._states, strict=True)
        )
        return ReplayResult(
            policy=self._policy.name,
            seconds=np.array(columns[0], np.float64),
            latency_s=np.array(columns[1], np.float64),
            task=np.array(columns[2], np.int64),
            slots=slots,
            start_s=self._start_s,
            end=end,
            decision_s=np.array([slot.decision_s for slot in self._slots], np.float64),
        )
