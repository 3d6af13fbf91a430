"""A house whose hidden cards the test knows: live tables, people of every role, a round gone by."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from fastapi import FastAPI
from tests.fuzz.evenings import check_in_code, two_nights
from tests.fuzz.shadow import Shadow, Shoe
from tests.house.web.conftest import NAMES, PASSWORD, WEAK, fast_folder, people_of

from pitbook import load
from pitbook.cards import card
from pitbook.house.ledger.journal import Stream
from pitbook.house.people.accounts import People
from pitbook.house.people.register import Person, Role
from pitbook.house.table import commands
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.tables import LiveTables
from pitbook.house.table.visibility import Viewer
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server
from pitbook.house.web.settings import RequestLimits, Settings
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook.shoe.record import ShoeRecord, reveal
from pitbook.shoe.vault import Vault

STUD = "catfish-bend/mississippi-stud"
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)  # No clock of a table runs: nothing happens unasked.
CLOCKS = {"betting": None, "decision": None, "agree": None}
LOTS, LITTLE = Cents(100_000_00), Cents(1_000_00)
MANY = 10**6
# Every case must reach its handler: nobody is told to slow down.
LIMITS = RequestLimits(
    requests_per_second=MANY,
    requests_burst=MANY,
    commands_per_second=MANY,
    commands_burst=MANY,
    sign_ins_per_minute=MANY,
    guests_per_minute=MANY,
    practice_tables_per_address=MANY,
    practice_tables_per_person=MANY,
    sockets_per_address=MANY,
    sockets_per_person=MANY,
)

Asker = Role | Literal["nobody"]
ASKERS: tuple[Asker, ...] = ("nobody", "guest", *NAMES)
STAFF: tuple[Asker, ...] = ("dealer", "supervisor", "auditor")
DEALER, SUPERVISOR = By("dee", "dealer"), By("sue", "supervisor")
OTHERS = ("bob", "cyd")  # Whose cards nobody else may see.
PLAYERS = ("ann", *OTHERS)


class Floor:
    """The tables of a house, and whoever is let loose on them."""

    def __init__(self, house: LiveTables, people: People, settings: Settings) -> None:
        self.house, self.people = house, people
        self.app: FastAPI = create_app(house, people, settings)
        described = _description(self.app)
        self.app.openapi = lambda: described  # type: ignore[method-assign]
        self.server: Server = self.app.state.server
        self.guest: Person
        self._guest_token: str
        self.guest, self._guest_token = self.server.sessions.guest()
        self.invitation = ""
        self.code = check_in_code(house.folder.keys.sealing)
        self.live = ""  # The table at which bob and cyd hold cards.
        self.own, self._owner = "", "cyd"  # The practice table of whoever asks.
        self._vault = Vault(house.folder.keys.sealing)
        self._shadows: dict[str, Shadow] = {}
        self._seeds: dict[str, str | None] = {}
        self._opened = 0

    # Who asks ------------------------------------------------------------------------------------

    def name(self, asker: Asker) -> str:
        """By what name somebody is known."""
        if asker == "nobody":
            return ""
        return self.guest.name if asker == "guest" else NAMES[asker]

    def token(self, asker: Asker) -> str | None:
        """A good cookie; what was changed about the person is put right first."""
        if asker == "nobody":
            return None
        if asker == "guest":
            return self._guest_token
        name, record = NAMES[asker], self.people.register.people[NAMES[asker]]
        if record.role != asker:
            self.people.set_role(name, asker, actor="test")
        if record.disabled:
            self.people.enable(name, actor="test")
        return self.server.sessions.issue(Person(name, asker))

    def viewer(self, asker: Asker, table: str) -> Viewer:
        """As whom somebody looks at a table; those who have no part in it look on."""
        name, state = self.name(asker), self.house.tables[table].state
        own = state.kind == "practice" and state.owner == name
        if asker in ("guest", "player") or own:
            return Viewer(name, "player")
        if asker == "dealer":
            return Viewer(name, "dealer")
        return Viewer(name, "supervisor" if asker == "supervisor" else "spectator")

    # What is on record ---------------------------------------------------------------------------

    def heads(self) -> list[Stream]:
        """Every stream and how far it goes: no row is written without changing this."""
        return self.house.ledger.streams()

    def shadow(self, table: str) -> Shadow:
        """A table as the journal has it now."""
        if table not in self._shadows:
            self._shadows[table] = Shadow(self.house.tables[table].stream)
        found, now = self._shadows[table], self.house.tables.get(table)
        if now is not None and now.state.version != found.state.version:
            found.catch_up(self.house.ledger)
        return found

    def secrets(self, asker: Asker) -> set[str]:
        """Texts that may not be told: seals and hashes, seeds and words of shoes in use."""
        found = {str(one.sealed) for one in self.people.register.people.values()}
        for name in list(self.house.tables):
            for shoe in self.shadow(name).shoes.values():
                found |= self._secrets_of(shoe, asker)
        return found

    def _secrets_of(self, shoe: Shoe, asker: Asker) -> set[str]:
        sealed, name = shoe.record["sealed"], self.name(asker)
        if sealed is None:
            return set()
        if sealed not in self._seeds:
            self._seeds[sealed] = reveal(ShoeRecord.of(shoe.record), self._vault)
        seed = self._seeds[sealed]
        if seed is None or (shoe.ended and (asker in STAFF or name in shoe.players)):
            return {sealed}
        words = {text for whose, text in shoe.words.items() if whose in OTHERS and whose != name}
        return {sealed, seed, *words}

    # Tables --------------------------------------------------------------------------------------

    async def do(self, table: str, by: By | str, *given: Command) -> None:
        """Commands that must be taken."""
        who = By(by, "player") if isinstance(by, str) else by
        for command in given:
            answer = await self.house.tables[table].send(Envelope(who, command))
            assert not isinstance(answer, Refusal), (command, answer)

    async def open(self, name: str, **rules: Any) -> None:
        """A new table, by the rules of Mississippi Stud."""
        given = {"kind": "house", "unit": "usd", "clocks": CLOCKS, **rules}
        await self.house.open_table(name, actor="test", sheet=_sheet(), **given)

    async def set_up(self, asker: Asker) -> None:
        """All that there is to ask about: a table of each kind, one with a past, one closed."""
        for name in OTHERS:
            self.people.add(name, "player", PASSWORD, actor="test")
        await self._fund()
        await self._past()
        await self.open("typed", kind="typed")
        await self.bet("typed", "bob")
        for name in ("Qs", "7d"):
            await self.do("typed", DEALER, commands.TypeCard(1, card(name)))
        await self.open("gone")
        await self.do("gone", SUPERVISOR, commands.Retire())
        await self.open("bobs", kind="practice", unit="play", owner="bob")
        await self.bet("bobs", "bob")
        two_nights(self.house.ledger)
        self._owner = self.name(asker) or "cyd"
        await self.mend()

    async def _past(self) -> None:
        """A round that is over, in which bob has folded."""
        await self.open("past")
        await self.bet("past", *PLAYERS)
        while (round := self.house.tables["past"].state.round) and round.waiting:
            for number in round.waiting:
                play = "fold" if number == 2 else "1x"
                await self.do("past", PLAYERS[number - 1], commands.Decide(number, play))

    async def mend(self) -> None:
        """See to it that bob and cyd hold cards which nobody else may see, and all have a table."""
        await self._fund()
        if self.people.role_of_invitation(self.invitation) is None:
            self.invitation = self.people.invite("player", actor="test")
        if self.own not in self.house.tables:
            self._opened += 1
            self.own = f"own-{self._opened}"
            await self.open(self.own, kind="practice", unit="play", owner=self._owner)
            await self.bet(self.own, self._owner)
        if self.live and self._is_hidden():
            return
        state = self.house.tables[self.live].state if self.live else None
        again = state is not None and not (state.retired or state.live or state.awaiting)
        try:
            assert again
            await self.bet(self.live, *PLAYERS)
        except AssertionError:  # Beyond mending, or there was none yet.
            await self._abandon()
            self._opened += 1
            self.live = f"live-{self._opened}"
            await self.open(self.live)
            await self.bet(self.live, *PLAYERS)

    async def _abandon(self) -> None:
        """Nobody asks for the table any more; its record stays."""
        if self.live:
            await self.house.tables.pop(self.live).close()
            del self._shadows[self.live]

    async def advance(self) -> None:
        """Bob and cyd play on, so that rounds come to an end and others begin."""
        state = self.house.tables[self.live].state
        for number in state.round.waiting if state.live and state.round else ():
            if (player := state.seats.get(number)) in OTHERS and state.awaiting is None:
                await self.do(self.live, player, commands.Decide(number, "1x"))

    def _is_hidden(self) -> bool:
        shadow = self.shadow(self.live)
        round, seen = shadow.state.round, shadow.may_see(Viewer("", "spectator"))
        if round is None or not shadow.state.live:
            return False
        held = {seat.player: set(seat.cards) for seat in round.seats}
        return all(len(held.get(one, set()) - seen) == 2 for one in OTHERS)

    async def _fund(self) -> None:
        """Whatever was cashed out or withdrawn, there is money to play with."""
        cage, balance = self.house.cage, self.house.ledger.balance
        for name in self._ready(PLAYERS):
            if balance(cage.wallet(name)) < LITTLE:
                await cage.buy_in(name, LOTS, actor="test")

    def _ready(self, players: Iterable[str]) -> list[str]:
        """Without whoever has taken a break: nobody can end one early."""
        access = self.people.persons.access_list(NOON)
        return [one for one in players if access.break_of(one) is None]

    async def bet(self, table: str, *players: str) -> None:
        """Everybody sits down and bets the least; the cards are dealt."""
        if not (ready := self._ready(players)):
            return
        for player in ready:
            state = self.house.tables[table].state
            taken = {whose: number for number, whose in state.seats.items()}
            seat = taken.get(player) or min(set(state.numbers) - set(state.seats))
            if player not in taken:
                await self.do(table, player, commands.Sit(seat))
            main, stake = self.house.tables[table].state.game.main
            await self.do(table, player, commands.PutWager(seat, main, stake.min))
            state = self.house.tables[table].state
            if player in OTHERS and state.shoe and not state.drawn and state.kind == "house":
                words = f"what only {player} knows of {state.shoe['id']}"
                await self.do(table, player, commands.SeatSeed(seat, words))
        await self.do(table, DEALER, commands.CloseBetting())


@functools.cache
def _sheet() -> Sheet:
    return load(STUD)


_DESCRIPTIONS: list[dict[str, Any]] = []


def _description(app: FastAPI) -> dict[str, Any]:
    """The API's description, which is the same for every house, made by the first."""
    if not _DESCRIPTIONS:
        _DESCRIPTIONS.append(app.openapi())
    return _DESCRIPTIONS[0]


@asynccontextmanager
async def floor(path: Path, asker: Asker = "nobody") -> AsyncIterator[Floor]:
    """A house that is open, with all its tables, for whoever asks."""
    settings = Settings(data=path, sign_in=WEAK, limits=LIMITS)
    with fast_folder(path) as folder:
        house = LiveTables(folder, clock=lambda: NOON)
        await house.open()
        people = people_of(house, settings)
        for role, name in NAMES.items():
            people.add(name, role, PASSWORD, actor="test")
        try:
            made = Floor(house, people, settings)
            await made.set_up(asker)
            yield made
        finally:
            await house.close()
