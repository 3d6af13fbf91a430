"""Checks of a red dog sheet."""

from __future__ import annotations

from collections.abc import Iterator

from tests.red_dog.sheet import KINDS, RedDog

from pitbook.sheets.check_structure import (
    duplicate_names,
    fold_rule_errors,
    name_error,
    structure_error,
)
from pitbook.sheets.family_registry import Checks, Idle
from pitbook.sheets.findings import Finding
from pitbook.sheets.pay_tables import lines_paid, pays_of, scope_of
from pitbook.text.user_input import show_value

__all__ = ["CHECKS"]

PUSHES = ("consecutive", "pair")


def structure(sheet: RedDog) -> Iterator[Finding]:
    """Every spread must have a pay, and pushes must push."""
    pays, scope = pays_of(sheet, "main"), scope_of(sheet, "main")
    assert scope is not None
    path, clause = ("main", "pays"), sheet.main.clause
    for name in PUSHES:
        if pays.get(name) != "push":
            message = f'"{name}" pushes in red dog; say {name} = "push"'
            yield structure_error(message, path, clause)
    if "outside" in pays:
        message = "a third card outside the spread loses; leave it out"
        yield structure_error(message, (*path, "outside"), clause)
    if all(scope.atoms(line) for line in pays):
        paid = lines_paid(pays, scope, sheet.payouts.several_lines.value)
        missing = [name for name, line in zip(KINDS[1:], paid[1:], strict=True) if line is None]
        if missing:
            yield structure_error(f"no pay for {', '.join(missing)}", path, clause)
    yield from fold_rule_errors(sheet)


def names(sheet: RedDog) -> Iterator[Finding]:
    """Bet and raise with the same title."""
    titles = [(sheet.bet.title, ("bet", "title")), (sheet.raising.title, ("raising", "title"))]
    for name, path in duplicate_names(titles):
        message = f"Bet and raise are both called {show_value(name)}; name them apart"
        yield name_error(message, path, sheet.raising.clause)


def fits(sheet: RedDog) -> Iterator[Finding]:
    return iter(())


def idle(sheet: RedDog) -> Iterator[Idle]:
    """Straights do not exist here, so the ace rule has no effect."""
    ace = sheet.payouts.ace_in_straights
    if ace.value != "high-or-low":
        yield "payouts.ace_in_straights", "no straights are paid; an ace is high", ace.clause


def why_never(sheet: RedDog, wager: str, line: str) -> str | None:
    """Always None: one deck deals every outcome."""
    return None


def is_play(text: str) -> bool:
    """Whether a word is a play at the decision."""
    return text in ("raise", "stand")


CHECKS = Checks(structure, names, fits, idle, why_never, is_play)
