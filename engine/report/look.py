"""How a report looks: the light theme's colours on paper."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from string import Template

_STYLE = Template("""
body { font: 14px/1.45 "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; color: $text;
  background: $surface; max-width: 1080px; margin: 24px auto; padding: 0 24px; }
h1 { font-size: 24px; margin: 0 0 4px 0; }
h2 { font-size: 17px; margin: 32px 0 8px 0; border-bottom: 1px solid $border; }
h3 { font-size: 14px; margin: 16px 0 4px 0; }
p.muted, .muted { color: $muted; }
p.headline { font-size: 20px; margin: 12px 0 0 0; }
table { border-collapse: collapse; margin: 8px 0; }
th, td { text-align: left; padding: 3px 12px 3px 0; border-bottom: 1px solid $grid;
  vertical-align: top; overflow-wrap: anywhere; }
thead th { color: $muted; border-bottom: 1px solid $border; white-space: nowrap; }
table.facts th { color: $muted; font-weight: normal; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font-family: "DejaVu Sans Mono", "Noto Sans Mono", monospace; font-size: 12px; }
svg { max-width: 100%; height: auto; }
summary { cursor: pointer; color: $accent; }
@media print { body { margin: 0; max-width: none; padding: 0; font-size: 11px; }
  tr, svg { break-inside: avoid; } h2 { break-after: avoid; } }
""")


@cache
def colors() -> dict[str, str]:
    """The light theme's tokens by name, as #rrggbb."""
    text = (resources.files("resources") / "themes" / "light.json").read_text("utf-8")
    return dict(json.loads(text)["colors"])


def style() -> str:
    """The style sheet of the page."""
    return _STYLE.substitute(colors())
