"""What says yes or no says nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import TensorProto, defs, helper

from engine.models.loading import load_source
from engine.models.prepare import prepare
from engine.models.refusals.flags import FLAGS
from engine.records.errors import ModelError
from engine.records.source import ModelSource

NUMBERS = frozenset(
    (
        *("axis", "batch_axis", "batch_dims", "block_size", "blocksize", "chunk_size", "dtype"),
        *("end", "group", "hidden_size", "ignore_index", "k", "kv_num_heads", "left_window_size"),
        *("max_gram_length", "max_skip_count", "maxsplit", "min_gram_length", "num_groups"),
        *("num_heads", "num_outputs", "num_scan_inputs", "offset_group", "output_datatype"),
        *("output_dtype", "output_height", "output_width", "p", "precision", "q_num_heads"),
        *("qk_matmul_output_mode", "right_window_size", "rotary_embedding_dim", "sample_size"),
        *("sampling_ratio", "seed", "size", "softmax_precision", "start", "stash_type"),
        *("time_axis", "to", "value_int"),
    )
)


def test_each_whole_number_of_an_operator_is_known_as_one_or_as_a_flag() -> None:
    whole = defs.OpSchema.AttrType.INT
    named = {
        name
        for schema in defs.get_all_schemas_with_history()
        if schema.domain == ""
        for name, attribute in schema.attributes.items()
        if attribute.type == whole
    }
    assert not FLAGS & NUMBERS
    assert named <= FLAGS | NUMBERS
    assert named >= FLAGS


@pytest.mark.parametrize("value", [2, 3, -1])
@pytest.mark.parametrize(
    ("operator", "flag"),
    [("ReduceSum", "keepdims"), ("CumSum", "reverse"), ("Gemm", "transB"), ("Mod", "fmod")],
)
def test_another_number_is_refused_with_the_node(
    operator: str, flag: str, value: int, tmp_path: Path
) -> None:
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 2])
    other = helper.make_tensor("w", TensorProto.FLOAT, [2, 2], [1.0, 2, 3, 4])
    if operator in ("CumSum", "ReduceSum"):
        other = helper.make_tensor("w", TensorProto.INT64, [] if operator == "CumSum" else [1], [1])
    node = helper.make_node(operator, ["x", "w"], ["y"], name="here", **{flag: value})
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "g", [given], [result], [other])
    path = tmp_path / "net.onnx"
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(proto.SerializeToString())
    source = ModelSource("file", str(path))
    assert load_source(source)  # the checker finds nothing
    with pytest.raises(ModelError, match=rf"{operator} \(here\) has {flag} = {value}, which"):
        prepare(source)
