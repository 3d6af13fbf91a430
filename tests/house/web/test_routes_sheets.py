"""Sheets and exact figures over HTTP: the same as the commands give, and never another file."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.exact.figures_json import math_document
from tests.house.web.conftest import LoopRunner, client_of
from tests.house.web.live_server import SHEETS, Json
from tests.sheets.samples import ALL_IDS, modified_text

from pitbook import load
from pitbook.errors import SheetUnknown
from pitbook.house.people.accounts import People
from pitbook.house.settings import Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import jobs as sums
from pitbook.house.web import sheet_cache as shelf
from pitbook.house.web.app import create_app
from pitbook.house.web.errors import Problem
from pitbook.house.web.jobs import JobQueue
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.money import Cents
from pitbook.sheets.hashes import digest
from pitbook.sheets.library import BUNDLED

STUD, OTHER, HI_LO = SHEETS[:3]


def get(run: LoopRunner, client: httpx.AsyncClient, path: str, **params: Any) -> httpx.Response:
    return run(client.get(path, params=params))


@pytest.mark.long
def test_every_sheet_is_listed_and_shown(run: LoopRunner, client: httpx.AsyncClient) -> None:
    sheets = get(run, client, "/api/sheets").json()["sheets"]
    assert sorted(row["id"] for row in sheets) == sorted(ALL_IDS)
    for row in sheets:
        whole = get(run, client, f"/api/sheets/{row['id']}").json()
        assert whole["id"] == row["id"]
        assert whole["hash"] == row["hash"] == digest(load(row["id"]))
        assert any(line["clauses"] for line in whole["aloud"])
        assert row["seats"] == load(row["id"]).seats.count
    early = get(run, client, f"/api/sheets/{STUD}", on="2000-01-01")
    assert early.status_code == 404
    assert "is effective from 2018-03-12" in early.json()["error"]


@pytest.mark.parametrize(
    "name", ["no/such", "x/y.toml", "..%2f../etc", "catfish-bend/MISSISSIPPI-STUD", "a" * 61 + "/b"]
)
def test_sheet_is_named_by_id_and_never_by_path(
    run: LoopRunner, client: httpx.AsyncClient, name: str
) -> None:
    answer = get(run, client, f"/api/sheets/{name}")
    assert answer.status_code == 404
    assert answer.json()["error"]


def test_sheet_cache_reloads_changed_files(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    sheet_cache = SheetCache((tmp_path,))
    with pytest.raises(SheetUnknown):
        sheet_cache.load("my-house/stud")
    file.write_text(modified_text(STUD, (STUD, "my-house/stud")), encoding="utf-8")
    first = sheet_cache.load("my-house/stud")
    assert sheet_cache.load("my-house/stud") is first
    file.write_text(
        modified_text(STUD, (STUD, "my-house/stud"), ('"500:1"', '"400:1"')), encoding="utf-8"
    )
    assert digest(sheet_cache.load("my-house/stud")) != digest(first)
    assert len(sheet_cache.entries()) == len(ALL_IDS) + 1


def test_sheet_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "SHEETS_MAX", 2)
    sheet_cache = SheetCache()
    for name in SHEETS:
        sheet_cache.load(name)
    assert len(sheet_cache._loaded) == 2


def test_own_sheet_folders_are_served(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "sheets"
    folder.mkdir()
    (folder / "mine.toml").write_text(
        modified_text(STUD, (STUD, "my-house/stud")), encoding="utf-8"
    )
    app = create_app(house, people, settings.model_copy(update={"sheets": (folder,)}))
    answer = run(client_of(app).get("/api/sheets/my-house/stud"))
    assert answer.json()["id"] == "my-house/stud"


@pytest.mark.long
def test_a_posted_sheet_is_checked(run: LoopRunner, client: httpx.AsyncClient) -> None:
    def check(text: str) -> Json:
        answer = run(client.post("/api/sheets/check", json={"toml": text}))
        assert answer.status_code == 200
        report: Json = answer.json()
        return report

    text = (BUNDLED / f"{OTHER}.toml").read_text(encoding="utf-8")
    fine = check(text)
    assert (fine["sheet"], fine["valid"], fine["hash"]) == (OTHER, True, digest(load(OTHER)))
    assert any(
        "With the text, the house edge is" in finding["message"] for finding in fine["findings"]
    )
    assert fine["wagers"]["main"]["house_edge"] == pytest.approx(0.0924154277)
    assert fine["left_out"] == {"error": 0, "notice": 0}
    generous = check(modified_text(STUD, ('two-pair = "2:1"', 'two-pair = "3:1"')))
    assert (generous["valid"], generous["sheet"]) == (False, STUD)
    assert [finding["code"] for finding in generous["findings"] if finding["level"] == "error"] == [
        "player-advantage"
    ]
    many = "".join(f"x{number} = 1\n" for number in range(123))
    crowded = check(modified_text(STUD, ("[payouts]\n", f"[payouts]\n{many}")))
    assert (len(crowded["findings"]), crowded["left_out"]["error"]) == (100, 23)
    wrong = check(modified_text(STUD, ("flush = ", "flsh = ")))
    assert (wrong["valid"], wrong["sheet"]) == (False, None)
    assert all(finding["line"] for finding in wrong["findings"])
    assert check("")["valid"] is False
    assert check("= = =")["findings"][0]["line"] == 1
    for body in ({}, {"toml": 7}, {"toml": "", "more": 1}):
        assert run(client.post("/api/sheets/check", json=body)).status_code == 422


@pytest.mark.long
def test_figures_are_those_of_the_mathematics(run: LoopRunner, client: httpx.AsyncClient) -> None:
    figures = get(run, client, f"/api/math/{STUD}", ante="50", wager="main").json()
    assert figures == math_document(load(STUD), ante=Cents(5_000), wager="main")
    every = get(run, client, f"/api/math/{HI_LO}").json()
    assert set(every["wagers"]) == {"main", "matchem-bonus", "poker-bonus"}
    for params in ({"ante": "x"}, {"ante": "1"}, {"wager": "fly"}, {"seats": 7}):
        refusal = get(run, client, f"/api/math/{STUD}", **params)
        assert refusal.status_code == 400
        assert refusal.json()["error"]
    assert get(run, client, f"/api/math/{STUD}", seats=0).status_code == 422
    assert get(run, client, "/api/math/no/such").status_code == 404


def test_advice_for_a_spot(run: LoopRunner, client: httpx.AsyncClient) -> None:
    spot = {"sheet": STUD, "cards": "6h 5h", "community": "7h", "bets": ["1x"], "ante": "10"}
    advice = run(client.post("/api/advise", json={**spot, "dead": "8c 9d"})).json()
    assert advice["sheet"] == STUD
    assert set(advice["actions"]) == {"fold", "1x", "2x", "3x"}
    assert advice["cost"][advice["best"]] == "0"
    hi_lo = run(client.post("/api/advise", json={"sheet": HI_LO, "cards": "Ah 4d 7c"})).json()
    assert "low" in hi_lo["actions"]
    side = {**spot, "side": {"three-card-bonus": "5"}}
    assert run(client.post("/api/advise", json=side)).status_code == 200
    short = {"sheet": STUD, "cards": "Ks 9d", "ante": "500", "purse": "500"}
    assert run(client.post("/api/advise", json=short)).json()["actions"] == {
        "fold": "-1",
        "1x": "-2",
    }
    for bad, word in (
        ({"cards": "6h"}, "has 2 cards"),
        ({"cards": "6h 6h"}, "6h is listed 2 times"),
        ({"cards": "zz"}, "cards: "),
        ({"community": "7x"}, "community: "),
        ({"bets": ["9x"]}, "is not a bet on"),
        ({"ante": "ten"}, "ante: "),
        ({"side": {"three-card-bonus": "x"}}, "side.three-card-bonus: "),
        ({"side": {"fly": "5"}}, 'no side wager "fly"'),
    ):
        refusal = run(client.post("/api/advise", json={**spot, **bad}))
        assert refusal.status_code == 400
        assert word in refusal.json()["error"]


def test_two_sheets_are_compared(run: LoopRunner, client: httpx.AsyncClient) -> None:
    comparison = get(run, client, "/api/compare", a=STUD, b=OTHER).json()
    main = comparison["wagers"][0]
    assert main["difference"] == pytest.approx(main["b"] - main["a"])
    lines = sum(line["edge"] for line in main["lines"])
    assert lines + main["rest"] == pytest.approx(main["difference"])
    capped = get(run, client, "/api/compare", a=SHEETS[3], b=SHEETS[4], ante="10").json()
    assert capped["assumptions"] == {"ante": "10.00", "limits": True, "play": "best"}
    other_kind = get(run, client, "/api/compare", a=STUD, b=HI_LO).json()
    assert other_kind["wagers"][-1]["rest"] is None
    refusal = get(run, client, "/api/compare", a=STUD, b=OTHER, ante="1")
    assert (refusal.status_code, refusal.json()["error"][: len(STUD)]) == (400, STUD)
    assert get(run, client, "/api/compare", a=STUD, b="no/such").status_code == 404
    assert get(run, client, "/api/compare", a=STUD).status_code == 422


def test_job_runs_once_and_the_queue_is_bounded(
    run: LoopRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "RESULTS_MAX", 2)
    monkeypatch.setattr(sums, "WAITING_MAX", 2)
    computed, go = [], threading.Event()

    def slow(number: int) -> int:
        go.wait(60)
        computed.append(number)
        if number == 13:
            raise ValueError("thirteen")
        return number * number

    async def play() -> None:
        job_queue = JobQueue()
        futures = [asyncio.ensure_future(job_queue.compute(n, partial(slow, n))) for n in (3, 3, 4)]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="The server is busy with other calculations"):
            await job_queue.compute(5, lambda: slow(5))
        futures[1].cancel()  # A canceled request takes nothing from the others.
        go.set()
        assert [await futures[0], await futures[2]] == [9, 16]
        assert await job_queue.compute(3, lambda: slow(3)) == 9
        assert computed == [3, 4]
        for _ in range(2):  # Failures are not cached.
            with pytest.raises(ValueError, match="thirteen"):
                await job_queue.compute(13, lambda: slow(13))
        assert computed == [3, 4, 13, 13]
        await job_queue.compute(5, lambda: slow(5))
        await job_queue.compute(4, lambda: slow(4))
        assert computed[4:] == [5, 4]
        job_queue.close()

    run(play())


def test_lesson_and_glossary_in_both_languages(run: LoopRunner, client: httpx.AsyncClient) -> None:
    taught = get(run, client, f"/api/sheets/{STUD}/lesson").json()
    assert taught["steps"][0]["title"] == "Bet"
    assert taught["hash"] == digest(load(STUD))
    spanish = get(run, client, f"/api/sheets/{STUD}/lesson", language="es").json()
    assert spanish["steps"][0]["title"] == "Apueste"
    assert get(run, client, "/api/sheets/no/where/lesson").status_code == 404
    words = get(run, client, "/api/glossary").json()["terms"]
    palabras = get(run, client, "/api/glossary", language="es").json()["terms"]
    assert [term["term"] for term in words] == [term["term"] for term in palabras]
    assert all(
        term["means"] != other_term["means"]
        for term, other_term in zip(words, palabras, strict=True)
    )
