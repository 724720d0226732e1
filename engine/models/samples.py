"""The sample models: real topologies from the onnx wheel, with seeded random weights."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.records.errors import ModelError, UsageError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    from onnx import ModelProto


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample: the name to ask for it by, a title, one line about it, its file in the wheel."""

    name: str
    title: str
    description: str
    file_name: str


SAMPLES: tuple[Sample, ...] = (
    Sample(
        "squeezenet",
        "SqueezeNet",
        "Small image classifier of squeeze and expand convolutions (1.2 million weights).",
        "light_squeezenet.onnx",
    ),
    Sample(
        "resnet50",
        "ResNet-50",
        "Residual image classifier, 50 layers deep (26 million weights).",
        "light_resnet50.onnx",
    ),
    Sample(
        "shufflenet",
        "ShuffleNet",
        "Mobile image classifier of grouped convolutions (1.4 million weights).",
        "light_shufflenet.onnx",
    ),
    Sample(
        "inception_v1",
        "Inception v1",
        "GoogLeNet: parallel branches of convolutions (7 million weights).",
        "light_inception_v1.onnx",
    ),
    Sample(
        "inception_v2",
        "Inception v2",
        "GoogLeNet with batch normalisation (11 million weights).",
        "light_inception_v2.onnx",
    ),
    Sample(
        "densenet121",
        "DenseNet-121",
        "Every layer reads all earlier ones of its block (8 million weights).",
        "light_densenet121.onnx",
    ),
    Sample(
        "alexnet",
        "AlexNet",
        "Five convolutions and three large matrix products (61 million weights).",
        "light_bvlc_alexnet.onnx",
    ),
    Sample(
        "zfnet512",
        "ZFNet-512",
        "AlexNet's successor with wider convolutions (87 million weights).",
        "light_zfnet512.onnx",
    ),
    Sample(
        "vgg19",
        "VGG-19",
        "Sixteen 3x3 convolutions in a row, then matrix products (144 million weights).",
        "light_vgg19.onnx",
    ),
)


def find_sample(name: str) -> Sample:
    """The sample of that name; UsageError names the known ones."""
    for sample in SAMPLES:
        if sample.name == name:
            return sample
    known = ", ".join(sample.name for sample in SAMPLES)
    raise UsageError(
        Sentence("There is no sample model '{name}'.", name=name),
        Sentence("Choose one of: {known}.", known=known),
    )


def sample_path(name: str) -> Path:
    """The sample's file in the installed onnx package, which is not imported for that."""
    sample = find_sample(name)
    spec = importlib.util.find_spec("onnx")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder, "backend", "test", "data", "light", sample.file_name)
        if path.is_file():
            return path
    raise ModelError(
        Sentence(
            "The sample {title} is not among the installed files of the onnx package.",
            title=sample.title,
        ),
        "Install onnx again with pip, or open a model of your own.",
    )


def load_sample(name: str, seed: int = 0) -> ModelProto:
    """The sample's model; every weight is a random one that `seed` alone determines."""
    from engine.models.onnx_file import load_onnx
    from engine.models.random_weights import randomise_weights

    proto = load_onnx(sample_path(name)).proto
    randomise_weights(proto, seed)
    return proto
