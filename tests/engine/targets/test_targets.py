"""Targets: what auto finds, what text means, and a sentence for each thing refused."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import Any

import pytest

from engine.records import machine
from engine.records.errors import Hint, TargetError
from engine.records.machine import usable_cores
from engine.targets import cpu_features, targets
from engine.targets.targets import (
    TargetSpec,
    cuda_devices,
    device_missed,
    local_targets,
    resolve,
    to_tvm,
)

no_cuda = pytest.mark.skipif(bool(cuda_devices()), reason="this machine has a CUDA device")
x86 = pytest.mark.skipif(os.uname().machine != "x86_64", reason="names x86 processors")


def refused(text: str) -> TargetError:
    """The error for a target, which holds two short sentences and is a wrong request."""
    with pytest.raises(TargetError) as caught:
        resolve(text)
    error = caught.value
    assert error.what.endswith(".")
    assert error.todo.endswith((".", "}."))
    assert len(error.what) < 300
    assert "\n" not in error.what
    assert error.usage
    return error


@no_cuda
@pytest.mark.parametrize("text", ["auto", "", "  ", "cpu", " cpu "])
def test_auto_is_the_cpu_where_there_is_no_gpu(text: str) -> None:
    spec = resolve(text)
    assert spec.device == "cpu"
    assert not spec.is_gpu
    assert spec.cores == usable_cores()
    fields = json.loads(spec.text)
    assert fields["kind"] == "llvm"
    assert fields["num-cores"] == usable_cores()
    assert fields["mcpu"] in spec.title


def test_local_targets_begin_with_what_auto_picks() -> None:
    assert local_targets()[0] == resolve("auto")
    assert local_targets()[-1] == resolve("cpu")


@pytest.mark.parametrize(
    "text",
    [
        "cpu",
        "llvm",
        '{"kind": "llvm", "num-cores": 1}',
        '{"kind": "llvm", "host": {"kind": "llvm"}}',
        pytest.param('{"kind": "llvm", "mcpu": "x86-64-v2", "mattr": ["+sse4.2"]}', marks=x86),
    ],
)
def test_a_resolved_target_means_the_same_when_it_is_read_again(text: str) -> None:
    first = resolve(text)
    again = resolve(first.text)
    assert str(to_tvm(again)) == str(to_tvm(first))
    assert again.cores == first.cores
    assert resolve(again.text) == again


def test_fewer_cores_than_the_machine_has_are_taken_and_more_are_not() -> None:
    assert resolve('{"kind": "llvm", "num-cores": 1}').cores == 1
    assert resolve('{"kind": "llvm", "num-cores": 4096}').cores == usable_cores()


@pytest.mark.parametrize("cores", [0, -3])
def test_a_target_without_cores_is_refused(cores: int) -> None:
    assert "cores" in refused(json.dumps({"kind": "llvm", "num-cores": cores})).what


@pytest.mark.parametrize(
    "text", ["nonsense", "llvm/x", "x" * 500, "[1]", "5", "字 ü", '"llvm"', '{"kind": "fpga"}']
)
def test_an_unknown_target_is_refused_by_name(text: str) -> None:
    error = refused(text)
    assert text[:20] in error.what
    assert "cpu" in error.todo


@pytest.mark.parametrize("hosts", [100, 500, 50_000])
def test_a_target_with_hosts_without_end_is_refused(hosts: int) -> None:
    text = '{"kind":"llvm","host":' * hosts + '"llvm"' + "}" * hosts
    assert "not valid JSON" in refused(text).what


@pytest.mark.parametrize("text", ["{bad", '{"kind": "llvm"', "{'kind': 'llvm'}"])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    assert "not valid JSON" in refused(text).what


@pytest.mark.parametrize("text", ["{}", '{"kind": 5}', '{"kind": null}', '{"kind": ["llvm"]}'])
def test_json_without_a_kind_is_refused(text: str) -> None:
    assert "kind" in refused(text).what


@pytest.mark.parametrize("text", ['{"kind": "llvm", "foo": 1}', '{"kind": "llvm", "mcpu": 3}'])
def test_a_field_that_tvm_does_not_take_is_refused_by_name(text: str) -> None:
    assert ("foo" if "foo" in text else "mcpu") in refused(text).what


@x86
@pytest.mark.parametrize(
    ("former", "fields"),
    [
        ("llvm -mcpu=x86-64-v2", {"mcpu": "x86-64-v2"}),
        ("llvm -mcpu x86-64-v2 -num-cores 1", {"mcpu": "x86-64-v2", "num-cores": 1}),
        ("llvm --mcpu=x86-64-v2 --num-cores=1", {"mcpu": "x86-64-v2", "num-cores": 1}),
        (
            "llvm -mattr=+sse4.2,-avx -mcpu=x86-64-v2",
            {"mcpu": "x86-64-v2", "mattr": ["+sse4.2", "-avx"]},
        ),
        ("llvm  -keys=cpu  -mcpu=x86-64", {"mcpu": "x86-64", "keys": ["cpu"]}),
        (
            "llvm -host='llvm -mcpu=x86-64' -mcpu=x86-64",
            {"mcpu": "x86-64", "host": {"kind": "llvm", "mcpu": "x86-64"}},
        ),
    ],
)
def test_tvms_former_text_is_the_target_of_its_fields(former: str, fields: dict[str, Any]) -> None:
    assert resolve(former).text == resolve(json.dumps({"kind": "llvm", **fields})).text


@no_cuda
def test_the_former_text_of_a_gpu_is_one_of_a_gpu() -> None:
    assert "no CUDA device" in refused("cuda -arch=sm_90").what
    assert "no device" in refused("vulkan -from_device=0").what


def test_the_former_text_of_a_remote_device_is_read_too() -> None:
    former = "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72 -num-cores=4"
    spec = resolve(f"rpc://host:9190/board {former}")
    assert (spec.cores, json.loads(spec.text)["mcpu"]) == (4, "cortex-a72")


@pytest.mark.parametrize(
    ("former", "told"),
    [
        ("llvm -mcpu=a -mcpu=b", "mcpu stands there twice"),
        ("llvm -mcpu=a b", "'b' is no option"),
        ("llvm -", "'-' is no option"),
        ("llvm -mcpu='a", "a quote has no end"),
        ("llvm -foo=1", "foo"),
        ("llvm -mcpu=pentium99", "pentium99"),
        ("llvm " + "-x" * 200, "..."),
        ("nothing -mcpu=a", "nothing"),
    ],
)
def test_a_former_text_that_is_not_clear_is_refused_with_the_form_that_works(
    former: str, told: str
) -> None:
    error = refused(former)
    assert told in error.what
    assert '{"kind": "llvm"' in error.todo or "cpu" in error.todo


@pytest.mark.parametrize("kind", ["rocm", "vulkan", "metal", "opencl", "webgpu", "hexagon", "c"])
@pytest.mark.parametrize("form", ["{}", '{{"kind": "{}"}}'])
def test_a_kind_without_hardware_here_is_refused_in_silence(
    kind: str, form: str, capfd: pytest.CaptureFixture[str]
) -> None:
    error = refused(form.format(kind))
    assert f"target {kind} has no" in error.what
    assert error.hint is Hint.TARGETS
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("qcom/adreno-opencl-clml", "opencl"),
        ('{"kind": "composite", "devices": ["llvm", "cuda"]}', "composite"),
    ],
)
def test_tags_and_composites_are_judged_by_their_kind(text: str, kind: str) -> None:
    assert kind in refused(text).what


@no_cuda
@pytest.mark.parametrize("text", ["cuda", "cuda:0", "cuda:1", '{"kind": "cuda", "arch": "sm_90"}'])
def test_cuda_is_refused_where_there_is_none(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert "no CUDA device" in refused(text).what
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "text", ["cuda:", "cuda:x", "cuda:-1", "cuda:1.5", "cuda:²", f"cuda:{9**99}"]
)
def test_a_cuda_device_is_named_by_its_number(text: str) -> None:
    assert "names no CUDA device" in refused(text).what


@x86
@pytest.mark.parametrize(
    "text",
    [
        "raspberry-pi/4b-aarch64",
        '{"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72"}',
        '{"kind": "llvm", "mtriple": "riscv64-linux-gnu"}',
    ],
)
def test_another_architecture_is_refused(text: str) -> None:
    error = refused(text)
    assert "this machine is x86_64" in error.what


def test_a_processor_that_llvm_does_not_know_is_refused() -> None:
    assert "'pentium99'" in refused('{"kind": "llvm", "mcpu": "pentium99"}').what


def test_a_misspelt_feature_is_refused_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    error = refused('{"kind": "llvm", "mattr": ["+avx5i2", "-nothing"]}')
    assert "avx5i2, nothing" in error.what
    assert capfd.readouterr() == ("", "")


@x86
def test_a_processor_with_more_than_this_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def old_machine() -> dict[str, Any]:
        return {"kind": "llvm", "mcpu": "x86-64-v2", "num-cores": 2}

    for module in (targets, cpu_features):
        monkeypatch.setattr(module, "host_fields", old_machine)
    assert "avx512f" in refused('{"kind": "llvm", "mcpu": "x86-64-v4"}').what
    assert "avx2" in refused('{"kind": "llvm", "mattr": ["+avx2"], "mcpu": "x86-64"}').what
    assert resolve('{"kind": "llvm", "mcpu": "x86-64-v2"}').device == "cpu"


FLAGS = "fpu sse sse2 pni ssse3 sse4_1 sse4_2 popcnt abm movbe fma f16c avx avx2 bmi1 bmi2"
LACKED = ["avxvnni", "avx512f", "avx512fp16", "amx-tile", "vaes", "gfni", "avxifma"]


@pytest.fixture
def haswell(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose processor LLVM takes for one with more, as Linux says what it has."""
    fields = {"kind": "llvm", "mcpu": "sapphirerapids", "num-cores": 2}
    for module in (targets, cpu_features):
        monkeypatch.setattr(module, "host_fields", lambda: dict(fields))
    monkeypatch.setattr(cpu_features, "_told", lambda: frozenset(FLAGS.replace("_", "").split()))


