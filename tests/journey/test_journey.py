"""The journey under Xvfb: a display of its own, and a process in which Qt shows real windows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.doctor.system_packages import missing_packages

ROOT = Path(__file__).parent.parent.parent
SCREEN = "1600x1000x24"
PATIENCE_S = 600

pytestmark = pytest.mark.slow


@pytest.fixture
def display() -> Iterator[str]:
    """The name of a display of our own."""
    xvfb = shutil.which("Xvfb")
    missing = missing_packages(window=True, linker=False)
    if xvfb is None or missing:
        pytest.skip(f"A display needs Debian packages: {' '.join(missing or ['xvfb'])}")
    reader, writer = os.pipe()
    command = [xvfb, "-displayfd", str(writer), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with subprocess.Popen(
        command, pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        os.close(writer)
        try:
            with open(reader) as pipe:  # noqa: PTH123
                number = pipe.readline().strip()
            assert number, "Xvfb does not start."
            yield f":{number}"
        finally:
            server.terminate()


def test_the_whole_journey_can_be_made_by_mouse_and_keyboard(display: str) -> None:
    environment = {name: value for name, value in os.environ.items() if "XDIST" not in name}
    environment |= {"DISPLAY": display, "TUNEWRIGHT_TEST_PLATFORM": "xcb"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/journey/walk.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    # A crash tells the thread that it is about first, and all others after it.
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[:8000]
