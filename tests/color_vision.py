"""How far apart colours are to eyes that lack a kind of cone.

The matrices are those of Machado, Oliveira and Fernandes, "A physiologically-based model for
simulation of color vision deficiency", IEEE TVCG 15(6), 2009, at severity 1; they take linear RGB.
The distance is that of CIE 1976 in L*a*b* under D65: about 2.3 is just noticeable.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

Floats = NDArray[np.float64]
VISIONS: dict[str, Floats] = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = _TO_XYZ @ np.ones(3)
_DARK, _SLOPE = 216 / 24389, 24389 / 27


def linear(color: QColor) -> Floats:
    """Linear RGB of an sRGB colour."""
    parts = np.array([color.redF(), color.greenF(), color.blueF()])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(color: QColor, vision: str = "normal") -> Floats:
    """L*a*b* of a colour as an eye sees it."""
    light = _TO_XYZ @ np.clip(VISIONS[vision] @ linear(color), 0.0, 1.0) / _WHITE
    x, y, z = np.where(light > _DARK, np.cbrt(light), (_SLOPE * light + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def nearest(colors: Sequence[QColor], vision: str) -> tuple[float, str, str]:
    """The smallest distance between two of the colours, and which they are."""
    seen = [lab(color, vision) for color in colors]
    pairs = combinations(range(len(colors)), 2)
    found = ((float(np.linalg.norm(seen[a] - seen[b])), a, b) for a, b in pairs)
    distance, first, second = min(found)
    return distance, colors[first].name(), colors[second].name()
