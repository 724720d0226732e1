"""What a board says of its heat and frequency, in files that may hold anything or be absent."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.measure.remote.board_sensors import Sensors
from engine.measure.remote.rpc_link import Link
from engine.measure.remote.server_search import Wanted
from engine.records.trial import BoardState
from tests.engine.measure.rpc_lab import Lab

ZONE = "class/thermal/thermal_zone{}"
CORE = "devices/system/cpu/cpu{}/cpufreq"
FIRMWARE = "devices/platform/soc/soc:firmware/get_throttled"


def zone(number: int, milli: str, *trips: tuple[str, str]) -> dict[str, str]:
    """A zone of heat, with trip points of a kind and a temperature."""
    place = ZONE.format(number)
    found = {f"{place}/type": "cpu-thermal", f"{place}/temp": milli}
    for trip, (kind, heat) in enumerate(trips):
        found |= {
            f"{place}/trip_point_{trip}_type": kind,
            f"{place}/trip_point_{trip}_temp": heat,
        }
    return found


def core(number: int, together: str, now: str, most: str) -> dict[str, str]:
    place = CORE.format(number)
    return {
        f"{place}/related_cpus": together,
        f"{place}/scaling_cur_freq": now,
        f"{place}/scaling_max_freq": most,
    }


class FakeBoard:
    """Files by their path below /sys, which the test may change."""

    def __init__(self, *parts: dict[str, str]) -> None:
        self.files = {name: text for part in parts for name, text in part.items()}
        self.asked: list[str] = []

    def read(self, path: str) -> bytes | None:
        assert path.startswith("/sys/")
        self.asked.append(path)
        text = self.files.get(path.removeprefix("/sys/"))
        return None if text is None else f"{text}\n".encode() + b"\0" * 40

    def state(self) -> BoardState:
        return Sensors(self.read).state(self.read)


def test_a_board_says_its_hottest_zone_and_its_slowest_core() -> None:
    board = FakeBoard(
        zone(0, "48312", ("critical", "110000")),
        zone(1, "61780", ("passive", "85000"), ("passive", "75000")),
        core(0, "0 1 2 3", "1800000", "1800000"),
        core(4, "4 5", "2208000", "2400000"),
    )
    found = board.state()
    assert (found.celsius, found.mhz, found.throttled) == (62, 1800, False)
    assert found.answer_ms is not None and found.answer_ms >= 0
    asked = [path for path in board.asked if "cpufreq/related" in path]
    assert [path.split("/")[5] for path in asked] == ["cpu0", "cpu4", "cpu6"]


@pytest.mark.parametrize("gone", ["class", "devices", "class/thermal/thermal_zone0/temp"])
def test_what_is_absent_is_unknown(gone: str) -> None:
    board = FakeBoard(zone(0, "50000"), core(0, "0", "600000", "1500000"))
    board.files = {name: text for name, text in board.files.items() if not name.startswith(gone)}
    found = board.state()
    assert (found.celsius is None) == gone.startswith("class")
    assert (found.mhz is None) == gone.startswith("devices")
    assert (found.throttled is None) == gone.startswith("devices")


def test_a_board_without_any_sensor_answers_and_says_nothing_more() -> None:
    found = FakeBoard().state()
    assert found.as_dict().keys() == {"answer_ms"}


@pytest.mark.parametrize(
    ("parts", "throttled"),
    [
        ([zone(0, "84000", ("passive", "70000"), ("passive", "85000"))], False),
        ([zone(0, "85000", ("passive", "70000"), ("passive", "85000"))], True),
        ([zone(0, "85000", ("active", "40000"), ("critical", "80000"))], None),
        ([zone(0, "20000", ("passive", "0"))], None),
        ([core(0, "0", "600000", "1500000")], False),
        ([{FIRMWARE: "0"}], False),
        ([{FIRMWARE: "50000"}], False),
        ([{FIRMWARE: "50005"}], True),
        ([{FIRMWARE: "8"}], True),
        ([{FIRMWARE: "anything"}], None),
        ([zone(0, "85000", ("passive", "85000")), {FIRMWARE: "0"}], True),
    ],
)
def test_heat_and_firmware_say_whether_cores_are_held_back(
    parts: list[dict[str, str]], throttled: bool | None
) -> None:
    assert FakeBoard(*parts).state().throttled is throttled


def test_a_limit_that_falls_is_throttling_and_one_that_was_there_is_none() -> None:
    board = FakeBoard(core(0, "0", "600000", "1200000"), core(1, "1", "600000", "1500000"))
    sensors, limit = Sensors(board.read), f"{CORE.format(1)}/scaling_max_freq"
    said = []
    for text in ("1500000", "1000000", "1500000", "2000000", "1500000", "nothing"):
        board.files[limit] = text
        said.append(sensors.state(board.read).throttled)
    assert said == [False, True, False, False, True, False]


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-", "1 2", "nan", "inf", "1e3", "0x10", "³⁴", "9" * 13, "9" * 300),
        *("-999999999", "\x00", "45.5", "--5", "+5", "300000001"),
    ],
)
def test_a_value_that_cannot_be_is_unknown(text: str) -> None:
    good = FakeBoard(zone(0, "45000", ("passive", "90000")), core(0, "0", "900000", "900000"))
    for name in list(good.files):
        board = FakeBoard(good.files | {name: text})
        found = board.state()
        assert found.celsius in (None, 45)
        assert found.mhz in (None, 900)
        assert not found.throttled
        if name.endswith("/temp"):
            assert found.celsius is None
        if name.endswith("cur_freq"):
            assert found.mhz is None


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.integers(0, 400), st.binary(max_size=400)))
def test_whatever_a_board_says_is_taken_or_left(answers: dict[int, bytes]) -> None:
    count = 0

    def read(path: str) -> bytes | None:
        nonlocal count
        count += 1
        return answers.get(count)

    sensors = Sensors(read)
    found = sensors.state(read)
    assert BoardState.of(found.as_dict()) == found
    assert count < 2000


@pytest.mark.parametrize(
    "kept",
    [
        {"celsius": "hot"},
        {"celsius": True},
        {"celsius": float("nan")},
        {"celsius": 10**9},
        {"mhz": -1},
        {"mhz": [1]},
        {"throttled": 1},
        {"answer_ms": float("inf")},
        {"answer_ms": None},
    ],
)
def test_what_a_strangers_project_says_of_a_board_is_checked(kept: dict[str, object]) -> None:
    assert BoardState.of(kept) is None
    assert BoardState.of({"warmup": 2}) is None
    assert BoardState.of({**kept, "answer_ms": 2.0}) == BoardState(answer_ms=2.0)


def test_a_server_of_tvms_alone_tells_it_and_goes_on(lab: Lab, tmp_path: Path) -> None:
    for name, text in (zone(0, "51234") | core(0, "0", "700000", "700000")).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"{text}\n")
    lab.serve("sensors")
    link = Link(lab.address("sensors"))
    link.open(Wanted(1.0, 10.0))
    try:
        sensors = Sensors(link.read, str(tmp_path))
        found = sensors.state(link.read)
        assert (found.celsius, found.mhz, found.throttled) == (51, 700, False)
        assert link.alive()
    finally:
        link.release()
