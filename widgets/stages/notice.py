"""What the Stages view says where it has no schedule."""

from __future__ import annotations

from widgets.look.language import QT_TR_NOOP

NO_SCHEDULE = QT_TR_NOOP(
    "No stages yet: Find stages runs operators that do not wait for each other side by side, "
    "where that is faster."
)
UNTUNED = QT_TR_NOOP("It measures the kernels as they are: press Start to tune them first.")
SEARCHING = QT_TR_NOOP("The schedule will be here when the search has ended.")
REPLAYED = QT_TR_NOOP(
    "A replay has no kernels to put into stages. Open the model or its project for that."
)
