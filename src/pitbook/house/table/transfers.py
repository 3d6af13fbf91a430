"""The transfers of each step of a round, and reversals of settled lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from pitbook.house.ledger.accounts import Account, Transfer, balance_changes, move
from pitbook.house.table.facts import ABOVE_RACK, REVERSED, VOIDED, ReversedLine, SettlementReversed
from pitbook.house.table.state import TableState
from pitbook.money import Cents
from pitbook.rules.game import Seat
from pitbook.rules.round import Round
from pitbook.rules.settlement_lines import Line
from pitbook.text import Sentence, say


class TableAccounts(NamedTuple):
    """The accounts of one table; a practice table's can be pruned with it."""

    unit: str
    table: str
    practice: bool = False

    @property
    def rack(self) -> Account:
        """The table's chips."""
        return Account(self.unit, "rack", self.table)

    @property
    def box(self) -> Account:
        """The cash in the table's drop box."""
        return Account(self.unit, "box", self.table)

    @property
    def house(self) -> Account:
        """The source of fills and destination of credits."""
        return self.issued if self.practice else Account(self.unit, "house")

    @property
    def issued(self) -> Account:
        """Chips issued to guests."""
        return Account(self.unit, "issued")

    def wallet(self, player: str) -> Account:
        """A player's wallet; a guest's is valid at this table only."""
        return Account(self.unit, "wallet", f"{self._guest_prefix}{player}")

    def wallet_owner(self, wallet: Account) -> str:
        """The owner of a wallet."""
        return wallet.name.removeprefix(self._guest_prefix)

    def layout(self, seat: int) -> Account:
        """The wagers at a seat."""
        return Account(self.unit, "held", f"{self.table}/{seat}")

    @property
    def _guest_prefix(self) -> str:
        return f"{self.table}/" if self.practice else ""


def net_change(account: Account, transfers: Iterable[Transfer]) -> int:
    """The change that transfers make to one account."""
    total = 0
    for transfer in transfers:
        if account in transfer[:2]:
            total += sum(
                [
                    amount
                    for account_changed, amount in balance_changes(transfer)
                    if account_changed == account
                ]
            )
    return total


def lowest_balance(account: Account, balance: int, transfers: Iterable[Transfer]) -> int:
    """The lowest balance of an account during some transfers."""
    lowest = balance
    for transfer in transfers:
        for account_changed, amount in balance_changes(transfer):
            if account_changed == account:
                balance += amount
                lowest = min(lowest, balance)
    return lowest


LOSING_RESULTS = ("lose", "forfeit")
BalanceOf = Callable[[str], Cents]


class Reversal(NamedTuple):
    """A settled line that was reversed; `short` is the part its player can no longer pay back."""

    seat: int
    player: str
    line: Line
    short: Cents = Cents(0)


def reversed_lines(before: Round, after: Round) -> list[Reversal]:
    """The lines that were settled before and no longer are."""
    if not before.paid:
        return []
    settled = set(after.results)
    players = {seat.number: seat.player for seat in before.seats}
    return [
        Reversal(number, players[number], line)
        for number, line in before.paid
        if (number, line) not in settled
    ]


def reopen_hands(
    accounts: TableAccounts, round_id: str, reversals: Iterable[Reversal]
) -> Iterator[Transfer]:
    """Transfers that return stakes to the layout and wins to the rack, to settle the hand again."""
    for reversal in reversals:
        why, held, wallet = (
            _reversal_reason(round_id, reversal),
            accounts.layout(reversal.seat),
            accounts.wallet(reversal.player),
        )
        if reversal.line.wins:
            yield move(wallet, accounts.rack, reversal.line.wins, why)
        if reversal.line.lost:
            yield move(accounts.rack, held, reversal.line.lost, why)
        if returned := reversal.line.stake - reversal.line.lost:
            yield move(wallet, held, returned, why)


