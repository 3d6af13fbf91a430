"""The lab over HTTP: exact figures for a wish, a sentence for a bad one, and nothing kept."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import Running
from tests.house.web.live import Json
from tests.sheets.samples import CMS, IDS, LAS, MHL, stud

from pitbook import load
from pitbook.exact.sheet_figures import math_document
from pitbook.house.web.services import Services
from pitbook.money import Cents

pytestmark = pytest.mark.long

FLUSH = {"main": {"flush": "7:1"}}


def ask(run: Running, client: httpx.AsyncClient, sheet: str = CMS, **wish: Any) -> httpx.Response:
    return run(client.post("/api/sheets/try", json={"sheet": sheet, **wish}))


def tried(run: Running, client: httpx.AsyncClient, sheet: str = CMS, **wish: Any) -> Json:
    answer = ask(run, client, sheet, **wish)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def table(found: Json, wager: str = "main") -> Json:
    (one,) = (one for one in found["tables"] if one["wager"] == wager)
    return dict(one)


def figure(found: Json, name: str = "house_edge", wager: str = "main") -> Json:
    (one,) = (one for one in table(found, wager)["figures"] if one["name"] == name)
    return dict(one)


def line(found: Json, name: str, wager: str = "main") -> Json:
    (one,) = (one for one in table(found, wager)["lines"] if one["line"] == name)
    return dict(one)


@pytest.mark.parametrize("sheet", IDS)
def test_a_sheet_comes_as_printed(run: Running, client: httpx.AsyncClient, sheet: str) -> None:
    found, figures = tried(run, client, sheet), math_document(load(sheet))["wagers"]
    assert (found["valid"], found["differences"]) == (True, [])
    assert {one["wager"] for one in found["tables"]} == set(figures)
    for wager, told in figures.items():
        edge = figure(found, wager=wager)
        assert edge["printed"] == edge["now"] == f"{100 * told['house_edge']:.3f}%"
        assert table(found, wager)["exact"] == told["expected"].removeprefix("-")
        assert figure(found, "win", wager)["now"] == f"{100 * told['win']:.3f}%"
        for one in table(found, wager)["lines"]:
            assert one["now"] == one["printed"] != ""
            assert one["rate"].startswith("1 in ")
            assert one["printed"] in found["ladder"]
    assert not any(one["change"] for each in found["tables"] for one in each["figures"])
    assert found["said"].endswith(", as printed.")


def test_a_changed_line_shows_its_worth_at_once(run: Running, client: httpx.AsyncClient) -> None:
    found = tried(run, client, pays=FLUSH)
    main = math_document(stud(CMS, ('flush = "6:1"', 'flush = "7:1"')))["wagers"]["main"]
    edge = figure(found)
    assert (edge["printed"], edge["now"]) == ("4.915%", f"{100 * main['house_edge']:.3f}%")
    assert edge["change"].startswith("−")
    assert edge["change"].endswith(" points")
    assert figure(found, "standard_deviation")["now"] == f"{main['standard_deviation']:.3f}"
    assert figure(found, "element_of_risk")["now"] == f"{100 * main['element_of_risk']:.3f}%"
    assert figure(found, "average_wager")["title"] == "Average wager, in antes"
    assert table(found)["exact"] == main["expected"].removeprefix("-")
    assert found["differences"] == [
        "Flush pays 6:1 at Catfish Bend Casino II and 7:1 at your table."
    ]
    assert found["said"].startswith("House edge of Ante and street bets: ")
    bonus = figure(found, wager="three-card-bonus")
    assert (bonus["printed"], bonus["change"]) == (bonus["now"], "")


def test_caps_bite_at_an_ante(run: Running, client: httpx.AsyncClient) -> None:
    found = tried(run, client, caps=["50000"], ante="500")
    printed = math_document(load(CMS), ante=Cents(50_000))["wagers"]["main"]["house_edge"]
    wished = stud(CMS, ('pays_max = "25000"', 'pays_max = "50000"'))
    now = math_document(wished, ante=Cents(50_000))["wagers"]["main"]["house_edge"]
    edge = figure(found)
    assert (edge["printed"], edge["now"]) == (f"{100 * printed:.3f}%", f"{100 * now:.3f}%")
    assert "with $500 on the Ante" in found["assumed"]
    (cap,) = found["caps"]
    assert (cap["printed"], cap["field"]) == ("25000", "limits[0].pays_max")
    (words,) = found["differences"]
    assert "$50,000" in words


def test_a_line_can_be_left_out_or_added(run: Running, client: httpx.AsyncClient) -> None:
    found = tried(run, client, pays={"main": {"pair-6-10": " ", "pair": "push"}})
    assert (line(found, "pair-6-10")["now"], line(found, "pair-6-10")["rate"]) == ("", "never")
    assert (line(found, "pair")["printed"], line(found, "pair")["now"]) == ("", "push")
    assert "pair" not in [one["line"] for one in table(found)["more"]]
    assert "pair" in [one["line"] for one in table(tried(run, client))["more"]]
    assert [one["line"] for one in table(tried(run, client, MHL))["more"]] == []


@pytest.mark.parametrize(
    ("wish", "field", "words"),
    [
        ({"pays": {"main": {"flush": "seven"}}}, "main.pays.flush", 'write odds as in "3:1"'),
        ({"pays": {"main": {"flush": "7:0"}}}, "main.pays.flush", "pay nothing"),
        ({"pays": {"main": {"flush": "3:2"}}}, "main.pays.flush", "pays more than the higher"),
        ({"pays": {"main": {"straight": "20"}}}, "main.pays.flush", "pays more than the higher"),
        ({"pays": {"main": {"royal-flush": "600"}}}, "limits[0].pays_max", "at least $30,000"),
        ({"pays": {"main": {"flush": "\u0000"}}}, "main.pays.flush", r"\x00"),
        ({"caps": ["lots"]}, "limits[0].pays_max", '"lots" is no amount of money'),
        ({"ante": "1"}, "ante", "is outside $5 to $500"),
        ({"ante": "ten"}, "ante", '"ten" is no amount of money'),
        ({"ante": "5.50"}, "ante", "is no multiple of $1"),
    ],
)
def test_a_bad_wish_is_told_beside_its_field(
    run: Running, client: httpx.AsyncClient, wish: Json, field: str, words: str
) -> None:
    found = tried(run, client, **wish)
    assert not found["valid"]
    assert found["said"].endswith(". Mend what is marked to see its figures.")
    told = [one["message"] for one in found["findings"] if one["field"] == field]
    assert any(words in one for one in told), found["findings"]
    assert figure(found)["now"] is None
    assert figure(found)["printed"]
    assert all(one["rate"] is None for one in table(found)["lines"])


def test_notices_forbid_nothing(run: Running, client: httpx.AsyncClient) -> None:
    found = tried(run, client, MHL, pays={"main": {"low": "2:1"}})
    assert found["valid"]
    assert "notice" in {one["level"] for one in found["findings"]}
    assert figure(found, "average_wager")["title"] == "Average wager, in Bets"


@pytest.mark.parametrize(
    ("wish", "status", "words"),
    [
        ({"sheet": "no/such"}, 404, "no sheet"),
        ({"sheet": "../../etc/passwd"}, 404, "no sheet"),
        ({"pays": {"fly": {"flush": "7:1"}}}, 400, 'there is no wager "fly"'),
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
def test_what_is_no_wish(
    run: Running, client: httpx.AsyncClient, wish: Json, status: int, words: str
) -> None:
    answer = ask(run, client, **wish)
    assert answer.status_code == status, answer.text
    assert words in answer.json()["error"]


def test_a_wish_is_forgotten(run: Running, client: httpx.AsyncClient, app: FastAPI) -> None:
    services: Services = app.state.services
    before = services.server.house.ledger.streams()
    for pay in ("7:1", "8:1", "9:1"):
        assert figure(tried(run, client, pays={"main": {"flush": pay}}))["change"]
    assert len(services.jobs._kept) == 1, "the sheet as printed is kept, and nothing else"
    assert services.server.house.ledger.streams() == before
    assert tried(run, client)["differences"] == []


def test_the_lab_answers_in_the_language_that_is_asked_for(
    run: Running, client: httpx.AsyncClient
) -> None:
    def asked(language: str, **wish: Any) -> Json:
        path = f"/api/sheets/try?language={language}"
        found: Json = run(client.post(path, json={"sheet": CMS, **wish})).json()
        return found

    english, spanish = asked("en", pays=FLUSH, ante="10"), asked("es", pays=FLUSH, ante="10")
    assert figure(spanish)["title"] == "Ventaja de la casa"
    assert figure(spanish)["now"] == figure(english)["now"]
    assert figure(english)["change"] == f"{figure(spanish)['change'].removesuffix('puntos')}points"
    assert line(spanish, "flush")["title"] == "Color"
    assert line(spanish, "flush")["rate"].startswith("1 de cada ")
    assert spanish["said"].startswith("Ventaja de la casa en ")
    assert spanish["assumed"] == (
        "Con juego óptimo de un solo puesto, con $10 en Ante "
        "y las apuestas laterales al mínimo; los topes se aplican."
    )
    assert table(spanish)["ours"].endswith("modificada por usted")
    assert english["differences"] == [
        "Flush pays 6:1 at Catfish Bend Casino II and 7:1 at your table."
    ]
    assert spanish["differences"] == [
        "Color paga 6:1 en Catfish Bend Casino II y paga 7:1 en su mesa."
    ]
    wrong = asked("es", pays={"main": {"flush": "seven"}})
    assert wrong["said"].endswith(" Corrija lo señalado para ver sus cifras.")
