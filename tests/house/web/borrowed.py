"""A house full of other people's things, and whoever reaches for them with a credential of theirs.

Who may what is written down here once more, by hand: the server is not asked what it allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from fastapi import FastAPI
from fastapi.routing import APIRoute, APIWebSocketRoute
from tests.fuzz.evenings import HOUSE
from tests.house.web.conftest import NAMES, PASSWORD, client_of
from tests.house.web.described_bodies import example

from pitbook import load
from pitbook.house.nights import commands as night_commands
from pitbook.house.nights import tournament_tables as tournament_rounds
from pitbook.house.nights.house_rules import kept_rules
from pitbook.house.nights.house_rules import load as load_rules
from pitbook.house.nights.schedule_files import read_schedule
from pitbook.house.nights.store import Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.people.register import Person, Role
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import commands
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.web.access import ROUTE_ROLES, STRANGER
from pitbook.house.web.app import ROUTERS
from pitbook.house.web.server import Server
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Refusal

Json = dict[str, Any]
STUD = "oceanfront/mississippi-stud"
CLOCKS = {"betting": None, "decision": None, "agree": None}
DEALER, SUPERVISOR = By("dee", "dealer"), By("sue", "supervisor")
READS_ALL = ("supervisor", "auditor")
DESK = ("supervisor", "organiser", "brush")  # Who has everybody's tickets, and so the seat cards.
# What a ticket is for, besides what anybody may: its own table, and its own past there.
TICKET = {"me", "list_tables", "see_table", "table_sheet", "command", "socket", "watch"}
TICKET |= {"rounds", "round", "share_round", "proof", "my_rounds"}
OWN = ("me", "list_tables", "my_rounds", "my_coach")
TOKENS = ("check_in", "arrive", "ticket_play", "invitation", "accept_invitation", "shared_round")
FILLED = {"event": ("gala", "ball"), "tournament": ("t1", "t2"), "number": (1, 2), "slip": (1,)}
FILLED |= {"venue": ("oceanfront",), "game": ("mississippi-stud",), "what": ("seat-cards",)}
FILLED |= {"seat": (1, 2), "name": ("bob", "ann"), "player": ("bob", "ann", "carl")}


class Bearer(NamedTuple):
    """Somebody with a cookie; whose it was ended or forged is a stranger."""

    label: str
    role: Role | str
    name: str = ""
    cookie: str = ""
    tournament: str = ""


class Place(NamedTuple):
    """A table, whose it is, and who has played which of its rounds."""

    owner: str = ""
    tournament: str = ""
    rounds: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Attempt(NamedTuple):
    """A request that must not succeed; `told`: it may, and tells of nobody else."""

    bearer: Bearer
    route: str
    method: str
    path: str
    body: Any = None
    told: bool = False

    @property
    def is_socket(self) -> bool:
        return self.method == "WS"


class World:
    """The house, its bearers and its places."""

    def __init__(self, app: FastAPI, server: Server) -> None:
        self.app, self.server = app, server
        self.bearers: list[Bearer] = []
        self.places: dict[str, Place] = {}
        self.tokens: dict[str, list[str]] = {"good": [], "bad": []}
        self.described = app.openapi()

    # Set up --------------------------------------------------------------------------------------

    async def furnish(self) -> None:
        people = self.server.people
        people.add("bob", "player", PASSWORD, actor="test")
        for name in ("ann", "bob"):
            await self.server.house.cage.buy_in(name, Cents(1_000_000), actor="test")
        await self._chance("stud-1", "ann", "bob")
        await self._chance("stud-2", "bob")
        for role, name in [*NAMES.items(), ("player", "bob")]:
            token = self.server.sessions.issue(Person(name, role))
            self.bearers.append(Bearer(f"{role} {name}", role, name, token))
        for number in (1, 2):
            person, token = self.server.sessions.guest()
            self.bearers.append(Bearer(f"guest {number}", "guest", person.name, token))
        for one in [one for one in self.bearers if one.role in ("guest", "player")]:
            await self._practice(one)
        await self._nights()
        await self._dead()

    async def _chance(self, table: str, *players: str) -> None:
        """A table with a round gone by, and one in which everybody has cards."""
        sheet = load(STUD)
        await self.server.house.open_table(
            table, "house", actor="sue", unit="usd", sheet=sheet, clocks=CLOCKS
        )
        for seat, player in enumerate(players, start=1):
            await self._do(table, By(player, "player"), commands.Sit(seat))
        await self._round(table, play=True)
        await self._round(table, play=False)
        self.places[table] = Place(rounds=((f"{table}-000001", players),))

    async def _practice(self, bearer: Bearer) -> None:
        name = f"practice-{len(self.places):012x}"
        house = self.server.house
        await house.open_table(
            name, "practice", actor=bearer.name, unit="play", sheet=load(STUD), owner=bearer.name
        )
        await self._do(name, By(bearer.name, "player"), commands.Sit(1))
        await self._round(name, play=True)
        self.places[name] = Place(bearer.name, rounds=((f"{name}-000001", (bearer.name,)),))

    async def _round(self, table: str, *, play: bool) -> None:
        live = self.server.house.tables[table]
        main, stake = live.state.game.main
        for seat, player in live.state.seats.items():
            put = commands.PutWager(seat, main, stake.min)
            await self._do(table, By(player, "player"), put)
        by = By(live.state.owner, "player") if live.state.owner else DEALER
        await self._do(table, by, commands.CloseBetting())
        while play and live.state.round is not None and live.state.round.waiting:
            seat = live.state.round.waiting[0]
            await self._do(table, By(live.state.seats[seat], "player"), commands.Decide(seat, "1x"))

    async def _do(self, table: str, by: By, command: Command) -> None:
        answer = await self.server.house.tables[table].send(Envelope(by, command))
        assert not isinstance(answer, Refusal), (table, by, command, answer)

    async def _nights(self) -> None:
        """Two nights, three tournaments; carl is in all of them, and has a ticket for each."""
        for event, own, players in (
            ("gala", "t1", ("carl", "dora", "ann")),
            ("gala", "t2", ("carl", "eli")),
            ("ball", "t1", ("carl", "eli")),
        ):
            night = _opened(self.server.house.ledger, event)
            name = f"{event}.{own}"
            _must(night, floor.SetUp(name, read_schedule(SCHEDULE)), floor.Announce(name))
            _must(night, *(floor.Enter(name, player) for player in players))
            _must(night, floor.DrawSeats(name), floor.Start(name))
            here = TournamentTables(self.server.house, night, name, "olga")
            assert await tournament_rounds.lay_out(here, load(STUD), clocks=CLOCKS) is None
            table = f"{name}-1"
            await tournament_rounds.begin(here, 1)
            await self._round(table, play=True)
            self.places[table] = Place(tournament=name, rounds=((f"{table}-000001", players),))
            for player in (one for one in players if one != "ann"):
                await self._ticket(event, own, player)

    async def _ticket(self, event: str, own: str, player: str) -> str:
        """A player's phone; the code itself is a good token, and somebody else's."""
        async with client_of(self.app) as desk, client_of(self.app) as phone:
            desk.cookies.set(SESSION_COOKIE, self.bearers[4].cookie)
            asked = f"/api/nights/{event}/tournaments/{own}/ticket?player={player}"
            code = str((await desk.get(asked)).json()["token"])
            answer = await phone.post(f"/api/check-in/{code}/play", json={"request": "p"})
            assert answer.status_code == 200, answer.text
            cookie = phone.cookies[SESSION_COOKIE]
        name = f"{event}.{own}"
        self.bearers.append(Bearer(f"ticket {name} {player}", "player", player, cookie, name))
        self.tokens["good"].append(code)
        return code

    async def _dead(self) -> None:
        """Cookies that were good once, and texts that are none."""
        night = Night(self.server.house.ledger, "gala")
        tickets = [one for one in self.bearers if one.tournament]
        lost = next(one for one in tickets if one.name == "eli" and "gala" in one.tournament)
        self.tokens["bad"] += [self.tokens["good"].pop(3)]
        _must(night, floor.RevokeTicket("gala.t2", "eli"))
        self.bearers.remove(lost)
        _, token = self.server.sessions.guest()
        found = self.server.sessions.read(token)
        assert found is not None
        self.server.sessions.end(found)
        sue, guest = self.bearers[2].cookie, self.bearers[7].cookie
        swapped = f"{sue.partition('.')[0]}.{guest.partition('.')[2]}"
        texts = {"revoked": lost.cookie, "signed out": token, "swapped": swapped}
        texts |= {"a code": self.tokens["good"][0], "nothing": ""}
        self.bearers += [Bearer(label, STRANGER, cookie=text) for label, text in texts.items()]
        cookies = {one.cookie for one in self.bearers} - {"", *self.tokens["good"]}
        self.tokens["bad"] += sorted(cookies)
        self.tokens["bad"] += [one.swapcase() for one in self.tokens["good"]]

    # Who may what --------------------------------------------------------------------------------

    def near(self, bearer: Bearer, table: str) -> bool:
        """Whether somebody may come near a table at all."""
        place = self.places[table]
        if bearer.role == STRANGER:
            return False
        if bearer.tournament:
            return place.tournament == bearer.tournament
        if place.owner:
            return bearer.name == place.owner or bearer.role == "supervisor"
        return bearer.role != "guest"

    # Attempts ------------------------------------------------------------------------------------

    def attempt(self, luck: Random) -> Attempt:
        """Something that somebody reaches for and may not have."""
        while True:
            routes = CATALOGUE if luck.random() < 0.5 else WITH_THINGS
            route, bearer = luck.choice(routes), luck.choice(self.bearers)
            found = next(self._reached(luck, route, bearer), None)
            if found is not None:
                return found

    def _reached(self, luck: Random, route: Route, bearer: Bearer) -> Iterator[Attempt]:
        name, method = route.name, _method(luck, route)
        listed = bearer.role in ROUTE_ROLES[name]
        ticket = bearer.tournament and name not in TICKET and STRANGER not in ROUTE_ROLES[name]
        table = luck.choice(list(self.places))
        path = self._path(luck, route.path, table)
        made = Attempt(bearer, name, method, path, self._body(luck, route, bearer, table))
        if not listed or ticket or (name == "tournament_paper" and bearer.role not in DESK):
            yield made
        elif name in OWN:
            yield made._replace(path=f"{path}?player=bob", told=True)
        elif name in TOKENS:
            yield from self._with_token(luck, route, made)
        elif name == "practice" and bearer.tournament:
            yield made._replace(body={"sheet": STUD})
        elif "{table}" in route.path and not self.near(bearer, table):
            yield made
        elif "{table}" in route.path:
            yield from self._at(luck, route, bearer, table)

    def _with_token(self, luck: Random, route: Route, made: Attempt) -> Iterator[Attempt]:
        """A token of another kind, one that is void, or another's ticket beside an account."""
        bad = luck.choice(self.tokens["bad"])
        if made.route == "ticket_play" and made.bearer.role not in ("guest", STRANGER):
            good = not made.bearer.tournament and luck.random() < 0.5
            bad = luck.choice(self.tokens["good"]) if good else bad
        yield made._replace(path=route.path.replace("{token}", bad))

    def _at(self, luck: Random, route: Route, bearer: Bearer, table: str) -> Iterator[Attempt]:
        """At a table that somebody may come near: another's seat, round or past."""
        path, place = f"/api/tables/{table}", self.places[table]
        player = luck.choice(("bob", "ann", "carl", "dora", "eli"))
        rounds = [(at, *one) for at, where in self.places.items() for one in where.rounds]
        at, round, players = luck.choice(rounds)
        theirs = bearer.name in players and at == table
        if route.name == "rounds":
            if player != bearer.name and bearer.role not in READS_ALL:
                yield Attempt(bearer, route.name, "GET", f"{path}/rounds?player={player}")
        elif route.name in ("round", "proof", "share_round"):
            staff = bearer.role in READS_ALL and route.name != "share_round" and at == table
            end = {"round": "", "proof": "/proof", "share_round": "/share"}[route.name]
            method = "POST" if route.name == "share_round" else "GET"
            if not theirs and not staff:
                yield Attempt(bearer, route.name, method, f"{path}/rounds/{round}{end}")
        elif route.name in ("command", "socket"):
            yield from self._another_s_seat(luck, route, bearer, table)
        elif route.name == "practise_spot" and place.owner == bearer.name and at != table:
            body = {"round": round, "stage": 0, "seat": 1, "request": f"b{luck.random()}"}
            yield Attempt(bearer, route.name, "POST", f"{path}/spots", body)

    def _another_s_seat(
        self, luck: Random, route: Route, bearer: Bearer, table: str
    ) -> Iterator[Attempt]:
        """What a seat's own player says, said by somebody else."""
        seats = self.server.house.tables[table].state.seats
        others = [seat for seat, name in seats.items() if name != bearer.name]
        if not others:
            return
        seat = luck.choice(others)
        said: Json = luck.choice(SAID) | {"seat": seat}
        if said["do"] == "sit":
            said["player"] = seats[seat]
        path = f"/api/tables/{table}/{'socket' if route.name == 'socket' else 'commands'}"
        body = {"request": f"b{luck.random()}", "command": said}
        yield Attempt(bearer, route.name, _method(luck, route), path, body)

    def _path(self, luck: Random, path: str, table: str) -> str:
        rounds = self.places[table].rounds
        given = {"table": table, "round": rounds[0][0], "token": luck.choice(self.tokens["bad"])}

        def filled(found: re.Match[str]) -> str:
            key = found[1].partition(":")[0]
            return str(given.get(key) or luck.choice(FILLED.get(key, ("x",))))

        return re.sub(r"\{([^}]*)\}", filled, path)

    def _body(self, luck: Random, route: Route, bearer: Bearer, table: str) -> Any:
        """What the description gives as an example, about somebody else."""
        if isinstance(route, APIWebSocketRoute):
            return None
        methods = self.described["paths"].get(route.path, {})
        told = methods.get(sorted(route.methods or ())[0].lower(), {})
        body = example(self.described, told.get("requestBody", {}))
        if not isinstance(body, dict):
            return body
        named = {key: luck.choice(("bob", "carl")) for key in ("name", "player") if key in body}
        if "request" in body:
            named["request"] = f"b{luck.random()}"
        return {**body, **named}


