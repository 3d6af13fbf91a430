"""Payout limits: what a seat is paid when more is due than a limit allows, to the cent."""

from __future__ import annotations

from pitbook.money import Cents, money
from pitbook.rules.game import Game
from pitbook.rules.round import Round
from pitbook.sheets.limits import counted
from pitbook.sheets.parts import Limit
from pitbook.text import say
from pitbook.train.drills.deals import PlayedRound, deal, lies, round_file
from pitbook.train.drills.item import Item, Question, Reason
from pitbook.train.drills.luck import Draws
from pitbook.train.drills.paying import work_of
from pitbook.train.drills.reasons import is_assumed, line_reasons

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
    reached = deal_to_limit(game, luck)
    if reached is None:
        return None
    played, seat = reached
    (hand,) = (one for one in played.final.settlements if one.seat == seat)
    lines = [line for line in hand.lines if line.result == "win"]
    why = (*limit_reasons(played.final, seat), *line_reasons(played.final, seat, lines))
    question = Question(say("drills.shares", seat=seat), "amount", lies(played.final))
    evidence = {"played": played, "file": round_file(played), "asked": seat}
    work = 4 + work_of(lines)
    return Item("shares", question, money(hand.wins), why, work, evidence=evidence)


def deal_to_limit(game: Game, luck: Draws) -> tuple[PlayedRound, int] | None:
    """A round in which a payout limit applies, and a seat that is paid less for it."""
    most = min(SEATS_MAX, game.sheet.seats.count)
    played = deal(game, luck, seats=1 + luck.below(most), style="big")
    final = played.final
    seats = {seat.number: seat for seat in final.seats}
    cut = [
        hand.seat
        for hand in final.settlements
        if final.bites and 0 < hand.wins < game.settle(seats[hand.seat], *final.common).wins
    ]
    return (played, luck.one_of(cut)) if cut else None


def limit_reasons(final: Round, seat: int) -> tuple[Reason, ...]:
    """How far each limit that applies to a seat cuts the wins; an assumed limit cites no clause."""
    limits = final.game.sheet.limits
    assumed = {limit.clause for limit in limits if is_assumed(limit, "pays_max")}
    return tuple(
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
        if bite.seat in (None, seat)
    )
