"""What is free: the cores of each core group, and devices by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from engine.records.stage import Needs


class Free:
    """A ledger of cores and devices. It counts what is taken, and refuses nothing.

    A device need not be made known: any name is one that a single stage may hold. It belongs to
    the core group of the first stage that needs it, for good.
    """

    def __init__(self, groups: Mapping[str, int]) -> None:
        if any(cores < 1 for cores in groups.values()):
            raise ValueError("A core group has at least one core.")
        self.cores = dict(groups)
        self._used: Counter[str] = Counter()
        self._holders: Counter[str] = Counter()
        self._homes: dict[str, str] = {}

    def like(self) -> Free:
        """The same machine with nothing taken: what changes of it changes for both."""
        made = Free({})
        made.cores, made._homes = self.cores, self._homes
        return made

    def put_group(self, group: str, cores: int) -> None:
        """Make a core group known, or change its size."""
        self.cores[group] = cores

    def check(self, needs: Needs) -> None:
        """ValueError where there is no such core group, or a device belongs to another one."""
        homes = {self._homes.setdefault(device, needs.group) for device in needs.devices}
        if needs.group not in self.cores or homes - {needs.group}:
            raise ValueError(f"Core group {needs.group!r} does not have {needs.devices}.")

    def wanted(self, needs: Needs) -> int:
        """The cores that a stage gets: at most all of its group."""
        return min(needs.cores, self.cores[needs.group])

    def free_cores(self, group: str) -> int:
        """Cores that nothing holds; below zero where more are taken than there are."""
        return self.cores[group] - self._used[group]

    def holders(self, device: str) -> int:
        """How many stages hold a device."""
        return self._holders[device]

    def busy(self, needs: Needs) -> str:
        """The first of the devices that is held, empty where none is."""
        for device in needs.devices:
            if self._holders[device]:
                return device
        return ""

    def fits(self, needs: Needs) -> bool:
        """Whether all of it is free."""
        return self.wanted(needs) <= self.free_cores(needs.group) and not self.busy(needs)

    def take(self, needs: Needs) -> int:
        """A stage starts; the cores that it got, which it gives back."""
        cores = self.wanted(needs)
        self._used[needs.group] += cores
        self._holders.update(needs.devices)
        return cores

    def give_back(self, needs: Needs, cores: int) -> None:
        """A stage has ended. The group may have another size since it began."""
        self._used[needs.group] -= cores
        self._holders.subtract(needs.devices)
