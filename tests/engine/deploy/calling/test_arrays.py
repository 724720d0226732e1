"""Arrays of any library go in and out, as copies or as they lie."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.deploy.executor import ALIGNMENT, PlanExecutor
from engine.deploy.plan import with_stages
from engine.models.reference import random_inputs
from tests.engine.deploy.compiled import compiled
from tests.engine.models.build import branches_model
from tests.engine.tasks.programs import network, opened
from tests.hostile.exports import change_plan

KINDS = ("integers", "reshape_between", "constant_output", "input_as_output", "twice", "scalars")
# Outputs that are another's memory, an input's or a constant's.
BORROWED = {
    "reshape_between": {"r"},
    "constant_output": {"y"},
    "input_as_output": {"y"},
    "twice": {"y"},
}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PlanExecutor]:
    """A loaded module of each kind."""
    return {kind: compiled(network(kind), {}, tmp_path_factory.mktemp(kind)) for kind in KINDS}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """The name of a network."""
    return str(request.param)


@pytest.fixture
def module(kind: str, modules: dict[str, PlanExecutor]) -> PlanExecutor:
    """That network, loaded."""
    return modules[kind]


@pytest.fixture
def integers(modules: dict[str, PlanExecutor]) -> PlanExecutor:
    """The network of integers, booleans and floats."""
    return modules["integers"]


def drawn(kind: str, seed: int) -> dict[str, np.ndarray]:
    """Inputs of a network."""
    return random_inputs(network(kind).prepared.inputs, seed)


def aligned(array: np.ndarray, off: int = 0) -> np.ndarray:
    """A copy that begins `off` bytes after where a kernel may begin to read."""
    room = np.zeros(array.nbytes + 2 * ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT + off
    place = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    place[...] = array
    return place


def empty(module: PlanExecutor) -> dict[str, np.ndarray]:
    """Arrays for all outputs, of values that none of them has."""
    own = {name: np.from_dlpack(tensor) for name, tensor in module.output_buffers.items()}
    return {name: aligned(np.full_like(array, 77)) for name, array in own.items()}


class Foreign:
    """What another library's array shows of itself."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] = (1, 0)) -> None:
        self.array, self.device = array, device

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **wanted: Any) -> Any:
        return self.array.__dlpack__(**wanted)


class Old(Foreign):
    """One of a library that does not know of DLPack's versions."""

    def __dlpack__(self, **wanted: Any) -> Any:
        if wanted:
            raise TypeError("__dlpack__() takes no arguments")
        return self.array.__dlpack__()


class Unwilling(Foreign):
    """One that gives nothing, as PyTorch's do that are differentiated."""

    def __dlpack__(self, **_: Any) -> Any:
        raise RuntimeError("Can't export tensors that require gradient.\nCall detach.")


def own_tensor(array: np.ndarray) -> Any:
    """TVM's own."""
    import tvm

    return tvm.runtime.tensor(array)


LIBRARIES: list[Callable[[np.ndarray], Any]] = [np.asarray, Foreign, Old, own_tensor]


def same(found: Any, expected: Any) -> None:
    """Arrays by name are equal, bit by bit."""
    assert list(found) == list(expected)
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype


@pytest.mark.parametrize("library", LIBRARIES)
def test_arrays_of_each_library_are_taken_and_written(
    kind: str, module: PlanExecutor, library: Callable[[np.ndarray], Any]
) -> None:
    inputs = drawn(kind, 3)
    expected = module.run(inputs)
    outputs = empty(module)
    module.run(drawn(kind, 4))
    given = {name: library(array) for name, array in outputs.items()}
    found = module.run({name: library(array) for name, array in inputs.items()}, given)
    assert found is given
    if library is own_tensor:
        same({name: tensor.numpy() for name, tensor in given.items()}, expected)
    else:
        same(outputs, expected)


def test_some_outputs_may_be_taken_and_the_rest_left(integers: PlanExecutor) -> None:
    expected = integers.run(drawn("integers", 1))
    outputs = {"less": empty(integers)["less"]}
    integers.run(drawn("integers", 1), outputs)
    same(outputs, {"less": expected["less"]})


