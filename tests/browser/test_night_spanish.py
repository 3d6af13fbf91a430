"""A charity night in Spanish: no English is left but names and what the organiser wrote."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Visit
from tests.browser.evening import PLAYERS, Evening
from tests.browser.house import House
from tests.browser.player import SETTINGS
from tests.browser.spanish import english_left, in_spanish, only_english, read_whole

CHARITY = "Seacoast Shelter"
REASON = "wrong player, said the desk"


class Night:
    """One night, and browsers that speak Spanish there."""

    def __init__(self, house: House, visit: Visit) -> None:
        self.visit, self.evening = visit, Evening(house)
        self.organiser = house.player("olga", "organiser")
        self.sheets = house.get("/api/sheets")["sheets"]

    def page(self, name: str | None = None, to: str = "", width: int = 1366) -> Page:
        """A page in Spanish, of somebody or of a stranger."""
        page = self.visit(name, width=width, height=740 if width < 400 else 657, fresh=True)
        in_spanish(page)
        page.goto(to)
        expect(page.locator("html")).to_have_attribute("lang", "es")
        return page

    def whole(self, page: Page, name: str) -> None:
        """All of it is in Spanish, but for names and what the organiser wrote."""
        evening = self.evening
        titles = [one["title"] for one in (*evening.get()["tournaments"], *self.sheets)]
        venues = [one["venue"] for one in self.sheets]
        own = (evening.event, CHARITY, REASON, self.organiser, *PLAYERS, *titles, *venues)
        read_whole(page, name, own)


@pytest.fixture
def night(house: House, visit: Visit) -> Night:
    return Night(house, visit)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.slow
def test_the_board_is_in_spanish_while_it_runs_rests_and_ends(night: Night) -> None:
    evening = night.evening.playing(*PLAYERS)
    evening.do("eliminate", players=["Bob"])
    page = night.page(to=f"/board/{evening.event}/t1")
    main = page.get_by_role("main")
    for text in ("Nivel 1 de", "Próximo nivel: Ante 50–200", "9 de 10", "1.º $390", "2,000"):
        expect(main).to_contain_text(text)
    expect(page.get_by_role("timer", name="Tiempo restante")).to_be_visible()
    night.whole(page, "board")
    evening.do("pause-clock")
    expect(page.get_by_text("En pausa", exact=True)).to_be_visible()
    night.whole(page, "board-paused")
    evening.do("resume-clock")
    evening.do("break", minutes=7)
    expect(page.get_by_text("Descanso", exact=True)).to_be_visible()
    night.whole(page, "board-break")
    evening.do("eliminate", players=list(PLAYERS[2:]))
    evening.do("finish")
    expect(page.get_by_text("Terminado", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="Premios")).to_contain_text("Resultados")
    night.whole(page, "board-over")


@pytest.mark.slow
def test_whoever_arrives_is_checked_in_in_spanish(night: Night) -> None:
    evening = night.evening.entered("Bob")
    link = evening.ticket("Ann Archer")
    page = night.page(night.organiser, link)
    expect(page.get_by_text("Aún sin inscripción")).to_be_visible()
    night.whole(page, "check-in")
    button(page, "Cobrar la inscripción, $80").click()
    said = page.get_by_role("main").get_by_role("status")
    expect(said).to_contain_text("Ann Archer ya tiene inscripción.")
    button(page, "Registrar la llegada").click()
    expect(page.get_by_text(re.compile(r"^Llegó a las \d\d:\d\d$"))).to_be_visible()
    night.whole(page, "check-in-arrived")
    evening.do("draw-seats")
    phone = night.page(to=link, width=360)
    expect(phone.get_by_text(re.compile(r"^Mesa 1, asiento \d$"))).to_be_visible()
    expect(button(phone, "Jugar en mi asiento")).to_be_visible()
    night.whole(phone, "check-in-phone")


@pytest.mark.slow
def test_the_cage_sells_redeems_and_takes_back_in_spanish(night: Night) -> None:
    page = night.page(night.organiser, f"/night/{night.evening.event}/cage")
    cage = page.get_by_role("form", name="Caja", exact=True)
    for what, amount, said in (
        ("Vender fichas", "1200", "Fichas vendidas: Ann Archer, $1,200."),
        ("Canjear fichas", "200", "Fichas canjeadas: Ann Archer, $200."),
    ):
        cage.get_by_label("Jugador").fill("Ann Archer")
        cage.get_by_label("Dólares").fill(amount)
        cage.get_by_role("button", name=what).click()
        expect(page.get_by_role("status").filter(has_text=said)).to_be_visible()
    night.whole(page, "cage")
    button(page, "Anular el comprobante 3").click()
    dialog = page.get_by_role("dialog", name="Anular el comprobante 3")
    dialog.get_by_label("Motivo").fill(REASON)
    night.whole(page, "cage-undo")
    button(page, "Anularlo").click()
    expect(page.get_by_text(f"anulado: {REASON}")).to_be_visible()
    form = page.get_by_role("form", name="Fondo de caja")
    form.get_by_label("Fondo de caja, en dólares").fill("50")
    form.get_by_role("button", name="Traer un fondo").click()
    expect(page.get_by_text("El fondo está en la caja.")).to_be_visible()
    night.whole(page, "cage-float")


@pytest.mark.slow
def test_the_floor_is_run_in_spanish(night: Night) -> None:
    evening = night.evening.entered(*PLAYERS[:3])
    # Somebody whom the house knows as "bob" from another night is called so here, too.
    known = {one["player"] for one in evening.get("/tournaments/t1")["players"]}
    (bob,) = (one for one in known if one.lower() == "bob")
    page = night.page(night.organiser, f"/night/{evening.event}/tournaments/t1")
    steps = {
        "Anunciado por el anfitrión": "El anuncio queda registrado.",
        "Sortear asientos": "Los asientos están sorteados.",
        "Empezar el juego": "Se da la salida; ya pueden empezar las rondas.",
        "Poner en marcha el reloj": "El reloj está en marcha.",
        f"Eliminar, {bob}": f"{bob} queda fuera.",
        "Código, Ann Archer": "",
    }
    for name, said in steps.items():
        night.whole(page, f"floor-{said[:8]}".strip())
        button(page, name).click()
        if said:
            expect(page.get_by_role("status").filter(has_text=said)).to_be_visible()
    expect(page.get_by_role("dialog", name="Código de registro de Ann Archer")).to_be_visible()
    night.whole(page, "floor-code")


@pytest.mark.slow_cases("", "closing", "tables")
@pytest.mark.parametrize("part", ["", "closing", "tables"])
def test_each_part_of_a_night_is_in_spanish(night: Night, part: str) -> None:
    evening = night.evening.playing(*PLAYERS[:2])
    page = night.page(night.organiser, f"/night/{evening.event}/{part}".rstrip("/"))
    page.get_by_role("heading", level=2).first.wait_for()
    night.whole(page, f"night-{part}")


ODD = ('{"language": "fr"}', '{"language": ["es"]}', "null", "[]", '"es"', "{", '{"language": 7}')


@pytest.mark.parametrize("kept", ODD)
def test_a_language_that_nobody_speaks_here_is_english(kept: str, visit: Visit) -> None:
    """And a choice of before, of which a cookie is left, is forgotten on both sides."""
    page = visit()
    page.evaluate("([name, kept]) => { localStorage[name] = kept; }", [SETTINGS, kept])
    page.evaluate("() => { document.cookie = 'pitbook-language=es; path=/'; }")
    page.goto("/board/none-such/t1")
    expect(page.get_by_role("heading", name="Clock board")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_role("alert")).to_contain_text('There is no night "none-such"')


def test_english_would_be_found(night: Night) -> None:
    """So the three above can fail: the same pages in English are full of it."""
    page = night.visit(night.organiser)
    page.goto(f"/night/{night.evening.event}/cage")
    page.get_by_role("form", name="Cage").wait_for()
    found = english_left(page)
    assert {"Sell chips", "Bring a float", "In the drawer", "Slips"} <= set(found)
    assert {"the", "chips", "undo", "slip"} <= only_english()
    assert not {"ante", "caja", "de", "no"} & only_english()
