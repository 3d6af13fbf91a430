"""A charity night in Spanish: only names and the organizer's own texts are not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Visit
from tests.browser.night_setup import PLAYERS, Evening
from tests.browser.player import SETTINGS
from tests.browser.server import House
from tests.browser.spanish import assert_all_spanish, english_left, in_spanish, only_english

CHARITY = "Seacoast Shelter"
REASON = "wrong player, said the desk"


class SpanishNight:
    """A night, and browsers in Spanish."""

    def __init__(self, house: House, visit: Visit) -> None:
        self.visit, self.evening = visit, Evening(house)
        self.organiser = house.player("olga", "organiser")
        self.sheets = house.get("/api/sheets")["sheets"]

    def page(self, name: str | None = None, to: str = "", width: int = 1366) -> Page:
        """A page in Spanish, signed in or not."""
        page = self.visit(name, width=width, height=740 if width < 400 else 657, fresh=True)
        in_spanish(page)
        page.goto(to)
        expect(page.locator("html")).to_have_attribute("lang", "es")
        return page

    def assert_spanish(self, page: Page, name: str) -> None:
        """Assert that everything is in Spanish, except names and the organizer's texts."""
        evening = self.evening
        titles = [titled["title"] for titled in (*evening.get()["tournaments"], *self.sheets)]
        venues = [sheet["venue"] for sheet in self.sheets]
        names = (evening.event, CHARITY, REASON, self.organiser, *PLAYERS, *titles, *venues)
        assert_all_spanish(page, name, names)


@pytest.fixture
def night(house: House, visit: Visit) -> SpanishNight:
    return SpanishNight(house, visit)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.slow
