"""The dealer's school over weeks: tests, certificates, a class of two, and spaced repetition."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fsrs import Card, Rating, Scheduler
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.simulated_clock import FILE
from tests.browser.visitors import go

from pitbook import load
from pitbook.drills.grade import shown
from pitbook.drills.memory import facts_of, item_of
from pitbook.drills.rounds import Draws
from pitbook.rules.game import compile_game
from pitbook.sheets.library import BUNDLED

STUD, OWN = "catfish-bend/mississippi-stud", "own/mississippi-stud"


class SimulatedHouse(House):
    """A house whose school goes by the simulated clock."""

    changes = House.changes | {
        "pitbook.house.web.services.utc_now": "import:tests.browser.simulated_clock.now"
    }


class School:
    """A house with a rule sheet of its own and a clock that is set ahead."""

    def __init__(self, folder: Path) -> None:
        self.file, self.ahead = folder / "sheets" / "stud.toml", folder / "ahead"
        self.file.parent.mkdir()
        self.file.write_text((BUNDLED / f"{STUD}.toml").read_text().replace(STUD, OWN))
        self.set_ahead(timedelta())
        variables = {FILE: str(self.ahead), "PITBOOK_SHEETS": str(self.file.parent)}
        self.house = SimulatedHouse(folder / "house", **variables)
        self.answers = answers_of(self.file)

    def set_ahead(self, by: timedelta) -> None:
        self.ahead.write_text(str(by.total_seconds()))

    def change(self, old: str, new: str) -> None:
        text = self.file.read_text()
        assert old in text
        self.file.write_text(text.replace(old, new, 1))


def answers_of(file: Path) -> dict[str, str]:
    """By question, the answer to everything that is to be known by heart."""
    game = compile_game(load(str(file)))
    items = [item_of(game, Draws("any"), fact) for fact in facts_of(game)]
    return {one.question.ask: shown(one.question, one.answer) for one in items}


@pytest.fixture(scope="module")
def school(house: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    made = School(tmp_path_factory.mktemp("school"))  # The page is built: `house` did it.
    yield made
    made.house.close()


def type_answer(page: Page, school: School, *, right: bool = True) -> str:
    """Answer a question by heart; what was asked."""
    ask = page.locator(".ask").inner_text()
    answer = school.answers[ask].replace("$", "")
    page.get_by_role("textbox", name="Your answer").fill(answer if right else "2")
    page.get_by_role("button", name="Answer", exact=True).click()
    return ask


def take_test(page: Page, school: School, title: str, questions: int, *, right: bool) -> None:
    go(page, "/train/tests")
    page.get_by_role("listitem").filter(has_text=title).get_by_role("button", name="Start").click()
    for number in range(1, questions + 1):
        expect(page.get_by_text(f"Question {number} of {questions}")).to_be_visible()
        type_answer(page, school, right=right)


def compose(page: Page, title: str) -> None:
    go(page, "/train/tests")
    page.get_by_label("Title").fill(title)
    page.get_by_label("Game").select_option(OWN)
    page.get_by_role("checkbox", name="Limits by heart").check()
    page.get_by_label("Questions", exact=True).fill("4")
    expect(page.get_by_label("Pass mark (%)")).to_have_value("80")
    page.get_by_role("button", name="Add the test").click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def test_a_certificate_of_a_class_of_two_expires_when_a_rule_changes(
    school: School, visit: Visit
) -> None:
    at = school.house.address
    trainer = visit(school.house.player("tom", "supervisor"), at=at)
    compose(trainer, "First table")
    own = trainer.get_by_role("listitem").filter(has_text="First table")
    expect(own.get_by_text("another dealer has to take it")).to_be_visible()
    expect(own.get_by_role("button", name="Start")).to_have_count(0)
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


def test_a_fact_comes_back_over_simulated_weeks(school: School, visit: Visit) -> None:
    """The days between are those of fsrs itself; each time the due fact is asked first."""
    page = visit(school.house.player("fay", "dealer"), at=school.house.address)
    scheduler, ahead = Scheduler(enable_fuzzing=False), timedelta()
    start = datetime.now(UTC)
    ask = drill(page, school, right=False)
    card, _ = scheduler.review_card(Card(card_id=1, due=start), Rating.Again, start)
    gaps = []
    for _ in range(6):
        due = card.due + timedelta(minutes=1)
        gaps.append(due - (start + ahead))
        ahead = due - start
        school.set_ahead(ahead + (start - datetime.now(UTC)))
        assert drill(page, school, right=True) == ask
        card, _ = scheduler.review_card(card, Rating.Good, due)
    school.set_ahead(timedelta())
    assert gaps[-3:] == sorted(gaps[-3:])
    assert ahead > timedelta(weeks=3)


def drill(page: Page, school: School, *, right: bool) -> str:
    """One question of a new lesson: what was asked."""
    go(page, f"/train?sheet={OWN}")
    page.get_by_role("checkbox", name="Limits by heart").check()
    page.get_by_role("button", name="Start").click()
    ask = type_answer(page, school, right=right)
    expect(page.get_by_text("Correct, in" if right else "Wrong:")).to_be_visible()
    return ask
