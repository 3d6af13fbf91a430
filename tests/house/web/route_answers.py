"""Calls every route that answers in JSON once."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

import httpx
import pyotp
from fastapi import FastAPI
from tests.house.nights.gaming_date import noon_date_and_zone
from tests.house.nights.night_over_http import SCHEDULE
from tests.house.web.conftest import NAMES, PASSWORD, client_of
from tests.house.web.live_server import Json

from pitbook import load
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.account_register import Person, Role
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.school.daily import today
from pitbook.house.table import commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.web.server import Server

STUD = "oceanfront/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
CLOCKS = {"betting": None, "decision": None, "agree": None}


class Walker:
    """Sends requests in any role, with new request ids."""

    def __init__(self, app: FastAPI) -> None:
        self.app, self.server = app, app.state.server
        self._numbers = count(1)

    async def ask(self, who: Role | None, method: str, path: str, body: Json | None = None) -> Any:
        """The answer, which must be successful."""
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

    async def post_with_id(self, who: Role | None, path: str, /, **body: Any) -> Any:
        """A request with a new id."""
        return await self.post(who, path, request=f"w{next(self._numbers)}", **body)

    async def do(self, who: Role, table: str, /, **command: Any) -> None:
        await self.post_with_id(who, f"tables/{table}/commands", command=command)


def _token(server: Server, role: Role) -> str:
    return server.sessions.issue(Person(NAMES[role], role))


async def walk(app: FastAPI) -> None:
    """Call everything once, in a sensible order."""
    walker = Walker(app)
    await _walk_people(walker)
    await _walk_sheets(walker)
    await _walk_practice(walker)
    await _walk_school(walker)
    await _walk_daily_and_care(walker)
    await _walk_pit(walker)
    await _walk_night(walker)
    await _walk_tournament(walker)
    await _walk_closing(walker)


async def _walk_people(walker: Walker) -> None:
    await walker.get(None, "health")
    await walker.get(None, "ready")
    await walker.get("player", "me")
    await walker.get("player", "me/account")
    invitation = await walker.post("supervisor", "invitations", role="dealer")
    path = invitation["path"].removeprefix("/api/")
    await walker.get(None, path)
    await walker.post(None, path, name="dora", password=PASSWORD)
    await walker.post("supervisor", "people", name="zoe", password=PASSWORD, role="player")
    await walker.ask("supervisor", "PATCH", "people", {"name": "zoe", "role": "dealer"})
    await walker.get("supervisor", "people")
    invitation = await walker.post("supervisor", "resets", name="zoe")
    path = invitation["path"].removeprefix("/api/")
    await walker.get(None, path)
    await walker.post(None, path, password=PASSWORD)
    await walker.post("supervisor", "exclusions", name="Una Moss", why="asked for it")
    await walker.get("supervisor", "exclusions")
    await walker.post("supervisor", "exclusions/end", name="Una Moss", why="asked for it")
    await _walk_own_account(walker)


async def _walk_own_account(walker: Walker) -> None:
    async with client_of(walker.app) as zoe:

        async def post(path: str, **body: Any) -> Json:
            answer = await zoe.post(f"/api/{path}", json=body)
            assert answer.is_success, answer.text
            document: Json = answer.json() if answer.content else {}
            return document

        await post("sign-in", name="zoe", password=PASSWORD)
        await post("me/password", old=PASSWORD, new=f"{PASSWORD} five")
        begun = await post("me/factor")
        code = pyotp.TOTP(begun["secret"]).now()
        credentials = {"pending": begun["pending"], "password": f"{PASSWORD} five"}
        await post("me/factor/confirm", code=code, **credentials)
        await post("me/factor/remove", password=f"{PASSWORD} five")
        await post("sign-out")


async def _walk_sheets(walker: Walker) -> None:
    await walker.get(None, "sheets")
    await walker.get(None, f"sheets/{HI_LO}")
    await walker.get(None, "clauses/CMS-2")
    await walker.post(None, "sheets/check", toml='id = "my-house/stud"')
    await walker.get(None, f"math/{STUD}")
    await walker.get(None, f"papers/{STUD}")
    await walker.get(None, f"papers/{STUD}/figures")
    await walker.get(None, f"compare?a={STUD}&b=catfish-bend/mississippi-stud")
    await walker.post(None, "advise", sheet=STUD, cards="6h 5h")
    await walker.post(None, "sheets/try", sheet=STUD, pays={"main": {"flush": "7:1"}})
    await walker.text(None, "sheets/try/file", sheet=STUD, pays={"main": {"flush": "7:1"}})
    await walker.get(None, f"sheets/{HI_LO}/lesson")
    await walker.get(None, "glossary")
    await walker.get(None, f"sheets/{STUD}/decisions")
    await walker.get(None, f"sheets/{STUD}/grid")
    await walker.post(None, "sheets/session", sheet=STUD, bankroll="100", hours=1)


async def _walk_practice(walker: Walker) -> None:
    seated = await walker.post("player", "practice", sheet=STUD)
    table, wager = seated["table"], {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "2"}
    for stage in range(2):
        await walker.do("player", table, **wager)
        await walker.do("player", table, do="close-betting")
        if not stage:
            await walker.post("player", f"tables/{table}/advice", seat=1)
            await walker.post("player", f"tables/{table}/weigh", seat=1, play="3x")
        await walker.do("player", table, do="decide", seat=1, play="fold" if stage else "3x")
        if not stage:
            await walker.post("player", f"tables/{table}/autoplay", seat=1, strategy="cheapest")
            await walker.do("player", table, do="decide", seat=1, play="1x")
    await walker.get("player", f"tables/{table}/coach")
    await walker.get("player", "coach")
    await walker.get("player", "coach/trends")
    await walker.post("player", f"tables/{table}/spots", round=f"{table}-000001", stage=0)
    await walker.get("player", "rounds")
    await walker.get("player", f"tables/{table}/rounds")
    await walker.get("player", f"tables/{table}/rounds/{table}-000001")
    await walker.get("player", f"tables/{table}/rounds/{table}-000001/proof")
    shared = await walker.post("player", f"tables/{table}/rounds/{table}-000001/share", hours=2)
    await walker.get(None, f"shared/{shared['token']}")


async def _walk_school(walker: Walker) -> None:
    await walker.get(None, f"drills?sheet={STUD}")
    await walker.get(None, f"drills/packet?sheet={STUD}")
    await walker.post("dealer", "drills/questions", sheet=STUD, kinds=["odds"])
    await walker.post("dealer", "drills/hints", number=1)
    await walker.post("dealer", "drills/answers", number=1, answer="a")
    await walker.get("dealer", "drills/progress")
    bounds = {"kinds": ["odds"], "questions": 1, "pass_mark": 80, "minutes": 5}
    table_test = await walker.post("supervisor", "table-tests", title="One", sheet=STUD, **bounds)
    begun = await walker.post("dealer", f"table-tests/{table_test['test']}/attempts")
    await walker.get("dealer", f"attempts/{begun['attempt']}")
    attempt_result = await walker.post(
        "dealer", f"attempts/{begun['attempt']}/answers", position=0, answer="a"
    )
    await walker.get(None, f"certificates/{attempt_result['result']['id']}")
    await walker.get("dealer", f"certificates/{attempt_result['result']['id']}/items")
    await walker.get("dealer", "table-tests")
    await walker.get("supervisor", "class")
    await walker.post("supervisor", f"table-tests/{table_test['test']}/withdraw")


async def _walk_daily_and_care(walker: Walker) -> None:
    """The player's last actions: a break ends betting."""
    services = walker.app.state.services
    for at in (utc_now(), utc_now() + timedelta(days=1)):  # Midnight may pass meanwhile.
        services.daily.open(today(at), load(HI_LO))  # Rules that are solved quickly.
    await walker.get(None, "daily")
    daily_hand = await walker.post("brush", "daily")
    hand = daily_hand["hand"]
    named = {"day": daily_hand["day"], "hand": 1, "decision": 0, "play": hand["plays"][0]["play"]}
    await walker.post("brush", "daily/plays", **named)
    await walker.get("brush", "care")
    await walker.post("brush", "care/limits", loss="50", minutes=60)
    await walker.post("brush", "care/rest", length="hour", meant=True)


