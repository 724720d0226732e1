"""Products of one tensor as one, where attention stays in parts, as in TF32."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.tasks.attention.rewriting import with_merged_products
from engine.tasks.halves.reshapes import with_late_reshapes
from engine.tasks.halves.transposes import with_late_transposes
from tests.engine.tasks.attention.forms import FORMS, divided_scores
from tests.engine.tasks.attention.test_forms import (
    Tried,
    attentions,
    computed,
    fed,
    imported,
    operators,
    right,
)

FEWER = {"crossed": 1, "divided_scores": 2, "scaled_sum": 2, "dead_rows": 2}
"""By how many products there are less."""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Tried]:
    """All forms as they are imported, and merged."""
    protos = {name: form().made() for name, form in FORMS.items()}
    folder = tmp_path_factory.mktemp("parts")
    before = {name: imported(proto, folder) for name, proto in protos.items()}
    merged = {name: with_merged_products(module) for name, module in before.items()}
    given = {name: fed(proto) for name, proto in protos.items()}
    late = {name: with_late_reshapes(with_late_transposes(one)) for name, one in merged.items()}
    found = computed(late, {name: list(arrays.values()) for name, arrays in given.items()})
    expected = {name: right(proto, given[name]) for name, proto in protos.items()}
    return before, Tried(merged, found, expected)


@pytest.mark.parametrize("name", FORMS)
def test_merged_products_give_what_the_file_says(
    name: str, parts: tuple[dict[str, Any], Tried]
) -> None:
    before, tried = parts
    assert not attentions(tried.modules[name])
    expected = tried.expected[name]
    room = 4e-3 if expected.dtype == np.float16 else 1e-5
    np.testing.assert_allclose(
        tried.found[name], expected, rtol=0, atol=room * np.nanmax(np.abs(expected))
    )
    products = [operators(one).count("relax.matmul") for one in (before[name], tried.modules[name])]
    assert products[0] - products[1] >= FEWER.get(name, 0)


def test_a_second_time_there_is_nothing_to_merge(tmp_path: Path) -> None:
    form = divided_scores()
    module = imported(form.made(), tmp_path)
    merged = with_merged_products(module)
    assert operators(with_merged_products(merged)) == operators(merged)