@x86
@pytest.mark.parametrize("feature", LACKED)
@pytest.mark.parametrize("mcpu", ["x86-64-v3", "sapphirerapids", ""])
def test_a_feature_that_the_processor_lacks_is_refused_by_name(
    haswell: None, feature: str, mcpu: str
) -> None:
    given = {"kind": "llvm", "mattr": [f"+{feature}"]} | ({"mcpu": mcpu} if mcpu else {})
    assert f"{feature}, which" in refused(json.dumps(given)).what


@x86
@pytest.mark.parametrize("feature", ["avx2", "fma", "bmi2", "lzcnt", "f16c", "sse4.2", "movbe"])
def test_a_feature_that_the_processor_has_is_taken(haswell: None, feature: str) -> None:
    given = {"kind": "llvm", "mcpu": "x86-64", "mattr": [f"+{feature}"]}
    assert resolve(json.dumps(given)).device == "cpu"


@x86
@pytest.mark.parametrize("mcpu", ["alderlake", "znver4", "graniterapids", "x86-64-v4"])
def test_a_processor_with_other_instructions_is_refused_by_them(haswell: None, mcpu: str) -> None:
    told = refused(f'{{"kind": "llvm", "mcpu": "{mcpu}"}}').what
    assert told.startswith(f"The target {mcpu} uses ")
    assert any(name in told for name in LACKED)


