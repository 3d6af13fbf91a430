"""The language of a request comes from its address, cookie or browser; otherwise English."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import PASSWORD, LoopRunner, SignedIn, token_of
from tests.house.web.live_server import Socket, serving, socket
from tests.house.web.seated_players import play_round, table_for, wait_closed

import pitbook
from pitbook.house.web.errors import describe_invalid, render_refusal
from pitbook.house.web.languages import LANGUAGE_COOKIE, requested_language
from pitbook.house.web.server import Server
from pitbook.money import Cents
from pitbook.rules.refusals import Code, refuse

SPANISH = {"Accept-Language": "es-MX,es;q=0.9,en;q=0.5"}


def scope(query: str = "", **headers: str) -> dict[str, Any]:
    raw_headers = [
        (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
    ]
    return {"type": "http", "query_string": query.encode(), "headers": raw_headers}


@pytest.mark.parametrize(
    ("scope", "language"),
    [
        (scope(), "en"),
        ({"type": "websocket"}, "en"),
        (scope("language=es"), "es"),
        (scope("from=3&language=es"), "es"),
        (scope("language=xx"), "en"),
        (scope("languages=es"), "en"),
        (scope(cookie=f"{LANGUAGE_COOKIE}=es"), "es"),
        (scope(cookie=f"a=b; {LANGUAGE_COOKIE}=es; c=d"), "es"),
        (scope(cookie=f"{LANGUAGE_COOKIE}=xx"), "en"),
        (scope(cookie=f"x{LANGUAGE_COOKIE}=es"), "en"),
        (scope(accept_language="es"), "es"),
        (scope(accept_language="es-MX"), "es"),
        (scope(accept_language="ES-419, en;q=0.8"), "es"),
        (scope(accept_language="de, es;q=0.7, en;q=0.3"), "es"),
        (scope(accept_language="es;q=0.3, en;q=0.7"), "en"),
        (scope(accept_language="es;q=0, de"), "en"),
        (scope(accept_language="es;q=many"), "en"),
        (scope(accept_language="*, ,;q="), "en"),
        (scope(accept_language="es;q=inf, en"), "en"),
        (scope(accept_language="en;q=0.1, de;q=nan, es;q=0.9"), "es"),
        (scope(accept_language="es;q=7, en"), "en"),
        (scope(accept_language="es;Q=0.9, en;q=0.5"), "es"),
        (scope("language=en", cookie=f"{LANGUAGE_COOKIE}=es", accept_language="es"), "en"),
        (scope(cookie=f"{LANGUAGE_COOKIE}=en", accept_language="es"), "en"),
        (scope("language=xx", cookie=f"{LANGUAGE_COOKIE}=es"), "es"),
    ],
)
def test_language_of_a_request(scope: dict[str, Any], language: str) -> None:
    assert requested_language(scope) == language


REFUSED_REQUESTS = [
    ("GET", "/api/tables/nowhere", None, 404),
    ("GET", "/api/nothing", None, 404),
    ("DELETE", "/api/tables", None, 405),
    ("POST", "/api/tables/t/commands", {"request": "a"}, 422),
    ("POST", "/api/tables/t/commands", {"request": "a", "command": 1}, 422),
    ("POST", "/api/tables/t/commands", {"request": "a" * 101, "command": {}}, 400),
    ("POST", "/api/tables/t/commands", {"request": "a", "command": {"do": "settle"}}, 409),
    ("GET", "/api/people", None, 403),
]


@pytest.mark.parametrize("refused_request", REFUSED_REQUESTS)
def test_every_refusal_is_in_the_requested_language(
    run: LoopRunner, signed_in: SignedIn, server: Server, refused_request: tuple[str, str, Any, int]
) -> None:
    method, path, body, status = refused_request

    async def ask() -> None:
        await table_for(server)
        ann = signed_in("player")
        plain = await ann.request(method, path, json=body)
        other = await ann.request(method, path, json=body, headers=SPANISH)
        by_name = await ann.request(method, path, json=body, params={"language": "es"})
        assert plain.status_code == other.status_code == by_name.status_code == status
        ours, theirs = text_of(plain), text_of(other)
        assert ours != theirs
        assert text_of(by_name) == theirs
        refusal, other_refusal = (
            response.json().get("refused", response.json()) for response in (plain, other)
        )
        assert refusal["key"] == other_refusal["key"]
        assert refusal["fields"].keys() == other_refusal["fields"].keys()
        assert "content-language" not in plain.headers
        assert other.headers["content-language"] == "es"

    run(ask())


def text_of(answer: httpx.Response) -> str:
    document = answer.json()
    return str(document["refused"]["message"] if "refused" in document else document["error"])


def test_wrong_password_and_missing_session_are_translated(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def ask() -> None:
        given = {"name": "ann", "password": PASSWORD + "!"}
        for headers, message in (
            ({}, "Wrong name or password, or too many failed attempts"),
            (SPANISH, "Nombre o contraseña incorrectos, o demasiados intentos"),
        ):
            answer = await client.post("/api/sign-in", json=given, headers=headers)
            assert answer.status_code == 401
            assert answer.json()["error"].startswith(message)
            assert answer.json()["key"] == "web.people.wrong"
        client.cookies.set(LANGUAGE_COOKIE, "es")
        answer = await client.get("/api/tables")
        assert answer.json()["error"].startswith("No ha iniciado sesión")

    run(ask())


async def bet_below_minimum(socket: Socket, mark: str = "") -> Any:
    await socket.do(f"{mark}sit", do="sit", seat=1)
    answer = await socket.do(f"{mark}low", do="put-wager", seat=1, wager="ante", amount="1")
    return answer["refused"]


def test_refused_bet_over_sockets_is_translated(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, "catfish-bend/mississippi-stud", "ann", "bob")
        async with (
            serving(app) as base,
            socket(base, tokens["ann"], "t") as ann,
            socket(base, tokens["ann"], "t", headers=SPANISH) as ana,
        ):
            ours, theirs = await bet_below_minimum(ann), await bet_below_minimum(ana)
            assert ours["message"] == "Ante: $1 at seat 1 is below the minimum. Bet $5 to $500."
            assert theirs["message"].endswith("está por debajo del mínimo. Apueste de $5 a $500.")
            assert ours["key"] == theirs["key"] == "engine.wagers.below-minimum"
            assert ours["fields"] == {**theirs["fields"], "title": "Ante"}
            assert ours["fields"]["amount"] == 100
            assert (ours["code"], ours["clause"]) == (theirs["code"], theirs["clause"])
            await ana.send("not valid JSON")
            assert await ana.until("error") == "El mensaje no es JSON válido."
            await ana.send({"request": "x", "command": 1})
            answer = await ana.until("answer")
            assert answer["error"] == '"command" debe ser un objeto con un campo "do".'
            await ana.send({"request": "y", "command": {"do": "sit", "seat": "one"}})
            assert "error" in await ana.until("answer")
            await ana.send("x" * 200_000)
            assert await wait_closed(ana) == (1009, "El mensaje es demasiado grande.")

    run(play())


def test_views_and_events_are_in_each_viewers_language(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, "catfish-bend/mississippi-stud", "ann")
        async with (
            serving(app) as base,
            socket(base, tokens["ann"], "t") as ann,
            socket(base, token_of(server, "dealer"), "t") as dee,
            socket(base, token_of(server, "dealer"), "t", headers=SPANISH) as ines,
        ):
            await play_round(ann)
            ours, theirs = await dee.look(), await ines.look()
            assert readable_texts(ours) != readable_texts(theirs)
            assert shape(ours) == shape(theirs)
            assert readable_texts(ours["result"]["seats"][0]["told"])
            for mine, yours in zip(dee.events, ines.events, strict=True):
                assert shape(mine) == shape(yours)
                assert (mine["what"], mine["version"]) == (yours["what"], yours["version"])
                if mine["body"].get("told"):
                    assert mine["body"]["told"] != yours["body"]["told"]
            lines = [event["body"].get("told") for event in ines.events]
            assert "No va más." in lines

    run(play())


TEXTS = {
    *("told", "text", "words", "title", "outcome_title", "message", "note", "stage_title", "why"),
    *("name", "now", "label"),
}


def readable_texts(value: Any) -> list[str]:
    """Every text that people read."""
    if isinstance(value, dict):
        own_texts = [
            value for key, value in value.items() if key in TEXTS and isinstance(value, str)
        ]
        return own_texts + [text for child in value.values() for text in readable_texts(child)]
    return (
        [text for child in value for text in readable_texts(child)]
        if isinstance(value, list)
        else []
    )


def shape(value: Any) -> Any:
    """The value without its texts: ids, amounts and cards are the same in every language."""
    if isinstance(value, dict):
        kept_fields = {
            key: child for key, child in value.items() if key not in TEXTS or child is None
        }
        return {key: shape(child) for key, child in kept_fields.items()}
    return [shape(child) for child in value] if isinstance(value, list) else value


PAGES = ("/api/tables/t/sheet", "/api/tables/t/rounds/t-000001", "/api/pit/explain/t-000001/1")


async def _assert_translated(sue: httpx.AsyncClient, path: str) -> None:
    plain = await sue.get(path)
    other = await sue.get(path, headers=SPANISH)
    assert plain.status_code == other.status_code == 200, plain.text
    assert plain.json() != other.json()
    again = await sue.get(path)
    assert again.content == plain.content  # No cached text was changed.


@pytest.mark.long
def test_sheet_rules_and_round_text_are_translated(
    run: LoopRunner, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    async def ask() -> None:
        tokens = await table_for(server, "catfish-bend/mississippi-stud", "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await play_round(ann)
            for path in PAGES:
                await _assert_translated(signed_in("supervisor"), path)

    run(ask())


@pytest.mark.parametrize("language", ["en", "es"])
def test_repeated_input_is_one_line_in_fields(language: str) -> None:
    odd = refuse(Code.UNKNOWN_WAGER, "engine.wagers.none-there", seat=1, wager="a\nb\ud800")
    refusal = render_refusal(odd, language)
    assert refusal["fields"] == {"seat": 1, "wager": "a b\\ud800"}
    json.dumps(refusal, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("detail", "english"),
    [
        ({"type": "missing", "loc": ("body",), "msg": ""}, "The body is missing."),
        (
            {"type": "string_type", "loc": ("body", "a"), "msg": "Input should be a valid string"},
            '"a" in the body: it should be a valid string.',
        ),
        (
            {"type": "odd", "loc": ("query",), "msg": "Value error, no", "ctx": {}},
            "The query: no.",
        ),
    ],
)
def test_validation_errors_are_worded(detail: Any, english: str) -> None:
    assert describe_invalid(detail) == english


def test_money_is_in_the_currency_of_the_tables_sheet(
    run: LoopRunner, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sheet = pitbook.changed(
            pitbook.load("catfish-bend/mississippi-stud"), {"house.currency": "EUR"}
        )
        await server.house.cage.buy_in("ann", Cents(1_000_000), actor="test")
        for name, rules in (("e", sheet), ("d", pitbook.load(sheet.id))):
            await server.house.open_table(
                name, "house", actor="sue", unit="usd", sheet=rules, coach=False
            )
        token = token_of(server, "player")
        async with (
            serving(app) as base,
            socket(base, token, "e") as euros,
            socket(base, token, "e", headers=SPANISH) as en_euros,
            socket(base, token, "d") as dollars,
        ):
            assert (await bet_below_minimum(euros))["message"].endswith("€5 to €500.")
            assert (await bet_below_minimum(en_euros))["message"].endswith("de €5 a €500.")
            assert (await bet_below_minimum(dollars, "d-"))["message"].endswith("$5 to $500.")
            view = await euros.look()
            assert view["sheet"]["currency"] == "EUR"
            ann, ante = signed_in("player"), {"do": "put-wager", "seat": 1, "wager": "ante"}
            for table, sign in (("e", "€"), ("d", "$")):
                body = {"request": f"{table}-low-again", "command": {**ante, "amount": "1"}}
                response = await ann.post(f"/api/tables/{table}/commands", json=body)
                assert f"{sign}5 to {sign}500" in response.json()["refused"]["message"]
                whole = await ann.get(f"/api/tables/{table}/sheet")
                assert f"{sign}500" in whole.text

    run(play())


def test_a_clause_is_opened_in_the_readers_language(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def fetch_clause() -> dict[str, Any]:
        answer = await client.get("/api/clauses/CMS-2", headers=SPANISH)
        return dict(answer.json())

    clause = run(fetch_clause())
    assert clause["left_to_us"].startswith("El documento ")
    words = [rule["words"] for sheet in clause["sheets"] for rule in sheet["rules"]]
    assert words
    assert not [text for text in words if text.startswith("Pay table")]


def test_a_spot_is_advised_in_the_readers_language(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def fetch_advice() -> str:
        spot = {"sheet": "catfish-bend/mississippi-stud", "cards": "6h 5h", "community": "7h"}
        answer = await client.post("/api/advise", json={**spot, "bets": ["1x"]}, headers=SPANISH)
        return str(answer.json()["why"])

    assert " the " not in run(fetch_advice())
