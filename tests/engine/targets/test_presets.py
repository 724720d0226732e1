"""Boards by a word: what TVM and LLVM make of them, and what is said of other words."""

from __future__ import annotations

import json

import pytest

from engine.records.errors import TargetError
from engine.targets.cpu_features import told_instructions
from engine.targets.presets import PRESETS, Preset, telling_features
from engine.targets.targets import resolve

AT = "rpc://10.1.1.1:9190/board"
HALF = {"fp", "asimd", "asimdhp", "asimddp", "asimdrdm", "atomics", "lrcpc"}
SERVER = {"asimdfhm", "bf16", "fcma", "i8mm", "jscvt", "sve"}
# As the boards' own Linux says it in /proc/cpuinfo, of what kernels are made of.
HAVE = {
    "raspberry-pi-4": {"fp", "asimd"},
    "raspberry-pi-5": HALF,
    "jetson-orin": HALF,
    "graviton-2": HALF,
    "graviton-3": HALF | SERVER,
}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_is_a_device_behind_an_address(preset: Preset) -> None:
    spec = resolve(f"{AT} {preset.name}")
    fields = json.loads(spec.text)
    assert (spec.remote, spec.device, spec.cores) == (AT, "cpu", preset.cores)
    assert (fields["mcpu"], fields["mtriple"]) == (preset.mcpu, "aarch64-linux-gnu")
    assert resolve(spec.text) == spec
    assert resolve(f"{AT} {json.dumps(preset.fields)}") == spec


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_what_an_export_for_a_preset_needs_its_board_has(preset: Preset) -> None:
    assert set(told_instructions(resolve(f"{AT} {preset.name}"))) == HAVE[preset.name]


def test_the_features_of_a_preset_are_those_that_llvm_uses() -> None:
    found = {preset.name: telling_features(preset.fields) for preset in PRESETS}
    assert found["raspberry-pi-4"] == ("NEON",)
    assert found["raspberry-pi-5"] == ("NEON", "float16", "dot product")
    assert {"NEON", "dot product", "SVE"} <= set(found["graviton-3"])


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [("-num-cores=6", "num-cores", 6), ("-mattr=+sve", "mattr", ["+sve"]), (" ", "num-cores", 12)],
)
def test_an_option_goes_before_what_a_preset_says(options: str, field: str, value: object) -> None:
    assert json.loads(resolve(f"{AT} jetson-orin {options}").text)[field] == value


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (f"{AT} graviton-3 nonsense", "does not know the target"),
        (f"{AT} graviton-3 -num-cores=0", "How many cores"),
        (f"{AT} graviton-3 -num-cores=2 -num-cores=4", "stands there twice"),
        (f"{AT} graviton-3 -cl-opt=-load", "is not taken"),
        (f"{AT} graviton-9", "does not know the target"),
        ("raspberry-pi-4", "for aarch64, and this machine is"),
    ],
)
def test_what_is_no_preset_is_refused_in_a_sentence(text: str, what: str) -> None:
    with pytest.raises(TargetError, match=what) as caught:
        resolve(text)
    assert caught.value.todo