@x86
@pytest.mark.parametrize("text", ["llvm", '{"kind": "llvm", "mcpu": "sapphirerapids"}'])
def test_the_processor_that_llvm_takes_this_one_for_is_taken(haswell: None, text: str) -> None:
    assert resolve(text).device == "cpu"


@x86
def test_where_linux_does_not_say_llvm_does(haswell: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_features, "_told", frozenset)
    assert resolve('{"kind": "llvm", "mcpu": "x86-64", "mattr": ["+avxvnni"]}').device == "cpu"
    assert "avxifma" in refused('{"kind": "llvm", "mattr": ["+avxifma"]}').what


@x86
def test_a_device_elsewhere_may_have_what_this_one_lacks(haswell: None) -> None:
    text = '{"kind": "llvm", "mcpu": "alderlake", "num-cores": 4}'
    assert resolve(f"rpc://host:9190/board {text}").cores == 4


def cuda(index: int, arch: str) -> TargetSpec:
    """A GPU that this machine need not have."""
    fields = {"kind": "cuda", "arch": arch, "max_shared_memory_per_block": 1000 + index}
    return TargetSpec(json.dumps(fields), f"cuda {arch}", f"cuda:{index}", 2)


def everywhere(monkeypatch: pytest.MonkeyPatch, name: str, made: object) -> None:
    """What tells of this machine's devices, put in place of what asks CUDA."""
    for module in (targets, machine):
        monkeypatch.setattr(module, name, made)


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with an sm_90 and an sm_80."""
    everywhere(monkeypatch, "cuda_devices", lambda: (0, 1))
    everywhere(monkeypatch, "local_cuda", lambda i: cuda(i, ("sm_90", "sm_80")[i]))


@pytest.mark.usefixtures("two_gpus")
def test_auto_is_the_first_gpu() -> None:
    assert resolve("auto").device == "cuda:0"
    assert resolve("cuda:1").device == "cuda:1"
    assert [spec.device for spec in local_targets()] == ["cuda:0", "cuda:1", "cpu"]


@pytest.mark.usefixtures("two_gpus")
def test_a_given_cuda_target_goes_to_the_gpu_that_suits_it_with_its_limits() -> None:
    spec = resolve('{"kind": "cuda", "arch": "sm_80"}')
    assert spec.device == "cuda:1"
    assert json.loads(spec.text)["max_shared_memory_per_block"] == 1001
    assert resolve(spec.text) == spec
    older = resolve('{"kind": "cuda", "arch": "sm_75", "max_shared_memory_per_block": 7}')
    assert older.device == "cuda:0"
    assert json.loads(older.text)["max_shared_memory_per_block"] == 7


@pytest.mark.usefixtures("two_gpus")
def test_a_given_cuda_target_is_called_by_its_devices_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ("cuda NVIDIA H200", "cuda NVIDIA A100")
    archs = ("sm_90", "sm_80")
    named = [replace(cuda(i, arch), title=names[i]) for i, arch in enumerate(archs)]
    everywhere(monkeypatch, "local_cuda", lambda i: named[i])
    assert [resolve(spec.text).title for spec in named] == list(names)
    older = resolve('{"kind": "cuda", "arch": "sm_75"}')
    assert older.title == "cuda NVIDIA H200 as sm_75"


@pytest.mark.parametrize(
    ("device", "uuid", "found"),
    [
        ("cuda:1", "GPU-b", "cuda:1"),
        ("cuda:0", "GPU-b", "cuda:1"),  # counted otherwise since
        ("cuda:7", "GPU-a", "cuda:0"),
        ("cuda:1", "", "cuda:1"),  # a project of an earlier version
        ("cuda:1", "GPU-gone", "cuda:1"),
        ("cuda:7", "GPU-gone", "cuda:0"),
        ("cuda:2", "GPU-c", "cuda:0"),  # too old for the target
        ("", "", "cuda:0"),
    ],
)
def test_a_projects_gpu_is_found_by_its_uuid_then_by_its_index(
    monkeypatch: pytest.MonkeyPatch, device: str, uuid: str, found: str
) -> None:
    archs, uuids = ("sm_90", "sm_90", "sm_80"), ("GPU-a", "GPU-b", "GPU-c")
    gpus = [replace(cuda(i, arch), uuid=uuids[i]) for i, arch in enumerate(archs)]
    everywhere(monkeypatch, "cuda_devices", lambda: tuple(range(len(gpus))))
    everywhere(monkeypatch, "local_cuda", lambda i: gpus[i])
    spec = resolve(gpus[0].text, device, uuid)
    assert (spec.device, spec.text) == (found, resolve(gpus[0].text).text)
    assert spec.uuid == gpus[int(found[-1])].uuid
    missed = device_missed(spec, device, uuid)
    assert bool(missed) == (uuid == "GPU-gone" or device == "cuda:2")
    assert not missed or f"goes on with {found}" in missed


@pytest.mark.usefixtures("two_gpus")
def test_an_architecture_newer_than_the_gpu_is_refused() -> None:
    assert "sm_100" in refused('{"kind": "cuda", "arch": "sm_100"}').what


def test_a_gpu_target_has_this_machines_cpu_for_its_host() -> None:
    host = to_tvm(cuda(0, "sm_90")).host
    assert str(host.attrs["mcpu"]) == machine.host_fields()["mcpu"]
