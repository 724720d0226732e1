"""The design space of products of bytes: every schedule uses the instruction, or is none."""

from __future__ import annotations

import functools
import json
import os
from dataclasses import replace

import pytest

from engine.records.task import Task
from engine.search.int8_rules import INTRINSIC, is_dot_product
from engine.search.replayer import Replayer
from engine.search.task_search import Candidate, TaskSearch, apply_trace
from engine.search.trace_text import check, parse
from engine.targets.targets import TargetSpec
from engine.tasks.extract import Program
from tests.engine.models.build import model
from tests.engine.search.searches import SETTINGS
from tests.engine.tasks.integer_products import Product
from tests.engine.tasks.programs import opened

pytestmark = pytest.mark.skipif(os.uname().machine != "x86_64", reason="names an x86 processor")

TARGET = TargetSpec('{"kind": "llvm", "mcpu": "icelake-server", "num-cores": 2}', "", "cpu", 2)
PADDED = Product("padded", 4, 32, 3, pads=(1, 1, 1, 1), zero=9)


@functools.cache
def found() -> tuple[Program, Task]:
    """A padded convolution of bytes."""
    given, made = PADDED.values()
    proto = model([PADDED.node()], [given], [made], PADDED.constants())
    program = opened(proto, TARGET).program
    return program, next(task for task in program.tasks if is_dot_product(task))


@functools.cache
def proposed() -> list[Candidate]:
    """A search's first batch for it."""
    program, task = found()
    search = TaskSearch(task, program.workloads[task.index], TARGET, SETTINGS, 0)
    search.start()
    return search.propose()


def test_every_proposal_uses_the_instruction_and_none_reads_data_through_a_condition() -> None:
    assert proposed()
    for candidate in proposed():
        script = candidate.handle.sch.mod.script()
        assert "llvm.x86.avx512.vpdpbusd.512" in script
        assert "pad_temp" in script


def test_loops_round_the_instruction_are_unrolled_and_not_vectorised() -> None:
    for candidate in proposed():
        script = candidate.handle.sch.mod.script()
        before = script[: script.index('T.sblock("dot_products_o_update")')].splitlines()
        loops = [line for line in before if " for " in line][-4:]
        assert all("T.unroll(" in line for line in loops)


def test_a_trace_is_applied_and_replayed_to_the_same_code() -> None:
    import tvm
    import tvm_ffi

    program, task = found()
    workload = program.workloads[task.index]
    candidate = proposed()[0]
    assert INTRINSIC in candidate.trace
    applied = apply_trace(workload, candidate.trace).mod
    assert "vpdpbusd" in applied.script()
    again = Replayer(task, workload, TARGET).replay(candidate.trace)
    assert tvm_ffi.structural_equal(tvm.ir.load_json(again.module), applied)
    assert (again.trace, again.args) == (candidate.trace, candidate.args)


def test_an_intrinsic_that_is_not_ours_is_refused_and_none_is_taken_for_a_replay() -> None:
    trace = proposed()[0].trace
    assert INTRINSIC not in parse(trace).text.replace(f'"\\"{INTRINSIC}\\""', "")
    with pytest.raises(ValueError, match="unknown intrinsic"):
        check(trace.replace(f'["{INTRINSIC}",', '["dot_16x4_vnni",'))
    instructions, _ = json.loads(trace)
    place = next(at for at, item in enumerate(instructions) if item[0] == "EnterPostproc")
    begin = [*instructions[:place], ["Tensorize", [], [INTRINSIC, 1], []]]
    with pytest.raises(ValueError, match="Tensorize"):
        parse(json.dumps([begin, []]))


def test_tasks_of_another_kind_keep_their_rules() -> None:
    _, task = found()
    assert not is_dot_product(replace(task, op_class="conv2d_add"))
    assert not is_dot_product(replace(task, args=task.args[:1]))
