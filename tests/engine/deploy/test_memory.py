"""Static memory: what lives together is kept apart, what does not may share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.deploy.plan import Lifetime, place

spans = st.tuples(st.integers(0, 4096), st.integers(0, 30), st.integers(0, 10))


@st.composite
def lifetimes(draw: st.DrawFn) -> list[Lifetime]:
    """Buffers with distinct ids, in any order."""
    found = draw(st.lists(spans, max_size=25))
    buffers = [
        Lifetime(index, size, first, first + length)
        for index, (size, first, length) in enumerate(found)
    ]
    return draw(st.permutations(buffers))


@given(lifetimes())
def test_no_two_buffers_that_live_together_share_a_storage(buffers: list[Lifetime]) -> None:
    storage_of = place(buffers).storage_of
    for one in buffers:
        for other in buffers:
            together = one.first <= other.last and other.first <= one.last
            if one.id < other.id and together:
                assert storage_of[one.id] != storage_of[other.id]


@given(lifetimes())
def test_every_buffer_has_a_storage_that_holds_it_and_no_storage_is_larger_than_needed(
    buffers: list[Lifetime],
) -> None:
    placement = place(buffers)
    assert set(placement.storage_of) == {buffer.id for buffer in buffers}
    held: dict[int, list[int]] = {}
    for buffer in buffers:
        held.setdefault(placement.storage_of[buffer.id], []).append(buffer.size)
    assert sorted(held) == list(range(len(placement.sizes)))
    assert [max(held[index]) for index in sorted(held)] == list(placement.sizes)


@given(lifetimes())
def test_the_order_of_the_list_does_not_matter(buffers: list[Lifetime]) -> None:
    assert place(buffers) == place(sorted(buffers, key=lambda buffer: buffer.id))


def test_a_chain_needs_two_storages() -> None:
    chain = [Lifetime(i, 100, i, i + 1) for i in range(10)]
    assert place(chain).sizes == (100, 100)


def test_nothing_needs_nothing() -> None:
    assert place([]).sizes == ()