def test_the_modules_own_buffers_are_read_and_written_where_they_lie(
    kind: str, module: PlanExecutor
) -> None:
    inputs = drawn(kind, 5)
    expected = module.run(inputs)
    module.run(drawn(kind, 6))
    views = {name: np.from_dlpack(one) for name, one in module.input_buffers.items()}
    results = {name: np.from_dlpack(one) for name, one in module.output_buffers.items()}
    for name, view in views.items():
        view[...] = inputs[name]
    module.execute()
    same(results, expected)


def test_a_bound_module_reads_and_writes_the_callers_memory(
    kind: str, module: PlanExecutor
) -> None:
    first, second = drawn(kind, 7), drawn(kind, 8)
    expected = [module.run(inputs) for inputs in (first, second)]
    inputs = {name: aligned(array) for name, array in first.items()}
    outputs = empty(module)
    for name in BORROWED.get(kind, ()):
        with pytest.raises(ValueError, match=f"output {name} has no memory of its own"):
            module.bind(inputs, outputs)
        del outputs[name]
    bound = module.bind(inputs, outputs)
    bound()
    same(outputs, {name: expected[0][name] for name in outputs})
    for name, array in second.items():
        inputs[name][...] = array
    bound()
    same(outputs, {name: expected[1][name] for name in outputs})
    same(module.run(first), expected[0])
    same(outputs, {name: expected[1][name] for name in outputs})


def test_a_bound_module_keeps_what_it_was_bound_to(integers: PlanExecutor) -> None:
    inputs = drawn("integers", 2)
    expected = integers.run(inputs)
    outputs = empty(integers)
    bound = integers.bind({name: aligned(array) for name, array in inputs.items()}, outputs)
    for _ in range(50):
        aligned(np.ones(1000, np.int64))
    bound()
    same(outputs, expected)


def test_inputs_that_are_not_bound_are_the_modules_own(integers: PlanExecutor) -> None:
    inputs = drawn("integers", 2)
    expected = integers.run(inputs)
    outputs = empty(integers)
    bound = integers.bind({}, outputs)
    integers.set_inputs(inputs)
    bound()
    same(outputs, expected)


# What does not fit


