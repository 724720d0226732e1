"""Runs this exported module: python run.py [INPUTS.npz] [--save OUTPUTS.npz] [--device cuda:1]."""

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120
sys.dont_write_bytecode = True  # this folder stays as its manifest says
# A file beside this one that is called as one of Python's own is not taken for it.
sys.path[:] = [place for place in sys.path if os.path.realpath(place) != HERE]

import argparse  # noqa: E402
import hashlib  # noqa: E402
import statistics  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

EXECUTOR_SHA256 = ""  # filled in by the export


def executor() -> dict[str, Any]:
    """What executor.py defines, which checks all else, if it is the one that was exported."""
    path = Path(HERE, "executor.py")
    source = path.read_bytes() if path.is_file() else b""
    if hashlib.sha256(source).hexdigest() != EXECUTOR_SHA256:
        sys.exit(
            "executor.py is not the file that was exported. "
            "Copy the whole folder again, or export it again."
        )
    scope: dict[str, Any] = {"__name__": "executor"}
    exec(compile(source, str(path), "exec"), scope)
    return scope


def arrays(path: str) -> dict[str, Any]:
    """The arrays of an .npz file by name."""
    try:
        with np.load(path) as file:
            return dict(file)
    except Exception as error:  # NumPy raises whatever its readers do
        sys.exit(f"{path} cannot be read as an .npz file: {error}")


def drawn(shape: tuple[int, ...], dtype: str) -> Any:
    """Random values: floats standard normal, integers 0 or 1."""
    if np.dtype(dtype).kind in "biu":
        return random.integers(0, 2, shape).astype(dtype)
    return random.standard_normal(shape).astype(dtype)


def padding(texts: list[str] | None) -> dict[str, float] | None:
    """Fill values by input, None where none is given; ValueError for what is none."""
    found = {}
    for text in texts or ():
        name, equals, value = text.rpartition("=")
        try:
            found[name] = float(value)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise ValueError(f"--pad {text} is no padding: write it like --pad mask=0.")
    return found or None


parser = argparse.ArgumentParser(description="Run the exported module.")
parser.add_argument("inputs", nargs="?", help="an .npz file; random values where there is none")
parser.add_argument("--save", metavar="OUTPUTS", help="an .npz file for the outputs")
parser.add_argument("--device", default="", help="default: where it was tuned")
parser.add_argument("--sha256", default="", help="what the export gave: refuse any other one")
parser.add_argument(
    "--pad",
    action="append",
    metavar="INPUT=VALUE",
    help="of a module of several shapes: pad this input to a larger one, once an input",
)
arguments = parser.parse_args()
try:
    pads = padding(arguments.pad)
    module = executor()["load"](HERE, arguments.device, arguments.sha256, pads=pads)
except (OSError, ValueError) as error:
    sys.exit(str(error))

import numpy as np  # noqa: E402

random = np.random.default_rng(0)
if arguments.inputs:
    inputs = arrays(arguments.inputs)
else:
    inputs = {name: drawn(shape, dtype) for name, shape, dtype in module.inputs}
try:
    outputs = module.run(inputs)
    if arguments.save:
        np.savez(arguments.save, **outputs)
except (OSError, ValueError) as error:
    # A kernel says in several lines that it gets another array.
    first, *more = (str(error) or type(error).__name__).splitlines()
    reason = first.strip().rstrip(".:")
    sys.exit(f"{HERE} does not run: {reason}. Export it again." if more else first)
for name, array in outputs.items():
    print(f"{name}: {array.dtype} {array.shape}")
print(f"median latency {statistics.median(module.time()) * 1e3:.3f} ms")
