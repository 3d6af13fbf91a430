"""The night's cage: a chip is a debt of one evening, and every slip has a number and a way back."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.engine.refusals import Code, Refusal
from pitbook.ledger.accounts import Transfer, move
from pitbook.money import Cents, spoken
from pitbook.nights import facts
from pitbook.nights.commands import BringFloat, PayUnclaimed, Redeem, Sell, Undo
from pitbook.nights.decided import Decided
from pitbook.nights.names import nobody
from pitbook.nights.standing import Standing
from pitbook.nights.state import NightState, Slip, Till, What
from pitbook.sheets.checks.stakes import payable
from pitbook.sheets.findings import printable

NUMBERED = 6
SLIP_MAX = Cents(100_000_000)  # More than a counter ever sees; a typing mistake is told as one.


def bring_float(state: NightState, command: BringFloat, standing: Standing) -> Decided | Refusal:
    """Money lent to the drawer."""
    if (refusal := _no_amount(command.amount)) is not None:
        return refusal
    if state.phase == "closed" and (refusal := _not_lacking(state, command.amount, standing)):
        return refusal
    till = state.till
    slip = _slip(state, "float", "", command.amount, standing)
    moved = move(till.cash, till.float, slip.amount, _why(state, slip))
    return Decided((facts.passed(slip),), (moved,))


def sell(state: NightState, command: Sell, standing: Standing) -> Decided | Refusal:
    """Cash in, chips out, in the chips that the house has."""
    refusal = (
        _no_amount(command.amount) or nobody(command.player) or _odd(state, command.amount, "sold")
    )
    if refusal is not None:
        return refusal
    till = state.till
    slip = _slip(state, "sold", command.player, command.amount, standing)
    why = _why(state, slip)
    moved = (
        move(till.cash, till.sales, slip.amount, why),
        move(till.issued, till.wallet(slip.player), slip.amount, why),
    )
    return Decided((facts.passed(slip),), moved)


def redeem(state: NightState, command: Redeem, standing: Standing) -> Decided | Refusal:
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
    slip = slip._replace(over=_over(state, slip.amount))
    moved = _returned(state.till, slip.player, slip.amount, slip.over, _why(state, slip))
    return Decided((facts.passed(slip),), tuple(moved))


def undo(state: NightState, command: Undo, standing: Standing) -> Decided | Refusal:
    """What a slip moved goes back; the slip stays on record, with the reason."""
    slip = state.slip(command.slip)
    if slip is None:
        return Refusal(Code.NOT_NOW, f"{state.event} has no slip {command.slip}")
    if slip.undone is not None:
        return Refusal(Code.NOT_NOW, f"slip {slip.number} is undone already: {slip.undone}")
    if not command.why.strip():
        return Refusal(Code.UNKNOWN_REASON, "a slip is undone for a reason; give one")
    if slip.what == "sold" and (no := _short(state, slip.player, slip.amount, standing)):
        return no
    over = slip.over if slip.what != "sold" else _over(state, slip.amount)
    why = f"{_why(state, slip)} undone"
    fact = facts.undone(slip, over, command.why, at=standing.at, by=standing.actor)
    moved = tuple(_backwards(state.till, slip, over, why))
    return _in_drawer(state, slip, standing) or Decided((fact,), moved)


def pay_unclaimed(
    state: NightState, command: PayUnclaimed, standing: Standing
) -> Decided | Refusal:
    """What was kept for a player leaves the drawer, once and with a receipt."""
    kept, player = state.till.unclaimed(command.player), printable(command.player)
    if not (amount := standing.balance(kept)):
        paid = [one for one in state.slips if (one.what, one.player) == ("unclaimed", player)]
        had = f"; receipt {numbered(state.event, paid[-1].number)} paid it" if paid else ""
        return Refusal(Code.NOT_COVERED, f"{state.event} keeps nothing for {player}{had}")
    slip = _slip(state, "unclaimed", command.player, amount, standing)
    return Decided((facts.passed(slip),), (move(kept, state.till.cash, amount, _why(state, slip)),))


def numbered(event: str, number: int) -> str:
    """The number on a receipt.

    >>> numbered("gala", 7)
    'gala-000007'
    """
    return f"{event}-{number:0{NUMBERED}d}"


def _backwards(till: Till, slip: Slip, over: Cents, why: str) -> Iterator[Transfer]:
    if slip.what == "float":
        yield move(till.float, till.cash, slip.amount, why)
    elif slip.what == "sold":
        yield from _returned(till, slip.player, slip.amount, over, why)
    else:
        for one in _returned(till, slip.player, slip.amount, over, why):
            yield move(one.credit, one.debit, one.amount, why)


def _returned(till: Till, player: str, amount: Cents, over: Cents, why: str) -> Iterator[Transfer]:
    """Chips back and cash out; what players won beyond all chips sold is the tables' loss."""
    wallet, sold = till.wallet(player), amount - over
    if sold:
        yield move(till.sales, till.cash, sold, why)
        yield move(wallet, till.issued, sold, why)
    if over:
        yield move(till.losses, till.cash, over, why)
        yield move(wallet, till.house, over, why)


