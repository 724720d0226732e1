"""Measures on a device of another machine, through a server of TVM's that a tracker knows."""

from __future__ import annotations

from collections.abc import Callable

from engine.measure.local_runner import LocalRunner, Results, timeout_of
from engine.measure.remote.given import require_given
from engine.measure.remote.remote_runner import Attached, RemoteRunner
from engine.measure.remote.rpc_worker import Lost, Refused, serve
from engine.measure.remote.server_search import NoServer, Wanted
from engine.measure.run_worker import Job, Reply
from engine.measure.worker_process import WorkerDied, WorkerHung, WorkerProcess
from engine.records.addresses import RpcAddress, Server
from engine.records.errors import Hint, TuningError
from engine.records.sentences import Sentence
from engine.workers.fork_server import ForkServerContext

_CONNECT_S = 15.0  # that a worker may take beyond its waiting


class RpcRunner(RemoteRunner):
    """The device of one server of `address`; the worker here is its client."""

    start = Sentence("Start a server for it, or choose another device.")
    hint = Hint.SERVER

    def __init__(
        self,
        address: RpcAddress,
        device: str = "cpu",
        *,
        wait_s: float = 20.0,
        return_s: float = 3.0,
        say: Callable[[str], None] = lambda text: None,
        avoid: Callable[[], frozenset[Server]] = frozenset,
        context: ForkServerContext | None = None,
    ) -> None:
        self._given = context
        self.address = address
        super().__init__(device, wait_s=wait_s, return_s=return_s, say=say, avoid=avoid)

    def _make_context(self) -> ForkServerContext:
        return self._given or ForkServerContext(("tvm.rpc",))

    def _how_many(self) -> int:
        return 1  # a successor, which is forked, needs no time to start

    def _start(self) -> WorkerProcess:
        try:
            device = f"{self.address} {self._device}"
            return WorkerProcess(self._context, str(self._logs.path), device, serve)
        except (OSError, EOFError) as error:
            raise TuningError(
                Sentence("No measuring process could be started: {error}.", error=error)
            ) from error

    def _begin(self) -> None:
        require_given(self.address)  # here, where that is told as what it is
        LocalRunner._begin(self)
        super()._begin()

    def _once(self, job: Job) -> Results:
        worker = self._worker()
        try:
            reply: Reply | Lost = worker.call(job, timeout_of(job))
        except (WorkerHung, WorkerDied):
            self._drop(worker)
            raise
        if isinstance(reply, Lost):
            raise WorkerDied(reply.text)
        return reply.results

    def _find(self, wanted: Wanted) -> Attached:
        worker = self._worker()
        try:
            worker.wait_started()
            reply: Attached | Refused = worker.call(wanted, wanted.wait_s + _CONNECT_S)
        except (WorkerHung, WorkerDied) as error:
            self._drop(worker)
            raise NoServer(f"The server does not answer: {error}".rstrip(": ")) from error
        if isinstance(reply, Refused):
            raise NoServer(reply.text)
        return reply
