"""Layers of one input as one layer: their weights padded into one window and concatenated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.ios.facts import layer_facts
from engine.ios.layers import Layer
from engine.ios.merging_rules import Window, merged_window

if TYPE_CHECKING:
    import numpy as np


def merged_layer(layers: Sequence[Layer]) -> Layer:
    """The layer of these layers' output channels, one after another.

    They may merge (engine.ios.merging_rules). It has a bias where one of them has.
    """
    first, channels = layers[0], sum(layer.channels for layer in layers)
    merged = first
    if first.kind == "conv2d":
        window = _window(layers)
        inputs = first.weights[3] if first.channels_last else first.weights[1]
        height, width = window.kernel
        merged = replace(
            first,
            weights=(channels, height, width, inputs)
            if first.channels_last
            else (channels, inputs, height, width),
            dilation=window.dilation,
            padding=window.padding,
        )
    else:
        merged = replace(first, weights=(first.weights[0], channels))
    biases = [layer.bias for layer in layers if layer.bias is not None]
    return replace(merged, bias=_widened(biases[0], layers, channels) if biases else None)


def merged_constants(
    layers: Sequence[Layer], constants: Sequence[Sequence[np.ndarray]]
) -> list[np.ndarray]:
    """The constants of `merged_layer`, of the layers' own; a bias that one lacks is 0."""
    import numpy as np

    merged = merged_layer(layers)
    shapes = merged.constants()
    weights = np.zeros(shapes[0], merged.dtype)
    at = 0
    for place, (layer, own) in enumerate(zip(layers, constants, strict=True)):
        weights[_region(layers, place, at)] = own[0]
        at += layer.channels
    result = [weights]
    if merged.bias is not None:
        parts = [
            own[1].reshape(-1) if layer.bias else np.zeros(layer.channels, merged.dtype)
            for layer, own in zip(layers, constants, strict=True)
        ]
        result.append(np.concatenate(parts).reshape(merged.bias))
    return result


def _window(layers: Sequence[Layer]) -> Window:
    return merged_window([layer_facts(layer, 0) for layer in layers])


def _widened(bias: tuple[int, ...], layers: Sequence[Layer], channels: int) -> tuple[int, ...]:
    """A bias of one layer as one of all channels: the others may be of another rank."""
    owner = next(layer for layer in layers if layer.bias == bias)
    axis = owner.axis - len(owner.output) + len(bias)
    assert math.prod(bias) == bias[axis]
    return (*bias[:axis], channels, *bias[axis + 1 :])


def _region(layers: Sequence[Layer], place: int, at: int) -> tuple[slice, ...]:
    """Where in the merged weights those of a layer go, its channels from `at` on."""
    layer = layers[place]
    channels = slice(at, at + layer.channels)
    if layer.kind == "matmul":
        return (slice(None), channels)
    top, left = _window(layers).corners[place]
    window = (slice(top, top + layer.kernel[0]), slice(left, left + layer.kernel[1]))
    return (channels, *window, slice(None)) if layer.channels_last else (
        channels, slice(None), *window
    )  # fmt: skip
