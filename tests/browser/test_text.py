"""For ears and for still eyes: the table told in full, and nothing moves that should not."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.built import script
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import RANKS, Game, Json, Player, each_kind, keep_settings, spoken

STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
PHASES = {"wagers": "Bets are open.", "play": "Decisions are due.", "over": "The round is over"}
STILL_MS = 10


def said(card: str) -> str:
    return f"{RANKS['23456789TJQKA'.index(card[0])]} of {SUITS[card[1]]}"


def shown(view: Json, titles: dict[str, str]) -> list[str]:
    """All that a felt shows at this moment, in the words that a text has to have."""
    found = [PHASES[view["phase"]], f"balance is {spoken(view['wallet'])}"]
    found += [said(card) for card in view["board"]["cards"] if card]
    for seat in view["seats"]:
        if seat["player"] is None:
            continue
        found += [said(card) for card in seat.get("cards", ()) if card]
        found += [f"{titles[name]}: {spoken(amount)}." for name, amount in seat.get("wagers", ())]
    result = view["result"] or {"seats": []}
    found += [line["text"] for seat in result["seats"] for line in seat["told"]]
    arranged = view["board"].get("arranged")
    if arranged:
        found += [f"{arranged[side]['points']} points" for side in ("low", "high")]
    return found


def told(player: Player, titles: dict[str, str]) -> str:
    """The text now; fails where it keeps something from its reader."""
    text = player.page.locator("main .text, main [data-text]").first.inner_text()
    missing = [one for one in shown(player.view(), titles) if one not in text]
    assert missing == [], text
    return text


def titles_of(house: House, sheet: str) -> dict[str, str]:
    """What each wager is called on the layout."""
    whole = house.get(f"/api/sheets/{sheet}")
    main = whole.get("ante") or whole["bet"]
    found = {"ante" if "ante" in whole else "bet": main["title"], "double": "Double"}
    found |= {street["id"]: street["title"] for street in whole.get("streets", ())}
    return found | {name: side["title"] for name, side in whole["side"].items()}


@pytest.mark.slow_cases("catfish-bend/mississippi-stud", "louisiana-stud/stax-required")
@pytest.mark.parametrize("sheet", each_kind())
def test_the_text_tells_everything_that_the_felt_shows(
    sheet: str, house: House, visit: Visit, games: dict[str, Game]
) -> None:
    page, game, titles = visit(), games[sheet], titles_of(house, sheet)
    keep_settings(page, motion="instant", text=True)
    player = Player(page)
    player.sit(game)
    for title in (game.main, *game.required, *game.optional):
        more = page.get_by_role("button", name=f"more on the {title}")
        more.click()
        expect(page.locator("main")).to_contain_text(f"{title}: $")
    told(player, titles)
    player.deal()
    plays = ["Low"] if sheet == HI_LO else ["1x", "1x", "1x"]
    for n, play in enumerate(plays):
        expect(player.action(play)).to_be_enabled()
        decided(player, n)
        text = told(player, titles)
        assert "you may" in text
        assert "face down" in text
        player.hands.do(player, play)
    player.settled()
    text = told(player, titles)
    assert "face down" not in text
    net = player.view()["result"]["seats"][0]["net"]
    assert ("You break even" if net == "0.00" else spoken(net.removeprefix("-"))) in text


def decided(player: Player, plays: int) -> None:
    """Returns when the text tells of so many decisions."""
    said = {1: "Played: 1x.", 2: "Played: 1x and 1x."}
    if plays:
        expect(player.page.get_by_text(said[plays])).to_be_visible()


def test_a_live_region_tells_deal_result_and_balance(guest: Player, games: dict[str, Game]) -> None:
    guest.sit(games[STUD])
    expect(guest.log).to_have_attribute("aria-live", "polite")
    guest.round(games[STUD])
    view = guest.view()
    heard = guest.log.inner_text()
    board = view["board"]["cards"]
    assert f"The dealer turns {said(board[-1])}." in heard
    for line in view["result"]["seats"][0]["told"]:
        assert line["text"] in heard
    assert f"Balance {spoken(view['wallet'])}." in heard
    guest.page.get_by_role("tab", name="Log").click()
    whole = guest.beside.inner_text()
    mine = view["seats"][0]["cards"]
    assert f"Your cards: {' and '.join(map(said, mine))}." in whole


def test_a_refusal_is_heard(guest: Player, games: dict[str, Game]) -> None:
    guest.sit(games[STUD])
    guest.circle("3 Card Bonus").click(force=True)
    expect(guest.page.get_by_role("alert").get_by_text("without it")).to_be_visible()
    expect(guest.log).to_contain_text("without it")


def moves(page: Page, games: dict[str, Game], *, whole: bool = True) -> list[tuple[str, float]]:
    """What moved for longer than an eye sees, in a round with a win or not, or in its beginning."""
    page.add_init_script(script("moves"))
    player = Player(page)
    player.sit_down(games[STUD])
    if whole:
        player.round(games[STUD], "3 Card Bonus")
        player.rebet()
    else:
        player.bet(games[STUD])
        player.deal()
        player.play("1x", "1x")
    found: list[tuple[str, float]] = page.evaluate("window.moves")
    return [(name, length) for name, length in found if length > STILL_MS]


@pytest.mark.slow
def test_nothing_moves_where_the_player_wants_it_at_once(
    visit: Visit, games: dict[str, Game]
) -> None:
    page = visit(fresh=True)
    keep_settings(page, motion="instant")
    assert moves(page, games) == []


@pytest.mark.slow
def test_cards_are_dealt_and_turned_for_everybody_else(
    visit: Visit, games: dict[str, Game]
) -> None:
    """So the one above can fail."""
    moved = moves(visit(fresh=True), games, whole=False)
    found = {name.rpartition("-")[2] for name, _ in moved}
    assert {"lay", "turn"} <= found


def test_the_page_is_silent_until_somebody_asks_for_sound(
    newcomer: Player, games: dict[str, Game]
) -> None:
    newcomer.page.context.add_init_script(
        "window.heard = 0; window.AudioContext = class extends AudioContext {"
        "constructor() { super(); window.heard += 1; } };"
    )
    newcomer.sit(games[STUD])
    newcomer.round(games[STUD])
    assert newcomer.page.evaluate("window.heard") == 0
    setting(newcomer.page, "Sound")
    newcomer.rebet()
    newcomer.deal()
    newcomer.asked()
    assert newcomer.page.evaluate("window.heard") > 0


def setting(page: Page, name: str) -> None:
    """One of the settings, chosen in their dialog."""
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    dialog.get_by_label(name).check()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def inks(page: Page) -> dict[str, str]:
    """The colour of each suit, as the style sheet has it now."""
    found: dict[str, str] = page.evaluate(script("inks"))
    return found


@pytest.mark.slow
def test_a_deck_has_two_colours_or_four_and_stays_so(guest: Player, games: dict[str, Game]) -> None:
    page = guest.page
    guest.sit(games[STUD])
    assert len(set(inks(page).values())) == 2
    setting(page, "Four colours")
    four = inks(page)
    assert len(set(four.values())) == 4
    page.reload()
    guest.circle("Ante").wait_for()
    assert inks(page) == four


@pytest.mark.slow_cases("Light")
@pytest.mark.parametrize("wish", ["Light", "Dark"])
def test_day_and_night_are_the_readers_choice(wish: str, visit: Visit) -> None:
    page = visit(color_scheme="light" if wish == "Dark" else "dark")
    page.goto("/")
    before = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    setting(page, wish)
    after = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert before != after
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == wish.lower()
