"""Runs this exported module: python run.py [INPUTS.npz] [--save OUTPUTS.npz]."""

import json
import os
import statistics
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
manifest = json.loads((here / "manifest.json").read_text())
os.environ.setdefault("TVM_NUM_THREADS", str(manifest["threads"]))

import numpy as np  # noqa: E402
from executor import PlanExecutor  # type: ignore[import-not-found] # noqa: E402

arguments = sys.argv[1:]
save = arguments[arguments.index("--save") + 1] if "--save" in arguments else None
given = [item for item in arguments if item.endswith(".npz") and item != save]
random = np.random.default_rng(0)
inputs = (
    dict(np.load(given[0]))
    if given
    else {
        item["name"]: random.integers(0, 2, item["shape"]).astype(item["dtype"])
        if np.dtype(item["dtype"]).kind in "biu"
        else random.standard_normal(item["shape"]).astype(item["dtype"])
        for item in manifest["inputs"]
    }
)
module = PlanExecutor(here, manifest["device"])
outputs = module.run(inputs)
for name, array in outputs.items():
    print(f"{name}: {array.dtype} {array.shape}")
print(f"median latency {statistics.median(module.time()) * 1e3:.3f} ms")
if save:
    np.savez(save, **outputs)
