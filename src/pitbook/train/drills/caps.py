"""Payout limits: what a seat is paid when more is due than a limit allows, to the cent."""

from __future__ import annotations

from pitbook.money import Cents, money
from pitbook.rules.game import Game
from pitbook.sheets.limits import counted
from pitbook.sheets.model import Limit
from pitbook.text import say
from pitbook.train.drills.deals import deal, lies, round_file
from pitbook.train.drills.item import Item, Question, Reason
from pitbook.train.drills.luck import Draws
from pitbook.train.drills.paying import work_of
from pitbook.train.drills.reasons import is_assumed, line_reasons

__all__ = ["has_caps", "shares"]

SEATS_MAX = 4


def has_caps(game: Game) -> bool:
    """Whether the wins that a limit counts could come near it."""
    return any(_is_near(game, limit) for limit in game.sheet.limits)


def _is_near(game: Game, limit: Limit) -> bool:
    """A rough bound, so that no round is dealt for a limit that nothing reaches."""
    side, main = game.sheet.side, Cents(game.main[1].max * len(game.sheet.wager_order) * 3)
    wins = [
        one.wins(side[wager].stake.max if wager in side else main)
        for wager, _, one in counted(game.sheet, limit)
    ]
    seats = min(SEATS_MAX, game.sheet.seats.count) if limit.per == "round" else 1
    return sum(wins) * seats > limit.pays_max


def shares(game: Game, luck: Draws) -> Item | None:
    """What one seat is paid in a round whose wins are over a limit."""
    most = min(SEATS_MAX, game.sheet.seats.count)
    played = deal(game, luck, seats=1 + luck.below(most), style="big")
    final = played.final
    if not final.bites:
        return None
    seats = {seat.number: seat for seat in final.seats}
    cut = [
        hand
        for hand in final.settlements
        if 0 < hand.wins < game.settle(seats[hand.seat], *final.common).wins
    ]
    if not cut:
        return None
    hand = luck.one_of(cut)
    lines = [line for line in hand.lines if line.wins]
    assumed = {
        limit_rule.clause for limit_rule in game.sheet.limits if is_assumed(limit_rule, "pays_max")
    }
    why = [
        Reason(
            say(
                "drills.capped",
                due=bite.due,
                paid=bite.paid,
                whose="round" if bite.seat is None else "hand",
                seat=bite.seat or 0,
            ),
            None if bite.clause in assumed else bite.clause,
        )
        for bite in final.bites
        if bite.seat in (None, hand.seat)
    ]
    why += line_reasons(final, lines)
    question = Question(say("drills.shares", seat=hand.seat), "amount", lies(final))
    evidence = {"played": played, "file": round_file(played), "asked": hand.seat}
    work = 4 + work_of(lines)
    return Item("shares", question, money(hand.wins), tuple(why), work, evidence=evidence)
