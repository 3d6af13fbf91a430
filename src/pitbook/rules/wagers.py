"""Before the deal: who sits where and what they bet, within the sheet's limits."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from pitbook.rules.actions import Close, PlaceNumber, Wager, Withdraw
from pitbook.rules.game import Game, Seat
from pitbook.rules.named_tuples import replacer
from pitbook.rules.plays import PASSED
from pitbook.rules.refusals import Code, Refusal, refuse, refuse_cached
from pitbook.rules.round import Round
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.parts import Stake


def wager(round: Round, action: Wager) -> Round | Refusal:
    """Put a wager on the table, or change one."""
    if (refusal := wager_refusal(round, action)) is not None:
        return refusal
    main = round.game.main[0]
    seat = round.seat(action.seat) or Seat(action.seat, action.player)
    if action.wager == main:
        equals = tuple((name, action.amount) for name in round.game.equals)
        changed = seat._replace(main=((main, action.amount), *equals))
    else:
        made = dict(seat.side) | {action.wager: action.amount}
        order = [name for name in round.game.sheet.side if name in made]
        changed = seat._replace(side=tuple((name, made[name]) for name in order))
    others = [one for one in round.seats if one.number != action.seat]
    return round._replace(seats=tuple(sorted([*others, changed])))


def wager_refusal(round: Round, action: Wager) -> Refusal | None:
    """Why a wager is not put, or not changed."""
    if round.phase != "wagers":
        return refuse(Code.NOT_NOW, "engine.wagers.closed")
    return seat_refusal(round, action.seat, action.player) or _bet_refusal(round, action)


def withdraw(round: Round, action: Withdraw) -> Round | Refusal:
    """Take a wager back; with the main wager, or the last one, the seat goes too."""
    if round.phase != "wagers":
        return refuse(Code.NOT_NOW, "engine.wagers.closed-stay")
    seat = round.seat(action.seat)
    if seat is None:
        return refuse(Code.UNKNOWN_SEAT, "engine.wagers.nobody-there", seat=action.seat)
    if action.wager not in dict(seat.stakes) or action.wager in round.game.equals:
        key, wager = "engine.wagers.none-there", round.game.wager_title(action.wager)
        return refuse(Code.UNKNOWN_WAGER, key, seat=seat.number, wager=wager)
    kept = tuple(one for one in seat.side if one[0] != action.wager)
    nothing = not seat.main and not kept
    if action.wager == round.game.main[0] or nothing:
        return round._replace(seats=tuple(one for one in round.seats if one is not seat))
    return round.with_seat(seat._replace(side=kept))


def withdraw_all(seat: Seat) -> tuple[Withdraw, ...]:
    """What takes every wager of a seat back: with the main one go all the others."""
    wagers = seat.main[:1] or seat.side
    return tuple(Withdraw(seat.number, wager) for wager, _ in wagers)


def close(round: Round, action: Close) -> Round | Refusal:
    """No more wagers: the deal begins, if every required wager is made."""
    if round.phase != "wagers":
        return refuse(Code.NOT_NOW, "engine.wagers.closed-already")
    if not round.seats:
        return refuse(Code.NO_SEATS, "engine.wagers.nobody-bets")
    for name, side in round.game.sheet.side.items():
        for seat in round.seats:
            if side.stake.required and seat.main and name not in dict(seat.side):
                return refuse(
                    Code.WAGER_MISSING,
                    "engine.wagers.missing",
                    side.stake.clause,
                    seat=seat.number,
                    title=side.title,
                )
    if (refusal := _would_leave_apart(round)) is not None:
        return refusal
    return _with_deal_order(_skip_decisions(round), "deal", _deal_order(round))


_with_deal_order = replacer(Round, "phase", "to_deal")


def _skip_decisions(round: Round) -> Round:
    """Seats that have side wagers alone are asked nothing: they have passed every stage."""
    if all(seat.main for seat in round.seats):
        return round
    passed = (PASSED,) * len(round.game.stages)
    seats = (one if one.main else one._replace(plays=passed) for one in round.seats)
    return round._replace(seats=tuple(seats))


def seat_refusal(round: Round, number: int, player: str) -> Refusal | None:
    """Why a player may not take a position, beside the ones that are taken."""
    rule = round.game.sheet.seats
    if not 1 <= number <= rule.count:
        key, last = "engine.wagers.no-seat", rule.count
        return refuse(Code.UNKNOWN_SEAT, key, rule.clause, seat=number, last=last)
    seat = round.seat(number)
    if seat is not None:
        if seat.player == player:
            return None
        key, clause = "engine.wagers.seat-taken", rule.per_player.clause
        return refuse(Code.SEAT_TAKEN, key, clause, seat=number, player=seat.player)
    own = [one.number for one in round.seats if one.player == player]
    return _spread_refusal(round, number, player, own) if own else None


def _spread_refusal(round: Round, number: int, player: str, own: list[int]) -> Refusal | None:
    rule = round.game.sheet.seats
    most = rule.per_player.value
    if len(own) >= most:
        return refuse_cached(
            Code.TOO_MANY_SPOTS,
            "engine.wagers.too-many-spots",
            rule.per_player.clause,
            player=player,
            count=len(own),
            seats=tuple(own),
            most=most,
        )
    if rule.adjacent is None or not rule.adjacent.value:
        return None
    gaps = {abs(number - one) for one in own}
    ends = rule.ends_meet is not None and rule.ends_meet.value and rule.count - 1 in gaps
    if 1 in gaps or ends:
        return None
    return _are_apart(player, own[0], number, rule.adjacent.clause)


def _are_apart(player: str, first: int, second: int, clause: str) -> Refusal:
    key = "engine.wagers.spots-apart"
    return refuse(Code.SPOTS_APART, key, clause, player=player, first=first, second=second)


def _would_leave_apart(round: Round) -> Refusal | None:
    """A spot given up between two others may leave them apart."""
    rule = round.game.sheet.seats
    if rule.adjacent is None or not rule.adjacent.value:
        return None
    for player in dict.fromkeys(seat.player for seat in round.seats):
        own = [seat.number for seat in round.seats if seat.player == player]
        gaps = [pair for pair in pairwise(own) if pair[1] - pair[0] > 1]
        ends = rule.ends_meet is not None and rule.ends_meet.value
        if gaps and not (ends and len(gaps) == 1 and own[0] == 1 and own[-1] == rule.count):
            first, second = gaps[0]
            return _are_apart(player, first, second, rule.adjacent.clause)
    return None


def _bet_refusal(round: Round, action: Wager) -> Refusal | None:
    main, rule = round.game.main
    sides = round.game.sheet.side
    if action.wager == main:
        return _outside_limits(action, rule, rule.title)
    if action.wager not in sides:
        remedy = did_you_mean(action.wager, [main, *sides])
        key, wager = "engine.wagers.unknown", action.wager
        return refuse(Code.UNKNOWN_WAGER, key, wager=wager, remedy=remedy)
    side = sides[action.wager]
    seat, alone = round.seat(action.seat), round.game.sheet.may_stand_alone(action.wager)
    if not alone and (seat is None or not seat.main):
        return refuse(
            Code.NO_MAIN_WAGER,
            "engine.wagers.no-main",
            "GEN-12",
            seat=action.seat,
            main=rule.title,
            side=side.title,
        )
    return _outside_limits(action, side.stake, side.title)


def _outside_limits(action: Wager, rule: Stake, title: str) -> Refusal | None:
    amount = action.amount
    if rule.min <= amount <= rule.max and not amount % rule.step:
        return None
    bet: dict[str, Any] = {"title": title, "amount": amount, "seat": action.seat}
    bounds = {"least": rule.min, "most": rule.max}
    if amount < rule.min:
        key = "engine.wagers.below-minimum"
        return refuse(Code.BELOW_MINIMUM, key, rule.clause, **bet, **bounds)
    if amount > rule.max:
        key = "engine.wagers.above-maximum"
        return refuse(Code.ABOVE_MAXIMUM, key, rule.clause, **bet, **bounds)
    below = amount - amount % rule.step  # Bounds are steps too, so both neighbours may be bet.
    steps = {"step": rule.step, "near": (below, below + rule.step)}
    return refuse(Code.NOT_A_STEP, "engine.wagers.not-a-step", "GEN-12", **bet, **steps)


def _deal_order(round: Round) -> tuple[PlaceNumber, ...]:
    numbers, kept = tuple([seat.number for seat in round.seats]), round.game.deals
    if numbers not in kept:
        kept[numbers] = _dealt_seats(round.game, list(numbers))
    return kept[numbers]


def _dealt_seats(game: Game, numbers: list[int]) -> tuple[PlaceNumber, ...]:
    """Where each card goes when these seats are dealt in."""
    rule = game.sheet.deal
    if rule.direction == "right-to-left":
        numbers.reverse()
    own, *common = game.places
    hand = own.cards - own.later
    at_once = min(rule.at_a_time or hand, hand) or 1
    order: list[PlaceNumber] = []
    for to in rule.order:
        if to != "players":
            at = next(at for at, place in enumerate(common) if place.id == to)
            order += [-at] * (common[at].cards - common[at].later)
            continue
        for start in range(0, hand, at_once):
            cards = min(at_once, hand - start)
            order += [number for number in numbers for _ in range(cards)]
    return tuple(order)
