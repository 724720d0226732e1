"""From a stranger's program to an archive of nothing but checked parts."""

from __future__ import annotations

import copy
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.models.pt2.archive import Archive, read_archive
from engine.models.pt2.rewrite import StaticProgram, rewritten
from engine.models.pt2.sizes import program_questions, symbol_values, user_inputs
from engine.records.errors import ModelError, ShapeError
from tests.engine.models.pt2 import build
from tests.engine.models.pt2.build import Json, node, size, tensor

Edit = Callable[[Json], None]


def archive_of(content: Json, folder: Path) -> Archive:
    return read_archive(build.saved(folder, build.archive(content)))


def made(content: Json, folder: Path, **shapes: tuple[int, ...]) -> StaticProgram:
    archive = archive_of(content, folder)
    return rewritten(archive, symbol_values(archive, user_inputs(archive), shapes))


def json_of(program: StaticProgram) -> Json:
    with zipfile.ZipFile(io.BytesIO(program.archive.tobytes())) as archive:
        content: Json = json.loads(archive.read("program/models/model.json"))
    return content


def test_the_new_program_has_numbers_for_sizes_and_the_old_names(tmp_path: Path) -> None:
    program = made(build.program(), tmp_path, x=(5, 3))
    assert [(name, spec.shape) for name, spec in program.inputs] == [("x", (5, 3))]
    assert [(name, spec.shape) for name, spec in program.outputs] == [("answer", (5, 3))]
    text = json.dumps(json_of(program))
    assert "Symbol" not in text and "cuda" not in text and "sym_size" not in text
    assert {"as_ints": [5, 3]} in [
        item["arg"] for item in json_of(program)["graph_module"]["graph"]["nodes"][1]["inputs"]
    ]


def test_open_sizes_are_asked_for_with_those_of_the_export(tmp_path: Path) -> None:
    archive = archive_of(build.program(), tmp_path)
    inputs = user_inputs(archive)
    (asked,) = program_questions(inputs)
    assert (asked.declared, asked.form, asked.why) == ("s0 x 3 float32", "4x3", "as exported")
    with pytest.raises(ShapeError, match="no value for its dynamic dimension 's0'"):
        symbol_values(archive, inputs, {})


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [((1, 3), "from 2 to 64"), ((65, 3), "from 2 to 64"), ((5, 4), "in the model"), ((5,), "1")],
)
def test_a_size_that_the_program_does_not_take_is_refused(
    shape: tuple[int, ...], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(ShapeError) as caught:
        made(build.program(), tmp_path, x=shape)
    assert sentence in f"{caught.value.what} {caught.value.todo}"


def test_a_size_that_depends_on_a_symbol_finds_it(tmp_path: Path) -> None:
    content = build.program("Mul(Integer(2), Symbol('s0', integer=True))")
    assert made(content, tmp_path, x=(8, 3)).inputs[0][1].shape == (8, 3)
    with pytest.raises(ShapeError, match="depends on another"):
        made(content, tmp_path, x=(7, 3))


def graph(content: Json) -> Json:
    found: Json = content["graph_module"]["graph"]
    return found


def renamed(old: str, new: str) -> Edit:
    def edit(content: Json) -> None:
        text = json.dumps(content).replace(json.dumps(old), json.dumps(new))
        content.clear()
        content.update(json.loads(text))

    return edit


def set_target(target: str) -> Edit:
    return lambda content: graph(content)["nodes"][1].update(target=target)


def set_argument(argument: Json) -> Edit:
    return lambda content: graph(content)["nodes"][1]["inputs"].append(
        {"name": "extra", "arg": argument, "kind": 2}
    )


@pytest.mark.parametrize("name", ["x):\n    import os  #", "class", "1", "é", "a.b", ""])
def test_names_become_identifiers(name: str, tmp_path: Path) -> None:
    content = build.program()
    renamed("x", name)(content)
    ((found, _),) = made(content, tmp_path, **{name: (4, 3)}).inputs
    assert found.isidentifier() and found.isascii()


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (set_target("torch.load"), "no operator of PyTorch's aten"),
        (set_target("torch.ops.aten.mul.Tensor.__class__"), "no operator of PyTorch's aten"),
        (set_target("torch.ops.aten.__init__.Tensor"), "no operator of PyTorch's aten"),
        (set_target("torch.ops.mylib.twist.default"), "no operator of PyTorch's aten"),
        (set_target("torch.ops.higher_order.cond"), "no operator of PyTorch's aten"),
        (set_target("_operator.add"), "no operator of PyTorch's aten"),
        (set_argument({"as_string": "/etc/passwd"}), "it takes text"),
        (set_argument({"as_operator": "os.system"}), "of the kind operator"),
        (set_argument({"as_custom_obj": {"name": "a", "class_fqn": "b"}}), "of the kind custom"),
        (set_argument({"as_bool": "yes"}), "damaged"),
        (
            lambda content: graph(content)["nodes"][1]["inputs"].append(
                {"name": "train", "arg": {"as_bool": True}, "kind": 1}
            ),
            "eval()",
        ),
        (
            lambda content: graph(content)["tensor_values"].update(
                y=build.meta(size("Symbol('u0')"), size(3))
            ),
            "depends on the program's data",
        ),
        (
            lambda content: graph(content)["sym_int_values"].update(rows=size("Symbol('u0')")),
            "rows depends on the program's data",
        ),
        (
            lambda content: graph(content)["tensor_values"].update(p_w=build.meta(size(2))),
            "not of the shape and type",
        ),
        (
            lambda content: content["graph_module"]["signature"]["output_specs"].insert(
                0, {"buffer_mutation": {"arg": {"name": "m"}, "buffer_name": "b"}}
            ),
            "buffer mutation",
        ),
        (
            lambda content: content["graph_module"]["signature"].update(
                output_specs=[{"user_output": {"arg": {"as_none": True}}}]
            ),
            "returns no tensor",
        ),
    ],
)
def test_what_is_not_taken_over_is_named(edit: Edit, sentence: str, tmp_path: Path) -> None:
    content = build.program()
    edit(content)
    with pytest.raises(ModelError) as caught:
        made(content, tmp_path, x=(4, 3))
    assert sentence in caught.value.what


