"""What an export gave: where it is, and how far its outputs are from the reference's."""

from __future__ import annotations

from engine.records.precision import DEFAULT_PRECISION
from engine.records.snapshot import ExportInfo
from widgets.look.language import tr
from widgets.parts.precision_box import precision_name


def export_words(export: ExportInfo, precision: str = "") -> str:
    """The folder, and the largest difference from the reference with the precision that it is of;
    a stranger's manifest may have anything, or nothing."""
    folder = tr("Exported to {folder}.", folder=export.dir)
    difference = export.manifest.get("max_abs_diff")
    if isinstance(difference, bool) or not isinstance(difference, int | float):
        return folder
    reference = export.manifest.get("reference")
    words = tr(
        "In {precision}, outputs differ from those of {reference} by {difference} at most.",
        precision=precision_name(precision or DEFAULT_PRECISION),
        reference=reference if isinstance(reference, str) and reference else tr("the reference"),
        difference=f"{difference:.2g}",
    )
    return f"{folder} {words}"
