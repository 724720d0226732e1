"""The kinds of hostile things: each makes one by a seed, and lets the product handle it."""

from __future__ import annotations

import json
import pickle
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.records.settings import RunSettings
from tests.benchmarks.torture.kills import Kills
from tests.benchmarks.torture.verdicts import (
    Answer,
    End,
    Verdict,
    captured,
    commanded,
    judged,
    judged_words,
)
from tests.hostile import exports, models, modules, projects, traces

_SHOWING_S = 20.0
TRIALS = 6


def tuned(folder: Path) -> Path:
    """A small model that was tuned in earnest, for a few trials."""
    from tests.engine.models.build import conv_relu_model, save

    model = save(conv_relu_model(), folder / "tiny.onnx")
    project = folder / "tiny.tune"
    answer = commanded(["tune", model, "-o", project, "--trials", str(TRIALS)])
    if answer.code:
        raise RuntimeError(f"The project to damage cannot be made: {answer}")
    return project


def _changed(path: Path, table: str, column: str, value: object, row: int | None = None) -> None:
    """Write a value into a row of a table, or into all of them."""
    with closing(sqlite3.connect(path)) as connection, connection:
        where = "" if row is None else " WHERE rowid = ?"
        given = [value] if row is None else [value, row]
        connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?{where}", given)


class Projects:
    """Project files with bytes or values that others wrote: made up ones, which are looked at, and
    one that was `tuned` in earnest, which is exported and resumed, too."""

    def __init__(self, folder: Path, real: Path | None) -> None:
        self._folder = folder
        self._made = folder / "made.tune"
        self._real = real or self._made
        projects.whole_project(self._made)
        self._values = {path: list(projects.changes(path)) for path in (self._made, self._real)}
        self.canary = Canary(folder)

    def one(self, seed: int) -> Verdict:
        dice = random.Random(f"projects {seed}")
        original = self._real if dice.random() < 0.15 else self._made
        path = self._folder / "now" / "net.tune"
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir()
        shutil.copy(original, path)
        for _ in range(dice.randint(1, 3)):
            dice.choice((self._bytes, self._value, self._value, self._text))(path, original, dice)
        commands: list[list[str | Path]] = [
            ["info", path],
            ["info", path, "--json"],
            ["profile", path],
            ["report", path, "-o", path.parent / "page.html"],
        ]
        if original is not self._made:
            commands += [
                ["export", path, "-o", path.parent / "out"],
                ["resume", path, "--trials", "1"],
            ]
        found = judged(commanded(dice.choice(commands)))
        return Verdict(End.CODE, words) if (words := self.canary.sings()) else found

    def _bytes(self, path: Path, original: Path, dice: random.Random) -> None:
        data = bytearray(path.read_bytes())
        if not data:
            return
        if dice.random() < 0.1:
            path.write_bytes(data[: dice.randrange(len(data))])
            return
        for _ in range(dice.randint(1, 8)):
            place = dice.choice((dice.randrange(110), dice.randrange(len(data))))
            data[place % len(data)] = dice.randrange(256)
        path.write_bytes(data)

    def _value(self, path: Path, original: Path, dice: random.Random) -> None:
        table, column, values = dice.choice(self._values[original])
        if values:
            _try(lambda: _changed(path, table, column, dice.choice(values)))

    def _text(self, path: Path, original: Path, dice: random.Random) -> None:
        table, column, _ = dice.choice(self._values[original])
        _try(lambda: _changed(path, table, column, dice.choice(self.canary.texts)))


