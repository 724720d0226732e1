"""The benchmark of the time to a latency: how both sides are counted, without tuning."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.records.source import ModelSource
from engine.targets.targets import TargetSpec
from tests.benchmarks import reach
from tests.benchmarks.passes.pass_options import Asked
from tests.benchmarks.passes.pass_runs import Workshop
from tests.benchmarks.rivals import stock_tuning
from tests.benchmarks.rivals.stock_tuning import Check, Search, first_reached

PLACE = ModelSource("sample", "squeezenet"), TargetSpec("{}", "", "cpu", 1), Path("nowhere")


def found_at(monkeypatch: pytest.MonkeyPatch, latencies: dict[int, float]) -> list[int]:
    """Have a model with so many records take so many seconds; what is asked is listed."""
    asked: list[int] = []

    def check(*args: Any) -> Check:
        asked.append(args[3])
        return Check(latencies[args[3]], False, 1, 1, None)

    monkeypatch.setattr(stock_tuning, "check", check)
    return asked


def test_the_first_moment_that_is_fast_enough_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = found_at(monkeypatch, {0: 9.0, 64: 8.0, 128: 4.0, 192: 3.0, 256: 2.0})
    commits = (10.0, 64), (20.0, 128), (30.0, 192), (40.0, 256)
    seconds, last = first_reached(*PLACE, Search(45.0, commits), {}, 5.0)
    assert (seconds, last.latency_s) == (20.0, 2.0)
    assert len(asked) == len(set(asked)) <= 4


def test_a_search_that_never_comes_as_far_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = found_at(monkeypatch, {0: 9.0, 64: 8.0})
    assert first_reached(*PLACE, Search(45.0, ((10.0, 64),)), {}, 5.0)[0] is None
    assert asked == [64]


def test_an_untuned_model_may_be_fast_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    found_at(monkeypatch, {0: 4.0})
    assert first_reached(*PLACE, Search(45.0, ()), {}, 5.0)[0] == 0.0


def test_the_sum_of_records_counts_where_it_is_lower() -> None:
    assert Check(3.0, True, 2, 2, 2.0).best_s == 2.0
    assert Check(3.0, True, 2, 1, None).best_s == 3.0


def test_a_database_is_cut_to_its_first_records(tmp_path: Path) -> None:
    folder, copy = tmp_path / "a", tmp_path / "b"
    folder.mkdir()
    copy.mkdir()
    (folder / "database_workload.json").write_text("w\n")
    (folder / "database_tuning_record.json").write_text("1\n2\n3\n4 is cu")
    stock_tuning._copy(folder, copy, 0)
    assert not list(copy.iterdir())
    stock_tuning._copy(folder, copy, 2)
    assert (copy / "database_tuning_record.json").read_text() == "1\n2\n"


def test_a_search_that_dies_says_of_what(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!{sys.executable} -S\nimport sys\nsys.exit('No device.')\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    found = stock_tuning.search(PLACE[0], PLACE[1], tmp_path, 60.0)
    assert found.reason == "It failed: No device."
    assert (found.records, found.commits) == (0, ())


@pytest.mark.parametrize(
    ("ours_s", "stock_s", "reason", "expected"),
    [
        (10.0, 30.0, "", {"times": 3.0, "more_than": False}),
        (10.0, None, "", {"times": 24.0, "more_than": True}),
        (None, 30.0, "", {"times": None, "more_than": False}),
        (10.0, None, "It failed.", {"times": None, "more_than": False}),
    ],
)
def test_a_side_that_does_not_reach_it_counts_with_its_limit(
    ours_s: float | None, stock_s: float | None, reason: str, expected: dict[str, Any]
) -> None:
    row = {
        "ours": {"reached_s": ours_s},
        "stock": {"reached_s": stock_s, "limit_s": 240.0, "reason": reason},
    }
    assert reach._ratio(row) == expected
    assert reach._ratio({"ours": {"reached_s": 1.0}})["times"] is None


@pytest.mark.slow
@pytest.mark.long
def test_a_tiny_model_reaches_a_latency(tmp_path: Path) -> None:
    asked = Asked(("tiny",), target="cpu", trials=2, keep=tmp_path, quick=True)
    limits = reach.Limits(ours_s=30.0, stock_s=2.0, latency_s=4e-3)
    with Workshop(asked) as shop:
        row = reach.measure(shop, "tiny", limits)
    assert row["ours"]["reached_s"] is not None
    assert row["stock"]["reason"] == ""
    assert row["times"] >= 0
    text = "\n".join(reach.tables({"rows": [json.loads(json.dumps(row))], "limits": {}}))
    assert "tiny, stock" in text
