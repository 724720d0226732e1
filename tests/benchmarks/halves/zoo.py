"""The PyTorch models of ../shared/models, built with random weights, and their inputs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

Inputs = dict[str, tuple[int, ...]]
"""Shapes by the names that the exported graphs give their inputs."""

_TOKENS = 128


def _bert(width: int, layers: int) -> Callable[[], tuple[Any, list[Any]]]:
    def made() -> tuple[Any, list[Any]]:
        torch, zoo = _torch(), importlib.import_module("transformers")
        config = zoo.BertConfig(
            hidden_size=width,
            num_hidden_layers=layers,
            num_attention_heads=12,
            intermediate_size=4 * width,
        )
        tokens = torch.randint(0, 1000, (1, _TOKENS), device="cuda")
        return zoo.BertModel(config), [tokens, torch.ones_like(tokens)]

    return made


def _llama() -> tuple[Any, list[Any]]:
    torch, zoo = _torch(), importlib.import_module("transformers")
    config = zoo.LlamaConfig(
        vocab_size=8192,
        hidden_size=576,
        num_hidden_layers=6,
        num_attention_heads=9,
        num_key_value_heads=3,
        intermediate_size=1536,
        use_cache=False,
    )
    return zoo.LlamaModel(config), [torch.randint(0, 1000, (1, _TOKENS), device="cuda")]


def _whisper() -> tuple[Any, list[Any]]:
    torch, zoo = _torch(), importlib.import_module("transformers")
    config = zoo.WhisperConfig(
        d_model=384, encoder_layers=4, encoder_attention_heads=6, encoder_ffn_dim=1536
    )
    encoder = importlib.import_module("transformers.models.whisper.modeling_whisper").WhisperEncoder
    return encoder(config), [torch.randn(1, 80, 3000, device="cuda")]


def _vision(name: str) -> Callable[[], tuple[Any, list[Any]]]:
    def made() -> tuple[Any, list[Any]]:
        model = getattr(importlib.import_module("torchvision.models"), name)(weights=None)
        return model, [_torch().randn(1, 3, 224, 224, device="cuda")]

    return made


MODELS: dict[str, tuple[str, Inputs, Callable[[], tuple[Any, list[Any]]]]] = {
    "minilm": ("minilm.dyn", {"a_0": (1, _TOKENS), "a_1": (1, _TOKENS)}, _bert(384, 6)),
    "bert_base": ("bert_base.dyn", {"a_0": (1, _TOKENS), "a_1": (1, _TOKENS)}, _bert(768, 12)),
    "vit_b16": ("vit_b16.dyn", {}, _vision("vit_b_16")),
    "whisper_enc": ("whisper_enc.dyn", {}, _whisper),
    "llama_6": ("llama_6.dyn", {"a_0": (1, _TOKENS)}, _llama),
    "swin_t": ("swin_t.leg", {}, _vision("swin_t")),
    "convnext_tiny": ("convnext_tiny.dyn", {}, _vision("convnext_tiny")),
    "resnet50": ("resnet50.dyn", {}, _vision("resnet50")),
    "mobilenet_v3": ("mobilenet_v3.dyn", {}, _vision("mobilenet_v3_large")),
    "efficientnet_b0": ("efficientnet_b0.dyn", {}, _vision("efficientnet_b0")),
}
"""The graph's file, the shapes it leaves open, and the model with its inputs."""


def graphs_of(name: str, precision: str, compiled: bool = False) -> dict[str, Any]:
    """What replays PyTorch's model in a CUDA Graph, by layout; convolutions in two. `compiled`:
    what torch.compile makes of the last layout, too, in a CUDA Graph of the same kind."""
    torch = _torch()
    dtype = getattr(torch, {"tf32": "float32"}.get(precision, precision))
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.benchmark = True
    model, inputs = MODELS[name][2]()
    inputs = [one.to(dtype) if one.is_floating_point() else one for one in inputs]
    model = model.to("cuda", dtype).eval()
    pictures = inputs[0].dim() == 4
    found = {}
    for layout in ("NCHW", "NHWC") if pictures else ("",):
        if layout == "NHWC":
            model = model.to(memory_format=torch.channels_last)
            inputs = [one.to(memory_format=torch.channels_last) for one in inputs]
        found[layout] = _captured(torch, model, inputs)
    if compiled:
        try:
            made = torch.compile(model, mode="max-autotune-no-cudagraphs")
            found["compile"] = _captured(torch, made, inputs)
        except Exception as error:  # it does not end well with every model
            print(f"torch.compile: {error}", file=sys.stderr)
    return found


def _captured(torch: Any, model: Any, inputs: list[Any]) -> Any:
    with torch.no_grad():
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(5):
                model(*inputs)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            kept = model(*inputs)
    return lambda: (graph.replay(), kept)[0]


def _torch() -> Any:
    return importlib.import_module("torch")
