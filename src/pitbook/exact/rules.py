"""A player's own rules, followed: what a rule file comes to at a table."""

from __future__ import annotations

from pitbook.exact.figures import Figures
from pitbook.exact.followed import follow_rules
from pitbook.exact.rule_files import (
    DeclareRule,
    PointValues,
    Rules,
    StreetRule,
    load_rules,
)
from pitbook.money import Cents
from pitbook.sheets.model import Sheet

__all__ = ["DeclareRule", "PointValues", "Rules", "StreetRule", "by_rules", "load_rules"]


def by_rules(sheet: Sheet, rules: Rules, ante: Cents | None = None) -> Figures:
    """The main game's figures for a player who follows the rules."""
    return follow_rules(sheet, rules, ante).figures
