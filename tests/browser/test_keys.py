"""Keys, and what may not be done: shown, with its reason, to whoever has no mouse to hover with."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from tests.browser.player import Game, Player, Typing

STUD = "catfish-bend/mississippi-stud"
FIVE = re.compile(r"\$5(?![\d–])")  # Five dollars on a circle, not the least that it takes.


@pytest.fixture
def typist(guest: Player, games: dict[str, Game]) -> Player:
    """Somebody at a stud table with a keyboard."""
    guest.hands = Typing()
    guest.sit(games[STUD])
    guest.circle("Ante").wait_for()
    return guest


def press(player: Player, *keys: str) -> None:
    for key in keys:
        player.page.keyboard.press(key)


def test_f_folds_r_bets_again_and_enter_deals(typist: Player, games: dict[str, Game]) -> None:
    typist.bet(games[STUD])
    press(typist, "Enter")
    typist.asked()
    press(typist, "f")
    typist.settled()
    assert typist.view()["seats"][0]["plays"] == ["fold"]
    press(typist, "r")
    expect(typist.action("Deal")).to_be_enabled()
    expect(typist.circle("Ante")).to_contain_text("$5")
    press(typist, "Enter")
    typist.asked()
    assert len(typist.view()["seats"][0]["cards"]) == 2


@pytest.mark.slow_cases("2-$10", "3-$15")
@pytest.mark.parametrize(("key", "amount"), [("1", "$5"), ("2", "$10"), ("3", "$15")])
def test_1_2_3_bet_so_many_antes(
    key: str, amount: str, typist: Player, games: dict[str, Game]
) -> None:
    typist.bet(games[STUD])
    typist.deal()
    typist.asked()
    press(typist, key)
    typist.asked(after="Flop bet: your decision")
    expect(typist.wager("Flop bet")).to_contain_text(amount)
    assert typist.view()["seats"][0]["plays"] == [f"{key}x"]


def test_u_undoes_until_betting_closes(typist: Player, games: dict[str, Game]) -> None:
    ante = typist.circle("Ante")
    press(typist, "ArrowUp")
    expect(ante).to_contain_text(FIVE)
    press(typist, "3", "ArrowUp")
    expect(ante).to_contain_text("$30")
    press(typist, "u")
    expect(ante).to_contain_text(FIVE)
    press(typist, "1", "ArrowUp")
    expect(ante).to_contain_text("$6")
    press(typist, "ArrowDown")
    expect(ante).to_contain_text(FIVE)
    typist.deal()
    typist.asked()
    press(typist, "u")
    assert typist.view()["seats"][0]["wagers"] == [["ante", "5.00"]]


def test_a_question_mark_lists_every_key_and_escape_puts_it_away(typist: Player) -> None:
    press(typist, "?")
    dialog = typist.page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    for key in ("Enter", "R", "U", "H", "F", "1", "2", "3", "K", "T", "C", "?"):
        expect(dialog.get_by_text(key, exact=True)).to_have_count(1)
    press(typist, "Enter", "r")
    press(typist, "Escape")
    expect(typist.page.locator("dialog")).to_have_count(0)  # Closed, and the page has heard of it.
    press(typist, "?")
    expect(dialog).to_be_visible()
    typist.page.keyboard.press("Escape")


@pytest.mark.slow
def test_a_key_that_comes_as_a_dialog_closes_is_the_tables(typist: Player) -> None:
    """What a closed dialog held has the focus until the page has heard of it and takes it away."""
    typist.page.keyboard.press("?")
    expect(typist.page.get_by_role("dialog", name="Keys")).to_be_visible()
    typist.page.evaluate(
        """() => {
            document.querySelector("dialog").close();
            const key = new KeyboardEvent("keydown", { key: "t", bubbles: true });
            document.activeElement.dispatchEvent(key);
        }"""
    )
    expect(typist.page.get_by_role("heading", name="Community cards")).to_be_visible()


@pytest.mark.slow
def test_letters_typed_into_a_field_are_no_commands(typist: Player, games: dict[str, Game]) -> None:
    typist.page.get_by_role("tab", name="Seat").click()
    field = typist.beside.get_by_role("textbox")
    expect(field).to_have_value(re.compile("^[0-9a-f]{24}$"))  # Made by the browser.
    field.fill("")
    typist.page.keyboard.type("furthest ?")
    expect(field).to_have_value("furthest ?")
    expect(typist.page.get_by_role("dialog")).to_have_count(0)
    before = typist.view()
    press(typist, "Enter")
    expect(field).to_be_disabled()
    assert typist.view()["seat_seeds"] == {"1": "furthest ?"}
    assert typist.view()["phase"] == before["phase"]
    typist.bet(games[STUD])
    expect(field).to_have_value("furthest ?")
    assert typist.view()["seats"][0]["wagers"] == [["ante", "5.00"]]


def test_a_key_after_a_click_is_the_tables(guest: Player, games: dict[str, Game]) -> None:
    """A mouse leaves no focus on a button that Enter would press again."""
    guest.sit(games[STUD])
    guest.bet(games[STUD])
    press(guest, "Enter")
    guest.asked()
    assert guest.view()["seats"][0]["wagers"] == [["ante", "5.00"]]


def test_what_may_not_be_done_says_why_before_and_after_it_is_tried(
    guest: Player, games: dict[str, Game]
) -> None:
    guest.sit(games[STUD])
    bonus, reason = guest.circle("3 Card Bonus"), "no 3 Card Bonus without it"
    expect(bonus).to_be_disabled()
    bonus.click(force=True)
    expect(guest.page.get_by_role("alert").get_by_text(reason)).to_be_visible()
    expect(guest.action("Undo")).to_be_disabled()
    described(guest, "Undo")
    press(guest, "Enter")
    expect(guest.page.get_by_role("alert").get_by_text("Put a chip on the Ante")).to_be_visible()


def described(player: Player, name: str) -> str:
    """The reason that a button has for a screen reader."""
    action = player.action(name)
    reason = action.evaluate(
        "one => (one.getAttribute('aria-describedby') ?? '').split(' ')"
        ".map(id => document.getElementById(id)?.textContent ?? '').join(' ')"
    )
    assert reason, f"{name} has no reason for a screen reader"
    return str(reason)


def test_a_bet_that_the_chips_do_not_cover_is_shown_with_its_reason(
    typist: Player, games: dict[str, Game]
) -> None:
    press(typist, "5", "ArrowUp")
    expect(typist.circle("Ante")).to_contain_text("$500")
    typist.deal()
    typist.asked()
    expect(typist.action("1x")).to_be_enabled()
    for play in ("2x", "3x"):
        expect(typist.action(play)).to_be_disabled()
        assert "$500 left" in described(typist, play)
    press(typist, "3")
    expect(typist.page.get_by_role("alert").get_by_text("$1,500 is needed")).to_be_visible()
    assert typist.view()["seats"][0]["plays"] == []
    press(typist, "f")


@pytest.mark.slow
def test_clauses_are_told_on_demand(typist: Player, games: dict[str, Game]) -> None:
    typist.round(games[STUD])
    clause = typist.beside.get_by_text(re.compile("^CMS-"))
    expect(clause).to_have_count(0)
    press(typist, "c")
    expect(clause.first).to_be_visible()


@pytest.mark.slow
def test_tabs_beside_the_felt_are_walked_with_arrows(typist: Player) -> None:
    typist.page.get_by_role("tab", name="Result").focus()
    press(typist, "ArrowRight", "ArrowRight", "ArrowRight")
    expect(typist.page.get_by_role("tab", name="Pays")).to_have_attribute("aria-selected", "true")
    expect(typist.page.get_by_role("tab", name="Pays")).to_be_focused()
    expect(typist.beside).to_contain_text("Royal flush")
    assert typist.view()["seats"][0].get("wagers") is None
