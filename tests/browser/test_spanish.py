"""The page in another language: chosen, kept, told to the house, spoken to a round's end."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.built import script
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import INSTANT, LIMITS, Game, Player, dealt, keep_settings, ready
from tests.browser.spanish import english_left, in_spanish, resized, speak_spanish
from tests.browser.visitors import PATIENCE_MS, go

STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
STREETS = 3
SIZES = ((360, 740), (844, 390), (1366, 657))
LEAST = 44  # Pixels; a card that is narrower cannot be read.
CHOSEN = "() => document.activeElement.closest('label')?.innerText.trim()"


def names(house: House) -> list[str]:
    """What stays as the sheet has it: games, venues, wagers and what it says of itself."""
    sheets = house.get("/api/sheets")["sheets"]
    wagers = [one["title"] for sheet in sheets for one in sheet["wagers"].values()]
    places = [text for sheet in sheets for text in (sheet["title"], sheet["venue"], sheet["id"])]
    whole = house.get(f"/api/sheets/{STUD}")
    streets = [street["title"] for street in whole.get("streets", ())]
    return [*wagers, *places, *streets, "English", "Enter", "guest"]


class Reader:
    """Somebody who looks for English on every screen, and tells of it at the end."""

    def __init__(self, page: Page, house: House) -> None:
        self._page, self._names = page, names(house)
        self.found: dict[str, list[str]] = {}

    def look(self, where: str) -> None:
        if left := english_left(self._page, self._names):
            self.found[where] = left


def test_a_round_is_played_in_spanish(house: House, visit: Visit) -> None:
    page = visit(fresh=True)
    keep_settings(page, **INSTANT)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Table games")
    speak_spanish(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Juegos de mesa")
    card = page.get_by_role("article").filter(has=page.locator(f'a[href="/rules/{STUD}"]'))
    expect(card).to_contain_text("%")
    reader = Reader(page, house)
    reader.look("lobby")
    card.get_by_role("button", name="Practicar").click()
    play_round(page, reader)
    for tab in page.get_by_role("tab").all():
        tab.click()
        reader.look(tab.inner_text())
    page.get_by_role("link", name="Historial").click()
    page.get_by_role("listitem").first.get_by_role("link").click()
    page.get_by_role("group", name="Repetición").wait_for()
    reader.look("replay")
    assert not reader.found, json.dumps(reader.found, indent=1, ensure_ascii=False)


def play_round(page: Page, reader: Reader) -> None:
    """Bets, three decisions and the result, by what the page calls them."""
    actions = page.get_by_role("group", name="Acciones")
    ante = page.get_by_role("region", name=re.compile("^Su puesto")).get_by_role(
        "button", name="Ante"
    )
    ante.wait_for()
    reader.look("bets")
    actions.get_by_role("button", name="Repartir").click()
    expect(actions.get_by_role("alert")).to_contain_text("Ponga primero una ficha en Ante")
    ante.click()
    expect(ante).not_to_contain_text(LIMITS)
    ready(actions.get_by_role("button", name="Repartir")).click()
    asked = ""
    for _ in range(STREETS):
        asked = decision(page, after=asked)
        reader.look(asked)
        ready(actions.get_by_role("button", name=re.compile(r"^1x\b"))).click()
    ready(actions.get_by_role("button", name="Repetir"))
    expect(page.get_by_text(re.compile("^Usted (gana|pierde|queda a mano)")).first).to_be_visible()


def decision(page: Page, after: str) -> str:
    """What the felt asks for, once that is something new."""
    other = f"(?!{re.escape(after)}$)" if after else ""
    caption = page.get_by_text(re.compile(rf"^{other}.+: usted decide$"))
    caption.wait_for()
    return caption.inner_text().strip()


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo", "catfish-bend/mississippi-stud")
@pytest.mark.parametrize("sheet", [STUD, HI_LO])
def test_longer_words_cover_no_card_and_stick_out_of_nothing(
    sheet: str, visit: Visit, games: dict[str, Game]
) -> None:
    page = visit(fresh=True)
    in_spanish(page, **INSTANT)
    page.goto("/")
    player, wrong = Player(page), dict[str, Any]()
    table = player.seat(games[sheet], *dealt(games[sheet]))
    go(page, f"/table/{table}")
    decision(page, after="")
    for width, height in SIZES:
        resized(page, width, height)
        found: list[Any] = []
        # What a script lays out follows the window in its own time.
        for _ in range(PATIENCE_MS // 50):
            found = [page.evaluate(script("covered"), LEAST)]
            found += [page.evaluate(script(what)) for what in ("overflow", "spilled")]
            if not any(found):
                break
            page.wait_for_timeout(50)
        else:
            wrong[f"{width}x{height}"] = found
    assert wrong == {}


@pytest.mark.slow
def test_the_choice_stays_and_can_be_taken_back(visit: Visit) -> None:
    page = visit(fresh=True)
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Español").check()
    expect(page.get_by_role("dialog", name="Ajustes")).to_be_visible()
    assert page.evaluate(CHOSEN) == "Español"
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.get_by_role("button", name="Ajustes").click()
    page.get_by_role("radio", name="English").check()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_spanish_browser_is_spoken_to_in_spanish_until_english_is_chosen(visit: Visit) -> None:
    page = visit(fresh=True, locale="es-MX")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.get_by_role("button", name="Ajustes").click()
    page.get_by_role("radio", name="English").check()
    page.reload()
    expect(page.get_by_role("button", name="Settings")).to_be_visible()
    assert refused(page).startswith("nobody is signed in")


@pytest.mark.slow
def test_a_spanish_browser_learns_and_plays_in_spanish(visit: Visit) -> None:
    """Nobody has chosen it: lesson, felt and what the socket tells are of one language."""
    page = visit(fresh=True, locale="es-MX")
    page.goto("/")
    page.get_by_role("link", name=re.compile("^Primero aprender")).click()
    expect(page.get_by_text("Antes de que se reparta")).to_be_visible()
    expect(page.get_by_role("link", name="Antes")).to_have_count(0)  # "Before" is no bet.
    page.get_by_role("button", name="Saltar y jugar").click()
    bar = page.get_by_role("group", name="Acciones")
    page.get_by_role("button", name=re.compile("^Bet")).click()
    bar.get_by_role("button", name=re.compile("^Repartir")).and_(
        page.locator('[data-staked="true"]')
    ).click()
    expect(bar.locator("button.play .name")).to_have_text(
        [re.compile("^Baja"), re.compile("^Alta"), re.compile("^Doble")]
    )


def test_the_house_answers_in_the_language_of_the_page(visit: Visit) -> None:
    page = visit(fresh=True)
    in_spanish(page)
    page.goto("/")
    page.get_by_role("button", name="Ajustes").wait_for()
    assert refused(page).startswith("nadie ha iniciado sesión")
    page.goto("/table/nowhere-to-be-found")
    expect(page.get_by_role("heading", level=1)).to_have_text("Esta mesa no se puede mostrar")


def refused(page: Page) -> str:
    """What the house says to a stranger who asks for a table."""
    script = "() => fetch('/api/tables/stud-1').then((answer) => answer.json())"
    return str(page.evaluate(script)["error"])
