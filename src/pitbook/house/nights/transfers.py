"""Transfers that the facts of a night book."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.nights.facts import Fact, NightClosed, Own, SlipPassed, SlipUndone
from pitbook.house.nights.state import REHEARSAL, NightState, NightTill, Slip, read_slip
from pitbook.house.nights.tournament import decide as of_tournaments
from pitbook.house.nights.tournament.decide import could_be as tournament_could_be
from pitbook.money import Cents

NUMBERED = 6


def moved(state: NightState, fact: Fact) -> tuple[Transfer, ...]:
    """The transfers that are written with a fact, given the night before it."""
    if not isinstance(fact, Own):
        made = of_tournaments.transfers(state.tournaments.get(fact.tournament), fact)
        return tuple(booked(state, one) for one in made)
    match fact:
        case SlipPassed():
            return tuple(_slip(state, fact))
        case SlipUndone():
            return tuple(_undone(state, fact))
        case NightClosed():
            return tuple(_closed(state, fact))
    return ()


def could_be(state: NightState, fact: Fact) -> bool:
    """Whether the numbers of a fact are those that the night before it leads to.

    A closing needs the drawer too: `closing.could_close` has it.
    """
    if not isinstance(fact, Own):
        known = state.tournaments.get(fact.tournament)
        return known is None or tournament_could_be(known, fact, state.rules.tournaments)
    match fact:
        case SlipPassed():
            return _is_slip(state, fact)
        case SlipUndone():
            return _is_undone(state, fact)
    return True


def booked(state: NightState, one: Transfer) -> Transfer:
    """A tournament of a rehearsal is paid in play money, and its chips are marked."""
    if not state.rehearsal:
        return one
    return move(_practised(one.debit), _practised(one.credit), one.amount, one.why)


def numbered(event: str, number: int) -> str:
    """The number on a receipt.

    >>> numbered("gala", 7)
    'gala-000007'
    """
    return f"{event}-{number:0{NUMBERED}d}"


def over_of(state: NightState, amount: Cents) -> Cents:
    """The part of an amount of chips beyond all that were sold and are not back."""
    return Cents(max(0, amount - state.sales))


def undone_over(state: NightState, slip: Slip) -> Cents:
    """The same part, where a slip is undone."""
    return slip.over if slip.what != "sold" else over_of(state, slip.amount)


def _practised(account: Account) -> Account:
    unit = REHEARSAL if account.unit == "usd" else f"{REHEARSAL}-{account.unit}"
    return account._replace(unit=unit)


def _slip(state: NightState, fact: SlipPassed) -> Iterator[Transfer]:
    slip, till = read_slip(fact), state.till
    why = _why(state, slip)
    if slip.what == "float":
        yield move(till.cash, till.float, slip.amount, why)
    elif slip.what == "sold":
        yield move(till.cash, till.sales, slip.amount, why)
        yield move(till.issued, till.wallet(slip.player), slip.amount, why)
    elif slip.what == "redeemed":
        yield from _returned(till, slip.player, slip.amount, slip.over, why)
    else:
        yield move(till.unclaimed(slip.player), till.cash, slip.amount, why)


def _undone(state: NightState, fact: SlipUndone) -> Iterator[Transfer]:
    slip, till, over = state.slips[fact.slip - 1], state.till, fact.over
    why = f"{_why(state, slip)} undone"
    if slip.what == "float":
        yield move(till.float, till.cash, slip.amount, why)
    elif slip.what == "sold":
        yield from _returned(till, slip.player, slip.amount, over, why)
    else:
        for one in _returned(till, slip.player, slip.amount, over, why):
            yield move(one.credit, one.debit, one.amount, why)


def _returned(
    till: NightTill, player: str, amount: Cents, over: Cents, why: str
) -> Iterator[Transfer]:
    """Chips back and cash out; what players won beyond all chips sold is the tables' loss."""
    wallet, sold = till.wallet(player), amount - over
    if sold:
        yield move(till.sales, till.cash, sold, why)
        yield move(wallet, till.issued, sold, why)
    if over:
        yield move(till.losses, till.cash, over, why)
        yield move(wallet, till.house, over, why)


def _closed(state: NightState, fact: NightClosed) -> Iterator[Transfer]:
    """Chips expire (OMS-18), the float returns, and what nobody came for is kept by name."""
    till, why = state.till, f"{state.event} closed"
    for player, cents in sorted(fact.expired.items()):
        yield move(till.wallet(player), till.expired, cents, f"{why}: expired")
    if back := fact.float_returned:
        yield move(till.float, till.cash, back, f"{why}: float")
    for one in fact.unclaimed:
        kept = till.unclaimed(one.player)
        yield move(till.prizes(one.tournament), kept, one.amount, f"{why}: unclaimed")


def _why(state: NightState, slip: Slip) -> str:
    return f"{numbered(state.event, slip.number)} {slip.what}"


def _is_slip(state: NightState, fact: SlipPassed) -> bool:
    slip = read_slip(fact)
    over = over_of(state, slip.amount) if slip.what == "redeemed" else 0
    return (slip.number, slip.over) == (len(state.slips) + 1, over)


def _is_undone(state: NightState, fact: SlipUndone) -> bool:
    slip = state.slip(fact.slip)
    return slip is not None and slip.undone is None and fact.over == undone_over(state, slip)
