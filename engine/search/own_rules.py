"""Schedule rules of our own, as TVM takes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Work = Callable[[Any, Any], list[Any]]
"""Takes a schedule and one of the blocks that a workload begins with; gives the schedules to go on
with."""


def rule_of(work: Work, uses: Sequence[Any] = ()) -> Any:
    """A rule of MetaSchedule's that does `work`, which may change the schedule that it is given,
    and for that uses some of TVM's rules."""
    from tvm.ir.utils import derived_object
    from tvm.s_tir.meta_schedule.schedule_rule import PyScheduleRule

    @derived_object
    class Rule(PyScheduleRule):  # type: ignore[misc]  # TVM has no types
        """Needs what it is part of for the rules that it uses alone."""

        def _initialize_with_tune_context(self, context: Any) -> None:
            for rule in uses:
                rule._initialize_with_tune_context(context)

        def apply(self, sch: Any, block: Any) -> list[Any]:
            return work(sch, block)

        def clone(self) -> Any:
            return rule_of(work, uses)

    return Rule()
