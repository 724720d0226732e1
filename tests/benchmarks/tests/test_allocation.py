"""The comparison of policies, on synthetic recordings."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

from engine.allocation.pooled import Outlook
from engine.replay.recording_file import load_recording, save_recording
from tests.benchmarks.allocation import RECORDINGS, Model, Row, goals, main
from tests.benchmarks.parts.calibration import Slot, calibration, slots_of
from tests.benchmarks.parts.figures import Spread
from tests.engine.allocation.curves_data import recording

PLAIN = "dynatune,round-robin,random,gradient,ansor,oracle"


def row(title: str, to_5: float, share: float = 0.01) -> Row:
    """A row in which only the time to within 5 % matters."""
    same = Spread(to_5, to_5, to_5)
    return Row(title, same, same, same, same, same, share, 0.001)


def models(**times: tuple[float, float]) -> dict[str, Model]:
    """Two models with these times."""
    return {
        f"model {place}": {name: row(name, seconds[place]) for name, seconds in times.items()}
        for place in (0, 1)
    }


def values(found: dict[str, Model]) -> dict[str, tuple[float, bool]]:
    return {goal.what: (goal.value, goal.met) for goal in goals(found)}


def test_goals_compare_the_worst_the_best_and_the_median_model() -> None:
    found = values(models(dynatune=(10, 10), random=(12, 30), gradient=(9, 20), oracle=(8, 10)))
    assert found["random over dynatune, its worst model"] == (1.2, True)
    assert found["random over dynatune, its best model"] == (3.0, True)
    assert found["gradient over dynatune, its worst model"] == (0.9, False)
    assert found["gradient over dynatune, median model"] == (1.45, True)
    assert found["dynatune over oracle, median model"] == (1.125, True)
    assert found["dynatune's decisions, part of the time"] == (0.01, True)


def test_a_goal_that_dynatune_never_reaches_is_missed_and_a_rival_that_does_not_is_beaten() -> None:
    found = values(models(dynatune=(math.inf, 10), random=(12, math.inf), oracle=(8, 8)))
    assert found["random over dynatune, its worst model"] == (0.0, False)
    assert found["random over dynatune, its best model"] == (math.inf, True)
    assert not found["dynatune over oracle, median model"][1]


def test_the_command_prints_a_table_or_one_json_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save_recording(recording(tasks=3, trials=16), tmp_path / "a.npz")
    save_recording(recording(1, tasks=3, trials=16), tmp_path / "b.npz")
    common = ["allocation", "--recordings", str(tmp_path), "--policies", PLAIN, "--seeds", "2"]
    monkeypatch.setattr(sys, "argv", [*common, "--json"])
    main()
    found = json.loads(capsys.readouterr().out)
    rows = found["details"]["models"]["synthetic on no device: test data"]
    assert [item["policy"] for item in rows] == PLAIN.split(",")
    assert found["details"]["recordings"] == ["a.npz", "b.npz"]
    for item in rows:
        assert item["seconds_to_5_percent"]["median"] <= item["seconds_to_1_percent"]["median"]
    monkeypatch.setattr(sys, "argv", [*common, "--quick", "--steps"])
    main()
    text = capsys.readouterr().out
    assert "| dynatune: the paper's |" in text
    assert "| ansor | 1.000 | 1.000 | 1.000 |" in text
    assert "| all models, first slots | 3 |" in text
    assert "| oracle |" in text


def test_a_folder_without_recordings_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["allocation", "--recordings", str(tmp_path)])
    with pytest.raises(SystemExit):
        main()
    assert "make some with record.py" in capsys.readouterr().err


def test_a_slot_is_within_below_or_above_its_range() -> None:
    believed = Outlook(0.1, 0.05, 0.02, 0.3)
    slots = [Slot(False, believed, came) for came in (0.0, 0.02, 0.1, 0.3, 0.9)]
    found = calibration(slots)
    assert found is not None
    assert (found.slots, found.below, found.above) == (5, 0.2, 0.2)
    assert [found.within, found.expected, found.came] == pytest.approx([0.6, 0.1, 0.264])
    assert calibration([]) is None


def test_every_slot_that_is_weighed_is_judged_once_by_what_its_trials_found() -> None:
    recorded = recording(tasks=3, trials=16)
    slots = slots_of(recorded)
    assert sum(slot.first for slot in slots) == 3
    assert len(slots) <= sum(-(-len(task.latency_s) // 8) for task in recorded.tasks)
    assert all(0.0 <= slot.came < 1.0 for slot in slots)


def test_on_the_recordings_the_range_holds_what_it_says() -> None:
    """Central 80 %: one slot in ten above it, and as most slots may bring nothing, few below."""
    slots = [
        slot
        for path in sorted(RECORDINGS.glob("*-1.npz"))
        for slot in slots_of(load_recording(path))
    ]
    found = calibration(slots)
    assert found is not None and found.slots > 90
    assert 0.8 <= found.within <= 0.95
