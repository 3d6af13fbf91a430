"""The pay table lab over HTTP: exact figures for edits, messages for bad ones, nothing stored."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.exact.figures_json import math_document
from tests.house.web.conftest import LoopRunner
from tests.house.web.live_server import Json
from tests.sheets.samples import CMS, IDS, LAS, MHL, stud

from pitbook import load
from pitbook.house.web.services import Services
from pitbook.money import Cents

pytestmark = pytest.mark.long

FLUSH = {"main": {"flush": "7:1"}}


def post_trial(
    run: LoopRunner, client: httpx.AsyncClient, sheet: str = CMS, **wish: Any
) -> httpx.Response:
    return run(client.post("/api/sheets/try", json={"sheet": sheet, **wish}))


def fetch_trial(run: LoopRunner, client: httpx.AsyncClient, sheet: str = CMS, **wish: Any) -> Json:
    answer = post_trial(run, client, sheet, **wish)
    assert answer.status_code == 200, answer.text
    trial: Json = answer.json()
    return trial


def table(trial: Json, wager: str = "main") -> Json:
    (row,) = (row for row in trial["tables"] if row["wager"] == wager)
    return dict(row)


def figure(trial: Json, name: str = "house_edge", wager: str = "main") -> Json:
    (row,) = (row for row in table(trial, wager)["figures"] if row["name"] == name)
    return dict(row)


def line(trial: Json, name: str, wager: str = "main") -> Json:
    (row,) = (row for row in table(trial, wager)["lines"] if row["line"] == name)
    return dict(row)


@pytest.mark.parametrize("sheet", IDS)
def test_unedited_sheet_has_the_printed_figures(
    run: LoopRunner, client: httpx.AsyncClient, sheet: str
) -> None:
    trial, figures = fetch_trial(run, client, sheet), math_document(load(sheet))["wagers"]
    assert (trial["valid"], trial["differences"]) == (True, [])
    assert {row["wager"] for row in trial["tables"]} == set(figures)
    for wager, wager_figures in figures.items():
        edge = figure(trial, wager=wager)
        assert edge["printed"] == edge["now"] == f"{100 * wager_figures['house_edge']:.3f}%"
        assert table(trial, wager)["exact"] == wager_figures["expected"].removeprefix("-")
        assert figure(trial, "win", wager)["now"] == f"{100 * wager_figures['win']:.3f}%"
        for row in table(trial, wager)["lines"]:
            assert row["now"] == row["printed"] != ""
            assert row["rate"].startswith("1 in ")
            assert row["printed"] in trial["ladder"]
    assert not any(row["change"] for table in trial["tables"] for row in table["figures"])
    assert trial["said"].startswith(f"{table(trial)['title']} house edge: ")


def test_changed_payout_shows_its_effect(run: LoopRunner, client: httpx.AsyncClient) -> None:
    trial = fetch_trial(run, client, pays=FLUSH)
    main = math_document(stud(CMS, ('flush = "6:1"', 'flush = "7:1"')))["wagers"]["main"]
    edge = figure(trial)
    assert (edge["printed"], edge["now"]) == ("4.915%", f"{100 * main['house_edge']:.3f}%")
    assert edge["change"].startswith("−")
    assert edge["change"].endswith(" points")
    assert figure(trial, "standard_deviation")["now"] == f"{main['standard_deviation']:.3f}"
    assert figure(trial, "element_of_risk")["now"] == f"{100 * main['element_of_risk']:.3f}%"
    assert figure(trial, "average_wager")["title"] == "Average total bet (antes)"
    assert table(trial)["exact"] == main["expected"].removeprefix("-")
    assert trial["differences"] == [
        "Flush pays 6:1 at Catfish Bend Casino II and 7:1 at your table."
    ]
    assert trial["said"].startswith("Ante and street bets house edge: ")
    bonus = figure(trial, wager="three-card-bonus")
    assert (bonus["printed"], bonus["change"]) == (bonus["now"], "")


def test_payout_limits_apply_at_an_ante(run: LoopRunner, client: httpx.AsyncClient) -> None:
    trial = fetch_trial(run, client, caps=["50000"], ante="500")
    printed = math_document(load(CMS), ante=Cents(50_000))["wagers"]["main"]["house_edge"]
    wished = stud(CMS, ('pays_max = "25000"', 'pays_max = "50000"'))
    now = math_document(wished, ante=Cents(50_000))["wagers"]["main"]["house_edge"]
    edge = figure(trial)
    assert (edge["printed"], edge["now"]) == (f"{100 * printed:.3f}%", f"{100 * now:.3f}%")
    assert "$500 on the Ante" in trial["assumed"]
    (cap,) = trial["caps"]
    assert (cap["printed"], cap["field"]) == ("25000", "limits[0].pays_max")
    (words,) = trial["differences"]
    assert "$50,000" in words


def test_row_can_be_removed_or_added(run: LoopRunner, client: httpx.AsyncClient) -> None:
    trial = fetch_trial(run, client, pays={"main": {"pair-6-10": " ", "pair": "push"}})
    assert (line(trial, "pair-6-10")["now"], line(trial, "pair-6-10")["rate"]) == ("", "never")
    assert (line(trial, "pair")["printed"], line(trial, "pair")["now"]) == ("", "push")
    assert "pair" not in [row["line"] for row in table(trial)["more"]]
    assert "pair" in [row["line"] for row in table(fetch_trial(run, client))["more"]]
    assert [row["line"] for row in table(fetch_trial(run, client, MHL))["more"]] == []


@pytest.mark.parametrize(
    ("wish", "field", "words"),
    [
        ({"pays": {"main": {"flush": "seven"}}}, "main.pays.flush", "Write 6:1, push"),
        ({"pays": {"main": {"flush": "7:0"}}}, "main.pays.flush", "pay nothing"),
        ({"pays": {"main": {"flush": "3:2"}}}, "main.pays.flush", "pays more than the higher"),
        ({"pays": {"main": {"straight": "20"}}}, "main.pays.flush", "pays more than the higher"),
        ({"pays": {"main": {"royal-flush": "600"}}}, "limits[0].pays_max", "at least $30,000"),
        ({"pays": {"main": {"flush": "\u0000"}}}, "main.pays.flush", r"\x00"),
        ({"caps": ["lots"]}, "limits[0].pays_max", '"lots" is not an amount'),
        ({"ante": "1"}, "ante", "is outside $5 to $500"),
        ({"ante": "ten"}, "ante", '"ten" is not an amount'),
        ({"ante": "5.50"}, "ante", "is not a multiple of $1"),
    ],
)
def test_invalid_edit_is_reported_at_its_field(
    run: LoopRunner, client: httpx.AsyncClient, wish: Json, field: str, words: str
) -> None:
    trial = fetch_trial(run, client, **wish)
    assert not trial["valid"]
    assert trial["said"].endswith(". Correct it to see the figures.")
    messages = [finding["message"] for finding in trial["findings"] if finding["field"] == field]
    assert any(words in message for message in messages), trial["findings"]
    assert figure(trial)["now"] is None
    assert figure(trial)["printed"]
    assert all(row["rate"] is None for row in table(trial)["lines"])


def test_notices_do_not_invalidate(run: LoopRunner, client: httpx.AsyncClient) -> None:
    trial = fetch_trial(run, client, MHL, pays={"main": {"low": "2:1"}})
    assert trial["valid"]
    assert "notice" in {row["level"] for row in trial["findings"]}
    assert figure(trial, "average_wager")["title"] == "Average total bet (Bets)"


@pytest.mark.parametrize(
    ("wish", "status", "words"),
    [
        ({"sheet": "no/such"}, 404, "is no sheet"),
        ({"sheet": "../../etc/passwd"}, 404, "is no sheet"),
        ({"pays": {"fly": {"flush": "7:1"}}}, 400, 'There is no wager "fly"'),
        ({"sheet": LAS, "caps": ["1"]}, 400, "has 0"),
        ({"pays": {"main": {"flush": 7}}}, 422, "flush"),
        ({"pays": {"main": {"a b": "7"}}}, 422, "a b"),
        ({"pays": {"main": {f"line-{n}": "" for n in range(61)}}}, 422, "pays.main"),
        ({"pays": {f"wager-{n}": {} for n in range(22)}}, 422, "pays"),
        ({"pays": {"main": {"flush": "7" * 41}}}, 422, "flush"),
        ({"caps": ["1"] * 21}, 422, "caps"),
        ({"ante": "1" * 41}, 422, "ante"),
        ({"else": 1}, 422, "else"),
    ],
)
def test_malformed_edits_are_refused(
    run: LoopRunner, client: httpx.AsyncClient, wish: Json, status: int, words: str
) -> None:
    answer = post_trial(run, client, **wish)
    assert answer.status_code == status, answer.text
    assert words in answer.json()["error"]


def test_edits_are_not_stored(run: LoopRunner, client: httpx.AsyncClient, app: FastAPI) -> None:
    services: Services = app.state.services
    before = services.server.house.ledger.streams()
    for pay in ("7:1", "8:1", "9:1"):
        assert figure(fetch_trial(run, client, pays={"main": {"flush": pay}}))["change"]
    assert len(services.jobs._results) == 1, "the sheet as printed is kept, and nothing else"
    assert services.server.house.ledger.streams() == before
    assert fetch_trial(run, client)["differences"] == []


def test_lab_answers_in_the_requested_language(run: LoopRunner, client: httpx.AsyncClient) -> None:
    def fetch(language: str, **wish: Any) -> Json:
        path = f"/api/sheets/try?language={language}"
        trial: Json = run(client.post(path, json={"sheet": CMS, **wish})).json()
        return trial

    english, spanish = fetch("en", pays=FLUSH, ante="10"), fetch("es", pays=FLUSH, ante="10")
    assert figure(spanish)["title"] == "Ventaja de la casa"
    assert figure(spanish)["now"] == figure(english)["now"]
    assert figure(english)["change"] == f"{figure(spanish)['change'].removesuffix('puntos')}points"
    assert line(spanish, "flush")["title"] == "Color"
    assert line(spanish, "flush")["rate"].startswith("1 de cada ")
    assert spanish["said"].startswith("Ventaja de la casa en ")
    assert spanish["assumed"] == (
        "Un puesto, la mejor jugada, $10 en Ante "
        "y apuestas laterales mínimas. Se aplican los límites de pago."
    )
    assert table(spanish)["ours"].endswith("modificada por usted")
    assert english["differences"] == [
        "Flush pays 6:1 at Catfish Bend Casino II and 7:1 at your table."
    ]
    assert spanish["differences"] == [
        "Color paga 6:1 en Catfish Bend Casino II y paga 7:1 en su mesa."
    ]
    wrong = fetch("es", pays={"main": {"flush": "seven"}})
    assert wrong["said"].endswith(" Corríjalo para ver las cifras.")
