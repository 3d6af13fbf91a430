"""Tables over HTTP: a round on every sheet, one effect per request, nothing of other players."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.table.visible_cards import cards_in
from tests.house.web.conftest import LoopRunner, SignedIn, client_of
from tests.house.web.live_server import SHEETS, Json, choice, wagers
from tests.house.web.seated_players import table_for

from pitbook import load
from pitbook.errors import InDoubt
from pitbook.house.people.account_register import Role
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import practice as guests
from pitbook.house.table.commands import Envelope
from pitbook.house.web.server import Server
from pitbook.house.web.services import Services
from pitbook.shoe.verify import verify

STUD = SHEETS[0]
ANTE: Json = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}


class Player:
    """A client at a table over HTTP."""

    def __init__(self, http: httpx.AsyncClient, table: str) -> None:
        self.http, self.table, self.number = http, table, 0
        self.responses: list[str] = []

    async def do(self, command: Json, request: str | None = None) -> httpx.Response:
        self.number += 1
        body = {"request": request or f"{self.table} {self.number}", "command": command}
        answer = await self.http.post(f"/api/tables/{self.table}/commands", json=body)
        self.responses.append(answer.text)
        return answer

    async def accept(self, command: Json) -> Json:
        answer = await self.do(command)
        assert answer.status_code == 200, answer.text
        accepted: Json = answer.json()["accepted"]
        return accepted

    async def look(self) -> Json:
        answer = await self.http.get(f"/api/tables/{self.table}")
        assert answer.status_code == 200, answer.text
        self.responses.append(answer.text)
        view: Json = answer.json()
        return view

    async def bet(self, seat: int) -> None:
        for wager in wagers(await self.look(), seat):
            await self.accept({"do": "put-wager", "seat": seat, **wager})

    async def play(self, seat: int) -> None:
        while (play := choice(await self.look(), seat)) is not None:
            await self.accept({"do": "decide", "seat": seat, "play": play})


async def guest_of(client: httpx.AsyncClient, sheet: str = STUD) -> Player:
    answer = await client.post("/api/practice", json={"sheet": sheet})
    assert answer.status_code == 201, answer.text
    return Player(client, answer.json()["table"])


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_guest_plays_a_round_of_every_sheet(
    run: LoopRunner, client: httpx.AsyncClient, sheet: str
) -> None:
    async def play() -> None:
        answer = await client.post("/api/practice", json={"sheet": sheet})
        seated = answer.json()
        assert answer.status_code == 201
        assert seated["player"].startswith("guest-")
        assert seated["view"]["seats"][0]["player"] == seated["player"]
        assert seated["view"]["wallet"] == "1000.00"
        guest = Player(client, seated["table"])
        await guest.bet(1)
        await guest.accept({"do": "close-betting"})
        advice = await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})
        assert advice.status_code == 200, advice.text
        assert advice.json()["advice"]["best"] in advice.json()["advice"]["actions"]
        await guest.play(1)
        view = await guest.look()
        assert view["result"]["result"] == "settled"
        recorded = (await client.get(f"/api/tables/{guest.table}/rounds")).json()
        assert recorded["player"] == seated["player"]
        (round_,) = recorded["rounds"]
        assert round_["settlement"]["seats"][0]["net"] == view["seats"][0]["net"]
        assert round_["balance"]["after"] == view["wallet"]
        assert [advice["text"].split(".")[0] for advice in round_["advice"]] == [
            f"Best play: {advice.json()['advice']['best']}"
        ]
        proof = await client.get(f"/api/tables/{guest.table}/rounds/{round_['round']}/proof")
        assert not verify(proof.json()).differences

    run(play())


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_two_players_never_read_each_others_cards(
    run: LoopRunner, server: Server, app: FastAPI, signed_in: SignedIn, sheet: str
) -> None:
    async def play() -> None:
        tokens = await table_for(server, sheet, "ann", "bob")
        players = {}
        for seat, (name, token) in enumerate(tokens.items(), start=1):
            http = client_of(app)
            http.cookies.set(SESSION_COOKIE, token)
            players[seat] = Player(http, "t")
            await players[seat].accept({"do": "sit", "seat": seat})
            await players[seat].bet(seat)
            assert name in (await players[seat].look())["seats"][seat - 1]["player"]
        await Player(signed_in("dealer"), "t").accept({"do": "close-betting"})
        views = {seat: await player.look() for seat, player in players.items()}
        hands = {seat: cards_in(view["seats"][seat - 1]["cards"]) for seat, view in views.items()}
        for seat, player in players.items():
            assert hands[seat]
            assert cards_in(player.responses) == hands[seat]
        for role in ("dealer", "supervisor", "auditor", "brush"):
            assert not cards_in(await Player(signed_in(role), "t").look())
        for player in players.values():
            await player.http.aclose()

    run(play())


def test_repeated_request_has_one_effect(
    run: LoopRunner, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        answers = [await guest.do(ANTE, "same") for _ in range(3)]
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.text for answer in answers}) == 1
        reused = await guest.do({"do": "undo", "seat": 1}, "same")
        assert reused.status_code == 409
        assert reused.json()["refused"]["code"] == "request-reused"
        assert (await guest.look())["wallet"] == "990.00"
        entries = list(server.house.ledger.entries(f"practice/{guest.table}"))
        assert (
            len([entry for entry in entries if entry.request and entry.request.endswith("/same")])
            == 1
        )

    run(play())


def test_refusals_carry_code_message_and_clause(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        answer = await guest.do({**ANTE, "amount": "1"})
        assert answer.status_code == 409
        assert list(answer.json()["refused"]) == ["code", "message", "clause", "key", "fields"]
        assert answer.json()["refused"]["code"] == "below-minimum"

    run(play())


BAD: tuple[Any, ...] = (
    None,
    [],
    7,
    {},
    {"request": "a"},
    {"command": ANTE},
    {"request": 7, "command": ANTE},
    {"request": "", "command": ANTE},
    {"request": "x" * 101, "command": ANTE},
    {"request": "a\nb", "command": ANTE},
    {"request": "a", "command": []},
    {"request": "a", "command": {}},
    {"request": "a", "command": {"do": "fly"}},
    {"request": "a", "command": {**ANTE, "more": 1}},
    {"request": "a", "command": {**ANTE, "amount": 10}},
    {"request": "a", "command": {**ANTE, "amount": "1e3"}},
    {"request": "a", "command": {**ANTE, "seat": 1.0}},
    {"request": "a", "command": {**ANTE, "seat": 10**30}},
    {"request": "a", "command": {"do": "advice-shown", "seat": 1, "text": "x"}},
    {"request": "a", "command": {"do": "change-sheet", "sheet": "/etc/passwd.toml"}},
    {"request": "a", "command": ANTE, "more": 1},
)


@pytest.mark.long
@pytest.mark.parametrize("body", BAD, ids=range(len(BAD)))
def test_malformed_body_is_refused_and_writes_nothing(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, body: Any
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        before = server.house.ledger.streams()
        answer = await client.post(f"/api/tables/{guest.table}/commands", json=body)
        assert 400 <= answer.status_code < 500
        assert isinstance(answer.json()["error"], str)
        assert server.house.ledger.streams() == before

    run(play())


def test_seats_and_tables_of_others_are_refused(
    run: LoopRunner, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        async with client_of(app) as http, client_of(app) as other_http:
            guest = await guest_of(http)
            await guest_of(other_http)
            for path in ("", "/rounds", "/rounds/x-1/proof", "/events"):
                answer = await other_http.get(f"/api/tables/{guest.table}{path}")
                assert answer.status_code == 404, path  # Not revealed to exist.
                answer = await signed_in("player").get(f"/api/tables/{guest.table}{path}")
                assert answer.status_code == 403, path
            before = server.house.ledger.streams()
            assert (await Player(other_http, guest.table).do(ANTE)).status_code == 404
            advice_response = await other_http.post(
                f"/api/tables/{guest.table}/advice", json={"seat": 1}
            )
            assert advice_response.status_code == 404
            assert server.house.ledger.streams() == before
            assert [t["table"] for t in (await http.get("/api/tables")).json()["tables"]] == [
                guest.table
            ]
            sue = signed_in("supervisor")
            assert (await sue.get("/api/tables")).json()["tables"] == []
            assert (await sue.get(f"/api/tables/{guest.table}")).status_code == 200
        await table_for(server, STUD, "ann", "bob")
        ann = Player(signed_in("player"), "t")
        await ann.accept({"do": "sit", "seat": 1})
        refusal = await ann.do({"do": "sit", "seat": 2, "player": "bob"})
        assert refusal.json()["refused"]["message"] == "ann cannot take a seat for bob."
        dee = Player(signed_in("dealer"), "t")
        assert (await dee.do(ANTE)).json()["refused"]["code"] == "forbidden"
        assert (await dee.do({"do": "fill", "amount": "9"})).json()["refused"][
            "code"
        ] == "forbidden"
        for role in ("auditor", "organiser", "brush"):
            assert (await Player(signed_in(role), "t").do(ANTE)).status_code == 403
        others_rounds = await ann.http.get("/api/tables/t/rounds", params={"player": "bob"})
        assert others_rounds.status_code == 403
        auditors_rounds = await signed_in("auditor").get(
            "/api/tables/t/rounds", params={"player": "bob"}
        )
        nothing: dict[str, object] = {"player": "bob", "rounds": [], "older": None, "newer": None}
        assert auditors_rounds.json() == nothing

    run(play())


PROOF_READERS: tuple[tuple[Role, int], ...] = (
    ("player", 200),
    ("supervisor", 200),
    ("auditor", 200),
    ("dealer", 403),
    ("brush", 403),
)


def test_proof_is_for_players_of_the_round_and_staff(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        ann = Player(signed_in("player"), "t")
        await ann.accept({"do": "sit", "seat": 1})
        await ann.bet(1)
        early = await ann.http.get("/api/tables/t/rounds/t-000001/proof")
        assert early.status_code == 400
        assert "The round is not over" in early.json()["error"]
        await ann.accept({"do": "close-betting"})
        await ann.play(1)
        for role, status in PROOF_READERS:
            answer = await signed_in(role).get("/api/tables/t/rounds/t-000001/proof")
            assert answer.status_code == status
        gone = await ann.http.get("/api/tables/t/rounds/t-000009/proof")
        assert gone.status_code == 404
        await server.house.open_table("u", "house", unit="usd", sheet=load(STUD))
        elsewhere = await ann.http.get("/api/tables/u/rounds/t-000001/proof")
        assert elsewhere.status_code == 404

    run(play())


def test_advice_needs_practice_the_coach_and_a_decision(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        path = f"/api/tables/{guest.table}/advice"
        assert "has no decision to make now" in (await client.post(path, json={"seat": 1})).text
        assert "is not in seat 2" in (await client.post(path, json={"seat": 2})).text
        await guest.accept(ANTE)
        await guest.accept({"do": "close-betting"})
        body = {"seat": 1, "request": "hint"}
        first, again = [await client.post(path, json=body) for _ in range(2)]
        assert first.json() == again.json()
        before = server.house.ledger.streams()
        await guest.accept({"do": "coach", "on": False})
        assert (await client.post(path, json={"seat": 1})).json()["refused"]["message"] == (
            "The coach is off at this table. Turn it on under Coach."
        )
        assert len(server.house.ledger.streams()) == len(before)
        sue = signed_in("supervisor")
        assert "is not in seat" in (await sue.post(path, json={"seat": 1})).text
        await table_for(server, STUD, "ann")
        answer = await signed_in("player").post("/api/tables/t/advice", json={"seat": 1})
        assert answer.json()["refused"]["message"] == (
            "The coach is only available at practice tables."
        )

    run(play())


def test_member_practices_under_their_own_name(run: LoopRunner, signed_in: SignedIn) -> None:
    async def play() -> None:
        for http, name in ((signed_in("player"), "ann"), (signed_in("dealer"), "dee")):
            answer = await http.post("/api/practice", json={"sheet": STUD})
            assert answer.json()["player"] == name
            assert "set-cookie" not in answer.headers
            table = Player(http, answer.json()["table"])
            await table.accept(ANTE)
            assert (await table.look())["wallet"] == "990.00"

    run(play())


def test_guest_tables_are_limited_and_removed(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        server.limiter.guest_tables.per_key_max = 2
        first, second = await guest_of(client), await guest_of(client)
        full = await client.post("/api/practice", json={"sheet": STUD})
        assert full.status_code == 429
        assert "This address already has 2 practice tables" in full.json()["error"]
        async with client_of(app, "10.0.0.9") as elsewhere:
            await guest_of(elsewhere)
        await first.accept({"do": "retire"})
        assert server.house.ledger.stream(f"practice/{first.table}") is None
        third = await guest_of(client)
        services: Services = app.state.services
        now = [0.0]
        services.practice._clock = lambda: now[0]
        services.practice._swept_at = 0.0
        await third.accept(ANTE)
        await third.accept({"do": "close-betting"})
        await second.accept(ANTE)
        for later in (guests.SWEEP_SECONDS, guests.SWEEP_SECONDS + guests.IDLE_SECONDS + 1):
            now[0] = later
            await services.practice.sweep()
        assert server.house.tables == {}  # Even with placed wagers and a dealt hand.
        await guest_of(client)

    run(play())


def test_failing_table_is_unavailable_and_releases_its_quota(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        guest = await guest_of(client)

        async def in_doubt(envelope: Envelope) -> None:
            raise InDoubt("the line is dead. Send the request again with the same request id.")

        table = server.house.tables[guest.table]
        monkeypatch.setattr(table, "send", in_doubt)
        answer = await guest.do(ANTE)
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "1"

        async def cannot(*_: Any, **__: Any) -> None:
            raise InDoubt("the line is dead")

        monkeypatch.setattr(server.house, "open_table", cannot)
        server.limiter.guest_tables.per_key_max = 2
        for _ in range(3):
            assert (await client.post("/api/practice", json={"sheet": STUD})).status_code == 503

    run(play())


def test_practice_needs_an_existing_sheet(run: LoopRunner, client: httpx.AsyncClient) -> None:
    for sheet in ("no/such", "../x", "x.toml", "", "a" * 121):
        answer = run(client.post("/api/practice", json={"sheet": sheet}))
        assert answer.status_code in (400, 404)
        assert "here is no sheet" in answer.json()["error"]
        assert "set-cookie" not in answer.headers
