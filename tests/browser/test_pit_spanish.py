"""The pit in Spanish: tables, people, events, payouts and interruptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.player import Game
from tests.browser.server import SUPERVISOR, House
from tests.browser.spanish import assert_all_spanish, in_spanish
from tests.browser.test_pit import ASKS_ALL, STUD, Floor

REASON = "the fire alarm went off"
CODES = ("kind", "part", "reason", "role")
OWN_REASONS = ("fill", "resumed")
SHORT = 2


class SpanishPit:
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

    def assert_spanish(self, name: str, *names: str) -> None:
        """Assert that everything is in Spanish, except names and recorded texts."""
        assert_all_spanish(self.page, f"pit-{name}", (*self.names(), *names))

    def names(self) -> list[str]:
        """People, tables, games and other names."""
        people = [person["name"] for person in self.house.get("/api/people")["people"]]
        tables = [table["table"] for table in self.house.get("/api/tables")["tables"]]
        sheets = self.house.get("/api/sheets")["sheets"]
        games = [text for sheet in sheets for text in (sheet["title"], sheet["venue"], sheet["id"])]
        wagers = [wager["title"] for sheet in sheets for wager in sheet["wagers"].values()]
        streets = [street["title"] for street in self.house.get(f"/api/sheets/{STUD}")["streets"]]
        excluded = self.house.get("/api/exclusions")["excluded"]
        exclusion_texts = [
            text for exclusion in excluded for text in (exclusion["name"], exclusion["why"])
        ]
        return [
            *people,
            *tables,
            *games,
            *wagers,
            *streets,
            *exclusion_texts,
            *self.recorded_names(),
            REASON,
        ]

    def recorded_names(self) -> Iterator[str]:
        """Recorded texts: rounds, shoes, entries, and what people wrote."""
        yield from (self.floor.round, f"{self.floor.table}-shoe")
        for event in self.house.get("/api/pit/events")["events"]:
            yield f"{event['stream']} {event['seq']}"
            for field in ("before", "after"):
                yield from recorded_texts(event[field])
            if event["what"] not in OWN_REASONS:
                yield from recorded_texts(event["why"])


def recorded_texts(value: Any) -> Iterator[str]:
    """The texts of a recorded value, except codes that have translations."""
    if isinstance(value, str) and len(value) > SHORT:
        yield value
    elif isinstance(value, dict):
        yield from (
            text
            for name, field in value.items()
            if name not in CODES
            for text in recorded_texts(field)
        )
    elif isinstance(value, list):
        yield from (text for element in value for text in recorded_texts(element))


@pytest.fixture
def pit(
    request: pytest.FixtureRequest, house: House, visit: Visit, games: dict[str, Game]
) -> SpanishPit:
    return SpanishPit(house, visit, games[getattr(request, "param", STUD)])


@pytest.mark.slow
def test_payout_explanation_is_in_spanish(pit: SpanishPit) -> None:
    for _ in range(3):
        pit.floor.player.command(pit.floor.table, do="decide", seat=1, play="1x")
    pit.floor.player.wait_for_result()
    page = pit.part("/pit/explain")
    page.get_by_label("Ronda").fill(pit.floor.round)
    page.get_by_role("button", name="Explicar", exact=True).click()
    expect(
        page.get_by_text("Recalculado desde el libro mayor: el resultado es el mismo.")
    ).to_be_visible()
    moved = pit.house.get(f"/api/pit/explain/{pit.floor.round}/1")["transfers"]
    notes = [transfer[field] for transfer in moved for field in ("debit", "credit", "why")]
    pit.assert_spanish("explain", *notes)


@pytest.mark.slow_cases("oceanfront/mississippi-stud")
@pytest.mark.parametrize("pit", [ASKS_ALL], indirect=True)
def test_interruption_is_in_spanish(pit: SpanishPit) -> None:
    page = pit.part(f"/table/{pit.floor.table}")
    page.get_by_role("tab", name="Sala").click()
    pit.assert_spanish("floor")
    page.set_viewport_size({"width": 1366, "height": 657})
    page.get_by_role("button", name="Detener el juego", exact=True).click()
    dialog = page.get_by_role("dialog", name="Detener el juego")
    dialog.get_by_label("Por qué se detiene el juego").fill(REASON)
    pit.assert_spanish("interrupt")
    dialog.get_by_role("button", name="Detener el juego").click()
    button = pit.floor.player.page.get_by_role("button", name="Finish the hand")
    expect(button).to_be_visible()
    page = pit.part("/pit/interruptions")
    expect(page.get_by_text(f"{pit.floor.name}: sin respuesta")).to_be_visible()
    pit.assert_spanish("interruptions")


@pytest.mark.slow
def test_tables_and_people_pages_are_in_spanish(pit: SpanishPit) -> None:
    page = pit.part("/pit")
    row = page.get_by_role("article", name=pit.floor.table)
    expect(row).to_contain_text("en juego")
    pit.assert_spanish("tables")
    page = pit.part("/pit/people")
    form = page.get_by_role("form", name="Excluir a un cliente")
    form.get_by_label("Nombre").fill(pit.floor.name)
    form.get_by_label("Motivo").fill(REASON)
    form.get_by_role("button", name="Excluir").click()
    message = f"{pit.floor.name} queda excluido de forma definitiva."
    expect(page.get_by_role("status").filter(has_text=message)).to_be_visible()
    page.get_by_role("button", name="Crear enlace").click()
    expect(page.get_by_label("Sirve una vez")).to_be_visible()
    pit.assert_spanish("people")
    page = pit.part("/pit/events")
    expect(page.get_by_text("exclusión", exact=True).first).to_be_visible()
    pit.assert_spanish("events")


@pytest.mark.slow
def test_sign_in_and_account_are_in_spanish(pit: SpanishPit) -> None:
    page = pit.part("/account")
    expect(page.get_by_role("heading", name="Verificación en dos pasos")).to_be_visible()
    pit.assert_spanish("account")
    page.get_by_role("button", name="Configurar").click()
    expect(page.get_by_label("Código de su teléfono")).to_be_visible()
    pit.assert_spanish("factor")
    page.context.clear_cookies()
    page = pit.part("/sign-in")
    page.get_by_label("Nombre").fill("nobody")
    page.get_by_label("Contraseña").fill("guessed")
    page.get_by_role("button", name="Iniciar sesión").click()
    expect(page.get_by_role("alert")).to_contain_text("contraseña")
    pit.assert_spanish("sign-in")
