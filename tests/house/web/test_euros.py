"""A server whose sheets are all in euros never mentions dollars."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.pit.pit_houses import OTHER
from tests.house.school.test_daily import play_all
from tests.house.web import route_answers
from tests.house.web.coach_rounds import deal, decide, last
from tests.house.web.conftest import LoopRunner, SignedIn, client_of
from tests.house.web.live_server import Json
from tests.house.web.seated_players import table_for
from tests.house.web.test_routes_tables import ANTE, STUD, Player, guest_of

from pitbook import load
from pitbook.house.school import daily_routes as daily
from pitbook.house.web import sheet_cache as shelf
from pitbook.house.web.server import Server
from pitbook.sheets import library
from pitbook.sheets.load import load as read

HI_LO = "catfish-bend/matchem-hi-lo"
BUNDLED = library.BUNDLED
# Not about a sheet: examples, clauses in our words, and an event's cash,
# whose house rules are in dollars.
OF_NO_SHEET = (
    *("/api/glossary terms.means", "/api/clauses/CMS-2 text"),
    *("cage/float text", "cage/sell text", "cage/redeem text", "cage/undo text"),
    *("cage/slips/2 text", "cage/unclaimed text", "announcement"),
)


@pytest.fixture(autouse=True)
def euros(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The bundled sheets in euros, with no dollars in their texts."""
    folder = tmp_path_factory.mktemp("euros")
    for file in library.BUNDLED.glob("*/*.toml"):
        copy = folder / file.parent.name / file.name
        copy.parent.mkdir(exist_ok=True)
        text = file.read_text(encoding="utf-8").replace("$", "EUR ")
        copy.write_text(text.replace("[house]\n", '[house]\ncurrency = "EUR"\n', 1), "utf-8")
    monkeypatch.setattr(library, "BUNDLED", folder)
    monkeypatch.setattr(shelf, "BUNDLED", folder)
    return folder


def dollars_in(part: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every text with a dollar sign, with its place."""
    if isinstance(part, dict):
        for key, value in part.items():
            yield from dollars_in(value, f"{path}{'' if path.endswith(' ') else '.'}{key}")
    elif isinstance(part, list):
        for value in part:
            yield from dollars_in(value, path)
    elif isinstance(part, str) and "$" in part:
        yield path, part


def test_no_answer_mentions_dollars(
    run: LoopRunner, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    dollar_texts: dict[str, str] = {}

    async def record(answer: httpx.Response) -> None:
        await answer.aread()
        if answer.headers.get("content-type") == "application/json":
            dollar_texts.update(dollars_in(answer.json(), f"{answer.request.url.path} "))

    def listening(app: FastAPI) -> httpx.AsyncClient:
        client = client_of(app)
        client.event_hooks["response"].append(record)
        return client

    monkeypatch.setattr(route_answers, "client_of", listening)
    run(route_answers.walk(app))
    assert dollar_texts  # Texts that are not about a sheet are recorded.
    assert not {at: text for at, text in dollar_texts.items() if not at.endswith(OF_NO_SHEET)}


def test_past_rounds_and_the_coach_are_in_euros(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def fetch(path: str) -> str:
        answer = await client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    async def play() -> None:
        guest = await guest_of(client, STUD)
        await deal(guest)
        await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})
        await decide(guest, last)
        listed, coached = await fetch("/api/rounds"), json.loads(await fetch("/api/coach"))
        (round,) = json.loads(listed)["rounds"]
        assert round["currency"] == "EUR"
        assert "€" in json.dumps(round["settlement"], ensure_ascii=False)
        assert coached["currency"] == "EUR"
        assert coached["luck"]["net"]["text"].startswith(("€", "-€"))
        assert coached["decisions"][0]["sheet"]["currency"] == "EUR"
        assert coached["decisions"][0]["plays"][0]["worth"]["text"].startswith(("€", "-€"))
        trends = json.loads(await fetch("/api/coach/trends"))
        assert trends["currency"] == "EUR"
        texts = [listed, json.dumps(trends), json.dumps(coached)]
        texts += [await fetch(f"/api/coach?format={form}") for form in ("csv", "jsonl")]
        texts += [await fetch(f"/api/rounds/export?format={form}") for form in ("csv", "jsonl")]
        assert not [text for text in texts if "$" in text]

    run(play())


def test_totals_over_several_currencies_have_none(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Euros and dollars are not added; each decision keeps its own currency."""

    async def play(sheet: str) -> None:
        guest = await guest_of(client, sheet)
        await deal(guest)
        await decide(guest, last)

    async def both() -> Json:
        await play(STUD)
        monkeypatch.setattr(app.state.services.sheets, "load", lambda *_: in_dollars)
        await play(HI_LO)
        review: Json = (await client.get("/api/coach")).json()
        return review

    in_dollars = read(BUNDLED / f"{HI_LO}.toml")
    review = run(both())
    texts = {
        decision["sheet"]["id"]: decision["plays"][0]["worth"]["text"]
        for decision in review["decisions"]
    }
    assert "€" in texts[STUD]
    assert "$" in texts[HI_LO]
    assert not {*review["luck"]["net"]["text"]} & {"€", "$"}


@pytest.fixture
def of_today(euros: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "_sheets_in_turn", lambda *_: [load(HI_LO)])


@pytest.mark.usefixtures("of_today")
def test_the_daily_deal_is_in_euros(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        before = (await client.get("/api/daily")).json()
        after = await play_all(client, 0)
        assert before["currency"] == after["currency"] == "EUR"
        assert after["cost"]["text"].startswith("€")
        assert "$" not in json.dumps(after)

    run(play())


def test_held_money_of_a_stopped_table_is_in_euros(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> Json:
        await table_for(server, OTHER, "ann")
        sue, ann = Player(signed_in("supervisor"), "t"), Player(signed_in("player"), "t")
        for command in ({"do": "sit", "seat": 1}, {**ANTE, "amount": "2"}, {"do": "close-betting"}):
            await ann.accept(command)
        await sue.accept({"do": "interrupt", "why": "fire alarm"})
        (interruption,) = (await sue.http.get("/api/pit/interruptions")).json()["interruptions"]
        return dict(interruption)

    interruption = run(play())
    assert (interruption["held"], interruption["currency"]) == ("2.00", "EUR")
