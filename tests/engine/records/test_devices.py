"""Which devices agree, and that a stranger's devices are checked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.records.devices import Devices, Probed, agreeing
from engine.records.errors import UsageError

PROBED = st.lists(
    st.tuples(st.sampled_from("AB"), st.floats(1e-4, 1.2e-4)), min_size=1, max_size=6
).map(lambda found: [Probed(f"cuda:{i}", *one) for i, one in enumerate(found)])


@given(PROBED)
def test_each_device_is_in_one_group_and_a_group_agrees(probed: list[Probed]) -> None:
    groups = agreeing(probed, 0.03)
    by_name = {device.name: device for device in probed}
    assert sorted(name for group in groups for name in group) == sorted(by_name)
    assert groups[0][0] == "cuda:0"
    for group in groups:
        seconds = [by_name[name].probe_s for name in group]
        assert len({by_name[name].model for name in group}) == 1
        assert max(seconds) <= 1.03 * min(seconds)


def test_devices_of_one_model_and_speed_are_one_group() -> None:
    same = [Probed("cuda:0", "A", 1.0), Probed("cuda:1", "A", 1.02)]
    assert agreeing(same, 0.03) == (("cuda:0", "cuda:1"),)
    assert agreeing(same, 0.01) == (("cuda:0",), ("cuda:1",))
    assert len(agreeing([same[0], Probed("cuda:1", "B", 1.0)], 0.03)) == 2


GOOD = Devices((Probed("a", "A", 1e-4), Probed("b", "A", 2e-4)), (("a",), ("b",)), {0: "a", 3: "b"})


def test_devices_survive_json() -> None:
    assert Devices.from_dict(GOOD.as_dict()) == GOOD


@pytest.mark.parametrize(
    "wrong",
    [
        {"probed": []},
        {"probed": [{"name": "a"}]},
        {"probed": [{"name": 1, "model": "A", "probe_s": 1.0}], "groups": [[1]], "pins": {}},
        {"probed": [{"name": "a", "model": "A", "probe_s": float("nan")}], "groups": [["a"]]},
        {"probed": [{"name": "a", "model": "A", "probe_s": "1"}], "groups": [["a"]], "pins": {}},
        {"groups": [["a"]]},
        {"groups": [["a"], ["b", "b"]]},
        {"groups": [["a"], [["b"]]]},
        {"groups": 3},
        {"groups": None},
        {"pins": {"0": "c"}},
        {"pins": {"x": "a"}},
        {"pins": {"0": ["a"]}},
        {"pins": []},
    ],
)
def test_devices_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Devices.from_dict({**GOOD.as_dict(), **wrong})
