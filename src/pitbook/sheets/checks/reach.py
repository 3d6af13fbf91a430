"""A pay table pays hands that can be dealt: what no cards of these decks make is no line of it."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.money import Odds
from pitbook.sheets.checks.pay_tables import disagreements
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import Finding, Path
from pitbook.sheets.hi_lo import RANK_NAMES, HiLo
from pitbook.sheets.pays import Scope, scope_of


def check(sheet: Sheet) -> Iterator[Finding]:
    """The findings about lines that cannot be met, and tables that pay nobody."""
    for wager in ("main", *sheet.side):
        rule = sheet.main if wager == "main" else sheet.side[wager]
        path: Path = ("main", "pays") if wager == "main" else ("side", wager, "pays")
        for line in rule.pays:
            if why := _why_never(sheet, wager, line):
                message = f'"{line}" can never be paid: {why}'
                yield Finding("error", "pay-impossible", message, (*path, line), rule.clause)
        if not any(isinstance(pay, Odds) for pay in rule.pays.values()):
            message = "every line pushes, so nobody can win; pay one of them"
            yield Finding("error", "pay-nothing", message, path, rule.clause)
    yield from _echo(sheet)


def _echo(sheet: Sheet) -> Iterator[Finding]:
    """Prose stands in a sheet where it contradicts the table, and nowhere else (OMS-7)."""
    prose, scope = sheet.main.prose, scope_of(sheet, "main")
    if prose is None or scope is None or any(scope.atoms(line) is None for line in prose.pays):
        return
    if not disagreements(sheet, scope):
        message = "the prose says what the pay table says; leave [main.prose] out"
        yield Finding("error", "prose-echo", message, ("main", "prose"), prose.clause)


def _why_never(sheet: Sheet, wager: str, line: str) -> str | None:
    """Why no cards of this shoe come to a line; None where some do."""
    if not isinstance(sheet, HiLo):
        return None  # One deck deals every kind that a stud pay table can name.
    if wager == "main":
        return _never_ahead(sheet, line)
    scope = scope_of(sheet, wager)
    if scope is None or not scope.covers(line):
        return None
    if sheet.side[wager].looks_at == "dealer-match":
        return _too_many_matches(sheet, line)
    return _too_few_copies(sheet.deck.decks, line, scope)


def _too_many_matches(sheet: HiLo, line: str) -> str | None:
    """With every card of another rank, what is left of those ranks in the shoe."""
    held, decks = sheet.deal.player, sheet.deck.decks
    left = 4 * decks * min(held, len(RANK_NAMES)) - held
    if int(line.removeprefix("match-")) <= left:
        return None
    held_cards = "one card leaves" if held == 1 else f"{held} cards leave"
    return f"{held_cards} the dealer {left} of the same rank in {_decks(decks)}; leave it out"


def _too_few_copies(decks: int, line: str, scope: Scope) -> str | None:
    names = {scope.kinds[number].name for number in scope.covers(line)}
    if decks >= 3 or names != {"suited-three-of-a-kind"}:
        return None
    return f"three of the same card need three decks, and {_decks(decks)} are in play; leave it out"


def _never_ahead(sheet: HiLo, line: str) -> str | None:
    """Whether even the best cards against the worst never win; certain where it says so."""
    if line not in ("low", "high"):
        return None
    if sheet.main.pays[line] == "push":
        return "it pushes even where it is ahead; pay it"
    own, dealers = _extremes(sheet, line)
    level = sheet.main.ties.value == "player"
    ahead = own <= dealers if line == "low" else own >= dealers
    if ahead and (level or own != dealers):
        return None
    words = {"low": ("fewest", "most"), "high": ("most", "fewest")}[line]
    ties = "" if level or own != dealers else f', and a tie is for "{sheet.main.ties.value}"'
    told = f"the player's {words[0]} points are {own}, the dealer's {words[1]} {dealers}{ties}"
    return f"{told}; change the points, the hands or the ties"


def _extremes(sheet: HiLo, line: str) -> tuple[int, int]:
    """The player's best total, and the dealer's worst, of all the cards in the shoe."""
    points = dict(sheet.points.values)
    if line == "high":
        points |= sheet.points.in_high_hand
    shoe = sorted(points[name] for name in RANK_NAMES for _ in range(4 * sheet.deck.decks))
    deal, low = sheet.deal, sheet.dealer.low
    if line == "low":
        return sum(shoe[: deal.player]), sum(shoe[-deal.dealer :][:low])
    cards = deal.dealer - low + (sheet.dealer.shared != "none")
    return sum(shoe[-deal.player :]), sum(shoe[:cards])


def _decks(number: int) -> str:
    return "one deck" if number == 1 else f"{number} decks"
