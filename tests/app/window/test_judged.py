"""The notice that the untuned module answers wrongly, and the node that it shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.window.judged import KIND
from engine.jobs.verifying.judging import wrong_answer
from engine.records.events import Event, ModuleJudged, ProjectOpened
from engine.records.network import FileNode, FirstDifference, Judged, Verdict
from engine.records.settings import RunState
from tests.app.conftest import Console
from tests.samples import run_begins, squeezenet_like_snapshot
from widgets.graph.drawing import Side
from widgets.parts.message_bar import MessageRow

PLAIN = squeezenet_like_snapshot(0)
FILES = tuple(
    FileNode(place, f"node_{place}", "Relu", (place - 1,) if place else (), operators=(place,))
    for place in range(len(PLAIN.operators))
)
FRESH = replace(PLAIN, file_nodes=FILES)
FIRST = FirstDifference(
    operator="Relu",
    node="node_4",
    place=4,
    output="v4",
    index=(0, 2),
    ours=10.0,
    theirs=6.0,
    among=("node_4",),
    checked=3,
)
WRONG = Verdict(
    "normal times 50", 1, 4.0, "The output y differs", wrong=True, output="y", ours="9", theirs="6"
)
RIGHT = Verdict("standard normal", 0, 1e-6)
JUDGED = Judged("ONNX Runtime", (RIGHT, WRONG), "here", FIRST)


def notices(console: Console) -> list[MessageRow]:
    return [row for row in console.window.console.messages.rows() if row.kind == KIND]


def notice(console: Console) -> MessageRow:
    (found,) = notices(console)
    return found


def opened(console: Console, judged: Judged | None = None) -> None:
    console.tell(ProjectOpened(replace(FRESH, judged=judged)))


def selected(console: Console) -> list[int]:
    graph = console.window.aids.late.graph
    assert graph.drawing.side is Side.FILE
    return [node.key for node in graph.scene.selected_nodes()]


def test_a_wrong_answer_is_told_with_draw_output_values_operator_and_node(
    console: Console,
) -> None:
    opened(console)
    assert notices(console) == []
    console.tell(ModuleJudged(JUDGED))
    text = notice(console).what
    for part in ("normal times 50", "y is 9", "ONNX Runtime has 6", "Relu node_4", "10 for 6"):
        assert part in text
    assert notice(console).level == "error"
    assert notice(console).todo


def test_the_files_graph_has_the_node_selected_and_the_button_shows_it(console: Console) -> None:
    opened(console)
    console.tell(ModuleJudged(JUDGED))
    assert selected(console) == [4]
    console.window.console.workspace.bring("stages")
    row = notice(console)
    assert row.look_button is not None
    row.look_button.click()
    assert console.window.console.workspace.shown == "graph"
    assert selected(console) == [4]
    assert notices(console) == [row], "it stays until it is dismissed"


def test_a_person_may_tune_anyway_this_once(console: Console) -> None:
    opened(console, JUDGED)
    button = notice(console).action_button
    assert button is not None
    button.click()
    name, settings = console.engine.calls[-1]
    assert (name, settings.despite) == ("start_run", True)
    assert not console.commands.run_settings.despite
    assert notices(console) == []


def test_a_project_that_was_judged_so_says_it_when_it_is_opened(console: Console) -> None:
    opened(console, JUDGED)
    assert "Relu node_4" in notice(console).what
    assert selected(console) == [4]
    opened(console, Judged("ONNX Runtime", (RIGHT,), "here"))
    assert notices(console) == []


def test_the_run_that_it_ends_does_not_say_it_a_second_time(console: Console) -> None:
    opened(console)
    console.tell(*run_begins(1, RunState.PREPARING))
    console.tell(ModuleJudged(JUDGED))
    console.engine.start_run(console.commands.run_settings)
    console.engine.refuse("start_run", wrong_answer(WRONG, FIRST))
    console.tick()
    assert len(console.window.console.messages.rows()) == 1
    assert notice(console)


@pytest.mark.parametrize("first", [None, replace(FIRST, place=999)])
def test_without_a_node_that_is_known_the_values_are_told_alone(
    console: Console, first: FirstDifference | None
) -> None:
    opened(console)
    console.tell(ModuleJudged(replace(JUDGED, first=first)))
    assert "ONNX Runtime has 6" in notice(console).what
    assert (notice(console).look_button is None) == (first is None)


def test_an_interval_is_told_as_one(console: Console) -> None:
    opened(console)
    first = replace(FIRST, among=("node_2", "node_3", "node_4"))
    console.tell(ModuleJudged(replace(JUDGED, first=first)))
    assert "It begins between node_2 and Relu node_4" in notice(console).what


def test_a_draw_that_cannot_be_compared_has_its_note(console: Console) -> None:
    opened(console)
    wrong = Verdict("zeros", 2, None, "The module crashed.", wrong=True)
    console.tell(ModuleJudged(Judged("ONNX Runtime", (wrong,), "here")))
    assert "(inputs: zeros). The module crashed." in notice(console).what


@pytest.mark.parametrize("judged", [None, Judged("ONNX Runtime", (RIGHT,)), Judged("")])
def test_a_right_answer_is_no_news(console: Console, judged: Judged | None) -> None:
    opened(console, judged)
    events: list[Event] = [] if judged is None else [ModuleJudged(judged)]
    console.tell(*events)
    assert notices(console) == []
