"""The pictures of the documentation: all there, and made from a project's own data."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from engine.records.trial import Source
from tests.pictures import MOST_BYTES, REPORT_SIZE, pages_of
from tests.replayed import folded, replayed_events, stored
from tests.samples import squeezenet_like_snapshot
from tests.stage_data import branched_snapshot

ROOT = Path(__file__).parents[4]
PAGES = [ROOT / "README.md", *sorted((ROOT / "resources" / "help").glob("*.md"))]
PICTURE = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_that_a_page_shows_is_there_and_small(page: Path) -> None:
    for name in PICTURE.findall(page.read_text("utf-8")):
        picture = page.parent / name
        assert picture.is_file(), f"{page.name} shows {name}; python -m tests.pictures makes it."
        assert picture.stat().st_size < MOST_BYTES
        assert not QImage(str(picture)).isNull()


@pytest.mark.long
def test_the_pictures_are_drawn_from_a_saved_project(tmp_path: Path) -> None:
    project = stored(folded(replayed_events()), tmp_path / "net.tune")
    done = subprocess.run(
        [sys.executable, "-m", "tests.pictures", str(project), str(tmp_path / "images")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    images = {path.name: QImage(str(path)) for path in (tmp_path / "images").glob("*.png")}
    assert set(images) == {"start.png", "console.png", "allocation.png", "report.png"}
    assert (images["report.png"].width(), images.pop("report.png").height()) == REPORT_SIZE
    assert all((image.width(), image.height()) == (1440, 900) for image in images.values())
    assert images["console.png"] != images["allocation.png"]


def test_a_picture_of_a_pass_is_drawn_where_the_project_has_one() -> None:
    project = squeezenet_like_snapshot(8)
    first, *others = project.trials
    polished = replace(project, trials=(replace(first, source=Source.DROPLET), *others))
    staged = branched_snapshot(1)
    assert list(pages_of(project)) == ["start", "console", "allocation"]
    assert list(pages_of(polished)) == ["start", "console", "allocation", "droplet", "sources"]
    assert list(pages_of(staged)) == ["start", "console", "allocation", "stages"]
