"""What a compiled module was found to answer beside its file's reference: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from engine.records.errors import UsageError
from engine.records.network import FirstDifference
from engine.records.options import Real, made


@dataclass(frozen=True, slots=True)
class Verdict:
    """One draw of inputs, which its name and its seed make again.

    `difference` is the largest absolute one of all outputs, None where there is none to tell: then
    `note` says why, for a `wrong` answer what is wrong. `output` is the one that differs, `ours`
    and `theirs` are its values where they differ most, as texts.
    """

    draw: str
    seed: int
    difference: Real | None = None
    note: str = ""
    wrong: bool = False
    output: str = ""
    ours: str = ""
    theirs: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts of all draws; `reference` is what was compared with, empty for nothing.

    `module` says which module that was: versions that may compile the same file otherwise.
    `first` is the first node of the file that differs, where that was found out.
    """

    reference: str
    verdicts: tuple[Verdict, ...] = ()
    module: str = ""
    first: FirstDifference | None = None

    @property
    def wrong(self) -> Verdict | None:
        """The first draw that was answered wrongly."""
        return next((one for one in self.verdicts if one.wrong), None)

    @property
    def difference(self) -> float | None:
        """That of the first draw."""
        return self.verdicts[0].difference if self.verdicts else None

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready: JSON has no NaN."""
        data = asdict(self)
        if self.first is not None:
            data["first"] |= {"ours": repr(self.first.ours), "theirs": repr(self.first.theirs)}
        return data

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Judged:
        """What `as_dict` gave; UsageError where it makes no sense."""
        first = data.get("first") if isinstance(data, Mapping) else None
        if isinstance(first, Mapping):
            sides = {key: _number(first.get(key)) for key in ("ours", "theirs")}
            data = {**data, "first": made(FirstDifference, {**first, **sides})}
        return made(Judged, data, "A judgement")


def _number(text: object) -> float:
    try:
        return float(str(text))
    except ValueError as error:
        raise UsageError(f"{text!r} is no number.") from error
