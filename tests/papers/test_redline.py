"""A redline names what changes, and of the packet exactly the pages on which it is printed."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from tests.lanes import spread
from tests.papers.read_back import BUILT, keyed, pages, sheet_of

from pitbook.papers.changed_play import changed_play
from pitbook.papers.content import Paper, SmallTables, plain
from pitbook.papers.identity import foot, head
from pitbook.papers.packet import PAPERS
from pitbook.papers.redline import _paid, redline, spans
from pitbook.papers.typeset import PageSize, pdf
from pitbook.sheets.diff import diff
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.model import Sheet
from pitbook.text import speech

NAME = "catfish-bend/mississippi-stud"
CHANGES: dict[str, dict[str, Any]] = {
    "reason": {"seats.note": "Six, as the house wrote."},
    "clause": {"main.clause": "CMS-9a"},
    "name": {"title": "Mississippi Stud Deluxe"},
    "stakes": {"side.three-card-bonus.stake.max": "50", "ante.max": "300"},
    "day": {"effective": date(2026, 12, 1)},
    "steps": {"procedures": {"cut": {"steps": ["One cut."] * 30, "clause": "House 1"}}},
}

CAP = {
    "per": "round",
    "pays_max": "50000",
    "posted": True,
    "clause": "CMS-12",
    "counts": {"odds_at_least": "100:1"},
}


@pytest.fixture
def no_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is typeset: where only words are asked for, that is most of the work."""
    monkeypatch.setattr("pitbook.papers.redline.replaced", lambda *_, **_how: iter(()))


wordy = pytest.mark.usefixtures("no_pages")


def words(paper: Paper, size: PageSize) -> list[str]:
    """The text layer of each page without head and foot, which every change changes."""
    told = []
    for page in pages(pdf(paper, built=BUILT, size=size)):
        read = re.sub(r"page \d+ of \d+", "", page)
        for one in (*foot(paper), *head(paper)):
            read = read.replace(re.sub(r"\s+", " ", str(plain(one, "en"))), "", 1)
        told.append(read)
    return told


def in_print(a: Sheet, b: Sheet, size: PageSize) -> dict[str, str]:
    """The pages of each new paper that are not as they were, read from both packets."""
    found = {}
    for make in PAPERS.values():
        old, new = words(make(a), size), words(make(b), size)
        other = [page for page, text in enumerate(new, 1) if old[page - 1 : page] != [text]]
        if other:
            found[str(plain(make(b).title, "en"))] = ", ".join(spans(other))
    return found


CASES: list[tuple[str, PageSize]] = [(one, "letter") for one in CHANGES]
CASES += [(one, "a4") for one in CHANGES]


@pytest.mark.long
@pytest.mark.parametrize("case", spread(CASES, 1))
def test_a_redline_names_the_pages_that_change_and_no_others(case: tuple[str, PageSize]) -> None:
    (change, size), a = case, sheet_of(NAME)
    b = change_sheet(a, CHANGES[change])
    rows = keyed(redline(a, b, size=size))["pages"]["rows"]
    assert {paper: named for paper, _, named in rows} == in_print(a, b, size)


@pytest.mark.slow
@pytest.mark.long
@wordy
def test_what_no_rule_depends_on_is_told_too() -> None:
    a = sheet_of(NAME)
    told = keyed(redline(a, change_sheet(a, CHANGES["clause"])))
    assert told["words main clause"]["text"] == 'main: clause "CMS-9" becomes "CMS-9a"'
    told = keyed(redline(a, change_sheet(a, CHANGES["reason"])))
    assert 'becomes "Six, as the house wrote."' in told["words seats note"]["text"]
    assert [key for key in keyed(redline(a, a)) if key.startswith("words")] == []


@pytest.mark.slow
@wordy
def test_a_changed_cap_says_what_it_is_worth_at_each_ante() -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {"limits": [CAP]})
    rows = keyed(redline(a, b))["limited"]["rows"]
    assert ["$100", "5.8567%", "5.6050%", "-0.2516"] in rows
    assert "limited" not in keyed(redline(a, change_sheet(a, CHANGES["clause"])))


@pytest.mark.slow
@wordy
def test_a_cap_that_comes_or_goes_says_what_it_is_worth_at_each_ante() -> None:
    capped, free = sheet_of(NAME), sheet_of("pennsylvania/mississippi-stud")
    rows = keyed(redline(capped, free))["limited"]["rows"]
    assert ["$100", "5.8567%", "4.9149%", "-0.9418"] in rows
    rows = keyed(redline(free, capped))["limited"]["rows"]
    assert ["$100", "4.9149%", "5.8567%", "+0.9418"] in rows
    other_antes = sheet_of("oceanfront/mississippi-stud")
    assert "limited" not in keyed(redline(other_antes, free))


def test_a_hand_that_a_bonus_does_not_list_is_not_said_to_lose() -> None:
    """A straight wins by the dealer's hand, with a line of the pay table or without."""
    a, b = sheet_of("classic/casino-holdem"), sheet_of("pennsylvania/ultimate-texas-holdem")
    (told,) = (one.words for one in diff(a, b) if one.path == ("main", "pays", "straight"))
    assert told == "Straight has no line of its own at Any house and pays 1:1 at Pennsylvania."
    assert [_paid(None, one, "main") for one in (a, sheet_of(NAME))] == ["no line", "loses"]
    assert _paid(None, b, "trips") == "loses"