Route = APIRoute | APIWebSocketRoute
CATALOGUE = [one for router in ROUTERS for one in router.routes if isinstance(one, Route.__args__)]
# Where the thing decides, and not the role alone; half of all attempts go there.
WITH_THINGS = [
    one for one in CATALOGUE if "{table}" in one.path or one.name in (*OWN, *TOKENS, "practice")
]
SAID: tuple[Json, ...] = (
    {"do": "put-wager", "wager": "ante", "amount": "25"},
    {"do": "put-wager", "wager": "ante", "amount": "0"},
    {"do": "decide", "play": "fold"},
    {"do": "seat-seed", "words": "mine"},
    {"do": "rebet"},
    {"do": "agree", "agrees": False},
    {"do": "sit"},
)
SCHEDULE = """
title = "Hourly stud"
kind = "hourly"
sheet = "oceanfront/mississippi-stud"
seats = 6
buy_in = { costs = "60", fee = "15", chips = "1000" }
levels = [{ minutes = 20, limits = { ante = { min = "25", max = "100" } } }]
prizes = [{ entrants = 2, shares = [100] }]
"""


def _method(luck: Random, route: Route) -> str:
    return (
        "WS" if isinstance(route, APIWebSocketRoute) else luck.choice(sorted(route.methods or ()))
    )


def _opened(ledger: Any, event: str) -> Night:
    night = Night(ledger, event)
    if night.state.phase == "none":
        today, rules = night.now().date().isoformat(), kept_rules(load_rules(HOUSE))
        made = night_commands.Make(event, "Shelter", f"NH-{event}", today, "UTC", rules)
        _must(night, made, night_commands.Open(), night_commands.BringFloat(dollars("500")))
    return night


def _must(night: Night, *given: Any) -> None:
    for command in given:
        answer = night.give(command, actor="test")
        assert not isinstance(answer, Refusal), (command, answer)
