"""What a cluster's worker keeps for runs, and when it ends."""

from __future__ import annotations

import pytest

from engine.measure.remote import cluster_benches
from engine.measure.remote.cluster_benches import Benches
from engine.records.errors import TuningError


class Kept:
    """Processes that only count their ends."""

    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def test_a_run_has_one_bench_until_it_leaves_and_none_afterwards() -> None:
    benches: Benches[Kept] = Benches()
    with benches.use("one", Kept) as first, benches.use("one", Kept) as again:
        assert again is first
    with benches.use("two", Kept) as other:
        assert other is not first
    benches.leave("one")
    benches.leave("one")
    assert (first.closed, other.closed) == (1, 0)
    with pytest.raises(TuningError, match="over"), benches.use("one", Kept):
        pass


def test_the_bench_of_a_run_that_died_ends_with_the_next_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster_benches, "_FORGOTTEN_S", -1.0)
    benches: Benches[Kept] = Benches()
    with benches.use("dead", Kept) as dead:
        pass
    with benches.use("busy", Kept) as busy, benches.use("new", Kept):
        assert (dead.closed, busy.closed) == (1, 0)
