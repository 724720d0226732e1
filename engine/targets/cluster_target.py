"""What the device of a Dask cluster's worker is: the worker is asked."""

from __future__ import annotations

import json
from typing import Any

from engine.measure.remote.cluster_link import connect
from engine.measure.remote.dask_link import Connect, DeviceLink, find_worker
from engine.measure.remote.server_search import Wanted
from engine.measure.worker_process import WorkerDied
from engine.records.addresses import DaskAddress
from engine.records.errors import TargetError, TuningError
from engine.records.machine import local_named
from engine.records.sentences import Sentence
from engine.workers.fresh import run_fresh

_WORK_S, _WAIT_S = 60.0, 20.0


def ask_target(address: DaskAddress, word: str, connect: Connect = connect) -> dict[str, Any]:
    """The fields that `word` ("auto", "cpu", "cuda:0") means on the first worker with a device.

    Blocks for seconds. TuningError, or TargetError where the worker has no such device.
    """
    link = DeviceLink(address, cores=False, connect=connect)
    try:
        name = find_worker(link, Wanted(_WORK_S, _WAIT_S))
        fields: dict[str, Any] = json.loads(link.run(name, _ask, word))
    except WorkerDied as error:
        raise TuningError(
            "The worker that was asked for its device went away.", "Try it again."
        ) from error
    finally:
        link.close()
    return fields


def _ask(word: str) -> str:
    """On the worker, in a process of its own: what asks CUDA cannot be forked afterwards."""
    text: str = run_fresh(_resolved, word)
    return text


def _resolved(word: str) -> str:
    found = local_named(word)
    if found is None:
        raise TargetError(
            Sentence("{word!r} names no device of the worker.", word=word),
            "Write auto, cpu or cuda.",
        )
    return found.text
