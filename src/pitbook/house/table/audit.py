"""Audit a table's stream: replay its facts and compare the transfers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple, TypeAlias

from pitbook.house.ledger.accounts import Account, Transfer, balance_changes, move
from pitbook.house.ledger.append_batch import SNAPSHOT_STORED
from pitbook.house.ledger.fact_codec import Fact, Json
from pitbook.house.ledger.hash_chain import Entry, canonical
from pitbook.house.ledger.stream_kinds import diff_transfers
from pitbook.house.table import facts
from pitbook.house.table.apply_facts import apply, named_cards
from pitbook.house.table.facts import (
    ABOVE_RACK,
    FACTS,
    REVERSED,
    Acted,
    Settled,
    SettlementReversed,
    shortfall,
)
from pitbook.house.table.state import TableState, restore, snapshot
from pitbook.house.table.transfers import (
    BalanceOf,
    Reversal,
    TableAccounts,
    net_change,
    reversal_event,
    table_accounts,
    transfers_for_step,
)
from pitbook.money import Cents, dollars
from pitbook.rules.actions import Deal, Settle, Turn
from pitbook.rules.result_json import report
from pitbook.rules.round import Round
from pitbook.text import say

NO_MONEY = (Deal, Turn)
ChipsGiven: TypeAlias = facts.Sat | facts.Refilled


class TableAudit:
    """Replays a table's stream entry by entry."""

    def __init__(self) -> None:
        self.state = TableState()
        self.winnings = Winnings()
        self._snapshot_state: TableState | None = None
        self._filled = 0  # Recorded before the payout that needs it.
        self._reversals: list[Reversal] = []  # Reversed lines whose fact has not followed yet.
        self._guests: dict[Account, int] = defaultdict(int)  # Practice chips belong to one table.

    def check_entry(self, entry: Entry) -> Iterator[str]:
        """Yield what in an entry does not follow from earlier ones."""
        if any(fact["fact"] == SNAPSHOT_STORED for fact in entry.facts):
            self._snapshot_state = self.state
        written, implied = entry.transfers, list[Transfer]()
        for fact in FACTS.load_entry(entry):
            before, self.state = self.state, apply(self.state, fact)
            self.winnings = self.winnings.after(fact)
            yield from self._check_fact(before, fact)
            implied += self._implied_transfers(before, fact, written[len(implied) :])
        if self._filled or self._reversals:
            yield say("ledger.followed.unasked")
            self._filled, self._reversals = 0, []
        self._count_guest_chips(written)
        yield from diff_transfers(written, implied)

    def is_snapshot_of(self, document: Json) -> bool:
        """Whether a snapshot equals the replayed state."""
        return self._snapshot_state is not None and canonical(
            snapshot(restore(document))
        ) == canonical(snapshot(self._snapshot_state))

    def _implied_transfers(
        self, before: TableState, fact: Fact, written: Sequence[Transfer]
    ) -> list[Transfer]:
        handler = self._MOVES.get(type(fact))
        return [] if handler is None else list(handler(self, before, fact, written))

    def _check_fact(self, before: TableState, fact: Fact) -> Iterator[str]:
        if self._reversals and not isinstance(fact, facts.SettlementReversed):
            self._reversals = []
            yield say("ledger.followed.untold")
        check = self._CHECKS.get(type(fact))
        if check is not None and not check(self, before, fact):
            yield say("ledger.followed.other-fact", fact=FACTS.name(type(fact)))

    def _step_transfers(
        self, before: TableState, fact: Fact, written: Sequence[Transfer]
    ) -> list[Transfer]:
        if isinstance(fact, facts.Acted) and isinstance(fact.action, NO_MONEY):
            return []
        accounts, rack = table_accounts(before), Cents(before.rack - self._filled)
        rounds = (_current_round(before), _current_round(self.state))
        balance_of = _balance_when_void(accounts, written)
        transfers, self._reversals = transfers_for_step(
            accounts, before.round_id, *rounds, rack=rack, balance_of=balance_of
        )
        fills = sum(transfer.amount for transfer in transfers if transfer.why == ABOVE_RACK)
        self._filled = Cents(self._filled - fills)
        return transfers

    def _chip_transfers(
        self, before: TableState, fact: ChipsGiven, _: Sequence[Transfer]
    ) -> Iterator[Transfer]:
        accounts = table_accounts(before)
        source = "starting chips" if isinstance(fact, facts.Sat) else "refill"
        if fact.given:
            wallet = accounts.wallet(fact.player)
            yield move(accounts.issued, wallet, fact.given, f"{before.table} {source}")

    def _buy_in_transfers(
        self, before: TableState, fact: facts.BoughtIn, _: Sequence[Transfer]
    ) -> Iterator[Transfer]:
        accounts = table_accounts(before)
        yield move(
            accounts.box, accounts.wallet(fact.player), fact.amount, f"{before.table} buy-in"
        )

    def _fill_transfers(
        self, before: TableState, fact: facts.Fill, _: Sequence[Transfer]
    ) -> Iterator[Transfer]:
        accounts = table_accounts(before)
        if fact.why == ABOVE_RACK:
            self._filled += fact.amount
        else:
            yield move(accounts.house, accounts.rack, fact.amount, f"{before.table} fill")

    def _credit_transfers(
        self, before: TableState, fact: facts.Credit, _: Sequence[Transfer]
    ) -> Iterator[Transfer]:
        accounts = table_accounts(before)
        yield move(accounts.rack, accounts.house, fact.amount, f"{before.table} credit")

    def _retire_transfers(
        self, before: TableState, fact: Fact, _: Sequence[Transfer]
    ) -> Iterator[Transfer]:
        accounts, why = table_accounts(before), f"{before.table} retired"
        if before.rack:
            yield move(accounts.rack, accounts.house, before.rack, why)
        for guest in before.guests:
            if chips := self._guests[accounts.wallet(guest)]:
                yield move(accounts.wallet(guest), accounts.issued, chips, why)

    def _is_given(self, before: TableState, fact: ChipsGiven) -> bool:
        """Only guests at practice tables are given chips, and always the same amount."""
        stakes = (0, before.stake) if before.kind == "practice" else (0,)
        return fact.given in stakes

    def _is_bought(self, before: TableState, fact: facts.BoughtIn) -> bool:
        return before.typed and before.seats.get(fact.seat) == fact.player

    def _is_taken_back(self, before: TableState, fact: facts.SettlementReversed) -> bool:
        reversals, self._reversals = self._reversals, []
        resettle = _current_round(before).phase != "over"
        return (
            bool(reversals)
            and reversal_event(before.round_id, reversals, resettle=resettle) == fact
        )

    def _is_settled(self, before: TableState, fact: facts.Settled) -> bool:
        expected_fields = (before.round_id, _report_money(report(_current_round(before))))
        return (fact.round, _report_money(fact.report)) == expected_fields

    def _is_opened(self, before: TableState, fact: facts.RoundOpened) -> bool:
        after, next_hash = self.state, before.upcoming_sheet["hash"]
        expected_fields = (
            before.number + 1,
            after.round_id,
            next_hash,
            (before.shoe or {}).get("id"),
        )
        return (fact.number, fact.round, fact.sheet, fact.shoe) == expected_fields

    def _is_retired(self, before: TableState, fact: facts.Retired) -> bool:
        return not before.has_live_wagers and fact.rack == before.rack

    def _is_corrected(self, before: TableState, fact: facts.Corrected) -> bool:
        named = named_cards(before.actions, fact.place)
        return named[fact.number - 1][1].card == fact.mistyped

    def _count_guest_chips(self, transfers: Sequence[Transfer]) -> None:
        if self.state.kind == "practice":
            for account, change in (
                change for transfer in transfers for change in balance_changes(transfer)
            ):
                self._guests[account] += change

    _MOVES: ClassVar[dict[type, Callable[..., Iterable[Transfer]]]] = {
        facts.Acted: _step_transfers,
        facts.Corrected: _step_transfers,
        facts.Sat: _chip_transfers,
        facts.Refilled: _chip_transfers,
        facts.BoughtIn: _buy_in_transfers,
        facts.Fill: _fill_transfers,
        facts.Credit: _credit_transfers,
        facts.Retired: _retire_transfers,
    }
    _CHECKS: ClassVar[dict[type, Callable[..., bool]]] = {
        facts.Sat: _is_given,
        facts.Refilled: _is_given,
        facts.BoughtIn: _is_bought,
        facts.SettlementReversed: _is_taken_back,
        facts.Settled: _is_settled,
        facts.RoundOpened: _is_opened,
        facts.Retired: _is_retired,
        facts.Corrected: _is_corrected,
    }


