"""A house whose hidden cards the test knows, with live tables and people of every role."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from fastapi import FastAPI
from tests.fuzz.journal_follower import Shadow, Shoe
from tests.fuzz.nights import check_in_code, make_two_events
from tests.house.web.conftest import NAMES, PASSWORD, WEAK, fast_folder, people_of

from pitbook import load
from pitbook.cards import card
from pitbook.house.ledger.ledger import Stream
from pitbook.house.people.account_register import Person, Role
from pitbook.house.people.accounts import People
from pitbook.house.settings import RequestLimits, Settings
from pitbook.house.table import commands
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.visibility import Viewer
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook.shoe.crypto import Vault
from pitbook.shoe.stored_shoe import ShoeRecord, reveal

STUD = "catfish-bend/mississippi-stud"
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)  # No table clock runs, so nothing happens unasked.
CLOCKS = {"betting": None, "decision": None, "agree": None}
BUY_IN, BALANCE_MIN = Cents(100_000_00), Cents(1_000_00)
NO_LIMIT = 10**6
# Every case must reach its handler, so rate limits are off.
LIMITS = RequestLimits(
    requests_per_second=NO_LIMIT,
    requests_burst=NO_LIMIT,
    commands_per_second=NO_LIMIT,
    commands_burst=NO_LIMIT,
    sign_ins_per_minute=NO_LIMIT,
    guests_per_minute=NO_LIMIT,
    practice_tables_per_address=NO_LIMIT,
    practice_tables_per_person=NO_LIMIT,
    sockets_per_address=NO_LIMIT,
    sockets_per_person=NO_LIMIT,
)

Asker = Role | Literal["nobody"]
ASKERS: tuple[Asker, ...] = ("nobody", "guest", *NAMES)
STAFF: tuple[Asker, ...] = ("dealer", "supervisor", "auditor")
DEALER, SUPERVISOR = By("dee", "dealer"), By("sue", "supervisor")
OTHERS = ("bob", "cyd")  # Their cards must stay hidden from others.
PLAYERS = ("ann", *OTHERS)


class Floor:
    """The tables of a house and the people who ask."""

    def __init__(self, house: LiveTables, people: People, settings: Settings) -> None:
        self.house, self.people = house, people
        self.app: FastAPI = create_app(house, people, settings)
        described = _cached_description(self.app)
        self.app.openapi = lambda: described  # type: ignore[method-assign]
        self.server: Server = self.app.state.server
        self.guest: Person
        self._guest_token: str
        self.guest, self._guest_token = self.server.sessions.guest()
        self.invitation = ""
        self.code = check_in_code(house.folder.keys.sealing)
        self.live = ""  # The table at which bob and cyd hold cards.
        self.own, self._owner = "", "cyd"  # The asker's practice table.
        self._vault = Vault(house.folder.keys.sealing)
        self._shadows: dict[str, Shadow] = {}
        self._seeds: dict[str, str | None] = {}
        self._opened = 0

    # Who asks ------------------------------------------------------------------------------------

    def name(self, asker: Asker) -> str:
        """The name of an asker."""
        if asker == "nobody":
            return ""
        return self.guest.name if asker == "guest" else NAMES[asker]

    def token(self, asker: Asker) -> str | None:
        """A valid cookie, after undoing changes to the person's role or status."""
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
        """The asker as a viewer of a table; people without a part in it are spectators."""
        name, state = self.name(asker), self.house.tables[table].state
        is_own = state.kind == "practice" and state.owner == name
        if asker in ("guest", "player") or is_own:
            return Viewer(name, "player")
        if asker == "dealer":
            return Viewer(name, "dealer")
        return Viewer(name, "supervisor" if asker == "supervisor" else "spectator")

    # What is on record ---------------------------------------------------------------------------

    def heads(self) -> list[Stream]:
        """Every stream and its head: no row is written without changing this."""
        return self.house.ledger.streams()

    def shadow(self, table: str) -> Shadow:
        """A table replayed from the journal up to now."""
        if table not in self._shadows:
            self._shadows[table] = Shadow(self.house.tables[table].stream)
        shadow, table_now = self._shadows[table], self.house.tables.get(table)
        if table_now is not None and table_now.state.version != shadow.state.version:
            shadow.catch_up(self.house.ledger)
        return shadow

    def secrets(self, asker: Asker) -> set[str]:
        """Texts that must not be revealed: sealed values, seeds and seat words of shoes in use."""
        secret_texts = {str(person.sealed) for person in self.people.register.people.values()}
        for name in list(self.house.tables):
            for shoe in self.shadow(name).shoes.values():
                secret_texts |= self._secrets_of(shoe, asker)
        return secret_texts

    def _secrets_of(self, shoe: Shoe, asker: Asker) -> set[str]:
        sealed, name = shoe.record["sealed"], self.name(asker)
        if sealed is None:
            return set()
        if sealed not in self._seeds:
            self._seeds[sealed] = reveal(ShoeRecord.of(shoe.record), self._vault)
        seed = self._seeds[sealed]
        if seed is None or (shoe.ended and (asker in STAFF or name in shoe.players)):
            return {sealed}
        words = {text for player, text in shoe.words.items() if player in OTHERS and player != name}
        return {sealed, seed, *words}

    # Tables --------------------------------------------------------------------------------------

    async def send_all(self, table: str, by: By | str, *moves: Command) -> None:
        """Send commands that must be accepted."""
        actor = By(by, "player") if isinstance(by, str) else by
        for command in moves:
            answer = await self.house.tables[table].send(Envelope(actor, command))
            assert not isinstance(answer, Refusal), (command, answer)

    async def open(self, name: str, **rules: Any) -> None:
        """A new table of Mississippi Stud."""
        settings = {"kind": "house", "unit": "usd", "clocks": CLOCKS, **rules}
        await self.house.open_table(name, actor="test", sheet=_sheet(), **settings)

    async def set_up(self, asker: Asker) -> None:
        """A table of each kind, one with history and one closed."""
        for name in OTHERS:
            self.people.add(name, "player", PASSWORD, actor="test")
        await self._fund()
        await self._play_past_round()
        await self.open("typed", kind="typed")
        await self.bet("typed", "bob")
        for name in ("Qs", "7d"):
            await self.send_all("typed", DEALER, commands.TypeCard(1, card(name)))
        await self.open("gone")
        await self.send_all("gone", SUPERVISOR, commands.Retire())
        await self.open("bobs", kind="practice", unit="play", owner="bob")
        await self.bet("bobs", "bob")
        make_two_events(self.house.ledger)
        self._owner = self.name(asker) or "cyd"
        await self.restore()

    async def _play_past_round(self) -> None:
        """Play a round to the end, in which bob folds."""
        await self.open("past")
        await self.bet("past", *PLAYERS)
        while (round := self.house.tables["past"].state.round) and round.waiting:
            for number in round.waiting:
                play = "fold" if number == 2 else "1x"
                await self.send_all("past", PLAYERS[number - 1], commands.Decide(number, play))

    async def restore(self) -> None:
        """Restore the setup: bob and cyd hold hidden cards, and everybody has a table."""
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
        reusable = state is not None and not (
            state.retired or state.has_live_wagers or state.awaiting
        )
        try:
            assert reusable
            await self.bet(self.live, *PLAYERS)
        except AssertionError:  # The table is unusable, or there was none yet.
            await self._abandon()
            self._opened += 1
            self.live = f"live-{self._opened}"
            await self.open(self.live)
            await self.bet(self.live, *PLAYERS)

    async def _abandon(self) -> None:
        """Close the live table; its record stays."""
        if self.live:
            await self.house.tables.pop(self.live).close()
            del self._shadows[self.live]

    async def advance(self) -> None:
        """Let bob and cyd play on, so that rounds end and others begin."""
        state = self.house.tables[self.live].state
        for number in state.round.waiting if state.has_live_wagers and state.round else ():
            if (player := state.seats.get(number)) in OTHERS and state.awaiting is None:
                await self.send_all(self.live, player, commands.Decide(number, "1x"))

    def _is_hidden(self) -> bool:
        shadow = self.shadow(self.live)
        round, visible = shadow.state.round, shadow.may_see(Viewer("", "spectator"))
        if round is None or not shadow.state.has_live_wagers:
            return False
        cards_by_player = {seat.player: set(seat.cards) for seat in round.seats}
        return all(len(cards_by_player.get(player, set()) - visible) == 2 for player in OTHERS)

    async def _fund(self) -> None:
        """Give players money to play with, also after a cash-out."""
        cage, balance = self.house.cage, self.house.ledger.balance
        for name in self._ready(PLAYERS):
            if balance(cage.wallet(name)) < BALANCE_MIN:
                await cage.buy_in(name, BUY_IN, actor="test")

    def _ready(self, players: Iterable[str]) -> list[str]:
        """The players without those who take a break, which cannot be ended early."""
        access = self.people.persons.access_list(NOON)
        return [player for player in players if access.break_of(player) is None]

    async def bet(self, table: str, *players: str) -> None:
        """Seat everybody, place minimum bets and deal."""
        if not (ready := self._ready(players)):
            return
        for player in ready:
            state = self.house.tables[table].state
            seat_by_player = {owner: number for number, owner in state.seats.items()}
            seat = seat_by_player.get(player) or min(set(state.numbers) - set(state.seats))
            if player not in seat_by_player:
                await self.send_all(table, player, commands.Sit(seat))
            main, stake = self.house.tables[table].state.game.main
            await self.send_all(table, player, commands.PutWager(seat, main, stake.min))
            state = self.house.tables[table].state
            if player in OTHERS and state.shoe and not state.drawn and state.kind == "house":
                words = f"what only {player} knows of {state.shoe['id']}"
                await self.send_all(table, player, commands.SeatSeed(seat, words))
        await self.send_all(table, DEALER, commands.CloseBetting())


@functools.cache
def _sheet() -> Sheet:
    return load(STUD)


_DESCRIPTIONS: list[dict[str, Any]] = []


def _cached_description(app: FastAPI) -> dict[str, Any]:
    """The API's description, cached because it is the same for every house."""
    if not _DESCRIPTIONS:
        _DESCRIPTIONS.append(app.openapi())
    return _DESCRIPTIONS[0]


@asynccontextmanager
async def floor(path: Path, asker: Asker = "nobody") -> AsyncIterator[Floor]:
    """An open house with all its tables, for one asker."""
    settings = Settings(data=path, sign_in=WEAK, limits=LIMITS)
    with fast_folder(path) as folder:
        house = LiveTables(folder, clock=lambda: NOON)
        await house.open()
        people = people_of(house, settings)
        for role, name in NAMES.items():
            people.add(name, role, PASSWORD, actor="test")
        try:
            house_floor = Floor(house, people, settings)
            await house_floor.set_up(asker)
            yield house_floor
        finally:
            await house.close()
