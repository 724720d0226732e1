"""The cost model of one task's search: gradient-boosted trees over TVM's features, seeded."""

from __future__ import annotations

from typing import Any

import numpy as np


def make_cost_model(warmup: int, seed: int) -> Any:
    """A TVM cost model that predicts at random before it has seen `warmup` samples.

    TVM's own draws those first predictions from NumPy's global state, so that two runs with one
    seed propose different candidates.
    """
    from tvm.ir.utils import derived_object
    from tvm.s_tir.meta_schedule.cost_model import PyCostModel, XGBModel
    from tvm.s_tir.meta_schedule.cost_model.xgb_model import XGBConfig

    trees = XGBModel(config=XGBConfig(nthread=1, seed=seed % 2**31), num_warmup_samples=warmup)
    random = np.random.default_rng(seed)

    @derived_object
    class SeededModel(PyCostModel):  # type: ignore[misc]
        """Delegates to the trees once they are trained."""

        def load(self, path: str) -> None:
            raise NotImplementedError("A cost model is trained anew from the project's records.")

        def save(self, path: str) -> None:
            raise NotImplementedError("A cost model is trained anew from the project's records.")

        def update(self, context: Any, candidates: Any, results: Any) -> None:
            trees.update(context, list(candidates), list(results))

        def predict(self, context: Any, candidates: Any) -> Any:
            if trees.booster is None or trees.data_size < warmup:
                return random.uniform(size=len(candidates))
            return trees.predict(context, list(candidates))

    return SeededModel()