class Canary:
    """What no file may reach: a port that listens, and a file that is not there."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "canary"
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.setblocking(False)
        address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        target = {"kind": "llvm", "num-cores": 2}
        self.texts: tuple[object, ...] = (
            *("", "{", "[" * 100_000, "\x1b[2J\x1b]0;x\x07", "a\nb\rc", "../../etc/passwd", "\0"),
            *(
                "é" * 9000,
                "<script>x</script>",
                "null",
                "[]",
                "{}",
                "NaN",
                "9" * 5000,
                2**63 - 1,
                -1,
            ),
            *(b"\xff\xfe", b"", zlib.compress(b"[[],[]]")),
            *(
                json.dumps({**target, name: ["-load=x.so"]})
                for name in ("cl-opt", "libs", "jit", "mcpu", "mattr", "mtriple")
            ),
            json.dumps({**target, "mtriple": "nonsense", "mattr": ["+x"]}),
            *(json.dumps({**target, "mcpu": "i386"}), "llvm -cl-opt=-load=x.so"),
            *(f"dask://{address} cpu", f"rpc://{address}/k cpu", f"tcp://{address}"),
            json.dumps({**target, "tag": f"dask://{address}"}),
            json.dumps({**RunSettings().as_dict(), "cluster": f"tcp://{address}"}),
            pickle.dumps(_Touch(self._file)),
        )

    def close(self) -> None:
        self._socket.close()

    def sings(self) -> str:
        """How it was reached, "" where it was not."""
        try:
            self._socket.accept()[0].close()
        except BlockingIOError:
            return "code of the file ran" if self._file.exists() else ""
        return "an address of the file was connected to"


class _Touch:
    """Makes a file where somebody unpickles it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Callable[..., None], tuple[Path]]:
        return Path.touch, (self._path,)


def _try(change: Callable[[], None]) -> None:
    try:
        change()
    except (sqlite3.Error, OverflowError, UnicodeError):
        return  # the bytes that were changed before are in the way


