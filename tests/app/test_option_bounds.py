"""Every option with bounds is refused outside them, whichever way it comes."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox
from pytestqt.qtbot import QtBot

from engine.allocation.policies.registry import POLICIES, make_policy
from engine.allocation.wishes import Wishes
from engine.experiments.schema import experiment_of
from engine.interface.tuning import Tuning
from engine.jobs.steps.steps import STEPS, options_of
from engine.project.repository import Project
from engine.records.errors import ProjectError, UsageError
from engine.records.options import Bound, bound, fits, hints
from engine.records.schedule import IosOptions
from engine.records.settings import Budget, RunSettings, SearchSettings, Step
from engine.records.trial import Protocol
from engine.scheduling.free import Free
from engine.scheduling.registry import SCHEDULING, make_scheduling
from tests.app.cli.support import Here
from tests.engine.project.ios_data import FOUND
from tests.engine.project.support import new_project
from widgets.parts import field_texts
from widgets.parts.field_form import FieldControl, FieldForm, FieldText

GROUPS: dict[str, type[Any]] = {
    "budget": Budget,
    "search": SearchSettings,
    "protocol": Protocol,
    "run": RunSettings,
    "ios": IosOptions,
    "step": Step,
    **{f"policy {name}": policy.Options for name, policy in POLICIES.items()},
    **{f"step {name}": kind.Options for name, kind in STEPS.items()},
    **{f"scheduling {name}": policy.Options for name, policy in SCHEDULING.items()},
}
ANY = Bound(int)  # a seed may be any whole number
BOUNDED = [
    (group, name, hint)
    for group, kind in GROUPS.items()
    for name, hint in hints(kind).items()
    if bound(hint).kind in (int, float, str) and bound(hint) not in (Bound(str), ANY)
]


def each(wanted: Callable[[str, str], Any] = lambda group, name: True) -> pytest.MarkDecorator:
    """Each option that is wanted, by its group and its name."""
    cases = [case for case in BOUNDED if wanted(*case[:2])]
    ids = [f"{group}.{name}" for group, name, _ in cases]
    return pytest.mark.parametrize(("group", "name", "hint"), cases, ids=ids)


def outside(hint: Any) -> Iterator[Any]:
    """Values that are not allowed: beyond the bounds, and of other types."""
    allowed = bound(hint)
    if allowed.choices:
        yield from ("", "none of them", f"{allowed.choices[0]}\n", 3)
        return
    assert allowed.least is not None and allowed.most is not None, "a number has two bounds"
    yield allowed.least if allowed.above else allowed.least - 1
    yield from (True, "many", [1])
    if allowed.kind is float:
        yield from (math.nan, math.inf, -math.inf, 10**400)
    else:
        yield from (allowed.most + 1, 1.5)


def test_every_number_of_every_option_has_bounds() -> None:
    assert len(BOUNDED) > 60
    for group, kind in GROUPS.items():
        for field in fields(kind):
            allowed = bound(hints(kind)[field.name])
            if allowed.kind in (int, float) and (group, field.name) != ("run", "seed"):
                assert allowed.least is not None and allowed.most is not None, (group, field.name)


@each()
def test_an_object_cannot_have_it(group: str, name: str, hint: Any) -> None:
    for value in outside(hint):
        with pytest.raises(UsageError) as caught:
            GROUPS[group](**{name: value})
        assert name in caught.value.what and caught.value.todo.startswith("Give ")


@each()
def test_a_form_cannot_give_it(group: str, name: str, hint: Any, qtbot: QtBot) -> None:
    form = FieldForm(GROUPS[group], {})
    qtbot.addWidget(form)
    control = form.controls[name]
    before = control.value()
    for value in outside(hint):
        form.set_values({name: value})
        assert control.value() == before
    assert all(fits(value, hint) for value in extremes(control))


def texts_of(group: str) -> Mapping[str, FieldText]:
    """The words of a form for them."""
    kind, _, name = group.partition(" ")
    known = {"policy": field_texts.POLICY, "step": field_texts.PASSES.get(name, {})}
    return {**known, "ios": field_texts.IOS}.get(kind, {})


@each(lambda group, name: name in texts_of(group) and texts_of(group)[name].choices)
def test_a_form_has_words_for_each_choice(group: str, name: str, hint: Any) -> None:
    assert {*(texts_of(group)[name].choices or ())} == {*bound(hint).choices}


def extremes(control: FieldControl) -> Iterator[Any]:
    """What the control gives at both of its ends."""
    if control.tick is not None:
        control.tick.setChecked(True)
    editor = control.editor
    if isinstance(editor, QSpinBox | QDoubleSpinBox):
        for end in (editor.minimum(), editor.maximum()):
            editor.setValue(end)  # type: ignore[arg-type]
            yield control.value()
    elif isinstance(editor, QComboBox):
        for row in range(editor.count()):
            editor.setCurrentIndex(row)
            yield control.value()


def chain(group: str, options: Mapping[str, Any]) -> Any:
    """What a program writes for it; None where the chain has no word for it."""
    tuning = Tuning("squeezenet")
    kind, _, name = group.partition(" ")
    if kind == "policy":
        return tuning.policy(name, **options)
    if kind == "step" and name in ("share", "transfer", "droplet"):
        return getattr(tuning, name)(**options)
    if group in ("budget", "ios"):
        return getattr(tuning, group)(**options)
    return None


@each(lambda group, _: chain(group, {}) is not None)
def test_a_chain_refuses_it(group: str, name: str, hint: Any) -> None:
    for value in outside(hint):
        with pytest.raises(UsageError) as caught:
            chain(group, {name: value})
        assert name in caught.value.what and caught.value.todo.startswith("Give ")


@each(lambda group, name: group.startswith(("policy", "budget")) and name != "latency_s")
def test_an_experiment_s_file_refuses_it_with_its_line(group: str, name: str, hint: Any) -> None:
    kind, _, policy = group.partition(" ")
    for value in outside(hint):
        if isinstance(value, str | bool | list):
            continue
        options = f"{{policy: {policy}, {name}: {value}}}"
        text = "models: [squeezenet]\nbudgets: [{trials: 9}]\n" + f"policies: [{options}]"
        if kind == "budget":
            text = f"models: [squeezenet]\n\nbudgets: [{{{name}: {value}}}]"
        with pytest.raises(UsageError, match=f"^Line 3: .*{name}"):
            experiment_of(text, Path())


def commands(group: str, name: str, value: Any) -> list[str]:
    """The command line that asks for it; empty where there is none."""
    flag = f"--{name.replace('_', '-')}={value}"
    known = {
        "budget": {"trials", "seconds"},
        "step share": {"metric", "threshold", "top_k"},
        "step transfer": {"per_task"},
        "step droplet": {"per_task"},
        "ios": {"r", "s", "seconds", "strategies"},
    }
    if name not in known.get(group, ()):
        return []
    if group == "budget":
        return ["resume", "net.tune", flag]
    return [group.rsplit(maxsplit=1)[-1], "net.tune", flag.replace("strategies", "strategy")]


@each(lambda group, name: commands(group, name, 0))
def test_the_command_line_refuses_it(
    group: str,
    name: str,
    hint: Any,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    here = Here(capfd)
    for value in outside(hint):
        if isinstance(value, bool | list):
            continue
        done = here(*commands(group, name, value))
        assert done.code == 2, value
        assert "Traceback" not in done.err
        assert name in done.err or "--" in done.err


# A stranger's file

Change = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed project with a run and a schedule."""
    path = tmp_path_factory.mktemp("whole") / "net.tune"
    with new_project(path) as project:
        project.start_run(RunSettings())
        project.set_schedule(FOUND)
    return path


