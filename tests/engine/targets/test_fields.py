"""Fields of a target that a stranger may have written: only what is known, in the known form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.records.errors import TargetError
from engine.records.machine import TargetSpec
from engine.targets.targets import resolve, to_tvm

CUDA = {"kind": "cuda", "arch": "sm_80"}
CPU = {"kind": "llvm", "num-cores": 2}
AFAR = "rpc://127.0.0.1:9/k "
BAD: list[tuple[dict[str, Any], str, object]] = [
    *((CPU, "cl-opt", value) for value in (["-load=/tmp/x.so"], "-load=/tmp/x.so", [])),
    *((CPU, "libs", value) for value in (["cblas"], ["../x.so"], [])),
    *((CPU, "jit", value) for value in ("orcjit", "mcjit", "/tmp/x.so")),
    *((CPU, "mcpu", value) for value in ("a -cl-opt=b", "-x", "a\n", 3, None, ["a"], "a" * 65)),
    *((CPU, "mattr", value) for value in ("+avx", ["avx"], ["+a,+b"], ["+a b"], [3], ["+a"] * 301)),
    *((CPU, "mtriple", value) for value in ("a b", "../x", 5, "")),
    *((CPU, name, "x -cl-opt=-load=y") for name in ("model", "device", "mabi", "tag")),
    *((CPU, "mfloat-abi", value) for value in ("softfp", True)),
    *((CPU, "keys", value) for value in ("cpu", ["a b"], [["cpu"]])),
    *((CPU, "vector-width", value) for value in (0, -1, 2**40, "8", True, 1.5)),
    *((CPU, "opt-level", value) for value in (-1, 4, "3")),
    *((CPU, "num-cores", value) for value in (2**31, 9**99, "2", 2.0, True)),
    *((CPU, name, 1) for name in ("fast-math", "fast-math-nnan", "feature.has_sve")),
    *(
        (CPU, name, 0)
        for name in ("from_device", "target_device_type", "system-lib", "", "x" * 999)
    ),
    *((CUDA, "arch", value) for value in ("sm_80 -x", "compute_80", "sm_", 80)),
    *((CUDA, "thread_warp_size", value) for value in (0, -32, 2**20)),
    *((CUDA, "max_shared_memory_per_block", value) for value in (0, -1, 2**31)),
]


def refused(text: str) -> str:
    with pytest.raises(TargetError) as caught:
        resolve(text)
    assert len(caught.value.what) < 300
    assert "\n" not in caught.value.what
    return caught.value.what


@pytest.mark.parametrize(("fields", "name", "value"), BAD)
def test_a_field_that_is_not_known_or_of_another_form_is_refused_by_name(
    fields: dict[str, Any], name: str, value: object
) -> None:
    described = {**fields, name: value}
    if name != "tag":  # which is what is before the target's text
        assert name[:40] in refused(AFAR + json.dumps(described))
    host = {"kind": "llvm", "mcpu": "x86-64", name: value}
    assert name[:40] in refused(AFAR + json.dumps({**CUDA, "host": host}))
    if fields is CPU:
        assert name[:40] in refused(json.dumps(described))
    with pytest.raises(TargetError, match="target"):  # whoever has a text that nobody resolved
        to_tvm(TargetSpec(json.dumps(described), "", "cpu", 2))


@pytest.mark.parametrize("host", ["c", "cuda", 5, None, [], {}, {"kind": "c"}, {"mcpu": "x86-64"}])
@pytest.mark.parametrize("fields", [CPU, CUDA])
def test_a_host_that_is_no_cpu_is_refused(fields: dict[str, Any], host: object) -> None:
    assert "host" in refused(AFAR + json.dumps({**fields, "host": host}))


@pytest.mark.parametrize("triple", ["nonsense-linux-gnu", "riscv", "armv7foo", "x86_64x", "arm-"])
@pytest.mark.parametrize("where", ["target", "host"])
def test_a_machine_that_llvm_does_not_know_is_refused_in_silence(
    where: str, triple: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """LLVM crashes where it is asked about the processors of such a machine."""
    fields = {**CPU, "mtriple": triple, "mattr": ["+sse2"]}
    given = fields if where == "target" else {**CUDA, "host": fields}
    assert triple in refused(AFAR + json.dumps(given))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "machine",
    [
        *(
            "x86_64",
            "i386",
            "i686",
            "aarch64",
            "arm64",
            "arm",
            "armv6",
            "armv6l",
            "armv7",
            "armv7a",
        ),
        *("armv7l", "armv8", "armv8a", "armv8l", "armv6a", "riscv32", "riscv64", "powerpc64"),
        *("powerpc64le", "ppc64le", "s390x", "loongarch64"),
    ],
)
def test_the_processors_of_each_machine_that_is_taken_can_be_asked_for(machine: str) -> None:
    given = {**CPU, "mtriple": f"{machine}-linux-gnu", "mattr": ["+nonsense"]}
    assert "no feature nonsense" in refused(AFAR + json.dumps(given))


@pytest.mark.parametrize("more", [{"mcpu": "pentium99"}, {"mattr": ["+pentium99"]}])
def test_a_hosts_processor_is_one_that_llvm_knows(more: dict[str, Any]) -> None:
    assert "pentium99" in refused(AFAR + json.dumps({**CUDA, "host": {"kind": "llvm", **more}}))


@pytest.mark.parametrize(
    "fields",
    [
        *({"mtriple": "x86_64-linux-gnu", "mcpu": mcpu} for mcpu in ("i386", "i686", "pentium4")),
        {"mtriple": "x86_64-linux-gnu", "mattr": ["-64bit"]},
        {"mtriple": "riscv64-linux-gnu", "mcpu": "generic-rv32"},
        {"mtriple": "riscv64-linux-gnu", "mattr": ["-64bit"]},
    ],
)
def test_a_processor_of_narrower_words_than_its_machine_is_refused(fields: dict[str, Any]) -> None:
    """LLVM aborts the process that compiles for it."""
    assert "no 64-bit code" in refused(AFAR + json.dumps({**CPU, **fields}))
    host = {"kind": "llvm", **fields}
    assert "no 64-bit code" in refused(AFAR + json.dumps({**CUDA, "host": host}))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({**CPU, "mtriple": "aarch64-linux-gnu", "mattr": ["+neon", "-crc"]}),
        json.dumps({**CPU, "vector-width": 256, "opt-level": 2, "fast-math": True}),
        json.dumps({**CPU, "keys": ["cpu"], "model": "bcm2711", "device": "arm_cpu"}),
        json.dumps({**CUDA, "arch": "sm_90a", "host": "llvm", "registers_per_block": 65536}),
        *("raspberry-pi/4b-aarch64", "nvidia/jetson-agx-xavier", "nvidia/nvidia-h100"),
    ],
)
def test_what_tvms_own_descriptions_hold_is_taken_and_read_again(text: str) -> None:
    spec = resolve(AFAR + text)
    assert resolve(spec.text) == spec
    assert to_tvm(spec)