@pytest.mark.parametrize(
    ("name", "array", "reason"),
    [
        ("i", np.zeros(5, np.int64), r"input i has shape \(5,\), not \(4,\)"),
        ("i", np.zeros(4, np.float32), "input i holds float32, not int64"),
        ("i", Foreign(np.zeros(5, np.int64)), r"input i has shape \(5,\), not \(4,\)"),
        ("i", Foreign(np.zeros(4, np.float32)), "input i holds float32, not int64"),
        ("b", Foreign(np.zeros((4, 1), np.int64)), "input b holds int64, not bool"),
        ("i", Foreign(np.zeros(4, np.int64), (2, 0)), "input i lies on another device"),
        ("i", Foreign(np.zeros(4, np.int64), (10, 0)), "input i lies on another device"),
        ("i", Unwilling(np.zeros(4)), "lend its memory: Can't export .* require gradient$"),
    ],
)
def test_arrays_that_cannot_be_taken_are_refused_in_a_sentence(
    integers: PlanExecutor, name: str, array: Any, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        integers.run(drawn("integers", 1) | {name: array})
    with pytest.raises(ValueError, match=reason):
        integers.bind({name: array}, {})


@pytest.mark.parametrize(
    "array", [np.zeros(4, np.int32), np.zeros(8, np.int64)[::2], np.ones((4,), np.int8)]
)
def test_narrower_and_strided_arrays_of_other_libraries_are_copied(
    integers: PlanExecutor, array: np.ndarray
) -> None:
    inputs = drawn("integers", 1)
    expected = integers.run(inputs | {"i": array})
    same(integers.run(inputs | {"i": Foreign(array)}), expected)


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        ({"z": np.zeros((4, 8), np.float32)}, "the outputs are y, less, not z"),
        ({"y": np.zeros((8, 4), np.float32)}, r"output y has shape \(8, 4\), not \(4, 8\)"),
        ({"y": np.zeros((4, 8), np.float64)}, "output y holds float64, not float32"),
        ({"y": np.zeros((8, 4), np.float32).T}, "output y is not contiguous"),
        ({"y": np.broadcast_to(np.float32(1), (4, 8))}, "output y cannot be written"),
        ({"y": Foreign(np.zeros((4, 8), np.float32), (2, 1))}, "output y lies on another device"),
    ],
)
def test_arrays_that_cannot_be_written_are_refused_in_a_sentence(
    integers: PlanExecutor, outputs: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        integers.run(drawn("integers", 1), outputs)
    with pytest.raises(ValueError, match=reason):
        integers.bind({}, outputs)


@pytest.mark.parametrize("off", [1, 8, 16, 32])
def test_memory_that_kernels_cannot_begin_at_is_copied_but_not_bound(
    integers: PlanExecutor, off: int
) -> None:
    inputs, outputs = drawn("integers", 1), empty(integers)
    expected = integers.run(inputs)
    shifted = {name: aligned(array, off) for name, array in outputs.items()}
    same(integers.run({name: aligned(one, off) for name, one in inputs.items()}, shifted), expected)
    with pytest.raises(ValueError, match="input i does not begin at a multiple of 64 bytes"):
        integers.bind({"i": aligned(inputs["i"], off)}, {})
    with pytest.raises(ValueError, match="output y does not begin at a multiple of 64 bytes"):
        integers.bind({}, {"y": shifted["y"]})


def test_what_is_written_may_overlap_nothing_else(modules: dict[str, PlanExecutor]) -> None:
    module, array = modules["input_as_output"], aligned(np.zeros((2, 6), np.float32))
    with pytest.raises(ValueError, match="output z overlaps input x"):
        module.bind({"x": array}, {"z": array})
    room = aligned(np.zeros(64, np.float32))
    module = modules["integers"]
    less = room.view(np.bool_)[64:96].reshape(4, 8)
    with pytest.raises(ValueError, match=r"overlaps output"):
        module.bind({}, {"y": room[:32].reshape(4, 8), "less": less})
    module.bind({}, {"y": room[32:].reshape(4, 8), "less": less})


@pytest.mark.parametrize("call", ["run", "set_inputs", "execute", "put_outputs", "bound"])
def test_a_stream_on_a_cpu_is_refused_in_a_sentence(integers: PlanExecutor, call: str) -> None:
    inputs = drawn("integers", 1)
    calls: dict[str, Callable[[], object]] = {
        "run": lambda: integers.run(inputs, stream=0),
        "set_inputs": lambda: integers.set_inputs(inputs, stream=7),
        "execute": lambda: integers.execute(stream=0),
        "put_outputs": lambda: integers.put_outputs({}, stream=0),
        "bound": lambda: integers.bind({}, {})(stream=0),
    }
    with pytest.raises(ValueError, match="a stream is a GPU's"):
        calls[call]()


@pytest.mark.torch
def test_tensors_of_pytorch_are_read_and_written_where_they_lie(integers: PlanExecutor) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra torch")
    inputs = drawn("integers", 1)
    expected = integers.run(inputs)
    given = {name: torch.from_numpy(array.copy()) for name, array in inputs.items()}
    same(integers.run(given), expected)
    outputs = {"y": torch.zeros(4, 8), "less": torch.zeros(4, 8, dtype=torch.bool)}
    integers.run(given, outputs)
    same({name: one.numpy() for name, one in outputs.items()}, expected)
    bound = integers.bind({"i": torch.zeros(4, dtype=torch.int64)}, {"y": outputs["y"].zero_()})
    bound()
    expected = integers.run(inputs | {"i": np.zeros(4, np.int64)})
    same({"y": outputs["y"].numpy()}, {"y": expected["y"]})
    y = torch.from_dlpack(integers.output_buffers["y"])
    np.testing.assert_array_equal(y.numpy(), expected["y"])


def test_what_is_bound_keeps_its_module(tmp_path: Path) -> None:
    module = compiled(opened(branches_model()), {}, tmp_path)
    change_plan(tmp_path, lambda plan: with_stages(plan, [[[0, 1], [2, 3]], [[4]]]))
    module = PlanExecutor(tmp_path)
    inputs = {name: np.ones(shape, dtype) for name, shape, dtype in module.inputs}
    expected = module.run(inputs)
    outputs = empty(module)
    bound = module.bind({name: aligned(array) for name, array in inputs.items()}, outputs)
    del module
    bound()
    same(outputs, expected)
