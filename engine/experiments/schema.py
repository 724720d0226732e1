"""Reads an experiment's file: one sentence with the line where it says what it must not."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import Meta

from engine.allocation.policies.registry import POLICIES, make_policy
from engine.experiments.located import Items, Keys, Node, Scalar, WrongLine, parse, wrong
from engine.experiments.matrix import Experiment, Model, PolicyChoice, SearchChoice
from engine.interface.models import model_source
from engine.jobs.steps.steps import options_of, parse_plan
from engine.models.shapes import parse_shapes
from engine.models.values import parse_values
from engine.records.errors import TunewrightError, UsageError
from engine.records.options import Count, Positive, hints, read_text, required
from engine.records.precision import DEFAULT_PRECISION
from engine.records.sentences import Sentence
from engine.records.settings import NONE, Budget, RunSettings, SearchSettings
from engine.scheduling.free import Free
from engine.scheduling.registry import SCHEDULING, make_scheduling
from engine.storage.refusals import refusal

T = TypeVar("T")

MOST_CELLS = 10_000
_SEED = Annotated[int, Meta(ge=0, le=2**31)]
_JOBS = Annotated[int, Meta(ge=1, le=64)]
_CORES = Annotated[int, Meta(ge=1, le=4096)]
_KEYS = (
    *("name", "models", "targets", "policies", "plans", "budgets", "seeds", "jobs"),
    *("search", "devices", "scheduling", "concurrency", "cores"),
)
_MODEL = ("model", "name", "shapes", "values", "precision")
_BUDGET = {"seconds": Positive, "trials": Count, "latency_ms": Positive}


def read_experiment(path: Path) -> Experiment:
    """The experiment of a file; UsageError with the line where it makes no sense."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError as error:
        raise UsageError(
            Sentence("There is no file {path}.", path=path.name), "Check its name and folder."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            Sentence("{path} cannot be read as text.", path=path.name), "Give a YAML file."
        ) from error
    return experiment_of(text, path.absolute().parent, path.stem)


def experiment_of(text: str, folder: Path, name: str = "experiment") -> Experiment:
    """The same of a text whose paths start at `folder`."""
    top = _keys(parse(text), _KEYS, "An experiment")
    if "models" not in top.entries:
        raise wrong(top.line, "there are no models.", "Add them: models: [squeezenet].")
    if "budgets" not in top.entries:
        raise wrong(top.line, "there are no budgets.", "Add them: budgets: [{seconds: 600}].")

    def many(key: str, read: Callable[[Node], T], default: T | None = None) -> tuple[T, ...]:
        node = top.entries.get(key)
        if node is None and default is not None:
            return (default,)
        assert node is not None
        if not isinstance(node, Items) or not node.items:
            raise wrong(
                node.line,
                Sentence("{key} is no list.", key=key),
                Sentence("Write it like {key}: [a, b].", key=key),
            )
        return _distinct(key, node, tuple(map(read, node.items)))

    standard = RunSettings().policy
    made = Experiment(
        _text(top.entries["name"], "name") if "name" in top.entries else name,
        many("models", lambda node: _model(node, folder)),
        many("targets", lambda node: _text(node, "a target"), "auto"),
        many("policies", _policy, PolicyChoice(standard, standard)),
        many("plans", _plan, "search"),
        many("budgets", _budget),
        many("seeds", lambda node: _value(node, "a seed", _SEED), 0),
        _value(top.entries["jobs"], "jobs", _JOBS) if "jobs" in top.entries else 1,
        many("search", _search, SearchChoice()),
        many("devices", _devices, ""),
        many("scheduling", _scheduling) if "scheduling" in top.entries else (None,),
        many("concurrency", lambda node: _value(node, "a number of jobs", _JOBS))
        if "concurrency" in top.entries
        else (None,),
        many("cores", lambda node: _value(node, "a number of cores", _CORES))
        if "cores" in top.entries
        else (None,),
    )
    if {"jobs", "concurrency"} <= set(top.entries):
        line = top.entries["jobs"].line
        raise wrong(line, "jobs and concurrency say the same.", "Leave one of them.")
    if len(made) > MOST_CELLS:
        raise UsageError(
            Sentence("The experiment has {count:,} cells.", count=len(made)),
            Sentence("Leave at most {most_cells:,}.", most_cells=MOST_CELLS),
        )
    _distinct_names(top, made)
    return made


