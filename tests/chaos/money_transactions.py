"""Every kind of money transaction at once: cage, tables, and an event's tournaments.

Each request number belongs to one person. A request is chosen when it is sent; a request already
on record is sent again unchanged.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tests.chaos import live_tables
from tests.chaos.live_tables import FUND, PLAYERS, SHEETS, Tables, TablesClient
from tests.house.nights.gaming_date import noon_date_and_zone
from tests.house.nights.tournament.step_lines import schedule

from pitbook.errors import Overdrawn
from pitbook.house.inspect.house_statement import house_statement
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.fact_codec import record_fields
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.nights import commands as at_cage
from pitbook.house.nights.decide import Command
from pitbook.house.nights.house_rules import load, stored_rules
from pitbook.house.nights.night_cache import charity_names
from pitbook.house.nights.state import NightState
from pitbook.house.nights.store import Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.stream_names import CAGE, TABLE
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Refusal

__all__ = ["KINDS", "Money", "money_kinds", "warm"]

EVENT, CASHIER, SUPERVISOR, ORGANISER = "gala", "cashier", "sue", "kim"
GUESTS = ("eve", "fay", "gus", "hal", "ivy", "jon")
# Indexed by the last digit of a request.
ASKERS = *PLAYERS, CASHIER, SUPERVISOR, *[ORGANISER] * 5
TRIES = 400
# Facts that a run must have recorded to be meaningful.
KINDS = frozenset(
    {
        *("buy-in", "cash-out", "wagered", "settled", "fill", "credit"),
        *("slip float", "slip sold", "slip redeemed", "slip-undone"),
        *("tournament-sold buy-in", "tournament-sold re-buy", "tournament-sold add-on"),
        *("tournament-refunded", "tournament-paid-out", "tournament-undone"),
    }
)


class Money(Tables):
    """Three live tables, the cage, and an event with one tournament after another."""

    def start(self, url: str) -> MoneyClient:
        """A client of the ledger at that URL."""
        return MoneyClient(self, Ledger.open(url))

    def wrong(self, url: str, acknowledged: Mapping[int, str]) -> list[str]:
        """Lost receipts, audit findings, duplicate payments, and statements that do not agree."""
        with Ledger.open(url) as ledger:
            return [*super().wrong(url, acknowledged), *_wrong_money(ledger)]

    def id_of(self, number: int) -> str:
        """The request's id, with the name of its sender."""
        return f"{ASKERS[number % len(ASKERS)]}/{self.seed}-{number}"


