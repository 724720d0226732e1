"""A measured stage and a schedule of the small project's operators."""

from __future__ import annotations

from engine.records.schedule import (
    FoundSchedule,
    IosOptions,
    Schedule,
    SearchState,
    Stage,
    Strategy,
    TradeOff,
    WayResult,
)

COST = {
    "device": "cpu znver4 x2",
    "batch": 1,
    "strategy": "concurrent",
    "groups": [["k0"], ["k1", "k2"]],
    "latency_s": 1.5e-4,
}
STAGES = (
    Stage(Strategy.CONCURRENT, ((0, 1),)),
    Stage(Strategy.CONCURRENT, ((2,),)),
)
FOUND = FoundSchedule(
    schedule=Schedule(STAGES, 3.5e-4, 1, "cpu znver4 x2"),
    way="ios_parallel",
    stage_s=(3e-4, 5e-5),
    alone_s=(2e-4, 1e-4, 5e-5),
    kernels=("k0", "k1", "k2"),
    options=IosOptions(2, 4, "parallel", 60.0),
    search=SearchState(4, 9, 20.25, 5, 1, 3.6e-4, 3.5e-4, 3.4e-4, False, 1.5),
    ended="time",
    created_at=1.7e9,
    ways=(WayResult("sequential", 3, 3.6e-4, 3.7e-4, 4096), WayResult("ios_parallel", 2)),
    tradeoffs=(TradeOff(1, 1, 3.6e-4, 3, 3, 3), TradeOff(2, 4, 3.5e-4, 4, 9, 5)),
)
