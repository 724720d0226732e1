"""Loaded kernels that are timed: by TVM's timer, or in a CUDA Graph, as a GPU's module is one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

from engine.measure.sampling import Kernel

if TYPE_CHECKING:
    from engine.measure.units import CudaGraph, Streams

FUNCTION = "main"
MOST_CALLS = 2_000  # in one graph: the shortest kernels fill a sample of 4 ms with as many

_log = logging.getLogger(__name__)


class TvmKernel(Kernel):
    """A function of a loaded TVM library."""

    def __init__(self, module: Any, device: Any, args: list[Any]) -> None:
        self._module = module
        self._function: Callable[..., None] = module[FUNCTION]
        self._device = device
        self._args = args

    def call(self) -> float:
        """Call once and wait for the device."""
        began = time.perf_counter()
        self._function(*self._args)
        self._device.sync()
        return time.perf_counter() - began

    def batch(self, number: int, repeat: int) -> tuple[float, ...]:
        """Time calls without Python between them, by the device's own clock where it has one."""
        timer = self._module.time_evaluator(FUNCTION, self._device, number=number, repeat=repeat)
        return tuple(timer(*self._args).results)


class GraphKernel(TvmKernel):
    """The same on a GPU, its batches replays of a CUDA Graph that holds many calls.

    In a module kernels follow each other so. From the host each launch costs 4 to 5 us, more than
    short kernels take. The calls take `args` and the `others` in turn: so they find in the caches
    what the one before wrote, and of weights, where those are others, what a whole model leaves
    there. What cannot be captured is timed by TVM's timer.
    """

    def __init__(
        self,
        module: Any,
        device: Any,
        args: list[Any],
        streams: Streams,
        others: Sequence[list[Any]] = (),
    ) -> None:
        super().__init__(module, device, args)
        self._turns = [(self._function, tuple(one)) for one in (args, *others)]
        self._streams = streams
        self._graph: CudaGraph | None = None
        self._calls = 0
        self.in_graph = True

    def batch(self, number: int, repeat: int) -> tuple[float, ...]:
        """Replay the graph, once unseen; a sample has about `number` calls, whole replays."""
        graph = self._captured(number)
        if graph is None:
            return super().batch(number, repeat)
        launches = max(1, round(number / self._calls))
        graph.launch()
        taken = graph.seconds(launches, repeat)
        return tuple(seconds / (launches * self._calls) for seconds in taken)

    def close(self) -> None:
        """Free the graph."""
        graph, self._graph = self._graph, None
        if graph is not None:
            with suppress(RuntimeError):  # an illegal access has spoilt all there is
                graph.close()

    def _captured(self, number: int) -> CudaGraph | None:
        """A graph for batches of `number` calls, anew where the one there is has under half of
        them; None where the kernel cannot be captured."""
        calls = min(number, MOST_CALLS)
        if not self.in_graph or (self._graph is not None and calls < 2 * self._calls):
            return self._graph
        self.close()
        try:
            stage = [list(islice(cycle(self._turns), calls))]
            self._graph, self._calls = self._streams.program([stage], known=True), calls
        except Exception as error:  # the kernel's own, too, which its next call raises again
            _log.info("A kernel is timed without a graph: %s", error)
            self.in_graph = False
        return self._graph
