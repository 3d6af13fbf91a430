"""The coach: asked before a decision, heard after it, kept in a log that can be taken along."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Route, expect
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import INSTANT, Game, Json, Player, dealt, keep_settings
from tests.browser.visitors import go

STUD = "catfish-bend/mississippi-stud"
FLOP = "Flop bet: your decision"


@pytest.fixture
def flop(guest: Player, games: dict[str, Game]) -> Player:
    """Somebody with two cards in hand and a first decision to make."""
    guest.sit(games[STUD], *dealt(games[STUD]))
    guest.asked()
    return guest


def hint(player: Player) -> Json:
    """What the coach said when it was asked."""
    with player.page.expect_response("**/advice") as asked:
        player.action("Hint").click()
    advice: Json = asked.value.json()["advice"]
    return advice


def worst(advice: Json) -> Json:
    """The play that gives most away."""
    found: Json = max(advice["plays"], key=lambda one: float(one["cost"]["dollars"]))
    assert found["cost"]["dollars"] != "0.00", advice
    return found


def title_of(advice: Json, play: str) -> str:
    return str(next(one["title"] for one in advice["plays"] if one["play"] == play))


def tab(player: Player, name: str) -> Locator:
    """What is beside the felt, with one of its tabs open."""
    player.page.get_by_role("tab", name=name).click()
    return player.beside


def blunder(player: Player) -> Json:
    """The worst decision that can be made here; what it costs."""
    bad = worst(hint(player))
    player.play(bad["title"])
    return bad


def blundered(player: Player) -> Json:
    """A round whose first decision is the worst there is, and no other is made; what it cost."""
    bad = blunder(player)
    if bad["title"] != "Fold":
        player.asked(after=FLOP)
        player.play("Fold")
    player.settled()
    return bad


def test_a_hint_names_the_best_play_and_every_plays_exact_value(flop: Player) -> None:
    advice = hint(flop)
    best = title_of(advice, advice["best"])
    expect(flop.page.get_by_text(f"Coach: best is {best}.", exact=True)).to_be_visible()
    panel = tab(flop, "Coach")
    for one in advice["plays"]:
        row = panel.get_by_role("row").filter(
            has=flop.page.get_by_role("rowheader", name=re.compile(f"^{one['title']}"))
        )
        expect(row).to_contain_text(one["cost"]["text"])
        expect(row).to_contain_text(one["worth"]["text"].replace("-", "−\u2060"))
    expect(panel).to_contain_text(advice["why"], use_inner_text=True)
    assert flop.view()["seats"][0]["plays"] == []


def test_h_is_a_hint_and_goes_on_record(flop: Player) -> None:
    with flop.page.expect_response("**/advice"):
        flop.page.keyboard.press("h")
    expect(flop.page.get_by_text(re.compile("^Coach: best is"))).to_be_visible()
    flop.play("Fold")
    flop.settled()
    told = flop.get(f"/api/tables/{flop.table}/rounds")["rounds"][0]
    assert len(told["advice"]) == 1


@pytest.mark.slow
def test_the_cost_is_told_after_a_decision(flop: Player) -> None:
    bad = blunder(flop)
    line = flop.page.get_by_text(re.compile("^Coach: .* gave away"))
    expect(line).to_contain_text(f"{bad['title']} gave away {bad['cost']['text']}")


@pytest.mark.slow
def test_a_best_play_is_called_one(flop: Player) -> None:
    advice = hint(flop)
    flop.play(title_of(advice, advice["best"]))
    expect(flop.page.get_by_text("Coach: best play.")).to_be_visible()


@pytest.mark.slow
def test_a_play_can_be_weighed_and_taken_back_before_a_card_turns(flop: Player) -> None:
    advice = hint(flop)
    bad, best = worst(advice), title_of(advice, advice["best"])
    tab(flop, "Coach").get_by_role("checkbox", name="Weigh each play").check()
    flop.play(bad["title"])
    again = flop.page.get_by_role("button", name="Choose again")
    expect(again).to_be_visible()
    expect(flop.page.get_by_text(re.compile("gives away")).first).to_contain_text(
        bad["cost"]["text"]
    )
    assert flop.cards(flop.board) == ["face down"] * 3
    assert flop.view()["seats"][0]["plays"] == []
    again.click()
    expect(again).to_be_hidden()
    flop.play(best)
    told = flop.page.get_by_text("Coach: best play.").or_(flop.page.get_by_text("You fold."))
    expect(told.first).to_be_attached()
    assert flop.view()["seats"][0]["plays"] == [advice["best"]]


@pytest.mark.slow
def test_a_weighed_play_can_be_made_all_the_same(flop: Player) -> None:
    bad = worst(hint(flop))
    tab(flop, "Coach").get_by_role("checkbox", name="Weigh each play").check()
    flop.play(bad["title"])
    flop.page.get_by_role("button", name=re.compile("all the same$")).click()
    expect(flop.page.get_by_text(re.compile("^Coach: .* gave away"))).to_be_visible()
    assert flop.view()["seats"][0]["plays"] == [bad["play"]]


@pytest.mark.slow
def test_mistakes_are_kept_filtered_and_exported(flop: Player, tmp_path: Path) -> None:
    bad = blundered(flop)
    page = flop.page
    tab(flop, "Coach").get_by_role("link", name="All decisions").click()
    decisions = page.locator("main details")
    flop_bet = decisions.filter(has_text="Flop bet").filter(has_text=bad["cost"]["text"])
    expect(flop_bet).to_have_count(1)
    flop_bet.locator("summary").click()
    expect(flop_bet.get_by_role("row")).to_have_count(1 + 4)
    everything = decisions.count()
    made = flop.get("/api/coach")["total"]
    headline = page.get_by_text(re.compile(rf"^Best play in \d+ of {made} decision"))
    expect(headline).to_be_visible()
    page.get_by_label(re.compile("^Cost at least")).fill("1000")
    expect(page.get_by_text("No decision passes these filters.")).to_be_visible()
    expect(headline).to_be_visible()
    page.get_by_label(re.compile("^Cost at least")).fill("")
    expect(decisions).to_have_count(everything)
    page.get_by_label("Game").select_option("louisiana-stud/standard")
    expect(decisions).to_have_count(0)
    page.get_by_label("Game").select_option(STUD)
    page.get_by_label("Street").select_option(label="Flop bet")
    expect(decisions).to_have_count(1)
    page.get_by_label("Advice seen before").select_option("false")
    expect(decisions).to_have_count(0)
    page.get_by_label("Advice seen before").select_option("true")
    expect(decisions).to_have_count(1)
    exported(flop, bad, tmp_path / "decisions.csv")


@pytest.mark.slow
def test_the_last_question_asked_is_the_one_that_is_answered(flop: Player) -> None:
    """An earlier answer that comes late does not stand where a later one stood."""
    bad = blundered(flop)
    page = flop.page
    tab(flop, "Coach").get_by_role("link", name="All decisions").click()
    decisions = page.locator("main details")
    expect(decisions.filter(has_text=bad["cost"]["text"])).not_to_have_count(0)
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route(re.compile("min_cost=1000"), hold)
    with page.expect_request(re.compile("min_cost=1000")):
        page.get_by_label(re.compile("^Cost at least")).fill("1000")
    page.get_by_label(re.compile("^Cost at least")).fill("")
    page.get_by_label("Street").select_option(label="Flop bet")
    expect(decisions).to_have_count(1)
    with page.expect_response(re.compile("min_cost=1000")) as answered:
        late[0].continue_()
    answered.value.finished()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(decisions).to_have_count(1)


def exported(player: Player, bad: Json, file: Path) -> None:
    """The file has what the filters let through, in cents and as an exact fraction."""
    with player.page.expect_download() as download:
        player.page.get_by_role("link", name="Export as CSV").click()
    download.value.save_as(file)
    with file.open(newline="", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    assert len(rows) == 1
    assert bad["play"] in rows[0].values()
    assert bad["cost"]["exact"] in rows[0].values()


@pytest.mark.slow
def test_a_missed_spot_can_be_practised_and_is_labelled(flop: Player) -> None:
    blundered(flop)
    cards = flop.view()["seats"][0]["cards"]
    label = flop.page.get_by_text("Arranged for practice, not random", exact=True)
    expect(label).to_have_count(0)
    tab(flop, "Coach").get_by_role("button", name="Practise a missed spot").click()
    flop.asked()
    expect(label).to_be_visible()
    assert flop.view()["seats"][0]["cards"] == cards
    flop.play("Fold")
    flop.settled()
    flop.rebet()
    expect(label).to_have_count(0)
    page, arranged = flop.page, flop.get(f"/api/tables/{flop.table}/rounds")["rounds"][0]
    go(page, f"/table/{flop.table}/rounds/{arranged['round']}")
    page.get_by_role("tab", name="Verify").click()
    page.get_by_role("button", name="Verify this deal").click()
    expect(flop.beside.get_by_text("The cards were arranged for practice")).to_be_visible()
    expect(flop.beside).to_contain_text("this browser saw and kept before your bets")


def test_the_coach_is_a_switch_and_its_use_is_on_record(flop: Player) -> None:
    switch = tab(flop, "Coach").get_by_role("switch")
    expect(switch).to_be_checked()
    switch.uncheck()
    expect(flop.action("Hint")).to_have_count(0)
    expect(flop.page.get_by_text(re.compile("^(Coach:|Each play is priced here)"))).to_have_count(0)
    assert flop.view()["coach"] is False
    flop.page.keyboard.press("k")
    expect(flop.action("Hint")).to_be_visible()
    said = tab(flop, "Log").get_by_role("listitem")
    expect(said.filter(has_text="The coach is off.")).to_have_count(1)
    expect(said.filter(has_text="The coach is on.")).to_have_count(1)


def test_there_is_no_coach_at_a_table_of_the_house(
    house: House, visit: Visit, games: dict[str, Game]
) -> None:
    table = house.table(STUD)
    ann = Player(visit(house.player("ann")))
    keep_settings(ann.page, **INSTANT)
    ann.command(table, do="sit", seat=1)
    for one in dealt(games[STUD]):
        ann.command(table, **one)
    ann.come_to(table)
    ann.asked()
    expect(ann.action("Fold")).to_be_visible()
    expect(ann.action("Hint")).to_have_count(0)
    expect(ann.page.get_by_role("tab", name="Coach")).to_have_count(0)
