"""Wagers before the deal: seats and bets, within the sheet's limits."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from pitbook.rules.actions import PASSED, Close, PlaceNumber, Wager, Withdraw
from pitbook.rules.game import Game, Seat, Stakes
from pitbook.rules.named_tuples import replacer
from pitbook.rules.refusals import Code, Refusal, refuse, refuse_cached
from pitbook.rules.round import Round, RoundDraft
from pitbook.sheets.model import Stake
from pitbook.text.user_input import did_you_mean


def wager(round: RoundDraft, action: Wager) -> Refusal | None:
    """Place a wager, or change one."""
    if (refusal := wager_refusal(round, action)) is not None:
        return refusal
    main = round.game.main[0]
    placed = round.seat(action.seat)
    seat = placed or Seat(action.seat, action.player)
    if action.wager == main:
        stakes: Stakes = ((main, action.amount),)
        if round.game.equals:
            stakes += tuple((name, action.amount) for name in round.game.equals)
        changed_seat = _with_main(seat, stakes)
    else:
        side_wagers = dict(seat.side) | {action.wager: action.amount}
        order = [name for name in round.game.sheet.side if name in side_wagers]
        changed_seat = _with_side(seat, tuple([(name, side_wagers[name]) for name in order]))
    if placed:
        round.set_seat(changed_seat)
    else:
        round.seats = (
            tuple(sorted((*round.seats, changed_seat))) if round.seats else (changed_seat,)
        )
    return None


_with_main = replacer(Seat, "main")
_with_side = replacer(Seat, "side")


def wager_refusal(round: Round, action: Wager) -> Refusal | None:
    """The refusal of a wager, if any."""
    if round.phase != "wagers":
        return refuse(Code.NOT_NOW, "engine.wagers.closed")
    return seat_refusal(round, action.seat, action.player) or _bet_refusal(round, action)


def withdraw(round: RoundDraft, action: Withdraw) -> Refusal | None:
    """Return a wager; with the main wager, or the last one, the seat is given up."""
    if round.phase != "wagers":
        return refuse(Code.NOT_NOW, "engine.wagers.closed-stay")
    seat = round.seat(action.seat)
    if seat is None:
        return refuse(Code.UNKNOWN_SEAT, "engine.wagers.nobody-there", seat=action.seat)
    if action.wager not in dict(seat.stakes) or action.wager in round.game.equals:
        key, wager = "engine.wagers.none-there", round.game.wager_title(action.wager)
        return refuse(Code.UNKNOWN_WAGER, key, seat=seat.number, wager=wager)
    remaining = tuple(wager_stake for wager_stake in seat.side if wager_stake[0] != action.wager)
    is_empty = not seat.main and not remaining
    if action.wager == round.game.main[0] or is_empty:
        round.seats = tuple(other for other in round.seats if other is not seat)
    else:
        round.set_seat(seat._replace(side=remaining))
    return None


def withdraw_all(seat: Seat) -> tuple[Withdraw, ...]:
    """Actions that return every wager of a seat; returning the main wager returns all."""
    wagers = seat.main[:1] or seat.side
    return tuple(Withdraw(seat.number, wager) for wager, _ in wagers)


def close(round: RoundDraft, action: Close) -> Refusal | None:
    """Close the bets and begin the deal, if every required wager is placed."""
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
    if (refusal := _gap_refusal(round)) is not None:
        return refusal
    _skip_decisions(round)
    round.phase, round.to_deal = "deal", _deal_order(round)
    return None


def _skip_decisions(round: RoundDraft) -> None:
    """Let seats with only side wagers pass every stage."""
    if all(seat.main for seat in round.seats):
        return
    passed = (PASSED,) * len(round.game.stages)
    seats = (seat if seat.main else seat._replace(plays=passed) for seat in round.seats)
    round.seats = tuple(seats)


def seat_refusal(round: Round, number: int, player: str) -> Refusal | None:
    """The refusal of a seat to a player, if any."""
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
    if not round.seats:
        return None
    player_seats = [other.number for other in round.seats if other.player == player]
    return _spread_refusal(round, number, player, player_seats) if player_seats else None


def _spread_refusal(
    round: Round, number: int, player: str, player_seats: list[int]
) -> Refusal | None:
    rule = round.game.sheet.seats
    seats_max = rule.per_player.value
    if len(player_seats) >= seats_max:
        return refuse_cached(
            Code.TOO_MANY_SPOTS,
            "engine.wagers.too-many-spots",
            rule.per_player.clause,
            player=player,
            count=len(player_seats),
            seats=tuple(player_seats),
            most=seats_max,
        )
    if rule.adjacent is None or not rule.adjacent.value:
        return None
    gaps = {abs(number - seat_number) for seat_number in player_seats}
    ends_meet = rule.ends_meet is not None and rule.ends_meet.value and rule.count - 1 in gaps
    if 1 in gaps or ends_meet:
        return None
    return _apart_refusal(player, player_seats[0], number, rule.adjacent.clause)


def _apart_refusal(player: str, first: int, second: int, clause: str) -> Refusal:
    key = "engine.wagers.spots-apart"
    return refuse(Code.SPOTS_APART, key, clause, player=player, first=first, second=second)


def _gap_refusal(round: Round) -> Refusal | None:
    """Refuse if a returned wager left a player's spots apart."""
    rule = round.game.sheet.seats
    if rule.adjacent is None or not rule.adjacent.value:
        return None
    for player in dict.fromkeys(seat.player for seat in round.seats):
        player_seats = [seat.number for seat in round.seats if seat.player == player]
        gaps = [pair for pair in pairwise(player_seats) if pair[1] - pair[0] > 1]
        ends_meet = rule.ends_meet is not None and rule.ends_meet.value
        if gaps and not (
            ends_meet and len(gaps) == 1 and player_seats[0] == 1 and player_seats[-1] == rule.count
        ):
            first, second = gaps[0]
            return _apart_refusal(player, first, second, rule.adjacent.clause)
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
    seat = round.seat(action.seat)
    has_main = seat is not None and seat.main
    if not has_main and not round.game.sheet.may_stand_alone(action.wager):
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
    # Bounds are multiples of the step, so both neighbors may be bet.
    below = amount - amount % rule.step
    nearest = {"step": rule.step, "near": (below, below + rule.step)}
    return refuse(Code.NOT_A_STEP, "engine.wagers.not-a-step", "GEN-12", **bet, **nearest)


def _deal_order(round: Round) -> tuple[PlaceNumber, ...]:
    numbers, order_cache = tuple([seat.number for seat in round.seats]), round.game.deals
    if numbers not in order_cache:
        order_cache[numbers] = _first_deal(round.game, list(numbers))
    return order_cache[numbers]


def _first_deal(game: Game, numbers: list[int]) -> tuple[PlaceNumber, ...]:
    """The place of each card of the first deal to these seats."""
    rule = game.sheet.deal
    if rule.direction == "right-to-left":
        numbers.reverse()
    hand_place, *common = game.places
    hand = hand_place.cards - hand_place.later
    batch = min(rule.at_a_time or hand, hand) or 1
    order: list[PlaceNumber] = []
    for receiver in rule.order:
        if receiver != "players":
            index = next(index for index, place in enumerate(common) if place.id == receiver)
            order += [-index] * (common[index].cards - common[index].later)
            continue
        for start in range(0, hand, batch):
            cards = min(batch, hand - start)
            order += [number for number in numbers for _ in range(cards)]
    return tuple(order)
