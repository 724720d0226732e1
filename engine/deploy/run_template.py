"""Runs this exported module: python run.py [INPUTS.npz] [--save OUTPUTS.npz] [--device cuda:1]."""

import argparse
import json
import os
import statistics
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
manifest = json.loads((HERE / "manifest.json").read_text())
os.environ.setdefault("TVM_NUM_THREADS", str(manifest["threads"]))  # TVM reads it at its import
sys.dont_write_bytecode = True  # this folder stays as its manifest says
sys.path.insert(0, str(HERE))

import numpy as np  # noqa: E402
import tvm  # noqa: E402
from executor import PlanExecutor  # type: ignore[import-not-found] # noqa: E402

random = np.random.default_rng(0)


def draw(shape: list[int], dtype: str) -> np.ndarray:
    """Random values: floats standard normal, integers 0 or 1."""
    if np.dtype(dtype).kind in "biu":
        return random.integers(0, 2, shape).astype(dtype)
    return random.standard_normal(shape).astype(dtype)


parser = argparse.ArgumentParser(description="Run the exported module.")
parser.add_argument("inputs", nargs="?", help="an .npz file; random values where there is none")
parser.add_argument("--save", metavar="OUTPUTS", help="an .npz file for the outputs")
parser.add_argument("--device", default=manifest["device"], help="default: where it was tuned")
arguments = parser.parse_args()
try:
    found = tvm.device(arguments.device).exist
except ValueError:
    found = False
if not found:
    sys.exit(f"There is no {arguments.device} here: name another of its kind with --device.")
module = PlanExecutor(HERE, arguments.device)
try:
    if arguments.inputs:
        inputs = dict(np.load(arguments.inputs))
    else:
        inputs = {i["name"]: draw(i["shape"], i["dtype"]) for i in manifest["inputs"]}
    outputs = module.run(inputs)
except (OSError, ValueError) as error:
    sys.exit(str(error))
for name, array in outputs.items():
    print(f"{name}: {array.dtype} {array.shape}")
print(f"median latency {statistics.median(module.time()) * 1e3:.3f} ms")
if arguments.save:
    np.savez(arguments.save, **outputs)
