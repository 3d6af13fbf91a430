"""The past: every round told step by step, shared by a link, and proved card by card."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.conftest import Visit
from tests.browser.player import INSTANT, Game, Json, Player, keep_settings, played, spoken
from tests.browser.still import held

STUD = "catfish-bend/mississippi-stud"
AGREES = "The record agrees with the shoe."
DISAGREES = "The record does not agree with the shoe."


@pytest.fixture
def past(guest: Player, games: dict[str, Game]) -> Player:
    """Somebody who looks at a round that was played to its end."""
    look_back(guest, games[STUD])
    return guest


def look_back(player: Player, game: Game) -> None:
    """A round is played without the page, and its record opened."""
    table = player.seat(game, *played(game, "3 Card Bonus"))
    (one,) = player.get(f"/api/tables/{table}/rounds")["rounds"]
    player.page.goto(f"/table/{table}/rounds/{one['round']}")
    expect(banner(player.page)).to_be_visible()


def banner(page: Page) -> Locator:
    """The strip that says what this is."""
    return page.get_by_role("paragraph").filter(has_text=re.compile("Replay of round 1"))


def told(player: Player) -> Json:
    """The round as the house tells it."""
    round_id = player.page.url.rpartition("/")[2]
    found: Json = player.get(f"/api/tables/{player.table}/rounds/{round_id}")
    return found


def test_history_lists_rounds_with_cards_wins_and_balances(
    guest: Player, games: dict[str, Game]
) -> None:
    stud = games[STUD]
    guest.sit(stud, *played(stud), *played(stud, plays=("Fold",)))
    guest.settled()
    rounds = guest.get(f"/api/tables/{guest.table}/rounds")["rounds"]
    guest.page.get_by_role("link", name="History").click()
    rows = guest.page.locator("main").get_by_role("listitem")
    expect(rows).to_have_count(2)
    for row, one in zip(rows.all(), rounds, strict=True):
        (seat,) = one["settlement"]["seats"]
        net = seat["net"]
        sign = "+\u2060" if float(net) > 0 else ""
        expect(row).to_contain_text(f"{sign}{spoken(net)}")
        balance = one["balance"]
        expect(row).to_contain_text(f"{spoken(balance['before'])} to {spoken(balance['after'])}")
        assert len(guest.cards(row)) == 2 + len(one["board"])
    guest.page.get_by_role("link", name="Back to the table").click()
    expect(guest.action("Rebet")).to_be_enabled()


@pytest.mark.slow
def test_a_replay_goes_step_by_step_and_says_that_it_is_one(past: Player) -> None:
    page = past.page
    steps = [one for one in told(past)["steps"] if one["told"]]
    status = page.get_by_role("status").filter(has_text=re.compile("^Step"))
    page.get_by_role("button", name="First").click()
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    for n, step in enumerate(steps):
        expect(status).to_contain_text(f"Step {n + 1} of {len(steps)}.")
        expect(banner(page)).to_be_visible()
        assert up(past.cards(past.board)) == len([c for c in step["view"]["board"]["cards"] if c])
        mine = step["view"]["seats"][0].get("cards", [])
        assert up(past.cards(past.spot)) == len([card for card in mine if card])
        if n + 1 < len(steps):
            page.keyboard.press("ArrowRight") if n % 2 else page.get_by_role(
                "button", name="Next"
            ).click()
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    expect(past.actions).to_have_count(0)
    page.get_by_role("tab", name="Result").click()
    lines = [line["text"] for line in told(past)["settlement"]["seats"][0]["told"]]
    expect(past.beside.get_by_role("listitem")).to_have_text(lines)


def test_a_replay_asks_the_library_for_nothing(past: Player) -> None:
    """The round brings the sheet that it was played by; today's may be another."""
    page, asked = past.page, list[str]()

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    page.route("**/api/sheets/**", refuse)
    page.reload()
    expect(banner(page)).to_be_visible()
    expect(past.spot).to_contain_text("3 Card Bonus")
    assert asked == []


def up(cards: list[str]) -> int:
    return len([card for card in cards if "face down" not in card])


@pytest.mark.slow
def test_a_replay_plays_by_itself(newcomer: Player, games: dict[str, Game]) -> None:
    look_back(newcomer, games[STUD])
    page = newcomer.page
    page.clock.install()
    with held(page):
        page.get_by_role("button", name="Play").click()
        status = page.get_by_role("status").filter(has_text=re.compile("^Step"))
        expect(status).to_contain_text("Step 1 of")
        page.clock.run_for(1_500)
        expect(status).to_contain_text("Step 2 of")
        page.get_by_role("button", name="Pause").click()
        page.clock.run_for(10_000)
        expect(status).to_contain_text("Step 2 of")