def return_stakes(
    accounts: TableAccounts,
    round_id: str,
    reversals: list[Reversal],
    balance_of: BalanceOf,
    earlier: list[Transfer],
) -> tuple[list[Transfer], list[Reversal]]:
    """Transfers that return wins to the rack and lost stakes to the players of a void round.

    A misdeal does not wait: what a player has spent meanwhile is recorded as the house's loss.
    """
    transfers: list[Transfer] = []
    amounts = [reversal.line.wins for reversal in reversals]

    def take_wins() -> None:
        for index, reversal in enumerate(reversals):
            wallet = accounts.wallet(reversal.player)
            available = balance_of(reversal.player) + net_change(wallet, [*earlier, *transfers])
            amount = min(amounts[index], available)
            if amount > 0:
                transfers.append(
                    move(wallet, accounts.rack, amount, _reversal_reason(round_id, reversal))
                )
                amounts[index] = Cents(amounts[index] - amount)

    take_wins()
    for reversal in reversals:
        if lost := reversal.line.lost:
            held, why = (
                accounts.layout(reversal.seat),
                f"{round_id} seat {reversal.seat} {reversal.line.wager}{VOIDED}",
            )
            transfers.append(move(accounts.rack, held, lost, _reversal_reason(round_id, reversal)))
            transfers.append(move(held, accounts.wallet(reversal.player), lost, why))
    take_wins()
    return transfers, [
        reversal._replace(short=unpaid) for reversal, unpaid in zip(reversals, amounts, strict=True)
    ]


def reversal_event(
    round_id: str, reversals: Iterable[Reversal], *, resettle: bool
) -> SettlementReversed:
    """The fact that settled lines were reversed, to be settled again or void."""
    return SettlementReversed(
        round_id, resettle, tuple(_reversed_line(reversal) for reversal in reversals)
    )


def _reversed_line(reversal: Reversal) -> ReversedLine:
    line = reversal.line
    return ReversedLine(
        *(reversal.seat, line.wager, line.stake, line.result, line.wins, reversal.short),
        back=line.back,
    )


def stakes_already_returned(fact: SettlementReversed) -> Cents:
    """Stakes of a void round that had already been returned with a win or a push."""
    lines = () if fact.anew else fact.lines
    return Cents(sum(line.stake - _lost_stake(line) for line in lines))


def _lost_stake(line: ReversedLine) -> int:
    """The part of a stake that was lost."""
    return line.stake - line.back if line.result in LOSING_RESULTS else 0


def reversal_sentences(fact: SettlementReversed) -> Iterator[Sentence]:
    """Sentences about the reversal, for each seat."""
    for seat in dict.fromkeys(line.seat for line in fact.lines):
        lines = [line for line in fact.lines if line.seat == seat]
        won = sum(line.wins for line in lines)
        lost = sum(map(_lost_stake, lines))
        short = sum(line.short for line in lines)
        yield say("table.taken-back.no-longer", seat=seat, won=won, lost=lost)
        if short:
            yield say("table.taken-back.short", seat=seat, short=short)


def _reversal_reason(round_id: str, reversal: Reversal) -> str:
    return f"{round_id} seat {reversal.seat} {reversal.line.wager} {reversal.line.result}{REVERSED}"


def table_accounts(state: TableState) -> TableAccounts:
    return TableAccounts(state.unit, state.table, state.kind == "practice")


def transfers_for_step(
    accounts: TableAccounts,
    round_id: str,
    before: Round,
    after: Round,
    *,
    rack: Cents,
    balance_of: BalanceOf,
) -> tuple[list[Transfer], list[Reversal]]:
    """The transfers of one step, and the reversed lines of earlier ones.

    A fill comes first if the rack is too small.
    """
    transfers = list(_stake_transfers(accounts, round_id, before, after))
    over = after.phase == "over" != before.phase
    if not over and after.paid is before.paid:
        return transfers, []
    reversals = reversed_lines(before, after)
    paid = list(
        _settlement_transfers(accounts, round_id, after, _new_lines(before, after, reversals))
    )
    if over:
        returned, reversals = return_stakes(accounts, round_id, reversals, balance_of, paid)
        paid += returned
    else:
        paid += reopen_hands(accounts, round_id, reversals)
    short = max(0, -lowest_balance(accounts.rack, rack, paid))
    fills = [move(accounts.house, accounts.rack, short, ABOVE_RACK)] if short else []
    return [*transfers, *fills, *paid], reversals


