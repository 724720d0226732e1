"""Makes a .deb and an AppImage of the folder dist/tunewright.

python packaging/linux.py deb|appimage [--runtime FILE]

An AppImage is a runtime (runtime-x86_64, from the releases of AppImage/type2-runtime) with a
SquashFS image of the program behind it. Without the runtime its folder is made, and no more.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.doctor.system_packages import LINKER_PACKAGE, QT_LIBRARIES, X11_LIBRARIES  # noqa: E402

DIST = ROOT / "dist"
FOLDER = DIST / "tunewright"
PARTS = ROOT / "packaging" / "linux"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def project() -> dict[str, str]:
    """Name, version and description, from pyproject.toml."""
    found: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return found


def icon_svg() -> str:
    """The application's icon in colour: the mark of resources/icons on a plate."""
    mark = (ROOT / "resources" / "icons" / "app.svg").read_text("utf-8")
    theme = json.loads((ROOT / "resources" / "themes" / "light.json").read_text("utf-8"))
    inner = re.sub(r"^<svg[^>]*>|</svg>\s*$", "", mark).replace("currentColor", "#fff")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
        f'<rect width="16" height="16" rx="3.5" fill="{theme["colors"]["accent"]}"/>'
        '<g transform="translate(2 2) scale(.75)" fill="none" stroke="#fff" stroke-width="1.5"'
        f' stroke-linecap="round" stroke-linejoin="round">{inner}</g></svg>'
    )


def draw_icons(folder: Path) -> None:
    """The icon as SVG and in all sizes, in a theme's folders below `folder`."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    app = QGuiApplication.instance() or QGuiApplication([])
    svg = icon_svg()
    renderer = QSvgRenderer(svg.encode())
    for size in ICON_SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        place = folder / f"{size}x{size}" / "apps" / "tunewright.png"
        place.parent.mkdir(parents=True, exist_ok=True)
        image.save(str(place))
    place = folder / "scalable" / "apps" / "tunewright.svg"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(svg)
    del app


def copy(source: Path, folder: Path) -> None:
    """A file that all may read, into a folder that may be new."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, folder / source.name)
    (folder / source.name).chmod(0o644)


def lay_out(root: Path) -> None:
    """The files as they shall be under / : the program, its launcher, what a desktop reads."""
    shutil.rmtree(root, ignore_errors=True)
    share = root / "usr" / "share"
    program = root / "usr" / "lib" / "tunewright"
    shutil.copytree(FOLDER, program, symlinks=True, copy_function=os.link)
    launcher = root / "usr" / "bin" / "tunewright"
    launcher.parent.mkdir(parents=True)
    launcher.symlink_to("../lib/tunewright/tunewright")
    for name, place in (
        ("tunewright.desktop", share / "applications"),
        ("tunewright.xml", share / "mime" / "packages"),
        ("copyright", share / "doc" / "tunewright"),
    ):
        copy(PARTS / name, place)
    copy(ROOT / "LICENSE", share / "doc" / "tunewright")
    draw_icons(share / "icons" / "hicolor")


def control(root: Path) -> str:
    """The description that dpkg reads."""
    about = project()
    used = sum(path.lstat().st_size for path in root.rglob("*") if not path.is_dir())
    libc = platform.libc_ver()[1]
    needed = [f"libc6 (>= {libc})", LINKER_PACKAGE, *QT_LIBRARIES.values(), *X11_LIBRARIES.values()]
    fields = {
        "Package": about["name"],
        "Version": about["version"],
        "Architecture": ARCHITECTURES[platform.machine()],
        "Maintainer": "Tunewright maintainers <maintainers@tunewright.invalid>",
        "Installed-Size": str(used // 1024),
        "Depends": ", ".join(needed),
        "Section": "science",
        "Priority": "optional",
        "Description": f"{about['description']}\n Opens an ONNX model, tunes it for a CPU or an"
        " NVIDIA GPU, and exports a module that\n runs without Tunewright.",
    }
    return "".join(f"{name}: {text}\n" for name, text in fields.items())


def make_deb() -> Path:
    """dist/tunewright_VERSION_ARCHITECTURE.deb; takes some 20 s."""
    root = ROOT / "build" / "deb"
    lay_out(root)
    debian = root / "DEBIAN"
    debian.mkdir()
    (debian / "control").write_text(control(root))
    name = f"tunewright_{project()['version']}_{ARCHITECTURES[platform.machine()]}.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z6", "--build", str(root)]
    subprocess.run([*command, str(DIST / name)], check=True, stdout=subprocess.DEVNULL)
    return DIST / name


def make_app_folder() -> Path:
    """The AppDir: the same files, and at the top what AppImages begin with."""
    root = ROOT / "build" / "Tunewright.AppDir"
    lay_out(root)
    icons = root / "usr" / "share" / "icons" / "hicolor"
    shutil.copy(PARTS / "tunewright.desktop", root)
    shutil.copy(icons / "256x256" / "apps" / "tunewright.png", root)
    (root / ".DirIcon").symlink_to("tunewright.png")
    (root / "AppRun").symlink_to("usr/bin/tunewright")
    return root


def make_appimage(runtime: Path) -> Path:
    """dist/Tunewright-VERSION-MACHINE.AppImage."""
    image = ROOT / "build" / "Tunewright.squashfs"
    image.unlink(missing_ok=True)
    subprocess.run(
        ["mksquashfs", make_app_folder(), image, "-root-owned", "-noappend", "-quiet",
         "-no-progress", "-comp", "zstd", "-Xcompression-level", "6"],
        check=True,
    )  # fmt: skip
    made = DIST / f"Tunewright-{project()['version']}-{platform.machine()}.AppImage"
    with made.open("wb") as file:
        for part in (runtime, image):
            with part.open("rb") as source:
                shutil.copyfileobj(source, file)
    made.chmod(0o755)
    return made


def main() -> None:
    """Make what is asked for and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("deb", "appimage"))
    parser.add_argument("--runtime", type=Path, metavar="FILE")
    asked = parser.parse_args()
    if not FOLDER.is_dir():
        sys.exit(f"{FOLDER} is missing: `make package` makes it.")
    if asked.what == "deb":
        made = make_deb()
    elif asked.runtime is not None:
        made = make_appimage(asked.runtime)
    else:
        print(f"{make_app_folder()}: the AppImage's folder; RUNTIME=FILE makes one file of it.")
        return
    print(f"{made}: {made.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
