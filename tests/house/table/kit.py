"""A table without a server: balances in a dictionary, a manual clock, seeded cards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from pitbook.cards import DECK, Card, card
from pitbook.house.ledger.accounts import MAY_OWE, Account, Transfer, balance_changes, move
from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.ledger.hash_chain import canonical
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.roster import Roster
from pitbook.house.table.apply_facts import apply, replay
from pitbook.house.table.commands import By, Command, Envelope, PutWager, Sit, TableRole
from pitbook.house.table.decide import Decision, decide, opening_facts, resume
from pitbook.house.table.events import Event, events
from pitbook.house.table.facts import FACTS
from pitbook.house.table.state import TableState, restore, snapshot
from pitbook.house.table.transfers import TableAccounts
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round
from pitbook.sheets.model import Sheet
from pitbook.shoe.dealing import Past, Seeds, seeds_of
from pitbook.shoe.stored_shoe import CARD_FORMAT

Json = dict[str, Any]
START = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
DEALER, SUPERVISOR = By("dee", "dealer"), By("sue", "supervisor")


class FakeLuck:
    """Cards from a seed and the shoe's name, or those that a test puts on top."""

    def __init__(self, book: dict[Account, int], till: TableAccounts, seed: int = 1) -> None:
        self.book, self.till, self.seed = book, till, seed
        self.time = START
        self.top: tuple[Card, ...] = ()
        self.first: tuple[Card | None, ...] = ()
        self.roster = Roster()
        self.gone: set[str] = set()

    def shoe(
        self,
        name: str,
        *,
        decks: int,
        pack: int,
        shuffle: str,
        times: int,
        typed: bool,
        first: Sequence[Card | None] = (),
    ) -> Json:
        self.first = tuple(first)
        committed = None if typed else f"{Random(f'{self.seed} {name}').getrandbits(256):064x}"
        sealed = None if typed else f"SEALED {name}"
        kind = "typed" if typed else "arranged" if first else "committed"
        record = {
            "id": name,
            "kind": kind,
            "decks": decks,
            "commitment": committed,
            "sealed": sealed,
            "pack": pack,
            "shuffle": shuffle,
            "times": times,
        }
        return {**record, "format": CARD_FORMAT} if kind == "committed" else record

    def cards(
        self,
        record: Json,
        seat_seeds: Mapping[int, str],
        first: int,
        count: int,
        past: tuple[Past, ...] = (),
    ) -> tuple[Card, ...]:
        assert record["kind"] in ("committed", "arranged")
        rest = list(DECK) * record["decks"]
        for next_card in (
            *self.top,
            *(next_card for next_card in self.first if next_card is not None),
        ):
            rest.remove(next_card)
        dealt, dealt_count = [*self.top], 0
        for deal in past:
            self.shuffle(rest, record, deal.seeds)
            dealt_count += deal.cards
            while len(dealt) < dealt_count:
                dealt.append(rest.pop(0))
        self.shuffle(rest, record, seeds_of(seat_seeds))
        arranged = [rest.pop() if card is None else card for card in self.first]
        return (*dealt, *arranged, *rest)[first : first + count]

    def shuffle(self, rest: list[Card], record: Json, seeds: Seeds) -> None:
        """Shuffle the cards left in the shoe with the seeds of one deal."""
        Random(f"{self.seed} {record['id']} {list(seeds)}").shuffle(rest)

    def reveal(self, record: Json) -> str | None:
        return f"SEED {record['id']}" if record["commitment"] else None

    def wallet(self, player: str) -> Cents:
        return Cents(self.book.get(self.till.wallet(player), 0))

    def can_pay(self, player: str, amount: int) -> bool:
        return self.wallet(player) >= amount

    def now(self) -> datetime:
        return self.time

    def access_list(self) -> AccessList:
        return AccessList(self.roster, self.time)

    def is_away(self, player: str) -> bool:
        return player in self.gone


