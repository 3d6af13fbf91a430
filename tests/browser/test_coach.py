"""The coach: asked before a decision, shown after it, and logged for export."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Route, expect
from tests.browser.conftest import Visit
from tests.browser.player import INSTANT, Game, Json, Player, commands_to_deal, keep_settings
from tests.browser.server import House
from tests.browser.visitors import go

STUD = "catfish-bend/mississippi-stud"
FLOP = "Flop bet: your turn"


@pytest.fixture
def flop(guest: Player, games: dict[str, Game]) -> Player:
    """A player with two cards and a first decision to make."""
    guest.sit(games[STUD], *commands_to_deal(games[STUD]))
    guest.wait_for_decision()
    return guest


def hint(player: Player) -> Json:
    """The coach's advice."""
    with player.page.expect_response("**/advice") as response:
        player.action("Hint").click()
    advice: Json = response.value.json()["advice"]
    return advice


def worst_play(advice: Json) -> Json:
    """The costliest play."""
    costliest: Json = max(advice["plays"], key=lambda play: float(play["cost"]["dollars"]))
    assert costliest["cost"]["dollars"] != "0.00", advice
    return costliest


def title_of(advice: Json, play: str) -> str:
    return str(
        next(play_json["title"] for play_json in advice["plays"] if play_json["play"] == play)
    )


def open_tab(player: Player, name: str) -> Locator:
    """The side panel with one of its tabs open."""
    player.page.get_by_role("tab", name=name).click()
    return player.side_panel


def make_worst_play(player: Player) -> Json:
    """Make the worst decision possible; returns the play and its cost."""
    bad = worst_play(hint(player))
    player.play(bad["title"])
    return bad


def play_worst_round(player: Player) -> Json:
    """Play a round with the worst first decision and no other; returns its cost."""
    bad = make_worst_play(player)
    if bad["title"] != "Fold":
        player.wait_for_decision(after=FLOP)
        player.play("Fold")
    player.wait_for_result()
    return bad


def test_hint_names_the_best_play_and_all_values(flop: Player) -> None:
    advice = hint(flop)
    best = title_of(advice, advice["best"])
    expect(flop.actions.get_by_text(f"Best play: {best}", exact=True)).to_be_visible()
    panel = open_tab(flop, "Coach")
    for play in advice["plays"]:
        row = panel.get_by_role("row").filter(
            has=flop.page.get_by_role("rowheader", name=re.compile(f"^{play['title']}"))
        )
        expect(row).to_contain_text(play["cost"]["text"])
        expect(row).to_contain_text(play["worth"]["text"].replace("-", "−\u2060"))
    expect(panel).to_contain_text(advice["why"], use_inner_text=True)
    assert flop.view()["seats"][0]["plays"] == []


def test_h_key_gives_a_recorded_hint(flop: Player) -> None:
    with flop.page.expect_response("**/advice"):
        flop.page.keyboard.press("h")
    expect(flop.actions.get_by_text(re.compile("^Best play:"))).to_be_visible()
    flop.play("Fold")
    flop.wait_for_result()
    recorded_round = flop.get(f"/api/tables/{flop.table}/rounds")["rounds"][0]
    assert len(recorded_round["advice"]) == 1


@pytest.mark.slow
def test_cost_is_shown_after_a_decision(flop: Player) -> None:
    bad = make_worst_play(flop)
    line = flop.page.get_by_text(re.compile("cost you"))
    expect(line).to_contain_text(f"{bad['title']} cost you {bad['cost']['text']}")


@pytest.mark.slow
def test_best_play_is_confirmed(flop: Player) -> None:
    advice = hint(flop)
    flop.play(title_of(advice, advice["best"]))
    expect(flop.page.get_by_text("Best play.")).to_be_visible()


@pytest.mark.slow
def test_weighed_play_can_be_changed_before_a_card_turns(flop: Player) -> None:
    advice = hint(flop)
    bad, best = worst_play(advice), title_of(advice, advice["best"])
    open_tab(flop, "Coach").get_by_role("checkbox", name="Warn me before a mistake").check()
    flop.play(bad["title"])
    again = flop.page.get_by_role("button", name="Change my play")
    expect(again).to_be_visible()
    expect(flop.page.get_by_text(re.compile("compared with")).first).to_contain_text(
        bad["cost"]["text"]
    )
    assert flop.cards(flop.board) == ["face down"] * 3
    assert flop.view()["seats"][0]["plays"] == []
    again.click()
    expect(again).to_be_hidden()
    flop.play(best)
    verdict = flop.page.get_by_text("Best play.").or_(flop.page.get_by_text("You fold."))
    expect(verdict.first).to_be_attached()
    assert flop.view()["seats"][0]["plays"] == [advice["best"]]


@pytest.mark.slow
def test_weighed_play_can_be_made_anyway(flop: Player) -> None:
    bad = worst_play(hint(flop))
    open_tab(flop, "Coach").get_by_role("checkbox", name="Warn me before a mistake").check()
    flop.play(bad["title"])
    flop.page.get_by_role("button", name=re.compile("anyway$")).click()
    expect(flop.page.get_by_text(re.compile("cost you"))).to_be_visible()
    assert flop.view()["seats"][0]["plays"] == [bad["play"]]


