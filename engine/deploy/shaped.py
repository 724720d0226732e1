"""A module of several shapes: picks the one that inputs have, or pads them to a larger one.

This file is copied into exports of several shapes, as a part of plan_executor.py.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.deploy.executor import PlanExecutor, Pool

Column = tuple[int, ...]  # the sizes of an axis in each of the shapes


class ShapedModule:
    """A loaded module, of which each shape has kernels and buffers of its own; the weights are
    there once. Several threads may call `run`: one waits for the other.

    `labels` names the shapes, `plans` has the plan of each.
    """

    def __init__(
        self,
        folder: str | Path,
        device: str,
        plans: Sequence[dict[str, Any]],
        labels: Sequence[str],
        like: ShapedModule | None = None,
        cores: Sequence[int] = (),
    ) -> None:
        self._made = folder, device, plans, labels
        weights: dict[tuple[int, int], Any] = {}
        self.shapes: dict[str, PlanExecutor] = {
            label: PlanExecutor(
                folder,
                device,
                plan,
                like=like.shapes[label] if like else None,
                cores=cores,
                library=f"module-{place}.so" if place else "module.so",
                weights=weights,
            )
            for place, (label, plan) in enumerate(zip(labels, plans, strict=True))
        }
        self._executors = tuple(self.shapes.values())
        self._last = self._executors[0]
        self.is_gpu = self._last.is_gpu
        self.lock = threading.Lock()
        self._columns = _columns([executor.inputs for executor in self._executors])
        self._pads: dict[tuple[str, int], float] = like._pads if like else {}

    @property
    def inputs(self) -> list[tuple[str, tuple[int, ...], str]]:
        """Name, shape and dtype of each input, in the first of the shapes."""
        return self._executors[0].inputs

    def run(
        self,
        inputs: Mapping[str, Any],
        outputs: Mapping[str, Any] | None = None,
        stream: Any = None,
    ) -> Mapping[str, Any]:
        """As `PlanExecutor.run`, in the shape that the inputs have. Padded ones are copied on the
        host; their outputs are cut back to the sizes that were given."""
        given = {name: _shape(array) for name, array in inputs.items()}
        for executor in self._executors:
            if given == {name: shape for name, shape, _ in executor.inputs}:
                with self.lock:
                    self._last = executor
                return executor.run(inputs, outputs, stream)
        executor = self._larger(given)
        sizes = self._sizes(given)
        cuts = list(self._cuts(executor, sizes))  # before anything runs
        padded = {
            name: self._grown(name, inputs[name], shape, dtype)
            for name, shape, dtype in executor.inputs
        }
        with self.lock:
            self._last = executor
        answer = executor.run(padded)
        found = {name: answer[name][cut] for name, cut in cuts}
        if outputs is None:
            return {name: np.ascontiguousarray(array) for name, array in found.items()}
        for name, array in outputs.items():
            if name not in found:
                raise ValueError(f"the outputs are {', '.join(found)}, not {name}")
            if not isinstance(array, np.ndarray) or array.shape != found[name].shape:
                raise ValueError(f"output {name} is no array of NumPy's of {found[name].shape}")
            array[...] = found[name]
        return outputs

    def time(self, seconds: float = 1.0, minimum: int = 5, eager: bool = False) -> list[float]:
        """Latencies (s) of whole executions in the shape that ran last, at first the first."""
        return self._last.time(seconds, minimum, eager)

    def pool(self, size: int) -> Pool:
        """As many modules, which run at the same time and share the weights."""
        return Pool(self, size)

    def another(self, cores: Sequence[int] = ()) -> ShapedModule:
        """The module with buffers of its own, and these weights."""
        return ShapedModule(*self._made, like=self, cores=cores)

    def close(self) -> None:
        """End the threads of groups; nothing runs after that. Idempotent."""
        for executor in self._executors:
            executor.close()

    # Padding

    def allow_padding(self, pads: Mapping[str, float]) -> None:
        """Say which inputs may be padded at the end of axes that differ among the shapes, and with
        what: {"mask": 0}, or of one axis alone {"mask:1": 0}. ValueError where that makes no
        sense."""
        self._pads = checked_pads([executor.inputs for executor in self._executors], pads)

    def _larger(self, given: Mapping[str, tuple[int, ...]]) -> PlanExecutor:
        """The smallest shape that the inputs can be padded to."""
        able = [
            executor for executor in self._executors if self._takes(executor, given, self._pads)
        ]
        if able:
            return min(able, key=_elements)
        words = ", ".join(f"{name} {'x'.join(map(str, shape))}" for name, shape in given.items())
        shapes = "; ".join(self.shapes)
        text = f"the module has no shape for {words}: it has {shapes}"
        if any(self._takes(executor, given, self._columns) for executor in self._executors):
            differing = ", ".join(dict.fromkeys(name for name, _ in self._columns))
            text += f". Where the model allows it, say that {differing} may be padded, with what"
        raise ValueError(text)

    def _takes(
        self, executor: PlanExecutor, given: Mapping[str, tuple[int, ...]], may: Any
    ) -> bool:
        """Whether a shape takes the inputs where the axes that `may` be are padded."""
        own = {name: shape for name, shape, _ in executor.inputs}
        if own.keys() != given.keys():
            return False
        return all(
            len(shape) == len(given[name])
            and all(
                has == size or (0 < has < size and (name, axis) in may)
                for axis, (has, size) in enumerate(zip(given[name], shape, strict=True))
            )
            for name, shape in own.items()
        )

    def _sizes(self, given: Mapping[str, tuple[int, ...]]) -> dict[Column, int]:
        """The given size of axes, by their sizes in all shapes: those that go in step are one."""
        sizes: dict[Column, int] = {}
        for (name, axis), column in self._columns.items():
            if sizes.setdefault(column, given[name][axis]) != given[name][axis]:
                raise ValueError(
                    f"axis {axis} of {name} has {given[name][axis]}, and others that go with it "
                    f"have {sizes[column]}"
                )
        return sizes

    def _cuts(
        self, executor: PlanExecutor, sizes: Mapping[Column, int]
    ) -> Iterator[tuple[str, tuple[slice, ...]]]:
        """The part of each output that is of the given sizes."""
        place = self._executors.index(executor)
        for (name, shape), columns in zip(
            executor.output_shapes, _output_columns(self._executors), strict=True
        ):
            cut = []
            for axis, (size, column) in enumerate(zip(shape, columns, strict=True)):
                if len(set(column)) > 1 and column not in sizes:
                    if all(has == grown[place] for grown, has in sizes.items()):
                        continue  # nothing was padded
                    raise ValueError(
                        f"axis {axis} of output {name} is of no input's size: what belongs to "
                        "padding cannot be cut off"
                    )
                cut.append(slice(0, sizes.get(column, size)))
            yield name, tuple(cut)

    def _grown(self, name: str, array: Any, shape: tuple[int, ...], dtype: str) -> np.ndarray:
        """An input, padded at the ends of its axes, which one axis after another grows."""
        try:
            grown = np.asarray(array if hasattr(array, "__array__") else np.from_dlpack(array))
        except Exception as error:  # each library has its own
            raise ValueError(f"input {name} cannot be padded on the host: {error}") from error
        if not np.can_cast(grown.dtype, np.dtype(dtype), casting="same_kind"):
            raise ValueError(f"input {name} holds {grown.dtype}, not {dtype}")
        grown = grown.astype(dtype, copy=False)
        for axis, size in enumerate(shape):
            if missing := size - grown.shape[axis]:
                widths = [(0, missing if at == axis else 0) for at in range(grown.ndim)]
                fill: Any = self._pads[name, axis]
                grown = np.pad(grown, widths, constant_values=fill)
        return grown


def checked_pads(
    inputs: Sequence[Sequence[tuple[str, tuple[int, ...], str]]], pads: Mapping[str, float]
) -> dict[tuple[str, int], float]:
    """The fill value of each axis that may be padded; `inputs` are name, shape and dtype of each
    input, in each shape. ValueError where `pads` makes no sense for them."""
    columns = _columns(inputs)
    types = {name: np.dtype(dtype) for name, _, dtype in inputs[0]}
    found: dict[tuple[str, int], float] = {}
    for key, value in pads.items():
        name, _, axis = (key, "", "") if key in types else key.rpartition(":")
        wanted = [at for which, at in columns if which == name and axis in ("", str(at))]
        if not wanted:
            differing = ", ".join(dict.fromkeys(which for which, _ in columns))
            raise ValueError(f"{key} cannot be padded: what differs among shapes is {differing}")
        if types[name].kind in "biu" and not _holds(types[name], value):
            raise ValueError(f"{key} cannot be padded with {value}: it holds {types[name]}")
        found |= {(name, at): value for at in wanted}
    return found


def _shape(array: Any) -> tuple[int, ...]:
    return tuple(map(int, getattr(array, "shape", None) or np.shape(array)))


def _holds(dtype: Any, value: float) -> bool:
    if dtype.kind == "b":
        return value in (0, 1)
    return (
        math.isfinite(value)
        and value == int(value)
        and bool(np.iinfo(dtype).min <= value <= np.iinfo(dtype).max)
    )


def _elements(executor: PlanExecutor) -> int:
    return sum(math.prod(shape) for _, shape, _ in executor.inputs)


def _columns(
    inputs: Sequence[Sequence[tuple[str, tuple[int, ...], str]]],
) -> dict[tuple[str, int], Column]:
    """The axes of inputs whose sizes differ among the shapes."""
    found = {}
    for item in zip(*inputs, strict=True):
        name = item[0][0]
        for axis, column in enumerate(zip(*(shape for _, shape, _ in item), strict=True)):
            if len(set(column)) > 1:
                found[name, axis] = tuple(column)
    return found


def _output_columns(executors: Sequence[PlanExecutor]) -> list[list[Column]]:
    """The sizes of each output's axes in all shapes."""
    shapes = [[shape for _, shape in executor.output_shapes] for executor in executors]
    return [list(zip(*each, strict=True)) for each in zip(*shapes, strict=True)]
