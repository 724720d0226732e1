"""Who reaches a cluster: those with its certificate, and nobody by a port besides."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import psutil
import pytest

from engine.measure.remote.cluster_link import builders, connect, start_worker
from engine.measure.remote.given import give
from engine.records.addresses import parse_scheduler
from engine.records.errors import TuningError
from tests.engine.jobs.live_cluster import address_of, dask, until

plain = partial(dask, loopback=())

pytest.importorskip("distributed", reason="needs the extra cluster")


def certificate(folder: Path, name: str) -> tuple[str, str]:
    """The paths of a certificate that signs itself, and of its key."""
    cert, key = str(folder / f"{name}.pem"), str(folder / f"{name}-key.pem")
    made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=x"
    words = ["openssl", *made.split(), "-keyout", key, "-out", cert]
    subprocess.run(words, check=True, capture_output=True)
    return cert, key


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a scheduler with a worker that one certificate joins, and its folder."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = certificate(folder, "own")
    certificate(folder, "other")
    tls = ("--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key)
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        words = ("scheduler", "--protocol", "tls", "--port", "0", f"--scheduler-file={file}", *tls)
        stack.enter_context(dask(folder, *words))
        address = until(lambda: address_of(file))
        stack.enter_context(
            dask(folder, "worker", address, *tls, "--no-nanny", "--resources", "cpu=1")
        )
        yield address, folder


def use(patch: pytest.MonkeyPatch, folder: Path, ca: str, name: str) -> None:
    """Name certificates as Dask's configuration does."""
    import dask

    tls = "distributed.comm.tls"
    wanted = {
        f"{tls}.ca-file": str(folder / f"{ca}.pem"),
        f"{tls}.client.cert": str(folder / f"{name}.pem"),
        f"{tls}.client.key": str(folder / f"{name}-key.pem"),
    }
    for key, value in wanted.items():
        *path, last = key.split(".")
        table = dask.config.config
        for part in path:
            table = table.setdefault(part, {})
        patch.setitem(table, last, value)


@pytest.fixture(autouse=True)
def _given(cluster: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    give(cluster[0])


@pytest.mark.slow
def test_both_ends_need_the_certificate(
    cluster: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, folder = cluster
    with pytest.raises(TuningError, match="No certificates are named"):
        connect(address)
    for ca, name in (("own", "other"), ("other", "own")):
        use(monkeypatch, folder, ca, name)
        with pytest.raises(TuningError, match="that your certificates fit answers at"):
            connect(address)
    use(monkeypatch, folder, "none", "own")
    with pytest.raises(TuningError, match="certificates for the cluster cannot be read"):
        connect(address)
    use(monkeypatch, folder, "own", "own")
    with pytest.raises(TuningError, match="No Dask scheduler answers"):
        connect(address.replace("tls:", "tcp:"))
    client = connect(address)
    until(lambda: builders(client))
    client.close()


def listens(process: subprocess.Popen[bytes]) -> set[str]:
    """The hosts that a process of Dask's listens on, once it listens on a port and its pages'."""
    found = until(lambda: _listening(process.pid))
    return {host for host, _ in found}


def _listening(pid: int) -> list[tuple[str, int]]:
    family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    open_ones = [one for each in family for one in each.net_connections("inet")]
    found = [tuple(one.laddr) for one in open_ones if one.status == psutil.CONN_LISTEN]
    return found if len(found) > 1 else []


def commands() -> list[list[str]]:
    """Those of the help and of our sentences that start a worker, but for their certificates."""
    page = (Path(__file__).parents[4] / "resources/help/jobs.md").read_text()
    lines = [line.strip() for line in page.replace("\\\n", "").splitlines()]
    said = start_worker(parse_scheduler("tcp://127.0.0.1:8786"), "cpu=1").strip("`")
    told = [line for line in (*lines, said) if line.startswith("dask ") and "tls" not in line]
    return [shlex.split(line) for line in told]


@pytest.mark.slow
def test_a_cluster_that_is_started_as_the_help_says_listens_on_loopback_alone(
    tmp_path: Path,
) -> None:
    (_, kind, *options), *workers = commands()
    assert kind == "scheduler" and len(workers) > 2
    file = tmp_path / "scheduler.json"
    with ExitStack() as stack:
        words = (*options, "--port", "0", f"--scheduler-file={file}")
        scheduler = stack.enter_context(plain(tmp_path, "scheduler", *words))
        assert listens(scheduler) == {"127.0.0.1"}
        address = until(lambda: address_of(file))
        for _, _, _, *options in workers:
            worker = stack.enter_context(plain(tmp_path, "worker", address, *options))
            assert listens(worker) == {"127.0.0.1"}