@pytest.mark.slow
def test_mistakes_are_logged_filtered_and_exported(flop: Player, tmp_path: Path) -> None:
    bad = play_worst_round(flop)
    page = flop.page
    open_tab(flop, "Coach").get_by_role("link", name="All decisions").click()
    decisions = page.locator("main details")
    flop_bet = decisions.filter(has_text="Flop bet").filter(has_text=bad["cost"]["text"])
    expect(flop_bet).to_have_count(1)
    flop_bet.locator("summary").click()
    expect(flop_bet.get_by_role("row")).to_have_count(1 + 4)
    everything = decisions.count()
    decision_count = flop.get("/api/coach")["total"]
    headline = page.get_by_text(re.compile(rf"^Best play in \d+ of {decision_count} decision"))
    expect(headline).to_be_visible()
    page.get_by_label(re.compile("^Minimum cost")).fill("1000")
    expect(page.get_by_text("No decisions match these filters.")).to_be_visible()
    expect(headline).to_be_visible()
    page.get_by_label(re.compile("^Minimum cost")).fill("")
    expect(decisions).to_have_count(everything)
    page.get_by_label("Game").select_option("louisiana-stud/standard")
    expect(decisions).to_have_count(0)
    page.get_by_label("Game").select_option(STUD)
    page.get_by_label("Decision").select_option(label="Flop bet")
    expect(decisions).to_have_count(1)
    page.get_by_label("Hint used").select_option("false")
    expect(decisions).to_have_count(0)
    page.get_by_label("Hint used").select_option("true")
    expect(decisions).to_have_count(1)
    assert_exported(flop, bad, tmp_path / "decisions.csv")


@pytest.mark.slow
def test_late_answer_does_not_replace_a_newer_one(flop: Player) -> None:
    """An earlier answer that arrives late must not replace a later one."""
    bad = play_worst_round(flop)
    page = flop.page
    open_tab(flop, "Coach").get_by_role("link", name="All decisions").click()
    decisions = page.locator("main details")
    expect(decisions.filter(has_text=bad["cost"]["text"])).not_to_have_count(0)
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route(re.compile("min_cost=1000"), hold)
    with page.expect_request(re.compile("min_cost=1000")):
        page.get_by_label(re.compile("^Minimum cost")).fill("1000")
    page.get_by_label(re.compile("^Minimum cost")).fill("")
    page.get_by_label("Decision").select_option(label="Flop bet")
    expect(decisions).to_have_count(1)
    with page.expect_response(re.compile("min_cost=1000")) as answered:
        late[0].continue_()
    answered.value.finished()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(decisions).to_have_count(1)


def assert_exported(player: Player, bad: Json, file: Path) -> None:
    """Assert that the CSV has the filtered decisions, in cents and as exact fractions."""
    with player.page.expect_download() as download:
        player.page.get_by_role("link", name="Download CSV").click()
    download.value.save_as(file)
    with file.open(newline="", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    assert len(rows) == 1
    assert bad["play"] in rows[0].values()
    assert bad["cost"]["exact"] in rows[0].values()


@pytest.mark.slow
def test_missed_spot_can_be_practiced_and_is_labeled(flop: Player) -> None:
    play_worst_round(flop)
    cards = flop.view()["seats"][0]["cards"]
    label = flop.page.get_by_text("Practice hand, not a random deal", exact=True)
    expect(label).to_have_count(0)
    open_tab(flop, "Coach").get_by_role("button", name="Practice a mistake").click()
    flop.wait_for_decision()
    expect(label).to_be_visible()
    assert flop.view()["seats"][0]["cards"] == cards
    flop.play("Fold")
    flop.wait_for_result()
    flop.rebet()
    expect(label).to_have_count(0)
    page, arranged = flop.page, flop.get(f"/api/tables/{flop.table}/rounds")["rounds"][0]
    go(page, f"/table/{flop.table}/rounds/{arranged['round']}")
    page.get_by_role("tab", name="Verify").click()
    page.get_by_role("button", name="Verify deal").click()
    expect(flop.side_panel.get_by_text("Practice hand, not a random deal.")).to_be_visible()
    expect(flop.side_panel).to_contain_text("this browser saved before your bets")


def test_coach_switch_is_recorded(flop: Player) -> None:
    switch = open_tab(flop, "Coach").get_by_role("switch")
    expect(switch).to_be_checked()
    switch.uncheck()
    expect(flop.action("Hint")).to_have_count(0)
    expect(flop.page.get_by_text(re.compile("^Best play"))).to_have_count(0)
    assert flop.view()["coach"] is False
    flop.page.keyboard.press("k")
    expect(flop.action("Hint")).to_be_visible()
    log_lines = open_tab(flop, "Log").get_by_role("listitem")
    expect(log_lines.filter(has_text="The coach is off.")).to_have_count(1)
    expect(log_lines.filter(has_text="The coach is on.")).to_have_count(1)


def test_house_table_has_no_coach(house: House, visit: Visit, games: dict[str, Game]) -> None:
    table = house.table(STUD)
    ann = Player(visit(house.player("ann")))
    keep_settings(ann.page, **INSTANT)
    ann.command(table, do="sit", seat=1)
    for command in commands_to_deal(games[STUD]):
        ann.command(table, **command)
    ann.come_to(table)
    ann.wait_for_decision()
    expect(ann.action("Fold")).to_be_visible()
    expect(ann.action("Hint")).to_have_count(0)
    expect(ann.page.get_by_role("tab", name="Coach")).to_have_count(0)