def damaged(whole: Path, column: str, data: Any) -> Path:
    """The project with another value in `runs.settings` or `schedules.schedule`."""
    path = whole.with_name("damaged.tune")
    path.write_bytes(whole.read_bytes())
    table, _, name = column.partition(".")
    connection = sqlite3.connect(path)
    connection.execute(f"UPDATE {table} SET {name} = ?", [json.dumps(data)])
    connection.commit()
    connection.close()
    return path


def stored(whole: Path, column: str) -> Any:
    table, _, name = column.partition(".")
    connection = sqlite3.connect(whole)
    (text,) = connection.execute(f"SELECT {name} FROM {table}").fetchone()
    connection.close()
    return json.loads(text)


def read(path: Path) -> RunSettings:
    with Project.open(path, read_only=True) as project:
        return project.snapshot().runs[-1].settings


@each()
def test_a_stranger_s_file_never_brings_it_to_a_search(
    group: str, name: str, hint: Any, whole: Path
) -> None:
    kind, _, which = group.partition(" ")
    for value in outside(hint):
        given = stored(whole, "runs.settings")
        if group == "ios":
            found = stored(whole, "schedules.schedule")
            found["options"][name] = value
            with pytest.raises(ProjectError, match="damaged"):
                read(damaged(whole, "schedules.schedule", found))
            continue
        if kind == "scheduling":
            with pytest.raises(UsageError):
                make_scheduling(which, Free({"": 4}), {name: value})
            continue
        if group == "run":
            given[name] = value
        elif group == "step":
            given["steps"][0][name] = value
        elif kind == "policy":
            given |= {"policy": which, "policy_options": {name: value}}
        elif kind == "step":
            given["steps"] = [{"kind": which, "options": {name: value}, "trials": None}]
        else:
            given[group][name] = value
        try:
            settings = read(damaged(whole, "runs.settings", given))
        except ProjectError:
            continue
        require_checked(settings, kind in ("policy", "step"))


