"""N-grams of numbers counted by comparing, against ONNX Runtime's own search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.rewriting.driver import rewrite
from tests.engine.models.rewriting.same import operators, rewritten

POOL = [2, 3, 5, 4, 5, 6, 7, 8, 6, 7, 3, 3]  # four grams of one number, four of two
IN_ORDER = [0, 1, 2, 3, 4, 5, 6, 7]
SPREAD = [5, 0, 4, 1, 3, 6, 7, 2]
SHARED = [5, 0, 9, 1, 3, 3, 7, 2]  # two at one place, none at some


def vectorizer(shape: tuple[int, ...], kind: int, **options: Any) -> ModelProto:
    """Counts of the pool's grams in numbers of a type."""
    settings: dict[str, Any] = {
        "mode": "TF",
        "min_gram_length": 1,
        "max_gram_length": 2,
        "max_skip_count": 0,
    }
    settings |= {"pool_int64s": POOL, "ngram_counts": [0, 4], "ngram_indexes": IN_ORDER, **options}
    wide = max(options.get("ngram_indexes", IN_ORDER)) + 1
    graph = helper.make_graph(
        [helper.make_node("TfIdfVectorizer", ["x"], ["y"], "count", **settings)],
        "counts",
        [helper.make_tensor_value_info("x", kind, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (*shape[:-1], wide))],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


def numbers(shape: tuple[int, ...], kind: int) -> dict[str, np.ndarray]:
    drawn = np.random.default_rng(3).integers(2, 9, shape)
    return {"x": drawn.astype(helper.tensor_dtype_to_np_dtype(kind))}


@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("indexes", [IN_ORDER, SPREAD])
def test_counts_are_weighted_as_the_mode_says(
    mode: str, weighted: bool, indexes: list[int]
) -> None:
    weights = np.linspace(0.5, 2, max(indexes) + 1).tolist()
    options = {"weights": weights} if weighted else {}
    proto = vectorizer((3, 12), TensorProto.INT64, mode=mode, ngram_indexes=indexes, **options)
    rewritten(proto, "TfIdfVectorizer", numbers((3, 12), TensorProto.INT64))


@pytest.mark.parametrize("kind", [TensorProto.INT32, TensorProto.INT64])
@pytest.mark.parametrize("shape", [(12,), (1, 12), (4, 7), (2, 1)])
@pytest.mark.parametrize("lengths", [(1, 1), (1, 2), (2, 2)])
@pytest.mark.parametrize("skips", [0, 1, 5])
def test_windows_of_every_length_and_gap_are_counted(
    kind: int, shape: tuple[int, ...], lengths: tuple[int, int], skips: int
) -> None:
    least, most = lengths
    options = {"min_gram_length": least, "max_gram_length": most, "max_skip_count": skips}
    proto = vectorizer(shape, kind, **options)
    rewritten(proto, "TfIdfVectorizer", numbers(shape, kind))


def test_grams_of_one_place_are_counted_together() -> None:
    proto = vectorizer((3, 12), TensorProto.INT64, ngram_indexes=SHARED)
    rewritten(proto, "TfIdfVectorizer", numbers((3, 12), TensorProto.INT64))


def test_grams_of_one_place_are_declined_where_they_have_weights() -> None:
    proto = vectorizer((2, 3), TensorProto.INT64, mode="IDF", ngram_indexes=SHARED)
    assert rewrite(proto).notes == {"count": "several of its grams share a place"}


def test_a_pool_of_texts_is_declined_with_the_reason() -> None:
    proto = vectorizer((2, 3), TensorProto.INT64)
    (node,) = proto.graph.node
    for attribute in list(node.attribute):
        if attribute.name == "pool_int64s":
            node.attribute.remove(attribute)
    node.attribute.append(helper.make_attribute("pool_strings", ["a"] * 12))
    done = rewrite(proto)
    assert operators(proto) == ["TfIdfVectorizer"]
    assert done.notes == {"count": "its words are texts"}
