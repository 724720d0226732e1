"""The choice of a precision in the window, over a fake engine that says what a target can."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject

from app.process.bridge import Bridge
from app.process.settings import Settings
from app.window.precisions import KEY, Precisions, refusal_of
from engine.records.errors import TargetError
from engine.records.events import ExportDone, ProjectOpened
from engine.records.machine import TargetSpec
from engine.records.source import ModelSource
from tests.app.conftest import Console
from tests.app.fake_engine import FakeEngine
from tests.samples import squeezenet_like_snapshot

H200 = TargetSpec('{"kind": "cuda", "arch": "sm_90"}', "cuda NVIDIA H200", "cuda:0", 8)
T4 = TargetSpec('{"kind": "cuda", "arch": "sm_75"}', "cuda Tesla T4", "cuda:0", 8)
CPU = TargetSpec('{"kind": "llvm"}', "cpu znver4 x2", "cpu", 2)
OPENED = replace(squeezenet_like_snapshot(0), path="/somewhere/net.tune")


def look(console: Console, target: str, found: TargetSpec) -> None:
    """Choose a target, and let the engine say what it is."""
    console.commands.set_target(target)
    assert console.engine.looked_at == target
    console.engine.answer("look_at_target", found)
    console.tick()


def choose(console: Console, precision: str) -> None:
    """Pick a precision as a person does."""
    box = console.window.toolbar.precision
    box.setCurrentIndex(box.findData(precision))
    box.activated.emit(box.currentIndex())


def opened_in(console: Console) -> str:
    """What the next model is opened in."""
    console.commands.open_sample("squeezenet")
    name, source, *_ = console.engine.calls[-1]
    assert name == "open_model" and isinstance(source, ModelSource)
    console.engine.answer("open_model")
    console.tick()
    return source.precision


@pytest.mark.parametrize(
    ("target", "word"), [(CPU, "A CPU"), (T4, "cuda Tesla T4 has no"), (H200, "")]
)
def test_what_a_target_cannot_is_said_with_its_name(target: TargetSpec, word: str) -> None:
    assert refusal_of(target).startswith(word) and bool(refusal_of(target)) == bool(word)


def test_a_precision_is_offered_for_tensor_cores_and_else_refused_with_the_reason(
    console: Console,
) -> None:
    box = console.window.toolbar.precision
    assert not box.isEnabled() and "not known yet" in box.toolTip()
    look(console, "cuda", H200)
    assert box.isEnabled() and [box.itemText(i) for i in range(4)] == [
        "float32",
        "TF32",
        "float16",
        "bfloat16",
    ]
    choose(console, "tf32")
    assert opened_in(console) == "tf32" and console.settings.get(KEY, "") == "tf32"
    look(console, "cpu", CPU)
    assert not box.isEnabled() and "no tensor cores" in box.toolTip()
    assert (box.precision, opened_in(console)) == ("float32", "float32")
    look(console, "cuda", H200)
    assert (box.precision, opened_in(console)) == ("tf32", "tf32")


def test_what_is_heard_of_an_earlier_target_does_not_count(console: Console) -> None:
    console.commands.set_target("cuda")
    earlier = console.engine.futures["look_at_target"]
    look(console, "cpu", CPU)
    earlier.set_result(H200)
    console.tick()
    assert not console.window.toolbar.precision.isEnabled()


def test_a_target_that_is_none_says_why_in_the_choice_and_nowhere_else(console: Console) -> None:
    console.commands.set_target("cuda:7")
    error = TargetError("There is no CUDA device 7.", "Choose cpu.")
    console.engine.futures["look_at_target"].set_exception(error)
    console.tick()
    assert console.window.toolbar.precision.toolTip() == str(error)
    assert not console.window.console.messages.rows()


@pytest.mark.parametrize("stored", ["float64", 16, ["tf32"], None])
def test_a_stored_precision_that_is_none_is_float32(stored: Any) -> None:
    settings, engine, window = Settings(memory=True), FakeEngine(), QObject()
    settings.set(KEY, stored)
    made = Precisions(lambda: engine, Bridge(engine.events, window), settings, window)
    assert made.holds == "float32"


def test_another_precision_for_an_open_model_offers_to_import_it_again(console: Console) -> None:
    look(console, "cuda", H200)
    console.commands.open_sample("squeezenet")
    console.engine.answer("open_model")
    console.tell(ProjectOpened(OPENED))
    choose(console, "float16")
    (row,) = console.window.console.messages.rows()
    assert row.action_button is not None
    choose(console, "float32")
    assert not console.window.console.messages.rows()
    choose(console, "float16")
    (row,) = console.window.console.messages.rows()
    assert row.action_button is not None
    row.action_button.click()
    assert console.engine.calls[-1][1] == ModelSource("sample", "squeezenet", precision="float16")


def test_a_project_shows_its_precision_where_it_is_not_float32(console: Console) -> None:
    console.tell(ProjectOpened(OPENED))
    caption = console.window.scoreboard.cells["now"].title
    rows = console.window.views.project.rows
    assert caption.text() == "Now" and "Precision" not in dict(rows("Inputs"))
    console.tell(ProjectOpened(replace(OPENED, precision="float16")))
    assert caption.text() == "Now, float16" and dict(rows("Inputs"))["Precision"] == "float16"


def test_an_export_says_how_far_its_outputs_are_from_the_references(console: Console) -> None:
    console.tell(ProjectOpened(replace(OPENED, precision="tf32")))
    console.commands.export(Path("/somewhere/out"))
    manifest = {"max_abs_diff": 0.00123, "reference": "ONNX Runtime"}
    console.engine.tell(ExportDone("/somewhere/out", manifest, at=1.0))
    console.engine.answer("export", manifest)
    console.tick()
    (row,) = console.window.console.messages.rows()
    assert row.what == (
        "Exported to /somewhere/out. "
        "In TF32, outputs differ from those of ONNX Runtime by 0.0012 at most."
    )
