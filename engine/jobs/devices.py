"""The devices of a run: what a person lists, the runner that spreads over them, its probe."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from engine.jobs.context import RunContext
from engine.jobs.session import Session
from engine.measure import probe
from engine.measure.local_runner import LocalRunner
from engine.measure.remote.dask_runner import DaskRunner
from engine.measure.remote.remote_runner import RemoteRunner
from engine.measure.remote.rpc_runner import RpcRunner
from engine.measure.runner import BuildRequest, Runner, RunRequest
from engine.measure.spread_runner import Member, SpreadRunner
from engine.records.addresses import DaskAddress, Server, is_remote, parse_remote
from engine.records.devices import cuda_index
from engine.records.errors import Hint, TargetError, TuningError, UsageError
from engine.records.events import Message, Progress
from engine.records.machine import TargetSpec, local_cuda
from engine.records.sentences import Sentence, together
from engine.records.settings import RunSettings
from engine.records.words import Doing

_ROUNDS = 3
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Place:
    """A device of a run: its name among all that are tuned from here, its model, what it is to
    TVM ("cuda:1") and the address of its server, where it is remote."""

    name: str
    model: str
    device: str
    remote: str = ""


def places_of(target: TargetSpec, devices: str, say: Say = lambda text: None) -> tuple[Place, ...]:
    """The devices that `devices` ("cuda:0,cuda:1") lists, the target's own first.

    `say` is told of those that are not there, which are left out: a run resumes without them.
    Raises UsageError where they cannot measure for one target, TargetError where one is no device.
    """
    names = [name.strip() for name in devices.split(",") if name.strip()]
    if not names:
        return (Place(target.place, target.title, target.device, target.remote),)
    if target.remote:
        return _remote(target, names)
    if any(is_remote(name) for name in names):
        raise UsageError(
            "Devices here and devices elsewhere cannot share a run.", "List one kind of them."
        )
    names = [name if name == "cpu" else f"cuda:{cuda_index(name)}" for name in names]
    _require_own(target.device, names)
    if len(set(names)) < len(names):
        raise UsageError("A device is listed twice.", "Name each once.")
    names.sort(key=lambda name: name != target.device)
    if not target.is_gpu:
        return (Place(target.place, target.title, target.device),)
    return _local(names, say)


def _local(names: list[str], say: Say) -> tuple[Place, ...]:
    specs = [local_cuda(cuda_index(names[0]))]
    for name in names[1:]:
        index = cuda_index(name)
        try:
            spec = local_cuda(index)
        except TargetError as error:
            say(together(error.what, "The run goes on without it."))
            continue
        if spec.text != specs[0].text:
            raise UsageError(
                Sentence(
                    "{name} ({title}) cannot run what is built for {first} ({first_title}).",
                    name=name,
                    title=spec.title,
                    first=names[0],
                    first_title=specs[0].title,
                ),
                "Tune for each in a project of its own.",
            )
        specs.append(spec)
    return tuple(Place(spec.device, spec.title, spec.device) for spec in specs)


def _remote(target: TargetSpec, names: list[str]) -> tuple[Place, ...]:
    """Servers of one key are of one model: that is what a key says."""
    addresses = [str(parse_remote(name)) for name in names]
    _require_own(target.remote, addresses)
    addresses.sort(key=lambda address: address != target.remote)
    seen: Counter[str] = Counter()
    places = []
    for address in addresses:
        seen[address] += 1
        name = address if seen[address] == 1 else f"{address} #{seen[address]}"
        places.append(Place(name, parse_remote(address).key, target.device, address))
    return tuple(places)


def _require_own(own: str, names: list[str]) -> None:
    if own not in names:
        raise UsageError(
            Sentence(
                "The project is tuned on {own}, which is not among {names}.",
                own=own,
                names=", ".join(names),
            ),
            Sentence("List {own}, too, or start a project for the others.", own=own),
        )


@asynccontextmanager
async def turns(session: Session, target: TargetSpec, settings: RunSettings) -> AsyncIterator[None]:
    """Hold all devices of a run; in one order, so that no two runs wait for each other."""
    async with AsyncExitStack() as stack:
        for place in sorted(places_of(target, settings.devices), key=lambda place: place.name):
            await stack.enter_async_context(session.turn(place.name))
        yield


def make_runner(session: Session, target: TargetSpec, run: int, settings: RunSettings) -> Runner:
    """What measures for a run, wherever its devices are."""

    def say(text: str) -> None:
        session.emit(Message("warning", Sentence.of(text)))

    places = places_of(target, settings.devices, say)
    runners: list[Runner] = []
    for number, place in enumerate(places):
        runners.append(_runner(place, say, partial(_servers_of_others, runners, number)))
    if len(runners) == 1:
        return runners[0]
    members = [
        Member(place.name, place.model, runner)
        for place, runner in zip(places, runners, strict=True)
    ]
    return SpreadRunner(
        members,
        say=lambda text: session.emit(Message("info", Sentence.of(text))),
        keep=partial(session.project.set_devices, run),
    )


def _runner(place: Place, say: Say, avoid: Callable[[], frozenset[Server]]) -> Runner:
    if place.remote:
        address = parse_remote(place.remote)
        if isinstance(address, DaskAddress):
            return DaskRunner(address, place.device, say=say, avoid=avoid)
        return RpcRunner(address, place.device, say=say, avoid=avoid)
    return LocalRunner(place.device)


def _servers_of_others(runners: list[Runner], own: int) -> frozenset[Server]:
    """The servers that a run has by its other runners: two of one key share none."""
    others = runners[:own] + runners[own + 1 :]
    servers = (runner.server for runner in others if isinstance(runner, RemoteRunner))
    return frozenset(server for server in servers if server is not None)


async def settle_devices(context: RunContext) -> None:
    """Find out which of a run's devices agree: a kernel is measured on each, in turns."""
    runner = context.runner
    if not isinstance(runner, SpreadRunner):
        return
    context.emit(Progress(Doing.COMPARING))
    try:
        seconds = await _probe(context, runner)
    finally:
        context.emit(Progress(""))
    tasks = range(len(context.model.program.tasks))
    tuned = [task for task in tasks if context.history.trials(task)]
    runner.settle(seconds, context.project.devices(), tuned)


