"""The two kernels round a Winograd convolution's products: tiles in, and out of them the result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from engine.tasks.winograd_matrices import INPUT, KERNEL, OUTPUT, two_sided

CLASS = "winograd"
"""How the classes of both kernels begin."""

LANES = 16
"""Channels of a vector: both numbers of channels are multiples of it."""

_INDEX, _VALUE = "int64", "float32"


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a 3x3 convolution of stride 1 is cut: m x m outputs a tile.

    `data` is (n, h, w, c) of the input, `channels` those of the output; `before` are the rows
    above and the columns left of the input that count as zeros.
    """

    m: int
    data: tuple[int, int, int, int]
    channels: int
    before: tuple[int, int]
    size: tuple[int, int]

    @property
    def edge(self) -> int:
        """Rows of a tile of the input."""
        return self.m + KERNEL - 1

    @property
    def grid(self) -> tuple[int, int]:
        """Tiles below and beside each other."""
        rows, columns = (math.ceil(extent / self.m) for extent in self.size)
        return rows, columns

    @property
    def tiles(self) -> int:
        return self.data[0] * math.prod(self.grid)

    @property
    def points(self) -> int:
        """The products of a tile, for each pair of channels."""
        return self.edge**2

    @property
    def spread(self) -> tuple[int, int, int]:
        """The shape of the transformed input."""
        return (self.points, self.tiles, self.data[3])

    @property
    def products(self) -> tuple[int, int, int]:
        """The shape of the products."""
        return (self.points, self.tiles, self.channels)

    @property
    def result(self) -> tuple[int, int, int, int]:
        """The shape of the convolution's result, channels last."""
        return (self.data[0], *self.size, self.channels)


def input_kernel(tiling: Tiling) -> Any:
    """The PrimFunc from the input to `tiling.spread`."""
    whole, spread = _buffer(tiling.data, "x"), _buffer(tiling.spread, "tiles")
    _, height, width, _ = tiling.data

    def body(lines: _Lines, tile: Any, channel: Any, place: _Place) -> None:
        image, row, column = place
        read = [
            [
                lines.emit(
                    _read_inside(
                        whole,
                        (image, row + y, column + x, channel),
                        [*_inside(row + y, height, _reach(tiling, 0, y)),
                         *_inside(column + x, width, _reach(tiling, 1, x))],
                    )
                )
                for x in range(tiling.edge)
            ]
            for y in range(tiling.edge)
        ]  # fmt: skip
        made = two_sided(INPUT[tiling.m], read, lines.emit)
        for point, value in enumerate(value for line in made for value in line):
            lines.store(spread, value, (point, tile, channel))

    return _kernel(tiling, tiling.before, [whole, spread], body)


def output_kernel(tiling: Tiling, bias: bool, bounded: bool) -> Any:
    """The PrimFunc from `tiling.products` (and a bias of (1, 1, 1, channels)) to the result, which
    is cut off below zero if `bounded`."""
    from tvm import tirx

    products, result = _buffer(tiling.products, "products"), _buffer(tiling.result, "y")
    added = [_buffer((1, 1, 1, tiling.channels), "bias")] if bias else []
    zero = tirx.const(0.0, _VALUE)

    def body(lines: _Lines, tile: Any, channel: Any, place: _Place) -> None:
        image, row, column = place
        constants = [
            lines.emit(tirx.BufferLoad(each, _indices((0, 0, 0, channel)))) for each in added
        ]
        edge = range(tiling.edge)
        read = [
            [lines.emit(_load(products, (y * tiling.edge + x, tile, channel))) for x in edge]
            for y in edge
        ]
        made = two_sided(OUTPUT[tiling.m], read, lines.emit)
        for y, values in enumerate(made):
            for x, value in enumerate(values):
                total = reduce(lambda one, other: one + other, constants, value)
                lines.store(
                    result,
                    tirx.Max(total, zero) if bounded else total,
                    (image, row + y, column + x, channel),
                    [*_below(row + y, tiling.size[0], _last(tiling, 0) + y),
                     *_below(column + x, tiling.size[1], _last(tiling, 1) + x)],
                )  # fmt: skip

    return _kernel(tiling, (0, 0), [products, *added, result], body)


