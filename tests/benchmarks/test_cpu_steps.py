"""The benchmark of the CPU recipe, on tiny things."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.cpu_model import WAYS, whole_model
from tests.benchmarks.cpu_recipe import PARTS, TINY, search
from tests.benchmarks.cpu_steps import tables
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import joined_branches_model

pytestmark = pytest.mark.slow


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_a_convolution_is_searched_without_any_part(part: str) -> None:
    speed, seconds = search(TINY[0], part, seed=0, trials=2)
    assert speed > 0
    assert seconds > 0


@pytest.mark.long
def test_a_model_runs_in_every_way(tmp_path: Path) -> None:
    console = Console()
    path = console.open(tmp_path, joined_branches_model())
    console.engine.start_run(QUICK).result(60)
    console.engine.wait().result(120)
    console.engine.shutdown()
    latencies = whole_model(path, rounds=1)
    assert tuple(latencies) == WAYS
    assert min(latencies.values()) > 0


def test_the_tables_hold_every_seed_and_way() -> None:
    rows = [
        {"name": "1x1", "part": part, "flops_per_s": [2e9, 1e9], "seconds": [1.0, 2.0]}
        for part in PARTS
    ]
    latencies = dict.fromkeys(WAYS, 2e-3)
    found = list(tables({"rows": rows, "project": "net.tune", "latencies_s": latencies}))
    assert found[0].splitlines()[2] == "| everything | 1, 2 |"
    assert found[1].splitlines()[-1] == f"| {WAYS[-1]} | 2 |"
