"""The views whose libraries take half a second to load: each is made once, by its factory here."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from app.window.actions.conditions import can_find_stages
from app.window.console import Console, kinds_of
from app.window.jobs import Jobs
from app.window.passes import Passes
from app.window.stages import Stages
from app.window.views import V, Views
from widgets.look.language import QT_TR_NOOP, tr

if TYPE_CHECKING:
    from widgets.allocation.view import AllocationView
    from widgets.clusters.view import ClusterView
    from widgets.comparison.view import ComparisonView
    from widgets.convergence.view import ConvergenceView
    from widgets.droplet.view import DropletView
    from widgets.graph.view import GraphView
    from widgets.jobs.view import JobView
    from widgets.knobs.view import KnobView
    from widgets.layers.view import LayersView
    from widgets.sources.view import ImprovementView
    from widgets.stages.view import StageView
    from widgets.tasks.code_view import CodeView
    from widgets.timeline.view import InferenceView
    from widgets.transfer.view import TransferView

RECORDINGS = QT_TR_NOOP("Recordings")


class LateViews:
    """Each is made where it is first asked for, or by `complete` after the first paint: put into
    its place, joined to the one selection, and connected with what follows it."""

    def __init__(
        self, console: Console, views: Views, passes: Passes, stages: Stages, jobs: Jobs
    ) -> None:
        self._console, self._views = console, views
        self._passes, self._stages, self._jobs = passes, stages, jobs
        self._document, self._project = console.document, console.document.project
        self._ends: list[Callable[[], object]] = []

    def complete(self) -> None:
        """Make those that are not made yet."""
        for name, made in vars(LateViews).items():
            if isinstance(made, cached_property):
                getattr(self, name)

    def is_made(self, name: str) -> bool:
        """Whether a view is there already."""
        return name in vars(self)

    @cached_property
    def graph(self) -> GraphView:
        from widgets.graph.view import GraphView

        view = GraphView(self._project)
        document = self._document
        view.operators_picked.connect(self._views.pick_operators)
        document.seen_changed.connect(lambda: view.show_look(document.seen))
        self._put("graph", view, lambda: view)
        view.show_look(document.seen)
        return view

    @cached_property
    def layers(self) -> LayersView:
        from widgets.layers.view import LayersView

        view = LayersView(self._project)
        view.operators_picked.connect(self._views.pick_operators)
        return self._put("layers", view, view.first_part)

    @cached_property
    def convergence(self) -> ConvergenceView:
        from widgets.convergence.view import ConvergenceView

        view = ConvergenceView(self._project)
        view.bar.belief_changed.connect(self._console.actions["belief"].setChecked)
        self._views.convergence_page.put(view)
        return self._views.join(view)

    @cached_property
    def allocation(self) -> AllocationView:
        from widgets.allocation.view import AllocationView

        view = AllocationView(self._project)
        return self._put("allocation", view, lambda: view.timeline)

    @cached_property
    def timeline(self) -> InferenceView:
        from widgets.timeline.view import InferenceView

        view = InferenceView(self._project)
        view.operators_picked.connect(self._views.pick_operators)
        return self._put("timeline", view, view.first_part)

    @cached_property
    def knobs(self) -> KnobView:
        from widgets.knobs.view import KnobView

        view = KnobView(self._project)
        self._follow_trials(view)
        return self._put("knobs", view, view.first_part)

    @cached_property
    def code(self) -> CodeView:
        from widgets.tasks.code_view import CodeView

        view, commands, document = CodeView(self._project), self._console.commands, self._document
        view.detail_wanted.connect(commands.trial_detail)
        commands.detail_ready.connect(view.show_detail)
        commands.detail_failed.connect(view.show_detail_problem)
        document.selection_changed.connect(lambda: view.select_trial(document.trial))
        return self._put("code", view, view.first_part)

    @cached_property
    def comparison(self) -> ComparisonView:
        from app.window.replays import Replays
        from widgets.comparison.view import ComparisonView

        view = ComparisonView(self._project)
        self._ends.append(Replays(view, self._console.works).close)
        view.recording_wanted.connect(self.load_recording)
        return self._put("compare", view, lambda: view.choice.policies)

    @cached_property
    def clusters(self) -> ClusterView:
        from widgets.clusters.view import ClusterView

        view, commands = ClusterView(self._project), self._console.commands
        view.spaces_wanted.connect(commands.find_spaces)
        view.clustering_changed.connect(
            lambda chosen: commands.edits.set_clustering(chosen, view.in_force)
        )
        view.share_wanted.connect(lambda: self._passes.open("share"))
        return self._put("clusters", view, view.first_part)

    @cached_property
    def transfer(self) -> TransferView:
        from widgets.transfer.view import TransferView

        view = TransferView(self._project)
        self._follow_trials(view)
        return self._put("transfer", view, view.first_part)

    @cached_property
    def droplet(self) -> DropletView:
        from widgets.droplet.view import DropletView

        view = DropletView(self._project)
        self._follow_trials(view)
        return self._put("droplet", view, view.first_part)

    @cached_property
    def stages(self) -> StageView:
        from widgets.stages.view import StageView

        view, document = StageView(self._project), self._document
        view.operators_picked.connect(self._views.pick_operators)
        view.find_wanted.connect(self._stages.open)
        view.stop_wanted.connect(self._console.commands.stop)

        def follow() -> None:
            view.show_searching(document.searching)
            view.allow_find(can_find_stages(document))

        document.changed.connect(follow)
        self._put("stages", view, view.first_part)
        follow()
        return view

    @cached_property
    def sources(self) -> ImprovementView:
        from widgets.sources.view import ImprovementView

        view = ImprovementView(self._project)
        view.trial_picked.connect(self._views.pick_trial)
        self._views.sources_page.put(view)
        return self._views.join(view)

    @cached_property
    def jobs(self) -> JobView:
        view = self._jobs.make_view()
        self._ends.append(view.close)
        self._console.workspace.pages["jobs"].put(view, view.first_part)
        return view

    def show_file_node(self, node: int) -> None:
        """Select a node of the file."""
        self.graph.show_file_node(node)

    def fit_graph(self) -> None:
        self._console.workspace.bring("graph")
        self.graph.fit()

    def find(self) -> None:
        """Ask for words in the code where that is on show, for a node of the graph elsewhere."""
        if self._console.workspace.shown == "code":
            self.code.start_search()
            return
        self._console.go_to("graph")
        self.graph.start_search()

    def show_other_side(self) -> None:
        """Show the nodes of the file, or the operators again."""
        self._console.go_to("graph")
        self.graph.show_other_side()

    @property
    def belief_shown(self) -> bool:
        """Whether the belief is wanted."""
        return self.is_made("convergence") and bool(self.convergence.belief.wanted)

    def toggle_belief(self) -> None:
        """Show what is believed of the selected task over its curve, or not."""
        self._console.go_to("convergence")
        self.convergence.set_belief(not self.belief_shown)

    def load_recording(self) -> QFileDialog:
        """Ask for a recording to replay."""
        kinds, load = kinds_of(RECORDINGS, (".npz",)), self.comparison.load_recording
        return self._console.ask_file(tr("Load recording"), kinds, load)

    def pending(self) -> bool:
        """Whether the layout of the graph, clusters in sight or knobs are still worked out."""
        laying_out = self.is_made("graph") and not self.graph.notice.isHidden()
        comparing = self.is_made("clusters") and self.clusters.busy
        reading = self.is_made("knobs") and self.knobs.busy
        return (bool(self._project.head.operators) and laying_out) or comparing or reading

    def close(self) -> None:
        """End what goes on in the background."""
        for end in self._ends:
            end()

    def _put(self, name: str, view: V, first: Callable[[], QWidget]) -> V:
        self._console.workspace.pages[name].put(view, first)
        return self._views.join(view)

    def _follow_trials(self, view: DropletView | KnobView | TransferView) -> None:
        document = self._document
        view.trial_picked.connect(self._views.pick_trial)
        document.selection_changed.connect(lambda: view.select_trial(document.trial))
