"""Reports of projects: what they say, and that nothing in a project can be more than text."""

from __future__ import annotations

import math
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.history.figure import schedules_key, with_measured
from engine.history.history import History
from engine.records.errors import StorageError
from engine.records.settings import RunSettings, RunState, Step
from engine.records.snapshot import (
    UNTUNED,
    ExportInfo,
    RunInfo,
    ShapeInfo,
    Snapshot,
    kind_of_shape,
)
from engine.records.source import ModelSource, Precision
from engine.records.trial import ErrorKind, Measured, Source
from engine.records.words import harmless
from engine.report.head import NO_RESULT
from engine.report.markup import page_text
from engine.report.page import report, write_report
from engine.report.subject import Subject, subject_of
from tests.engine.project.support import new_project
from tests.samples import make_task, make_trial, squeezenet_like_snapshot
from tests.stage_data import branched_snapshot

TUNED = squeezenet_like_snapshot(400)
NOTHING = Snapshot("", "", "", "", (), (), ())
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "code", "details"),
    *("summary", "table", "thead", "tbody", "tr", "th", "td", "svg", "path", "line", "text"),
}


class Page(HTMLParser):
    """Tags, attributes and texts of a page, as a browser reads them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def subject(snapshot: Snapshot, **changes: Any) -> Subject:
    made = Subject(
        snapshot,
        ModelSource("file", "/home/me/models/net.onnx", {"x": (1, 3)}, "ab" * 32),
        "cpu znver4 x2",
        '{"kind":"llvm"}',
        "0.27.0",
        1.8e9,
        "Tunewright 1.2.3",
    )
    return replace(made, **changes)


def page(snapshot: Snapshot, **changes: Any) -> Page:
    return Page(page_text(report(subject(snapshot, **changes))))


def test_a_report_says_how_fast_the_model_is_and_against_what() -> None:
    snapshot = replace(TUNED, untuned_latency_s=8e-3, reference_latency_s=3e-3)
    runs = (replace(snapshot.runs[0], tuned_latency_s=2e-3),)
    text = page(replace(snapshot, runs=runs)).text
    assert "8.00 ms untuned, 2.00 ms now: 4.00x as fast" in text
    assert "3.00 ms (1.50x the latency now)" in text
    assert "2.00 ms. Measured end to end with the schedules of now." in text


def test_a_set_of_shapes_is_listed_with_the_latency_of_each() -> None:
    shapes = (ShapeInfo("x=1x8", 3, TUNED.operators), ShapeInfo("x=1x9", 1, TUNED.operators))
    measured = {
        kind_of_shape(UNTUNED, 0): Measured(1e-3),
        kind_of_shape(UNTUNED, 1): Measured(2e-3),
    }
    fresh = replace(TUNED, trials=(), shapes=shapes, measured=measured)
    text = page(fresh).text
    assert "Shapes, whose mean the latencies are" in text
    assert "x=1x8, 3 times: 1.00 ms; x=1x9, 1 times: 2.00 ms" in text


def test_without_a_measurement_an_estimate_is_called_that() -> None:
    assert (
        "An estimate: what the kernels take together"
        in page(replace(TUNED, untuned_latency_s=None)).text
    )


def test_a_disturbed_measurement_is_called_that_with_its_figures() -> None:
    key = schedules_key(History(TUNED))
    found = with_measured(TUNED, key, Measured(25.3e-3, 1e-3, 0.68))
    text = page(found).text
    assert "25.3 ms now" in text
    assert "Disturbed: other programs had 68 % of the cores that it needs." in text


def test_every_task_is_in_the_report_with_its_figures() -> None:
    text = page(TUNED).text
    assert all(task.name in text for task in TUNED.tasks)
    failed = sum(trial.error is not None for trial in TUNED.trials)
    assert f"{failed} of 400 trials failed" in text
    assert all(f"test data: {kind}" in text for kind in ErrorKind)


def test_curves_are_drawn_and_named_for_those_who_cannot_see_them() -> None:
    made = report(subject(TUNED))
    drawings = list(made.iter("svg"))
    assert len(drawings) == 1 + sum(any(t.task == x.index for t in TUNED.trials if not t.error)
                                    for x in TUNED.tasks)  # fmt: skip
    assert all(drawing.get("aria-label") for drawing in drawings)
    for path in made.iter("path"):
        assert "nan" not in path.get("d", "nan")
        assert "inf" not in path.get("d", "inf")


def test_a_project_without_anything_has_a_report_that_says_so() -> None:
    found = page(NOTHING)
    assert NO_RESULT in found.text
    assert "Errors" not in found.texts


def test_passes_and_stages_are_told_of_where_there_are_some() -> None:
    staged = branched_snapshot(1)
    found = staged.schedule
    assert found is not None
    text = page(staged).text
    assert f"{found.search.measured:,} stages measured" in text
    assert "Stage by stage" in text
    first, *others = TUNED.trials
    polished = replace(TUNED, trials=(replace(first, source=Source.DROPLET), *others))
    assert "Polished" in page(polished).texts
    assert "Passes" not in page(TUNED).texts


def test_runs_settings_exports_and_versions_are_listed() -> None:
    asked = RunSettings(policy="round-robin", steps=(Step("search", trials=5), Step("droplet")))
    run = RunInfo(3, RunState.STOPPED, asked, 1.7e9, trials=5, reason="stopped")
    manifest = {"latency_s": 2e-3, "max_abs_diff": 1e-6, "coverage": 0.5}
    export = ExportInfo(1, "/home/me/out/net-export", 1.7e9, manifest)
    text = page(replace(TUNED, runs=(run,), exports=(export,))).text
    for words in ("search:5,droplet", "round-robin", "search population", "net-export", "0.27.0",
                  '{"kind":"llvm"}', "net.onnx", "ab" * 32, "Tunewright 1.2.3"):  # fmt: skip
        assert words in text


@pytest.mark.parametrize(
    ("precision", "words"), [("float32", "float32, as in the file"), ("tf32", "TF32 tensor cores")]
)
def test_the_largest_difference_is_told_with_the_precision(
    precision: Precision, words: str
) -> None:
    manifest = {"latency_s": 2e-3, "max_abs_diff": 4.2e-3, "coverage": 0.5}
    export = ExportInfo(1, "/home/me/out/net-export", 1.7e9, manifest)
    source = replace(subject(TUNED).source, precision=precision)
    text = page(replace(TUNED, exports=(export,)), source=source).text
    assert "0.0042" in text and text.count(words) == (2 if precision == "float32" else 3)


@pytest.mark.parametrize(
    ("kinds", "called"),
    [
        (("search",), True),
        (("share",), False),
        (("transfer", "droplet"), False),
        (("droplet", "search"), True),
    ],
)
def test_a_run_without_a_search_has_no_policy(kinds: tuple[str, ...], called: bool) -> None:
    steps = tuple(Step(kind) for kind in kinds)
    run = replace(TUNED.runs[0], settings=RunSettings(steps=steps, policy="gradient"))
    made = page(replace(TUNED, runs=(run,)))
    assert ("gradient" in made.text.partition("Settings of run")[0]) is called


def test_no_folder_of_the_persons_is_in_a_report() -> None:
    steps = (Step("transfer", {"places": ["/home/me/donors/other.tune"]}),)
    run = replace(TUNED.runs[0], settings=RunSettings(steps=steps))
    export = ExportInfo(1, "/home/me/out/net", 1.7e9, {})
    text = page(replace(TUNED, path="/home/me/a.tune", runs=(run,), exports=(export,))).text
    assert "/home" not in text
    assert "other.tune" in text


@given(
    text=st.text(min_size=1, max_size=40)
    | st.sampled_from(
        [
            "<script>alert(1)</script>",
            '"><img src=x onerror=y>',
            "]]>",
            "</title>",
            "&amp;",
            "\ud800",
        ]
    )
)
@settings(max_examples=40, deadline=None)
def test_whatever_a_project_holds_is_text_and_nothing_else(text: str) -> None:
    task = replace(make_task(0, "a", 1e-3), name=text)
    trial = replace(make_trial(1, 0, None, error=ErrorKind.RUN_ERROR), error_text=text)
    good = make_trial(2, 0, 5e-4)
    run = RunInfo(1, RunState.FINISHED, RunSettings(policy=text), 1e9, reason=text)
    manifest = {"latency_s": text, "max_abs_diff": True, "coverage": [text]}
    snapshot = Snapshot(text, text, text, text, (task,), (), (trial, good), (run,), (),
                        (ExportInfo(1, text, 1e300, manifest),))  # fmt: skip
    found = page(snapshot, target_title=text, target=text, tvm_version=text, made_by=text)
    assert found.tags <= ALLOWED
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert not [name for name, _ in found.attributes if name in ("src", "href")]
    if text.strip() and text == harmless(text) and "\r" not in text:
        assert text in "".join(found.texts)


def test_marks_that_turn_the_direction_of_writing_are_taken_out() -> None:
    assert harmless("a\u202egnp.exe\x00") == "a\ufffdgnp.exe\ufffd"


@pytest.mark.parametrize("latency_s", [math.inf, 0.0, 1e-300, 1e300])
def test_odd_latencies_make_no_odd_drawing(latency_s: float) -> None:
    task = make_task(0, "a", latency_s or None)
    snapshot = Snapshot("", "m", "", "", (task,), (), (make_trial(1, 0, latency_s or 1e-3),))
    assert "nan" not in page_text(report(subject(snapshot)))


def test_a_file_is_reported_and_replaces_an_earlier_report_whole(tmp_path: Path) -> None:
    new_project(tmp_path / "a.tune").close()
    out = tmp_path / "a.html"
    out.write_text("old")
    write_report(subject_of(tmp_path / "a.tune"), out)
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in tmp_path.glob("*.html")) == ["a.html"]


def test_a_report_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        write_report(subject(TUNED), tmp_path / "no-folder" / "a.html")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(StorageError, match="cannot be written"):
        write_report(subject(TUNED), tmp_path / "folder.html")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.html"]
