"""Whole programs in turns: a bad one costs only itself, and outputs decide who is right."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.deploy import staged, ways_bench
from engine.deploy.compare import SINGLE
from engine.deploy.plan import with_stages
from engine.deploy.staged import compile_with
from engine.deploy.ways_bench import ROUNDS, Candidate, WayBench, bench_ways, objection
from engine.models.reference import random_inputs
from engine.records.errors import ExportError, TuningError
from tests.engine.deploy.compiled import output_names
from tests.engine.models.build import branches_model
from tests.engine.tasks.programs import opened


def test_programs_are_run_and_timed_together_and_a_broken_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ways_bench, "run_fresh", lambda call, *args: call(*args))
    model = opened(branches_model())
    plan = compile_with(model.program, {}, output_names(model), tmp_path)
    beside = with_stages(plan, [((0, 1), (2, 3)), ((4,),)])
    broken = plan | {"steps": [["no_such_kernel", args] for _, args in plan["steps"]]}
    candidates = [
        Candidate("eager", tmp_path, plan, eager=True),
        Candidate("sequential", tmp_path, plan),
        Candidate("beside", tmp_path, beside),
        Candidate("broken", tmp_path, broken),
    ]
    inputs = random_inputs(model.prepared.inputs, 1)
    found = bench_ways(candidates, "cpu", 2, inputs, seconds=0.01)
    assert set(found) == {"eager", "sequential", "beside", "broken"}
    assert "no_such_kernel" in found["broken"].reason
    for way in ("eager", "sequential", "beside"):
        assert found[way].reason == ""
        assert len(found[way].rounds) == ROUNDS
        assert 0 < found[way].latency_s < 1
        assert objection(found[way], found["sequential"], None) == ""


def test_kernels_that_are_not_the_operators_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = [SimpleNamespace(function="conv"), SimpleNamespace(function="add")]
    program: Any = SimpleNamespace(tasks=(), dataflow=SimpleNamespace(steps=steps))
    for names in (["conv_prepacked"], ["add", "conv"], ["conv", "add", "pack"]):
        text = json.dumps({"steps": [[name, []] for name in names]})
        compiled = partial((tmp_path / "plan.json").write_text, text)
        monkeypatch.setattr(staged, "compile_program", lambda *_, write=compiled: write())
        with pytest.raises(ExportError, match="other kernels than the model's operators"):
            compile_with(program, {}, ("y",), tmp_path)


class Fresh:
    """Runs candidates nowhere; those named in `deadly` kill the process."""

    def __init__(self, deadly: Sequence[str], together: bool = False) -> None:
        self.deadly, self.together = deadly, together

    def __call__(self, call: Any, candidates: tuple[Candidate, ...], *_: Any) -> Any:
        """What a process would answer."""
        if {item.way for item in candidates} & set(self.deadly):
            raise TuningError("Its process died (SIGSEGV).")
        if self.together and len(candidates) > 1:
            raise TuningError("No memory.")
        return {item.way: WayBench((), (1.0,)) for item in candidates}


CANDIDATES = [Candidate(way, Path(), {}) for way in ("a", "b", "c")]


def test_one_that_kills_the_process_is_found_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways_bench, "run_fresh", Fresh(["b"]))
    found = bench_ways(CANDIDATES, "cpu", 1, {})
    assert [found[way].reason for way in "abc"] == ["", "Its process died (SIGSEGV).", ""]
    assert found["a"].rounds == (1.0,)


def test_where_all_kill_the_process_all_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways_bench, "run_fresh", Fresh("abc"))
    found = bench_ways(CANDIDATES, "cpu", 1, {})
    assert all(item.reason for item in found.values())


def test_programs_that_fail_only_together_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways_bench, "run_fresh", Fresh([], together=True))
    with pytest.raises(TuningError, match="No memory"):
        bench_ways(CANDIDATES, "cpu", 1, {})


def outputs(*arrays: np.ndarray) -> WayBench:
    """A program whose output y is each of these in turn."""
    return WayBench(tuple({"y": array} for array in arrays), (1.0,))


ONE = np.array([1.0, np.nan, -0.0], np.float32)


def test_outputs_are_the_same_bit_for_bit_or_within_a_tolerance() -> None:
    reference = outputs(ONE, ONE)
    near = np.nextafter(ONE, np.float32(2))
    near[2] = 0.0
    far = ONE + np.float32(0.1)
    assert objection(outputs(ONE, ONE.copy()), reference, None) == ""
    assert objection(outputs(ONE, near), reference, None) == "its outputs differ"
    assert objection(outputs(near, near), reference, SINGLE) == ""
    assert objection(outputs(ONE, far), reference, SINGLE).endswith("more than rounding")


def test_outputs_of_every_kind_are_compared() -> None:
    scalar, empty = np.array(3, np.int64), np.zeros((0, 2), np.float32)
    for array in (scalar, empty, np.array([True]), np.ones((2, 3), np.float16).T):
        assert objection(outputs(array), outputs(array.copy()), None) == ""
    assert objection(outputs(scalar), outputs(np.array(4, np.int64)), None)
