"""Round history: replayed step by step, shared by a link, and verified card by card."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.conftest import Visit
from tests.browser.page_clock import paused_clock
from tests.browser.player import (
    INSTANT,
    Game,
    Json,
    Player,
    commands_to_finish,
    format_amount,
    keep_settings,
)

STUD = "catfish-bend/mississippi-stud"
AGREES = "Verified: this round matches the shuffle."
DISAGREES = "Not verified: this round does not match the shuffle."


@pytest.fixture
def past(guest: Player, games: dict[str, Game]) -> Player:
    """A player viewing a finished round."""
    open_played_round(guest, games[STUD])
    return guest


def open_played_round(player: Player, game: Game) -> None:
    """Play a round without the page and open its record."""
    table = player.seat(game, *commands_to_finish(game, "3 Card Bonus"))
    (round_record,) = player.get(f"/api/tables/{table}/rounds")["rounds"]
    player.page.goto(f"/table/{table}/rounds/{round_record['round']}")
    expect(banner(player.page)).to_be_visible()


def banner(page: Page) -> Locator:
    """The banner that labels a replay."""
    return page.get_by_role("paragraph").filter(has_text=re.compile("Replay of round 1"))


def round_story(player: Player) -> Json:
    """The round's story from the house."""
    round_id = player.page.url.rpartition("/")[2]
    story: Json = player.get(f"/api/tables/{player.table}/rounds/{round_id}")
    return story


def test_history_shows_cards_wins_and_balances(guest: Player, games: dict[str, Game]) -> None:
    stud = games[STUD]
    guest.sit(stud, *commands_to_finish(stud), *commands_to_finish(stud, plays=("Fold",)))
    guest.wait_for_result()
    rounds = guest.get(f"/api/tables/{guest.table}/rounds")["rounds"]
    guest.page.get_by_role("link", name="Hand history").click()
    rows = guest.page.locator("main").get_by_role("listitem")
    expect(rows).to_have_count(2)
    for row, round_record in zip(rows.all(), rounds, strict=True):
        (seat,) = round_record["settlement"]["seats"]
        net = seat["net"]
        sign = "+\u2060" if float(net) > 0 else ""
        expect(row).to_contain_text(f"{sign}{format_amount(net)}")
        balance = round_record["balance"]
        expect(row).to_contain_text(
            f"{format_amount(balance['before'])} to {format_amount(balance['after'])}"
        )
        assert len(guest.cards(row)) == 2 + len(round_record["board"])
    guest.page.get_by_role("link", name="Back to table").click()
    expect(guest.action("Rebet")).to_be_enabled()


@pytest.mark.slow
def test_replay_is_stepped_and_labeled(past: Player) -> None:
    page = past.page
    steps = [step for step in round_story(past)["steps"] if step["told"]]
    status = page.get_by_role("status").filter(has_text=re.compile("^Step"))
    page.get_by_role("button", name="First").click()
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    for n, step in enumerate(steps):
        expect(status).to_contain_text(f"Step {n + 1} of {len(steps)}.")
        expect(banner(page)).to_be_visible()
        assert face_up_count(past.cards(past.board)) == len(
            [c for c in step["view"]["board"]["cards"] if c]
        )
        mine = step["view"]["seats"][0].get("cards", [])
        assert face_up_count(past.cards(past.spot)) == len([card for card in mine if card])
        if n + 1 < len(steps):
            page.keyboard.press("ArrowRight") if n % 2 else page.get_by_role(
                "button", name="Next"
            ).click()
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    expect(past.actions).to_have_count(0)
    page.get_by_role("tab", name="Result").click()
    lines = [line["text"] for line in round_story(past)["settlement"]["seats"][0]["told"]]
    expect(past.side_panel.get_by_role("listitem")).to_have_text(lines)


def test_replay_does_not_load_the_current_sheet(past: Player) -> None:
    """The round brings the sheet it was played by, which may differ from today's."""
    page, urls = past.page, list[str]()

    def refuse(route: Route) -> None:
        urls.append(route.request.url)
        route.abort()

    page.route("**/api/sheets/**", refuse)
    page.reload()
    expect(banner(page)).to_be_visible()
    expect(past.spot).to_contain_text("3 Card Bonus")
    assert urls == []


def face_up_count(cards: list[str]) -> int:
    return len([card for card in cards if "face down" not in card])


@pytest.mark.slow
def test_replay_can_autoplay(newcomer: Player, games: dict[str, Game]) -> None:
    open_played_round(newcomer, games[STUD])
    page = newcomer.page
    page.clock.install()
    with paused_clock(page):
        page.get_by_role("button", name="Play").click()
        status = page.get_by_role("status").filter(has_text=re.compile("^Step"))
        expect(status).to_contain_text("Step 1 of")
        page.clock.run_for(1_500)
        expect(status).to_contain_text("Step 2 of")
        page.get_by_role("button", name="Pause").click()
        page.clock.run_for(10_000)
        expect(status).to_contain_text("Step 2 of")


