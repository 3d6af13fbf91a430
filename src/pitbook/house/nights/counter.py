"""Decide commands at the counter of a night: sell and redeem chips, and undo slips."""

from __future__ import annotations

from pitbook.house.nights import facts
from pitbook.house.nights.commands import BringFloat, PayUnclaimed, Redeem, Sell, Undo
from pitbook.house.nights.context import Circumstances
from pitbook.house.nights.facts import Decided, SlipKind
from pitbook.house.nights.names import nobody
from pitbook.house.nights.state import NightState, Slip
from pitbook.house.nights.transfers import moved, numbered, over_of, undone_over
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.check_stakes import payable
from pitbook.sheets.findings import printable

SLIP_MAX = Cents(100_000_000)  # More than a counter ever sees; a typing mistake is told as one.


def bring_float(
    state: NightState, command: BringFloat, standing: Circumstances
) -> Decided | Refusal:
    """Money lent to the drawer."""
    if (refusal := _no_amount(command.amount)) is not None:
        return refusal
    if state.phase == "closed" and (refusal := _not_lacking(state, command.amount, standing)):
        return refusal
    return _passed(state, _slip(state, "float", "", command.amount, standing))


def sell(state: NightState, command: Sell, standing: Circumstances) -> Decided | Refusal:
    """Cash in, chips out, in the chips that the house has."""
    refusal = (
        _no_amount(command.amount) or nobody(command.player) or _odd(state, command.amount, "sold")
    )
    if refusal is not None:
        return refusal
    return _passed(state, _slip(state, "sold", command.player, command.amount, standing))


def redeem(state: NightState, command: Redeem, standing: Circumstances) -> Decided | Refusal:
    """Chips in, cash out; no more than the player holds and the drawer has."""
    refusal = (
        _no_amount(command.amount)
        or nobody(command.player)
        or _odd(state, command.amount, "redeemed")
        or _short(state, command.player, command.amount, standing)
    )
    if refusal is not None:
        return refusal
    slip = _slip(state, "redeemed", command.player, command.amount, standing)
    return _passed(state, slip._replace(over=over_of(state, slip.amount)))


def undo(state: NightState, command: Undo, standing: Circumstances) -> Decided | Refusal:
    """What a slip moved goes back; the slip stays on record, with the reason."""
    slip = state.slip(command.slip)
    if slip is None:
        none = {"event": state.event, "slip": command.slip}
        return refuse(Code.NOT_NOW, "nights.counter.no-slip", **none)
    if slip.undone is not None:
        gone = {"slip": slip.number, "why": slip.undone}
        return refuse(Code.NOT_NOW, "nights.counter.undone-already", **gone)
    if not command.why.strip():
        return refuse(Code.UNKNOWN_REASON, "nights.counter.give-reason")
    if slip.what == "sold" and (no := _short(state, slip.player, slip.amount, standing)):
        return no
    over = undone_over(state, slip)
    fact = facts.SlipUndone(slip.number, over, command.why, standing.at, standing.actor)
    return _in_drawer(state, slip, standing) or Decided((fact,), moved(state, fact))


def pay_unclaimed(
    state: NightState, command: PayUnclaimed, standing: Circumstances
) -> Decided | Refusal:
    """What was kept for a player leaves the drawer, once and with a receipt."""
    kept, player = state.till.unclaimed(command.player), printable(command.player)
    if not (amount := standing.balance(kept)):
        paid = [one for one in state.slips if (one.what, one.player) == ("unclaimed", player)]
        nothing = {"event": state.event, "player": player}
        if not paid:
            return refuse(Code.NOT_COVERED, "nights.counter.keeps-nothing", **nothing)
        receipt = numbered(state.event, paid[-1].number)
        return refuse(Code.NOT_COVERED, "nights.counter.was-paid", receipt=receipt, **nothing)
    return _passed(state, _slip(state, "unclaimed", command.player, amount, standing))


def _passed(state: NightState, slip: Slip) -> Decided:
    fact = facts.SlipPassed(*slip[:4], slip.over, slip.at, slip.by)
    return Decided((fact,), moved(state, fact))


def _slip(
    state: NightState, what: SlipKind, player: str, amount: Cents, standing: Circumstances
) -> Slip:
    return Slip(len(state.slips) + 1, what, player, amount, standing.at, standing.actor)


def _no_amount(amount: Cents) -> Refusal | None:
    if amount <= 0:
        return refuse(Code.BELOW_MINIMUM, "nights.counter.nothing")
    if amount > SLIP_MAX:
        return refuse(Code.ABOVE_MAXIMUM, "nights.counter.too-much", most=SLIP_MAX)
    return None


def _odd(state: NightState, amount: Cents, what: SlipKind) -> Refusal | None:
    chips = state.rules.chips
    if payable(amount, chips.values):
        return None
    odd = {"amount": amount, "what": what, "chips": tuple(chips.values)}
    return refuse(Code.NOT_A_STEP, "nights.counter.odd", chips.clause, **odd)


def _short(
    state: NightState, player: str, amount: Cents, standing: Circumstances
) -> Refusal | None:
    """Whether player or drawer has less than that."""
    holds, drawer = standing.balance(state.till.wallet(player)), _free(state, standing)
    if holds < amount:
        key, clause = "nights.counter.holds-less", state.rules.chips.redeemed_at.clause
        less = {"player": player, "holds": holds, "event": state.event, "amount": amount}
        return refuse(Code.NOT_COVERED, key, clause, **less)
    if drawer < amount:
        short = {"drawer": drawer, "amount": amount}
        return refuse(Code.NOT_COVERED, "nights.counter.drawer-short", **short)
    return None


def _in_drawer(state: NightState, slip: Slip, standing: Circumstances) -> Refusal | None:
    """A float can go back only while the drawer has it."""
    drawer = _free(state, standing)
    if slip.what != "float" or drawer >= slip.amount:
        return None
    used = {"drawer": drawer, "amount": slip.amount}
    return refuse(Code.NOT_COVERED, "nights.counter.float-in-use", **used)


def _not_lacking(state: NightState, amount: Cents, standing: Circumstances) -> Refusal | None:
    """After the closing no float goes back, so none is brought beyond what is owed by name."""
    owed = {one.player for one in state.unclaimed}
    kept = sum(standing.balance(state.till.unclaimed(player)) for player in owed)
    lacks = max(0, kept - standing.balance(state.till.cash))
    if amount <= lacks:
        return None
    short = {"event": state.event, "lacks": lacks}
    return refuse(Code.ABOVE_MAXIMUM, "nights.counter.lacks-less", **short)


def _free(state: NightState, standing: Circumstances) -> int:
    """What the drawer holds besides prize money, which is the players' of the tournaments."""
    prizes = sum(standing.balance(state.till.prizes(name)) for name in state.tournaments)
    return max(0, standing.balance(state.till.cash) - prizes)