def _new_lines(
    before: Round, after: Round, reversals: list[Reversal]
) -> Iterator[tuple[int, Line]]:
    """The lines settled by this step."""
    settled = {(number, line.wager) for number, line in before.paid}
    reversed_wagers = {(reversal.seat, reversal.line.wager) for reversal in reversals}
    for number, line in lines_in_paying_order(after) if after.phase == "over" else after.paid:
        if (number, line.wager) not in settled | reversed_wagers:
            yield number, line


def _stake_transfers(
    accounts: TableAccounts, round_id: str, before: Round, after: Round
) -> Iterator[Transfer]:
    """Transfers for wagers placed and withdrawn."""
    for seat_before, seat_after in _changed_seats(before, after):
        yield from seat_stake_transfers(accounts, round_id, seat_before, seat_after)


def seat_stake_transfers(
    accounts: TableAccounts, round_id: str, seat_before: Seat | None, seat_after: Seat | None
) -> Iterator[Transfer]:
    """Transfers for wagers placed and withdrawn at one seat."""
    # Main and side wagers are unchanged.
    if seat_before is not None and seat_after is not None and seat_before[2:4] == seat_after[2:4]:
        return
    seat = seat_after or seat_before
    assert seat is not None
    old, new = (
        dict(seat_before.stakes if seat_before else ()),
        dict(seat_after.stakes if seat_after else ()),
    )
    wallet, held = accounts.wallet(seat.player), accounts.layout(seat.number)
    for wager in {**old, **new}:
        increase = new.get(wager, 0) - old.get(wager, 0)
        if not increase:
            continue
        why = f"{round_id} seat {seat.number} {wager}"
        if increase > 0:
            yield move(wallet, held, increase, f"{why} put")
        else:
            yield move(held, wallet, -increase, f"{why}{REVERSED}")


def _changed_seats(before: Round, after: Round) -> Iterator[tuple[Seat | None, Seat | None]]:
    """The seats that changed, in order."""
    if len(before.seats) == len(after.seats):
        pairs = zip(before.seats, after.seats, strict=True)
        yield from (
            (seat_before, seat_after)
            for seat_before, seat_after in pairs
            if seat_before is not seat_after
        )
        return
    for number in sorted({seat.number for seat in (*before.seats, *after.seats)}):
        yield before.seat(number), after.seat(number)


def _settlement_transfers(
    accounts: TableAccounts, round_id: str, after: Round, lines: Iterable[tuple[int, Line]]
) -> Iterator[Transfer]:
    rack = accounts.rack
    seat_accounts = {
        seat.number: (accounts.wallet(seat.player), accounts.layout(seat.number))
        for seat in after.seats
    }
    for number, line in lines:
        wallet, held = seat_accounts[number]
        why = f"{round_id} seat {number} {line.wager} {line.result}"
        if line.lost:
            yield move(held, rack, line.lost, why)
        if returned := line.stake - line.lost:
            yield move(held, wallet, returned, why)
        if line.wins:
            yield move(rack, wallet, line.wins, why)


def lines_in_paying_order(final: Round) -> Iterator[tuple[int, Line]]:
    """Every line of a finished round, in the order in which a dealer takes and pays."""
    remaining = {
        (settlement.seat, line.wager): line
        for settlement in final.settlements
        for line in settlement.lines
    }
    for number, group in final.to_settle:
        group_wagers = [
            wager
            for seat, wager in remaining
            if seat == number and (wager if wager in final.game.sheet.side else "main") in group
        ]
        for wager in group_wagers:
            yield number, remaining.pop((number, wager))
    for (number, _), line in remaining.items():  # Void before there was an order.
        yield number, line
