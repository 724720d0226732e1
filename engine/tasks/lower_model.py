"""A prepared model lowered, or the sentence that names the node which cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.models.prepare import PreparedModel
from engine.models.readers import Prepared
from engine.models.refusals.node_words import file_name, node_title, node_uses
from engine.records.errors import ModelError
from engine.records.precision import DEFAULT_PRECISION
from engine.records.sentences import Sentence, in_brackets
from engine.records.words import Doing, Say
from engine.tasks.culprit import OTHERWISE, NotLowered
from engine.tasks.lower import lower

if TYPE_CHECKING:
    from engine.targets.targets import TargetSpec

_SHOWN = 3


def lower_model(
    prepared: Prepared,
    target: TargetSpec,
    precision: str = DEFAULT_PRECISION,
    say: Say = lambda *said: None,
) -> Any:
    """The model's lowered module. To be called with `lower.ONE_AT_A_TIME`.

    Raises ModelError, which names the nodes of the file that cannot be imported or lowered.
    """
    say(Doing.IMPORTING)
    module = prepared.to_relax()
    say(Doing.LOWERING)
    try:
        return lower(module, target, precision)
    except NotLowered as error:
        raise _with_nodes(error, prepared) from error


def _with_nodes(error: NotLowered, prepared: Prepared) -> ModelError:
    """The error with the nodes of the file in place of the operator, where they are known."""
    if not error.places or not isinstance(prepared, PreparedModel):
        return error
    proto = prepared.proto
    nodes = [proto.graph.node[place] for place in sorted(error.places)]
    titles = list(dict.fromkeys(node_title(node, prepared.origins) for node in nodes))
    what = Sentence(
        "TVM cannot lower {nodes} for this target{uses}.",
        nodes=" + ".join(titles[:_SHOWN]),
        uses=in_brackets(node_uses(proto, nodes[0]) if len(titles) == 1 else ""),
    )
    return ModelError(what, OTHERWISE).at(file_name(nodes[0], prepared.origins))