async def _walk_pit(walker: Walker) -> None:
    for path in ("fund", "withdraw"):
        await walker.post_with_id("supervisor", f"cage/{path}", amount="500")
    await walker.post_with_id("supervisor", "cage/buy-in", player="ann", amount="900")
    await walker.post_with_id("supervisor", "cage/cash-out", player="ann", amount="100")
    await walker.get("supervisor", "cage/ann")
    await walker.post_with_id("cashier", "counter/drawer", counted="50")
    await walker.post_with_id("cashier", "cage/buy-in", player="ann", amount="120")
    await walker.post_with_id("supervisor", "counter/drawers/cal/money", amount="5", to="vault")
    await walker.post_with_id("cashier", "counter/receipts/6/undo", why="for another")
    await walker.post_with_id("supervisor", "counter/receipts/6/decline", why="it was right")
    await walker.post_with_id("cashier", "counter/receipts/6/undo", why="for another")
    await walker.post_with_id("supervisor", "counter/receipts/6/approve")
    await walker.get("supervisor", "pit/floor")
    for path in ("drawers", "receipts", "statement"):
        await walker.get("supervisor", f"counter/{path}")
    await walker.post_with_id("cashier", "counter/drawers/cal/close", counted="45")
    await walker.post("supervisor", "tables", name="stud-1", sheet=STUD, clocks=CLOCKS)
    limits = {"ante": {"min": "2", "max": "3"}}
    await walker.post_with_id("supervisor", "pit/tables/stud-1/limits", limits=limits, why="quiet")
    await walker.post_with_id("supervisor", "counter/boxes/stud-1/count", counted="20", last=0)
    await walker.get("supervisor", "counter/boxes")
    await walker.get("player", "tables")
    await walker.get("player", "tables/stud-1/sheet")
    await walker.do("player", "stud-1", do="sit", seat=1)
    for what in ("played", "cut short"):
        await walker.do("player", "stud-1", do="put-wager", seat=1, wager="ante", amount="2")
        await walker.do("dealer", "stud-1", do="close-betting")
        if what == "played":
            await walker.do("player", "stud-1", do="decide", seat=1, play="fold")
    for who in ("player", "dealer", "supervisor", "auditor"):
        await walker.get(who, "tables/stud-1")
    await walker.do("supervisor", "stud-1", do="interrupt", why="fire alarm")
    await walker.get("player", "tables/stud-1")
    await walker.get("supervisor", "pit/interruptions")
    await walker.get("auditor", "pit/explain/stud-1-000001/1")
    for kind in (f"sheets/{STUD}", "players/ann"):
        for what in ("disable", "enable"):
            await walker.post_with_id("supervisor", f"pit/{kind}/{what}", why="a pause")
    await walker.get("auditor", "pit/shut")
    await walker.get("auditor", "pit/events")
    await walker.get("auditor", "inspect/rounds")
    await walker.get("auditor", "inspect/verify")
    await walker.get("auditor", "inspect/exceptions")
    await walker.get("auditor", "inspect/closes")
    await walker.post_with_id("dealer", "incidents", told="a guest fell ill")
    (incident,) = (await walker.get("auditor", "incidents"))["incidents"]
    await walker.post_with_id("supervisor", f"incidents/{incident['number']}", told="a doctor came")
    await walker.get("auditor", "pit/drop")
    await walker.get("auditor", "pit/guests")


