"""Measures stages of a program for as long as its caller lets it, merged operators too."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.deploy.plan import Groups
from engine.deploy.stage_bench import StageBench, StageLatency
from engine.deploy.staged import Members
from engine.records.errors import ExportError
from engine.records.machine import TargetSpec
from engine.records.schedule import Stage, Strategy
from engine.records.trial import Protocol

CompileMerged = Callable[[Sequence[Members], Path], None]
Measured = tuple[Stage, StageLatency]

_TOGETHER = 32  # merged operators that are compiled before they are asked for


class StageMeter:
    """Stages of the program in `folder`; `mergeable` are the sets that may be asked for merged.

    `compile_merged` compiles the kernels of some sets into a folder, where set n is the steps 2n
    and 2n + 1. Its methods block, all but `halt`, and are for one thread at a time.
    """

    def __init__(
        self,
        folder: Path,
        target: TargetSpec,
        protocol: Protocol,
        mergeable: Sequence[Members] = (),
        compile_merged: CompileMerged | None = None,
    ) -> None:
        self._folder, self._target, self._protocol = folder, target, protocol
        self._mergeable, self._compile_merged = tuple(mergeable), compile_merged
        self._halted = threading.Event()
        self._benches = [self._bench(folder)]
        self._merged: dict[Members, tuple[StageBench, Groups] | StageLatency] = {}

    def halt(self) -> None:
        """Have `measure` return after the stage that it is at, from now on."""
        self._halted.set()

    def measure(self, stages: Sequence[Stage], seconds: float) -> list[Measured]:
        """The first of these stages, at least one, as many as `seconds` allow.

        Raises TuningError where the program cannot be run at all.
        """
        done: list[Measured] = []
        until = time.monotonic() + seconds
        self._prepare(stages)
        for stage in stages:
            if done and (self._halted.is_set() or time.monotonic() >= until):
                break
            done.append((stage, self._measure(stage)))
        return done

    def close(self) -> None:
        """End the workers; idempotent."""
        for bench in self._benches:
            bench.close()

    def _measure(self, stage: Stage) -> StageLatency:
        bench: StageBench = self._benches[0]
        groups: Groups = stage.groups
        if stage.strategy is Strategy.MERGE:
            found = self._merged[stage.groups[0]]
            if isinstance(found, StageLatency):
                return found
            bench, groups = found
        (latency,) = bench.measure([groups])
        return latency

    def _prepare(self, stages: Sequence[Stage]) -> None:
        """Compile the merged operators among these stages, and others while they are few."""
        asked = [stage.groups[0] for stage in stages if stage.strategy is Strategy.MERGE]
        new = [members for members in asked if members not in self._merged]
        if new:
            more = [item for item in self._mergeable if item not in self._merged]
            self._compile(more if len(more) <= _TOGETHER else list(dict.fromkeys(new)))

    def _compile(self, sets: Sequence[Members]) -> None:
        """Compile these; where that fails, in halves, down to the one that does not work."""
        assert self._compile_merged is not None
        folder = self._folder / f"merged{len(self._benches)}"
        folder.mkdir(exist_ok=True)
        try:
            self._compile_merged(sets, folder)
        except ExportError as error:
            if len(sets) == 1:
                self._merged[sets[0]] = StageLatency(math.inf, error.what)
                return
            half = len(sets) // 2
            self._compile(sets[:half])
            self._compile(sets[half:])
            return
        bench = self._bench(folder)
        self._benches.append(bench)
        for place, members in enumerate(sets):
            self._merged[members] = (bench, ((2 * place, 2 * place + 1),))

    def _bench(self, folder: Path) -> StageBench:
        return StageBench(folder, self._target.device, self._target.cores, self._protocol)
