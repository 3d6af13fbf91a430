"""The transfers of a night's facts."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.nights.facts import Fact, NightClosed, NightFact, SlipBooked, SlipVoided
from pitbook.house.nights.state import REHEARSAL, NightAccounts, NightState, Slip, read_slip
from pitbook.house.nights.tournament import decide as tournament_decisions
from pitbook.house.nights.tournament.decide import is_consistent as is_consistent_in_tournament
from pitbook.money import Cents

RECEIPT_DIGITS = 6


def transfers_for(state: NightState, fact: Fact) -> tuple[Transfer, ...]:
    """The transfers of a fact, given the night before it."""
    if not isinstance(fact, NightFact):
        tournament_transfers = tournament_decisions.transfers(
            state.tournaments.get(fact.tournament), fact
        )
        return tuple(in_night_units(state, transfer) for transfer in tournament_transfers)
    match fact:
        case SlipBooked():
            return tuple(_slip_transfers(state, fact))
        case SlipVoided():
            return tuple(_undo_transfers(state, fact))
        case NightClosed():
            return tuple(_closing_transfers(state, fact))
    return ()


def is_consistent(state: NightState, fact: Fact) -> bool:
    """Whether a fact's numbers follow from the night before it.

    For a closing, see `is_consistent_close`, which also needs balances.
    """
    if not isinstance(fact, NightFact):
        tournament = state.tournaments.get(fact.tournament)
        return tournament is None or is_consistent_in_tournament(
            tournament, fact, state.rules.tournaments
        )
    match fact:
        case SlipBooked():
            return _is_consistent_slip(state, fact)
        case SlipVoided():
            return _is_consistent_undo(state, fact)
    return True


def in_night_units(state: NightState, transfer: Transfer) -> Transfer:
    """The transfer in the night's units: a rehearsal's is in play money and marked chips."""
    if not state.rehearsal:
        return transfer
    return move(
        _in_play_money(transfer.debit),
        _in_play_money(transfer.credit),
        transfer.amount,
        transfer.why,
    )


def receipt_number(event: str, number: int) -> str:
    """A receipt's number.

    >>> receipt_number("gala", 7)
    'gala-000007'
    """
    return f"{event}-{number:0{RECEIPT_DIGITS}d}"


def overpayment(state: NightState, amount: Cents) -> Cents:
    """The part of an amount of chips beyond all that were sold and not returned."""
    return Cents(max(0, amount - state.sales))


def undo_overpayment(state: NightState, slip: Slip) -> Cents:
    """The overpayment that voiding a slip reverses or causes."""
    return slip.over if slip.what != "sold" else overpayment(state, slip.amount)


def _in_play_money(account: Account) -> Account:
    unit = REHEARSAL if account.unit == "usd" else f"{REHEARSAL}-{account.unit}"
    return account._replace(unit=unit)


def _slip_transfers(state: NightState, fact: SlipBooked) -> Iterator[Transfer]:
    slip, accounts = read_slip(fact), state.accounts
    reason = _slip_reason(state, slip)
    if slip.what == "float":
        yield move(accounts.cash, accounts.float, slip.amount, reason)
    elif slip.what == "sold":
        yield move(accounts.cash, accounts.sales, slip.amount, reason)
        yield move(accounts.issued, accounts.wallet(slip.player), slip.amount, reason)
    elif slip.what == "redeemed":
        yield from _redemption_transfers(accounts, slip.player, slip.amount, slip.over, reason)
    else:
        yield move(accounts.unclaimed(slip.player), accounts.cash, slip.amount, reason)


def _undo_transfers(state: NightState, fact: SlipVoided) -> Iterator[Transfer]:
    slip, accounts, over = state.slips[fact.slip - 1], state.accounts, fact.over
    reason = f"{_slip_reason(state, slip)} undone"
    if slip.what == "float":
        yield move(accounts.float, accounts.cash, slip.amount, reason)
    elif slip.what == "sold":
        yield from _redemption_transfers(accounts, slip.player, slip.amount, over, reason)
    else:
        for transfer in _redemption_transfers(accounts, slip.player, slip.amount, over, reason):
            yield move(transfer.credit, transfer.debit, transfer.amount, reason)


def _redemption_transfers(
    accounts: NightAccounts, player: str, amount: Cents, over: Cents, reason: str
) -> Iterator[Transfer]:
    """Chips back for cash. Winnings beyond all chips sold are the tables' loss."""
    wallet, sold = accounts.wallet(player), amount - over
    if sold:
        yield move(accounts.sales, accounts.cash, sold, reason)
        yield move(wallet, accounts.issued, sold, reason)
    if over:
        yield move(accounts.losses, accounts.cash, over, reason)
        yield move(wallet, accounts.house, over, reason)


def _closing_transfers(state: NightState, fact: NightClosed) -> Iterator[Transfer]:
    """Chips expire (OMS-18), the float returns, and unclaimed money is kept by player name."""
    accounts, reason = state.accounts, f"{state.event} closed"
    for player, cents in sorted(fact.expired.items()):
        yield move(accounts.wallet(player), accounts.expired, cents, f"{reason}: expired")
    if float_back := fact.float_returned:
        yield move(accounts.float, accounts.cash, float_back, f"{reason}: float")
    for unclaimed in fact.unclaimed:
        unclaimed_account = accounts.unclaimed(unclaimed.player)
        yield move(
            accounts.prizes(unclaimed.tournament),
            unclaimed_account,
            unclaimed.amount,
            f"{reason}: unclaimed",
        )


def _slip_reason(state: NightState, slip: Slip) -> str:
    return f"{receipt_number(state.event, slip.number)} {slip.what}"


def _is_consistent_slip(state: NightState, fact: SlipBooked) -> bool:
    slip = read_slip(fact)
    over = overpayment(state, slip.amount) if slip.what == "redeemed" else 0
    return (slip.number, slip.over) == (len(state.slips) + 1, over)


def _is_consistent_undo(state: NightState, fact: SlipVoided) -> bool:
    slip = state.slip(fact.slip)
    return slip is not None and slip.undone is None and fact.over == undo_overpayment(state, slip)
