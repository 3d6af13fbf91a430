"""Audit a table's stream: replay its facts and compare the transfers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple, TypeAlias

from pitbook.house.ledger.accounts import Account, Transfer, changes, move
from pitbook.house.ledger.batch import KEPT
from pitbook.house.ledger.chain import Entry, canonical
from pitbook.house.ledger.codec import Fact, Json
from pitbook.house.ledger.stream_kinds import diff_transfers
from pitbook.house.table import facts
from pitbook.house.table.facts import (
    ABOVE_RACK,
    FACTS,
    REVERSED,
    Acted,
    Settled,
    TakenBack,
    shortfall,
)
from pitbook.house.table.payouts import (
    BalanceOf,
    Reversal,
    TableAccounts,
    net_change,
    reversal_event,
    table_accounts,
    transfers_for_step,
)
from pitbook.house.table.state import TableState, apply, named_cards, restore, snapshot
from pitbook.money import Cents, dollars
from pitbook.rules.actions import Deal, Settle, Turn
from pitbook.rules.report import report
from pitbook.rules.round import Round
from pitbook.text import say

NO_MONEY = (Deal, Turn)
ChipsGiven: TypeAlias = facts.Sat | facts.Refilled


class TableAudit:
    """A table played again, entry by entry."""

    def __init__(self) -> None:
        self.state = TableState()
        self.winnings = Winnings()
        self._kept: TableState | None = None
        self._filled = 0  # Noted before the payout that it is for.
        self._back: list[Reversal] = []  # Taken back, and not noted yet.
        self._guests: dict[Account, int] = defaultdict(int)  # Chips of practice are of one table.

    def follow(self, entry: Entry) -> Iterator[str]:
        """What of an entry does not follow from what came before it."""
        if any(fact["fact"] == KEPT for fact in entry.facts):
            self._kept = self.state
        written, made = entry.transfers, list[Transfer]()
        for fact in FACTS.load_entry(entry):
            before, self.state = self.state, apply(self.state, fact)
            self.winnings = self.winnings.after(fact)
            yield from self._checked(before, fact)
            made += self._implied(before, fact, written[len(made) :])
        if self._filled or self._back:
            yield say("ledger.followed.unasked")
            self._filled, self._back = 0, []
        self._count(written)
        yield from diff_transfers(written, made)

    def is_kept(self, document: Json) -> bool:
        """Whether a kept state is the one that the facts had led to."""
        return self._kept is not None and canonical(snapshot(restore(document))) == canonical(
            snapshot(self._kept)
        )

    def _implied(
        self, before: TableState, fact: Fact, written: Sequence[Transfer]
    ) -> list[Transfer]:
        handler = self._MOVES.get(type(fact))
        return [] if handler is None else list(handler(self, before, fact, written))

    def _checked(self, before: TableState, fact: Fact) -> Iterator[str]:
        if self._back and not isinstance(fact, facts.TakenBack):
            self._back = []
            yield say("ledger.followed.untold")
        check = self._CHECKS.get(type(fact))
        if check is not None and not check(self, before, fact):
            yield say("ledger.followed.other-fact", fact=FACTS.name(type(fact)))

    def _played(
        self, before: TableState, fact: Fact, written: Sequence[Transfer]
    ) -> list[Transfer]:
        if isinstance(fact, facts.Acted) and isinstance(fact.action, NO_MONEY):
            return []
        accounts, rack = table_accounts(before), Cents(before.rack - self._filled)
        rounds = (_current_round(before), _current_round(self.state))
        purse = _balance_when_void(accounts, written)
        made, self._back = transfers_for_step(
            accounts, before.round_id, *rounds, rack=rack, purse=purse
        )
        fills = sum(one.amount for one in made if one.why == ABOVE_RACK)
        self._filled = Cents(self._filled - fills)
        return made

    def _given(
        self, before: TableState, fact: ChipsGiven, _: Sequence[Transfer]
    ) -> Iterator[Transfer]:
        accounts = table_accounts(before)
        what = "starting chips" if isinstance(fact, facts.Sat) else "refill"
        if fact.given:
            wallet = accounts.wallet(fact.player)
            yield move(accounts.issued, wallet, fact.given, f"{before.table} {what}")

    def _bought(
        self, before: TableState, fact: facts.BoughtIn, _: Sequence[Transfer]
    ) -> Iterator[Transfer]:
        accounts = table_accounts(before)
        yield move(
            accounts.box, accounts.wallet(fact.player), fact.amount, f"{before.table} buy-in"
        )

    def _fill(
        self, before: TableState, fact: facts.Fill, _: Sequence[Transfer]
    ) -> Iterator[Transfer]:
        accounts = table_accounts(before)
        if fact.why == ABOVE_RACK:
            self._filled += fact.amount
        else:
            yield move(accounts.house, accounts.rack, fact.amount, f"{before.table} fill")

    def _credit(
        self, before: TableState, fact: facts.Credit, _: Sequence[Transfer]
    ) -> Iterator[Transfer]:
        accounts = table_accounts(before)
        yield move(accounts.rack, accounts.house, fact.amount, f"{before.table} credit")

    def _retired(self, before: TableState, fact: Fact, _: Sequence[Transfer]) -> Iterator[Transfer]:
        accounts, why = table_accounts(before), f"{before.table} retired"
        if before.rack:
            yield move(accounts.rack, accounts.house, before.rack, why)
        for guest in before.guests:
            if chips := self._guests[accounts.wallet(guest)]:
                yield move(accounts.wallet(guest), accounts.issued, chips, why)

    def _is_given(self, before: TableState, fact: ChipsGiven) -> bool:
        """Nobody but a guest in practice is given chips, and always as many."""
        stakes = (0, before.stake) if before.kind == "practice" else (0,)
        return fact.given in stakes

    def _is_bought(self, before: TableState, fact: facts.BoughtIn) -> bool:
        return before.typed and before.seats.get(fact.seat) == fact.player

    def _is_taken_back(self, before: TableState, fact: facts.TakenBack) -> bool:
        back, self._back = self._back, []
        anew = _current_round(before).phase != "over"
        return bool(back) and reversal_event(before.round_id, back, anew=anew) == fact

    def _is_settled(self, before: TableState, fact: facts.Settled) -> bool:
        due = (before.round_id, _report_money(report(_current_round(before))))
        return (fact.round, _report_money(fact.report)) == due

    def _is_opened(self, before: TableState, fact: facts.RoundOpened) -> bool:
        after, coming = self.state, before.coming["hash"]
        due = (before.number + 1, after.round_id, coming, (before.shoe or {}).get("id"))
        return (fact.number, fact.round, fact.sheet, fact.shoe) == due

    def _is_retired(self, before: TableState, fact: facts.Retired) -> bool:
        return not before.live and fact.rack == before.rack

    def _is_corrected(self, before: TableState, fact: facts.Corrected) -> bool:
        named = named_cards(before.actions, fact.place)
        return named[fact.number - 1][1].card == fact.was

    def _count(self, transfers: Sequence[Transfer]) -> None:
        if self.state.kind == "practice":
            for account, by in (one for each in transfers for one in changes(each)):
                self._guests[account] += by

    _MOVES: ClassVar[dict[type, Callable[..., Iterable[Transfer]]]] = {
        facts.Acted: _played,
        facts.Corrected: _played,
        facts.Sat: _given,
        facts.Refilled: _given,
        facts.BoughtIn: _bought,
        facts.Fill: _fill,
        facts.Credit: _credit,
        facts.Retired: _retired,
    }
    _CHECKS: ClassVar[dict[type, Callable[..., bool]]] = {
        facts.Sat: _is_given,
        facts.Refilled: _is_given,
        facts.BoughtIn: _is_bought,
        facts.TakenBack: _is_taken_back,
        facts.Settled: _is_settled,
        facts.RoundOpened: _is_opened,
        facts.Retired: _is_retired,
        facts.Corrected: _is_corrected,
    }


def _balance_when_void(accounts: TableAccounts, written: Sequence[Transfer]) -> BalanceOf:
    """What each player had when a round became void: the first taking back shows it.

    A wallet is other streams' too, so no one of them can say what it held; but what was taken is
    either all that was owed, or all that was there.
    """
    marked = [place for place, one in enumerate(written) if one.why.endswith(REVERSED)]
    paid, rest = written[: marked[0] if marked else 0], [written[place] for place in marked]
    again = next((n for n, one in enumerate(rest) if one.credit.kind == "held"), len(rest))

    def purse(player: str) -> Cents:
        wallet = accounts.wallet(player)
        taken = sum(one.amount for one in rest[:again] if one.debit == wallet)
        return Cents(taken - net_change(wallet, paid))

    return purse


def _report_money(told: Json) -> Json:
    """What of a report is money; how it is worded is no proof of anything."""
    lines = {
        one["seat"]: [
            one["player"],
            *([line[key] for key in ("wager", "stake", "result", "wins")] for line in one["lines"]),
        ]
        for one in told["seats"]
    }
    return {"result": told["result"], "seats": lines, "house_net": told["house_net"]}


def _current_round(state: TableState) -> Round:
    assert state.round is not None, "no round is on the layout"
    return state.round


class Winnings(NamedTuple):
    """A table's rounds and its win in cents."""

    rounds: int = 0
    won: int = 0
    void: int = 0
    void_returned: int = 0
    settling: bool = False  # Some hands of the open round are settled, others are not.

    def after(self, fact: Fact) -> Winnings:
        """The winnings after another fact of the table."""
        if isinstance(fact, Settled):
            return self._after_round(fact.report)
        if isinstance(fact, TakenBack):
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
            won=self.won + _signed(report["house_net"]),
            void=self.void + (report["result"] != "settled"),
            void_returned=self.void_returned + returned,
        )


def _signed(text: str) -> int:
    amount = dollars(text.removeprefix("-"))
    return -amount if text.startswith("-") else amount