def require_checked(settings: RunSettings, refused: bool) -> None:
    """Nothing of the settings reaches a search unchecked: it is within its bounds, or refused."""
    for part in (settings, settings.budget, settings.search, settings.protocol, *settings.steps):
        assert all(fits(getattr(part, name), hint) for name, hint in hints(type(part)).items())
    errors = 0
    for make in (
        lambda: make_policy(settings.policy, settings.policy_options, settings.seed),
        lambda: [options_of(step) for step in settings.steps],
        lambda: Wishes.from_dict(settings.wishes),
    ):
        try:
            make()
        except UsageError as error:
            assert error.what.endswith(".") and error.todo.endswith(".")
            errors += 1
    assert errors == refused or not refused


def test_numbers_that_were_once_stored_unchecked_are_as_by_default(whole: Path) -> None:
    given = stored(whole, "runs.settings")
    given["search"] |= {"batch": 0, "population": 64}
    given["protocol"]["precision"] = 5.0
    given["finalists"] = -1
    settings = read(damaged(whole, "runs.settings", given))
    assert settings == RunSettings(search=SearchSettings(population=64))


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text("ab1", max_size=3)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab1", max_size=3), inner),
    max_leaves=5,
)
TASKS = st.lists(st.integers(-1, 3) | LEAVES, max_size=3)
WISHES = st.fixed_dictionaries(
    {},
    optional={
        "pinned": TASKS | VALUES,
        "skipped": TASKS | VALUES,
        "floors": st.dictionaries(st.sampled_from(["0", "1", "-1", "x"]), st.integers() | LEAVES),
        "more": VALUES,
    },
)
OPTIONS = st.dictionaries(
    st.sampled_from(sorted({name for group, name, _ in BOUNDED if " " in group})), VALUES
)
STEPS_OF = st.lists(
    st.fixed_dictionaries(
        {"kind": st.sampled_from([*STEPS, "x"]) | LEAVES, "options": OPTIONS | VALUES},
        optional={"trials": LEAVES, "more": LEAVES},
    ),
    max_size=2,
)
PARTS: Mapping[str, st.SearchStrategy[Any]] = {
    "budget": st.dictionaries(st.sampled_from([*hints(Budget)]), VALUES) | VALUES,
    "search": st.dictionaries(st.sampled_from([*hints(SearchSettings)]), VALUES) | VALUES,
    "protocol": st.dictionaries(st.sampled_from([*hints(Protocol)]), VALUES) | VALUES,
    "policy": st.sampled_from([*POLICIES, "oracle", "luck"]) | VALUES,
    "policy_options": OPTIONS | VALUES,
    "wishes": WISHES | VALUES,
    "steps": STEPS_OF | VALUES,
    "seed": VALUES,
    "finalists": VALUES,
}


@settings(max_examples=150, deadline=None, database=None)
@given(changes=st.fixed_dictionaries({}, optional=dict(PARTS)))
def test_damaged_settings_open_or_end_in_a_sentence_and_are_checked(
    whole: Path, changes: dict[str, Any]
) -> None:
    given = {**stored(whole, "runs.settings"), **changes}
    try:
        settings = read(damaged(whole, "runs.settings", given))
    except ProjectError as error:
        assert "damaged" in error.what
    else:
        require_checked(settings, refused=False)
