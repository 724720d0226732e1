"""What every front end's module goes through before it is lowered."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.models.relax.importing import INPUT_NAMES, symbolic_results
from engine.models.relax.wide_sums import with_wide_sums
from engine.records.errors import ModelError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    import tvm


def finished(module: tvm.ir.IRModule, input_names: Iterable[str]) -> tvm.ir.IRModule:
    """The module with its inputs' names, in operators for inference.

    ModelError where a shape is not fixed.
    """
    from tvm import relax

    if dynamic := symbolic_results(module["main"]):
        raise ModelError(
            Sentence("Shapes in the model depend on its data because of {names}.", names=dynamic),
            "Cut the model before these operators.",
        )
    main = module["main"].with_attr(INPUT_NAMES, json.dumps(list(input_names)))
    module.update_func(module.get_global_var("main"), main)
    module = with_wide_sums(relax.transform.DecomposeOpsForInference()(module))
    return relax.transform.CanonicalizeBindings()(module)