class MoneyClient(TablesClient):
    """Sends requests of players, a cashier, a supervisor and an organizer."""

    def __init__(self, tables: Tables, ledger: Ledger) -> None:
        super().__init__(tables, ledger)
        self._night = Night(ledger, EVENT)

    def send(self, number: int) -> str:
        """The receipt of a request, the same each time."""
        if number == 0:
            first = super().send(0)
            self._open_event()
            return first
        asker, _, request = self.tables.id_of(number).partition("/")
        if asker in PLAYERS:
            return super().send(number)
        return {
            CASHIER: self._at_cage,
            SUPERVISOR: self._at_rack,
            ORGANISER: self._at_event,
        }[asker](request)

    def _open_event(self) -> None:
        """Open the event and fill the vault and the racks."""
        rules = stored_rules(load("oceanfront"))
        make_event = at_cage.Make(EVENT, "Shelter", "NH-1", DAY["gaming_date"], DAY["zone"], rules)
        doors: tuple[Command, ...] = (
            make_event,
            at_cage.Open(),
            at_cage.BringFloat(dollars("5000")),
        )
        for number, command in enumerate(doors):
            before = self._night.recorded_answer(ORGANISER, f"door-{number}")
            answer = before or self._give(command, f"door-{number}")
            assert answer is not None, command
        self._run(self.cage.fund(FUND, actor=SUPERVISOR, request=f"{self.tables.seed}-fund"))

    def _at_cage(self, request: str) -> str:
        """A buy-in or a cash-out at the house's cage."""
        rng = random.Random(f"{request} {random.random()}")
        if (entry := self._on_record(CASHIER, request)) is not None:
            slip = _body(entry)
            return self._pass(slip["fact"], slip["player"], dollars(slip["amount"]), request)
        for _ in range(TRIES):
            amount, player = Cents(rng.randrange(1, 200) * 100), rng.choice(PLAYERS)
            try:
                return self._pass(rng.choice(("buy-in", "cash-out")), player, amount, request)
            except Overdrawn:  # The player's money is all on the tables.
                continue
        raise AssertionError("nobody can buy in or cash out")

    def _pass(self, slip_kind: str, player: str, amount: Cents, request: str) -> str:
        give = self.cage.buy_in if slip_kind == "buy-in" else self.cage.cash_out
        receipt = self._run(give(player, amount, actor=CASHIER, request=request))
        return f"{receipt.stream} {receipt.seq} {receipt.hash}"

    def _at_rack(self, request: str) -> str:
        """A fill or a credit at one of the tables."""
        rng, by = random.Random(f"{request} {random.random()}"), By(SUPERVISOR, "supervisor")
        if (entry := self._on_record(SUPERVISOR, request)) is not None:
            stream, _, command = json.loads(entry.body or "")
            table = self._open[stream.removeprefix(TABLE)]
            return (
                self._run(self._submit(table, Envelope(by, at_table.decode(command), request)))
                or ""
            )
        for _ in range(TRIES):
            kind = rng.choice((at_table.Fill, at_table.Credit))
            command = kind(Cents(rng.randrange(1, 100) * 100), "by the script")
            table = self._open[rng.choice(list(SHEETS))]
            receipt = self._run(self._submit(table, Envelope(by, command, request)))
            if receipt is not None:
                return receipt
        raise AssertionError("no rack can be filled or credited")

    def _at_event(self, request: str) -> str:
        """Chips at the event's cage, or a step of its tournament."""
        rng = random.Random(f"{request} {random.random()}")
        if (entry := self._on_record(ORGANISER, request)) is not None:
            return self._give(_command(_body(entry)), request) or ""
        for _ in range(TRIES):
            at_counter = rng.random() < 0.2
            night_state = self._night.refresh()
            command = (
                _counter_wants(rng, night_state) if at_counter else _floor_wants(rng, night_state)
            )
            receipt = self._give(command, request)
            if receipt is not None:
                return receipt
        raise AssertionError("nothing can be done at the event")

    def _give(self, command: Command, request: str) -> str | None:
        answer = self._night.give(command, actor=ORGANISER, request=request)
        if isinstance(answer, Refusal):
            return None
        return f"night/{EVENT} {answer.seq} {answer.hash}"

    def _on_record(self, asker: str, request: str) -> Entry | None:
        entry = self.ledger.entry_of_request(f"{asker}/{request}")
        return entry if entry is not None and entry.body is not None else None


def warm() -> None:
    """Compute shared results once, before the processes are forked."""
    live_tables.warm()
    load("oceanfront")


DAY = noon_date_and_zone()


def money_kinds(url: str) -> Counter[str]:
    """Count the recorded facts by kind."""
    with Ledger.open(url) as ledger:
        streams = [
            stream.name
            for stream in ledger.streams()
            if stream.name.startswith((TABLE, CAGE, "night/"))
        ]
        facts = [fact for name in streams for entry in ledger.entries(name) for fact in entry.facts]
    return Counter(_kind(fact) for fact in facts)


def _kind(fact: Mapping[str, Any]) -> str:
    name, detail = str(fact["fact"]), fact.get("what")
    return f"{name} {detail}" if name in ("slip", "tournament-sold") else name


def _body(entry: Entry) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(entry.body or "")[1]
    return body


def _command(document: Mapping[str, Any]) -> Command:
    """The command that a request's body holds."""
    kind = str(document["do"]).removeprefix("tournament ")
    if kind == document["do"]:
        return at_cage.decode(document)
    arguments = {name: value for name, value in document.items() if name != "do"}
    command: Command = record_fields(getattr(floor, kind)).into(arguments)
    return command


