"""ARCHITECTURE.md's drawing of the packages, made from the imports that are there."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

import grimp

ARCHITECTURE = Path(__file__).parent.parent / "ARCHITECTURE.md"
BEGIN, END = "```mermaid\n", "```"
PACKAGE = "pitbook"

Edges = dict[str, set[str]]


def architecture() -> str:
    """The page with its drawing made anew."""
    before, opened, rest = ARCHITECTURE.read_text(encoding="utf-8").partition(BEGIN)
    _, closed, after = rest.partition(END)
    return f"{before}{opened}{drawing()}{closed}{after}"


def drawing() -> str:
    """Which package stands on which; an arrow is left out where a path leads there."""
    lines = [f"  {above} --> {' & '.join(sorted(below))}" for above, below in _drawn()]
    return "\n".join(["graph TD", *lines]) + "\n"


def _drawn() -> list[tuple[str, set[str]]]:
    edges = imports()
    reached = {name: _reached(name, edges) for name in edges}
    kept: Edges = {}
    for above, below in edges.items():
        by_others = {far for near in below for far in reached[near]}
        kept[above] = below - by_others
    depth = {name: len(far) for name, far in reached.items()}
    order = sorted(kept, key=lambda name: (-depth[name], name))
    return [(name, kept[name]) for name in order if kept[name]]


@cache
def imports() -> Edges:
    """For every package and module at the top, those whose modules its own import."""
    graph = grimp.build_graph(PACKAGE)
    edges: Edges = defaultdict(set)
    for module in graph.modules:
        above = _top(module)
        for other in graph.find_modules_directly_imported_by(module):
            below = _top(other)
            if above and below and above != below:
                edges[above].add(below)
                edges.setdefault(below, set())
    return dict(edges)


def _top(module: str) -> str:
    name = module.partition(".")[2].partition(".")[0]
    return "" if name == "__main__" else name


def _reached(name: str, edges: Edges) -> set[str]:
    found: set[str] = set()
    to_see = [*edges[name]]
    while to_see:
        one = to_see.pop()
        if one not in found:
            found.add(one)
            to_see += edges[one]
    return found