def test_board_is_in_spanish(night: SpanishNight) -> None:
    evening = night.evening.with_clock_running(*PLAYERS)
    evening.do("eliminate", players=["Bob"])
    page = night.page(to=f"/board/{evening.event}/t1")
    main = page.get_by_role("main")
    for text in ("Nivel 1 de", "Próximo nivel: Ante 50–200", "9 de 10", "1.º $390", "2,000"):
        expect(main).to_contain_text(text)
    expect(page.get_by_role("timer", name="Tiempo restante")).to_be_visible()
    night.assert_spanish(page, "board")
    evening.do("pause-clock")
    expect(page.get_by_text("En pausa", exact=True)).to_be_visible()
    night.assert_spanish(page, "board-paused")
    evening.do("resume-clock")
    evening.do("break", minutes=7)
    expect(page.get_by_text("Descanso", exact=True)).to_be_visible()
    night.assert_spanish(page, "board-break")
    evening.do("eliminate", players=list(PLAYERS[2:]))
    evening.do("finish")
    expect(page.get_by_text("Terminado", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Premios")).to_contain_text("Resultados")
    night.assert_spanish(page, "board-over")


@pytest.mark.slow
def test_check_in_is_in_spanish(night: SpanishNight) -> None:
    evening = night.evening.with_entries("Bob")
    link = evening.ticket("Ann Archer")
    page = night.page(night.organiser, link)
    expect(page.get_by_text("Aún sin inscripción")).to_be_visible()
    night.assert_spanish(page, "check-in")
    button(page, "Cobrar inscripción de $80").click()
    status = page.get_by_role("main").get_by_role("status")
    expect(status).to_contain_text("Ann Archer se inscribió.")
    button(page, "Registrar").click()
    expect(page.get_by_text(re.compile(r"^Registrado a las \d\d:\d\d$"))).to_be_visible()
    night.assert_spanish(page, "check-in-arrived")
    evening.do("draw-seats")
    phone = night.page(to=link, width=360)
    expect(phone.get_by_text(re.compile(r"^Mesa 1, asiento \d$"))).to_be_visible()
    expect(button(phone, "Jugar en mi asiento")).to_be_visible()
    night.assert_spanish(phone, "check-in-phone")


@pytest.mark.slow
def test_cage_is_in_spanish(night: SpanishNight) -> None:
    page = night.page(night.organiser, f"/night/{night.evening.event}/cage")
    cage = page.get_by_role("form", name="Caja", exact=True)
    for what, amount, message in (
        ("Vender fichas", "1200", "Fichas vendidas: Ann Archer, $1,200."),
        ("Canjear fichas", "200", "Fichas canjeadas: Ann Archer, $200."),
    ):
        cage.get_by_label("Jugador").fill("Ann Archer")
        cage.get_by_label("Dólares").fill(amount)
        cage.get_by_role("button", name=what).click()
        expect(page.get_by_role("status").filter(has_text=message)).to_be_visible()
    night.assert_spanish(page, "cage")
    button(page, "Anular el comprobante 3").click()
    dialog = page.get_by_role("dialog", name="Anular el comprobante 3")
    dialog.get_by_label("Motivo").fill(REASON)
    night.assert_spanish(page, "cage-undo")
    button(page, "Anular").click()
    expect(page.get_by_text(f"anulado: {REASON}")).to_be_visible()
    form = page.get_by_role("form", name="Fondo inicial")
    form.get_by_label("Fondo inicial").fill("50")
    form.get_by_role("button", name="Añadir fondo").click()
    expect(page.get_by_text("El fondo inicial está en la gaveta")).to_be_visible()
    night.assert_spanish(page, "cage-float")


@pytest.mark.slow
def test_floor_is_in_spanish(night: SpanishNight) -> None:
    evening = night.evening.with_entries(*PLAYERS[:3])
    # Somebody whom the house knows as "bob" from another night keeps that spelling.
    players = {player["player"] for player in evening.get("/tournaments/t1")["players"]}
    (bob,) = (name for name in players if name.lower() == "bob")
    page = night.page(night.organiser, f"/night/{evening.event}/tournaments/t1")
    steps = {
        "Registrar anuncio": "Anuncio registrado.",
        "Sortear asientos": "Asientos sorteados.",
        "Empezar el juego": "Juego iniciado. Pueden empezar las rondas.",
        "Iniciar reloj": "Reloj iniciado",
        f"Eliminar, {bob}": f"{bob} quedó eliminado.",
        "Código, Ann Archer": "",
    }
    for name, message in steps.items():
        night.assert_spanish(page, f"floor-{message[:8]}".strip())
        button(page, name).click()
        if message:
            expect(page.get_by_role("status").filter(has_text=message)).to_be_visible()
    expect(page.get_by_role("dialog", name="Código de registro de Ann Archer")).to_be_visible()
    night.assert_spanish(page, "floor-code")


@pytest.mark.slow_cases("", "closing", "tables")
@pytest.mark.parametrize("part", ["", "closing", "tables"])
def test_night_pages_are_in_spanish(night: SpanishNight, part: str) -> None:
    evening = night.evening.with_clock_running(*PLAYERS[:2])
    page = night.page(night.organiser, f"/night/{evening.event}/{part}".rstrip("/"))
    page.get_by_role("heading", level=2).first.wait_for()
    night.assert_spanish(page, f"night-{part}")


INVALID_SETTINGS = (
    '{"language": "fr"}',
    '{"language": ["es"]}',
    "null",
    "[]",
    '"es"',
    "{",
    '{"language": 7}',
)


@pytest.mark.parametrize("stored", INVALID_SETTINGS)
def test_unknown_language_falls_back_to_english(stored: str, visit: Visit) -> None:
    """An earlier choice that is left in a cookie is forgotten on both sides."""
    page = visit()
    page.evaluate("([name, kept]) => { localStorage[name] = kept; }", [SETTINGS, stored])
    page.evaluate("() => { document.cookie = 'pitbook-language=es; path=/'; }")
    page.goto("/board/none-such/t1")
    expect(page.get_by_role("heading", name="Clock board")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("alert")).to_contain_text('There is no event "none-such"')


def test_english_is_detected(night: SpanishNight) -> None:
    """The same checks find English on an English page."""
    page = night.visit(night.organiser)
    page.goto(f"/night/{night.evening.event}/cage")
    page.get_by_role("form", name="Cage").wait_for()
    texts = english_left(page)
    assert {"Sell chips", "Add opening bank", "In the drawer", "Slips"} <= set(texts)
    assert {"the", "chips", "undo", "slip"} <= only_english()
    assert not {"ante", "caja", "de", "no"} & only_english()
