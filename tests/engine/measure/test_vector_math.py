"""Functions that kernels compute in vectors are the C library's, up to its last bits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import special

from engine.measure import vector_math
from engine.targets.targets import to_tvm
from tests.engine.tasks.programs import cpu

LANES = 16
EXACT: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exp": np.exp,
    "tanh": np.tanh,
    "erf": special.erf,
    "sigmoid": special.expit,
}
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 88.72, 88.73, -87.4, -103.2, -104.5, 1e38, -1e38]


def numbers(dtype: str) -> np.ndarray:
    """Of every size, and those where something happens; whole vectors."""
    rng = np.random.default_rng(0)
    sizes = np.logspace(-38, 2.1, 4000)
    found = np.concatenate([sizes, -sizes, rng.normal(0, 3, 4000), SPECIAL])
    return np.resize(found, len(found) // LANES * LANES).astype(dtype)


def computed(name: str, x: np.ndarray, *, vectors: bool) -> np.ndarray:
    """What a kernel makes of `x`."""
    import tvm
    from tvm import te, topi

    data = te.placeholder(x.shape, str(x.dtype), "x")
    schedule = tvm.s_tir.Schedule(te.create_prim_func([data, getattr(topi, name)(data)]))
    (block,) = schedule.get_child_blocks(schedule.get_sblock("root"))
    _, inner = schedule.split(schedule.get_loops(block)[0], [None, LANES])
    if vectors:
        schedule.vectorize(inner)
    library = tvm.compile(schedule.mod, target=to_tvm(cpu()))
    result = tvm.runtime.tensor(np.zeros_like(x))
    library["main"](tvm.runtime.tensor(x), result)
    made: np.ndarray = result.numpy()
    return made


@pytest.mark.parametrize("vectors", [True, False])
@pytest.mark.parametrize("name", sorted(EXACT))
def test_every_number_is_right(name: str, vectors: bool) -> None:
    vector_math.register()
    x = numbers("float32")
    with np.errstate(over="ignore"):
        expected = EXACT[name](x.astype(np.float64))
        rounded = expected.astype(np.float32)
    found = computed(name, x, vectors=vectors)
    finite = np.isfinite(rounded)
    assert np.array_equal(found[~finite], rounded[~finite], equal_nan=True)
    allowed = 4e-7 * np.abs(expected[finite]) + (4e-7 if name == "erf" else 2e-38)
    assert np.all(np.abs(found[finite] - expected[finite]) <= allowed)


@pytest.mark.parametrize("name", sorted(EXACT))
def test_other_numbers_keep_their_precision(name: str) -> None:
    vector_math.register()
    x = numbers("float64")
    with np.errstate(over="ignore"):
        expected = EXACT[name](x)
    found = computed(name, x, vectors=True)
    assert np.allclose(found, expected, rtol=1e-14, atol=1e-15, equal_nan=True)