def test_a_block_without_gradients_is_put_in_its_place(tmp_path: Path) -> None:
    content = build.program()
    inner = {
        "inputs": [tensor("x"), {"as_sym_int": {"as_name": "rows"}}],
        "outputs": [tensor("x_2")],
        "nodes": [node("torch.ops.aten.relu.default", {"self": tensor("x")}, tensor("x_2"))],
        "tensor_values": {name: build.meta(size(build.BATCH, 4), size(3)) for name in ("x", "x_2")},
        "sym_int_values": {"rows": size(build.BATCH, 4)},
    }
    arguments = {
        "": {"as_bool": False},
        "g": {"as_graph": {"name": "submod", "graph": inner}},
        "o": tensor("m"),
        "r": {"as_sym_int": {"as_name": "rows"}},
    }
    wrapped = node(
        "torch.ops.higher_order.wrap_with_set_grad_enabled",
        arguments,
        {"as_tensors": [{"name": "r"}]},
    )
    nodes = graph(content)["nodes"]
    nodes.insert(2, wrapped)
    nodes[3]["inputs"][0]["arg"] = tensor("r")
    found = json_of(made(content, tmp_path, x=(4, 3)))["graph_module"]["graph"]
    assert [one["target"].split(".")[3] for one in found["nodes"]] == ["mul", "relu", "reshape"]
    source = found["nodes"][0]["outputs"][0]
    assert found["nodes"][1]["inputs"][0]["arg"] == source
    assert found["nodes"][2]["inputs"][0]["arg"] == found["nodes"][1]["outputs"][0]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a JSON value with each of its keys."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        yield value, key
        if isinstance(inner, dict | list):
            yield from places(inner)


def test_a_program_of_damaged_structure_is_refused_or_rewritten(tmp_path: Path) -> None:
    dice = random.Random(0)
    archive = archive_of(build.program(), tmp_path)
    junk: list[Any] = [None, -1, 2**70, 1.5, "x", "", [], {}, True, {"as_int": 1}, "Symbol('s9')"]
    for _ in range(600):
        content = copy.deepcopy(archive.program)
        for _ in range(dice.randint(1, 3)):
            holder, key = dice.choice(list(places(content)))
            if dice.random() < 0.3:
                del holder[key]
            else:
                holder[key] = copy.deepcopy(dice.choice(junk))
        changed = Archive("net", content, archive.weights, archive.constants, "")
        try:
            inputs = user_inputs(changed)
            rewritten(changed, symbol_values(changed, inputs, {"x": (4, 3)}))
        except ModelError as error:
            assert error.what
