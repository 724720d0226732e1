"""Programs in which sets of operators are one operator, whose output a second kernel splits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.deploy.plan import Groups, groups_of
from engine.ios.facts import facts_of, read_layers
from engine.ios.layers import Layer, LoweredLayer, lower_layers
from engine.ios.merge_sets import Set
from engine.ios.merged_kernel import merged_constants, merged_layer
from engine.ios.merging_rules import obstacle
from engine.ios.split_kernel import split_kernel
from engine.records.schedule import Stage
from engine.records.sentences import Sentence
from engine.records.task import Task
from engine.tasks.extract import Program, extract


@dataclass(frozen=True, slots=True)
class Merged:
    """A rewritten program. `steps_of` gives each operator of the one that it was made of its steps
    here, in order: its own, or the merged kernel and the one that splits."""

    program: Program
    steps_of: dict[int, tuple[int, ...]]


def merged_program(program: Program, sets: Sequence[Set]) -> Merged:
    """The program with these disjoint sets of operators merged. It computes the same.

    Its tasks are numbered anew: records go by fingerprint (`records_by_fingerprint`). ValueError
    where a set may not merge, or two of them share an operator. Blocks: kernels are lowered.
    """
    members = [operator for one in sets for operator in one]
    if len(members) != len(set(members)):
        raise ValueError("An operator is in two sets.")
    return _Rewriter(program, _plans(program, sets)).rewrite()


def merge_bench_program(program: Program, sets: Sequence[Set]) -> Program:
    """A program of the merged operators alone, to measure them: its steps are the pair of each set,
    in their order, and each set has an input of its own. ValueError as of `merged_program`."""
    from tvm import relax

    plans = _plans(program, sets)
    builder = relax.BlockBuilder()
    inputs = [
        relax.Var(f"x{place}", relax.TensorType(plan.layer.data, plan.layer.dtype))
        for place, plan in enumerate(plans)
    ]
    kernels = [_add_kernels(builder, plan) for plan in plans]
    with builder.function("main", inputs, attrs={"num_input": len(inputs)}):
        outputs = []
        with builder.dataflow():
            for plan, pair, data in zip(plans, kernels, inputs, strict=True):
                whole = builder.emit(_merged_call(plan, pair[0], data))
                parts = builder.emit(_split_call(plan, pair[1], whole))
                outputs += [
                    builder.emit_output(relax.TupleGetItem(parts, place))
                    for place in range(len(plan.members))
                ]
        builder.emit_func_output(outputs)
    return extract(builder.get(), program.target)


def restaged(stages: Sequence[Stage | Groups], merged: Merged) -> list[Groups]:
    """Stages of operators as those of the merged program's steps, for engine.deploy.plan.

    A group that holds a merged operator is to hold all of its set, whose steps it runs once.
    """
    return [
        [
            list(dict.fromkeys(step for operator in group for step in merged.steps_of[operator]))
            for group in groups_of(stage)
        ]
        for stage in stages
    ]


def records_by_fingerprint(tasks: Iterable[Task], records: Mapping[int, str]) -> dict[str, str]:
    """The traces of records, which are by index of `tasks`, by the task's fingerprint."""
    return {task.fingerprint: records[task.index] for task in tasks if records.get(task.index)}


def records_for(program: Program, traces: Mapping[str, str]) -> dict[int, str]:
    """Traces by fingerprint as `compile_program` wants them: by index of the program's tasks."""
    return {
        task.index: traces[task.fingerprint] for task in program.tasks if task.fingerprint in traces
    }


@dataclass(frozen=True, slots=True)
class _Plan:
    """A set to merge: its members' layers, the merged one, its kernel and its constants."""

    operators: Set
    members: tuple[Layer, ...]
    layer: Layer
    lowered: LoweredLayer
    constants: tuple[Any, ...]
    gpu: bool


def _plans(program: Program, sets: Sequence[Set]) -> list[_Plan]:
    layers = read_layers(program, sorted({operator for one in sets for operator in one}))
    merged: dict[Set, Layer] = {}
    for one in sets:
        if not all(operator in layers for operator in one):
            raise ValueError(f"Operators {one} do not merge: one of them is of no kind that does.")
        facts = [facts_of(program, operator, layers[operator]) for operator in one]
        if reason := obstacle(facts):
            raise ValueError(
                Sentence("Operators {one} do not merge: {reason}.", one=one, reason=reason)
            )
        merged[one] = merged_layer([layers[operator] for operator in one])
    lowered = lower_layers(merged.values(), program.target)
    if missing := [one for one in sets if merged[one] not in lowered]:
        raise ValueError(f"TVM makes no kernel of the operators {missing[0]} together.")
    return [
        _Plan(
            operators=one,
            members=tuple(layers[operator] for operator in one),
            layer=merged[one],
            lowered=lowered[merged[one]],
            constants=tuple(_constants(program, one, layers)),
            gpu=program.target.is_gpu,
        )
        for one in sets
    ]


