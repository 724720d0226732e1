"""What runs in the worker of a remote device: the bench, with a server's kernels and memory."""

from __future__ import annotations

import itertools
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any

from engine.measure.kernels import TvmKernel
from engine.measure.remote.board_sensors import Sensors
from engine.measure.remote.remote_runner import Attached
from engine.measure.remote.rpc_link import Link
from engine.measure.remote.server_search import NoServer, Wanted
from engine.measure.run_worker import Args, Bench, Job, Reply, values_of
from engine.measure.sampling import Kernel
from engine.records.addresses import Server, parse_address
from engine.records.devices import device_parts
from engine.records.machine import prepare_environment
from engine.records.sentences import Sentence
from engine.records.task import TensorSpec
from engine.workers.child import error_text, forget_log, settle

_IDLE_S = 1.5  # then the server is given back: others may wait for it
_RANDOM = "tvm.contrib.random.random_fill_for_measure"
_RANDOM_TYPES = ("float32", "float64")
_UPLOADED = 1 << 16  # elements; longer floats are made by the server


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is no server; a sentence without its full stop."""

    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    """The server went away in the middle of a job."""

    text: str


def serve(pipe: Connection, log_dir: str, device: str) -> None:
    """Answer what comes through the pipe until it closes: `Wanted` first, then a job.

    `device` is a remote address, a space and the device there. The first answer is an error or "".
    """
    settle(log_dir)
    prepare_environment()
    try:
        bench = RemoteBench(*device.split())
    except Exception as error:
        pipe.send(error_text(error))
        return
    pipe.send("")
    while True:
        try:
            if not pipe.poll(_IDLE_S):
                bench.rest()
            message: Wanted | Job = pipe.recv()
        except EOFError:
            return
        forget_log()
        pipe.send(bench.attach(message) if isinstance(message, Wanted) else bench.measure(message))


class RemoteBench(Bench):
    """A server's device, while there is a session with it."""

    def __init__(self, address: str, device: str) -> None:
        import tvm.rpc

        self._tvm = tvm
        self._name = device
        self._link = Link(parse_address(address))
        self._args: OrderedDict[Args, list[Any]] = OrderedDict()
        self._files = itertools.count()
        self._found: Attached | None = None
        self._sensors: dict[Server, Sensors] = {}

    def attach(self, wanted: Wanted) -> Attached | Refused:
        """Have a session with a server. One whose device is missing is refused."""
        if self._found is not None and self._link.serves(wanted):
            return self._found
        self.rest()
        try:
            self._link.open(wanted)
            self._found = self._look()
        except NoServer as error:
            self._link.release()
            return Refused(Sentence.of(error.args[0]))
        return self._found

    def measure(self, job: Job) -> Reply | Lost:
        """Measure a job in the session; a server that it cost is lost."""
        began = time.perf_counter()
        reply = self.run(job)
        if reply.healthy:
            return reply if job.comparison else self._with_board(reply)
        alive = self._link.alive()
        self.rest()
        if alive:  # and the device is not: a new session has a new one
            return Reply(reply.results)
        return Lost(f"The connection broke after {time.perf_counter() - began:.1f} s")

    def _with_board(self, reply: Reply) -> Reply:
        """The results with what the board says of itself now."""
        server = self._link.server
        assert server is not None
        state = self._sensors[server].state(self._link.read)
        return replace(
            reply, results=tuple(replace(result, board=state) for result in reply.results)
        )

    def rest(self) -> None:
        """Give the server back; the arguments there are gone."""
        self._args.clear()
        self._found = None
        self._link.release()

    def _look(self) -> Attached:
        """What the session has got us."""
        try:
            self._device = self._link.session.device(*device_parts(self._name))
            exists = bool(self._device.exist)
        except Exception as error:  # TVM raises whatever its connection does
            raise NoServer(
                Sentence("The server does not answer: {error}", error=error_text(error))
            ) from error
        server = self._link.server
        assert server is not None
        if not exists:
            raise NoServer(Sentence("The server has no device {name}", name=self._name))
        if server not in self._sensors:
            self._sensors[server] = Sensors(self._link.read)
            self._sensors[server].state(self._link.read)  # what its cores may have before
        return Attached(server, self._link.is_here())

    def _kernel(self, artifact: str, args: list[Any], others: Sequence[list[Any]] = ()) -> Kernel:
        """Upload a library and load it there, under a name that the server has not seen."""
        session, name = self._link.session, f"{next(self._files)}.so"
        session.upload(artifact, target=name)
        module = session.load_module(name)
        session.remove(name)
        return RemoteKernel(module, self._device, args)

    def _tensor(self, spec: TensorSpec, seed: int) -> Any:
        """As the local bench's; long floats are random numbers of the server's own."""
        runtime = self._tvm.runtime
        if spec.dtype in _RANDOM_TYPES and _size(spec) > _UPLOADED:
            tensor = runtime.empty(spec.shape, spec.dtype, self._device)
            self._link.session.get_function(_RANDOM)(tensor)
            return tensor
        return runtime.tensor(values_of(spec, seed), device=self._device)


class RemoteKernel(TvmKernel):
    """A function of a library on a server."""

    def call(self) -> float:
        """The seconds of one call by the server's clock: ours would count the way there."""
        return self.batch(1, 1)[0]


def _size(spec: TensorSpec) -> int:
    size = 1
    for extent in spec.shape:
        size *= extent
    return size
