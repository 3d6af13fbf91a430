"""Largest payout of a versus sheet: the best hand and event of one seat, at every seat."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.money import Cents, Odds
from pitbook.rules.families.versus.results import WagerOutcome, results
from pitbook.rules.families.versus.sheet import Versus
from pitbook.sheets.largest_payout import NO_CAP, Exposure, Win, hand_payouts
from pitbook.sheets.pay_tables import lines_paid, pays_of, scope_of


def exposure(sheet: Versus) -> Exposure:
    """Upper bounds on the payout of one hand, and of a full table of such hands."""
    sides = [_best_side(sheet, wager) for wager in sheet.side if not _by_hand(sheet, wager)]
    side_wins = [win for wins in sides for win in wins]
    payouts_by_hand = [
        hand_payouts(sheet, [*wins, *side_wins]) for wins in _main_wins_by_hand(sheet)
    ]
    hand = max((sum(payouts) for payouts in payouts_by_hand), default=0)
    caps = [NO_CAP, *(limit.pays_max for limit in sheet.limits if limit.per == "round")]
    best = [max(column) for column in zip(*payouts_by_hand, strict=True)]
    seats = sheet.seats.count
    table_max = sum(
        min(cap, seats * best_payout) for cap, best_payout in zip(caps, best, strict=True)
    )
    hand_max = sum(min(cap, amount) for cap, amount in zip(caps, best, strict=True))
    return Exposure(Cents(min(hand, hand_max)), Cents(min(seats * hand, table_max)), exact=False)


def _main_wins_by_hand(sheet: Versus) -> Iterator[list[Win]]:
    """The wins of the main game and of side wagers on the hand, by event and kind of hand."""
    wager_results, stakes = results(sheet), sheet.largest_stakes
    wagers = ("ante", *sheet.wagers)
    sides = {wager: _side_by_kind(sheet, wager) for wager in sheet.side if _by_hand(sheet, wager)}
    for event in range(len(wager_results["ante"])):
        for kind in range(len(wager_results["ante"][event])):
            won: list[Win] = []
            for wager, stake in zip(wagers, stakes, strict=True):
                if outcomes := wager_results[wager][event]:
                    won += _main_wins(outcomes[kind], stake)
            for by_kind in sides.values():
                won += by_kind[kind]
            yield won


def _main_wins(outcome: WagerOutcome, stake: Cents) -> list[Win]:
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
