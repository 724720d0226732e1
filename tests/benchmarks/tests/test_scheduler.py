"""The scheduler's benchmark on little: a long queue, jobs from recordings, and the picture."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.scheduling.registry import SCHEDULING
from tests.benchmarks import scheduler
from tests.benchmarks.parts.report import Report
from tests.benchmarks.parts.scheduler_picture import picture, save


@pytest.mark.parametrize("name", SCHEDULING)
def test_the_queue_stays_as_long_as_it_was(name: str) -> None:
    load = scheduler.Load(name, scheduler.Shape("", 2), 200)
    assert len(load.costs_s(300)) == 300
    assert load.policy.waiting == pytest.approx(load.waiting, abs=40)


def made_up() -> Report:
    """A report with curves of two points."""
    rows = [
        {"devices": devices, "jobs": jobs, "policy": name, "makespan_s": 9e3, "cores_used": 0.5}
        for devices, jobs in ((1, 8), (4, 8), (2, 8), (2, 1))
        for name in scheduler.COMPARED
    ]
    return Report("scheduler", (), {"curves": rows})


def test_the_curves_are_over_devices_and_over_jobs_in_order() -> None:
    over_devices, _, over_jobs, _ = scheduler.curves_of(made_up())
    assert over_devices.lines["interleaved"] == ((1.0, 2.5), (2.0, 2.5), (4.0, 2.5))
    assert over_jobs.lines["interleaved"] == ((1.0, 2.5), (8.0, 2.5))


def test_the_picture_has_a_line_of_each_policy_in_each_plot(tmp_path: Path) -> None:
    path = tmp_path / "curves.svg"
    save(picture(scheduler.curves_of(made_up())), path)
    root = ElementTree.fromstring(path.read_text("utf-8"))
    plots = root.findall("{http://www.w3.org/2000/svg}g")
    assert len(plots) == 4
    for plot in plots:
        paths = plot.findall("{http://www.w3.org/2000/svg}path")
        assert sum(found.get("stroke-width") == "2" for found in paths) == 4