def _balance_when_void(accounts: TableAccounts, written: Sequence[Transfer]) -> BalanceOf:
    """Each player's balance when a round became void, derived from the reversal.

    Other streams also move wallets, so no stream knows a balance. But a reversal takes all that is
    owed, or all that is there.
    """
    indexes = [index for index, transfer in enumerate(written) if transfer.why.endswith(REVERSED)]
    paid, reversals = written[: indexes[0] if indexes else 0], [written[index] for index in indexes]
    resettled_at = next(
        (n for n, transfer in enumerate(reversals) if transfer.credit.kind == "held"),
        len(reversals),
    )

    def balance_of(player: str) -> Cents:
        wallet = accounts.wallet(player)
        collected = sum(
            transfer.amount for transfer in reversals[:resettled_at] if transfer.debit == wallet
        )
        return Cents(collected - net_change(wallet, paid))

    return balance_of


def _report_money(document: Json) -> Json:
    """The amounts in a report; its wording proves nothing."""
    lines = {
        seat["seat"]: [
            seat["player"],
            *(
                [line[key] for key in ("wager", "stake", "result", "wins")]
                for line in seat["lines"]
            ),
        ]
        for seat in document["seats"]
    }
    return {"result": document["result"], "seats": lines, "house_net": document["house_net"]}


