"""Pay a hand, cut chips, settle a table, say what a wager does, apply payout limits."""

from __future__ import annotations

from collections.abc import Iterable

from pitbook.drills.question import Item, Question, Reason, label_options
from pitbook.drills.random_rounds import (
    Draws,
    Payment,
    PlayedRound,
    deal,
    deals,
    layout_of,
    payments,
    round_file,
)
from pitbook.drills.reasons import is_assumed, line_reasons, settlement_reason
from pitbook.money import Cents, money
from pitbook.rules.game import Game
from pitbook.rules.narration import cut_chips as chip_stacks
from pitbook.rules.round import Round
from pitbook.rules.settlement_lines import FOLDED, Line
from pitbook.sheets.model import Limit
from pitbook.sheets.pay_tables import lines_under_limit
from pitbook.text import say

RESULTS = ("win", "push", "lose")
SEATS_MAX = 4
CHIPS_MAX = 20


def pay_hand(game: Game, draws: Draws) -> Item | None:
    """What a hand is paid, all wagers together."""
    winning = _winning_round(game, draws)
    if winning is None:
        return None
    played, wins = winning
    final = played.final
    number = final.seats[0].number
    question = Question(say("drills.pay-hand", seat=number), "amount", layout_of(final))
    lines = [line for line in played.lines(number) if line.wins]
    why = (*line_reasons(final, number, lines), *cut_reasons(final, number, lines))
    evidence = {"played": played, "file": round_file(played)}
    return Item("pay-hand", question, money(wins), why, work_of(lines), evidence=evidence)


def cut_chips(game: Game, draws: Draws) -> Item | None:
    """What a hand is paid in chips, the largest first."""
    winning = _winning_round(game, draws)
    if winning is None:
        return None
    played, wins = winning
    final, values = played.final, tuple(game.sheet.house.chips.values)
    stacks = chip_stacks(values, wins)
    if any(value not in values for value, _ in stacks):
        return None  # No chip is small enough for the remainder.
    if sum(count for _, count in stacks) > CHIPS_MAX:
        return None  # Unrealistic: a dealer would call the cage for larger chips.
    number = final.seats[0].number
    question = Question(
        say("drills.cut-chips", seat=number), "chips", layout_of(final), chips=values
    )
    lines = [line for line in played.lines(number) if line.wins]
    why = (
        *line_reasons(final, number, lines),
        *cut_reasons(final, number, lines),
        Reason(say("drills.cut", amount=wins), None),
    )
    answer = ",".join(f"{money(value)}x{count}" for value, count in stacks)
    evidence = {"played": played, "file": round_file(played)}
    work = work_of(lines) + len(stacks)
    return Item("cut-chips", question, answer, why, work, evidence=evidence)


def _winning_round(game: Game, draws: Draws) -> tuple[PlayedRound, int] | None:
    """A round of one winning hand, and its winnings."""
    played = deal(game, draws)
    (hand,) = played.final.settlements
    return (played, hand.wins) if hand.wins else None


def settle_table(game: Game, draws: Draws) -> Item | None:
    """Every payment of the settlement in order, with the player's net."""
    most = min(SEATS_MAX, game.sheet.seats.count)
    played = deal(game, draws, seats=2 + draws.below(most - 1))
    final = played.final
    stops = payments(final)
    titles = [payment_title(game, stop) for stop in stops]
    nets = [sum(line.net for line in stop.lines) for stop in stops]
    if len(set(titles)) < max(2, len(titles)) or not any(nets):
        return None
    options = label_options(draws.shuffle([(title, ()) for title in titles]))
    letters = {option.text: option.id for option in options}
    question = Question(say("drills.settle-table"), "steps", layout_of(final), options=options)
    why = [settlement_reason(game)]
    for stop in stops:
        why += line_reasons(final, stop.seat, stop.lines, named=True)
    limits = (reason for stop in stops for reason in cut_reasons(final, stop.seat, stop.lines))
    why += dict.fromkeys(limits)
    answer = ",".join(
        f"{letters[title]}={money(net)}" for title, net in zip(titles, nets, strict=True)
    )
    work = len(stops) + work_of(line for stop in stops for line in stop.lines)
    evidence = {"played": played, "file": round_file(played)}
    return Item("settle-table", question, answer, tuple(why), work, evidence=evidence)


def payment_title(game: Game, payment: Payment) -> str:
    """The title of a payment: its seat and the wagers settled."""
    titles = dict.fromkeys(game.wager_title(line.wager) for line in payment.lines if line.stake)
    return say("drills.step", seat=payment.seat, titles=tuple(titles))


