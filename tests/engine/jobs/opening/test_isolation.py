"""A stranger's file neither crashes, hangs nor eats the process that opens it."""

from __future__ import annotations

import logging
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

from engine.jobs.opening.isolation import default_limits, isolated
from engine.jobs.opening.open_worker import open_here
from engine.jobs.opening.opening import open_source
from engine.records.errors import ModelError, TunewrightError, UnsupportedOperators
from engine.records.source import ModelSource
from engine.records.words import Say
from engine.targets.targets import resolve
from engine.workers.watched import Limits
from tests.engine.models import build
from tests.engine.tasks.networks import NETWORKS
from tests.hostile.models import damaged

# TUNEWRIGHT_FUZZ=2000 for a long run; -s shows what came of it.
EXAMPLES = int(os.environ.get("TUNEWRIGHT_FUZZ", "16"))


def crash(say: Say, source: ModelSource) -> None:
    say("Importing the model into TVM")
    os.abort()


def hang(say: Say, source: ModelSource) -> None:
    say("Lowering and fusing operators")
    time.sleep(60)


def grow(say: Say, source: ModelSource) -> None:
    kept = [b"x" * (1 << 20) for _ in range(1 << 20)]
    time.sleep(len(kept))


@pytest.mark.parametrize(
    ("call", "limits", "words"),
    [
        (crash, Limits(4 << 30, 60), "net.onnx crashed the process that was importing the model"),
        (hang, Limits(4 << 30, 0.2), "net.onnx was given up after 0 seconds of lowering"),
        (grow, Limits(400 << 20, 60), "net.onnx needs more than 0.4 GB of memory, for reading"),
    ],
)
def test_what_a_file_does_to_its_reader_is_one_sentence(
    call: Callable[[Say, ModelSource], None], limits: Limits, words: str
) -> None:
    with pytest.raises(ModelError) as caught:
        isolated(ModelSource("file", "/models/net.onnx"), call, limits=limits)
    assert words in caught.value.what
    assert caught.value.todo


def test_the_limits_leave_something_to_others() -> None:
    import psutil

    assert 0 < default_limits().memory_bytes < psutil.virtual_memory().total


@pytest.mark.parametrize("name", ["conv_relu_model", "attention", "unused_input"])
def test_a_model_from_the_worker_is_the_one_that_would_be_opened_here(
    tmp_path: Path, name: str
) -> None:
    proto = NETWORKS[name]()
    source = ModelSource("file", str(build.save(proto, tmp_path / "m.onnx")))
    here, apart = (call(source, resolve("cpu")) for call in (open_here, open_source))
    assert apart.source == here.source
    assert apart.prepared == here.prepared
    assert apart.program.tasks == here.program.tasks
    assert apart.program.operators == here.program.operators
    assert apart.program.dataflow.steps == here.program.dataflow.steps
    assert apart.file_nodes == here.file_nodes != ()


def test_steps_are_told_while_the_worker_takes_them(tmp_path: Path) -> None:
    source = ModelSource("file", str(build.save(build.conv_relu_model(), tmp_path / "m.onnx")))
    said: list[str] = []
    open_source(source, resolve("cpu"), said.append)
    assert [text.split()[0] for text in said] == ["Reading", "Importing", "Lowering", "Running"]


def test_what_a_model_lacks_is_told_as_it_is_here(tmp_path: Path) -> None:
    source = ModelSource("file", str(build.save(build.unsupported_model(), tmp_path / "m.onnx")))
    with pytest.raises(UnsupportedOperators) as caught:
        open_source(source, resolve("cpu"))
    with pytest.raises(UnsupportedOperators) as expected:
        open_here(source, resolve("cpu"))
    assert caught.value.operators == expected.value.operators
    assert str(caught.value) == str(expected.value)


def test_a_file_that_aborts_onnx_itself_is_refused(tmp_path: Path) -> None:
    """Shape inference of onnx 1.23 reads behind a vector's end here: 1 is less than 2 outputs."""
    proto = build.model(
        [helper.make_node("Split", ["x"], ["y", "z"], axis=1, num_outputs=1)],
        [("x", TensorProto.FLOAT, [2, 4])],
        [("y", TensorProto.FLOAT, None), ("z", TensorProto.FLOAT, None)],
        {},
        opset=18,
    )
    source = ModelSource("file", str(build.save(proto, tmp_path / "m.onnx")))
    with pytest.raises(ModelError) as caught:
        open_source(source, resolve("cpu"))
    assert len(caught.value.what) < 250


@pytest.fixture
def tally() -> Iterator[Counter[str]]:
    logger = logging.getLogger("engine")
    level = logger.level
    logger.setLevel(logging.ERROR)
    counts: Counter[str] = Counter()
    yield counts
    logger.setLevel(level)
    for words, count in counts.most_common():
        print(f"{count:6} {words}")


@pytest.mark.long
@settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
)
@given(dice=st.randoms(use_true_random=False))
def test_any_mutant_ends_in_a_program_or_in_a_sentence(
    dice: random.Random, tally: Counter[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("mutant") / "m.onnx"
    data = damaged(dice)
    path.write_bytes(data)
    kept = Path(os.environ.get("TUNEWRIGHT_FUZZ_KEEP", "") or os.devnull)
    try:
        opened = open_source(ModelSource("file", str(path)), resolve("cpu"))
    except TunewrightError as error:
        assert error.what
        assert error.todo
        words = error.what[:60]
        if "crashed" in error.what and kept.is_dir():
            (kept / f"crash-{len(list(kept.iterdir()))}.onnx").write_bytes(data)
    else:
        assert opened.program.tasks
        words = "opened"
    tally[words] += 1
