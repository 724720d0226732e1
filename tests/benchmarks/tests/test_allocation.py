"""The comparison of policies, on synthetic recordings."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

from engine.replay.recording_file import save_recording
from tests.benchmarks.allocation import Model, Row, goals, main
from tests.benchmarks.parts.figures import Spread
from tests.engine.allocation.curves_data import recording

PLAIN = "dynatune,round-robin,random,gradient,oracle"


def row(title: str, to_5: float, share: float = 0.01) -> Row:
    """A row in which only the time to within 5 % matters."""
    same = Spread(to_5, to_5, to_5)
    return Row(title, same, same, same, same, share, 0.001)


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
    assert "| oracle |" in text


def test_a_folder_without_recordings_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["allocation", "--recordings", str(tmp_path)])
    with pytest.raises(SystemExit):
        main()
    assert "make some with record.py" in capsys.readouterr().err
