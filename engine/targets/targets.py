"""Targets: what a person's text means to TVM, and whether this machine can run it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from engine.records.errors import Hint, TargetError
from engine.records.machine import (
    TargetSpec,
    arch_number,
    cuda_devices,
    host_fields,
    local_cpu,
    local_cuda,
    local_named,
    prepare_environment,
    usable_cores,
)
from engine.records.sentences import Sentence, some
from engine.targets.cpu_features import missing_features
from engine.targets.fields import FORM, require_fields
from engine.targets.old_form import fields_of
from engine.targets.presets import preset_fields
from engine.targets.remote_target import as_remote, presumed_fields, split_remote

__all__ = ["TargetSpec", "cuda_devices", "local_targets", "resolve", "to_tvm"]

_MOST_INSIDE = 20  # braces: TVM's own descriptions of targets have five at most
_NAMED = 8  # features that a sentence lists
_GPU_KINDS = ("rocm", "vulkan", "metal", "opencl", "webgpu")


def resolve(text: str = "auto", device: str = "", uuid: str = "") -> TargetSpec:
    """The target a person means: "auto", "cpu", "cuda", "cuda:N", a preset, TVM's tag or JSON.

    One of a remote device has its address before it: "rpc://HOST:PORT/KEY cpu",
    "dask://HOST:PORT auto". What it answers means the same when its `text` is resolved again, with
    its `device` and `uuid` where several GPUs of this machine fit the text: the UUID decides,
    whatever the index is now. Raises TargetError where TVM does not know the target or this
    machine cannot run it.
    """
    spec = _resolve(text)
    if not device.startswith("cuda:") or not spec.is_gpu or spec.remote:
        return spec
    least = arch_number(_arch(spec))
    here = [one for one in map(local_cuda, cuda_devices()) if arch_number(_arch(one)) >= least]
    known = {one.device: one for one in here} | {one.uuid: one for one in here if one.uuid}
    found = known.get(uuid) or known.get(device)
    if found is None:
        return spec
    title = _cuda_title(found, _arch(spec))
    return replace(spec, device=found.device, title=title, uuid=found.uuid)


def device_missed(spec: TargetSpec, device: str, uuid: str) -> Sentence | None:
    """A sentence where `resolve` of `device` and `uuid` had to answer with another GPU."""
    there = spec.uuid == uuid if uuid else device in ("", spec.device)
    if there or spec.remote or not spec.is_gpu:
        return None
    return Sentence(
        "{missed}, which the project was tuned on, is not here: it goes on with {device}.",
        missed=f"{device} ({uuid})" if uuid else device,
        device=spec.device,
    )


def _resolve(text: str) -> TargetSpec:
    text = text.strip() or "auto"
    if (remote := split_remote(text)) is not None:
        return _remote(*remote)
    return local_named(text) or _given(text)


def local_targets() -> tuple[TargetSpec, ...]:
    """Every target of this machine, the one that `auto` picks first."""
    return (*(local_cuda(index) for index in cuda_devices()), local_cpu())


def to_tvm(spec: TargetSpec) -> Any:
    """The `tvm.target.Target` of a spec, with its host. TargetError for fields it cannot have."""
    prepare_environment()
    from tvm.target import Target

    fields = json.loads(spec.text)
    require_fields(fields)
    target = Target(fields)
    return target if not spec.is_gpu or target.host else target.with_host(Target(host_fields()))


def _remote(address: str, text: str) -> TargetSpec:
    """The target of a device elsewhere, of which only TVM's and LLVM's words can be checked."""
    prepare_environment()
    target = _construct(presumed_fields(address, text) or _parse(text), text)
    _known_cpu(target)
    if str(target.kind.name) != "llvm" and not target.host:
        from tvm.target import Target

        target = target.with_host(Target({"kind": "llvm"}))  # not this machine's processor
    return as_remote(address, _export(target))


def _given(text: str) -> TargetSpec:
    """The target of a TVM kind, tag or JSON.

    The kind is judged before TVM constructs a target: for some kinds it looks for their tools
    and prints that it found none.
    """
    prepare_environment()
    described = _parse(text)
    kind = described.get("kind", "") if isinstance(described, dict) else described
    _refuse_kind(kind)
    if kind == "cuda":
        local_cuda(0)
    target = _construct(described, text)
    kind = str(target.kind.name)
    _refuse_kind(kind)
    return _checked_cuda(target) if kind == "cuda" else _checked_cpu(target)


def _parse(text: str) -> Any:
    if not text.startswith("{"):
        return preset_fields(text) or fields_of(text) or text
    try:
        found = json.loads(text)
        if text.count("{") > _MOST_INSIDE:
            raise RecursionError("one target has one host")
        return found
    except (ValueError, RecursionError) as error:  # ValueError: of a number without end, too
        raise TargetError(
            Sentence("The target is not valid JSON: {error}.", error=error), "Check its quotes."
        ) from None


def _refuse_kind(kind: Any) -> None:
    from tvm.target import Target

    if kind in ("llvm", "cuda") or kind not in map(str, Target.list_kinds()):
        return
    what = (
        Sentence("The target {kind} has no device on this machine.", kind=kind)
        if kind in _GPU_KINDS
        else Sentence("The target {kind} has no runner on this machine.", kind=kind)
    )
    raise TargetError(
        what,
        "Choose one that this machine has.",
        Hint.TARGETS,
    )


def _construct(described: Any, text: str) -> Any:
    from tvm.target import Target

    if isinstance(described, dict):
        require_fields(described)
    try:
        return Target(described)
    except Exception as error:  # TVM raises whatever its parser does
        shown = text if len(text) <= 80 else f"{text[:77]}..."
        reason = str(error).replace(text, shown).split(". ")[0].strip().rstrip(".")
        raise TargetError(
            Sentence(
                "TVM does not know the target {shown!r}: {reason}.", shown=shown, reason=reason
            ),
            FORM,
        ) from None


def _checked_cuda(target: Any) -> TargetSpec:
    """The target on the device that suits it best; limits it leaves out are the device's."""
    _known_cpu(target)
    specs = [local_cuda(index) for index in cuda_devices()] or [local_cuda(0)]
    wanted = str(target.attrs.get("arch", ""))
    here = next((spec for spec in specs if _arch(spec) == wanted), specs[0])
    have = _arch(here)
    if arch_number(wanted) > arch_number(have):
        raise TargetError(
            Sentence(
                "The target asks for {wanted}, and the GPU here is {have}.",
                wanted=wanted,
                have=have,
            ),
            Sentence("Use {have} or cuda.", have=have),
        )
    fields = json.loads(here.text) | _export(target)
    text = json.dumps(fields, sort_keys=True)
    title = _cuda_title(here, wanted or have)
    return replace(here, text=text, title=title)


