"""How fast the graph of 10,000 operators opens, and milliseconds a frame of panning and zooming.

The network repeats nothing, so that no block is folded; one of repeated blocks is in the details.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from engine.history.open_project import OpenProject
from engine.records.network import Operator
from engine.records.snapshot import Snapshot
from engine.records.task import TensorSpec
from tests.benchmarks.parts.report import Goal, Report, main
from tests.feeding import begin
from tests.samples import make_task

FRAME_MS, OPEN_S, FIRST_S = 16.0, 2.0, 0.5
NODES, QUICK_NODES = 10_000, 2_000
TASKS = 60
SIZE = (1440, 900)
KINDS = ("conv2d_add_relu", "conv2d_add", "dense", "multiply", "max_pool2d", "softmax")


def irregular(nodes: int, seed: int = 0) -> tuple[Operator, ...]:
    """Cells of one to twelve branches, each of one to four operators, all of them different."""
    dice = np.random.default_rng(seed)
    made: list[Operator] = []

    def add(kind: str, *inputs: int) -> int:
        shape = (1, int(dice.integers(7, 224)), 14, int(dice.integers(3, 512)))
        task = int(dice.integers(TASKS))
        spec = TensorSpec(shape, "float32")
        made.append(Operator(len(made), f"fused_{kind}{len(made)}", kind, task, inputs, spec, 1e8))
        return len(made) - 1

    last, earlier = add("conv2d_add_relu"), [0]
    while len(made) < nodes:
        ends = []
        for _ in range(int(dice.integers(1, 13))):
            end = last
            for _ in range(int(dice.integers(1, 5))):
                end = add(KINDS[int(dice.integers(len(KINDS)))], end)
            ends.append(end)
        skip = [earlier[int(dice.integers(len(earlier)))]] if dice.random() < 0.1 else []
        last = add("concatenate", *dict.fromkeys([*ends, *skip]))
        earlier.append(last)
    return tuple(made)


def repeated(nodes: int) -> tuple[Operator, ...]:
    """Equal blocks of ten operators in a row."""
    spec = TensorSpec((1, 197, 768), "float32")
    return tuple(
        Operator(
            place,
            f"fused_op{place % 10}",
            f"op{place % 10}",
            place % TASKS,
            (place - 1,) if place else (),
            spec,
            1e8,
        )
        for place in range(nodes)
    )


class Bench:
    """A view that opens one network; the methods time frames of one kind, in milliseconds.

    `cpu_ms` is the processor's time of the last kind, the median: where a machine does other things
    too, frames take longer than that.
    """

    def __init__(self, operators: tuple[Operator, ...]) -> None:
        from app.process.main import application
        from widgets.graph.view import GraphView

        self._app = application()
        tasks = tuple(make_task(task, f"task {task}", 1e-4) for task in range(TASKS))
        snapshot = Snapshot("", "canvas", "", "llvm", tasks, operators, ())
        self.cpu_ms = 0.0
        self.view = GraphView(OpenProject())
        self.view.resize(*SIZE)
        self.view.show()
        self._app.processEvents()
        began, own = time.perf_counter(), time.process_time()
        begin(self.view, snapshot)
        self.view.grab()
        self.first_s = time.perf_counter() - began
        while self.view.notice.isVisible():
            self._app.processEvents()
        self.view.grab()
        self.open_s = time.perf_counter() - began
        self.open_cpu_s = time.process_time() - own
        self.canvas = self.view.canvas
        self.nodes = len(self.view.scene.nodes)

    def pan(self, frames: int) -> list[float]:
        """Through the whole height, as large as life."""
        return self._pan(frames, 1.0)

    def pan_far(self, frames: int) -> list[float]:
        """Through the whole height where texts cannot be read any more."""
        return self._pan(frames, 0.15)

    def pan_overview(self, frames: int) -> list[float]:
        """About the middle, with half of the graph in sight."""
        self.view.fit()
        return self._pan(frames, 2 * self.canvas.zoom())

    def zoom(self, frames: int) -> list[float]:
        """From all of it to as large as life, at the middle."""
        self.view.fit()
        farthest = self.canvas.zoom()
        middle = self.view.scene.content.center()

        def step(place: float) -> None:
            self.canvas.zoom_by(farthest ** (1 - place) / self.canvas.zoom())
            self.canvas.go_to(middle)

        return self._frames(frames, step)

    def close(self) -> None:
        """Leave nothing behind."""
        self.view.close()
        self.view.deleteLater()
        self._app.processEvents()

    def _pan(self, frames: int, zoom: float) -> list[float]:
        from PySide6.QtCore import QPointF

        content = self.view.scene.content
        self.canvas.zoom_by(zoom / self.canvas.zoom())

        def step(place: float) -> None:
            across = content.width() * (0.3 + 0.4 * place)
            self.canvas.go_to(QPointF(across, content.height() * (0.1 + 0.8 * place)))

        return self._frames(frames, step)

    def _frames(self, count: int, step: Callable[[float], None]) -> list[float]:
        times, spent = [], []
        for frame in range(-3, count):
            began, own = time.perf_counter(), time.thread_time()
            step((frame % count) / count)
            self.canvas.viewport().repaint()
            self._app.processEvents()
            times.append((time.perf_counter() - began) * 1e3)
            spent.append((time.thread_time() - own) * 1e3)
        self.cpu_ms = statistics.median(spent[3:])
        return times[3:]


FRAMES: dict[str, str] = {
    "pan": "pan, life size",
    "pan_far": "pan, far out",
    "pan_overview": "pan, half of it in sight",
    "zoom": "zoom, from all of it to life size",
}


def run(quick: bool) -> Report:
    """Open, pan and zoom a network without repetition, then open one that repeats."""
    frames, nodes = (20, QUICK_NODES) if quick else (120, NODES)
    bench = Bench(irregular(nodes))
    goals = [
        Goal("first picture (s)", bench.first_s, FIRST_S, "lower"),
        Goal("all of it (s)", bench.open_s, OPEN_S, "lower"),
    ]
    details: dict[str, Any] = {
        "nodes": bench.nodes,
        "edges": sum(len(node.shown.inputs) for node in bench.view.scene.nodes.values()),
        "pixels": SIZE,
        "all of it (s of the processor)": bench.open_cpu_s,
    }
    for name, words in FRAMES.items():
        times = getattr(bench, name)(frames)
        goals.append(Goal(f"{words} (ms, median)", statistics.median(times), FRAME_MS, "lower"))
        details[f"{words} (ms, 95th percentile)"] = float(np.percentile(times, 95))
        details[f"{words} (ms of the processor)"] = bench.cpu_ms
    bench.close()
    folded = Bench(repeated(nodes))
    details["repeated blocks: nodes drawn"] = folded.nodes
    details["repeated blocks: all of it (s)"] = folded.open_s
    folded.close()
    return Report("canvas", tuple(goals), details)


if __name__ == "__main__":
    main(run)
    sys.stdout.flush()
