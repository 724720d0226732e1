"""A connection to the scheduler of a Dask cluster, looked at before it is used."""

from __future__ import annotations

import logging
import warnings
from dataclasses import dataclass
from typing import Any

from engine.measure.remote.cluster_worker import Facts, facts, require_same
from engine.measure.remote.given import require_given
from engine.records.addresses import DaskAddress, is_loopback, parse_scheduler
from engine.records.errors import DeviceMissing, TuningError, install_todo
from engine.records.sentences import Sentence

CPU, DEVICE = "cpu", "device"
_CONNECT_S = 10.0
# Both have pages, too, which all networks reach unless they are told where to be.
_SCHEDULER = "`dask scheduler --host 127.0.0.1 --dashboard-address 127.0.0.1:0`"
_CERTIFICATES = Sentence("Name three files in Dask's configuration; the help says how, under Jobs.")
_INSTALL = "pip install 'tunewright[cluster]'"


def connect(address: str) -> Any:
    """A client of the scheduler at `address`; it listens on no port. TuningError, and as
    `require_given`."""
    scheduler = parse_scheduler(address)
    require_given(scheduler)
    try:
        from distributed import Client
    except ImportError as error:
        raise TuningError(
            Sentence("Dask Distributed cannot be imported: {error}.", error=error),
            install_todo("distributed", "cluster"),
        ) from error
    for name in ("distributed", "distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # tracebacks of what we say
    security = _certificates() if scheduler.tls else None
    try:
        with warnings.catch_warnings():  # its look at versions; ours comes next
            warnings.simplefilter("ignore")
            return Client(
                scheduler.scheduler,
                timeout=_CONNECT_S,
                set_as_default=False,
                name="tunewright",
                security=security,
            )
    except (OSError, ValueError, TypeError) as error:
        what = (
            Sentence(
                "No Dask scheduler that your certificates fit answers at {address}.",
                address=address,
            )
            if scheduler.tls
            else Sentence("No Dask scheduler answers at {address}.", address=address)
        )
        raise DeviceMissing(
            what,
            Sentence("Start one with {scheduler}, or do without it.", scheduler=_SCHEDULER),
        ) from error


def _certificates() -> Any:
    """Those that the person names in Dask's own configuration: both sides show one. TuningError.

    Dask goes on without where there are none, and says then that nothing answers.
    """
    from distributed import Security

    security = Security(require_encryption=True)
    try:
        found = security.get_connection_args("client")["ssl_context"]
    except (OSError, ValueError, TypeError) as error:
        raise TuningError(
            "The certificates for the cluster cannot be read.", _CERTIFICATES
        ) from error
    if found is None:
        raise TuningError("No certificates are named for the cluster.", _CERTIFICATES)
    return security


def start_worker(scheduler: DaskAddress, resources: str) -> str:
    """The command of a worker that listens on this machine alone, where its scheduler is here."""
    address = scheduler.scheduler
    if is_loopback(scheduler.host):
        return (
            f"`dask worker {address} --host 127.0.0.1 --dashboard-address 127.0.0.1:0 --no-nanny "
            f'--resources "{resources}"`'
        )
    return (
        f"`dask worker {address} --dashboard-address 127.0.0.1:0 --no-nanny "
        f'--resources "{resources}"`'
    )


@dataclass(frozen=True, slots=True)
class Look:
    """How many builds the workers can do at once, and whether one of them is on this machine."""

    places: int
    is_here: bool


def workers_with(client: Any, resource: str) -> dict[str, dict[str, float]]:
    """The workers that have a resource, and how much of each. OSError where nothing answers.

    Dask's `scheduler_info` would do, but that its own look every two seconds, which asks for no
    workers, may come between.
    """
    identity = client.scheduler.identity
    workers = client.sync(identity, n_workers=-1, callback_timeout=_CONNECT_S)["workers"]
    found = {name: dict(info["resources"]) for name, info in workers.items()}
    return {name: has for name, has in found.items() if has.get(resource, 0) > 0}


def builders(client: Any) -> dict[str, int]:
    """The workers that have the resource `cpu`, and how much. OSError where nothing answers."""
    cores = {name: int(has[CPU]) for name, has in workers_with(client, CPU).items()}
    return {name: count for name, count in cores.items() if count}


def look_at(client: Any, address: str) -> Look:
    """What the workers are that build. TuningError where one cannot."""
    names = builders(client)
    if not names:
        raise TuningError(
            Sentence(
                "No worker of the cluster at {address} has the resource {cpu}.",
                address=address,
                cpu=CPU,
            ),
            Sentence(
                "Start one with {command}.",
                command=start_worker(parse_scheduler(address), f"{CPU}=4"),
            ),
        )
    own = facts()
    _require_fit(own, "scheduler", _of_scheduler(client))  # it reads the tasks that pass it
    answers = client.run(facts, workers=list(names), on_error="return")
    for name in names:
        require_worker(own, name, answers.get(name))
    is_here = any(answers[name].machine == own.machine for name in names)
    return Look(sum(names.values()), is_here)


def require_worker(own: Facts, name: str, answer: Facts | BaseException | None) -> None:
    """TuningError where what a worker answered says that it cannot do what we need."""
    _require_fit(own, f"worker {name}", answer)
    assert isinstance(answer, Facts)
    if answer.daemon:
        raise TuningError(
            Sentence(
                "The cluster's worker {name} may not start processes, and its work needs some.",
                name=name,
            ),
            "Start it with `dask worker --no-nanny`.",
        )


def _of_scheduler(client: Any) -> Facts | BaseException:
    try:
        found: Facts = client.run_on_scheduler(facts)
    except OSError:
        raise
    except Exception as error:
        return error
    return found


def _require_fit(own: Facts, name: str, answer: Facts | BaseException | None) -> None:
    if not isinstance(answer, Facts):
        raise TuningError(
            Sentence(
                "The cluster's {name} cannot load Tunewright: {answer}.", name=name, answer=answer
            ),
            Sentence("Install it there: {install}.", install=_INSTALL),
        )
    require_same(own.versions, answer.versions, name)
