"""The transfers of each step of a round, and reversals of settled lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from pitbook.house.ledger.accounts import Account, Transfer, changes, move
from pitbook.house.table.facts import ABOVE_RACK, REVERSED, VOIDED, ReversedLine, TakenBack
from pitbook.house.table.state import TableState
from pitbook.money import Cents
from pitbook.rules.game import Seat
from pitbook.rules.round import Round
from pitbook.rules.settlement import Line
from pitbook.text import Sentence, say


class TableAccounts(NamedTuple):
    """The accounts of one table; practice keeps to itself, so that nothing of it need stay."""

    unit: str
    table: str
    practice: bool = False

    @property
    def rack(self) -> Account:
        """The table's own chips."""
        return Account(self.unit, "rack", self.table)

    @property
    def box(self) -> Account:
        """The cash that players changed for chips at the table: its drop."""
        return Account(self.unit, "box", self.table)

    @property
    def house(self) -> Account:
        """Where fills come from and credits go to."""
        return self.issued if self.practice else Account(self.unit, "house")

    @property
    def issued(self) -> Account:
        """Chips given out to guests."""
        return Account(self.unit, "issued")

    def wallet(self, player: str) -> Account:
        """A player's money; a guest's is good at this table alone."""
        return Account(self.unit, "wallet", f"{self._guest}{player}")

    def player(self, wallet: Account) -> str:
        """Whose wallet it is."""
        return wallet.name.removeprefix(self._guest)

    def held(self, seat: int) -> Account:
        """What lies on the layout at a seat."""
        return Account(self.unit, "held", f"{self.table}/{seat}")

    @property
    def _guest(self) -> str:
        return f"{self.table}/" if self.practice else ""


def net_change(account: Account, transfers: Iterable[Transfer]) -> int:
    """What transfers do to one account."""
    total = 0
    for transfer in transfers:
        if account in transfer[:2]:
            total += sum([amount for whose, amount in changes(transfer) if whose == account])
    return total


def lowest_balance(account: Account, level: int, transfers: Iterable[Transfer]) -> int:
    """The least that an account holds on the way."""
    least = level
    for transfer in transfers:
        for whose, amount in changes(transfer):
            if whose == account:
                level += amount
                least = min(least, level)
    return least


LOSING_RESULTS = ("lose", "forfeit")
BalanceOf = Callable[[str], Cents]


class Reversal(NamedTuple):
    """A line that was settled and is no more; `short` is what its player no longer has."""

    seat: int
    player: str
    line: Line
    short: Cents = Cents(0)


def reversed_lines(before: Round, after: Round) -> list[Reversal]:
    """The lines that were settled and are not any longer."""
    if not before.paid:
        return []
    stand = set(after.results)
    players = {seat.number: seat.player for seat in before.seats}
    return [
        Reversal(number, players[number], line)
        for number, line in before.paid
        if (number, line) not in stand
    ]


def reopen_hands(
    accounts: TableAccounts, round_id: str, back: Iterable[Reversal]
) -> Iterator[Transfer]:
    """Stakes lie on the layout again, wins in the rack: the hand is settled anew."""
    for one in back:
        why, held, wallet = (
            _reversal_reason(round_id, one),
            accounts.held(one.seat),
            accounts.wallet(one.player),
        )
        if one.line.wins:
            yield move(wallet, accounts.rack, one.line.wins, why)
        if one.line.lost:
            yield move(accounts.rack, held, one.line.lost, why)
        if came := one.line.stake - one.line.lost:
            yield move(wallet, held, came, why)


def return_stakes(
    accounts: TableAccounts,
    round_id: str,
    back: list[Reversal],
    purse: BalanceOf,
    before: list[Transfer],
) -> tuple[list[Transfer], list[Reversal]]:
    """Wins go back to the rack and lost stakes to the players; a stake that came back stays.

    A misdeal waits for nobody: what a player has spent meanwhile is the house's loss, on record.
    """
    made: list[Transfer] = []
    owed = [one.line.wins for one in back]

    def take_wins() -> None:
        for place, one in enumerate(back):
            wallet = accounts.wallet(one.player)
            there = purse(one.player) + net_change(wallet, [*before, *made])
            part = min(owed[place], there)
            if part > 0:
                made.append(move(wallet, accounts.rack, part, _reversal_reason(round_id, one)))
                owed[place] = Cents(owed[place] - part)

    take_wins()
    for one in back:
        if lost := one.line.lost:
            held, why = (
                accounts.held(one.seat),
                f"{round_id} seat {one.seat} {one.line.wager}{VOIDED}",
            )
            made.append(move(accounts.rack, held, lost, _reversal_reason(round_id, one)))
            made.append(move(held, accounts.wallet(one.player), lost, why))
    take_wins()
    return made, [one._replace(short=left) for one, left in zip(back, owed, strict=True)]


def reversal_event(round_id: str, back: Iterable[Reversal], *, anew: bool) -> TakenBack:
    """What was settled is taken back, to be settled anew or void."""
    return TakenBack(round_id, anew, tuple(_reversed_line(one) for one in back))


def _reversed_line(one: Reversal) -> ReversedLine:
    line = one.line
    return ReversedLine(
        *(one.seat, line.wager, line.stake, line.result, line.wins, one.short), back=line.back
    )


def stakes_already_returned(fact: TakenBack) -> Cents:
    """Stakes of a void round that had come back with a win or a push already."""
    lines = () if fact.anew else fact.lines
    return Cents(sum(line.stake - _lost_stake(line) for line in lines))


