"""The language that is spoken, and what holds of every translation."""

from __future__ import annotations

import ast
import re
import string
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TypeGuard
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from app.cli.main import app as command_line
from app.process.languages import (
    KEY,
    LANGUAGES,
    SYSTEM,
    VARIABLE,
    chosen,
    language,
    of_desktop,
    speak,
)
from app.process.settings import Settings
from app.process.translations import PACKAGES, ROOT, release, tool, update
from widgets.look.language import ENGLISH, folder, plain, tr

GERMAN = "de"
FILES = sorted(folder().glob("*.ts"))
needs_tools = pytest.mark.skipif(
    tool("lupdate") is None or tool("lrelease") is None, reason="PySide6 came without lupdate"
)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def messages(ts: Path) -> list[ElementTree.Element]:
    return list(ElementTree.parse(ts).iter("message"))


def sources(ts: Path) -> set[tuple[str | None, str | None, str | None]]:
    return {(m.findtext("source"), m.findtext("comment"), m.get("numerus")) for m in messages(ts)}


def translations(message: ElementTree.Element) -> list[str]:
    element = message.find("translation")
    assert element is not None
    forms = [form.text or "" for form in element.iter("numerusform")]
    return forms or [element.text or ""]


def fields(text: str) -> Counter[str]:
    found = (part[1:3] for part in string.Formatter().parse(text) if part[1] is not None)
    return Counter(map(str, found))


# Which language


def test_the_language_is_the_desktops_where_none_was_chosen() -> None:
    assert chosen(Settings(memory=True)) == SYSTEM
    assert of_desktop(["de-AT", "en-GB"]) == GERMAN
    assert of_desktop(["fr-FR", "de"]) == GERMAN
    assert of_desktop(["en-US", "de-DE"]) == ENGLISH
    assert of_desktop(["fr"]) == of_desktop([]) == of_desktop(["system"]) == ENGLISH


def test_a_choice_holds_and_the_environment_goes_before_it() -> None:
    settings = Settings(memory=True)
    settings.set(KEY, GERMAN)
    assert language(settings, {}) == GERMAN
    assert language(settings, {VARIABLE: ENGLISH}) == ENGLISH
    assert language(settings, {VARIABLE: "nonsense"}) == GERMAN


@pytest.mark.parametrize("stored", ["xx", "", None, 1, ["de"]])
def test_a_language_that_is_not_offered_is_none(stored: object) -> None:
    settings = Settings(memory=True)
    settings.set(KEY, stored)
    assert chosen(settings) == SYSTEM


def test_the_command_line_offers_the_same_languages() -> None:
    gui = next(c for c in command_line.registered_commands if c.callback is not None
               and c.callback.__name__ == "gui")  # fmt: skip
    assert gui.callback is not None
    offered = re.findall(r"Literal\[(.*?)\]", str(gui.callback.__annotations__["language"]))
    assert [name.strip("'\" ") for name in offered[0].split(",")] == list(LANGUAGES)


def test_every_language_but_the_systems_has_its_files() -> None:
    names = {f"tunewright_{name}" for name in LANGUAGES if name != SYSTEM}
    assert {file.stem for file in FILES} == names
    assert {file.stem for file in folder().glob("*.qm")} == names


def test_qts_own_texts_are_spoken_too_and_are_in_the_package(qapp: QApplication) -> None:
    spec = (ROOT / "packaging" / "tunewright.spec").read_text("utf-8")
    said = {}
    for name in (name for name in LANGUAGES if name not in (SYSTEM, ENGLISH)):
        assert f"qtbase_{name}" in spec
        speak(qapp, name)
        said[name] = QCoreApplication.translate("QPlatformTheme", "Cancel"), tr("Cancel")
    speak(qapp, ENGLISH)
    assert said == {GERMAN: ("Abbrechen", "Abbrechen")}
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == tr("Cancel") == "Cancel"


# What a text becomes


def test_fields_and_counts_are_filled_in() -> None:
    assert tr("{count:,} of {all}", count=1234, all="x") == "1,234 of x"
    assert tr("%n trials", "", 1234) == "1,234 trials"
    assert tr("a literal {brace}") == "a literal {brace}"


def test_english_has_a_singular() -> None:
    assert [tr("%n trials", "", count) for count in (0, 1, 2)] == [
        "0 trials",
        "1 trial",
        "2 trials",
    ]


def test_marks_and_dots_are_left_out_of_a_plain_text() -> None:
    assert plain("&Open model…") == "Open model"


# What is in the files


@needs_tools
@pytest.mark.parametrize("ts", FILES, ids=lambda file: file.stem)
def test_the_translations_are_those_of_the_sources(ts: Path, tmp_path: Path) -> None:
    fresh = tmp_path / ts.name
    fresh.write_bytes(ts.read_bytes())
    update(fresh)
    assert sources(fresh) == sources(ts), "run `make translations` and translate what is new"


@needs_tools
@pytest.mark.parametrize("ts", FILES, ids=lambda file: file.stem)
def test_what_the_window_reads_is_made_of_the_translations(ts: Path, tmp_path: Path) -> None:
    made = tmp_path / f"{ts.stem}.qm"
    release(ts, made)
    assert made.read_bytes() == ts.with_suffix(".qm").read_bytes(), "run `make translations`"


@pytest.mark.parametrize("ts", FILES, ids=lambda file: file.stem)
def test_every_text_is_translated(ts: Path) -> None:
    left = [
        message.findtext("source")
        for message in messages(ts)
        if message.find("translation[@type]") is not None or not all(translations(message))
    ]
    assert left == []


@pytest.mark.parametrize("ts", FILES, ids=lambda file: file.stem)
def test_a_translation_has_the_fields_the_count_and_the_mnemonic_of_its_text(ts: Path) -> None:
    wrong = []
    for message in messages(ts):
        text = message.findtext("source") or ""
        for said in translations(message):
            same = fields(text) == fields(said) and len(_marks(text)) == len(_marks(said))
            counts = "%n" not in said or "%n" in text
            if not same or not counts or text.endswith("…") != said.endswith("…"):
                wrong.append((text, said))
    assert wrong == []


def test_texts_are_asked_for_at_use_not_when_a_module_is_loaded() -> None:
    found = []
    for path in (path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))):
        for node in tree(path).body:
            found += [f"{path.name}:{call.lineno}" for call in _calls_at_load(node)]
    assert found == []


def test_no_text_is_put_together_before_it_is_translated() -> None:
    found = []
    for path in (path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))):
        for node in ast.walk(tree(path)):
            if _is_tr(node) and isinstance(node.args[0], ast.JoinedStr | ast.BinOp):
                found.append(f"{path.name}:{node.lineno}")
    assert found == []


def _marks(text: str) -> list[str]:
    return re.findall(r"&(?=\w|\{)", text)


def _is_tr(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr"


def _calls_at_load(node: ast.AST) -> list[ast.Call]:
    """Calls of `tr` that are carried out as the module is loaded."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return []
    found = [node] if _is_tr(node) else []
    for child in ast.iter_child_nodes(node):
        found += _calls_at_load(child)
    return found
