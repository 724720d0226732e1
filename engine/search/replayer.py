"""Replays a trace on a workload: its decisions, with the target's own postprocessors."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import Any

from engine.records.task import Task
from engine.search.task_search import Candidate, module_and_args, trace_json, tune_context
from engine.search.trace_text import TraceText, parse
from engine.targets.targets import TargetSpec

_SEED = 1  # of whatever a trace leaves undecided
_DEEPEST = 10_000  # more than the loops of any schedule


class NotReplayable(Exception):
    """A trace does not fit a workload; `reason` is one sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Replayer:
    """Replays traces on one task. One call at a time, from any thread; a call takes 10 to 50 ms.

    Raises NotReplayable where TVM's rules fail on the task.
    """

    def __init__(self, task: Task, workload: Any, target: TargetSpec) -> None:
        self._workload = workload
        try:
            self._context = tune_context(task, workload, target, None, _SEED)
        except Exception as error:  # TVM raises whatever its rules do
            raise NotReplayable(f"TVM finds no design space for {task.name}.") from error
        self._postprocessors = [
            (str(item).rsplit(".", maxsplit=1)[-1], item)
            for item in self._context.space_generator.postprocs
        ]

    def replay(self, trace: str) -> Candidate:
        """The candidate of a trace (TVM's JSON text) of this task or of another of its class.

        The trace's own postprocessors are left out. Tiles adapt to the task's extents. The same
        trace gives the same candidate in every process. Raises NotReplayable.
        """
        schedule = self._apply(_parsed(trace))
        schedule.enter_postproc()
        for name, postprocessor in self._postprocessors:
            self._postprocess(name, postprocessor, schedule)
        text = trace_json(schedule.trace)
        module, args = module_and_args(schedule.mod)
        return Candidate(text, hashlib.sha256(text.encode()).hexdigest(), module, args, None)

    def locations(self, trace: str) -> dict[int, tuple[int, ...]]:
        """Where the trace could compute its movable blocks, by the instruction that decides it.

        Each is a loop's depth from the outside, -1 for the block's own place, -2 for inlined;
        ascending. Only what TVM itself accepts is named, with the other decisions as they are.
        Raises NotReplayable.
        """
        parsed = _parsed(trace)
        places = [
            at
            for at, item in enumerate(parsed.instructions)
            if item[0] == "SampleComputeLocation" and at in parsed.decisions
        ]
        return {at: self._places(parsed, at) for at in places}

    @cached_property
    def _sketches(self) -> tuple[TraceText, ...]:
        """The traces that the task's own search begins with."""
        found = self._context.generate_design_space()
        return tuple(parse(trace_json(schedule.trace)) for schedule in found)

    def _own(self, trace: TraceText) -> TraceText:
        """The decisions of a trace that changes layouts, in the task's own trace of that form.

        Such a layout counts with the extents of one task; TVM takes it for another's unseen.
        """
        try:
            own = next(one for one in self._sketches if _form(one) == _form(trace))
        except Exception as error:
            raise NotReplayable("The trace is made for tiles that the task has not.") from error
        return TraceText(own.instructions, trace.decisions)

    def _apply(self, trace: TraceText) -> Any:
        if trace.has_layouts:
            trace = self._own(trace)
        try:
            return self._applied(trace)
        except Exception as error:  # TVM raises whatever the primitives do
            try:
                return self._applied(_adaptable(trace))
            except Exception:
                reason = "The trace fits another class of operators, or other extents."
                raise NotReplayable(reason) from error

    def _applied(self, trace: TraceText) -> Any:
        from tvm.s_tir.schedule import Schedule, Trace

        schedule = Schedule(self._workload, seed=_SEED, error_render_level="none")
        Trace.apply_json_to_schedule(json.loads(trace.text), schedule)
        return schedule

    def _postprocess(self, name: str, postprocessor: Any, schedule: Any) -> None:
        try:
            accepted = postprocessor.apply(schedule)
        except Exception as error:
            raise NotReplayable(f"The postprocessor {name} fails on it.") from error
        if not accepted:
            raise NotReplayable(f"The postprocessor {name} refuses it.")

    def _places(self, trace: TraceText, at: int) -> tuple[int, ...]:
        """All places of one block. TVM takes an invalid one as the nearest valid one below it, or
        as -1 where there is none, so that each answer leads to the next lower one."""
        found: list[int] = []
        wanted = _DEEPEST
        while wanted >= -2:
            schedule = self._apply(TraceText(trace.instructions, trace.decisions | {at: wanted}))
            place = parse(trace_json(schedule.trace)).decisions.get(at)
            if not isinstance(place, int) or place > wanted:
                break
            found.append(place)
            wanted = place - 1
        return tuple(reversed(found))


def _form(trace: TraceText) -> list[Any]:
    """What traces share that differ in the extents of their tasks alone."""
    return [
        (kind, outputs, inputs if kind == "Annotate" else ())
        for kind, inputs, _, outputs in trace.instructions
    ]


def code_key(candidate: Candidate) -> int:
    """What candidates of one task share where their code is the same, whatever their traces."""
    import tvm
    import tvm_ffi

    return int(tvm_ffi.structural_hash(tvm.ir.load_json(candidate.module)))


def _adaptable(trace: TraceText) -> TraceText:
    """The trace with outermost factors left open where a split has only numbers.

    The rule of wide vectors writes them for a loop of just one vector, as 1x1x1x32, which no
    longer loop accepts.
    """
    adapted = [
        ["Split", [inputs[0], "None", *inputs[2:]], *rest]
        if kind == "Split" and all(isinstance(factor, int) for factor in inputs[1:])
        else [kind, inputs, *rest]
        for kind, inputs, *rest in trace.instructions
    ]
    return TraceText(adapted, trace.decisions)


def _parsed(trace: str) -> TraceText:
    try:
        return parse(trace)
    except ValueError as error:
        raise NotReplayable(str(error)) from error
