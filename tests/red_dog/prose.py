"""The cards and the decision of a red dog sheet, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from tests.red_dog.sheet import RedDog

from pitbook.sheets.phrases import count_noun
from pitbook.sheets.prose import RuleText, compose_rule_text


def rule_texts(sheet: RedDog) -> Iterator[RuleText]:
    """The family's rule texts."""
    rule, bet = sheet.deal, sheet.bet.title
    says = "are turned, then a third where it can decide something"
    yield compose_rule_text(
        "Cards", "Deal", "two cards", says, "deal.clause", rule, short=f"two cards {says}"
    )
    raising = sheet.raising
    size = "as much again" if raising.times == 1 else count_noun(raising.times, bet, f"{bet}s")
    says = f"puts {size} once the spread is told, or stands"
    fields, short = "raising.times raising.title", f"{size} once the spread is told, or stand"
    yield compose_rule_text("Play", raising.title, "a player", says, fields, raising, short=short)
    absent = sheet.absent
    says = "stands" if absent.value == "stand" else "raises"
    yield compose_rule_text(
        "Play", "Absent", "an absent player", says, "absent", absent, short=says
    )


def main_table(sheet: RedDog) -> tuple[str, str]:
    """The title and the subject of the main pay table."""
    return f"{sheet.bet.title} and {sheet.raising.title}", "on where the third card falls"