def _model(node: Node, folder: Path) -> Model:
    entry = Keys(node.line, {"model": node}) if isinstance(node, Scalar) else node
    keys = _keys(entry, _MODEL, "A model").entries
    if "model" not in keys:
        raise wrong(node.line, "this model has no file.", "Add it: model: FILE.onnx.")
    place = _text(keys["model"], "a model")
    with _located(node.line):
        at = folder / place
        text = str(at) if at.exists() else place
        source = model_source(text, *_inputs(keys), _precision(keys))
        sha256 = _sha256(Path(source.location)) if source.kind == "file" else ""
    name = _text(keys["name"], "a name") if "name" in keys else Path(place).stem
    if source.precision != DEFAULT_PRECISION and "name" not in keys:
        name += f" {source.precision}"
    return Model(name, source, sha256)


def _inputs(keys: Mapping[str, Node]) -> tuple[dict[str, tuple[int, ...]], dict[str, float]]:
    """The shapes and the values of a model's inputs."""
    return (
        parse_shapes(_pairs(keys.get("shapes"), "shapes")),
        parse_values(_pairs(keys.get("values"), "values")),
    )


def _precision(keys: Mapping[str, Node]) -> str:
    node = keys.get("precision")
    return DEFAULT_PRECISION if node is None else _text(node, "a precision")


def _policy(node: Node) -> PolicyChoice:
    def require(name: str, options: dict[str, Any]) -> None:
        make_policy(name, options, 0)

    return _choice(node, "policy", POLICIES, require)


def _scheduling(node: Node) -> PolicyChoice:
    def require(name: str, options: dict[str, Any]) -> None:
        make_scheduling(name, Free({"": 1}), options)

    return _choice(node, "scheduling", SCHEDULING, require)


def _choice(
    node: Node, kind: str, known: Mapping[str, Any], require: Callable[[str, dict[str, Any]], None]
) -> PolicyChoice:
    """One of the `known` of a kind, by name or as `{kind: NAME, OPTION: VALUE ...}`."""
    entry = Keys(node.line, {kind: node}) if isinstance(node, Scalar) else node
    if not isinstance(entry, Keys) or kind not in entry.entries:
        raise wrong(
            node.line,
            Sentence("this is no {kind}.", kind=kind),
            Sentence("Write its name, or {kind}: NAME.", kind=kind),
        )
    keys = entry.entries
    chosen = _text(keys[kind], Sentence("a {kind}", kind=kind))
    given = {key: value for key, value in keys.items() if key not in (kind, "name")}
    with _located(node.line):
        if chosen not in known:
            require(chosen, {})  # says which there are
        types = hints(known[chosen].Options)
        options = {key: _value(node, key, types.get(key)) for key, node in given.items()}
        require(chosen, options)
    return PolicyChoice(_named(keys, chosen, options), chosen, options)


def _named(keys: Mapping[str, Node], name: str, options: Mapping[str, Any]) -> str:
    """The name that is given, or one that says the options."""
    if "name" in keys:
        return _text(keys["name"], "a name")
    said = ", ".join(f"{key} {value}" for key, value in options.items())
    return f"{name} ({said})" if said else name


def _search(node: Node) -> SearchChoice:
    types = hints(SearchSettings)
    keys = _keys(node, ("name", *types), "A search").entries
    given = {key: value for key, value in keys.items() if key != "name"}
    settings = {key: _value(node, key, types[key]) for key, node in given.items()}
    with _located(node.line):
        return SearchChoice(_named(keys, SearchChoice().name, settings), SearchSettings(**settings))


