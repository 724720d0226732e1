"""The source of the package in a wheel: `load`, and the types of inputs and outputs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_NUMPY = re.compile(r"bool|u?int(?:8|16|32|64)|float(?:16|32|64)")

_TEXT = '''\
"""A model that Tunewright compiled: `load().run(inputs)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypedDict, cast, overload

import numpy as np
from numpy.typing import NDArray

from {package}.module.executor import load as _load

__all__ = ["INPUTS", "OUTPUTS", "SHA256", "Array", "Inputs", "Module", "Outputs", "load"]
__version__ = {version!r}

SHA256 = {sha256!r}
"""Of the manifest: `load` takes no other module."""
INPUTS: Mapping[str, tuple[tuple[int, ...], str]] = {inputs!r}
"""Shape and dtype of each input."""
OUTPUTS: Mapping[str, tuple[tuple[int, ...], str]] = {outputs!r}
"""Shape and dtype of each output."""


class Array(Protocol):
    """An array of a library that speaks DLPack: PyTorch's, CuPy's."""

    def __dlpack_device__(self) -> tuple[Any, Any]: ...


Inputs = TypedDict("Inputs", {{{input_types}}})
Outputs = TypedDict("Outputs", {{{output_types}}})


class Runner(Protocol):
    """What answers; several threads may call it."""

    @overload
    def run(self, inputs: Inputs) -> Outputs: ...
    @overload
    def run(
        self, inputs: Inputs, outputs: Mapping[str, Any], stream: Any = None
    ) -> Mapping[str, Any]: ...


class Pool(Runner, Protocol):
    """Executors that answer at the same time."""

    def close(self) -> None: ...


class Module(Runner, Protocol):
    """The loaded module."""

    @property
    def input_buffers(self) -> Mapping[str, Any]: ...
    @property
    def output_buffers(self) -> Mapping[str, Any]: ...
    def execute(self, stream: Any = None) -> None: ...
    def bind(
        self, inputs: Mapping[str, Any], outputs: Mapping[str, Any]
    ) -> Callable[..., None]: ...
    def pool(self, size: int) -> Pool: ...


def load(device: str = "") -> Module:
    """The module, on the device that it was made for or another of its kind; ValueError says in a
    sentence why it does not run here."""
    return cast(Module, _load(Path(__file__).parent / "module", device, SHA256))
'''


def package_text(package: str, version: str, manifest: Mapping[str, Any]) -> str:
    """The package's `__init__.py`; names of inputs and outputs, which are a stranger's, stand in
    it as literals only."""
    return _TEXT.format(
        package=package,
        version=version,
        sha256=manifest["sha256"],
        inputs=_specs(manifest["inputs"]),
        outputs=_specs(manifest["outputs"]),
        input_types=_types(manifest["inputs"], " | Array"),
        output_types=_types(manifest["outputs"], ""),
    )


def _specs(items: list[dict[str, Any]]) -> dict[str, tuple[tuple[int, ...], str]]:
    return {item["name"]: (tuple(item["shape"]), item["dtype"]) for item in items}


def _types(items: list[dict[str, Any]], other: str) -> str:
    """The fields of a TypedDict; Any for numbers that NumPy does not have."""
    return ", ".join(
        f"{item['name']!r}: NDArray[np.{item['dtype']}]{other}"
        if _NUMPY.fullmatch(item["dtype"])
        else f"{item['name']!r}: Any"
        for item in items
    )