def share_link(player: Player) -> str:
    """A share link to the displayed round."""
    player.page.get_by_role("tab", name="Share").click()
    player.page.get_by_role("button", name="Create link").click()
    return player.side_panel.get_by_role("textbox").input_value()


def test_stranger_can_view_and_verify_a_shared_round(past: Player, visit: Visit) -> None:
    story = round_story(past)
    stranger = visit()
    keep_settings(stranger, **INSTANT)
    stranger.goto(share_link(past))
    expect(banner(stranger)).to_contain_text("shared by")
    board = [card for card in Player(stranger).cards(Player(stranger).board) if " of " in card]
    assert len(board) == len(story["steps"][-1]["view"]["board"]["cards"])
    stranger.get_by_role("tab", name="Result").click()
    lines = [line["text"] for line in story["settlement"]["seats"][0]["told"]]
    expect(stranger.get_by_role("tabpanel").get_by_role("listitem")).to_have_text(lines)
    before = format_amount(story["balance"]["before"])
    assert before not in stranger.locator("main").inner_text(), "a balance is nobody else's"
    verify_deal(stranger)
    expect(stranger.get_by_text(AGREES)).to_be_visible()


def test_altered_share_link_shows_nothing(past: Player, visit: Visit) -> None:
    link = share_link(past)
    other = "A" if link[-5] != "A" else "B"
    stranger = visit()
    stranger.goto(f"{link[:-5]}{other}{link[-4:]}")
    expect(stranger.get_by_role("heading", level=1)).to_have_text("This round can't be shown")


def verify_deal(page: Page) -> None:
    page.get_by_role("tab", name="Verify").click()
    page.get_by_role("button", name="Verify deal").click()


@pytest.mark.slow
def test_verify_deal_confirms_a_match(past: Player) -> None:
    verify_deal(past.page)
    expect(past.page.get_by_text(AGREES)).to_be_visible()
    commitment = round_story(past)["shoe"]["commitment"]
    expect(past.side_panel).to_contain_text(commitment)


def change_salt(proof: Json) -> None:
    opened = next(card for card in proof["cards"] if "salt" in card)
    salt = opened["salt"]
    opened["salt"] = salt[:20] + ("0" if salt[20] != "0" else "1") + salt[21:]


def change_seed(proof: Json) -> None:
    seeds = proof["shoe"]["seat_seeds"]
    seeds["1"] = seeds.get("1", "") + "0"  # A round played without the page has no seed.


def change_card(proof: Json) -> None:
    turns = [action for action in proof["round"]["actions"] if action["do"] == "turn"]
    named = {action["card"] for action in turns}
    turns[0]["card"] = next(
        card for card in ("As", "Kd", "2c", "7h", "9s", "Jc") if card not in named
    )


def change_commitment(proof: Json) -> None:
    hash_ = proof["shoe"]["commitment"]
    proof["shoe"]["commitment"] = ("0" if hash_[0] != "0" else "1") + hash_[1:]


CHANGES: list[Callable[[Json], None]] = [
    change_salt,
    change_seed,
    change_card,
    change_commitment,
]


@pytest.mark.slow
def test_verify_deal_detects_any_change(past: Player) -> None:
    """Each change alone; the proof is restored between two."""
    page, change, verdicts = (
        past.page,
        list[Callable[[Json], None]](),
        list[tuple[str, bool, bool]](),
    )

    def tamper(route: Route) -> None:
        answer = route.fetch()
        proof = answer.json()
        for apply_change in change:
            apply_change(proof)
        route.fulfill(response=answer, body=json.dumps(proof))

    page.route("**/proof", tamper)
    for one_change in CHANGES:
        verify_deal(page)
        expect(page.get_by_text(AGREES)).to_be_visible()
        change.append(one_change)
        verify_deal(page)
        page.get_by_text(AGREES).or_(page.get_by_text(DISAGREES)).wait_for()
        agrees, differs = (page.get_by_text(text).count() for text in (AGREES, DISAGREES))
        verdicts.append((one_change.__name__, bool(differs), bool(agrees)))
        change.clear()
    assert [verdict for verdict in verdicts if verdict[1:] != (True, False)] == []


@pytest.mark.slow
def test_proof_can_be_downloaded(past: Player) -> None:
    past.page.get_by_role("tab", name="Verify").click()
    with past.page.expect_download() as download:
        past.page.get_by_role("link", name=re.compile("^Download")).click()
    proof = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert proof["shoe"]["commitment"] == round_story(past)["shoe"]["commitment"]
