"""Sheets and exact figures over HTTP: the same as the commands give, and never another file."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.house.web.conftest import Running, client_of
from tests.house.web.live import SHEETS, Json
from tests.sheets.samples import EVERY, changed

from pitbook import load
from pitbook.errors import SheetUnknown
from pitbook.exact.sheet_figures import math_document
from pitbook.house.people.accounts import People
from pitbook.house.table.tables import LiveTables
from pitbook.house.web import jobs as sums
from pitbook.house.web import sheet_cache as shelf
from pitbook.house.web.app import create_app
from pitbook.house.web.errors import Problem
from pitbook.house.web.jobs import JobQueue
from pitbook.house.web.settings import Settings
from pitbook.house.web.sheet_cache import SheetCache
from pitbook.money import Cents
from pitbook.sheets.digest import digest
from pitbook.sheets.library import BUNDLED

STUD, OTHER, HI_LO = SHEETS[:3]


def asked(run: Running, client: httpx.AsyncClient, path: str, **params: Any) -> httpx.Response:
    return run(client.get(path, params=params))


@pytest.mark.long
def test_every_sheet_is_listed_and_shown(run: Running, client: httpx.AsyncClient) -> None:
    found = asked(run, client, "/api/sheets").json()["sheets"]
    assert sorted(one["id"] for one in found) == sorted(EVERY)
    for one in found:
        whole = asked(run, client, f"/api/sheets/{one['id']}").json()
        assert whole["id"] == one["id"]
        assert whole["hash"] == one["hash"] == digest(load(one["id"]))
        assert any(line["clauses"] for line in whole["aloud"])
        assert one["seats"] == load(one["id"]).seats.count
    early = asked(run, client, f"/api/sheets/{STUD}", on="2000-01-01")
    assert early.status_code == 404
    assert "is in force from 2018-03-12" in early.json()["error"]


@pytest.mark.parametrize(
    "name", ["no/such", "x/y.toml", "..%2f../etc", "catfish-bend/MISSISSIPPI-STUD", "a" * 61 + "/b"]
)
def test_a_sheet_is_an_id_and_never_a_path(
    run: Running, client: httpx.AsyncClient, name: str
) -> None:
    answer = asked(run, client, f"/api/sheets/{name}")
    assert answer.status_code == 404
    assert answer.json()["error"]


def test_a_shelf_reads_again_what_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    own = SheetCache((tmp_path,))
    with pytest.raises(SheetUnknown):
        own.load("my-house/stud")
    file.write_text(changed(STUD, (STUD, "my-house/stud")), encoding="utf-8")
    first = own.load("my-house/stud")
    assert own.load("my-house/stud") is first
    file.write_text(
        changed(STUD, (STUD, "my-house/stud"), ('"500:1"', '"400:1"')), encoding="utf-8"
    )
    assert digest(own.load("my-house/stud")) != digest(first)
    assert len(own.entries()) == len(EVERY) + 1


def test_a_shelf_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "SHEETS_MAX", 2)
    own = SheetCache()
    for name in SHEETS:
        own.load(name)
    assert len(own._loaded) == 2


def test_own_folders_are_served(
    run: Running, house: LiveTables, people: People, settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "sheets"
    folder.mkdir()
    (folder / "mine.toml").write_text(changed(STUD, (STUD, "my-house/stud")), encoding="utf-8")
    app = create_app(house, people, settings.model_copy(update={"sheets": (folder,)}))
    answer = run(client_of(app).get("/api/sheets/my-house/stud"))
    assert answer.json()["id"] == "my-house/stud"


@pytest.mark.long
def test_a_posted_sheet_is_checked(run: Running, client: httpx.AsyncClient) -> None:
    def check(text: str) -> Json:
        answer = run(client.post("/api/sheets/check", json={"toml": text}))
        assert answer.status_code == 200
        found: Json = answer.json()
        return found

    text = (BUNDLED / f"{OTHER}.toml").read_text(encoding="utf-8")
    fine = check(text)
    assert (fine["sheet"], fine["valid"], fine["hash"]) == (OTHER, True, digest(load(OTHER)))
    assert any("by the prose the house edge is" in one["message"] for one in fine["findings"])
    assert fine["wagers"]["main"]["house_edge"] == pytest.approx(0.0924154277)
    assert fine["left_out"] == {"error": 0, "notice": 0}
    generous = check(changed(STUD, ('two-pair = "2:1"', 'two-pair = "3:1"')))
    assert (generous["valid"], generous["sheet"]) == (False, STUD)
    assert [one["code"] for one in generous["findings"] if one["level"] == "error"] == [
        "player-advantage"
    ]
    many = "".join(f"x{number} = 1\n" for number in range(123))
    crowded = check(changed(STUD, ("[payouts]\n", f"[payouts]\n{many}")))
    assert (len(crowded["findings"]), crowded["left_out"]["error"]) == (100, 23)
    wrong = check(changed(STUD, ("flush = ", "flsh = ")))
    assert (wrong["valid"], wrong["sheet"]) == (False, None)
    assert all(one["line"] for one in wrong["findings"])
    assert check("")["valid"] is False
    assert check("= = =")["findings"][0]["line"] == 1
    for body in ({}, {"toml": 7}, {"toml": "", "more": 1}):
        assert run(client.post("/api/sheets/check", json=body)).status_code == 422


@pytest.mark.long
def test_figures_are_those_of_the_mathematics(run: Running, client: httpx.AsyncClient) -> None:
    found = asked(run, client, f"/api/math/{STUD}", ante="50", wager="main").json()
    assert found == math_document(load(STUD), ante=Cents(5_000), wager="main")
    every = asked(run, client, f"/api/math/{HI_LO}").json()
    assert set(every["wagers"]) == {"main", "matchem-bonus", "poker-bonus"}
    for params in ({"ante": "x"}, {"ante": "1"}, {"wager": "fly"}, {"seats": 7}):
        no = asked(run, client, f"/api/math/{STUD}", **params)
        assert no.status_code == 400
        assert no.json()["error"]
    assert asked(run, client, f"/api/math/{STUD}", seats=0).status_code == 422
    assert asked(run, client, "/api/math/no/such").status_code == 404


def test_a_spot_is_advised_on(run: Running, client: httpx.AsyncClient) -> None:
    spot = {"sheet": STUD, "cards": "6h 5h", "community": "7h", "bets": ["1x"], "ante": "10"}
    found = run(client.post("/api/advise", json={**spot, "dead": "8c 9d"})).json()
    assert found["sheet"] == STUD
    assert set(found["actions"]) == {"fold", "1x", "2x", "3x"}
    assert found["cost"][found["best"]] == "0"
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
        ({"cards": "6h"}, "holds 2 cards"),
        ({"cards": "6h 6h"}, "6h is named 2 times"),
        ({"cards": "zz"}, "cards: "),
        ({"community": "7x"}, "community: "),
        ({"bets": ["9x"]}, "no bet on"),
        ({"ante": "ten"}, "ante: "),
        ({"side": {"three-card-bonus": "x"}}, "side.three-card-bonus: "),
        ({"side": {"fly": "5"}}, 'no side wager "fly"'),
    ):
        no = run(client.post("/api/advise", json={**spot, **bad}))
        assert no.status_code == 400
        assert word in no.json()["error"]


def test_two_sheets_are_compared(run: Running, client: httpx.AsyncClient) -> None:
    found = asked(run, client, "/api/compare", a=STUD, b=OTHER).json()
    main = found["wagers"][0]
    assert main["difference"] == pytest.approx(main["b"] - main["a"])
    lines = sum(line["edge"] for line in main["lines"])
    assert lines + main["rest"] == pytest.approx(main["difference"])
    capped = asked(run, client, "/api/compare", a=SHEETS[3], b=SHEETS[4], ante="10").json()
    assert capped["assumptions"] == {"ante": "10.00", "limits": True, "play": "best"}
    other_kind = asked(run, client, "/api/compare", a=STUD, b=HI_LO).json()
    assert other_kind["wagers"][-1]["rest"] is None
    no = asked(run, client, "/api/compare", a=STUD, b=OTHER, ante="1")
    assert (no.status_code, no.json()["error"][: len(STUD)]) == (400, STUD)
    assert asked(run, client, "/api/compare", a=STUD, b="no/such").status_code == 404
    assert asked(run, client, "/api/compare", a=STUD).status_code == 422


def test_a_sum_is_worked_out_once_and_the_queue_is_short(
    run: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "KEPT_MAX", 2)
    monkeypatch.setattr(sums, "WAITING_MAX", 2)
    made, go = [], threading.Event()

    def slow(number: int) -> int:
        go.wait(60)
        made.append(number)
        if number == 13:
            raise ValueError("thirteen")
        return number * number

    async def play() -> None:
        pool = JobQueue()
        asked = [asyncio.ensure_future(pool.compute(n, partial(slow, n))) for n in (3, 3, 4)]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="ask again in a few seconds"):
            await pool.compute(5, lambda: slow(5))
        asked[1].cancel()  # Who goes away takes nothing from the others.
        go.set()
        assert [await asked[0], await asked[2]] == [9, 16]
        assert await pool.compute(3, lambda: slow(3)) == 9
        assert made == [3, 4]
        for _ in range(2):  # A failure is nothing to keep.
            with pytest.raises(ValueError, match="thirteen"):
                await pool.compute(13, lambda: slow(13))
        assert made == [3, 4, 13, 13]
        await pool.compute(5, lambda: slow(5))
        await pool.compute(4, lambda: slow(4))
        assert made[4:] == [5, 4]
        pool.close()

    run(play())


def test_a_game_is_taught_and_its_words_are_explained_in_both_languages(
    run: Running, client: httpx.AsyncClient
) -> None:
    taught = asked(run, client, f"/api/sheets/{STUD}/lesson").json()
    assert taught["steps"][0]["title"] == "Bet"
    assert taught["hash"] == digest(load(STUD))
    spanish = asked(run, client, f"/api/sheets/{STUD}/lesson", language="es").json()
    assert spanish["steps"][0]["title"] == "Apueste"
    assert asked(run, client, "/api/sheets/no/where/lesson").status_code == 404
    words = asked(run, client, "/api/glossary").json()["terms"]
    palabras = asked(run, client, "/api/glossary", language="es").json()["terms"]
    assert [one["term"] for one in words] == [one["term"] for one in palabras]
    assert all(one["means"] != other["means"] for one, other in zip(words, palabras, strict=True))
