"""A vendor's library in a task's place: its call, and one kernel for what it cannot do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.kernels import cublaslt
from engine.kernels.blocks import Block, cast_nest, dtype_of
from engine.kernels.cublaslt import Matmul
from engine.kernels.epilogues import Epilogue, epilogue_of
from engine.kernels.products import Product, ProductParts, layout

NAME = "cublaslt"
_CALLS = "tunewright.library"  # an attribute of a PrimFunc that calls one

_TRIED = 4  # of the algorithms: on an H200 the fastest of 36 products' was among the first three
_TF32 = "tunewright.tf32"
_THREADS, _LANES = 128, (4, 2, 1)  # of a block; elements of a thread


@dataclass(frozen=True, slots=True)
class LibraryTask:
    """A task as the library computes it, by the best of its algorithms; `rest` are the blocks
    behind it, which compute one element of the output each."""

    product: Product
    epilogue: Epilogue
    matmul: Matmul
    rest: tuple[Block, ...]

    @staticmethod
    def of(function: Any) -> LibraryTask | None:
        """What a PrimFunc computes; None where the library has no part in it."""
        parts = ProductParts.of(function)
        if parts is None:
            return None
        product = parts.product
        epilogue = epilogue_of(parts, list(function.params))
        tf32 = function.attrs is not None and _TF32 in function.attrs
        matmul = _matmul(product, epilogue, bool(tf32))
        if matmul is None or matmul.output not in ("float32", product.operands):
            return None
        rest = _behind(parts, epilogue)
        ends = rest[-1].output if rest else epilogue.output
        is_output = any(ends.same_as(one) for one in function.params)
        return LibraryTask(product, epilogue, matmul, rest) if is_output else None


def _behind(parts: ProductParts, epilogue: Epilogue) -> tuple[Block, ...]:
    """The blocks that a kernel behind the call has to compute, with the copies that they read."""
    later = [one for one in parts.behind[epilogue.blocks :] if not parts.is_copy(one)]
    read = [buffer for one in later for buffer in one.reads]
    copies = [one for one, _ in parts.copies if any(one.output.same_as(other) for other in read)]
    return (*copies, *later)


def library_of(function: Any) -> str:
    """The library that a realised PrimFunc calls; empty where none."""
    attributes = function.attrs
    return str(attributes[_CALLS]) if attributes is not None and _CALLS in attributes else ""


def is_library(text: str) -> bool:
    """Whether a ready kernel is a library's."""
    return text.startswith(f"{NAME} ")


def texts(function: Any) -> list[str]:
    """The candidates of a task, the library's own choice first; none where it has no part in it."""
    return [f"{NAME} {rank}" for rank in range(_TRIED)] if LibraryTask.of(function) else []


def realised(function: Any, text: str) -> Any:
    """The PrimFunc as a call of the library, by the algorithm that the text names.

    ValueError where it names none, or the task is none of the library's.
    """
    return _scheduled(called(function, text))


def called(function: Any, text: str) -> Any:
    """The same, with the blocks behind the call as they are."""
    name, *numbers = text.split()
    task = LibraryTask.of(function)
    if task is None or name != NAME or len(numbers) != 1 or int(numbers[0]) >= cublaslt.RANKS:
        raise ValueError(f"The kernel {text!r} does not compute this task.")
    made = _with_call(function, task, int(numbers[0]))
    return made.with_attr(_CALLS, NAME)


def _matmul(product: Product, epilogue: Epilogue, tf32: bool) -> Matmul | None:
    """The call: by columns the product is that of the transposes, in the other order."""
    batch, row, column, depth = product.batch, product.row, product.column, product.depth
    right = layout(depth.extent, column.extent, depth.b, column.b)
    left = layout(row.extent, depth.extent, row.a, depth.a)
    d_ld = row.d if row.extent > 1 else column.extent
    if right is None or left is None or d_ld < column.extent:
        return None
    return Matmul(
        rank=0,
        operands=product.operands,
        output=epilogue.stored,
        tf32=tf32 and product.operands == "float32",
        rows=column.extent,
        columns=row.extent,
        depth=depth.extent,
        a_transposed=right.transposed,
        a_ld=right.ld,
        b_transposed=left.transposed,
        b_ld=left.ld,
        d_ld=d_ld,
        batch=batch.extent,
        a_step=batch.b,
        b_step=batch.a,
        d_step=batch.d,
        bias=epilogue.bias is not None,
        added=epilogue.added is not None,
        activation=epilogue.activation,
        scale=epilogue.scale,
    )


