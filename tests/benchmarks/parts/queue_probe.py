"""A kernel that is measured beside a queue's jobs: what their measurements suffer, it suffers."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median

from engine.jobs.granting import Need
from engine.jobs.host import Host
from engine.measure.build_pool import BuildPool
from engine.measure.local_runner import LocalRunner
from engine.measure.probe import PROTOCOL, probe_args, probe_module
from engine.measure.runner import BuildRequest, RunRequest
from engine.records.machine import TargetSpec
from engine.records.outstanding import StageKind
from engine.targets.targets import to_tvm

ALONE = 15
"""Measurements before anything else runs."""


def build_probe(target: TargetSpec, folder: Path) -> Path:
    """The probe kernel as a library. Blocks for seconds."""
    import tvm

    pool = BuildPool(1)
    try:
        pool.wait_ready()
        request = BuildRequest(
            module=probe_module(target.is_gpu),
            target=tvm.ir.save_json(to_tvm(target)),
            artifact=str(folder / "probe.so"),
        )
        built = pool.submit(request).result()
    finally:
        pool.close()
    assert built.artifact is not None, built.error_text
    return Path(built.artifact)


@dataclass(slots=True)
class QueueProbe:
    """Measures the kernel as a stage of a job that runs, every so often.

    The stage waits for its device and, on a CPU, for all cores, as the job's measurements do: what
    disturbs it has disturbed them. Latencies in seconds.
    """

    host: Host
    target: TargetSpec
    library: Path
    every_s: float
    job: Callable[[], str]
    alone: list[float] = field(default_factory=list)
    during: list[float] = field(default_factory=list)

    async def run(self) -> None:
        """Until it is cancelled; the first measurements have no company."""
        runner = LocalRunner(self.target.device)
        try:
            await asyncio.to_thread(runner.wait_ready)
            for _ in range(ALONE):
                self.alone.append(await self._measure(runner, ""))
            while True:
                await asyncio.sleep(self.every_s)
                if job := self.job():
                    await self._measure_during(runner, job)
        finally:
            await asyncio.to_thread(runner.close)

    async def _measure_during(self, runner: LocalRunner, job: str) -> None:
        try:
            self.during.append(await self._measure(runner, job))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # Only the stage was: its job ended while it waited.

    async def _measure(self, runner: LocalRunner, job: str) -> float:
        assert self.host.resources is not None
        resources = self.host.resources.of_job(job)
        cores = 1 if self.target.is_gpu else resources.cores
        kind, name = StageKind.MEASUREMENT, "probe"
        need = Need(cores, self.target.place, kind=kind, task=name, target=name)
        folder = self.library.parent
        copy = Path(tempfile.mkstemp(".so", dir=folder)[1])  # a runner removes what it measured
        shutil.copyfile(self.library, copy)
        request = RunRequest(str(copy), probe_args(self.target.is_gpu), PROTOCOL)
        async with resources.hold(need):
            result = await asyncio.wrap_future(runner.submit(request))
        assert result.error is None, result.error_text
        return median(result.samples)


def in_turn(jobs: Callable[[], list[str]]) -> Callable[[], str]:
    """One of the jobs that run, another one each time; empty for none."""
    turns = count()

    def next_job() -> str:
        found = jobs()
        return found[next(turns) % len(found)] if found else ""

    return next_job
