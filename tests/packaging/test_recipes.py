"""What the recipes say, checked without a build."""

from __future__ import annotations

import configparser
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtWidgets import QApplication

from app.doctor import system_packages
from app.doctor.system_packages import missing_for
from tests.engine.project.support import new_project
from tests.packaging.recipes import FOLDER, ROOT, recipe

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.mark.parametrize(
    "arguments", [["-c", "import sys; print(sys.argv)", "x"], ["-m", "platform", "--terse"]]
)
def test_the_frozen_program_stands_in_for_python(arguments: list[str]) -> None:
    script = "import sys; from entry import stand_in; sys.exit(not stand_in(sys.argv[1:]))"
    environment = {**os.environ, "PYTHONPATH": str(FOLDER)}
    ours, pythons = (
        subprocess.run(
            [sys.executable, *start, *arguments],
            env=environment, cwd="/", capture_output=True, text=True, check=True,
        ).stdout
        for start in (["-c", script], [])
    )  # fmt: skip
    assert ours == pythons != ""


@pytest.mark.parametrize("arguments", [[], ["gui"], ["-c"], ["tune", "-m", "model.onnx"]])
def test_every_other_command_line_is_the_programs_own(arguments: list[str]) -> None:
    assert not recipe("entry").stand_in(arguments)


@pytest.mark.parametrize("before", ["/opt/lib", None])
def test_programs_that_it_starts_find_their_own_libraries(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/usr/lib/tunewright/_internal")
    if before:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
    recipe("entry").free_children()
    assert os.environ.get("LD_LIBRARY_PATH") == before


def test_the_desktop_opens_projects_and_models_with_the_console() -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment, method-assign]
    entry.read(FOLDER / "linux" / "tunewright.desktop")
    desktop = entry["Desktop Entry"]
    assert desktop["Exec"] == "tunewright gui %f"
    assert desktop["StartupWMClass"] == desktop["Icon"] == "tunewright"
    assert set(desktop["MimeType"].strip(";").split(";")) == set(_types())


def test_a_project_is_known_by_its_name_and_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "model.tune"
    new_project(path).close()
    kind = _types()["application/x-tunewright"]
    globs = [glob.get("pattern", "") for glob in kind.iter(f"{MIME}glob")]
    assert any(fnmatch.fnmatch(path.name, glob) for glob in globs)
    content = path.read_bytes()
    for match in kind.iter(f"{MIME}match"):
        start, value = int(match.get("offset", "")), match.get("value", "").encode()
        assert content[start : start + len(value)] == value


def test_the_packages_have_the_projects_version_and_need_what_the_program_needs(
    tmp_path: Path,
) -> None:
    (tmp_path / "usr").mkdir()
    (tmp_path / "usr" / "file").write_bytes(b"0" * 4096)
    (tmp_path / "usr" / "link").symlink_to("file")
    fields = dict(
        line.split(": ", 1)
        for line in recipe("linux").control(tmp_path).splitlines()
        if ": " in line
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (fields["Package"], fields["Version"]) == (project["name"], project["version"])
    assert {"binutils", "libgl1", "libxcb-cursor0"} <= set(fields["Depends"].split(", "))
    assert fields["Installed-Size"] == "4"


def test_the_icon_is_drawn_in_colour_in_every_size(qapp: QApplication, tmp_path: Path) -> None:
    from PySide6.QtGui import QImage

    linux = recipe("linux")
    plate = re.search(r'fill="(#[0-9a-f]{6})"', linux.icon_svg())[1]  # type: ignore[index]
    linux.draw_icons(tmp_path)
    for size in linux.ICON_SIZES:
        image = QImage(str(tmp_path / f"{size}x{size}" / "apps" / "tunewright.png"))
        assert (image.width(), image.height()) == (size, size)
        colors = [image.pixelColor(x, y) for x in range(size) for y in range(size)]
        assert plate in {color.name() for color in colors}
        assert max(color.lightness() for color in colors) > 200
    assert "currentColor" not in (tmp_path / "scalable/apps/tunewright.svg").read_text()


def test_programs_that_the_journey_and_the_package_need_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(system_packages, "find_linker", lambda: "ld")
    monkeypatch.setattr(shutil, "which", lambda program: None)
    assert {"xvfb"} <= set(missing_for(["--journey"]))
    assert {"dpkg", "squashfs-tools"} <= set(missing_for(["--package"]))
    assert {"xvfb", "dpkg"}.isdisjoint(missing_for(["--window"]))


def _types() -> dict[str, ElementTree.Element]:
    """The MIME types that the package defines."""
    tree = ElementTree.parse(FOLDER / "linux" / "tunewright.xml")
    return {kind.get("type", ""): kind for kind in tree.iter(f"{MIME}mime-type")}