def _current_round(state: TableState) -> Round:
    assert state.round is not None, "no round is on the layout"
    return state.round


class Winnings(NamedTuple):
    """A table's rounds and its win in cents."""

    rounds: int = 0
    won: int = 0
    void: int = 0
    void_returned: int = 0
    settling: bool = False  # Some hands of the open round are settled, but not all.

    def after(self, fact: Fact) -> Winnings:
        """The winnings after another fact of the table."""
        if isinstance(fact, Settled):
            return self._after_round(fact.report)
        if isinstance(fact, SettlementReversed):
            return self._replace(won=self.won - shortfall(fact))
        if isinstance(fact, Acted) and isinstance(fact.action, Settle) and fact.action.at_once:
            return self._replace(settling=True)
        return self

    def with_open_hands(self, table: TableState) -> Winnings:
        """The winnings including settled hands of a round that is still open."""
        if not self.settling or table.round is None:
            return self
        return self._replace(won=self.won - sum(line.net for _, line in table.round.results))

    def _after_round(self, report: Json) -> Winnings:
        lines = (line for seat in report["seats"] for line in seat["lines"])
        returned = sum(dollars(line["stake"]) for line in lines if line["result"] == "void")
        return Winnings(
            rounds=self.rounds + 1,
            won=self.won + _parse_signed(report["house_net"]),
            void=self.void + (report["result"] != "settled"),
            void_returned=self.void_returned + returned,
        )


def _parse_signed(text: str) -> int:
    amount = dollars(text.removeprefix("-"))
    return -amount if text.startswith("-") else amount