def test_a_decision_is_held_beside_the_one_of_its_name() -> None:
    def figures(*titles: str, play: str) -> dict[str, Any]:
        rows = [["AA", "22", [play], ""]]
        parts = [{"kind": "runs", "title": one, "rows": rows} for one in titles]
        return {"strategy": parts, "card": {"parts": []}}

    a = figures("after the flop", play="2x")
    b = figures("before the flop", "after the flop", play="4x")
    first, second = (str(plain(one.text, "en")) for one in changed_play(a, b))
    assert first.startswith("After the flop: before: ")
    assert second == "Before the flop: a new decision."
    (renamed,) = changed_play(a, figures("flop bet", play="4x"))
    assert str(plain(renamed.text, "en")).startswith("Flop bet: before: ")


@pytest.mark.slow
@pytest.mark.long
@wordy
def test_games_of_two_families_are_not_played_alike() -> None:
    told = keyed(redline(sheet_of(NAME), sheet_of("pennsylvania/three-card-poker")))
    assert "not compared" in told["rule family"]["text"]
    assert "not compared" in told["strategy other"]["text"]
    assert [key for key in told if key.startswith("strategy")] == ["strategy other"]


@pytest.mark.long
@wordy
def test_a_rule_of_every_street_has_the_clause_of_a_street() -> None:
    told = keyed(redline(sheet_of(NAME), sheet_of("oceanfront/mississippi-stud")))
    assert told["rule streets.title"]["clauses"] == ["CMS-5", "OMS-4"]


@pytest.mark.long
def test_sections_are_named_as_a_reader_finds_them() -> None:
    a = sheet_of(NAME)
    rows = keyed(redline(a, change_sheet(a, CHANGES["stakes"])))["pages"]["rows"]
    named = {paper: sections for paper, sections, _ in rows}
    assert named["Rules of the game"] == "heading, 5, 10, 14–15"  # 14 and 15: the approval lapses.
    assert named["Table limits"] == "What may be wagered"
    assert named["Dealer's procedure"] == "heading"


EUROS: dict[str, Any] = {"house.currency": "EUR", "ante.min": "10", "ante.max": "200"}


def told(a: Sheet, b: Sheet, language: str) -> dict[str, Any]:
    """Every part of a redline by its key, as it is printed in a language."""
    paper = redline(a, b, language=language)
    every = [block for section in paper.sections for block in section.blocks]
    return {one.key: plain(one, language) for one in every if not isinstance(one, SmallTables)}


@wordy
@pytest.mark.parametrize("language", ["en", "es"])
def test_amounts_of_each_sheet_stand_in_its_own_currency(language: str) -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {**EUROS, "limits": [{**CAP, "pays_max": "60000"}]})
    there, back = speech(language, "EUR"), speech(language, None)
    ante = told(a, b, there)["rule ante.min"]["text"]
    assert "$5 " in ante
    assert "$500 " in ante
    assert "€10 " in ante
    assert "€200 " in ante
    cap = told(a, b, there)["rule limits.0"]["text"]
    assert "$25" in cap
    assert "€60" in cap
    ante = told(b, a, back)["rule ante.min"]["text"]
    assert "$5 " in ante
    assert "€10 " in ante


@wordy
def test_an_edge_by_ante_of_two_currencies_names_the_amount_in_both() -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {"house.currency": "EUR", "limits": [{**CAP, "pays_max": "60000"}]})
    rows = told(a, b, speech("en", "EUR"))["limited"]["rows"]
    assert rows[0][0] == "$5, then €5"


@wordy
def test_what_only_one_sheet_offers_stands_in_its_currency() -> None:
    a = sheet_of(NAME)
    b = change_sheet(sheet_of("oceanfront/mississippi-stud"), {"house.currency": "EUR"})
    both = told(a, b, speech("en", "EUR"))
    assert "($1 to $100)" in both["rule side.three-card-bonus"]["text"]
    assert "€4" in both["rule ante.min"]["text"]


@wordy
def test_other_pay_tables_are_named_by_their_titles_and_not_by_ids() -> None:
    a, b = sheet_of("pennsylvania/mississippi-stud"), sheet_of(NAME)
    for language in ("en", "es"):
        said = " ".join(str(one.get("text")) for one in told(a, b, language).values())
        assert "Straight at 5 to 1" in said
        assert "(+" not in said


@wordy
def test_changed_rules_are_told_in_the_language_of_the_paper() -> None:
    a = sheet_of(NAME)
    said = told(a, change_sheet(a, {"ante.max": "300"}), "es")["rule ante.max"]["text"]
    assert said.startswith("La apuesta Ante es de $5 a $500 ")


@wordy
def test_a_sheet_that_names_no_currency_is_in_dollars() -> None:
    a = sheet_of(NAME)
    said = told(a, change_sheet(a, {"house.currency": "EUR"}), speech("en", "EUR"))
    assert said["rule house.currency"]["text"] == (
        "Money is in US dollars in the first sheet and in euros in the second sheet."
    )


@wordy
def test_what_changes_of_a_wager_or_a_street_is_named_by_its_title() -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {"side.three-card-bonus.stake.clause": "H-1", "streets[1].clause": "H-2"})
    texts = [one.get("text") for key, one in told(a, b, "en").items() if key.startswith("words")]
    assert '3 Card Bonus stake: clause "CMS-2" becomes "H-1"' in texts
    assert 'Turn bet: clause "CMS-5" becomes "H-2"' in texts
