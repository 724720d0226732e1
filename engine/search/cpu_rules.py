"""Rules for sums of products on a CPU, but for how they are cut into tiles."""

from __future__ import annotations

from typing import Any


def product_rules(*tiling: Any) -> list[Any]:
    """Rules of MetaSchedule's round those for tiles: what follows is computed in a tile's place,
    outer loops go to the cores, inner ones to vectors."""
    from tvm.s_tir.meta_schedule import schedule_rule as rules

    return [
        rules.InlineConstantScalars(),
        rules.AutoInline(
            into_producer=False,
            into_consumer=True,
            inline_const_tensor=True,
            disallow_if_then_else=True,
            require_injective=True,
            require_ordered=True,
            disallow_op=["tirx.exp"],
        ),
        *tiling,
        rules.ParallelizeVectorizeUnroll(
            max_jobs_per_core=16,
            max_vectorize_extent=64,
            unroll_max_steps=[0, 16, 64, 512],
            unroll_explicit=True,
        ),
        rules.RandomComputeLocation(),
    ]


def tile_options() -> dict[str, Any]:
    """What every rule for tiles is given: two levels of registers inside three of caches."""
    from tvm.s_tir.meta_schedule.schedule_rule import ReuseType

    return {
        "structure": "SSRSRS",
        "max_innermost_factor": 64,
        "reuse_read": None,
        "reuse_write": ReuseType(req="may", levels=[1, 2], scope="global"),
    }


def parallel_rules() -> list[Any]:
    """For kernels that are made of vectors already: which loops go to the cores."""
    from tvm.s_tir.meta_schedule import schedule_rule as rules

    return [
        rules.ParallelizeVectorizeUnroll(
            max_jobs_per_core=16,
            max_vectorize_extent=-1,
            unroll_max_steps=[],
            unroll_explicit=False,
        )
    ]
