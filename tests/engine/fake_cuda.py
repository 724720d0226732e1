"""The part of the CUDA runtime that captures graphs, without a GPU: it records what waits."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from types import SimpleNamespace
from typing import Any


class Code(IntEnum):
    """Results of calls."""

    SUCCESS = 0
    UNJOINED = 904


@dataclass
class Graph:
    """Kernels in the order of their launch, with the ones that each waits for."""

    nodes: list[str] = field(default_factory=list)
    waits: list[set[int]] = field(default_factory=list)

    def ancestors(self, node: int) -> set[int]:
        """All nodes that end before this one starts."""
        found: set[int] = set()
        left = set(self.waits[node])
        while left:
            found.add(parent := left.pop())
            left |= self.waits[parent] - found
        return found

    def before(self, name: str) -> set[str]:
        """Names of all kernels that end before this one starts."""
        return {self.nodes[i] for i in self.ancestors(self.nodes.index(name))}


class FakeCuda:
    """Streams, events and one capture at a time; `kernel` makes functions to launch."""

    cudaEventDisableTiming = 2
    cudaStreamCaptureMode = SimpleNamespace(cudaStreamCaptureModeRelaxed=2)

    def __init__(self) -> None:
        self.launched: list[Graph] = []
        self.destroyed: list[Any] = []
        self.workspaces: dict[str, int] = {}
        self.capturing = False
        self._graph = Graph()
        self._tails: dict[int, set[int]] = {}
        self._events: dict[int, set[int]] = {}
        self._recorded: dict[int, int] = {}
        self._numbers = itertools.count(1)
        self._devices: dict[int, int] = {}
        self._local = threading.local()

    def kernel(self, name: str) -> Any:
        """A kernel that notes when, where and by which thread it was launched."""

        def launch(*_args: object) -> None:
            assert self._devices[threading.get_ident()] == 3
            stream: int = self._local.stream
            self._graph.waits.append(set(self._tails[stream]))
            self._tails[stream] = {len(self._graph.nodes)}
            self._graph.nodes.append(name)
            self.workspaces[name] = threading.get_ident()

        return launch

    @contextmanager
    def use_raw_stream(self, _device: object, stream: int) -> Iterator[None]:
        """What tvm_ffi offers: the calling thread's stream."""
        before = getattr(self._local, "stream", None)
        self._local.stream = stream
        yield
        self._local.stream = before

    def cudaSetDevice(self, index: int) -> tuple[Code]:
        self._devices[threading.get_ident()] = index
        return (Code.SUCCESS,)

    def cudaStreamCreate(self) -> tuple[Code, int]:
        stream = len(self._tails) + 1
        self._tails[stream] = set()
        return Code.SUCCESS, stream

    def cudaEventCreateWithFlags(self, flags: int) -> tuple[Code, int]:
        assert flags == self.cudaEventDisableTiming
        return self.cudaEventCreate()

    def cudaEventCreate(self) -> tuple[Code, int]:
        event = next(self._numbers)
        self._events[event] = set()
        return Code.SUCCESS, event

    def cudaEventRecord(self, event: int, stream: int) -> tuple[Code]:
        self._events[event] = set(self._tails[stream])
        self._recorded[event] = len(self.launched)
        return (Code.SUCCESS,)

    def cudaStreamWaitEvent(self, stream: int, event: int, flags: int) -> tuple[Code]:
        assert flags == 0
        self._tails[stream] |= self._events[event]
        return (Code.SUCCESS,)

    def cudaStreamSynchronize(self, _stream: int) -> tuple[Code]:
        assert not self.capturing
        return (Code.SUCCESS,)

    def cudaStreamBeginCapture(self, stream: int, mode: int) -> tuple[Code]:
        assert mode == 2
        self.capturing, self._graph = True, Graph()
        self._tails = {known: set() for known in self._tails}
        return (Code.SUCCESS,)

    def cudaStreamEndCapture(self, stream: int) -> tuple[Any, ...]:
        """Fails where a stream that was forked has not been joined again."""
        assert self.capturing
        self.capturing = False
        graph, ends = self._graph, self._tails[stream]
        joined = ends.union(*(graph.ancestors(node) for node in ends))
        self._graph = Graph()
        self._tails = {known: set() for known in self._tails}
        if joined != set(range(len(graph.nodes))):
            return Code.UNJOINED, None
        return Code.SUCCESS, graph

    def cudaGraphInstantiate(self, graph: Graph, flags: int) -> tuple[Code, Graph]:
        assert flags == 0
        return Code.SUCCESS, graph

    def cudaGraphDestroy(self, _graph: Graph) -> tuple[Code]:
        return (Code.SUCCESS,)

    def cudaGraphExecDestroy(self, executable: Graph) -> tuple[Code]:
        self.destroyed.append(executable)
        return (Code.SUCCESS,)

    def cudaGraphLaunch(self, executable: Graph, _stream: int) -> tuple[Code]:
        self.launched.append(executable)
        return (Code.SUCCESS,)

    def cudaEventSynchronize(self, event: int) -> tuple[Code]:
        assert event in self._events
        return (Code.SUCCESS,)

    def cudaEventElapsedTime(self, began: int, ended: int) -> tuple[Code, float]:
        """A microsecond for each kernel that was launched in graphs between them."""
        between = self.launched[self._recorded[began] : self._recorded[ended]]
        return Code.SUCCESS, sum(len(graph.nodes) for graph in between) / 1e3

    @property
    def marks(self) -> int:
        """How many events there are."""
        return len(self._events)

    def cudaEventDestroy(self, event: int) -> tuple[Code]:
        del self._events[event]
        return (Code.SUCCESS,)
