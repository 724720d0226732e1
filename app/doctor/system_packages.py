"""System libraries that no Python package brings, and the Debian packages that have them.

Runs before anything is installed: `python3 -m app.doctor.system_packages [--window] [--journey]
[--package]` prints the missing packages, with standard modules alone.
"""

from __future__ import annotations

import ctypes
import shutil
import sys
from collections.abc import Sequence

from engine.measure.linker import find_linker

# What the wheels of Qt leave to the system, and what its offscreen platform needs of it.
QT_LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",  # brings fonts: without any, every glyph is a box
}

# A window on X11 needs these too.
X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
}

LINKER_PACKAGE = "binutils"

# Programs that the tests' journey and `make package` start.
PROGRAMS = {
    "--journey": {"Xvfb": "xvfb"},
    "--package": {"dpkg-deb": "dpkg", "mksquashfs": "squashfs-tools"},
}


def missing_packages(window: bool, linker: bool = True) -> list[str]:
    """The Debian packages whose library or program is not here."""
    wanted = QT_LIBRARIES | (X11_LIBRARIES if window else {})
    missing = [package for library, package in wanted.items() if not is_loadable(library)]
    if linker and find_linker() is None:
        missing.append(LINKER_PACKAGE)
    return missing


def missing_for(options: Sequence[str]) -> list[str]:
    """The same for the options of the command line."""
    missing = missing_packages(window=not {"--window", "--journey"}.isdisjoint(options))
    programs = [pair for option in options for pair in PROGRAMS.get(option, {}).items()]
    return missing + [package for program, package in programs if shutil.which(program) is None]


def is_loadable(library: str) -> bool:
    """Whether the dynamic linker finds a library and all that it needs."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    print(*missing_for(sys.argv[1:]))