def _constants(program: Program, operators: Set, layers: Mapping[int, Layer]) -> Iterable[Any]:
    flow = program.dataflow
    own = [
        [flow.values[value].data.numpy() for value in flow.steps[operator].inputs[1:]]
        for operator in operators
    ]
    return merged_constants([layers[operator] for operator in operators], own)


def _add_kernels(builder: Any, plan: _Plan) -> tuple[Any, Any]:
    """The merged kernel and its split in the builder's module."""
    layer = plan.layer
    lengths = [member.channels for member in plan.members]
    split = split_kernel(layer.output, layer.axis, lengths, layer.dtype, gpu=plan.gpu)
    name = f"fused_{plan.lowered.task.op_class}"
    return builder.add_func(plan.lowered.function, name), builder.add_func(split, "split")


def _merged_call(plan: _Plan, kernel: Any, data: Any) -> Any:
    from tvm import relax

    layer = plan.layer
    constants = [relax.const(array, layer.dtype) for array in plan.constants]
    out = relax.TensorType(layer.output, layer.dtype)
    return relax.call_tir(kernel, [data, *constants], out_ty=out)


def _split_call(plan: _Plan, kernel: Any, whole: Any) -> Any:
    """The call whose result is the tuple of the members' outputs."""
    from tvm import relax

    types = [relax.TensorType(member.output, member.dtype) for member in plan.members]
    return relax.call_tir(kernel, [whole], out_ty=types)


class _Rewriter:
    """Makes a new `main` in which the first member of a set stands for all of them."""

    def __init__(self, program: Program, plans: Sequence[_Plan]) -> None:
        from tvm import relax

        self._program = program
        self._builder = relax.BlockBuilder(program.module)
        self._plan_of = {operator: plan for plan in plans for operator in plan.operators}
        self._kernels = {step.function for step in program.dataflow.steps}
        self._parts: dict[Set, Any] = {}
        self._pairs: dict[Set, tuple[int, ...]] = {}
        self._steps_of: dict[int, tuple[int, ...]] = {}
        self._steps = 0

    def rewrite(self) -> Merged:
        from tvm import relax

        module = self._program.module
        main = module["main"]
        blocks = [self._block(block) for block in main.body.blocks]
        function = relax.Function(
            main.params, relax.SeqExpr(blocks, main.body.body), main.ret_ty, attrs=main.attrs
        )
        self._builder.update_func(module.get_global_var("main"), function)
        merged = extract(_used(self._builder.get()), self._program.target)
        if len(merged.dataflow.steps) != self._steps:
            raise ValueError("The rewritten program has other steps than it was given.")
        return Merged(merged, self._steps_of)

    def _block(self, block: Any) -> Any:
        return type(block)([one for binding in block.bindings for one in self._binding(binding)])

    def _binding(self, binding: Any) -> list[Any]:
        """What stands for a binding: itself, or for a member its part of the merged output."""
        from tvm import relax

        if not self._is_step(binding.value):
            return [binding]
        operator = len(self._steps_of)
        plan = self._plan_of.get(operator)
        if plan is None:
            self._steps_of[operator] = self._new_steps(1)
            return [binding]
        made = []
        if plan.operators not in self._parts:
            made = self._emit(plan, binding.value.args[1].fields[0])
        self._steps_of[operator] = self._pairs[plan.operators]
        place = plan.operators.index(operator)
        part = relax.TupleGetItem(self._parts[plan.operators], place)
        return [*made, relax.VarBinding(binding.var, self._builder.normalize(part))]

    def _emit(self, plan: _Plan, data: Any) -> list[Any]:
        """Bindings of the merged kernel and of the one that splits."""
        pair = _add_kernels(self._builder, plan)
        whole = self._bind(_merged_call(plan, pair[0], data), f"merged_{self._steps}")
        parts = self._bind(_split_call(plan, pair[1], whole.var), f"parts_{self._steps}")
        self._parts[plan.operators] = parts.var
        self._pairs[plan.operators] = self._new_steps(2)
        return [whole, parts]

    def _bind(self, call: Any, name: str) -> Any:
        from tvm import relax

        value = self._builder.normalize(call)
        return relax.VarBinding(relax.Var(name, value.ty), value)

    def _is_step(self, value: Any) -> bool:
        from tvm import relax

        is_call = (
            isinstance(value, relax.Call) and getattr(value.op, "name", "") == "relax.call_tir"
        )
        return is_call and str(value.args[0].name_hint) in self._kernels

    def _new_steps(self, count: int) -> tuple[int, ...]:
        self._steps += count
        return tuple(range(self._steps - count, self._steps))


def _used(module: Any) -> Any:
    """The module without kernels that nothing calls any more."""
    from tvm import relax

    return relax.transform.DeadCodeElimination()(module)
