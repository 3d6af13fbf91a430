"""Before the deal: who sits where and bets what, within the sheet's limits."""

from __future__ import annotations

from itertools import pairwise

from pitbook.engine.actions import Close, Place, Wager, Withdraw
from pitbook.engine.round import Round
from pitbook.game.description import Game, Seat
from pitbook.game.records import changing
from pitbook.game.refusals import Code, Refusal
from pitbook.money import Cents, spoken
from pitbook.sheets.aloud.words import counted, listed
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Stake


def wager(round: Round, action: Wager) -> Round | Refusal:
    """Put a wager on the table, or change one."""
    if (refusal := cannot_wager(round, action)) is not None:
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


def cannot_wager(round: Round, action: Wager) -> Refusal | None:
    """Why a wager is not put, or not changed."""
    if round.phase != "wagers":
        return Refusal(Code.NOT_NOW, "betting is closed")
    return cannot_sit(round, action.seat, action.player) or _cannot_bet(round, action)


def withdraw(round: Round, action: Withdraw) -> Round | Refusal:
    """Take a wager back; with the main wager the seat goes too."""
    if round.phase != "wagers":
        return Refusal(Code.NOT_NOW, "betting is closed; wagers stay")
    seat = round.seat(action.seat)
    if seat is None:
        return Refusal(Code.UNKNOWN_SEAT, f"nobody plays at seat {action.seat}")
    if action.wager not in dict(seat.stakes) or action.wager in round.game.equals:
        return Refusal(Code.UNKNOWN_WAGER, f"seat {seat.number} has no {action.wager} wager")
    if action.wager == round.game.main[0]:
        return round._replace(seats=tuple(one for one in round.seats if one is not seat))
    kept = tuple(one for one in seat.side if one[0] != action.wager)
    return round.with_seat(seat._replace(side=kept))


def close(round: Round, action: Close) -> Round | Refusal:
    """No more wagers: the deal begins, if every required wager is made."""
    if round.phase != "wagers":
        return Refusal(Code.NOT_NOW, "betting is closed already")
    if not round.seats:
        return Refusal(Code.NO_SEATS, "nobody has made a wager")
    for name, side in round.game.sheet.side.items():
        for seat in round.seats:
            if side.stake.required and name not in dict(seat.side):
                message = f"seat {seat.number} needs the {side.title} wager; no cards without it"
                return Refusal(Code.WAGER_MISSING, message, side.stake.clause)
    if (refusal := _left_apart(round)) is not None:
        return refusal
    return _dealing(round, "deal", _deal_order(round))


_dealing = changing(Round, "phase", "to_deal")


def cannot_sit(round: Round, number: int, player: str) -> Refusal | None:
    """Why a player may not take a position, beside the ones that are taken."""
    rule = round.game.sheet.seats
    if not 1 <= number <= rule.count:
        message = f"there is no seat {number}; seats are 1 to {rule.count}"
        return Refusal(Code.UNKNOWN_SEAT, message, rule.clause)
    seat = round.seat(number)
    if seat is not None:
        if seat.player == player:
            return None
        message = f"seat {number} is {seat.player}'s; one player a position"
        return Refusal(Code.SEAT_TAKEN, message, rule.per_player.clause)
    own = [one.number for one in round.seats if one.player == player]
    return _cannot_spread(round, number, player, own) if own else None


def _cannot_spread(round: Round, number: int, player: str, own: list[int]) -> Refusal | None:
    rule = round.game.sheet.seats
    most = rule.per_player.value
    if len(own) >= most:
        has = f"{'seat' if len(own) == 1 else 'seats'} {listed(map(str, own))}"
        message = f"{player} has {has} already; a player may have {counted(most, 'spot', 'spots')}"
        return Refusal(Code.TOO_MANY_SPOTS, message, rule.per_player.clause)
    if rule.adjacent is None or not rule.adjacent.value:
        return None
    gaps = {abs(number - one) for one in own}
    ends = rule.ends_meet is not None and rule.ends_meet.value and rule.count - 1 in gaps
    if 1 in gaps or ends:
        return None
    message = f"{player}'s spots {own[0]} and {number} are not next to each other"
    return Refusal(Code.SPOTS_APART, message, rule.adjacent.clause)


def _left_apart(round: Round) -> Refusal | None:
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
            message = f"{player}'s spots {first} and {second} are not next to each other"
            return Refusal(Code.SPOTS_APART, message, rule.adjacent.clause)
    return None


def _cannot_bet(round: Round, action: Wager) -> Refusal | None:
    main, rule = round.game.main
    sides = round.game.sheet.side
    if action.wager == main:
        return _outside(action, rule, rule.title)
    if action.wager not in sides:
        remedy = did_you_mean(action.wager, [main, *sides])
        return Refusal(Code.UNKNOWN_WAGER, f'there is no wager "{action.wager}"; {remedy}')
    side = sides[action.wager]
    if round.seat(action.seat) is None:
        message = f"seat {action.seat} has no {rule.title}; no {side.title} without it"
        return Refusal(Code.NO_MAIN_WAGER, message, "GEN-12")
    return _outside(action, side.stake, side.title)


def _outside(action: Wager, rule: Stake, title: str) -> Refusal | None:
    amount = action.amount
    if rule.min <= amount <= rule.max and not amount % rule.step:
        return None
    bounds = f"{spoken(rule.min)} to {spoken(rule.max)}"
    what = f"{title} of {spoken(Cents(amount))} at seat {action.seat}"
    if amount < rule.min:
        return Refusal(Code.BELOW_MINIMUM, f"{what} is below the minimum; {bounds}", rule.clause)
    if amount > rule.max:
        return Refusal(Code.ABOVE_MAXIMUM, f"{what} is above the maximum; {bounds}", rule.clause)
    unit = "a whole dollar" if rule.step == Cents(100) else f"a multiple of {spoken(rule.step)}"
    return Refusal(Code.NOT_A_STEP, f"{what} is not {unit}", "GEN-12")


def _deal_order(round: Round) -> tuple[Place, ...]:
    numbers, kept = tuple([seat.number for seat in round.seats]), round.game.deals
    if numbers not in kept:
        kept[numbers] = _dealt(round.game, list(numbers))
    return kept[numbers]


def _dealt(game: Game, numbers: list[int]) -> tuple[Place, ...]:
    """Where each card goes when these seats are dealt in."""
    rule = game.sheet.deal
    if rule.direction == "right-to-left":
        numbers.reverse()
    own, *common = game.places
    hand = own.cards - own.later
    at_once = min(rule.at_a_time or hand, hand) or 1
    order: list[Place] = []
    for to in rule.order:
        if to != "players":
            at = next(at for at, place in enumerate(common) if place.id == to)
            order += [-at] * (common[at].cards - common[at].later)
            continue
        for start in range(0, hand, at_once):
            cards = min(at_once, hand - start)
            order += [number for number in numbers for _ in range(cards)]
    return tuple(order)
