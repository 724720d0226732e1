"""What a run needs before it can go on, and what is cleared away after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from engine.errors import TunewrightError
from engine.events import Message, RunChanged
from engine.history import History
from engine.jobs.clock import RunClock
from engine.jobs.context import RunContext
from engine.jobs.opening import OpenedModel
from engine.jobs.session import Session
from engine.jobs.settings import RunSettings, RunState
from engine.jobs.tuning import Tuning
from engine.measure.artifacts import ArtifactFolder
from engine.measure.build_pool import BuildPool
from engine.measure.local_runner import LocalRunner
from engine.measure.rpc_address import parse_address
from engine.measure.rpc_runner import RpcRunner
from engine.tasks.targets import TargetSpec, to_tvm

# Most builds take 0.1 to 0.4 s on a CPU and 3 s on a GPU. The few that take ten times as long
# are unrolled beyond use, and everything else waits for them.
_CPU_BUILD_S = 8.0
_GPU_BUILD_S = 30.0


async def run_to_end(session: Session, run: int, settings: RunSettings) -> None:
    """Carry a run through to its end, whatever that is, and write it down.

    Raises what ended it, where that was neither its budget nor a stop.
    """
    try:
        model = await session.load_model()
        async with (
            session.turn(model.program.target.place),
            _context(session, model, run, settings) as context,
        ):
            session.tuning = Tuning(context)
            await session.tuning.run()
    except asyncio.CancelledError:
        _ended(session, run, RunState.STOPPED, "stopped")
    except BaseException as error:
        cause = root_cause(error)
        what = cause.what if isinstance(cause, TunewrightError) else str(cause)
        _ended(session, run, RunState.FAILED, what)
        raise cause from error
    finally:
        session.tuning = None


def root_cause(error: BaseException) -> BaseException:
    """The first error of a group of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _ended(session: Session, run: int, state: RunState, reason: str) -> None:
    if session.tuning is not None:
        session.tuning.stopped(state, reason)
    else:
        session.project.set_run(run, state=state, reason=reason)
        session.emit(RunChanged(run, state, reason))


@asynccontextmanager
async def _context(
    session: Session, model: OpenedModel, run: int, settings: RunSettings
) -> AsyncIterator[RunContext]:
    import tvm

    target, cores = model.program.target, session.resources.cores
    snapshot = session.project.snapshot()
    of_run = next((info.elapsed_s for info in snapshot.runs if info.id == run), 0.0)
    workers = max(1, cores - 2) if target.is_gpu else cores
    builder = BuildPool(workers, timeout_s=_GPU_BUILD_S if target.is_gpu else _CPU_BUILD_S)
    runner = _runner(session, target)
    artifacts = ArtifactFolder()
    gate = asyncio.Event()
    gate.set()
    try:
        # Their start would disturb the first measurement.
        await asyncio.to_thread(builder.wait_ready)
        await asyncio.to_thread(runner.wait_ready)
        yield RunContext(
            run=run,
            project=session.project,
            model=model,
            settings=settings,
            history=History(snapshot),
            clock=RunClock(snapshot.elapsed_s - of_run, of_run),
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
        await asyncio.to_thread(_close, builder, runner, artifacts)


def _runner(session: Session, target: TargetSpec) -> LocalRunner:
    """What measures on the target's device, wherever that is."""
    if not target.remote:
        return LocalRunner(target.device)

    def say(text: str) -> None:
        session.emit(Message("warning", text))

    return RpcRunner(parse_address(target.remote), target.device, say=say)


def _close(builder: BuildPool, runner: LocalRunner, artifacts: ArtifactFolder) -> None:
    builder.close()
    runner.close()
    artifacts.close()