def _over(state: NightState, amount: Cents) -> Cents:
    return Cents(max(0, amount - state.sales))


def _slip(state: NightState, what: What, player: str, amount: Cents, standing: Standing) -> Slip:
    return Slip(len(state.slips) + 1, what, player, amount, standing.at, standing.actor)


def _why(state: NightState, slip: Slip) -> str:
    return f"{numbered(state.event, slip.number)} {slip.what}"


def _no_amount(amount: Cents) -> Refusal | None:
    if amount <= 0:
        return Refusal(Code.BELOW_MINIMUM, "a slip of nothing moves nothing")
    if amount > SLIP_MAX:
        return Refusal(Code.ABOVE_MAXIMUM, f"a slip is for {spoken(SLIP_MAX)} at most")
    return None


def _odd(state: NightState, amount: Cents, what: What) -> Refusal | None:
    chips = state.rules.chips
    if payable(amount, chips.values):
        return None
    values = ", ".join(map(spoken, chips.values))
    message = f"{spoken(amount)} cannot be {what} in chips of {values}"
    return Refusal(Code.NOT_A_STEP, message, chips.clause)


def _short(state: NightState, player: str, amount: Cents, standing: Standing) -> Refusal | None:
    """Whether player or drawer has less than that."""
    holds, drawer = standing.balance(state.till.wallet(player)), _free(state, standing)
    if holds < amount:
        message = f"{player} holds {spoken(holds)} in chips of {state.event}, not {spoken(amount)}"
        return Refusal(Code.NOT_COVERED, message, state.rules.chips.redeemed_at.clause)
    if drawer < amount:
        has = f"the drawer holds {spoken(drawer)} besides prize money"
        message = f"{has}, not {spoken(amount)}; bring a float first"
        return Refusal(Code.NOT_COVERED, message)
    return None


def _in_drawer(state: NightState, slip: Slip, standing: Standing) -> Refusal | None:
    """A float can go back only while the drawer has it."""
    drawer = _free(state, standing)
    if slip.what != "float" or drawer >= slip.amount:
        return None
    message = f"the drawer holds {spoken(drawer)}; the float of {spoken(slip.amount)} is in use"
    return Refusal(Code.NOT_COVERED, message)


def _not_lacking(state: NightState, amount: Cents, standing: Standing) -> Refusal | None:
    """After the closing no float goes back, so none is brought beyond what is owed by name."""
    owed = {one.player for one in state.unclaimed}
    kept = sum(standing.balance(state.till.unclaimed(player)) for player in owed)
    lacks = max(0, kept - standing.balance(state.till.cash))
    if amount <= lacks:
        return None
    said = f"lacks {spoken(Cents(lacks))} of" if lacks else "holds"
    message = f"{state.event} is closed; the drawer {said} all that {state.event} keeps for others"
    return Refusal(Code.ABOVE_MAXIMUM, f"{message}; bring no more than it lacks")


def _free(state: NightState, standing: Standing) -> int:
    """What the drawer holds besides prize money, which is the players' of the tournaments."""
    prizes = sum(standing.balance(state.till.prizes(name)) for name in state.tournaments)
    return max(0, standing.balance(state.till.cash) - prizes)
