"""A house that is asked everything once: every route that tells something in JSON says it here."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

import httpx
import pyotp
from fastapi import FastAPI
from tests.house.nights.night_over_http import SCHEDULE
from tests.house.web.conftest import NAMES, PASSWORD, client_of
from tests.house.web.live import Json
from tests.noon import noon

from pitbook import load
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.register import Person, Role
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.school.daily import today
from pitbook.house.table import commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.web.server import Server

STUD = "oceanfront/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
CLOCKS = {"betting": None, "decision": None, "agree": None}


class Walk:
    """Whoever is asked for asks; each request has an id of its own where it needs one."""

    def __init__(self, app: FastAPI) -> None:
        self.app, self.server = app, app.state.server
        self._numbers = count(1)

    async def ask(self, who: Role | None, method: str, path: str, body: Json | None = None) -> Any:
        """The answer, which must be a yes."""
        answer = await self._answer(who, method, path, body)
        return answer.json() if answer.content else None

    async def text(self, role: Role | None, path: str, /, **body: Any) -> str:
        """An answer that is not JSON."""
        return (await self._answer(role, "POST", path, body)).text

    async def _answer(
        self, role: Role | None, method: str, path: str, body: Json | None
    ) -> httpx.Response:
        async with client_of(self.app) as client:
            if role is not None:
                client.cookies.set(SESSION_COOKIE, _token(self.server, role))
            answer = await client.request(method, f"/api/{path}", json=body)
            assert answer.is_success, (method, path, answer.text)
            return answer

    async def get(self, who: Role | None, path: str) -> Any:
        return await self.ask(who, "GET", path)

    async def post(self, who: Role | None, path: str, /, **body: Any) -> Any:
        return await self.ask(who, "POST", path, body)

    async def noted(self, who: Role | None, path: str, /, **body: Any) -> Any:
        """A request that is known again by its id."""
        return await self.post(who, path, request=f"w{next(self._numbers)}", **body)

    async def do(self, who: Role, table: str, /, **command: Any) -> None:
        await self.noted(who, f"tables/{table}/commands", command=command)


def _token(server: Server, role: Role) -> str:
    return server.sessions.issue(Person(NAMES[role], role))


async def walk(app: FastAPI) -> None:
    """Everything once, in the order in which it makes sense."""
    one = Walk(app)
    await _people(one)
    await _sheets(one)
    await _practice(one)
    await _school(one)
    await _own(one)
    await _pit(one)
    await _night(one)
    await _tournament(one)
    await _closing(one)


async def _people(one: Walk) -> None:
    await one.get(None, "health")
    await one.get(None, "ready")
    await one.get("player", "me")
    await one.get("player", "me/account")
    made = await one.post("supervisor", "invitations", role="dealer")
    path = made["path"].removeprefix("/api/")
    await one.get(None, path)
    await one.post(None, path, name="dora", password=PASSWORD)
    await one.post("supervisor", "people", name="zoe", password=PASSWORD, role="player")
    await one.ask("supervisor", "PATCH", "people", {"name": "zoe", "role": "dealer"})
    await one.get("supervisor", "people")
    made = await one.post("supervisor", "resets", name="zoe")
    path = made["path"].removeprefix("/api/")
    await one.get(None, path)
    await one.post(None, path, password=PASSWORD)
    await one.post("supervisor", "exclusions", name="Una Moss", why="asked for it")
    await one.get("supervisor", "exclusions")
    await one.post("supervisor", "exclusions/end", name="Una Moss", why="asked for it")
    await _own_account(one)


async def _own_account(one: Walk) -> None:
    async with client_of(one.app) as zoe:

        async def post(path: str, **body: Any) -> Json:
            answer = await zoe.post(f"/api/{path}", json=body)
            assert answer.is_success, answer.text
            told: Json = answer.json() if answer.content else {}
            return told

        await post("sign-in", name="zoe", password=PASSWORD)
        await post("me/password", old=PASSWORD, new=f"{PASSWORD} five")
        begun = await post("me/factor")
        code = pyotp.TOTP(begun["secret"]).now()
        known = {"pending": begun["pending"], "password": f"{PASSWORD} five"}
        await post("me/factor/confirm", code=code, **known)
        await post("me/factor/remove", password=f"{PASSWORD} five")
        await post("sign-out")


async def _sheets(one: Walk) -> None:
    await one.get(None, "sheets")
    await one.get(None, f"sheets/{HI_LO}")
    await one.get(None, "clauses/CMS-2")
    await one.post(None, "sheets/check", toml='id = "my-house/stud"')
    await one.get(None, f"math/{STUD}")
    await one.get(None, f"papers/{STUD}")
    await one.get(None, f"papers/{STUD}/figures")
    await one.get(None, f"compare?a={STUD}&b=catfish-bend/mississippi-stud")
    await one.post(None, "advise", sheet=STUD, cards="6h 5h")
    await one.post(None, "sheets/try", sheet=STUD, pays={"main": {"flush": "7:1"}})
    await one.text(None, "sheets/try/file", sheet=STUD, pays={"main": {"flush": "7:1"}})
    await one.get(None, f"sheets/{HI_LO}/lesson")
    await one.get(None, "glossary")
    await one.get(None, f"sheets/{STUD}/decisions")
    await one.get(None, f"sheets/{STUD}/grid")
    await one.post(None, "sheets/session", sheet=STUD, bankroll="100", hours=1)


async def _practice(one: Walk) -> None:
    seated = await one.post("player", "practice", sheet=STUD)
    table, wager = seated["table"], {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "2"}
    for stage in range(2):
        await one.do("player", table, **wager)
        await one.do("player", table, do="close-betting")
        if not stage:
            await one.post("player", f"tables/{table}/advice", seat=1)
            await one.post("player", f"tables/{table}/weigh", seat=1, play="3x")
        await one.do("player", table, do="decide", seat=1, play="fold" if stage else "3x")
        if not stage:
            await one.post("player", f"tables/{table}/autoplay", seat=1, strategy="cheapest")
            await one.do("player", table, do="decide", seat=1, play="1x")
    await one.get("player", f"tables/{table}/coach")
    await one.get("player", "coach")
    await one.get("player", "coach/trends")
    await one.post("player", f"tables/{table}/spots", round=f"{table}-000001", stage=0)
    await one.get("player", "rounds")
    await one.get("player", f"tables/{table}/rounds")
    await one.get("player", f"tables/{table}/rounds/{table}-000001")
    await one.get("player", f"tables/{table}/rounds/{table}-000001/proof")
    shared = await one.post("player", f"tables/{table}/rounds/{table}-000001/share", hours=2)
    await one.get(None, f"shared/{shared['token']}")


async def _school(one: Walk) -> None:
    await one.get(None, f"drills?sheet={STUD}")
    await one.get(None, f"drills/packet?sheet={STUD}")
    await one.post("dealer", "drills/questions", sheet=STUD, kinds=["odds"])
    await one.post("dealer", "drills/hints", number=1)
    await one.post("dealer", "drills/answers", number=1, answer="a")
    await one.get("dealer", "drills/progress")
    bounds = {"kinds": ["odds"], "questions": 1, "pass_mark": 80, "minutes": 5}
    made = await one.post("supervisor", "table-tests", title="One", sheet=STUD, **bounds)
    begun = await one.post("dealer", f"table-tests/{made['test']}/attempts")
    await one.get("dealer", f"attempts/{begun['attempt']}")
    done = await one.post("dealer", f"attempts/{begun['attempt']}/answers", position=0, answer="a")
    await one.get(None, f"certificates/{done['result']['id']}")
    await one.get("dealer", f"certificates/{done['result']['id']}/items")
    await one.get("dealer", "table-tests")
    await one.get("supervisor", "class")
    await one.post("supervisor", f"table-tests/{made['test']}/withdraw")


async def _own(one: Walk) -> None:
    """Last of what the player does: a break is taken."""
    services = one.app.state.services
    for at in (utc_now(), utc_now() + timedelta(days=1)):  # Midnight may strike meanwhile.
        services.daily.open(today(at), load(HI_LO))  # By rules that are weighed at once.
    await one.get(None, "daily")
    shown = await one.post("brush", "daily")
    hand = shown["hand"]
    named = {"day": shown["day"], "hand": 1, "decision": 0, "play": hand["plays"][0]["play"]}
    await one.post("brush", "daily/plays", **named)
    await one.get("brush", "care")
    await one.post("brush", "care/limits", loss="50", minutes=60)
    await one.post("brush", "care/rest", length="hour", meant=True)


async def _pit(one: Walk) -> None:
    for path in ("fund", "withdraw"):
        await one.noted("supervisor", f"cage/{path}", amount="500")
    await one.noted("supervisor", "cage/buy-in", player="ann", amount="900")
    await one.noted("supervisor", "cage/cash-out", player="ann", amount="100")
    await one.get("supervisor", "cage/ann")
    await one.noted("cashier", "counter/drawer", counted="50")
    await one.noted("cashier", "cage/buy-in", player="ann", amount="120")
    await one.noted("supervisor", "counter/drawers/cal/money", amount="5", to="vault")
    await one.noted("cashier", "counter/receipts/6/undo", why="for another")
    await one.noted("supervisor", "counter/receipts/6/decline", why="it was right")
    await one.noted("cashier", "counter/receipts/6/undo", why="for another")
    await one.noted("supervisor", "counter/receipts/6/approve")
    await one.get("supervisor", "pit/floor")
    for path in ("drawers", "receipts", "statement"):
        await one.get("supervisor", f"counter/{path}")
    await one.noted("cashier", "counter/drawers/cal/close", counted="45")
    await one.post("supervisor", "tables", name="stud-1", sheet=STUD, clocks=CLOCKS)
    limits = {"ante": {"min": "2", "max": "3"}}
    await one.noted("supervisor", "pit/tables/stud-1/limits", limits=limits, why="quiet")
    await one.noted("supervisor", "counter/boxes/stud-1/count", counted="20", last=0)
    await one.get("supervisor", "counter/boxes")
    await one.get("player", "tables")
    await one.get("player", "tables/stud-1/sheet")
    await one.do("player", "stud-1", do="sit", seat=1)
    for what in ("played", "cut short"):
        await one.do("player", "stud-1", do="put-wager", seat=1, wager="ante", amount="2")
        await one.do("dealer", "stud-1", do="close-betting")
        if what == "played":
            await one.do("player", "stud-1", do="decide", seat=1, play="fold")
    for who in ("player", "dealer", "supervisor", "auditor"):
        await one.get(who, "tables/stud-1")
    await one.do("supervisor", "stud-1", do="interrupt", why="fire alarm")
    await one.get("player", "tables/stud-1")
    await one.get("supervisor", "pit/interruptions")
    await one.get("auditor", "pit/explain/stud-1-000001/1")
    for kind in (f"sheets/{STUD}", "players/ann"):
        for what in ("disable", "enable"):
            await one.noted("supervisor", f"pit/{kind}/{what}", why="a pause")
    await one.get("auditor", "pit/shut")
    await one.get("auditor", "pit/events")
    await one.get("auditor", "inspect/rounds")
    await one.get("auditor", "inspect/verify")
    await one.get("auditor", "inspect/exceptions")
    await one.get("auditor", "inspect/closes")
    await one.noted("dealer", "incidents", told="a guest fell ill")
    (incident,) = (await one.get("auditor", "incidents"))["incidents"]
    await one.noted("supervisor", f"incidents/{incident['number']}", told="a doctor came")
    await one.get("auditor", "pit/drop")
    await one.get("auditor", "pit/guests")


async def _night(one: Walk) -> None:
    await one.get("organiser", "schedules")
    await one.post("organiser", "schedules/read", toml=SCHEDULE)
    await one.noted("organiser", "schedules", name="Ours", toml=SCHEDULE)
    await one.noted("organiser", "schedules/drop", name="Ours")
    night = {"event": "gala", "charity": "Shelter", "licence": "NH-1", **noon()}
    await one.noted("organiser", "nights", **night)
    await one.noted("organiser", "nights/gala/correct", charity="Seacoast Shelter")
    await one.noted("organiser", "nights/gala/open")
    await one.noted("organiser", "nights/gala/cage/float", amount="500")
    for what in ("sell", "redeem"):
        await one.noted("organiser", f"nights/gala/cage/{what}", player="ann", amount="20")
    await one.noted("organiser", "nights/gala/cage/undo", slip=3, why="miscounted")
    await one.get("organiser", "nights/gala/cage/slips")
    await one.get("organiser", "nights/gala/cage/slips/2")
    sheet = "catfish-bend/mississippi-stud"
    await one.noted("organiser", "nights/gala/tables", table="stud-2", sheet=sheet, derived=True)
    await one.get("organiser", "nights")
    await one.get("organiser", "nights/gala")


async def _tournament(one: Walk) -> None:
    base = "nights/gala/tournaments"
    await one.noted("organiser", base, tournament="t1", toml=SCHEDULE)
    code = await one.get("organiser", f"{base}/t1/ticket?player=carl")
    await one.get(None, f"check-in/{code['token']}")
    for player in ("carl", "dan"):
        await one.noted(
            "organiser", f"{base}/t1/commands", command={"do": "enter", "player": player}
        )
    await one.noted("brush", f"check-in/{code['token']}")
    for do in ("announce", "draw-seats", "start", "start-clock"):
        await one.noted("organiser", f"{base}/t1/commands", command={"do": do})
    await one.noted("organiser", f"{base}/t1/tables")
    await one.noted(None, f"check-in/{code['token']}/play")
    await one.noted("organiser", f"{base}/t1/tables/1/begin")
    await one.get("organiser", f"{base}/t1")
    await one.noted("organiser", f"{base}/t1/import", text="name\neva\n")
    await _folded(one.server.house.tables["gala.t1-1"])
    await one.noted("organiser", f"{base}/t1/tables/1/count")
    await one.get(None, f"{base}/t1/clock")


async def _folded(table: LiveTable) -> None:
    """A round in which everybody bets the least and folds."""
    (main, stake), seats = table.state.game.main, table.state.seats
    bets = [(player, commands.PutWager(seat, main, stake.min)) for seat, player in seats.items()]
    folds = [(player, commands.Decide(seat, "fold")) for seat, player in seats.items()]
    for player, command in bets:
        await table.send(Envelope(By(player, "player"), command))
    await table.send(Envelope(By("dee", "dealer"), commands.CloseBetting()))
    for player, fold in folds:
        await table.send(Envelope(By(player, "player"), fold))


async def _closing(one: Walk) -> None:
    await one.noted("organiser", "nights/gala/interrupted", why="power failure")
    await one.noted("organiser", "nights/gala/close")
    told = await one.get("organiser", "nights/gala/statement")
    player = told["unclaimed"][0]["player"]
    await one.noted("organiser", "nights/gala/cage/unclaimed", player=player)
