"""Renews the translations: `python -m app.process.translations`, or `make translations`.

Qt's lupdate gathers the texts of `app` and `widgets`, and those that `engine_texts` finds in the
engine, into resources/translations/*.ts, where new ones wait to be translated (with Qt Linguist, or
by hand); lrelease makes what the window reads.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from app.process.engine_texts import templates
from widgets.look.language import ENGLISH, folder

ROOT = Path(__file__).parents[2]
PACKAGES = ("app", "widgets")
_UPDATE = ("-no-obsolete", "-locations", "none", "-sort-messages", "-source-language", "en")


def tool(name: str) -> str | None:
    """The path of PySide6's lupdate or lrelease; None where it is not installed."""
    return shutil.which(f"pyside6-{name}", path=str(Path(sys.executable).parent))


def update(ts: Path) -> None:
    """Take up into a file what the sources say; of English only what has a plural."""
    sources = [str(path) for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))]
    plural = ("-pluralonly",) if ts.stem.endswith(f"_{ENGLISH}") else ()
    with TemporaryDirectory() as scratch:
        engine = Path(scratch) / "engine.py"
        marked = (f"tr({json.dumps(text, ensure_ascii=False)})" for text in sorted(templates()))
        engine.write_text("\n".join(marked), "utf-8")
        _run("lupdate", *_UPDATE, *plural, *sources, str(engine), "-ts", str(ts))


def release(ts: Path, qm: Path) -> None:
    """Make what the window reads."""
    _run("lrelease", "-silent", str(ts), "-qm", str(qm))


def _run(name: str, *arguments: str) -> None:
    found = tool(name)
    if found is None:
        sys.exit(f"pyside6-{name} is missing: install PySide6-Essentials into this environment.")
    subprocess.run([found, *arguments], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)


def main() -> None:
    for ts in sorted(folder().glob("*.ts")):
        update(ts)
        release(ts, ts.with_suffix(".qm"))


if __name__ == "__main__":
    main()
