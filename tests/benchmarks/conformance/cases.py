"""The cases: models of one operator with inputs and right outputs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.conformance.constants import SHAPED_BY_DATA, constant_inputs

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto
    from onnx.backend.test.case.test_case import TestCase

_EXPANDED = re.compile(r"_expanded.*$")

NO_NUMBERS = "no numbers"
NO_FIXED_SHAPES = "no fixed shapes"
LESS_EXACT = "the expected output lies further from the exact one"

Arrays = dict[str, "np.ndarray"]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What may lie between a result and the right one: as `numpy.allclose` takes it.

    Where `scaled`, `absolute` is of an output's largest magnitude.
    """

    relative: float
    absolute: float
    scaled: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A model's bytes, its inputs and right outputs by name.

    Those of the inputs that are `constants` are made initializers before it is opened. `skipped`
    says why it is not counted; with NO_NUMBERS it has neither inputs nor outputs.
    """

    name: str
    operator: str
    model: bytes
    inputs: Arrays
    expected: Arrays
    tolerance: Tolerance
    constants: frozenset[str] = frozenset()
    skipped: str = ""
    needs_reference: bool = True


def operator_cases() -> list[Case]:
    """ONNX's tests of operators, with their functions written out ("expanded"), too."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what its own examples overflow
        tests = collect_testcases(None)
    plain = {test.name: test for test in tests if "_expanded" not in test.name}
    return [_of_test(test, plain.get(_EXPANDED.sub("", test.name), test)) for test in tests]


def _of_test(test: TestCase, plain: TestCase) -> Case:
    proto: ModelProto = test.model
    given, wanted = ([_array(value) for value in values] for values in test.data_sets[0])
    operator = operator_of(plain.model)
    numeric = all(map(_is_numeric, (*given, *wanted)))
    skipped = "" if numeric else NO_NUMBERS
    if plain.model.graph.node[0].op_type in SHAPED_BY_DATA:
        skipped = skipped or NO_FIXED_SHAPES
    return Case(
        test.name,
        operator,
        proto.SerializeToString(),
        _named(proto.graph.input, given) if numeric else {},
        _named(proto.graph.output, wanted) if numeric else {},
        Tolerance(test.rtol, test.atol),
        constant_inputs(plain.model) if numeric else frozenset(),
        skipped,
    )


def operator_of(proto: ModelProto) -> str:
    """The operator that a case is about, with its domain where that is not ONNX's own."""
    node = proto.graph.node[0]
    return f"{node.domain}.{node.op_type}" if node.domain else str(node.op_type)


def _array(value: object) -> object:
    """The array of a tensor that a test gives as a message; whatever else it gives as it is."""
    from onnx import TensorProto, numpy_helper

    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else value


def _is_numeric(value: object) -> bool:
    import numpy as np

    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind not in "OUS"


def _named(values: Iterable[object], arrays: Iterable[object]) -> Arrays:
    import numpy as np

    names = [value.name for value in values]  # type: ignore[attr-defined]
    return {name: np.asarray(array) for name, array in zip(names, arrays, strict=True)}


def folder_cases(folder: Path) -> list[Case]:
    """The models of a folder, each beside a .npz of its inputs (in_*) and right outputs (out_*)."""
    return [_of_file(path) for path in sorted(folder.glob("*.onnx"))]


def _of_file(path: Path) -> Case:
    import numpy as np
    import onnx

    with np.load(path.with_suffix(".npz")) as stored:
        arrays = dict(stored)
    inputs = {name[3:]: array for name, array in arrays.items() if name.startswith("in_")}
    expected = {name[4:]: array for name, array in arrays.items() if name.startswith("out_")}
    halves = any(array.dtype == np.float16 for array in (*inputs.values(), *expected.values()))
    tolerance = Tolerance(2e-2, 1e-2, True) if halves else Tolerance(1e-3, 1e-5, True)
    data = path.read_bytes()
    operator = operator_of(onnx.load_from_string(data))
    return Case(path.stem, operator, data, inputs, expected, tolerance, needs_reference=False)


def chosen(cases: Iterable[Case], pattern: str | None) -> list[Case]:
    """Those whose name or operator has the pattern in it, or fits it where it has wildcards."""
    if pattern is None:
        return list(cases)
    wanted = pattern if set(pattern) & set("*?[") else f"*{pattern}*"
    return [
        case
        for case in cases
        if case.operator == pattern or fnmatch(case.name.lower(), wanted.lower())
    ]


def few(cases: Sequence[Case]) -> list[Case]:
    """The last case of each operator that is counted, functions not written out."""
    counted = [case for case in cases if not case.skipped and not _EXPANDED.search(case.name)]
    return list({case.operator: case for case in counted}.values())
