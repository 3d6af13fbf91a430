"""Marks assumptions with a dagger in every paper; a page with a dagger prints the legend."""

from __future__ import annotations

from collections.abc import Iterable

from pitbook.sheets.clauses import clause_texts
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import RuleText
from pitbook.sheets.provenance import OursShare, rules_of, share
from pitbook.sheets.values import Rule
from pitbook.text import say

MARK = "†"  # Also in paper.typ, which looks for it on each page.


def mark_assumption(text: str, share: OursShare) -> str:
    """Return the text with a dagger unless `share` is "none"; the legend needs no further call.

    >>> str(mark_assumption("$5 to $500", "all")), mark_assumption("one deck", "none")
    ('$5 to $500†', 'one deck')
    """
    return text if share == "none" else say("papers.assumptions.marked", text=text)


def legend() -> str:
    """The legend that explains the dagger, for the foot of a page."""
    return say("papers.assumptions.legend")


def assumed_of_rule(rule: Rule, *fields: str) -> OursShare:
    """How much of a rule, or of some of its fields, is our assumption."""
    return "all" if _is_without_document(rule.clause) else share(rule, *fields)


def _is_without_document(clause: str) -> bool:
    entry = clause_texts().get(clause)
    return entry is not None and entry.undocumented


def assumed_share(rule_text: RuleText, *, in_short: bool = False) -> OursShare:
    """How much of a rule is our assumption; "part" if we chose between conflicting sentences."""
    if rule_text.clauses and all(map(_is_without_document, rule_text.clauses)):
        return "all"
    assumed = rule_text.ours if in_short else rule_text.sentence_ours
    conflict = assumed == "none" and rule_text.notes and _has_conflict(rule_text.clauses)
    return "part" if conflict else assumed


def _has_conflict(clauses: Iterable[str]) -> bool:
    """Whether the source contradicts itself in one of these clauses."""
    clauses_by_id = clause_texts()
    return any(
        "conflict" in clauses_by_id[clause].mark for clause in clauses if clause in clauses_by_id
    )


def share_of_clauses(sheet: Sheet, clauses: Iterable[str]) -> OursShare:
    """all" if every rule that cites one of these clauses is our assumption, else "none"."""
    cited = {*clauses}
    shares = {assumed_of_rule(rule) for _, rule in rules_of(sheet, ()) if rule.clause in cited}
    return "all" if shares == {"all"} else "none"