def _with_call(function: Any, task: LibraryTask, rank: int) -> Any:
    from tvm import s_tir, tirx

    epilogue, product = task.epilogue, task.product
    written, nests = epilogue.output, [one.nest for one in task.rest]
    made = [one.output for one in task.rest]
    if epilogue.stored != dtype_of(written):
        shape = list(written.ty.shape)
        stored = tirx.decl_buffer(shape, epilogue.stored, f"{written.name}_stored")
        made, nests = [written, *made], [cast_nest(stored, written), *nests]
        written = stored
    unread = product.left  # any address
    tensors = [
        product.right,
        product.left,
        unread if epilogue.added is None else epilogue.added,
        unread if epilogue.bias is None else epilogue.bias,
        written,
    ]
    text = task.matmul._replace(rank=rank).text
    call = tirx.call_packed(cublaslt.FUNCTION, text, *(buffer.data for buffer in tensors))
    reads = [_region(buffer) for buffer in _once(tensors[:-1])]
    block = s_tir.SBlock([], reads, [_region(written)], NAME, tirx.Evaluate(call))
    nests = [s_tir.SBlockRealize([], True, block), *nests]
    params = list(function.params)
    inner = [one for one in [written, *made] if not any(one.same_as(other) for other in params)]
    body = tirx.SeqStmt(nests) if len(nests) > 1 else nests[0]
    root = s_tir.SBlock([], [], [], "root", body, alloc_buffers=inner)
    realize = s_tir.SBlockRealize([], True, root)
    return tirx.PrimFunc(function.params, realize, function.ret_type, function.attrs)


def _region(buffer: Any) -> Any:
    """All of a buffer."""
    import tvm
    from tvm import tirx

    zero = tirx.const(0, "int64")
    return tirx.BufferRegion(
        buffer, [tvm.ir.Range.from_min_extent(zero, size) for size in buffer.ty.shape]
    )


def _once(buffers: Sequence[Any]) -> list[Any]:
    kept: list[Any] = []
    for buffer in buffers:
        if not any(buffer.same_as(one) for one in kept):
            kept.append(buffer)
    return kept


def _scheduled(function: Any) -> Any:
    """The function with all blocks behind the call in one kernel, whose threads each read, compute
    and write a few elements side by side."""
    import tvm
    from tvm.s_tir import Schedule

    schedule = Schedule(tvm.IRModule({"main": function}))
    _, *blocks = schedule.get_child_blocks(schedule.get_sblock("root"))
    if blocks:
        *inlined, last = blocks
        for block in inlined:
            schedule.compute_inline(block)
        _spread(schedule, last)
    return schedule.mod["main"].with_attr("tirx.is_scheduled", True)


def _spread(schedule: Any, last: Any) -> None:
    """Schedule a block of one element each by way of registers: what is read and written is
    whole vectors, however each element is computed."""
    written = schedule.cache_write(last, 0, "local")
    *outer, inner = schedule.get_loops(written)
    extent = int(schedule.get(inner).extent)
    lanes = next(lanes for lanes in _LANES if extent % lanes == 0)
    rest, lane = schedule.split(inner, [None, lanes])
    block, thread = schedule.split(schedule.fuse(*outer, rest), [None, _THREADS])
    schedule.bind(block, "blockIdx.x")
    schedule.bind(thread, "threadIdx.x")
    schedule.vectorize(lane)
    schedule.compute_at(last, thread)
    statement = schedule.get(last)
    shape = list(map(int, statement.writes[0].source.ty.shape))
    shapes = [list(map(int, region.source.ty.shape)) for region in statement.reads]
    for place in [place for place, read in enumerate(shapes) if read == shape]:
        read = schedule.cache_read(last, place, "local")
        schedule.compute_at(read, thread)
        schedule.vectorize(schedule.get_loops(read)[-1])