def _counter_wants(rng: random.Random, state: NightState) -> Command:
    player, amount = rng.choice(GUESTS), Cents(rng.randrange(1, 40) * 100)
    undo = at_cage.Undo(max(1, len(state.slips)), "the wrong player")
    return rng.choice((at_cage.Sell(player, amount), at_cage.Redeem(player, amount), undo))


def _floor_wants(rng: random.Random, state: NightState) -> Command:
    """A command that advances the tournament, or opens a new one after the last was paid."""
    if not state.tournaments:
        return floor.SetUp(f"{EVENT}.t1", schedule())
    name, tournament = list(state.tournaments.items())[-1]
    if tournament.status in ("finished", "void"):
        owed = [player for player, entrant in tournament.players.items() if entrant.owed]
        if owed and rng.random() < 0.9:
            return floor.PayOut(name, rng.choice(owed))
        return floor.SetUp(f"{EVENT}.t{len(state.tournaments) + 1}", schedule())
    return rng.choice(
        list(
            _playing(rng, tournament)
            if tournament.status == "playing"
            else _entering(rng, tournament)
        )
    )


def _entering(rng: random.Random, tournament: Tournament) -> Iterator[Command]:
    name = tournament.tournament
    yield from [floor.Enter(name, rng.choice(GUESTS))] * 3
    if tournament.players:
        yield floor.Refund(name, rng.choice(list(tournament.players)))
    if len(tournament.players) > 3:
        yield floor.Announce(name)
        yield floor.DrawSeats(name)
        yield from [floor.Start(name)] * 2


def _playing(rng: random.Random, tournament: Tournament) -> Iterator[Command]:
    name, player = tournament.tournament, rng.choice(list(tournament.players))
    yield from [floor.ReBuy(name, player)] * 3
    yield from [floor.AddOn(name, player)] * 2
    yield floor.Eliminate(name, (player,))
    yield floor.Finish(name)
    if tournament.last is not None:
        yield floor.Undo(name, tournament.last[0], "by mistake")
    if rng.random() < 0.1:
        yield floor.Interrupt(name, "power failure")


def _wrong_money(ledger: Ledger) -> Iterator[str]:
    """Requests that were executed twice, and owners whose money is on the wrong account."""
    entries = (entry for stream in ledger.streams() for entry in ledger.entries(stream.name))
    times = Counter(entry.request for entry in entries if entry.request is not None)
    yield from (
        f"{request} is on record {count} times" for request, count in times.items() if count > 1
    )
    house = house_statement(ledger, charity_of=charity_names(ledger), at="now")
    if not house.agrees:
        yield f"the house statement does not agree: {house.money}"
    cash, expected = ledger.balance(Account("usd", "cash", EVENT)), _cash_due(ledger)
    if cash != expected:
        yield f"the event's cage holds {cash}, and its facts come to {expected}"


def _cash_due(ledger: Ledger) -> int:
    """The cash in the event's cage, by simple arithmetic over its facts."""
    slips: list[int] = []
    cash_by_tournament: dict[str, list[int]] = {}
    cash = 0
    for entry in ledger.entries(f"night/{EVENT}"):
        for fact in entry.facts:
            match fact["fact"]:
                case "slip":
                    slips.append(_cash_of(fact))
                    cash += slips[-1]
                case "slip-undone":
                    cash -= slips[fact["slip"] - 1]
                case "tournament-undone":
                    cash -= cash_by_tournament[fact["tournament"]].pop()
                case _ if "tournament" in fact:
                    cash_by_tournament.setdefault(fact["tournament"], []).append(_cash_of(fact))
                    cash += cash_by_tournament[fact["tournament"]][-1]
    return cash


def _cash_of(fact: Mapping[str, Any]) -> int:
    """Cents that a fact brings into the cage; negative if it pays out."""
    match fact["fact"], fact.get("what"):
        case "slip", "redeemed":
            return -dollars(fact["amount"])
        case "slip", _:
            return dollars(fact["amount"])
        case "tournament-sold", _:
            return dollars(fact["paid"])
        case "tournament-refunded", _:
            return -dollars(fact["paid"])
        case "tournament-paid-out", _:
            return -dollars(fact["amount"])
    return 0