def what_becomes(game: Game, draws: Draws) -> Item | None:
    """Whether a wager wins, pushes or loses."""
    result = draws.choice(RESULTS)
    for played in deals(game, draws):
        if matching := _lines_with_result(played, result):
            break
    else:
        return None
    final = played.final
    seat = final.seats[0]
    line = draws.choice(matching)
    results = draws.shuffle(RESULTS)
    options = label_options([(say("drills.result", result=result), ()) for result in results])
    title = game.wager_title(line.wager)
    ask = say("drills.what-becomes", title=title, seat=seat.number)
    question = Question(ask, "choice", layout_of(final), options=options)
    answer = options[results.index(result)].id
    evidence = {"played": played, "file": round_file(played), "asked": line.wager}
    return Item(
        "what-becomes",
        question,
        answer,
        (*line_reasons(final, seat.number, [line]), *cut_reasons(final, seat.number, [line])),
        2,
        evidence=evidence,
    )


def _lines_with_result(played: PlayedRound, result: str) -> list[Line]:
    """The wagers of the first seat that win, push or lose at the showdown."""
    return [
        line
        for line in played.lines(played.final.seats[0].number)
        if line.result == result and line.stake and not line.back and line.outcome != FOLDED.outcome
    ]


def work_of(lines: Iterable[Line]) -> int:
    """Steps of arithmetic: one per wager, and one per digit of its odds and stake."""
    work = 0
    for line in lines:
        work += 1
        if line.odds is not None:
            odd = line.odds.to % 10 != 0
            work += len(str(line.odds.to)) + (line.odds.one > 1) * 2 + odd
            work += len(str(line.stake // 100).strip("0"))
    return work


# Payout limits ------------------------------------------------------------------------------------


def has_caps(game: Game) -> bool:
    """Whether the wins under a payout limit could come near it."""
    return any(_may_reach(game, limit) for limit in game.sheet.limits)


def _may_reach(game: Game, limit: Limit) -> bool:
    """A rough bound, so that no round is dealt for an unreachable limit."""
    side, main = game.sheet.side, Cents(game.main[1].max * len(game.sheet.wager_order) * 3)
    wins = [
        odds.wins(side[wager].stake.max if wager in side else main)
        for wager, _, odds in lines_under_limit(game.sheet, limit)
    ]
    seats = min(SEATS_MAX, game.sheet.seats.count) if limit.per == "round" else 1
    return sum(wins) * seats > limit.pays_max


def shares(game: Game, draws: Draws) -> Item | None:
    """What one seat is paid in a round whose wins exceed a limit."""
    reached = deal_to_limit(game, draws)
    if reached is None:
        return None
    played, seat = reached
    (hand,) = (hand for hand in played.final.settlements if hand.seat == seat)
    lines = [line for line in hand.lines if line.result == "win"]
    why = (*limit_reasons(played.final, seat), *line_reasons(played.final, seat, lines))
    question = Question(say("drills.shares", seat=seat), "amount", layout_of(played.final))
    evidence = {"played": played, "file": round_file(played), "asked": seat}
    work = 4 + work_of(lines)
    return Item("shares", question, money(hand.wins), why, work, evidence=evidence)


def deal_to_limit(game: Game, draws: Draws) -> tuple[PlayedRound, int] | None:
    """A round in which a payout limit applies, and a seat that is paid less because of it."""
    most = min(SEATS_MAX, game.sheet.seats.count)
    played = deal(game, draws, seats=1 + draws.below(most), style="big")
    final = played.final
    seats = {seat.number: seat for seat in final.seats}
    cut = [
        hand.seat
        for hand in final.settlements
        if final.applied_caps and 0 < hand.wins < game.settle(seats[hand.seat], *final.common).wins
    ]
    return (played, draws.choice(cut)) if cut else None


def cut_reasons(final: Round, seat: int, lines: Iterable[Line]) -> tuple[Reason, ...]:
    """The limits that apply to a seat, if they reduce any of these lines."""
    state = final.seat(seat)
    assert state is not None
    wins_by_wager = {
        line.wager: line.wins for line in final.game.settle(state, *final.common).lines
    }
    return (
        limit_reasons(final, seat)
        if any(wins_by_wager[line.wager] > line.wins for line in lines)
        else ()
    )


def limit_reasons(final: Round, seat: int) -> tuple[Reason, ...]:
    """How much each limit reduces a seat's wins; an assumed limit cites no clause."""
    limits = final.game.sheet.limits
    assumed = {limit.clause for limit in limits if is_assumed(limit, "pays_max")}
    return tuple(
        Reason(
            say(
                "drills.capped",
                due=cap.due,
                paid=cap.paid,
                whose="round" if cap.seat is None else "hand",
                seat=cap.seat or 0,
            ),
            None if cap.clause in assumed else cap.clause,
        )
        for cap in final.applied_caps
        if cap.seat in (None, seat)
    )