class Models:
    """Models whose operators, shapes, weights or bytes were changed."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "net.onnx"

    def one(self, seed: int) -> Verdict:
        dice = random.Random(f"models {seed}")
        self._path.write_bytes(models.damaged(dice))
        found = judged(commanded(["check", self._path]))
        if found.end is End.RIGHT and dice.random() < 0.1:
            return judged(commanded(["verify", self._path]))
        return found


class Shown:
    """A trial's trace or its task's workload, changed: shown, and exported."""

    def __init__(self, folder: Path, texts: str) -> None:
        from engine.project.repository import Project

        self._folder, self._texts = folder, texts
        self._real = tuned(folder)
        with Project.open(self._real, read_only=True) as project:
            self._trials = project.snapshot(texts=True).trials
            self._tasks, self._target = project.tasks(), project.target

    def one(self, seed: int) -> Verdict:
        dice = random.Random(f"{self._texts} {seed}")
        trial = dice.choice([one for one in self._trials if one.error is None])
        workload, trace = self._tasks[trial.task].workload, trial.trace
        if self._texts == "traces":
            trace = traces.damaged(trace, dice)
        else:
            workload = modules.damaged(workload, dice)
        if dice.random() < 0.8:
            return self._shown(workload, trace)
        path = self._folder / "now" / "net.tune"
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir()
        shutil.copy(self._real, path)
        packed = zlib.compress(trace.encode(errors="replace"))
        _changed(path, "trials", "base", None)
        _changed(path, "trials", "trace", packed, trial.number)
        if self._texts != "traces":
            packed = zlib.compress(workload.encode(errors="replace"))
            _changed(path, "tasks", "workload", packed, trial.task)
        with closing(sqlite3.connect(path)) as connection, connection:  # the best one is this
            connection.execute("DELETE FROM trials WHERE number != ?", [trial.number])
        commands: list[list[str | Path]] = [
            ["export", path, "-o", path.parent / "out"],
            ["resume", path, "--trials", "1"],
        ]
        command = dice.choice(commands)
        return judged(commanded(command))

    def _shown(self, workload: str, trace: str) -> Verdict:
        from engine.deploy.detail import describe
        from engine.jobs.opening.isolation import default_limits, shown_apart
        from engine.records.errors import TuningError

        limits = replace(default_limits(), seconds=_SHOWING_S)
        given = ("The schedule", workload, trace, self._target)
        with captured() as answer:
            try:
                shown_apart("The schedule", describe, *given, limits=limits)
                found = Verdict(End.RIGHT)
            except TuningError as error:
                found = judged_words(f"{error.what} {error.todo}")
        loud = judged(answer)
        return loud if loud.end in (End.TRACEBACK, End.WRONG) else found


class Exports:
    """Exported folders of which a file was changed: loaded, and run by their own script."""

    def __init__(self, folder: Path) -> None:
        from engine.models.reference import random_inputs
        from tests.engine.deploy.compiled import as_export

        self._folder = folder
        self._originals = {}
        self._expected = {}
        for kind in exports.KINDS:
            (folder / kind).mkdir()
            model = exports.compile_kind(kind, folder / kind)
            as_export(folder / kind)
            given = random_inputs(model.prepared.inputs, 1)
            self._originals[kind] = folder / kind
            self._expected[kind] = given, model.prepared.reference_outputs(given)

    def one(self, seed: int) -> Verdict:
        dice = random.Random(f"exports {seed}")
        kind = dice.choice(exports.KINDS)
        now = self._folder / "now"
        shutil.rmtree(now, ignore_errors=True)
        out = Path(shutil.copytree(self._originals[kind], now / "out"))
        canary = now / "canary"
        own = (out / "run.py").read_bytes()
        self._damage(out, canary, dice)
        # A script that is damaged itself cannot say so.
        scripted = dice.random() < 0.1 and _holds(out / "run.py", own)
        found = self._script(out) if scripted else self._loaded(kind, out)
        return Verdict(End.CODE, str(list(out.iterdir()))) if canary.exists() else found

    def _damage(self, out: Path, canary: Path, dice: random.Random) -> None:
        way, name = dice.random(), dice.choice(exports.FILES)
        if way < 0.5 and (out / name).stat().st_size:
            dice.choice(exports.DAMAGES)(out / name)
        elif way < 0.8:
            data = bytearray((out / name).read_bytes() or b"\0")
            for _ in range(dice.randint(1, 4)):
                place = dice.randrange(8 * len(data))
                data[place // 8] ^= 1 << place % 8
            (out / name).write_bytes(data)
        elif way < 0.9:
            from tests.engine.deploy.compiled import as_export

            try:
                exports.change_plan(out, dice.choice(exports.PLANS))
            except StopIteration:
                return  # it has no such buffer
            as_export(out)
        else:
            code = f"open({str(canary)!r}, 'w').close()"
            more = ("json.py", "numpy.py", "tvm.py", "executor.py", "plan_executor.py", "app.py")
            (out / dice.choice(more)).write_text(code)

    def _loaded(self, kind: str, out: Path) -> Verdict:
        import numpy as np

        from engine.deploy.executor_template import load

        given, expected = self._expected[kind]
        with captured() as answer:
            try:
                found = load(out).run(given)
            except ValueError as error:
                return judged_words(str(error))
            except Exception as error:  # TVM's kernels check their arguments
                return Verdict(End.REFUSED, f"{type(error).__name__}: {error}")
        if answer.err:
            return judged(answer)
        same = found.keys() == expected.keys() and all(
            np.allclose(found[name], expected[name], rtol=1e-3, atol=1e-5) for name in expected
        )
        return Verdict(End.RIGHT if same else End.WRONG)

    def _script(self, out: Path) -> Verdict:
        done = subprocess.run(
            [sys.executable, str(out / "run.py")], capture_output=True, text=True, check=False
        )
        if not done.returncode and not done.stdout.strip():
            return Verdict(End.WRONG, "it succeeds and says nothing")
        return judged(Answer(done.returncode, done.stdout, done.stderr))


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


HANDLERS: dict[str, Callable[[Path], Any]] = {
    "kills": Kills,
    "projects": lambda folder: Projects(folder, tuned(folder)),
    "models": Models,
    "traces": lambda folder: Shown(folder, "traces"),
    "workloads": lambda folder: Shown(folder, "workloads"),
    "exports": Exports,
}