async def _probe(context: RunContext, runner: SpreadRunner) -> dict[str, float]:
    """The median latency (s) of the probe kernel on each device. TuningError."""
    library = await _library(context)
    args = probe.probe_args(context.model.program.target.is_gpu)
    samples: dict[str, list[float]] = {name: [] for name in runner.names}
    for _ in range(_ROUNDS):
        for name, found in samples.items():
            copy = context.artifacts.fresh(".so")  # a runner removes what it has measured
            shutil.copyfile(library, copy)
            request = RunRequest(copy, args, probe.PROTOCOL, place=name)
            async with context.stage(context.needs_run(place=name)):
                result = await asyncio.wrap_future(runner.submit(request))
            if result.error is not None:
                raise TuningError(
                    Sentence(
                        "The device {name} does not measure: {error_text}",
                        name=name,
                        error_text=result.error_text,
                    ),
                    "Leave it out, or look under Troubleshooting in the help.",
                    Hint.CHECK,
                )
            found.append(median(result.samples))
    Path(library).unlink(missing_ok=True)
    return {name: median(found) for name, found in samples.items()}


async def _library(context: RunContext) -> str:
    module = await asyncio.to_thread(probe.probe_module, context.model.program.target.is_gpu)
    request = BuildRequest(module, context.build_target, context.artifacts.fresh(".so"))
    async with context.building():
        built = await asyncio.wrap_future(context.builder.submit(request))
    if built.artifact is None:
        raise TuningError(
            Sentence(
                "The kernel that compares devices cannot be built: {error_text}",
                error_text=built.error_text,
            ),
            "Tune on one device.",
        )
    return built.artifact
