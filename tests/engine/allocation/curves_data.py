"""Synthetic recordings for tests: invented curves, seeded, on no device."""

from __future__ import annotations

import numpy as np

from engine.allocation.recording import RecordedTask, Recording


def recorded_task(
    index: int, rng: np.random.Generator, trials: int, *, batch: int = 8, weight: int = 1
) -> RecordedTask:
    """A task whose best falls towards a floor of its own; a tenth of its trials fail."""
    flops = float(10 ** rng.uniform(6, 8))
    untuned_s = flops / 10 ** rng.uniform(9, 9.5)
    floor_s = flops / 10 ** rng.uniform(10, 11)
    pace = rng.uniform(0.02, 0.3)
    reach = floor_s + (untuned_s - floor_s) * np.exp(-pace * np.arange(trials))
    latency_s = reach * rng.lognormal(0.2, 0.3, trials)
    latency_s[rng.random(trials) < 0.1] = np.inf
    search_s = np.repeat(rng.uniform(0.03, 0.08, -(-trials // batch)), batch)[:trials]
    return RecordedTask(
        name=f"fused_conv2d_{index}",
        op_class="conv2d_add_relu" if index % 2 else "matmul_add",
        weight=weight,
        flops=flops,
        untuned_s=untuned_s,
        latency_s=latency_s,
        build_s=rng.uniform(0.1, 0.3, trials),
        run_s=np.where(np.isinf(latency_s), 0.0, rng.uniform(0.02, 0.2, trials)),
        search_s=search_s,
    )


def recording(
    seed: int = 0,
    *,
    tasks: int = 4,
    trials: int = 48,
    batch: int = 8,
    target: str = "cpu test x2",
    model: str = "synthetic",
) -> Recording:
    """A model of `tasks` tasks with some `trials` trials each; the last has only three."""
    rng = np.random.default_rng(seed)
    counts = [trials] * (tasks - 1) + [3]
    return Recording(
        model=model,
        target=target,
        device="no device: test data",
        date="2026-01-01T00:00:00+00:00",
        engine_version="0",
        seed=seed,
        batch=batch,
        cores=2,
        peak_flops=4e11,
        protocol={"warmup": 2.0},
        tasks=tuple(
            recorded_task(index, rng, count, batch=batch, weight=1 + index % 3)
            for index, count in enumerate(counts)
        ),
    )
