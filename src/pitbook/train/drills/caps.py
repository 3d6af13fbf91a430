"""Caps and shares: what is left to each when a limit bites, to the cent."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.game.description import Game
from pitbook.game.limits import limits
from pitbook.game.settlement import Line, Settlement
from pitbook.money import Cents, Odds, money
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.limits import counted
from pitbook.sheets.model import Limit, Stake
from pitbook.train.drills.item import Item, Question, Reason
from pitbook.train.drills.luck import Draws
from pitbook.wording import say

__all__ = ["has_caps", "shares"]

SEATS_MAX = 4


class CappedWin(NamedTuple):
    """A line that a cap counts: its wager, its odds, and how much may lie there."""

    wager: str
    line: str
    odds: Odds
    stake: Stake


def has_caps(game: Game) -> bool:
    """Whether a limit is within reach of wins that it counts."""
    return any(_reached(game, limit) for limit in game.sheet.limits)


def _reached(game: Game, limit: Limit) -> bool:
    most = max((one.odds.wins(one.stake.max) for one in _wins(game, limit)), default=0)
    seats = min(SEATS_MAX, game.sheet.seats.count) if limit.per == "round" else 1
    return most * seats > limit.pays_max


def _wins(game: Game, limit: Limit) -> list[CappedWin]:
    side = game.sheet.side
    return [
        CappedWin(wager, line, odds, side[wager].stake if wager in side else game.main[1])
        for wager, line, odds in counted(game.sheet, limit)
    ]


def shares(game: Game, luck: Draws) -> Item | None:
    """What one seat is paid when more is due than a limit leaves."""
    sheet = game.sheet
    limit = luck.one_of([one for one in sheet.limits if _reached(game, one)])
    most = min(SEATS_MAX, sheet.seats.count)
    count = 2 + luck.below(most - 1) if limit.per == "round" and most > 1 else 1
    numbers = sorted(luck.some_of(range(1, sheet.seats.count + 1), count))
    hands = tuple(_hand(game, luck, number, luck.one_of(_wins(game, limit))) for number in numbers)
    paid, bites = limits(sheet, hands)
    if not bites:
        return None
    number = luck.one_of(numbers)
    lines = tuple(_due(game, hand) for hand in hands)
    ask = say("drills.shares", seat=number)
    answer = next(one.wins for one in paid if one.seat == number)
    why = tuple(
        Reason(say("drills.capped", due=bite.due, paid=bite.paid), bite.clause) for bite in bites
    )
    evidence = {"due": [[hand.seat, hand.lines[0]] for hand in hands], "asked": number}
    question = Question(ask, "amount", lines=lines)
    return Item("shares", question, money(answer), why, 4 + 3 * count, evidence=evidence)


def _hand(game: Game, luck: Draws, number: int, win: CappedWin) -> Settlement:
    """A hand with one win that a cap counts, mostly a large one."""
    wager, line, odds, stake = win
    least, most = -(-stake.min // stake.step), stake.max // stake.step
    amount = Cents(stake.step * (most - luck.below(most - least + 1) // 2))
    wins = odds.wins(amount)
    if game.sheet.payouts.stake_counted.value:
        wins = Cents(max(0, wins - amount))
    name = game.main[0] if wager == "main" else wager
    rule = game.sheet.main if wager == "main" else game.sheet.side[wager]
    return Settlement(number, (Line(name, amount, line, "win", odds, wins, rule.clause),))


def _due(game: Game, hand: Settlement) -> str:
    (line,) = hand.lines
    title, made = game.wager_title(line.wager), outcome(line.outcome or "")
    told = {"seat": hand.seat, "title": title, "line": made, "stake": line.stake}
    return say("drills.due", **told, wins=line.wins)