@dataclass(slots=True)
class _Lines:
    """Statements one after another."""

    made: list[Any] = field(default_factory=list)

    def emit(self, value: Any) -> Any:
        """A name for a value."""
        from tvm import tirx

        var = tirx.Var(f"t{len(self.made)}", value.ty)
        self.made.append(tirx.Bind(var, value))
        return var

    def place(self, tiling: Tiling, tile: Any, before: tuple[int, int]) -> tuple[Any, Any, Any]:
        """A tile's image, and the first row and column of it there."""
        rows, columns = tiling.grid
        row = tile // _index(columns) % _index(rows) * _index(tiling.m) - _index(before[0])
        column = tile % _index(columns) * _index(tiling.m) - _index(before[1])
        image = self.emit(tile // _index(rows * columns))
        return image, self.emit(row), self.emit(column)

    def store(
        self, buffer: Any, value: Any, place: Sequence[Any], conditions: Iterable[Any] = ()
    ) -> None:
        """Store a value where all conditions hold."""
        from tvm import tirx

        stored = tirx.BufferStore(buffer, value, _indices(place))
        asked = list(conditions)
        self.made.append(
            tirx.IfThenElse(reduce(tirx.And, asked), stored, None) if asked else stored
        )

    def body(self) -> Any:
        from tvm import tirx

        return tirx.SeqStmt(self.made)


_Place = tuple[Any, Any, Any]
_Body = Callable[[_Lines, Any, Any, _Place], None]


def _kernel(tiling: Tiling, before: tuple[int, int], buffers: list[Any], body: _Body) -> Any:
    """A PrimFunc of one block over tiles and groups of channels, which reads and writes whole
    buffers; the last buffer's last axis are the channels.

    The block is a vector's straight-line code: what is left to a schedule is which loops run on
    which core. Where TVM vectorises over tiles, it gets the conditions of their edges wrong.
    """
    import tvm
    from tvm import s_tir, tirx

    extents = {"tile": tiling.tiles, "group": int(buffers[-1].ty.shape[-1]) // LANES}
    loops = [tirx.Var(name, _INDEX) for name in extents]
    inside = [tirx.Var(f"v_{name}", _INDEX) for name in extents]
    ranges = [tvm.ir.Range(_index(0), _index(extent)) for extent in extents.values()]
    data = tirx.IterVar.DataPar
    axes = [tirx.IterVar(r, var, data) for r, var in zip(ranges, inside, strict=True)]
    *read, written = map(_all_of, buffers)
    true = tirx.const(True, "bool")
    statement: Any = s_tir.SBlockRealize(
        loops,
        true,
        s_tir.SBlock(axes, read, [written], CLASS, _vector(tiling, before, inside, body)),
    )
    for var, extent in reversed(list(zip(loops, extents.values(), strict=True))):
        kind = tirx.ForKind.SERIAL
        statement = tirx.For(var, _index(0), _index(extent), kind, statement)
    root = s_tir.SBlockRealize([], true, s_tir.SBlock([], [], [], "root", statement))
    return tirx.PrimFunc(buffers, root).with_attr({"tirx.noalias": True})


def _vector(tiling: Tiling, before: tuple[int, int], inside: list[Any], body: _Body) -> Any:
    """Where the tile is, once, then what a vector of channels takes."""
    from tvm import tirx

    (tile, group), lane = inside, tirx.Var("lane", _INDEX)
    outer, inner = _Lines(), _Lines()
    place = outer.place(tiling, tile, before)
    body(inner, tile, group * _index(LANES) + lane, place)
    kind = tirx.ForKind.VECTORIZED
    outer.made.append(tirx.For(lane, _index(0), _index(LANES), kind, inner.body()))
    return outer.body()


def _reach(tiling: Tiling, axis: int, offset: int) -> tuple[int, int]:
    """The first and last row (or column) that an element of a tile is at, over all tiles."""
    first = offset - tiling.before[axis]
    return first, first + _last(tiling, axis)


def _last(tiling: Tiling, axis: int) -> int:
    """Where the last tile's outputs begin."""
    return (tiling.grid[axis] - 1) * tiling.m


def _inside(place: Any, extent: int, reach: tuple[int, int]) -> list[Any]:
    """What must hold for a place to be within its axis, as far as it is in doubt."""
    return [place >= _index(0)] * (reach[0] < 0) + _below(place, extent, reach[1])


def _below(place: Any, extent: int, last: int) -> list[Any]:
    return [place < _index(extent)] * (last >= extent)


def _read_inside(buffer: Any, place: Sequence[Any], conditions: list[Any]) -> Any:
    from tvm import tirx

    value = _load(buffer, place)
    if not conditions:
        return value
    return tirx.if_then_else(reduce(tirx.And, conditions), value, tirx.const(0.0, _VALUE))


def _load(buffer: Any, place: Sequence[Any]) -> Any:
    from tvm import tirx

    return tirx.BufferLoad(buffer, _indices(place))


def _all_of(buffer: Any) -> Any:
    import tvm
    from tvm import tirx

    ranges = [tvm.ir.Range(_index(0), size) for size in buffer.ty.shape]
    return tirx.BufferRegion(buffer, ranges)


def _buffer(shape: Sequence[int], name: str) -> Any:
    from tvm import tirx

    return tirx.decl_buffer([_index(size) for size in shape], _VALUE, name)


def _indices(place: Sequence[Any]) -> list[Any]:
    return [_index(each) if isinstance(each, int) else each for each in place]


def _index(value: int) -> Any:
    from tvm import tirx

    return tirx.const(value, _INDEX)
