"""A house whose sheets are all in euros says dollars nowhere, whatever it is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.pit.pit_houses import OTHER
from tests.house.school.test_daily import through
from tests.house.web import walked
from tests.house.web.coached import deal, decide, last
from tests.house.web.conftest import Running, SignedIn, client_of
from tests.house.web.live import Json
from tests.house.web.sat_down import table_for
from tests.house.web.test_routes_tables import ANTE, STUD, Player, guest_of

from pitbook import load
from pitbook.house.school import daily_routes as daily
from pitbook.house.web import sheet_cache as shelf
from pitbook.house.web.server import Server
from pitbook.sheets import library
from pitbook.sheets.load import load as read

HI_LO = "catfish-bend/matchem-hi-lo"
BUNDLED = library.BUNDLED
# What is of no sheet: an example for everybody, a clause in our words, and the cash of a night,
# whose house rules are in dollars.
OF_NO_SHEET = (
    *("/api/glossary terms.means", "/api/clauses/CMS-2 text"),
    *("cage/float text", "cage/sell text", "cage/redeem text", "cage/undo text"),
    *("cage/slips/2 text", "cage/unclaimed text", "announcement"),
)


@pytest.fixture(autouse=True)
def euros(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The bundled sheets in euros; what they say in words of their own has no dollars in it."""
    folder = tmp_path_factory.mktemp("euros")
    for one in library.BUNDLED.glob("*/*.toml"):
        made = folder / one.parent.name / one.name
        made.parent.mkdir(exist_ok=True)
        text = one.read_text(encoding="utf-8").replace("$", "EUR ")
        made.write_text(text.replace("[house]\n", '[house]\ncurrency = "EUR"\n', 1), "utf-8")
    monkeypatch.setattr(library, "BUNDLED", folder)
    monkeypatch.setattr(shelf, "BUNDLED", folder)
    return folder


def dollars_in(part: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every text with a dollar sign, and where it stands."""
    if isinstance(part, dict):
        for key, one in part.items():
            yield from dollars_in(one, f"{path}{'' if path.endswith(' ') else '.'}{key}")
    elif isinstance(part, list):
        for one in part:
            yield from dollars_in(one, path)
    elif isinstance(part, str) and "$" in part:
        yield path, part


def test_no_answer_says_dollars(
    run: Running, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[str, str] = {}

    async def hear(answer: httpx.Response) -> None:
        await answer.aread()
        if answer.headers.get("content-type") == "application/json":
            found.update(dollars_in(answer.json(), f"{answer.request.url.path} "))

    def listening(app: FastAPI) -> httpx.AsyncClient:
        client = client_of(app)
        client.event_hooks["response"].append(hear)
        return client

    monkeypatch.setattr(walked, "client_of", listening)
    run(walked.walk(app))
    assert found  # What is of no sheet is heard.
    assert not {at: text for at, text in found.items() if not at.endswith(OF_NO_SHEET)}


def test_past_rounds_and_the_coach_are_in_euros(run: Running, client: httpx.AsyncClient) -> None:
    async def asked(path: str) -> str:
        answer = await client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    async def play() -> None:
        guest = await guest_of(client, STUD)
        await deal(guest)
        await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})
        await decide(guest, last)
        listed, coached = await asked("/api/rounds"), json.loads(await asked("/api/coach"))
        (round,) = json.loads(listed)["rounds"]
        assert round["currency"] == "EUR"
        assert "€" in json.dumps(round["settlement"], ensure_ascii=False)
        assert coached["currency"] == "EUR"
        assert coached["luck"]["net"]["text"].startswith(("€", "-€"))
        assert coached["decisions"][0]["sheet"]["currency"] == "EUR"
        assert coached["decisions"][0]["plays"][0]["worth"]["text"].startswith(("€", "-€"))
        trends = json.loads(await asked("/api/coach/trends"))
        assert trends["currency"] == "EUR"
        told = [listed, json.dumps(trends), json.dumps(coached)]
        told += [await asked(f"/api/coach?format={form}") for form in ("csv", "jsonl")]
        told += [await asked(f"/api/rounds/export?format={form}") for form in ("csv", "jsonl")]
        assert not [one for one in told if "$" in one]

    run(play())


def test_sums_over_several_currencies_are_of_none(
    run: Running, app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Euros and dollars make no sum of money; each decision is still in its own."""

    async def play(sheet: str) -> None:
        guest = await guest_of(client, sheet)
        await deal(guest)
        await decide(guest, last)

    async def both() -> Json:
        await play(STUD)
        monkeypatch.setattr(app.state.services.sheets, "load", lambda *_: in_dollars)
        await play(HI_LO)
        found: Json = (await client.get("/api/coach")).json()
        return found

    in_dollars = read(BUNDLED / f"{HI_LO}.toml")
    told = run(both())
    texts = {one["sheet"]["id"]: one["plays"][0]["worth"]["text"] for one in told["decisions"]}
    assert "€" in texts[STUD]
    assert "$" in texts[HI_LO]
    assert not {*told["luck"]["net"]["text"]} & {"€", "$"}


@pytest.fixture
def of_today(euros: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "_in_turn", lambda *_: [load(HI_LO)])


@pytest.mark.usefixtures("of_today")
def test_the_daily_deal_is_in_euros(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        before = (await client.get("/api/daily")).json()
        after = await through(client, 0)
        assert before["currency"] == after["currency"] == "EUR"
        assert after["cost"]["text"].startswith("€")
        assert "$" not in json.dumps(after)

    run(play())


def test_what_is_held_at_a_table_that_was_stopped_is_in_euros(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> Json:
        await table_for(server, OTHER, "ann")
        sue, ann = Player(signed_in("supervisor"), "t"), Player(signed_in("player"), "t")
        for command in ({"do": "sit", "seat": 1}, {**ANTE, "amount": "2"}, {"do": "close-betting"}):
            await ann.fine(command)
        await sue.fine({"do": "interrupt", "why": "fire alarm"})
        (one,) = (await sue.http.get("/api/pit/interruptions")).json()["interruptions"]
        return dict(one)

    told = run(play())
    assert (told["held"], told["currency"]) == ("2.00", "EUR")
