"""The most that a versus sheet can owe: the best hand and event of one seat, at every seat."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.money import Cents, Odds
from pitbook.rules.families.versus.results import WagerOutcome, results
from pitbook.rules.families.versus.sheet import Versus
from pitbook.sheets.exposure import NO_CAP, Exposure, Win, hand_payouts
from pitbook.sheets.pay_tables import lines_paid, pays_of, scope_of


def exposure(sheet: Versus) -> Exposure:
    """The largest payout for one hand, and for a full table of such hands: bounds from above."""
    sides = [_best_side(sheet, wager) for wager in sheet.side if not _by_hand(sheet, wager)]
    always = [win for found in sides for win in found]
    each = [hand_payouts(sheet, [*wins, *always]) for wins in _main(sheet)]
    hand = max((sum(one) for one in each), default=0)
    caps = [NO_CAP, *(limit.pays_max for limit in sheet.limits if limit.per == "round")]
    best = [max(column) for column in zip(*each, strict=True)]
    seats = sheet.seats.count
    under = sum(min(cap, seats * one) for cap, one in zip(caps, best, strict=True))
    one = sum(min(cap, amount) for cap, amount in zip(caps, best, strict=True))
    return Exposure(Cents(min(hand, one)), Cents(min(seats * hand, under)), exact=False)


def _main(sheet: Versus) -> Iterator[list[Win]]:
    """By event and kind of hand, every win of the main game and of side wagers on that hand."""
    found, stakes = results(sheet), sheet.largest_stakes
    wagers = ("ante", *sheet.wagers)
    sides = {wager: _side_by_kind(sheet, wager) for wager in sheet.side if _by_hand(sheet, wager)}
    for event in range(len(found["ante"])):
        for kind in range(len(found["ante"][event])):
            won: list[Win] = []
            for wager, stake in zip(wagers, stakes, strict=True):
                if outcomes := found[wager][event]:
                    won += _won(outcomes[kind], stake)
            for by_kind in sides.values():
                won += by_kind[kind]
            yield won


def _won(outcome: WagerOutcome, stake: Cents) -> list[Win]:
    pay = outcome.pay
    return [Win("main", pay.outcome, pay.odds, stake)] if pay.odds else []


def _by_hand(sheet: Versus, wager: str) -> bool:
    return sheet.side[wager].looks_at == "hand" and sheet.war is None


def _side_by_kind(sheet: Versus, wager: str) -> list[list[Win]]:
    scope, pays = scope_of(sheet, wager), pays_of(sheet, wager)
    assert scope is not None
    stake = sheet.side[wager].stake.max
    paid = lines_paid(pays, scope, sheet.payouts.several_lines.value)
    wins = []
    for line in paid:
        pay = pays[line] if line else None
        wins.append([Win(wager, line or "", pay, stake)] if isinstance(pay, Odds) else [])
    return wins


def _best_side(sheet: Versus, wager: str) -> list[Win]:
    stake = sheet.side[wager].stake.max
    wins = [
        Win(wager, line, pay, stake)
        for line, pay in pays_of(sheet, wager).items()
        if isinstance(pay, Odds)
    ]
    return [max(wins, key=lambda win: win.pay.to / win.pay.one)] if wins else []
