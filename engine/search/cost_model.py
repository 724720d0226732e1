"""The cost model of one task's search: gradient-boosted trees over TVM's features, seeded.

It learns from the task's own results and from those of the run's other tasks, as TVM's one model
for all tasks does; but a search trains its own, which no other waits for.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.records.settings import SearchSettings
from engine.search.experience import Experience

_FAILED_S = 1e9  # TVM has 1e10 for a candidate without a latency


class CostModel:
    """Learns from results, and is trained anew once enough of them are new.

    `handle` is what TVM asks for predictions. They are random before `model_warmup` results were
    learnt, here or by others; TVM's own model draws those from NumPy's global state, so that two
    runs with one seed propose different candidates. Trained on the same results in the same order,
    with the same of others, two models predict the same. That is why a project needs to keep no
    trees, which take a parser in C++ to read, and no features, which are larger than the traces
    they follow from. A resumed search hears of others as they begin.

    It is trained on `most` results: one half are the fastest, the other the latest. Features take
    10 KB each, and a long run has tens of thousands.
    """

    most = 512

    def __init__(
        self, settings: SearchSettings, seed: int, experience: Experience, workload: str
    ) -> None:
        from tvm.s_tir.meta_schedule.cost_model import XGBModel
        from tvm.s_tir.meta_schedule.cost_model.xgb_model import XGBConfig

        self._settings = settings
        self._random = np.random.default_rng(seed)
        self._trees = XGBModel(
            config=XGBConfig(nthread=1, seed=seed % 2**31),
            num_warmup_samples=settings.model_warmup,
            adaptive_training=False,  # it trains whenever it is given something: `_train` does
        )
        self._waiting: tuple[list[Any], list[Any]] = ([], [])
        self._learnt = 0
        self._experience, self._workload = experience, workload
        self._lent = 0  # samples of others in the last training
        self._heard = 0  # how many others had then
        self.handle = _handle(self)

    def update(self, context: Any, candidates: Any, results: Any, now: bool = False) -> bool:
        """Take in results; train where enough are new, or `now`. Whether it was trained."""
        self._waiting[0].extend(candidates)
        self._waiting[1].extend(results)
        settings, waiting = self._settings, len(self._waiting[0])
        known = min(self._learnt, self.most)
        if not now and waiting < max(settings.model_every, settings.model_growth * known):
            return False
        (candidates, results), self._waiting = self._waiting, ([], [])
        self._learnt += waiting
        with self._lending():
            self._trees.update(context, candidates, results)
        self._forget()
        self._tell()
        return True

    def refresh(self) -> None:
        """Train anew where others have learnt twice as much since the last time, or the first."""
        known = self._experience.count(self._workload)
        if known < self._settings.model_warmup or known < 2 * self._heard:
            return
        with self._lending():
            groups = list(self._trees.data.values())
            ratios = [group.min_cost / group.costs for group in groups]
            # What TVM's `update` ends with.
            self._trees._train(
                xs=[each for group in groups for each in group.features], ys=np.concatenate(ratios)
            )

    @contextmanager
    def _lending(self) -> Iterator[None]:
        """Have others' samples among the trees' while they are trained."""
        from tvm.s_tir.meta_schedule.cost_model.xgb_model import FeatureGroup

        data, own = self._trees.data, list(self._trees.data)
        others = self._experience.of_others(self._workload)
        for name, found in others.items():
            data[name] = FeatureGroup(name, list(found.features), found.latencies_s)
        for name in own:  # in one order, whatever was learnt before: trees depend on it
            data.move_to_end(name)
        try:
            yield
        finally:
            for name in others:
                del data[name]
            self._lent = sum(len(found.features) for found in others.values())
            self._heard = self._experience.count(self._workload)
            self._trees.data_size = sum(len(group.costs) for group in data.values())

    def _tell(self) -> None:
        for group in self._trees.data.values():
            if group.min_cost < _FAILED_S:  # else all look as fast as the fastest
                self._experience.tell(self._workload, group.features, group.costs)

    def _forget(self) -> None:
        """Give back what training took, and what is more than `most`."""
        trees = self._trees
        trees.d_train = None
        for group in trees.data.values():
            count = len(group.costs)
            if count > self.most:
                half = self.most // 2
                fastest = np.argsort(group.costs, kind="stable")[:half]
                kept = np.union1d(fastest, np.arange(count - half, count))
                group.features = [group.features[place] for place in kept]
                group.costs = group.costs[kept]
        trees.data_size = sum(len(group.costs) for group in trees.data.values())

    @property
    def is_guessing(self) -> bool:
        """Whether its predictions are random still."""
        known = self._trees.data_size + self._lent
        return self._trees.booster is None or known < self._settings.model_warmup

    def predict(self, context: Any, candidates: Any) -> Any:
        """A score for each candidate, the higher the faster."""
        trees = self._trees
        if self.is_guessing:
            return self._random.uniform(size=len(candidates))
        features = trees.extractor.extract_from(context, list(candidates))
        return trees._predict(xs=[each.numpy().astype("float32") for each in features])


def _handle(model: CostModel) -> Any:
    """The model as TVM's search knows one."""
    from tvm.ir.utils import derived_object
    from tvm.s_tir.meta_schedule.cost_model import PyCostModel

    asked = weakref.ref(model)  # TVM never lets go of the class

    @derived_object
    class Delegate(PyCostModel):  # type: ignore[misc]
        """Asks the model, as long as a search has it."""

        def load(self, path: str) -> None:
            raise NotImplementedError("A cost model is trained anew from the project's records.")

        def save(self, path: str) -> None:
            raise NotImplementedError("A cost model is trained anew from the project's records.")

        def update(self, context: Any, candidates: Any, results: Any) -> None:
            if (model := asked()) is not None:
                model.update(context, candidates, results)

        def predict(self, context: Any, candidates: Any) -> Any:
            model = asked()
            return (
                np.zeros(len(candidates)) if model is None else model.predict(context, candidates)
            )

    return Delegate()
