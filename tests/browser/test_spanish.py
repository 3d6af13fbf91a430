"""The page in another language: chosen, stored, sent to the house, and used in a round."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.page_build import script
from tests.browser.player import (
    INSTANT,
    LIMITS,
    Game,
    Player,
    commands_to_deal,
    keep_settings,
    ready,
)
from tests.browser.server import House
from tests.browser.spanish import english_left, in_spanish, resize, speak_spanish
from tests.browser.visitors import PATIENCE_MS, go

STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
STREETS = 3
SIZES = ((360, 740), (844, 390), (1366, 657))
CARD_MIN_PX = 44  # Pixels; a narrower card cannot be read.
FOCUSED_LABEL = "() => document.activeElement.closest('label')?.innerText.trim()"


def sheet_names(house: House) -> list[str]:
    """What stays in English: games, venues, wagers, streets, and the sheet's own notes."""
    sheets = house.get("/api/sheets")["sheets"]
    wagers = [wager["title"] for sheet in sheets for wager in sheet["wagers"].values()]
    places = [text for sheet in sheets for text in (sheet["title"], sheet["venue"], sheet["id"])]
    rules = house.get(f"/api/sheets/{STUD}")
    streets = [street["title"] for street in rules.get("streets", ())]
    notes = [note for sheet in sheets for note in _notes(house.get(f"/api/sheets/{sheet['id']}"))]
    return [*wagers, *places, *streets, *notes, "English", "Enter", "guest"]


def _notes(part: Any) -> list[str]:
    if not isinstance(part, dict | list):
        return []
    own_notes = [part["note"]] if isinstance(part, dict) and part.get("note") else []
    return own_notes + [
        note
        for value in (part.values() if isinstance(part, dict) else part)
        for note in _notes(value)
    ]


class EnglishFinder:
    """Collects English texts on every screen."""

    def __init__(self, page: Page, house: House) -> None:
        self._page, self._names = page, sheet_names(house)
        self.found: dict[str, list[str]] = {}

    def check(self, where: str) -> None:
        if left := english_left(self._page, self._names):
            self.found[where] = left


def test_round_is_in_spanish(house: House, visit: Visit) -> None:
    page = visit(fresh=True)
    keep_settings(page, **INSTANT)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Casino table games")
    speak_spanish(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Juegos de mesa")
    card = page.get_by_role("article").filter(has=page.locator(f'a[href="/rules/{STUD}"]'))
    expect(card).to_contain_text("%")
    reader = EnglishFinder(page, house)
    reader.check("lobby")
    card.get_by_role("button", name="Practicar").click()
    play_round(page, reader)
    for tab in page.get_by_role("tab").all():
        tab.click()
        reader.check(tab.inner_text())
    page.get_by_role("link", name="Historial").click()
    page.get_by_role("listitem").first.get_by_role("link").click()
    page.get_by_role("group", name="Repetición").wait_for()
    reader.check("replay")
    assert not reader.found, json.dumps(reader.found, indent=1, ensure_ascii=False)


def play_round(page: Page, reader: EnglishFinder) -> None:
    """Bets, three decisions and the result, by their Spanish names."""
    actions = page.get_by_role("group", name="Acciones")
    ante = page.get_by_role("region", name=re.compile("^Su puesto")).get_by_role(
        "button", name="Ante"
    )
    ante.wait_for()
    reader.check("bets")
    actions.get_by_role("button", name="Repartir").click()
    expect(actions.get_by_role("alert")).to_contain_text("Primero coloque una ficha en Ante")
    ante.click()
    expect(ante).not_to_contain_text(LIMITS)
    ready(actions.get_by_role("button", name="Repartir")).click()
    caption = ""
    for _ in range(STREETS):
        caption = decision(page, after=caption)
        reader.check(caption)
        ready(actions.get_by_role("button", name=re.compile(r"^1x\b"))).click()
    ready(actions.get_by_role("button", name="Repetir"))
    expect(page.get_by_text(re.compile("^Usted (gana|pierde|queda a mano)")).first).to_be_visible()


def decision(page: Page, after: str) -> str:
    """Wait for a new decision on the felt; returns its caption."""
    other = f"(?!{re.escape(after)}$)" if after else ""
    caption = page.get_by_text(re.compile(rf"^{other}.+: su turno$"))
    caption.wait_for()
    return caption.inner_text().strip()


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo", "catfish-bend/mississippi-stud")
@pytest.mark.parametrize("sheet", [STUD, HI_LO])
def test_longer_words_fit(sheet: str, visit: Visit, games: dict[str, Game]) -> None:
    page = visit(fresh=True)
    in_spanish(page, **INSTANT)
    page.goto("/")
    player, wrong = Player(page), dict[str, Any]()
    table = player.seat(games[sheet], *commands_to_deal(games[sheet]))
    go(page, f"/table/{table}")
    decision(page, after="")
    for width, height in SIZES:
        resize(page, width, height)
        problems: list[Any] = []
        # Scripted layout follows the window with a delay.
        for _ in range(PATIENCE_MS // 50):
            problems = [page.evaluate(script("hidden_parts"), CARD_MIN_PX)]
            problems += [page.evaluate(script(what)) for what in ("overflow", "spilled_text")]
            if not any(problems):
                break
            page.wait_for_timeout(50)
        else:
            wrong[f"{width}x{height}"] = problems
    assert wrong == {}


@pytest.mark.slow
def test_language_choice_persists_and_can_be_changed(visit: Visit) -> None:
    page = visit(fresh=True)
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Español").check()
    expect(page.get_by_role("dialog", name="Ajustes")).to_be_visible()
    assert page.evaluate(FOCUSED_LABEL) == "Español"
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.get_by_role("button", name="Ajustes").click()
    page.get_by_role("radio", name="English").check()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_spanish_browser_gets_spanish_until_changed(visit: Visit) -> None:
    page = visit(fresh=True, locale="es-MX")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    page.get_by_role("button", name="Ajustes").click()
    page.get_by_role("radio", name="English").check()
    page.reload()
    expect(page.get_by_role("button", name="Settings")).to_be_visible()
    assert refusal_message(page).startswith("You are not signed in.")


@pytest.mark.slow
def test_spanish_browser_learns_and_plays_in_spanish(visit: Visit) -> None:
    """Without a chosen language, lesson, felt and socket messages still agree."""
    page = visit(fresh=True, locale="es-MX")
    page.goto("/")
    page.get_by_role("link", name=re.compile("^Aprender primero")).click()
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


def test_house_answers_in_the_page_language(visit: Visit) -> None:
    page = visit(fresh=True)
    in_spanish(page)
    page.goto("/")
    page.get_by_role("button", name="Ajustes").wait_for()
    assert refusal_message(page).startswith("No ha iniciado sesión")
    page.goto("/table/nowhere-to-be-found")
    expect(page.get_by_role("heading", level=1)).to_have_text("No se puede mostrar esta mesa")


def refusal_message(page: Page) -> str:
    """The house's refusal to a stranger who asks for a table."""
    script = "() => fetch('/api/tables/stud-1').then((answer) => answer.json())"
    return str(page.evaluate(script)["error"])
