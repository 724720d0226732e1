"""What a run goes on with."""

from __future__ import annotations

import pytest

from engine.records.settings import NONE, RunSettings

HERE = RunSettings(devices="cuda:0,cuda:1", cluster="tcp://127.0.0.1:8786")


@pytest.mark.parametrize(
    ("places", "cluster", "devices"),
    [
        ({}, HERE.cluster, HERE.devices),
        ({"cluster": "", "devices": ""}, HERE.cluster, HERE.devices),
        ({"cluster": NONE}, "", HERE.devices),
        ({"devices": NONE}, HERE.cluster, ""),
        ({"devices": "cuda:1"}, HERE.cluster, "cuda:1"),
        ({"cluster": "tcp://127.0.0.1:1", "devices": "cuda:0"}, "tcp://127.0.0.1:1", "cuda:0"),
    ],
)
def test_places_that_are_named_take_the_place_of_those_before(
    places: dict[str, str], cluster: str, devices: str
) -> None:
    found = HERE.elsewhere(**places)
    assert (found.cluster, found.devices) == (cluster, devices)
    assert found.budget == HERE.budget