def _devices(node: Node) -> str:
    text = _text(node, "a list of devices")
    return "" if text == NONE else text


def _plan(node: Node) -> str:
    text = _text(node, "a plan")
    with _located(node.line):
        for step in parse_plan(text):
            options_of(step)
    return text


def _budget(node: Node) -> Budget:
    keys = _keys(node, tuple(_BUDGET), "A budget").entries
    if not keys:
        raise wrong(node.line, "this budget has no limit.", "Write {seconds: 600}.")
    given = {key: _value(keys[key], key, hint) for key, hint in _BUDGET.items() if key in keys}
    latency_ms = given.pop("latency_ms", None)
    with _located(node.line):
        return Budget(**given, latency_s=None if latency_ms is None else latency_ms / 1000)


# Values


def _keys(node: Node, known: tuple[str, ...], what: str) -> Keys:
    if not isinstance(node, Keys):
        raise wrong(
            node.line,
            Sentence("{what} is written with keys.", what=what),
            Sentence("They are {names}.", names=", ".join(known)),
        )
    for key, value in node.entries.items():
        if key not in known:
            raise wrong(
                value.line,
                Sentence("{what} has no '{key}'.", what=what, key=key),
                Sentence("It has {names}.", names=", ".join(known)),
            )
    return node


def _text(node: Node, what: str) -> str:
    if not isinstance(node, Scalar) or not node.text.strip():
        raise wrong(
            node.line, Sentence("{what} must be one word or number.", what=what), "Write only that."
        )
    return node.text.strip()


def _value(node: Node, what: str, hint: Any) -> Any:
    """What a text says, of this type and within its bounds."""
    text = _text(node, what)
    with _located(node.line):
        return required(read_text(text, hint), hint, what) if hint else text


def _pairs(node: Node | None, what: str) -> list[str]:
    """What follows an input's name, as the command line takes it."""
    if node is None:
        return []
    if not isinstance(node, Keys):
        raise wrong(
            node.line,
            Sentence("{what} is written with keys.", what=what),
            "They are the inputs' names.",
        )
    return [f"{key}={_text(value, key)}" for key, value in node.entries.items()]


def _distinct(key: str, node: Items, values: tuple[T, ...]) -> tuple[T, ...]:
    for place, value in enumerate(values):
        if value in values[:place]:
            line = node.items[place].line
            raise wrong(line, Sentence("{key} has the same twice.", key=key), "Leave one of them.")
    return values


def _distinct_names(top: Keys, made: Experiment) -> None:
    """Results are told apart by names."""
    named: Mapping[str, list[str]] = {
        "models": [model.name for model in made.models],
        "policies": [policy.name for policy in made.policies],
        "search": [search.name for search in made.searches],
        "scheduling": [each.name for each in made.scheduling if each],
    }
    for key, names in named.items():
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            line = top.entries[key].line
            raise wrong(
                line,
                Sentence("two {key} are called {twice}.", key=key, twice=twice[0]),
                "Give each a name of its own.",
            )


@contextmanager
def _located(line: int) -> Iterator[None]:
    """Give an error of the engine's, or a path that the system refuses, the line it is about."""
    try:
        yield
    except WrongLine:
        raise
    except TunewrightError as error:
        raise wrong(line, error.what, error.todo, error.hint) from error
    except OSError as error:
        if (refused := refusal(error)) is None:
            raise
        raise wrong(line, refused.what, refused.todo) from error


def _sha256(path: Path) -> str:
    if path.is_dir():
        raise UsageError(Sentence("{path} is a folder.", path=path.name), "Name a model file.")
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise UsageError(
            Sentence("{path} cannot be read.", path=path.name), "Check its permissions."
        ) from error
