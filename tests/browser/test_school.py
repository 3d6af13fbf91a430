"""The school over weeks: tests, certificates, a class of two, and spaced repetition."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fsrs import Card, Rating, Scheduler
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.server import House
from tests.browser.simulated_clock import FILE
from tests.browser.visitors import go

from pitbook import load
from pitbook.drills.grade import render_answer
from pitbook.drills.memorized_facts import fact_item, memory_facts
from pitbook.drills.random_rounds import Draws
from pitbook.rules.game import compile_game
from pitbook.sheets.library import BUNDLED

STUD, OWN_SHEET = "catfish-bend/mississippi-stud", "own/mississippi-stud"


class SimulatedHouse(House):
    """A house whose school uses the simulated clock."""

    changes = House.changes | {
        "pitbook.house.web.services.utc_now": "import:tests.browser.simulated_clock.now"
    }


class SchoolHouse:
    """A server with its own rule sheet and a clock that the test can advance."""

    def __init__(self, folder: Path) -> None:
        self.file, self.ahead = folder / "sheets" / "stud.toml", folder / "ahead"
        self.file.parent.mkdir()
        self.file.write_text((BUNDLED / f"{STUD}.toml").read_text().replace(STUD, OWN_SHEET))
        self.set_ahead(timedelta())
        variables = {FILE: str(self.ahead), "PITBOOK_SHEETS": str(self.file.parent)}
        self.house = SimulatedHouse(folder / "house", **variables)
        self.answers = answers_by_question(self.file)

    def set_ahead(self, by: timedelta) -> None:
        self.ahead.write_text(str(by.total_seconds()))

    def change(self, old: str, new: str) -> None:
        text = self.file.read_text()
        assert old in text
        self.file.write_text(text.replace(old, new, 1))


def answers_by_question(file: Path) -> dict[str, str]:
    """The answers to all facts to memorize, by question."""
    game = compile_game(load(str(file)))
    items = [fact_item(game, Draws("any"), fact) for fact in memory_facts(game)]
    return {item.question.ask: render_answer(item.question, item.answer) for item in items}


@pytest.fixture(scope="module")
def school(house: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SchoolHouse]:
    school_house = SchoolHouse(tmp_path_factory.mktemp("school"))  # `house` has built the page.
    yield school_house
    school_house.house.close()


def type_answer(page: Page, school: SchoolHouse, *, right: bool = True) -> str:
    """Answer a question by heart; returns the question."""
    ask = page.locator(".prompt").inner_text()
    answer = school.answers[ask].replace("$", "")
    page.get_by_role("textbox", name="Your answer").fill(answer if right else "2")
    page.get_by_role("button", name="Answer", exact=True).click()
    return ask


def take_test(page: Page, school: SchoolHouse, title: str, questions: int, *, right: bool) -> None:
    go(page, "/train/tests")
    page.get_by_role("listitem").filter(has_text=title).get_by_role("button", name="Start").click()
    for number in range(1, questions + 1):
        expect(page.get_by_text(f"Question {number} of {questions}")).to_be_visible()
        type_answer(page, school, right=right)


def compose(page: Page, title: str) -> None:
    go(page, "/train/tests")
    page.get_by_label("Title").fill(title)
    page.get_by_label("Game").select_option(OWN_SHEET)
    page.get_by_role("checkbox", name="Limits by heart").check()
    page.get_by_label("Questions", exact=True).fill("4")
    expect(page.get_by_label("Pass mark (%)")).to_have_value("80")
    page.get_by_role("button", name="Add test").click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def test_certificate_expires_when_a_rule_changes(school: SchoolHouse, visit: Visit) -> None:
    at = school.house.address
    trainer = visit(school.house.player("tom", "supervisor"), at=at)
    compose(trainer, "First table")
    own_test = trainer.get_by_role("listitem").filter(has_text="First table")
    expect(own_test.get_by_text("Another dealer must take it")).to_be_visible()
    expect(own_test.get_by_role("button", name="Start")).to_have_count(0)
    dee, don = (school.house.player(name, "dealer") for name in ("dee", "don"))
    first, second = visit(dee, at=at), visit(don, at=at)
    take_test(first, school, "First table", 4, right=True)
    expect(first.get_by_role("heading", name="Passed")).to_be_visible()
    take_test(second, school, "First table", 4, right=False)
    expect(second.get_by_role("heading", name="Failed")).to_be_visible()
    first.get_by_role("link", name="Certificate").click()
    holds = f"{dee} passed, and the rules have not changed since."
    expect(first.get_by_text(holds)).to_be_visible()
    go(trainer, "/train/class")
    for name, passed in ((dee, "passed"), (don, "failed")):
        card = trainer.get_by_role("article").filter(has_text=name)
        expect(card.get_by_text(passed)).to_be_visible()
    expect(trainer.get_by_text(f"4 of 8 answers wrong: {don}.")).to_be_visible()
    school.change('flush = "6:1"', 'flush = "9:1"')
    first.reload()
    expect(first.get_by_text(f"{dee} must take the test again")).to_be_visible()
    expect(first.get_by_text("Flush pays 6:1 in the rules of the test")).to_be_visible()
    school.change('flush = "9:1"', 'flush = "6:1"')
    first.reload()
    expect(first.get_by_text(holds)).to_be_visible()


def test_fact_repeats_on_the_fsrs_schedule(school: SchoolHouse, visit: Visit) -> None:
    """The intervals are those of fsrs; each time the due fact is asked first."""
    page = visit(school.house.player("fay", "dealer"), at=school.house.address)
    scheduler, ahead = Scheduler(enable_fuzzing=False), timedelta()
    start = datetime.now(UTC)
    ask = drill_question(page, school, right=False)
    card, _ = scheduler.review_card(Card(card_id=1, due=start), Rating.Again, start)
    gaps = []
    for _ in range(6):
        due = card.due + timedelta(minutes=1)
        gaps.append(due - (start + ahead))
        ahead = due - start
        school.set_ahead(ahead + (start - datetime.now(UTC)))
        assert drill_question(page, school, right=True) == ask
        card, _ = scheduler.review_card(card, Rating.Good, due)
    school.set_ahead(timedelta())
    assert gaps[-3:] == sorted(gaps[-3:])
    assert ahead > timedelta(weeks=3)


def drill_question(page: Page, school: SchoolHouse, *, right: bool) -> str:
    """Answer one question of a new lesson; returns the question."""
    go(page, f"/train?sheet={OWN_SHEET}")
    page.get_by_role("checkbox", name="Limits by heart").check()
    page.get_by_role("button", name="Start").click()
    ask = type_answer(page, school, right=right)
    expect(page.get_by_text("Correct in" if right else "Wrong:")).to_be_visible()
    return ask
