"""A disk that is full costs no trial and no process: a sentence, and what was found stays."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.measure.build_pool import BuildPool
from engine.measure.runner import BuildRequest, BuildResult
from engine.records.errors import TuningError
from engine.workers.artifacts import ArtifactFolder

ROOT = Path(__file__).parents[3]
MOUNTS = ["unshare", "-m", "sh", "-ec"]
NOTHING_IS_MOUNTED = (
    subprocess.run(
        [*MOUNTS, "mount -t tmpfs none /mnt"], check=False, capture_output=True
    ).returncode
    != 0
)
BUILD = """
import sys
from collections.abc import Callable
from pathlib import Path
from engine.measure.build_worker import build_candidate
from tests.engine.measure import kernels
place = Path(sys.argv[1])
(place / "objects").mkdir()
request = kernels.request(kernels.add(), str(place / "objects" / "1.so"))
assert build_candidate(request).artifact
(place / "objects" / "1.so").unlink()
try:
    with (place / "fill").open("wb") as file:
        while True:
            file.write(bytes(4096))
except OSError:
    pass
for spared in (0, int(sys.argv[2])):
    with (place / "fill").open("rb+") as file:
        file.truncate((place / "fill").stat().st_size // 4096 * 4096 - spared)
    try:
        print(build_candidate(request))
    except OSError as error:
        print(error.errno)
"""


def full(_: BuildRequest) -> BuildResult:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/nowhere/1.so")


def over_quota(_: BuildRequest) -> BuildResult:
    raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))


@pytest.mark.parametrize("work", [full, over_quota])
def test_a_build_without_room_is_no_trial_and_ends_the_run(
    work: Callable[[BuildRequest], BuildResult],
) -> None:
    folder = ArtifactFolder()
    pool = BuildPool(2, work=work)
    futures = [pool.submit(BuildRequest("", "", folder.fresh())) for _ in range(4)]
    try:
        for future in futures:
            with pytest.raises(TuningError, match="disk is full") as told:
                future.result(60)
            assert "resume" in told.value.todo
    finally:
        pool.close()
        folder.close()


@pytest.mark.skipif(NOTHING_IS_MOUNTED, reason="no file system may be mounted here")
@pytest.mark.parametrize("spared", [4096, 3 * 4096])
def test_a_compiler_that_finds_no_room_lives_on(spared: int, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    script = f'mount -t tmpfs -o size=1m none {small}; exec "$@"'
    command = [*MOUNTS, script, "sh", sys.executable, "-c", BUILD, str(small), str(spared)]
    with (tmp_path / "log").open("w") as log:
        done = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True, check=False
        )
    assert done.returncode == 0, (tmp_path / "log").read_text()
    assert done.stdout.splitlines() == [str(errno.ENOSPC)] * 2
