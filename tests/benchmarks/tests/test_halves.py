"""What the page says of exporters' graphs in 16 bits is what was measured."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

from tests.benchmarks.halves import zoo
from tests.test_structure import ROOT

ANSWER = Path(zoo.__file__).parents[1] / "results" / "halves-h200.json"
PAGE = ROOT / "resources" / "help" / "benchmarks.md"


def test_the_page_has_the_figures_of_the_answer() -> None:
    rows = json.loads(ANSWER.read_text())["rows"]
    page = PAGE.read_text()
    section = page.partition("## Exporters' graphs in float16")[2].partition("\n## ")[0]
    measured = [row for row in rows if row.get("speedup")]
    assert {row["model"] for row in rows} < set(zoo.MODELS)
    for row in measured:
        rival = min(value for side, value in row["ms"].items() if side != "ours")
        (line,) = [
            line
            for line in section.splitlines()
            if line.startswith("|") and f" {row['trials']} |" in line
        ]
        assert f"{row['ms']['ours']:.3f} ms | {rival:.3f} ms" in line
        assert f"{row['speedup']:.2f}" in line
    mean = statistics.geometric_mean([row["speedup"] for row in measured])
    assert f"is {mean:.2f}; the goal" in " ".join(section.split())
