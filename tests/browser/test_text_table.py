"""Screen readers and reduced motion: the full text view, and nothing moves needlessly."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.page_build import script
from tests.browser.player import RANKS, Game, Json, Player, each_kind, format_amount, keep_settings
from tests.browser.server import House

STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
PHASES = {"wagers": "Place your bets.", "play": "Players are acting.", "over": "Round over"}
STILL_MS = 10


def card_name(card: str) -> str:
    return f"{RANKS['23456789TJQKA'.index(card[0])]} of {SUITS[card[1]]}"


def expected_texts(view: Json, titles: dict[str, str]) -> list[str]:
    """The texts that the text view must contain for this view."""
    texts = [PHASES[view["phase"]], f"balance is {format_amount(view['wallet'])}"]
    texts += [card_name(card) for card in view["board"]["cards"] if card]
    for seat in view["seats"]:
        if seat["player"] is None:
            continue
        texts += [card_name(card) for card in seat.get("cards", ()) if card]
        texts += [
            f"{titles[name]}: {format_amount(amount)}." for name, amount in seat.get("wagers", ())
        ]
    result = view["result"] or {"seats": []}
    texts += [line["text"] for seat in result["seats"] for line in seat["told"]]
    arranged = view["board"].get("arranged")
    if arranged:
        texts += [f"{arranged[side]['points']} points" for side in ("low", "high")]
    return texts


def read_text(player: Player, titles: dict[str, str]) -> str:
    """The text view; fails if it lacks anything on the felt."""
    text = player.page.locator("main .text, main [data-text]").first.inner_text()
    missing = [
        expected for expected in expected_texts(player.view(), titles) if expected not in text
    ]
    assert missing == [], text
    return text


def titles_of(house: House, sheet: str) -> dict[str, str]:
    """The title of each wager on the layout."""
    rules = house.get(f"/api/sheets/{sheet}")
    main = rules.get("ante") or rules["bet"]
    titles = {"ante" if "ante" in rules else "bet": main["title"], "double": "Double"}
    titles |= {street["id"]: street["title"] for street in rules.get("streets", ())}
    return titles | {name: side["title"] for name, side in rules["side"].items()}


@pytest.mark.slow_cases("catfish-bend/mississippi-stud", "louisiana-stud/stax-required")
@pytest.mark.parametrize("sheet", each_kind())
def test_text_view_has_everything_on_the_felt(
    sheet: str, house: House, visit: Visit, games: dict[str, Game]
) -> None:
    page, game, titles = visit(), games[sheet], titles_of(house, sheet)
    keep_settings(page, motion="instant", text=True)
    player = Player(page)
    player.sit(game)
    for title in (game.main, *game.required, *game.optional):
        more_button = page.get_by_role(
            "button", name=re.compile(rf"^Add .* to {re.escape(title)}$")
        )
        more_button.click()
        placed = re.compile(rf"{re.escape(title)}: \$[\d,]+\.")
        expect(page.locator("main")).to_contain_text(placed)
    read_text(player, titles)
    player.deal()
    plays = ["Low"] if sheet == HI_LO else ["1x", "1x", "1x"]
    for n, play in enumerate(plays):
        expect(player.action(play)).to_be_enabled()
        wait_for_decisions(player, n)
        text = read_text(player, titles)
        assert "Your options" in text
        assert "face down" in text
        player.hands.do(player, play)
    player.wait_for_result()
    text = read_text(player, titles)
    assert "face down" not in text
    net = player.view()["result"]["seats"][0]["net"]
    assert ("You break even" if net == "0.00" else format_amount(net.removeprefix("-"))) in text


def wait_for_decisions(player: Player, plays: int) -> None:
    """Wait until the text shows this many decisions."""
    played_texts = {1: "Played: 1x.", 2: "Played: 1x and 1x."}
    if plays:
        expect(player.page.get_by_text(played_texts[plays])).to_be_visible()


def test_live_region_announces_deal_result_and_balance(
    guest: Player, games: dict[str, Game]
) -> None:
    guest.sit(games[STUD])
    expect(guest.log).to_have_attribute("aria-live", "polite")
    guest.round(games[STUD])
    view = guest.view()
    announced = guest.log.inner_text()
    board = view["board"]["cards"]
    assert f"Dealer turns over {card_name(board[-1])}." in announced
    for line in view["result"]["seats"][0]["told"]:
        assert line["text"] in announced
    assert f"Balance: {format_amount(view['wallet'])}." in announced
    guest.page.get_by_role("tab", name="Log").click()
    log_text = guest.side_panel.inner_text()
    mine = view["seats"][0]["cards"]
    assert f"Your cards: {' and '.join(map(card_name, mine))}." in log_text


def test_refusal_is_announced(guest: Player, games: dict[str, Game]) -> None:
    guest.sit(games[STUD])
    guest.circle("3 Card Bonus").click(force=True)
    expect(guest.page.get_by_role("alert").get_by_text("before the 3 Card Bonus")).to_be_visible()
    expect(guest.log).to_contain_text("before the 3 Card Bonus")


def visible_motions(
    page: Page, games: dict[str, Game], *, whole: bool = True
) -> list[tuple[str, float]]:
    """What moved visibly in a round, or in its beginning."""
    page.add_init_script(script("record_animations"))
    player = Player(page)
    player.sit_down(games[STUD])
    if whole:
        player.round(games[STUD], "3 Card Bonus")
        player.rebet()
    else:
        player.bet(games[STUD])
        player.deal()
        player.play("1x", "1x")
    motions: list[tuple[str, float]] = page.evaluate("window.moves")
    return [(name, length) for name, length in motions if length > STILL_MS]


@pytest.mark.slow
def test_instant_setting_stops_all_motion(visit: Visit, games: dict[str, Game]) -> None:
    page = visit(fresh=True)
    keep_settings(page, motion="instant")
    assert visible_motions(page, games) == []


@pytest.mark.slow
def test_cards_are_animated_by_default(visit: Visit, games: dict[str, Game]) -> None:
    """The check above detects motion when it is on."""
    moved = visible_motions(visit(fresh=True), games, whole=False)
    kinds = {name.rpartition("-")[2] for name, _ in moved}
    assert {"lay", "turn"} <= kinds


def test_page_is_silent_until_sound_is_on(newcomer: Player, games: dict[str, Game]) -> None:
    newcomer.page.context.add_init_script(
        "window.heard = 0; window.AudioContext = class extends AudioContext {"
        "constructor() { super(); window.heard += 1; } };"
    )
    newcomer.sit(games[STUD])
    newcomer.round(games[STUD])
    assert newcomer.page.evaluate("window.heard") == 0
    choose_setting(newcomer.page, "Sound")
    newcomer.rebet()
    newcomer.deal()
    newcomer.wait_for_decision()
    assert newcomer.page.evaluate("window.heard") > 0


def choose_setting(page: Page, name: str) -> None:
    """Choose a setting in its dialog."""
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    dialog.get_by_label(name).check()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def suit_colors(page: Page) -> dict[str, str]:
    """The color of each suit in the style sheet."""
    colors: dict[str, str] = page.evaluate(script("suit_colors"))
    return colors


@pytest.mark.slow
def test_four_color_deck_persists(guest: Player, games: dict[str, Game]) -> None:
    page = guest.page
    guest.sit(games[STUD])
    assert len(set(suit_colors(page).values())) == 2
    choose_setting(page, "Four colors")
    four = suit_colors(page)
    assert len(set(four.values())) == 4
    page.reload()
    guest.circle("Ante").wait_for()
    assert suit_colors(page) == four


@pytest.mark.slow_cases("Light")
@pytest.mark.parametrize("wish", ["Light", "Dark"])
def test_color_scheme_is_the_user_s_choice(wish: str, visit: Visit) -> None:
    page = visit(color_scheme="light" if wish == "Dark" else "dark")
    page.goto("/")
    before = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    choose_setting(page, wish)
    after = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert before != after
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == wish.lower()
