"""The benchmarks of the passes on tiny models: what they are made of, never a figure."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.deploy.bench import BenchResult
from engine.jobs.baseline import Baseline
from engine.project.repository import Project
from engine.records.settings import Budget, RunSettings, RunState, Step
from engine.records.snapshot import Snapshot
from engine.records.task import Task
from engine.records.trial import Measured, Source
from tests.benchmarks import droplet, plan, sharing, transfer
from tests.benchmarks.parts.report import Report
from tests.benchmarks.passes.pass_options import TINY, Asked, markdown
from tests.benchmarks.passes.pass_runs import OutOfTime, Result, Workshop
from tests.benchmarks.passes.pass_turns import Row, geometric_mean, model_s, worse
from tests.benchmarks.rivals.tvm_post_opt import Outcome, best, fill

pytestmark = pytest.mark.slow

TASK = Task(0, "conv", 2, 1e6, "conv2d", (), "f")
Tables = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """Two trials a task of tiny models, kept for all tests here."""
    keep = tmp_path_factory.mktemp("keep")
    return Asked(TINY[:2], target="cpu", trials=2, keep=keep, quick=True)


@pytest.fixture(autouse=True)
def _no_module_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes seconds, and tells nothing here."""
    whole, tuning = BenchResult({}, (1e-4,), ()), "engine.jobs.tuning"
    monkeypatch.setattr(
        f"{tuning}.measure_baseline",
        lambda model: Baseline(Measured(1e-2), {task.index: 1e-2 for task in model.program.tasks}),
    )
    monkeypatch.setattr(f"{tuning}.measure_reference", lambda _: Measured(1e-4))
    monkeypatch.setattr(f"{tuning}.measure_module", lambda *_: whole)


def printed(report: Report, tables: Tables) -> str:
    """What a person sees, once it is sure that a program can read the rest."""
    assert json.loads(json.dumps(report.as_dict()))["name"] == report.name
    assert report.details["trials_per_task"] == 2
    assert report.details["notes"] == []
    return "\n".join(tables(report.details))


def read(path: Path) -> Snapshot:
    with Project.open(path, read_only=True) as project:
        return project.snapshot()


def kept(asked: Asked) -> dict[str, tuple[int, int]]:
    """The projects there are: how many runs and trials each has."""
    assert asked.keep is not None
    snapshots = {path.stem: read(path) for path in asked.keep.rglob("*.tune")}
    return {name: (len(found.runs), len(found.trials)) for name, found in snapshots.items()}


@pytest.mark.long
def test_sharing_is_compared_with_a_full_search(asked: Asked) -> None:
    report = sharing.run(replace(asked, models=TINY[:1]), variants=("plain",))
    assert [goal.what for goal in report.goals] == [
        "tiny, plain: of the performance",
        "tiny, plain: of the time",
    ]
    assert "tiny" in printed(report, sharing.tables)
    (shared,) = (name for name in kept(asked) if name.startswith("share-plain-tiny"))
    assert kept(asked)[shared][0] == kept(asked)["full-tiny"][0] == 1


@pytest.mark.long
def test_every_ordered_pair_is_transferred_and_searches_nothing(asked: Asked) -> None:
    report = transfer.run(asked)
    pairs = {(row["heir"], row["donors"]) for row in report.details["rows"]}
    assert pairs == {("tiny", "tiny2"), ("tiny2", "tiny")}
    assert "tiny2" in printed(report, transfer.tables)
    assert len(report.goals) == 2
    assert asked.keep is not None
    paths = list(asked.keep.rglob("transfer-*.tune"))
    assert len(paths) == 2
    trials = [trial for path in paths for trial in read(path).trials]
    assert {trial.source for trial in trials} == {Source.TRANSFERRED}


@pytest.mark.long
def test_droplet_polishes_a_copy_of_the_full_search_that_is_there_already(asked: Asked) -> None:
    effort = droplet.Effort(per_task=3, tvm_tasks=0)
    report = droplet.run(replace(asked, models=TINY[:1]), effort)
    row = report.details["rows"][0]
    assert row["valid"] <= row["trials"]
    assert row["with_record"] == len(row["task_gains"]) > 0
    assert "tiny" in printed(report, droplet.tables)
    assert kept(asked)["full-tiny"][0] == 1


@pytest.mark.long
def test_plans_are_compared_with_one_long_search_and_say_what_gave_what(asked: Asked) -> None:
    report = plan.run(replace(asked, models=TINY[:1]), donors=TINY[1:2], burst=4, per_task=3)
    plans = [row["plan"] for row in report.details["bursts"]]
    assert plans == [
        "search",
        "search:4,droplet, repeated",
        "search:4,transfer,droplet, repeated",
    ]
    ways = [row["transfer"] for row in report.details["transfers"]]
    assert ways == ["alone", "from donors that Droplet polished", "then Droplet"]
    assert "search 100.0%" in printed(report, plan.tables)


