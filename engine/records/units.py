"""Numbers as a person writes and reads them: a unit chosen by size, a fixed count of figures."""

from __future__ import annotations

import math
import re

UNKNOWN = "–"

_TIME = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
_SCALES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def whole_number(text: str, most: int = 2**63 - 1) -> int | None:
    """The number that a text of plain digits writes, from 0 to `most`; None for any other text.

    `int` also reads signs, underscores and foreign digits, and raises ValueError beyond 4300.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return None
    number = int(text)
    return number if number <= most else None


def decimal_number(text: str) -> float | None:
    """The finite number that a text writes in plain digits; None for any other text."""
    number = float(text) if _DECIMAL.fullmatch(text) else math.inf
    return number if math.isfinite(number) else None


def format_seconds(seconds: float | None, digits: int = 3) -> str:
    """A latency with `digits` figures: "4.31 ms"; a dash where it is unknown or infinite."""
    if seconds is None or not math.isfinite(seconds):
        return UNKNOWN
    scale, unit = time_unit(_rounded(seconds, digits))
    return f"{figures(seconds / scale, digits)} {unit}"


def time_unit(seconds: float) -> tuple[float, str]:
    """The unit that suits a latency: how many seconds it is, and its name."""
    size = abs(seconds)
    if size == 0.0:
        return 1e-3, "ms"
    return next(((scale, unit) for scale, unit in _TIME if size >= scale * (1 - 1e-9)), _TIME[-1])


def format_duration(seconds: float | None) -> str:
    """Wall-clock time to the second: "0:42", "11:20", "1:02:03"."""
    if seconds is None or not math.isfinite(seconds):
        return UNKNOWN
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def format_flops(flops_per_s: float | None, digits: int = 3) -> str:
    """A speed: "176 GFLOP/s"."""
    return _scaled(flops_per_s, "FLOP/s", digits)


def format_work(flops: float | None, digits: int = 3) -> str:
    """A count of floating-point operations: "231 MFLOP"."""
    return _scaled(flops, "FLOP", digits)


def format_bytes(count: float | None, digits: int = 3) -> str:
    """A size, in powers of 1000: "4.95 MB"; whole bytes below that."""
    if count is not None and abs(count) < 1000:
        return f"{count:.0f} B"
    return _scaled(count, "B", digits)


def format_ratio(ratio: float | None, digits: int = 3) -> str:
    """How many times: "2.98x"."""
    if ratio is None or not math.isfinite(ratio):
        return UNKNOWN
    return f"{figures(ratio, digits)}x"


def format_share(share: float | None) -> str:
    """A part of a whole, given in [0, 1]: "30 %", "4.2 %", "<0.1 %"."""
    if share is None or not math.isfinite(share):
        return UNKNOWN
    percent = share * 100
    if 0 < percent < 0.1:
        return "<0.1 %"
    return f"{percent:.1f} %" if 0 < percent < 9.95 else f"{percent:.0f} %"


def figures(value: float, digits: int) -> str:
    """`value` with at least `digits` significant figures, never in exponent form."""
    rounded = _rounded(value, digits)
    if rounded == 0.0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(rounded))))
    return f"{rounded:,.{decimals}f}" if decimals else f"{value:,.0f}"


def _rounded(value: float, digits: int) -> float:
    """Rounding first keeps 999.9 us from becoming "1,000 us"."""
    return float(f"{value:.{digits - 1}e}")


def _scaled(value: float | None, unit: str, digits: int) -> str:
    if value is None or not math.isfinite(value):
        return UNKNOWN
    size = abs(_rounded(value, digits))
    scale, prefix = next((pair for pair in _SCALES if size >= pair[0]), _SCALES[-1])
    return f"{figures(value / scale, digits)} {prefix}{unit}"