def share(player: Player) -> str:
    """A link to the round that is looked at."""
    player.page.get_by_role("tab", name="Share").click()
    player.page.get_by_role("button", name="Share link").click()
    return player.beside.get_by_role("textbox").input_value()


def test_a_shared_round_is_seen_by_a_stranger_who_can_verify_it(past: Player, visit: Visit) -> None:
    whole = told(past)
    stranger = visit()
    keep_settings(stranger, **INSTANT)
    stranger.goto(share(past))
    expect(banner(stranger)).to_contain_text("shared by")
    board = [one for one in Player(stranger).cards(Player(stranger).board) if " of " in one]
    assert len(board) == len(whole["steps"][-1]["view"]["board"]["cards"])
    stranger.get_by_role("tab", name="Result").click()
    lines = [line["text"] for line in whole["settlement"]["seats"][0]["told"]]
    expect(stranger.get_by_role("tabpanel").get_by_role("listitem")).to_have_text(lines)
    before = spoken(whole["balance"]["before"])
    assert before not in stranger.locator("main").inner_text(), "a balance is nobody else's"
    verify(stranger)
    expect(stranger.get_by_text(AGREES)).to_be_visible()


def test_a_link_that_was_changed_shows_nothing(past: Player, visit: Visit) -> None:
    link = share(past)
    other = "A" if link[-5] != "A" else "B"
    stranger = visit()
    stranger.goto(f"{link[:-5]}{other}{link[-4:]}")
    expect(stranger.get_by_role("heading", level=1)).to_have_text("This round cannot be shown")


def verify(page: Page) -> None:
    page.get_by_role("tab", name="Verify").click()
    page.get_by_role("button", name="Verify this deal").click()


@pytest.mark.slow
def test_verify_this_deal_says_that_it_matches(past: Player) -> None:
    verify(past.page)
    expect(past.page.get_by_text(AGREES)).to_be_visible()
    commitment = told(past)["shoe"]["commitment"]
    expect(past.beside).to_contain_text(commitment)


def changed_salt(proof: Json) -> None:
    opened = next(one for one in proof["cards"] if "salt" in one)
    salt = opened["salt"]
    opened["salt"] = salt[:20] + ("0" if salt[20] != "0" else "1") + salt[21:]


def changed_seed(proof: Json) -> None:
    seeds = proof["shoe"]["seat_seeds"]
    seeds["1"] = seeds.get("1", "") + "0"  # A round that was played without the page has none.


def changed_card(proof: Json) -> None:
    turns = [one for one in proof["round"]["actions"] if one["do"] == "turn"]
    named = {one["card"] for one in turns}
    turns[0]["card"] = next(
        card for card in ("As", "Kd", "2c", "7h", "9s", "Jc") if card not in named
    )


def changed_commitment(proof: Json) -> None:
    hash_ = proof["shoe"]["commitment"]
    proof["shoe"]["commitment"] = ("0" if hash_[0] != "0" else "1") + hash_[1:]


CHANGES: list[Callable[[Json], None]] = [
    changed_salt,
    changed_seed,
    changed_card,
    changed_commitment,
]


@pytest.mark.slow
def test_verify_this_deal_says_so_when_a_byte_is_changed(past: Player) -> None:
    """Each change by itself; between two the proof is as it was."""
    page, change, said = past.page, list[Callable[[Json], None]](), list[tuple[str, bool, bool]]()

    def tampered(route: Route) -> None:
        answer = route.fetch()
        proof = answer.json()
        for one in change:
            one(proof)
        route.fulfill(response=answer, body=json.dumps(proof))

    page.route("**/proof", tampered)
    for one in CHANGES:
        verify(page)
        expect(page.get_by_text(AGREES)).to_be_visible()
        change.append(one)
        verify(page)
        page.get_by_text(AGREES).or_(page.get_by_text(DISAGREES)).wait_for()
        agrees, differs = (page.get_by_text(text).count() for text in (AGREES, DISAGREES))
        said.append((one.__name__, bool(differs), bool(agrees)))
        change.clear()
    assert [one for one in said if one[1:] != (True, False)] == []


@pytest.mark.slow
def test_the_proof_can_be_taken_to_another_verifier(past: Player) -> None:
    past.page.get_by_role("tab", name="Verify").click()
    with past.page.expect_download() as download:
        past.page.get_by_role("link", name=re.compile("^Download")).click()
    proof = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert proof["shoe"]["commitment"] == told(past)["shoe"]["commitment"]