@pytest.mark.long
def test_a_limit_ends_a_run_which_goes_on_at_the_next_call(asked: Asked) -> None:
    settings = asked.settings(budget=Budget(trials=12))
    with Workshop(replace(asked, limit_s=600)) as shop:
        full, path = shop.full("tiny"), shop.folder / "limited.tune"

        def left_s() -> float:
            return 0.0 if path.exists() and read(path).trials else 1.0

        shop.left_s = left_s  # type: ignore[method-assign]
        assert shop.each(["tiny"], lambda _: shop.passed(full, "limited", settings)) == []
        assert "The limit of 600 s came before tiny was done" in shop.notes[0]
        stopped = read(path).runs
        assert [run.state for run in stopped] == [RunState.STOPPED]
        shop.left_s = lambda: 1.0  # type: ignore[method-assign]
        done = shop.passed(full, "limited", settings)
    assert [run.id for run in done.snapshot.runs] == [stopped[0].id]
    assert done.run.state is RunState.FINISHED
    assert len(done.snapshot.trials) == 12


def test_a_kept_pass_is_made_anew_for_other_settings_alone(asked: Asked) -> None:
    settings = asked.settings(Step("transfer", {"places": ["a"]}), budget=Budget())

    def finish(path: Path, settings: RunSettings) -> None:
        with Project.open(path) as project:
            project.set_run(project.start_run(settings), state=RunState.FINISHED)

    with Workshop(asked) as shop:
        full = shop.full("tiny")
        shop.carry_out = finish  # type: ignore[method-assign]
        first = shop.passed(full, "other", settings).run
        assert shop.passed(full, "other", settings).run == first
        again = shop.passed(full, "other", replace(settings, finalists=2)).run
        assert again.settings.finalists == 2
        assert again.started_at > first.started_at
        copied = shop.passed(full, "copied", settings, start=shop.copy)
        assert copied.snapshot.trials == full.snapshot.trials
        assert [run.settings for run in copied.snapshot.runs[1:]] == [first.settings]


def test_a_model_that_fails_is_noted_and_the_others_are_measured(asked: Asked) -> None:
    with Workshop(asked) as shop:
        found = shop.each(("no-such-model", "tiny"), shop.full)
        assert [full.model for full in found] == ["tiny"]
        assert "no-such-model is left out" in shop.notes[0]


def test_ctrl_c_leaves_what_is_done(asked: Asked) -> None:
    def work(item: str) -> str:
        if item == "second":
            raise KeyboardInterrupt
        return item

    with Workshop(asked) as shop:
        assert shop.each(("first", "second", "third"), work) == ["first"]
        assert "Ctrl+C came before second was done" in shop.notes[0]


def test_tvms_post_optimisation_reads_the_record_of_a_project(asked: Asked, tmp_path: Path) -> None:
    with Workshop(asked) as shop:
        full = shop.full("tiny")
    record = next(
        number for task in full.snapshot.tasks if (number := full.history.record(task.index))
    )
    with Project.open(full.path, read_only=True) as project:
        trial, target = project.trial(record), project.target
        workload = project.tasks()[trial.task].workload
    read_back, _, _ = fill(tmp_path, workload, trial.trace, trial.samples, target)
    assert read_back[1][1] == pytest.approx(list(trial.samples))
    assert best([trial.samples, read_back], read_back) == (None, "")  # no better than the record
    assert best([[1e10], None], read_back) == (None, "")
    line = [read_back[0], [read_back[1][0][:1], [2e-6, 4e-6]]]
    assert best([[2e-6, 4e-6], line], read_back)[0] == pytest.approx(3e-6)
    assert "trace" not in Outcome().as_dict()


# Figures


def row(*latency_s: float, spread: float = 0.001) -> Row:
    """A row with samples that scatter a little."""
    samples = tuple(
        tuple(side * (1 + spread * (place % 5 - 2)) for place in range(20)) for side in latency_s
    )
    return Row(TASK, latency_s, samples)


def test_only_what_is_significantly_slower_is_worse() -> None:
    slower, faster = row(1.0, 1.1), row(1.1, 1.0)
    same, unknown = row(1.0, 1.0), Row(TASK, (1.0, 1.2), ((), ()))
    assert worse([slower, faster, same, unknown], 0, 1) == [slower]
    assert worse([row(1.0, 1.001, spread=0.2)], 0, 1) == []


def test_a_model_is_the_sum_of_its_tasks_by_weight() -> None:
    rows = [row(1.0, 2.0), row(3.0, 1.0)]
    assert model_s(rows, 0) == 4.0 * TASK.weight
    assert model_s(rows, 1) == 3.0 * TASK.weight
    assert geometric_mean([2.0, 0.5]) == pytest.approx(1.0)
    assert geometric_mean([]) == 1.0


def test_the_time_to_match_is_the_first_moment_at_that_latency(asked: Asked) -> None:
    with Workshop(asked) as shop:
        full = Result("tiny", shop.full("tiny").path)
    untuned = full.untuned_s
    assert full.seconds_to(untuned) == 0.0
    reached = full.seconds_to(full.latency_s)
    assert reached is not None
    assert 0 < reached <= full.seconds
    assert full.seconds_to(0.0) is None


def test_a_table_is_markdown_with_its_numbers_to_the_right() -> None:
    assert markdown(("a", "b"), [("x", "1")]) == "| a | b |\n| --- | ---: |\n| x | 1 |"


def test_a_limit_says_which_it_was() -> None:
    shop = Workshop(Asked(TINY[:1], limit_s=-0.5))
    with pytest.raises(OutOfTime, match=r"limit of -0\.5 s"):
        shop.check()
