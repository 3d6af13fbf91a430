"""A server full of other people's tables and rounds, and attempts to reach them with wrong
credentials.

The permissions are written down here again by hand; the server is not asked what it allows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from fastapi import FastAPI
from fastapi.routing import APIRoute, APIWebSocketRoute
from tests.fuzz.nights import HOUSE
from tests.house.web.conftest import NAMES, PASSWORD, client_of
from tests.house.web.example_bodies import example

from pitbook import load
from pitbook.house.nights import commands as night_commands
from pitbook.house.nights import tournament_tables as tournament_rounds
from pitbook.house.nights.house_rules import load as load_rules
from pitbook.house.nights.house_rules import stored_rules
from pitbook.house.nights.schedule_files import read_schedule
from pitbook.house.nights.store import Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.people.account_register import Person, Role
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
DESK = ("supervisor", "organiser", "brush")  # They have everyone's tickets, and so the seat cards.
# What a ticket allows beyond ANYONE: its own table and its history there.
TICKET = {"me", "list_tables", "see_table", "table_sheet", "command", "socket", "watch"}
TICKET |= {"rounds", "round", "share_round", "proof", "my_rounds"}
OWN = ("me", "list_tables", "my_rounds", "my_coach")
TOKENS = ("check_in", "arrive", "ticket_play", "invitation", "accept_invitation", "shared_round")
PATH_VALUES = {
    "event": ("gala", "ball"),
    "tournament": ("t1", "t2"),
    "number": (1, 2),
    "slip": (1,),
}
PATH_VALUES |= {"venue": ("oceanfront",), "game": ("mississippi-stud",), "what": ("seat-cards",)}
PATH_VALUES |= {"seat": (1, 2), "name": ("bob", "ann"), "player": ("bob", "ann", "carl")}


class Bearer(NamedTuple):
    """A person with a cookie; revoked or forged cookies make a stranger."""

    label: str
    role: Role | str
    name: str = ""
    cookie: str = ""
    tournament: str = ""


class Place(NamedTuple):
    """A table, its owner, and who played which of its rounds."""

    owner: str = ""
    tournament: str = ""
    rounds: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Attempt(NamedTuple):
    """A request that must fail, or with `own_data_only` must reveal no other data."""

    bearer: Bearer
    route: str
    method: str
    path: str
    body: Any = None
    own_data_only: bool = False

    @property
    def is_socket(self) -> bool:
        return self.method == "WS"


class BorrowingWorld:
    """The server, its bearers and its tables."""

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
        await self._open_chance_table("stud-1", "ann", "bob")
        await self._open_chance_table("stud-2", "bob")
        for role, name in [*NAMES.items(), ("player", "bob")]:
            token = self.server.sessions.issue(Person(name, role))
            self.bearers.append(Bearer(f"{role} {name}", role, name, token))
        for number in (1, 2):
            person, token = self.server.sessions.guest()
            self.bearers.append(Bearer(f"guest {number}", "guest", person.name, token))
        for bearer in [bearer for bearer in self.bearers if bearer.role in ("guest", "player")]:
            await self._practice(bearer)
        await self._make_nights()
        await self._add_dead_credentials()

    async def _open_chance_table(self, table: str, *players: str) -> None:
        """A house table with one finished round and one in play."""
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

    async def _make_nights(self) -> None:
        """Two events with three tournaments; carl plays in all and has a ticket for each."""
        for event, number, players in (
            ("gala", "t1", ("carl", "dora", "ann")),
            ("gala", "t2", ("carl", "eli")),
            ("ball", "t1", ("carl", "eli")),
        ):
            night = _open_night(self.server.house.ledger, event)
            name = f"{event}.{number}"
            _must(night, floor.SetUp(name, read_schedule(SCHEDULE)), floor.Announce(name))
            _must(night, *(floor.Enter(name, player) for player in players))
            _must(night, floor.DrawSeats(name), floor.Start(name))
            tables = TournamentTables(self.server.house, night, name, "olga")
            assert await tournament_rounds.open_tables(tables, load(STUD), clocks=CLOCKS) is None
            table = f"{name}-1"
            await tournament_rounds.begin_round(tables, 1)
            await self._round(table, play=True)
            self.places[table] = Place(tournament=name, rounds=((f"{table}-000001", players),))
            for player in (name for name in players if name != "ann"):
                await self._open_ticket(event, number, player)

    async def _open_ticket(self, event: str, number: str, player: str) -> str:
        """A player's phone; the code itself is a valid token of another person."""
        async with client_of(self.app) as desk, client_of(self.app) as phone:
            desk.cookies.set(SESSION_COOKIE, self.bearers[4].cookie)
            ticket_path = f"/api/nights/{event}/tournaments/{number}/ticket?player={player}"
            code = str((await desk.get(ticket_path)).json()["token"])
            answer = await phone.post(f"/api/check-in/{code}/play", json={"request": "p"})
            assert answer.status_code == 200, answer.text
            cookie = phone.cookies[SESSION_COOKIE]
        name = f"{event}.{number}"
        self.bearers.append(Bearer(f"ticket {name} {player}", "player", player, cookie, name))
        self.tokens["good"].append(code)
        return code

    async def _add_dead_credentials(self) -> None:
        """Revoked cookies, and texts that never were cookies."""
        night = Night(self.server.house.ledger, "gala")
        tickets = [bearer for bearer in self.bearers if bearer.tournament]
        lost = next(
            bearer for bearer in tickets if bearer.name == "eli" and "gala" in bearer.tournament
        )
        self.tokens["bad"] += [self.tokens["good"].pop(3)]
        _must(night, floor.RevokeTicket("gala.t2", "eli"))
        self.bearers.remove(lost)
        _, token = self.server.sessions.guest()
        session = self.server.sessions.read(token)
        assert session is not None
        self.server.sessions.end(session)
        sue, guest = self.bearers[2].cookie, self.bearers[7].cookie
        swapped = f"{sue.partition('.')[0]}.{guest.partition('.')[2]}"
        texts = {"revoked": lost.cookie, "signed out": token, "swapped": swapped}
        texts |= {"a code": self.tokens["good"][0], "nothing": ""}
        self.bearers += [Bearer(label, STRANGER, cookie=text) for label, text in texts.items()]
        cookies = {bearer.cookie for bearer in self.bearers} - {"", *self.tokens["good"]}
        self.tokens["bad"] += sorted(cookies)
        self.tokens["bad"] += [code.swapcase() for code in self.tokens["good"]]

    # Who may what --------------------------------------------------------------------------------

    def may_enter(self, bearer: Bearer, table: str) -> bool:
        """Whether a bearer may enter a table at all."""
        place = self.places[table]
        if bearer.role == STRANGER:
            return False
        if bearer.tournament:
            return place.tournament == bearer.tournament
        if place.owner:
            return bearer.name == place.owner or bearer.role == "supervisor"
        return bearer.role != "guest"

    # Attempts ------------------------------------------------------------------------------------

    def attempt(self, rng: Random) -> Attempt:
        """An attempt at something the bearer may not have."""
        while True:
            routes = CATALOG if rng.random() < 0.5 else OBJECT_ROUTES
            route, bearer = rng.choice(routes), rng.choice(self.bearers)
            attempt = next(self._attempts_at(rng, route, bearer), None)
            if attempt is not None:
                return attempt

    def _attempts_at(self, rng: Random, route: Route, bearer: Bearer) -> Iterator[Attempt]:
        name, method = route.name, _method(rng, route)
        listed = bearer.role in ROUTE_ROLES[name]
        ticket = bearer.tournament and name not in TICKET and STRANGER not in ROUTE_ROLES[name]
        table = rng.choice(list(self.places))
        path = self._path(rng, route.path, table)
        attempt = Attempt(bearer, name, method, path, self._body(rng, route, bearer, table))
        if not listed or ticket or (name == "tournament_paper" and bearer.role not in DESK):
            yield attempt
        elif name in OWN:
            yield attempt._replace(path=f"{path}?player=bob", own_data_only=True)
        elif name in TOKENS:
            yield from self._with_token(rng, route, attempt)
        elif name == "practice" and bearer.tournament:
            yield attempt._replace(body={"sheet": STUD})
        elif "{table}" in route.path and not self.may_enter(bearer, table):
            yield attempt
        elif "{table}" in route.path:
            yield from self._attempts_at_table(rng, route, bearer, table)

    def _with_token(self, rng: Random, route: Route, attempt: Attempt) -> Iterator[Attempt]:
        """A token of another kind, a void token, or another player's ticket beside an account."""
        bad = rng.choice(self.tokens["bad"])
        if attempt.route == "ticket_play" and attempt.bearer.role not in ("guest", STRANGER):
            good = not attempt.bearer.tournament and rng.random() < 0.5
            bad = rng.choice(self.tokens["good"]) if good else bad
        yield attempt._replace(path=route.path.replace("{token}", bad))

    def _attempts_at_table(
        self, rng: Random, route: Route, bearer: Bearer, table: str
    ) -> Iterator[Attempt]:
        """At a table the bearer may enter: another player's seat, round or history."""
        path, place = f"/api/tables/{table}", self.places[table]
        player = rng.choice(("bob", "ann", "carl", "dora", "eli"))
        rounds = [(at, *played) for at, where in self.places.items() for played in where.rounds]
        at, round, players = rng.choice(rounds)
        is_own = bearer.name in players and at == table
        if route.name == "rounds":
            if player != bearer.name and bearer.role not in READS_ALL:
                yield Attempt(bearer, route.name, "GET", f"{path}/rounds?player={player}")
        elif route.name in ("round", "proof", "share_round"):
            staff = bearer.role in READS_ALL and route.name != "share_round" and at == table
            end = {"round": "", "proof": "/proof", "share_round": "/share"}[route.name]
            method = "POST" if route.name == "share_round" else "GET"
            if not is_own and not staff:
                yield Attempt(bearer, route.name, method, f"{path}/rounds/{round}{end}")
        elif route.name in ("command", "socket"):
            yield from self._attempts_at_seat(rng, route, bearer, table)
        elif route.name == "practice_spot" and place.owner == bearer.name and at != table:
            body = {"round": round, "stage": 0, "seat": 1, "request": f"b{rng.random()}"}
            yield Attempt(bearer, route.name, "POST", f"{path}/spots", body)

    def _attempts_at_seat(
        self, rng: Random, route: Route, bearer: Bearer, table: str
    ) -> Iterator[Attempt]:
        """A seat's command, sent by someone else."""
        seats = self.server.house.tables[table].state.seats
        others = [seat for seat, name in seats.items() if name != bearer.name]
        if not others:
            return
        seat = rng.choice(others)
        command: Json = rng.choice(SEAT_COMMANDS) | {"seat": seat}
        if command["do"] == "sit":
            command["player"] = seats[seat]
        path = f"/api/tables/{table}/{'socket' if route.name == 'socket' else 'commands'}"
        body = {"request": f"b{rng.random()}", "command": command}
        yield Attempt(bearer, route.name, _method(rng, route), path, body)

    def _path(self, rng: Random, path: str, table: str) -> str:
        rounds = self.places[table].rounds
        values = {"table": table, "round": rounds[0][0], "token": rng.choice(self.tokens["bad"])}

        def fill(match: re.Match[str]) -> str:
            key = match[1].partition(":")[0]
            return str(values.get(key) or rng.choice(PATH_VALUES.get(key, ("x",))))

        return re.sub(r"\{([^}]*)\}", fill, path)

    def _body(self, rng: Random, route: Route, bearer: Bearer, table: str) -> Any:
        """The documented example body, naming someone else."""
        if isinstance(route, APIWebSocketRoute):
            return None
        methods = self.described["paths"].get(route.path, {})
        operation = methods.get(sorted(route.methods or ())[0].lower(), {})
        body = example(self.described, operation.get("requestBody", {}))
        if not isinstance(body, dict):
            return body
        changes = {key: rng.choice(("bob", "carl")) for key in ("name", "player") if key in body}
        if "request" in body:
            changes["request"] = f"b{rng.random()}"
        return {**body, **changes}


Route = APIRoute | APIWebSocketRoute
CATALOG = [
    route for router in ROUTERS for route in router.routes if isinstance(route, Route.__args__)
]
# Routes where the object decides, not only the role; half of all attempts go there.
OBJECT_ROUTES = [
    route
    for route in CATALOG
    if "{table}" in route.path or route.name in (*OWN, *TOKENS, "practice")
]
SEAT_COMMANDS: tuple[Json, ...] = (
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


def _method(rng: Random, route: Route) -> str:
    return "WS" if isinstance(route, APIWebSocketRoute) else rng.choice(sorted(route.methods or ()))


def _open_night(ledger: Any, event: str) -> Night:
    night = Night(ledger, event)
    if night.state.phase == "none":
        today, rules = night.now().date().isoformat(), stored_rules(load_rules(HOUSE))
        make = night_commands.Make(event, "Shelter", f"NH-{event}", today, "UTC", rules)
        _must(night, make, night_commands.Open(), night_commands.BringFloat(dollars("500")))
    return night


def _must(night: Night, *given: Any) -> None:
    for command in given:
        answer = night.give(command, actor="test")
        assert not isinstance(answer, Refusal), (command, answer)
