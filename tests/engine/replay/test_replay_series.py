"""Replays of several policies that can be watched and stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.records.errors import ProjectError, StorageError
from engine.replay.recording_file import save_recording
from engine.replay.replay import make_replay_policy, replay
from engine.replay.replay_series import ReplayState, ReplayWish, Stopped, replay_all, replay_title
from engine.replay.side_by_side import Contender
from tests.engine.allocation.curves_data import recording
from tests.replayed import folded, replayed_events, stored


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small recording in a file."""
    save_recording(recording(trials=24), tmp_path / "small.npz")
    return tmp_path / "small.npz"


def test_each_policy_is_told_as_it_ends_and_shares_only_grow(path: Path) -> None:
    told: list[ReplayState | Contender] = []
    replay_all(ReplayWish(path, ("round-robin", "oracle")), told.append, lambda: False)
    results = [item for item in told if isinstance(item, Contender)]
    assert [result.key for result in results] == ["replay round-robin", "replay oracle"]
    assert [result.name for result in results] == ["Round robin (replay)", "Oracle (replay)"]
    shares = [item.share for item in told if isinstance(item, ReplayState)]
    assert shares == sorted(shares)
    assert 0.9 < shares[-1] <= 1.0


def test_watching_changes_nothing(path: Path) -> None:
    told: list[ReplayState | Contender] = []
    recorded = replay_all(ReplayWish(path, ("dynatune",), seed=3), told.append, lambda: False)
    watched = next(item for item in told if isinstance(item, Contender))
    result = replay(recorded, make_replay_policy(recorded, "dynatune", seed=3))
    assert watched.final_s == result.final_s
    assert watched.end_s == result.duration_s


def test_it_stops_at_the_next_choice(path: Path) -> None:
    told: list[ReplayState | Contender] = []
    with pytest.raises(Stopped):
        replay_all(ReplayWish(path, ("round-robin",)), told.append, lambda: len(told) > 4)
    assert not any(isinstance(item, Contender) for item in told)


def test_a_file_that_is_no_recording_is_refused_with_a_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"nothing")
    with pytest.raises(ProjectError):
        replay_all(ReplayWish(broken, ("random",)), lambda _: None, lambda: False)
    with pytest.raises((ProjectError, StorageError)):
        replay_all(ReplayWish(tmp_path / "none.tune", ("random",)), lambda _: None, lambda: False)


def test_every_policy_has_a_title_that_says_it_is_a_replay() -> None:
    assert replay_title("oracle") == "Oracle (replay)"
    assert replay_title("dynatune") == "DynaTune (replay)"


def test_a_project_is_replayed_from_what_it_measured(tmp_path: Path) -> None:
    project = stored(folded(replayed_events()), tmp_path / "net.tune")
    told: list[ReplayState | Contender] = []
    recorded = replay_all(ReplayWish(project, ("round-robin",)), told.append, lambda: False)
    assert sum(len(task.latency_s) for task in recorded.tasks) == 147
    assert isinstance(told[-1], Contender)
    assert told[-1].final_s < told[-1].latency_s[0]