def _lost_stake(line: ReversedLine) -> int:
    """What of a stake was gone."""
    return line.stake - line.back if line.result in LOSING_RESULTS else 0


def reversal_sentences(fact: TakenBack) -> Iterator[Sentence]:
    """The sentences of the fact, for each seat."""
    for seat in dict.fromkeys(line.seat for line in fact.lines):
        lines = [line for line in fact.lines if line.seat == seat]
        won = sum(line.wins for line in lines)
        lost = sum(map(_lost_stake, lines))
        short = sum(line.short for line in lines)
        yield say("table.taken-back.no-longer", seat=seat, won=won, lost=lost)
        if short:
            yield say("table.taken-back.short", seat=seat, short=short)


def _reversal_reason(round_id: str, one: Reversal) -> str:
    return f"{round_id} seat {one.seat} {one.line.wager} {one.line.result}{REVERSED}"


def table_accounts(state: TableState) -> TableAccounts:
    """The accounts of a table."""
    return TableAccounts(state.unit, state.table, state.kind == "practice")


def transfers_for_step(
    accounts: TableAccounts,
    round_id: str,
    before: Round,
    after: Round,
    *,
    rack: Cents,
    purse: BalanceOf,
) -> tuple[list[Transfer], list[Reversal]]:
    """The transfers of one step, and what of earlier ones is taken back.

    A fill comes first where the rack is too small.
    """
    transfers = list(_stake_transfers(accounts, round_id, before, after))
    over = after.phase == "over" != before.phase
    if not over and after.paid is before.paid:
        return transfers, []
    back = reversed_lines(before, after)
    paid = list(_settlement_transfers(accounts, round_id, after, _new_lines(before, after, back)))
    if over:
        made, back = return_stakes(accounts, round_id, back, purse, paid)
        paid += made
    else:
        paid += reopen_hands(accounts, round_id, back)
    short = max(0, -lowest_balance(accounts.rack, rack, paid))
    fills = [move(accounts.house, accounts.rack, short, ABOVE_RACK)] if short else []
    return [*transfers, *fills, *paid], back


def _new_lines(before: Round, after: Round, back: list[Reversal]) -> Iterator[tuple[int, Line]]:
    """The lines that get their result now, and whose stake still lies there."""
    known = {(number, line.wager) for number, line in before.paid}
    gone = {(one.seat, one.line.wager) for one in back}
    for number, line in lines_in_paying_order(after) if after.phase == "over" else after.paid:
        if (number, line.wager) not in known | gone:
            yield number, line


def _stake_transfers(
    accounts: TableAccounts, round_id: str, before: Round, after: Round
) -> Iterator[Transfer]:
    """Wagers put and taken back."""
    for was, now in _changed_seats(before, after):
        yield from seat_stake_transfers(accounts, round_id, was, now)


def seat_stake_transfers(
    accounts: TableAccounts, round_id: str, was: Seat | None, now: Seat | None
) -> Iterator[Transfer]:
    """Wagers put and taken back at one seat."""
    if was is not None and now is not None and was[2:4] == now[2:4]:  # Neither main nor side.
        return
    seat = now or was
    assert seat is not None
    old, new = dict(was.stakes if was else ()), dict(now.stakes if now else ())
    wallet, held = accounts.wallet(seat.player), accounts.held(seat.number)
    for wager in {**old, **new}:
        more = new.get(wager, 0) - old.get(wager, 0)
        if not more:
            continue
        why = f"{round_id} seat {seat.number} {wager}"
        if more > 0:
            yield move(wallet, held, more, f"{why} put")
        else:
            yield move(held, wallet, -more, f"{why}{REVERSED}")


def _changed_seats(before: Round, after: Round) -> Iterator[tuple[Seat | None, Seat | None]]:
    """The seats that are not what they were, in order."""
    if len(before.seats) == len(after.seats):
        both = zip(before.seats, after.seats, strict=True)
        yield from ((was, now) for was, now in both if was is not now)
        return
    for number in sorted({seat.number for seat in (*before.seats, *after.seats)}):
        yield before.seat(number), after.seat(number)


def _settlement_transfers(
    accounts: TableAccounts, round_id: str, after: Round, lines: Iterable[tuple[int, Line]]
) -> Iterator[Transfer]:
    rack = accounts.rack
    seat_accounts = {
        seat.number: (accounts.wallet(seat.player), accounts.held(seat.number))
        for seat in after.seats
    }
    for number, line in lines:
        wallet, held = seat_accounts[number]
        why = f"{round_id} seat {number} {line.wager} {line.result}"
        if line.lost:
            yield move(held, rack, line.lost, why)
        if back := line.stake - line.lost:
            yield move(held, wallet, back, why)
        if line.wins:
            yield move(rack, wallet, line.wins, why)


def lines_in_paying_order(over: Round) -> Iterator[tuple[int, Line]]:
    """Every line of a round that is over, in the order in which a dealer takes and pays."""
    left = {(one.seat, line.wager): line for one in over.settlements for line in one.lines}
    for number, group in over.to_settle:
        here = [
            wager
            for seat, wager in left
            if seat == number and (wager if wager in over.game.sheet.side else "main") in group
        ]
        for wager in here:
            yield number, left.pop((number, wager))
    for (number, _), line in left.items():  # Void before there was an order.
        yield number, line
