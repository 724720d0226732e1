"""Kernels of one task run on the same arguments, each against what the first computes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from engine.measure.comparing import DRAWS, Comparison, arguments, difference
from engine.measure.runner import RunResult
from engine.measure.sampling import Kernel
from engine.records.task import TensorSpec
from engine.records.trial import ErrorKind
from engine.workers.child import error_text

Load: TypeAlias = Callable[[list[Any]], Kernel]
"""Loads a library to be called with what the list holds then."""


def compared(
    loads: Sequence[Load],
    specs: tuple[TensorSpec, ...],
    comparison: Comparison,
    put: Callable[[Any], Any],
) -> tuple[RunResult, ...]:
    """A result for each library, without samples; `put` has an array on the device.

    Where the first library fails, they all have its failure.
    """
    began = time.perf_counter()
    args: list[Any] = []
    failed: dict[int, RunResult] = {}
    try:
        first = loads[0](args)
        others = _loaded(loads[1:], args, failed)
        for draw in range(DRAWS):
            values = arguments(specs, comparison, draw)
            args[:] = map(put, values)
            expected = _called(first, args, values, comparison, put)
            for place, kernel in others.items():
                if place in failed:
                    continue
                try:
                    found = _called(kernel, args, values, comparison, put)
                except Exception as error:
                    failed[place] = failure(error, began)
                    continue
                if text := _difference(found, expected, comparison):
                    failed[place] = RunResult(
                        (), time.perf_counter() - began, False, ErrorKind.WRONG_RESULT, text
                    )
    except Exception as error:
        return (failure(error, began),) * len(loads)
    right = RunResult((), time.perf_counter() - began)
    return tuple(failed.get(place, right) for place in range(len(loads)))


def failure(error: Exception, began: float) -> RunResult:
    """The result of a library that raised an error; it `began` at that reading of the clock."""
    return RunResult(
        (), time.perf_counter() - began, error=ErrorKind.RUN_ERROR, error_text=error_text(error)
    )


def _loaded(
    loads: Sequence[Load], args: list[Any], failed: dict[int, RunResult]
) -> dict[int, Kernel]:
    """The kernels that load, by their places behind the first."""
    began = time.perf_counter()
    kernels: dict[int, Kernel] = {}
    for place, load in enumerate(loads, start=1):
        try:
            kernels[place] = load(args)
        except Exception as error:
            failed[place] = failure(error, began)
    return kernels


def _called(
    kernel: Kernel,
    args: list[Any],
    values: Sequence[Any],
    comparison: Comparison,
    put: Callable[[Any], Any],
) -> list[Any]:
    """What one call leaves in the outputs, which are as drawn before it."""
    for place in comparison.outputs:
        args[place] = put(values[place])
    kernel.call()
    return [args[place].numpy() for place in comparison.outputs]


def _difference(found: list[Any], expected: list[Any], comparison: Comparison) -> str:
    """The sentence about the first output that differs beyond rounding; empty where none does."""
    for ours, theirs in zip(found, expected, strict=True):
        if text := difference(ours, theirs, comparison):
            return f"Its result differs from the untuned kernel's {text}."
    return ""
