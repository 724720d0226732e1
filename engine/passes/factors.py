"""Factorisations of a loop's extent into the factors of a tile: counted and listed."""

from __future__ import annotations

from functools import lru_cache
from math import comb, prod


@lru_cache(maxsize=4096)
def prime_powers(number: int) -> tuple[tuple[int, int], ...]:
    """The primes of a number with their exponents, smallest first; none of 1."""
    found, left, prime = [], number, 2
    while prime * prime <= left:
        power = 0
        while left % prime == 0:
            left //= prime
            power += 1
        if power:
            found.append((prime, power))
        prime += 1
    return (*found, (left, 1)) if left > 1 else tuple(found)


@lru_cache(maxsize=4096)
def divisors(number: int) -> tuple[int, ...]:
    """All divisors of a number, smallest first."""
    found = [1]
    for prime, power in prime_powers(number):
        found = [known * prime**exponent for known in found for exponent in range(power + 1)]
    return tuple(sorted(found))


@lru_cache(maxsize=16384)
def count_tiles(extent: int, parts: int, innermost: int = 0) -> int:
    """How many ordered factorisations into `parts` factors a loop has, the last of them at most
    `innermost` (0: any)."""
    if innermost and parts > 1:
        inner = (divisor for divisor in divisors(extent) if divisor <= innermost)
        return sum(count_tiles(extent // divisor, parts - 1) for divisor in inner)
    return prod(comb(power + parts - 1, parts - 1) for _, power in prime_powers(extent))


@lru_cache(maxsize=1024)
def tiles(extent: int, parts: int, innermost: int = 0) -> tuple[tuple[int, ...], ...]:
    """All of them, outermost factor first."""
    if parts == 1:
        return ((extent,),)
    return tuple(
        (*outer, divisor)
        for divisor in divisors(extent)
        if not innermost or divisor <= innermost
        for outer in tiles(extent // divisor, parts - 1)
    )
