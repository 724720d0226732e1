"""The design spaces of a project's tasks."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from engine.jobs.resources import Need, Resources
from engine.project.repository import Project
from engine.records.errors import TuningError
from engine.records.events import Event, Message, Progress, SpacesFound
from engine.records.outstanding import StageKind
from engine.records.space import DesignSpace
from engine.records.words import Doing

if TYPE_CHECKING:
    from engine.tasks.extract import Program


async def find_spaces(
    project: Project,
    program: Program,
    resources: Resources,
    threads: ThreadPoolExecutor,
    emit: Callable[[Event], None],
) -> tuple[DesignSpace, ...]:
    """The design spaces of all tasks, from the project where it has them; stored there.

    A task without a design space gets an empty one, and a warning.
    """
    from engine.search.sketches import find_space

    known = {space.task: space for space in project.snapshot().spaces}
    missing = [task for task in program.tasks if task.index not in known]
    for done, task in enumerate(missing, start=1):
        emit(Progress(Doing.SPACES, done, len(missing)))
        call = partial(find_space, task, program.workloads[task.index], program.target)
        try:
            found = await resources.run(
                Need(cores=1, long=True, kind=StageKind.SPACES, task=task.name), threads, call
            )
        except TuningError as error:
            emit(Message("warning", error.what))
            found = DesignSpace(task.index, task.op_class, ())
        known[task.index] = found
    emit(Progress(""))
    if missing:
        project.set_spaces(known[task.index] for task in missing)
    spaces = tuple(known[task.index] for task in program.tasks)
    emit(SpacesFound(spaces))
    return spaces
