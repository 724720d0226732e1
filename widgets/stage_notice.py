"""What the Stages view says where it has no schedule."""

from __future__ import annotations

NO_SCHEDULE = (
    "No stages yet: Find stages runs operators that do not wait for each other side by side, "
    "where that is faster."
)
UNTUNED = " It measures the kernels as they are: press Start to tune them first."
SEARCHING = "The schedule will be here when the search has ended."
REPLAYED = "A replay has no kernels to put into stages. Open the model or its project for that."
ONE_PATH = "All operators of this model wait for each other: there is nothing to run side by side."
