"""What a run needs before it can go on, and what is cleared away after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from engine.history.history import History
from engine.jobs.clock import RunClock
from engine.jobs.context import RunContext
from engine.jobs.devices import make_runner, settle_devices, turns
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.resources import Need
from engine.jobs.session import Session
from engine.jobs.together import all_of
from engine.jobs.tuning import Tuning
from engine.jobs.verifying.checks import Tally, check_record
from engine.measure.build_cache import CachedBuilder
from engine.measure.build_pool import BuildPool
from engine.measure.build_worker import triple_of
from engine.measure.linker import require_linker
from engine.measure.remote.cluster_builder import ClusterBuilder
from engine.measure.runner import Builder, Runner
from engine.records.errors import TunewrightError
from engine.records.events import Progress, RunChanged
from engine.records.outstanding import StageKind
from engine.records.sentences import Sentence
from engine.records.settings import NONE, RunSettings, RunState
from engine.records.words import Doing, RunEnd
from engine.targets.targets import TargetSpec, to_tvm
from engine.workers.artifacts import ArtifactFolder

# Most builds take 0.1 to 0.4 s on a CPU and 3 s on a GPU. The few that take ten times as long
# are unrolled beyond use, and everything else waits for them.
CPU_BUILD_S = 8.0
_GPU_BUILD_S = 30.0


async def run_to_end(session: Session, run: int, settings: RunSettings) -> None:
    """Carry a run through to its end, whatever that is, and write it down.

    Raises what ended it, where that was neither its budget nor a stop.
    """
    try:
        model = await session.load_model()
        async with (
            turns(session, model.program.target, settings),
            _context(session, model, run, settings) as context,
        ):
            await settle_devices(context)
            session.tuning = Tuning(context)
            await session.tuning.run()
    except asyncio.CancelledError:
        _ended(session, run, RunState.STOPPED, RunEnd.STOPPED)
    except BaseException as error:
        what = error.what if isinstance(error, TunewrightError) else str(error)
        _ended(session, run, RunState.FAILED, what)
        raise
    finally:
        session.tuning = None


async def check_records(session: Session) -> None:
    """Compare the kernels of the project's records with the untuned ones, where that was not done:
    after a stop, or in a project of an earlier version. They are checked where its last run was.
    """
    snapshot = session.project.snapshot()
    history = History(snapshot)
    numbers = {history.record(task.index) for task in snapshot.tasks}
    left = [trial for trial in snapshot.trials if trial.number in numbers and not trial.checked]
    if not left:
        return
    last = snapshot.runs[-1]
    settings = last.settings.elsewhere(cluster=NONE)
    model = await session.load_model()
    tally = Tally()
    async with (
        turns(session, model.program.target, settings),
        _context(session, model, last.id, settings) as context,
    ):
        session.emit(Progress(Doing.VALUES))
        await all_of(partial(check_record, context, trial.task, tally) for trial in left)
        session.emit(Progress(""))
    tally.tell(session.emit)


def _ended(session: Session, run: int, state: RunState, reason: str) -> None:
    if session.tuning is not None:
        session.tuning.stopped(state, reason)
    else:
        session.project.set_run(run, state=state, reason=reason)
        session.emit(RunChanged(run, state, Sentence.of(reason)))


@asynccontextmanager
async def _context(
    session: Session, model: OpenedModel, run: int, settings: RunSettings
) -> AsyncIterator[RunContext]:
    import tvm

    target = model.program.target
    snapshot = session.project.snapshot()
    of_run = next((info.elapsed_s for info in snapshot.runs if info.id == run), 0.0)
    builder, runner = await _workers(session, target, run, settings)
    artifacts = ArtifactFolder()
    gate = asyncio.Event()
    gate.set()
    clock = RunClock(snapshot.elapsed_s - of_run, of_run)
    try:
        session.resources.tell_share(clock.pace)
        yield RunContext(
            run=run,
            project=session.project,
            model=model,
            settings=settings,
            history=History(snapshot),
            clock=clock,
            resources=session.resources,
            builder=builder,
            runner=runner,
            artifacts=artifacts,
            threads=session.threads,
            gate=gate,
            build_target=tvm.ir.save_json(to_tvm(target)),
            emit=session.emit,
        )
    finally:
        session.resources.tell_share(None)
        await asyncio.to_thread(_close, builder, runner)
        artifacts.close()


async def _workers(
    session: Session, target: TargetSpec, run: int, settings: RunSettings
) -> tuple[Builder, Runner]:
    """Workers that have started, as a stage: their start would disturb a measurement. For a GPU
    of this machine they start beside the run's first steps, which take cores that are free."""
    cores, device = session.resources.cores, target.place if target.is_gpu else ""
    need = Need(2, "" if target.remote else device, long=True, kind=StageKind.STARTING)
    async with session.resources.hold(need):
        builder = _builder(target, cores, settings)
        if session.builds is not None:
            builder = CachedBuilder(builder, session.builds, named=target.is_gpu)
        runner = make_runner(session, target, run, settings)
        try:
            if not target.is_gpu or target.remote or settings.cluster:
                await asyncio.to_thread(builder.wait_ready)
                await asyncio.to_thread(runner.wait_ready)
        except BaseException:
            await asyncio.to_thread(_close, builder, runner)
            raise
    return builder, runner


def _builder(target: TargetSpec, cores: int, settings: RunSettings) -> Builder:
    timeout_s = _GPU_BUILD_S if target.is_gpu else CPU_BUILD_S
    if settings.cluster:
        return ClusterBuilder(settings.cluster, timeout_s=timeout_s)
    require_linker(triple_of(to_tvm(target)))
    return BuildPool(max(1, cores - 2) if target.is_gpu else cores, timeout_s=timeout_s)


def _close(builder: Builder, runner: Runner) -> None:
    builder.close()
    runner.close()
