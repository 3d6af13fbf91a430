"""The pit in Spanish: tables, people, events, payouts and what waits, without a word of English."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.house import SUPERVISOR, House
from tests.browser.player import Game
from tests.browser.spanish import in_spanish, read_whole
from tests.browser.test_pit import ASKS_ALL, STUD, Floor

REASON = "the fire alarm went off"
CODES = ("kind", "part", "reason", "role")
OWN_REASONS = ("fill", "resumed")
SHORT = 2


class Pit:
    """A hand at a table, and a supervisor who reads Spanish."""

    def __init__(self, house: House, visit: Visit, game: Game) -> None:
        self.floor, self.house = Floor(house, visit, game), house
        self.page = visit(SUPERVISOR, width=1366, height=657, fresh=True)
        in_spanish(self.page)

    def part(self, path: str) -> Page:
        """A page of the pit, or of the table."""
        self.page.set_viewport_size({"width": 1366, "height": 657})
        self.page.goto(path)
        expect(self.page.locator("html")).to_have_attribute("lang", "es")
        return self.page

    def whole(self, name: str, *own: str) -> None:
        """All of it is in Spanish, but for names and what is on record as it is."""
        read_whole(self.page, f"pit-{name}", (*self.names(), *own))

    def names(self) -> list[str]:
        """People, tables, games, and the book's own addresses."""
        people = [one["name"] for one in self.house.get("/api/people")["people"]]
        tables = [one["table"] for one in self.house.get("/api/tables")["tables"]]
        sheets = self.house.get("/api/sheets")["sheets"]
        games = [text for one in sheets for text in (one["title"], one["venue"], one["id"])]
        wagers = [one["title"] for sheet in sheets for one in sheet["wagers"].values()]
        streets = [one["title"] for one in self.house.get(f"/api/sheets/{STUD}")["streets"]]
        shut = self.house.get("/api/exclusions")["excluded"]
        written = [text for one in shut for text in (one["name"], one["why"])]
        return [*people, *tables, *games, *wagers, *streets, *written, *self.book(), REASON]

    def book(self) -> Iterator[str]:
        """What the book has as it is: rounds, shoes, entries, and what somebody wrote or chose."""
        yield from (self.floor.round, f"{self.floor.table}-shoe")
        for event in self.house.get("/api/pit/events")["events"]:
            yield f"{event['stream']} {event['seq']}"
            for field in ("before", "after"):
                yield from kept(event[field])
            if event["what"] not in OWN_REASONS:
                yield from kept(event["why"])


def kept(value: Any) -> Iterator[str]:
    """The texts of a fact, but for codes that have words."""
    if isinstance(value, str) and len(value) > SHORT:
        yield value
    elif isinstance(value, dict):
        yield from (text for name, one in value.items() if name not in CODES for text in kept(one))
    elif isinstance(value, list):
        yield from (text for one in value for text in kept(one))


@pytest.fixture
def pit(request: pytest.FixtureRequest, house: House, visit: Visit, games: dict[str, Game]) -> Pit:
    return Pit(house, visit, games[getattr(request, "param", STUD)])


@pytest.mark.slow
def test_a_payout_is_explained_in_spanish(pit: Pit) -> None:
    for _ in range(3):
        pit.floor.player.command(pit.floor.table, do="decide", seat=1, play="1x")
    pit.floor.player.settled()
    page = pit.part("/pit/explain")
    page.get_by_label("Ronda").fill(pit.floor.round)
    page.get_by_role("button", name="Explicar", exact=True).click()
    expect(page.get_by_text("Jugada de nuevo desde el registro, da lo mismo.")).to_be_visible()
    moved = pit.house.get(f"/api/pit/explain/{pit.floor.round}/1")["transfers"]
    notes = [one[field] for one in moved for field in ("debit", "credit", "why")]
    pit.whole("explain", *notes)


@pytest.mark.slow_cases("oceanfront/mississippi-stud")
@pytest.mark.parametrize("pit", [ASKS_ALL], indirect=True)
def test_an_interruption_is_asked_for_and_waits_in_spanish(pit: Pit) -> None:
    page = pit.part(f"/table/{pit.floor.table}")
    page.get_by_role("tab", name="Sala").click()
    pit.whole("floor")
    page.set_viewport_size({"width": 1366, "height": 657})
    page.get_by_role("button", name="Interrumpir", exact=True).click()
    dialog = page.get_by_role("dialog", name="Interrumpir")
    dialog.get_by_label("Por qué se detiene el juego").fill(REASON)
    pit.whole("interrupt")
    dialog.get_by_role("button", name="Interrumpir").click()
    asked = pit.floor.player.page.get_by_role("button", name="Finish the hand")
    expect(asked).to_be_visible()
    page = pit.part("/pit/interruptions")
    expect(page.get_by_text(f"{pit.floor.name}: aún sin respuesta")).to_be_visible()
    pit.whole("interruptions")


@pytest.mark.slow
def test_tables_and_people_are_looked_after_in_spanish(pit: Pit) -> None:
    page = pit.part("/pit")
    row = page.get_by_role("article", name=pit.floor.table)
    expect(row).to_contain_text("en juego")
    pit.whole("tables")
    page = pit.part("/pit/people")
    form = page.get_by_role("form", name="Excluir a alguien")
    form.get_by_label("Nombre").fill(pit.floor.name)
    form.get_by_label("Motivo").fill(REASON)
    form.get_by_role("button", name="Excluir").click()
    said = f"{pit.floor.name} queda excluido de forma definitiva."
    expect(page.get_by_role("status").filter(has_text=said)).to_be_visible()
    page.get_by_role("button", name="Crear un enlace").click()
    expect(page.get_by_label("Sirve una sola vez")).to_be_visible()
    pit.whole("people")
    page = pit.part("/pit/events")
    expect(page.get_by_text("exclusión", exact=True).first).to_be_visible()
    pit.whole("events")


@pytest.mark.slow
def test_doors_and_account_are_in_spanish(pit: Pit) -> None:
    page = pit.part("/account")
    expect(page.get_by_role("heading", name="Segundo factor")).to_be_visible()
    pit.whole("account")
    page.get_by_role("button", name="Configurarlo").click()
    expect(page.get_by_label("Código que muestra el teléfono")).to_be_visible()
    pit.whole("factor")
    page.context.clear_cookies()
    page = pit.part("/sign-in")
    page.get_by_label("Nombre").fill("nobody")
    page.get_by_label("Contraseña").fill("guessed")
    page.get_by_role("button", name="Iniciar sesión").click()
    expect(page.get_by_role("alert")).to_contain_text("contraseña")
    pit.whole("sign-in")