async def _walk_night(walker: Walker) -> None:
    await walker.get("organiser", "schedules")
    await walker.post("organiser", "schedules/read", toml=SCHEDULE)
    await walker.post_with_id("organiser", "schedules", name="Ours", toml=SCHEDULE)
    await walker.post_with_id("organiser", "schedules/drop", name="Ours")
    night = {"event": "gala", "charity": "Shelter", "licence": "NH-1", **noon_date_and_zone()}
    await walker.post_with_id("organiser", "nights", **night)
    await walker.post_with_id("organiser", "nights/gala/correct", charity="Seacoast Shelter")
    await walker.post_with_id("organiser", "nights/gala/open")
    await walker.post_with_id("organiser", "nights/gala/cage/float", amount="500")
    for what in ("sell", "redeem"):
        await walker.post_with_id(
            "organiser", f"nights/gala/cage/{what}", player="ann", amount="20"
        )
    await walker.post_with_id("organiser", "nights/gala/cage/undo", slip=3, why="miscounted")
    await walker.get("organiser", "nights/gala/cage/slips")
    await walker.get("organiser", "nights/gala/cage/slips/2")
    sheet = "catfish-bend/mississippi-stud"
    await walker.post_with_id(
        "organiser", "nights/gala/tables", table="stud-2", sheet=sheet, derived=True
    )
    await walker.get("organiser", "nights")
    await walker.get("organiser", "nights/gala")


async def _walk_tournament(walker: Walker) -> None:
    base = "nights/gala/tournaments"
    await walker.post_with_id("organiser", base, tournament="t1", toml=SCHEDULE)
    code = await walker.get("organiser", f"{base}/t1/ticket?player=carl")
    await walker.get(None, f"check-in/{code['token']}")
    for player in ("carl", "dan"):
        await walker.post_with_id(
            "organiser", f"{base}/t1/commands", command={"do": "enter", "player": player}
        )
    await walker.post_with_id("brush", f"check-in/{code['token']}")
    for do in ("announce", "draw-seats", "start", "start-clock"):
        await walker.post_with_id("organiser", f"{base}/t1/commands", command={"do": do})
    await walker.post_with_id("organiser", f"{base}/t1/tables")
    await walker.post_with_id(None, f"check-in/{code['token']}/play")
    await walker.post_with_id("organiser", f"{base}/t1/tables/1/begin")
    await walker.get("organiser", f"{base}/t1")
    await walker.post_with_id("organiser", f"{base}/t1/import", text="name\neva\n")
    await _play_folded_round(walker.server.house.tables["gala.t1-1"])
    await walker.post_with_id("organiser", f"{base}/t1/tables/1/count")
    await walker.get(None, f"{base}/t1/clock")


async def _play_folded_round(table: LiveTable) -> None:
    """A round in which everyone bets the minimum and folds."""
    (main, stake), seats = table.state.game.main, table.state.seats
    bets = [(player, commands.PutWager(seat, main, stake.min)) for seat, player in seats.items()]
    folds = [(player, commands.Decide(seat, "fold")) for seat, player in seats.items()]
    for player, command in bets:
        await table.send(Envelope(By(player, "player"), command))
    await table.send(Envelope(By("dee", "dealer"), commands.CloseBetting()))
    for player, fold in folds:
        await table.send(Envelope(By(player, "player"), fold))


async def _walk_closing(walker: Walker) -> None:
    await walker.post_with_id("organiser", "nights/gala/interrupted", why="power failure")
    await walker.post_with_id("organiser", "nights/gala/close")
    statement = await walker.get("organiser", "nights/gala/statement")
    player = statement["unclaimed"][0]["player"]
    await walker.post_with_id("organiser", "nights/gala/cage/unclaimed", player=player)
