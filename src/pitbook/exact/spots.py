"""One spot at the table, checked: cards, board, bets so far, as the sheet allows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pitbook.cards import Card, name
from pitbook.english import counted
from pitbook.errors import PitbookError
from pitbook.families.street_stud.sheet import StreetStud
from pitbook.money import Cents, spoken
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet, Stake


class SpotError(PitbookError):
    """A spot that cannot arise; its text says why."""


@dataclass(frozen=True)
class Spot:
    """What a player knows when a decision is due."""

    cards: tuple[Card, ...]
    community: tuple[Card, ...] = ()
    bets: tuple[str, ...] = ()
    ante: Cents | None = None
    side: Mapping[str, Cents] | None = None
    dead: tuple[Card, ...] = ()
    purse: Cents | None = None  # What is left to bet with, beside what lies there; None is enough.


def checked(sheet: Sheet, spot: Spot) -> Spot:
    """The spot, if it can arise; raises SpotError with a sentence."""
    _hand(sheet, spot)
    _no_card_twice(sheet, spot)
    _enough_left(sheet, spot)
    if isinstance(sheet, StreetStud):
        _streets(sheet, spot)
    elif spot.community or spot.bets:
        raise SpotError("a declaration is made before any card of the dealer and any further bet")
    stakes_checked(sheet, spot)
    return spot


def _hand(sheet: Sheet, spot: Spot) -> None:
    needed = sheet.deal.hole.value if isinstance(sheet, StreetStud) else sheet.deal.player
    if len(spot.cards) != needed:
        raise SpotError(f"a player holds {counted(needed, 'card')}, not {len(spot.cards)}")


def _no_card_twice(sheet: Sheet, spot: Spot) -> None:
    decks = sheet.deck.decks
    counts = Counter((*spot.cards, *spot.community, *spot.dead))
    for card, times in counts.items():
        if times > decks:
            held = (
                "one deck holds it once" if decks == 1 else f"{decks} decks hold it {decks} times"
            )
            raise SpotError(f"{name(card)} is named {times} times; {held}")


def _enough_left(sheet: Sheet, spot: Spot) -> None:
    known = len(spot.cards) + len(spot.community) + len(spot.dead)
    left = 52 * sheet.deck.decks - known
    board = sheet.community if isinstance(sheet, StreetStud) else sheet.deal.dealer
    if left < board - len(spot.community):
        raise SpotError(
            f"{known} cards are named and {left} are left, too few for the {board} on the table"
        )


def _streets(sheet: StreetStud, spot: Spot) -> None:
    streets = sheet.streets
    if len(spot.bets) >= len(streets):
        raise SpotError(f"after {counted(len(spot.bets), 'bet')} there is nothing left to decide")
    for bet, street in zip(spot.bets, streets, strict=False):
        allowed = [f"{times}x" for times in street.bets]
        if bet not in allowed:
            raise SpotError(f'"{bet}" is no bet on {street.title}; {did_you_mean(bet, allowed)}')
        most, made = street.bet_max, (spot.ante or 0) * int(bet[:-1])
        if most is not None and made > most:
            raise SpotError(
                f"{bet} is {spoken(made)}, above {spoken(most)}, the most for {street.title}"
            )
    turned = sum(street.reveals.value for street in streets[: len(spot.bets)])
    if len(spot.community) != turned:
        due = streets[len(spot.bets)].title
        raise SpotError(
            f"the {due} comes with {counted(turned, 'community card')} turned, "
            f"not {len(spot.community)}; {counted(len(spot.bets), 'bet')} given"
        )


def ante_beside(sheet: Sheet, ante: Cents | None, side: Mapping[str, Cents] | None) -> Cents | None:
    """The ante that side stakes in dollars stand beside: left out, the table's smallest."""
    return sheet.main_wager.min if ante is None and side else ante


def stakes_checked(sheet: Sheet, spot: Spot) -> None:
    """Raise SpotError where an ante, a side wager or a purse is outside the sheet's limits."""
    main = sheet.main_wager
    if spot.ante is not None:
        _within(spot.ante, main, main.title)
    for wager, stake in (spot.side or {}).items():
        if wager not in sheet.side:
            raise SpotError(f'there is no side wager "{wager}"; {did_you_mean(wager, sheet.side)}')
        _within(stake, sheet.side[wager].stake, sheet.side[wager].title)
    _purse(spot)


def _purse(spot: Spot) -> None:
    if spot.purse is None:
        return
    if spot.purse < 0:
        raise SpotError("a purse cannot be less than nothing")
    if spot.ante is None:
        raise SpotError(
            f"a purse of {spoken(spot.purse)} needs the ante in dollars, "
            "to tell which bets it pays for"
        )


def _within(amount: Cents, rule: Stake, title: str) -> None:
    if not rule.min <= amount <= rule.max:
        raise SpotError(
            f"{title} of {spoken(amount)} is outside {spoken(rule.min)} to {spoken(rule.max)}"
        )
    if amount % rule.step:
        raise SpotError(f"{title} of {spoken(amount)} is no multiple of {spoken(rule.step)}")