def _cuda_title(device: TargetSpec, arch: str) -> str:
    """The device's name, with the architecture where that is not its own."""
    return device.title if arch == _arch(device) else f"{device.title} as {arch}"


def _arch(spec: TargetSpec) -> str:
    return str(json.loads(spec.text)["arch"])


def _checked_cpu(target: Any) -> TargetSpec:
    from tvm.target import codegen

    mcpu = str(target.attrs.get("mcpu", "") or host_fields()["mcpu"])
    host = str(codegen.llvm_get_system_triple())
    triple = str(target.attrs.get("mtriple", "")) or host
    wanted, have = (text.split("-", maxsplit=1)[0] for text in (triple, host))
    if wanted != have:
        raise TargetError(
            Sentence(
                "The target is for {wanted}, and this machine is {have}.", wanted=wanted, have=have
            ),
            "Choose a target of this machine, or write the address of a device before it.",
            Hint.TARGETS,
        )
    _known_cpu(target)
    _refuse_features(target, mcpu)
    fields = {**_export(target), "mcpu": mcpu}
    cores = int(fields.setdefault("num-cores", usable_cores()))
    if cores < 1:
        raise TargetError(
            Sentence("A target of {cores} cores cannot run.", cores=cores),
            "Give num-cores above zero.",
        )
    cores = min(cores, usable_cores())
    return TargetSpec(json.dumps(fields, sort_keys=True), f"cpu {mcpu} x{cores}", "cpu", cores)


def _known_cpu(target: Any) -> None:
    """Refuse a processor or features, the host's, too, that LLVM does not know and would ignore,
    or that cannot be the machine's."""
    from tvm.target import codegen

    if target.host:
        _known_cpu(target.host)
    if str(target.kind.name) != "llvm":
        return
    triple = str(target.attrs.get("mtriple", ""))
    mcpu = str(target.attrs.get("mcpu", ""))
    if mcpu and not codegen.llvm_is_valid_cpu(mcpu, triple or codegen.llvm_get_system_triple()):
        raise TargetError(
            Sentence("LLVM knows no processor {mcpu!r}.", mcpu=mcpu),
            "Write cpu for this machine's own.",
        )
    asked = {str(name).lstrip("+-") for name in target.attrs.get("mattr", None) or ()}
    unknown = sorted(asked - _known_features(triple)) if asked else []
    if unknown:
        raise TargetError(
            Sentence("LLVM knows no feature {names}.", names=", ".join(unknown)),
            "Correct the mattr.",
        )
    if (mcpu or asked) and not _has_words(target, triple):
        raise TargetError(
            Sentence(
                "The target {name} has no 64-bit code, which {machine} runs.",
                name=mcpu or Sentence("given by its mattr"),
                machine=triple or Sentence("this machine"),
            ),
            "Correct it.",
        )


def _has_words(target: Any, triple: str) -> bool:
    """Whether a processor has what its machine's code is made of: LLVM aborts where it has not."""
    from tvm.target import codegen

    machine = (triple or str(codegen.llvm_get_system_triple())).partition("-")[0]
    wide = machine in ("x86_64", "amd64", "riscv64")
    return not wide or "64bit" in map(str, codegen.llvm_get_cpu_features(target))


def _refuse_features(target: Any, mcpu: str) -> None:
    """Refuse features that this processor lacks: its code would end in SIGILL."""
    if missing := missing_features(target):
        raise TargetError(
            Sentence(
                "The target {mcpu} uses {names}, which this processor lacks.",
                mcpu=mcpu,
                names=some(missing, _NAMED),
            ),
            "Write cpu for this machine's own.",
        )


def _known_features(triple: str) -> set[str]:
    """The features of all the processors that LLVM knows of an architecture."""
    from tvm.target import Target, codegen

    base = {"kind": "llvm", **({"mtriple": triple} if triple else {})}
    return {
        str(feature)
        for cpu in codegen.llvm_get_cpu_archlist(Target(base))
        for feature in codegen.llvm_get_cpu_features(Target({**base, "mcpu": str(cpu)}))
    }


def _export(target: Any) -> dict[str, Any]:
    fields: dict[str, Any] = _plain(target.export())
    return fields


def _plain(value: Any) -> Any:
    """JSON-ready, without the empty texts that stand for what was not given."""
    if isinstance(value, (str, int, float, bool)):
        return value
    if hasattr(value, "items"):
        return {str(key): _plain(item) for key, item in value.items() if item != ""}
    return [_plain(item) for item in value]
