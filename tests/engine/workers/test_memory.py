"""What a process has freed is the system's again."""

from __future__ import annotations

import numpy as np
import psutil

from engine.workers.memory import return_freed

BLOCK, COUNT = 1 << 20, 100


def resident() -> int:
    return int(psutil.Process().memory_info().rss)


def test_freed_blocks_between_others_that_live_go_back() -> None:
    first = np.ones(BLOCK * 4, np.uint8)
    del first  # one freed: such blocks come of the heap from now on
    blocks, living = [], []
    for _ in range(COUNT):
        blocks.append(np.ones(BLOCK, np.uint8))
        living.append(np.ones(2000, np.uint8))
    most = resident()
    blocks.clear()
    return_freed()
    assert most - resident() > COUNT * BLOCK / 2
    assert len(living) == COUNT
