"""Decide commands at the counter of a night: sell and redeem chips, and undo slips."""

from __future__ import annotations

from pitbook.house.nights import facts
from pitbook.house.nights.commands import BringFloat, PayUnclaimed, Redeem, Sell, Undo
from pitbook.house.nights.decision_types import Decision, NightContext
from pitbook.house.nights.facts import SlipKind
from pitbook.house.nights.resolve_names import name_refusal
from pitbook.house.nights.state import NightState, Slip
from pitbook.house.nights.transfers import (
    overpayment,
    receipt_number,
    transfers_for,
    undo_overpayment,
)
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.check_stakes import is_payable
from pitbook.text.user_input import printable

SLIP_MAX = Cents(100_000_000)  # A larger amount is a typing mistake.


def bring_float(
    state: NightState, command: BringFloat, context: NightContext
) -> Decision | Refusal:
    if (refusal := _amount_refusal(command.amount)) is not None:
        return refusal
    if state.phase == "closed" and (
        refusal := _excess_float_refusal(state, command.amount, context)
    ):
        return refusal
    return _book_slip(state, _new_slip(state, "float", "", command.amount, context))


def sell(state: NightState, command: Sell, context: NightContext) -> Decision | Refusal:
    """Sell chips for cash, in the house's denominations."""
    refusal = (
        _amount_refusal(command.amount)
        or name_refusal(command.player)
        or _denomination_refusal(state, command.amount, "sold")
    )
    if refusal is not None:
        return refusal
    return _book_slip(state, _new_slip(state, "sold", command.player, command.amount, context))


def redeem(state: NightState, command: Redeem, context: NightContext) -> Decision | Refusal:
    """Redeem chips, up to the player's chips and the drawer's cash."""
    refusal = (
        _amount_refusal(command.amount)
        or name_refusal(command.player)
        or _denomination_refusal(state, command.amount, "redeemed")
        or _shortage_refusal(state, command.player, command.amount, context)
    )
    if refusal is not None:
        return refusal
    slip = _new_slip(state, "redeemed", command.player, command.amount, context)
    return _book_slip(state, slip._replace(over=overpayment(state, slip.amount)))


def undo(state: NightState, command: Undo, context: NightContext) -> Decision | Refusal:
    """Reverse a slip's transfers. The slip stays on record with the reason."""
    slip = state.slip(command.slip)
    if slip is None:
        fields = {"event": state.event, "slip": command.slip}
        return refuse(Code.NOT_NOW, "nights.counter.no-slip", **fields)
    if slip.undone is not None:
        slip_fields = {"slip": slip.number, "why": slip.undone}
        return refuse(Code.NOT_NOW, "nights.counter.undone-already", **slip_fields)
    if not command.why.strip():
        return refuse(Code.UNKNOWN_REASON, "nights.counter.give-reason")
    if slip.what == "sold" and (
        shortage := _shortage_refusal(state, slip.player, slip.amount, context)
    ):
        return shortage
    over = undo_overpayment(state, slip)
    fact = facts.SlipVoided(slip.number, over, command.why, context.at, context.actor)
    return _float_in_use_refusal(state, slip, context) or Decision(
        (fact,), transfers_for(state, fact)
    )


def pay_unclaimed(
    state: NightState, command: PayUnclaimed, context: NightContext
) -> Decision | Refusal:
    """Pay a player's unclaimed money from the drawer, once, with a receipt."""
    unclaimed_account, player = state.accounts.unclaimed(command.player), printable(command.player)
    if not (amount := context.balance(unclaimed_account)):
        payment_slips = [
            slip for slip in state.slips if (slip.what, slip.player) == ("unclaimed", player)
        ]
        fields = {"event": state.event, "player": player}
        if not payment_slips:
            return refuse(Code.NOT_COVERED, "nights.counter.keeps-nothing", **fields)
        receipt = receipt_number(state.event, payment_slips[-1].number)
        paid_fields = {"player": player, "receipt": receipt}
        return refuse(Code.NOT_COVERED, "nights.counter.was-paid", **paid_fields)
    return _book_slip(state, _new_slip(state, "unclaimed", command.player, amount, context))


def _book_slip(state: NightState, slip: Slip) -> Decision:
    fact = facts.SlipBooked(*slip[:4], slip.over, slip.at, slip.by)
    return Decision((fact,), transfers_for(state, fact))


def _new_slip(
    state: NightState, slip_kind: SlipKind, player: str, amount: Cents, context: NightContext
) -> Slip:
    return Slip(len(state.slips) + 1, slip_kind, player, amount, context.at, context.actor)


def _amount_refusal(amount: Cents) -> Refusal | None:
    if amount <= 0:
        return refuse(Code.BELOW_MINIMUM, "nights.counter.nothing")
    if amount > SLIP_MAX:
        return refuse(Code.ABOVE_MAXIMUM, "nights.counter.too-much", most=SLIP_MAX)
    return None


def _denomination_refusal(state: NightState, amount: Cents, slip_kind: SlipKind) -> Refusal | None:
    chips = state.rules.chips
    if is_payable(amount, chips.values):
        return None
    fields = {"amount": amount, "what": slip_kind, "chips": tuple(chips.values)}
    return refuse(Code.NOT_A_STEP, "nights.counter.odd", chips.clause, **fields)


def _shortage_refusal(
    state: NightState, player: str, amount: Cents, context: NightContext
) -> Refusal | None:
    """Refuse if the player has fewer chips, or the drawer less cash, than the amount.

    Used to redeem chips and to undo a sale.
    """
    chips, drawer = context.balance(state.accounts.wallet(player)), _available_cash(state, context)
    if chips < amount:
        key, clause = "nights.counter.holds-less", state.rules.chips.redeemed_at.clause
        fields = {"player": player, "holds": chips, "amount": amount}
        return refuse(Code.NOT_COVERED, key, clause, **fields)
    if drawer < amount:
        drawer_fields = {"drawer": drawer, "amount": amount}
        return refuse(Code.NOT_COVERED, "nights.counter.drawer-short", **drawer_fields)
    return None


def _float_in_use_refusal(state: NightState, slip: Slip, context: NightContext) -> Refusal | None:
    """A float can be returned only while the drawer holds it."""
    drawer = _available_cash(state, context)
    if slip.what != "float" or drawer >= slip.amount:
        return None
    fields = {"drawer": drawer, "amount": slip.amount}
    return refuse(Code.NOT_COVERED, "nights.counter.float-in-use", **fields)


def _excess_float_refusal(
    state: NightState, amount: Cents, context: NightContext
) -> Refusal | None:
    """After closing, a float may only cover the unclaimed money that the drawer lacks."""
    players_owed = {unclaimed.player for unclaimed in state.unclaimed}
    unclaimed_total = sum(
        context.balance(state.accounts.unclaimed(player)) for player in players_owed
    )
    missing = max(0, unclaimed_total - context.balance(state.accounts.cash))
    if amount <= missing:
        return None
    fields = {"event": state.event, "lacks": missing}
    return refuse(Code.ABOVE_MAXIMUM, "nights.counter.lacks-less", **fields)


def _available_cash(state: NightState, context: NightContext) -> int:
    """The drawer's cash except prize money, which belongs to the tournaments' players."""
    prizes = sum(context.balance(state.accounts.prizes(name)) for name in state.tournaments)
    return max(0, context.balance(state.accounts.cash) - prizes)