class Live:
    """A table with its balances; handles commands like a server."""

    def __init__(
        self,
        sheet: Sheet,
        kind: Any = "house",
        *,
        table: str = "t1",
        seed: int = 1,
        clocks: Json | None = None,
        owner: str = "",
        coach: bool | None = None,
    ) -> None:
        self.book: dict[Account, int] = Counter()
        unit = "play" if kind == "practice" else "usd"
        self.till = TableAccounts(unit, table, kind == "practice")
        self.env = self.lucky(seed)
        self.facts: list[Fact] = []
        self.events: list[Event] = []
        self.state = TableState()
        first = opening_facts(
            table=table,
            kind=kind,
            unit=unit,
            sheet=sheet,
            env=self.env,
            clocks=clocks,
            owner=owner,
            coach=coach,
        )
        self.take(Decision(tuple(first), (), ()))

    def lucky(self, seed: int) -> FakeLuck:
        """The source of its cards; tables with real shoes override it."""
        return FakeLuck(self.book, self.till, seed)

    # Doing ---------------------------------------------------------------------------------------

    def ask(self, by: By | str, command: Command) -> Decision | Refusal:
        """The table's answer to a command."""
        who = By(by, "player") if isinstance(by, str) else by
        return decide(self.state, Envelope(who, command), self.env)

    def do(self, by: By | str, *commands: Command) -> Live:
        """Send commands that must be accepted."""
        for command in commands:
            decided = self.ask(by, command)
            assert isinstance(decided, Decision), f"{str(command)[:200]} is refused: {decided}"
            self.take(decided)
        return self

    def no(self, by: By | str, command: Command) -> Refusal:
        """The refusal of a command that must be refused."""
        before = json.dumps(snapshot(self.state))
        answer = self.ask(by, command)
        assert isinstance(answer, Refusal), f"{str(command)[:200]} is taken"
        assert json.dumps(snapshot(self.state)) == before
        return answer

    def take(self, decided: Decision) -> None:
        """Apply a decision: transfers, then the state, then the events."""
        for transfer in decided.transfers:
            self.pay(transfer)
        for noted in decided.facts:
            fact = FACTS.load(json.loads(canonical(FACTS.dump(noted))))
            assert (type(fact), fact) == (type(noted), noted), "read back as it was written"
            before, self.state = self.state, apply(self.state, fact)
            self.facts.append(fact)
            self.events += events(before, fact, self.state)

    def pay(self, transfer: Transfer) -> None:
        for account, amount in balance_changes(transfer):
            self.book[account] += amount
            may = account.kind in MAY_OWE or self.book[account] >= 0
            assert may, f"{account} overdrawn by {transfer}"

    def buy_in(self, player: str, amount: str) -> Live:
        self.pay(
            move(Account(self.till.unit, "cash"), self.till.wallet(player), dollars(amount), "")
        )
        return self

    def seat(self, number: int, player: str, amount: str = "1000", **wagers: int) -> Live:
        """Buy in, sit down and bet: seat(1, "ann", ante=10)."""
        if self.state.kind != "practice" and not self.env.wallet(player):
            self.buy_in(player, amount)
        if number not in self.state.seats:
            self.do(player, Sit(number))
        for name, dollars_put in wagers.items():
            wager = PutWager(number, name.replace("_", "-"), Cents(dollars_put * 100))
            self.do(player, wager)
        return self

    def later(self, seconds: int) -> Live:
        self.env.time += timedelta(seconds=seconds)
        return self

    def restart(self, why: str = "stopped") -> Live:
        """Restart the process and resume the table."""
        self.state = replay(self.facts)
        self.take(resume(self.state, self.env, why))
        return self

    # Looking -------------------------------------------------------------------------------------

    @property
    def facts_json(self) -> list[Json]:
        """All facts in stored form."""
        return FACTS.dump_all(self.facts)

    @property
    def round(self) -> Round:
        assert self.state.round is not None
        return self.state.round

    def wallet(self, player: str) -> int:
        """A wallet's dollars."""
        return self.book[self.till.wallet(player)] // 100

    @property
    def held(self) -> int:
        """All wagers on the table in cents."""
        return sum(amount for account, amount in self.book.items() if account.kind == "held")

    def sound(self) -> None:
        """Check that balances add up, and rack and state follow from the facts."""
        debit = sum(v for k, v in self.book.items() if k.normal == "debit")
        credit = sum(v for k, v in self.book.items() if k.normal == "credit")
        assert debit == credit
        assert self.book[self.till.rack] == self.state.rack
        staked = 0
        if self.state.has_live_wagers:
            seats = self.round.seats
            staked = sum(amount for seat in seats for _, amount in self.round.open_stakes(seat))
        assert self.held == staked
        again = replay(self.facts)
        assert again == self.state
        assert restore(json.loads(canonical(snapshot(self.state)))) == self.state


def by(name: str, role: TableRole = "player") -> By:
    return By(name, role)


def top(text: str) -> tuple[Card, ...]:
    return tuple(card(word) for word in text.split())
