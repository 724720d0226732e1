"""The command line, `tunewright`: its commands, and what becomes of whatever goes wrong in one."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated

import typer

from app.cli.code import code
from app.cli.experiment import experiment
from app.cli.gui import gui, picture
from app.cli.knobs import knobs
from app.cli.library import library
from app.cli.looks import check, doctor, info, input_data, look, profile, report, samples, targets
from app.cli.output import Output, Reply, log_path, logging_to_file, require_streams
from app.cli.passes import droplet, plan, share, transfer
from app.cli.queue import queue
from app.cli.rpc import rpc_server, rpc_tracker
from app.cli.runs import demo, export, measure, record, resume, tune
from app.cli.stages import ios
from app.cli.timeline import timeline
from app.cli.verify import verify
from app.cli.watching import watch
from engine.records.errors import AddressNotGiven, Hint, ShapeError, TunewrightError
from engine.storage.refusals import refusal
from engine.workers.artifacts import close_all

HINTS: dict[Hint, str] = {
    Hint.CHECK: "Run `tunewright doctor`.",
    Hint.RESUME: "That is `tunewright resume`.",
    Hint.QUEUE: "See `tunewright queue list`.",
    Hint.TARGETS: "See `tunewright targets`.",
    Hint.SERVER: "Run `tunewright rpc-server` there.",
    Hint.TRACKER: "Run `tunewright rpc-tracker` there.",
    Hint.SHAPE: "That is `--shape NAME=1x3x224x224`.",
    Hint.VALUE: "That is `--value NAME=1`.",
    Hint.WITHOUT_REFERENCE: "That is `--without-reference`.",
    Hint.DESPITE: "That is `--despite-wrong-answer`.",
    Hint.RECORD: "`tunewright record` makes one.",
}

app = typer.Typer(
    name="tunewright",
    help="Tunes deep-learning models with Apache TVM. Only gui needs a screen.",
    epilog="Exit codes: 0 done (a run that was stopped keeps its results), 1 failed, 2 bad use.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        with suppress(PackageNotFoundError):
            print(f"tunewright {version('tunewright')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Say which.")
    ] = False,
) -> None:
    """What holds for all commands."""


COMMANDS: dict[str, Callable[..., Reply]] = {
    **{
        "tune": tune,
        "resume": resume,
        "info": info,
        "watch": watch,
        "report": report,
        "export": export,
    },
    **{"profile": profile, "measure": measure},
    **{"share": share, "transfer": transfer, "droplet": droplet, "plan": plan},
    **{"rpc-tracker": rpc_tracker, "rpc-server": rpc_server, "ios": ios},
    **{"knobs": knobs, "timeline": timeline, "code": code},
    **{"experiment": experiment, "look": look, "check": check, "verify": verify},
    **{"samples": samples, "targets": targets},
    **{"doctor": doctor, "gui": gui, "record": record, "demo": demo},
}
for name, command in COMMANDS.items():
    app.command(name)(command)
app.command(hidden=True)(picture)
app.add_typer(library)
app.add_typer(queue)


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line; its exit code. No exception comes out."""
    with Output("--json" in arguments) as output, logging_to_file():
        try:
            reply = app(args=list(arguments), prog_name="tunewright", standalone_mode=False)
            return output.answer(reply) if isinstance(reply, Reply) else int(reply or 0)
        except TunewrightError as error:
            return output.refuse(error.what, advice(error), 2 if error.usage else 1, _asked(error))
        except typer.TyperException as error:
            return _refuse_usage(output, error)
        except KeyboardInterrupt:
            return output.refuse("Stopped.", "", 130)
        except Exception as error:
            if (refused := refusal(error)) is not None:
                return output.refuse(refused.what, refused.todo, 2 if refused.usage else 1)
            import logging

            logging.getLogger("tunewright").exception("uncaught")
            return output.refuse(
                f"Tunewright met an error of its own ({type(error).__name__}).",
                f"What was measured is kept; {log_path()} has the details.",
                1,
            )


def advice(error: TunewrightError) -> str:
    """What to do about an error, in a terminal."""
    parts = [error.todo, HINTS[error.hint] if error.hint else ""]
    if isinstance(error, ShapeError):
        wanted = (item for item in error.questions if item.is_open)
        forms = [f"--shape {item.name}={item.form}" for item in wanted]
        parts += [f"Use {' '.join(forms)}."] if forms else []
    if isinstance(error, AddressNotGiven):
        parts.append(f"That is `{' '.join(f'--connect {name}' for name in error.places)}`.")
    return " ".join(part for part in parts if part)


def _asked(error: TunewrightError) -> dict[str, object]:
    """What an error asks beside its words: the inputs whose shapes are wanted."""
    questions = getattr(error, "questions", ())
    if not questions:
        return {}
    return {"inputs": [input_data(item) for item in questions]}


_EXPANDED = re.compile(r"unexpected extra argument.*\(.*=\d+(x\d+)*(\*\d+)?\b")  # of --shape


def _refuse_usage(output: Output, error: typer.TyperException) -> int:
    """A command line that the parser does not understand."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "tunewright"
    what = error.format_message().rstrip(".").splitlines()
    if "Usage:" in error.message:  # no command was given at all: this is the help
        print(error.message)
        return 2
    if _EXPANDED.search(" ".join(what)):
        todo = "A shell takes braces for its own: write 'NAME=1x{32,64}', in quotes."
        return output.refuse(f"{' '.join(what)}.", todo, 2)
    return output.refuse(f"{' '.join(what)}.", f"`{command} --help` says more.", 2)


def main() -> None:
    """The entry point of the `tunewright` script."""
    require_streams()
    code = run(sys.argv[1:])
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    busy = any(not thread.daemon for thread in threading.enumerate()[1:])
    if busy and "PySide6" not in sys.modules:  # Qt wants an orderly end, to write its settings
        close_all()
        os._exit(code)  # a search cannot be interrupted, and its result is not wanted
    sys.exit(code)


if __name__ == "__main__":
    main()
