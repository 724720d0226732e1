"""Imports a rewritten PyTorch program into TVM's Relax."""

from __future__ import annotations

import logging
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from engine.models.pt2.program import load, quietly, reason
from engine.models.refusals.node_words import reason_of
from engine.models.relax.finish import finished
from engine.models.relax.importing import converted_node, import_lock
from engine.records.errors import ModelError, UnsupportedOperators
from engine.records.formats import PYTORCH
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    import numpy as np
    import tvm

log = logging.getLogger(__name__)


def to_relax(name: str, archive: np.ndarray, inputs: tuple[str, ...]) -> tvm.ir.IRModule:
    """The program as a Relax module with weights as constants; `main` takes `inputs` in order.

    UnsupportedOperators names every operator that TVM lacks.
    """
    from torch.fx import Node
    from tvm.relax.frontend.torch import from_exported_program

    with import_lock, quietly():
        program = decomposed(archive)
        _refuse_state(program)
        if missing := lacking(program):
            raise UnsupportedOperators(
                tuple(missing), tuple(nodes[0] for nodes in missing.values())
            )
        try:
            module = from_exported_program(
                program, run_ep_decomposition=False, unwrap_unit_return_tuple=True
            )
        except Exception as error:  # TVM raises whatever the converter of an operator does
            log.warning("TVM cannot import %s: %s", name, error)
            node = converted_node(error, Node)
            what = (
                Sentence(
                    "TVM cannot import {title}: {why}.",
                    title=f"{getattr(node.target, '__name__', node.target)} ({node.name})",
                    why=reason_of(error),
                )
                if node
                else Sentence("TVM cannot import {name}.", name=name)
            )
            raise ModelError(
                what,
                "Export the module without that operator.",
            ) from error
    return finished(module, inputs)


def decomposed(archive: np.ndarray) -> Any:
    """The program in PyTorch's core operators."""
    import torch

    program = load(archive)
    try:
        return program.run_decompositions()
    except Exception as error:  # as above
        raise ModelError(
            Sentence(
                "PyTorch {version} cannot break the program down into its core operators: {error}.",
                version=torch.__version__,
                error=reason(error),
            ),
            "Export it again with this version of PyTorch.",
        ) from error


def lacking(program: Any) -> dict[str, list[str]]:
    """The operators that TVM lacks, each with the names of its nodes."""
    from tvm.relax.frontend.torch.exported_program_translator import ExportedProgramImporter

    known = ExportedProgramImporter().create_convert_map()
    found: dict[str, list[str]] = defaultdict(list)
    for node in program.graph.nodes:
        if node.op == "call_function" and node.target.__name__ not in known:
            found[node.target.__name__].append(node.name)
    return dict(sorted(found.items()))


def _refuse_state(program: Any) -> None:
    """Name what the program changes beside returning its results: TVM would forget that."""
    changed = program.graph_signature.buffers_to_mutate | (
        program.graph_signature.user_inputs_to_mutate
    )
    if changed:
        names = ", ".join(sorted(set(changed.values())))
        raise ModelError(
            Sentence(
                "The program keeps a state that it changes as it runs ({names}), by {operators}.",
                names=names,
                operators=", ".join(sorted(changed)),
            ),
            Sentence(
                "Export the {title} module after eval(), with its state as in- and outputs.",
                title=PYTORCH.title,
            ),
        )
