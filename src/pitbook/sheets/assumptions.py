"""Marks what the source of a sheet does not state with a dagger, on paper, screen and terminal."""

from __future__ import annotations

from collections.abc import Iterable

from pitbook.sheets.clauses import clause_texts
from pitbook.sheets.field_types import Rule
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import RuleText
from pitbook.sheets.provenance import OursShare, rules_of, share
from pitbook.text import say

MARK = "†"  # Also in paper.typ, which looks for it on each page.


def mark_assumption(text: str, share: OursShare) -> str:
    """Return the text with a dagger unless `share` is "none".

    >>> str(mark_assumption("$5 to $500", "all")), mark_assumption("one deck", "none")
    ('$5 to $500†', 'one deck')
    """
    return text if share == "none" else say("ours.marked", text=text)


def legend() -> str:
    """The line that explains the dagger, for the foot of a page or an answer."""
    return say("ours.legend")


def describe_assumption(share: OursShare, reason: str | None = None) -> str:
    """The text behind a dagger, with the reason if it is known; empty if nothing is assumed."""
    return "" if share == "none" else say("ours.assumption", share=share, reason=reason)


def assumed_of_rule(rule: Rule, *fields: str) -> OursShare:
    """How much of a rule, or of some of its fields, is our assumption."""
    return "all" if _is_without_document(rule.clause) else share(rule, *fields)


def _is_without_document(clause: str) -> bool:
    entry = clause_texts().get(clause)
    return entry is not None and entry.undocumented


def assumed_share(rule_text: RuleText, *, short_form: bool = False) -> OursShare:
    """How much of a rule is our assumption; "part" if we chose between conflicting sentences."""
    if rule_text.clauses and all(map(_is_without_document, rule_text.clauses)):
        return "all"
    assumed = rule_text.ours if short_form else rule_text.sentence_ours
    conflict = assumed == "none" and rule_text.notes and _has_conflict(rule_text.clauses)
    return "part" if conflict else assumed


def _has_conflict(clauses: Iterable[str]) -> bool:
    """Whether the source contradicts itself in one of these clauses."""
    clauses_by_id = clause_texts()
    return any(
        "conflict" in clauses_by_id[clause].mark for clause in clauses if clause in clauses_by_id
    )


def marked_text(rule_text: RuleText) -> str:
    """The text for a rack card, with a dagger if some of it is assumed."""
    return mark_assumption(rule_text.card_text, assumed_share(rule_text, short_form=True))


def assumed_pays(sheet: Sheet, wager: str) -> OursShare:
    """How much of a wager's pay table is our assumption; "main" is the main game's."""
    return assumed_of_rule(sheet.main if wager == "main" else sheet.side[wager], "pays")


def describe_pays(sheet: Sheet, wager: str) -> str:
    """The text behind the dagger of a pay table, with the reason; empty if it has none."""
    rule = sheet.main if wager == "main" else sheet.side[wager]
    return describe_assumption(assumed_pays(sheet, wager), rule.note)


def describe_pays_of_both(a: Sheet, b: Sheet, wager: str) -> dict[str, str]:
    """The texts behind the daggers of one wager in two sheets; empty if a sheet lacks it."""
    sheets = {"a": a, "b": b}
    return {
        name: describe_pays(sheet, wager) if wager == "main" or wager in sheet.side else ""
        for name, sheet in sheets.items()
    }


def share_of_clauses(sheet: Sheet, clauses: Iterable[str]) -> OursShare:
    """Return "all" if every rule that cites one of these clauses is assumed, else "none"."""
    cited = {*clauses}
    shares = {assumed_of_rule(rule) for _, rule in rules_of(sheet, ()) if rule.clause in cited}
    return "all" if shares == {"all"} else "none"
