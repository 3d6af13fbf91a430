"""One mark for assumptions in every paper; a page that shows it prints its legend by itself."""

from __future__ import annotations

from collections.abc import Iterable

from pitbook.sheets.aloud import Saying
from pitbook.sheets.clauses import catalogue
from pitbook.sheets.ours import OursShare
from pitbook.text import say

__all__ = ["MARK", "assumed_share", "legend", "mark_assumption"]

MARK = "†"  # Also in paper.typ, which looks for it on each page.


def mark_assumption(text: str, share: OursShare) -> str:
    """Return the text with a dagger unless `share` is "none"; the legend needs no further call.

    >>> str(mark_assumption("$5 to $500", "all")), mark_assumption("one deck", "none")
    ('$5 to $500†', 'one deck')
    """
    return text if share == "none" else say("papers.assumptions.marked", text=text)


def legend() -> str:
    """What the mark means, for the foot of a page."""
    return say("papers.assumptions.legend")


def assumed_share(one: Saying, *, in_short: bool = False) -> OursShare:
    """How much of a rule is our assumption; a choice between conflicting sentences is in part."""
    assumed = one.ours if in_short else one.sentence_ours
    conflict = assumed == "none" and one.notes and _has_conflict(one.clauses)
    return "part" if conflict else assumed


def _has_conflict(clauses: Iterable[str]) -> bool:
    """Whether the source contradicts itself in one of these clauses."""
    known = catalogue()
    return any("conflict" in known[clause].mark for clause in clauses if clause in known)
