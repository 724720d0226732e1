"""MetaSchedule's rules for tensor cores, with the instructions of `tensor_intrinsics`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine.records.precision import has_tensor_cores
from engine.records.task import Task
from engine.search.joined_sums import with_joined_sums
from engine.search.own_rules import Work, rule_of
from engine.search.split_k import SHORTEST, Sums, in_parts, long_sums, whole_and_split
from engine.search.tensor_intrinsics import (
    HALF,
    NAMES,
    PREFIX,
    TF32,
    TF32_NAMES,
    TensorCores,
    register,
)
from engine.targets.targets import TargetSpec
from engine.tasks.tf32 import is_tf32

_AUTO = "meta_schedule.auto_tensorize"
_REUSE = {"req": "must", "scope": "shared.dyn"}
_PRODUCTS = ("conv", "matmul", "dense")
_SIDE = 16  # of a tile
_BANKS = 32  # of shared memory, each of 4 bytes
_FILLING = 1 << 19
"""Results that occupy a GPU: tiles of 64x64, one for each of some 130 multiprocessors."""


def tensor_cores_of(task: Task, target: TargetSpec, workload: Any) -> tuple[TensorCores, ...]:
    """The products of tiles that a task may be made of; none where nothing fits, or without its
    `workload`.

    Those of halves serve whatever has halves; those of TF32 round, so the workload has to be
    marked for them. A product with fewer rows than half a tile, such as a layer of neurons for
    one image, only reads its weights once, and rows of padding make that no faster.
    """
    if not any(part.startswith(_PRODUCTS) for part in task.op_class.split("_")):
        return ()
    if workload is None or not has_tensor_cores(target) or _rows(task) < _SIDE // 2:
        return ()
    held = {spec.dtype for spec in task.args}
    rounded = TF32 if is_tf32(workload) else ()
    kinds = next((HALF[dtype] for dtype in HALF if dtype in held), rounded)
    if "transpose" not in task.op_class and task.op_class.startswith("conv"):
        # Its weights are [n][k]. Tiles of [k][n], fetched an element at a time, won 2 of 22 tasks
        # of ResNet-50 on an H200, with a third of all trials.
        return tuple(kind for kind in kinds if kind.transposed)
    return kinds


def vector_lengths(dtype: str) -> list[int]:
    """How many elements of a type a thread may fetch at once: those of TVM's rules, but for
    bfloat16 those that its code for CUDA can write."""
    return [length for length in (1, 2, 3, 4, 8, 16) if dtype != "bfloat16" or length != 3]


def _rows(task: Task) -> int:
    """The rows of the result: its pixels, or the rows of a matrix."""
    shape = task.args[-1].shape
    return math.prod(shape) // max(1, shape[-1]) if shape else 0


def register_tensor_cores_for(trace: str, workload: Any) -> None:
    """Make the intrinsics known that a trace (TVM's JSON text) names.

    ValueError where it would round a workload to TF32 that is not marked for it.
    """
    if any(name in trace for name in TF32_NAMES) and not is_tf32(workload):
        raise ValueError("The trace rounds to TF32, which the workload is not to be computed in.")
    if any(name in trace for name in NAMES):
        register()


def tensor_rules(kinds: Sequence[TensorCores], rules: list[Any]) -> list[Any]:
    """TVM's rules for a GPU after some that make products of tiles of what is a matrix product.

    A convolution is one, too: its rows are the pixels, its columns the channels, both padded
    to whole tiles. Tiles come through shared memory, with the next one on its way (a software
    pipeline). Sums may be split over blocks. What fits none is left as it is.
    """
    from tvm.s_tir.meta_schedule import schedule_rule

    register()
    tiling = schedule_rule.MultiLevelTilingTensorCore(
        intrin_groups=[kind.group for kind in kinds],
        structure="SSSRRSRS",
        tile_binds=["blockIdx.y", "blockIdx.x", "threadIdx.y"],
        max_innermost_factor=4,
        vector_load_lens=vector_lengths(kinds[0].dtype),
        reuse_read=schedule_rule.ReuseType(levels=[4], **_REUSE),
        reuse_write=schedule_rule.ReuseType(levels=[2], **_REUSE),
        use_software_pipeline=True,
    )
    either = rule_of(_with_splits(tiling, kinds[0].depth), [tiling])
    return [either, tiling, rule_of(_in_registers), *with_joined_sums(rules)]


def _with_splits(tiling: Any, depth: int) -> Work:
    """The schedule as it is, and tiles of parts of its sums where that may pay; parts without
    such tiles where no tile fits."""

    def work(sch: Any, block: Any) -> list[Any]:
        sums = long_sums(sch, block)
        if sums is None:
            return [sch]
        if not _has_tiles(tiling.apply(sch.copy(), block)[0]):
            return whole_and_split(sch, block)
        made = [sch]
        for parts in _numbers_of_parts(sums, depth):
            other = sch.copy()
            part, outer, loops = in_parts(other, block, sums, parts)
            other.reorder(outer, *loops)
            made += tiling.apply(other, part)
        return made

    return work


def _has_tiles(sch: Any) -> bool:
    return any(_AUTO in map(str, instruction.attrs) for instruction in sch.trace.insts)


def _numbers_of_parts(sums: Sums, depth: int) -> list[int]:
    """Powers of two of which the larger one fills a GPU; a part of a sum is of whole tiles.

    A number is no choice within a trace: TVM writes extents into its map of a convolution to a
    product of matrices.
    """
    most = min(_FILLING // math.prod(sums.results), math.prod(sums.terms) // SHORTEST)
    tiles = max(sums.terms) // depth
    found = [2**power for power in range(1, most.bit_length()) if tiles % 2**power == 0]
    return found[-2:]


def _in_registers(sch: Any, block: Any) -> list[Any]:
    """Put fragments, which TVM's rule gives scopes of its own, into registers.

    It acts on the root, as rules are shown only the blocks that a workload begins with.
    """
    if str(sch.get(block).name_hint) == "root":
        for name, intrinsic in _tensorized(sch.copy(), block):  # which traces the looks
            _to_registers(sch, sch.get_sblock(name), intrinsic)
    return [sch]


def _tensorized(sch: Any, root: Any) -> list[tuple[str, str]]:
    """The names of the blocks that intrinsics will replace, with the intrinsics'."""
    found: list[tuple[str, str]] = []
    blocks = [root]
    while blocks:
        block = blocks.pop()
        node = sch.get(block)
        if _AUTO in node.annotations:
            found.append((str(node.name_hint), str(node.annotations[_AUTO])))
        blocks += sch.get_child_blocks(block)
    return found


def _to_registers(sch: Any, block: Any, intrinsic: str) -> None:
    part = intrinsic.removeprefix(PREFIX)
    if part.startswith(("load", "compute")):
        sch.set_scope(block, 0, "local")
    if part.startswith("load") and "tf32" in part:
        # TVM's rule spreads rows of halves only. Here `ldmatrix` reads 8 rows of 16 bytes at
        # once, the load that turns B four rows of 32.
        (tile,) = sch.get_producers(block)
        sch.storage_align(tile, 0, -2, _BANKS, 8 if part.endswith("b_tf32") else 4)
