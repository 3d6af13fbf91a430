"""Where a checklist says that something stands, it stands: judged by the built papers."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from tests.lanes import spread
from tests.papers.read_back import SHEETS, keyed, made, sheet_of, text

from pitbook.papers.checklists import checklist, checklists
from pitbook.papers.content import Paper, plain
from pitbook.papers.packet import PAPERS
from pitbook.papers.typeset import pdf
from pitbook.sheets.changed import changed
from pitbook.sheets.model import Sheet

NAME = "catfish-bend/mississippi-stud"
FILES = {"Rules of the game": "rules", "Mathematical report": "report", "How to play": "rack-card"}
FILES |= {"Table limits": "sign", "Dealer's procedure": "dealer-card", "Layout": "layout"}

# What must be read at the places that an item names, all of them together.
WORDS = {
    "A limit on all payouts of a round": r"(?i)in a round.*pay at most",
    "Such a limit is at least": r"(?i)in a round.*pay at most \$[\d,]+",
    "Such a limit is posted": r"Posted at the table: .*in a round.*What is paid at most",
    "The rules carry the commission": r"Approval.*approved on.*Date",
    "Bets and chips": r"\$\d+ to \$\d+.*chips are \$.*At least",
    "The most that a hand is paid": r"Posted at the table: .*hand.*What is paid at most",
    "The state's limits on bets": r"\$4",
    "The cost of buy-in": r"(?i)buy-in.*announce|announce.*buy-in",
    "The most that a player spends": r"\$150.*\$250",
    "Refunds of tournaments": r"(?i)refund.*first card",
    "An hourly tournament": r"(?i)hourly tournament.*three players",
    "A multi-table tournament": r"(?i)multi-?table tournament",
    "A cash game or game of chance": r"(?i)interrupted|cut short",
    "Redemption of chips": r"(?i)redeem",
    "Whose property chips are": r"(?i)property of",
    "Where the proceeds go": r"(?i)proceeds.*charit",
    "The commission's address": r"(?i)commission.*RSA 287-D",
    "The layout as it will appear": r"Drawn to scale.*How it is played.*What is paid",
    "Rules of play with examples": r"(?=.*: a loss).*: a win",
    "Dealing procedures": r"The dealer gives each player.*The dealer gives each player",
    "A payout schedule": r"\d to 1",
    "A rack card": r"How it is played",
    "A statistical evaluation": r"House advantage, exact.*Standard deviation",
    "A unique name": r"The game is called",
    "A summary": r"How it is played.*(Hands play|plays against).*\$\d+ to \$\d+",
    "Draft rules with equipment": r"The table has .* positions.*shuffled",
    "Specific examples": r"The player holds.*The dealer gives each player",
    "Procedures for all misdeals": r"(?i)misdeal.*fouled deck",
    "True odds, payout odds": r"House advantage.*True odds to 1 Pays",
    "A sketch of the layout": r"Drawn to scale, 1 to",
    "The rules submission states": r"Decisions",
    "Each page carries its approval": r"Approval.*approved",
    "Limits are on a sign": r"At least At most",
    "Gaming guides": r"How it is played",
    "Layouts, filed": r"Drawn to scale, 1 to",
    "Signage": r"At least At most",
    "Equipment": r"The table has .* positions.*deck",
    "The object of the game": r"(Hands play|plays against).*\d to 1.*a loss",
    "The equipment": r"The table has .* positions.*deck",
    "Wagers and odds": r"\$\d+ to \$\d+.*\d to 1",
    "Shuffling": r"(?i)shuffle",
    "Dealing and taking of cards": r"The dealer gives each player.*discard",
    "Collection and payout": r"Seats are settled",
    "Cheating": r"(?i)information",
    "Defective equipment": r"(?i)fouled deck",
    "Cards that are taken off": r"(?i)cards.*taken off (the table|it)",
    "A coloured layout": r"Drawn to scale, 1 to",
    "The options of the game": r"Decisions",
    "Whether a shuffler is used": r"shuffled by (an automatic shuffler|hand)",
    "Who touches the cards": r"The dealer gives each player",
    "Smallest and largest": r"\$\d+ to \$\d+.*At least At most",
    "The number of decks": r"deck",
    "Irregularities": r"(?i)misdeal",
    "Inspection of the cards": r"First this",
    "Cutting": r"First this",
    "Burning of cards": r"First this",
    "Hand signals": r"First this",
    "Patent filing receipt": r"A trademark of its owner",
    "A letter of a host casino": r"River House",
    "The sponsoring licensee": r"River House",
    "Intellectual property": r"A trademark of its owner",
}
FILED = {
    "filing": {"sponsor": "River House", "rights": "A trademark of its owner."},
    "procedures": {
        name: {"steps": ["First this.", "Then that."], "clause": "House 1"}
        for name in ("inspection", "shuffle", "cut", "burn", "signals", "discard")
    },
}


def read_at(paper: Paper, content: bytes, number: str, titled: str) -> str:
    """The words of a section or of a paragraph in the text layer; none where no such place is."""
    words = text(content)
    titles = [str(plain(one.title, "en")) for one in paper.sections]
    if titled:
        return words[words.index(titled) :] if titled in words else ""
    if not number:
        return words
    first, _, own = number.partition(".")
    heads = [f"{place} {title}" for place, title in enumerate(titles, start=1)]
    at = [words.find(head) for head in heads]
    assert all(one < other for one, other in pairwise(at)), (paper.id, heads)
    section = words[at[int(first) - 1] : [*at, None][int(first)]]
    if not own:
        return section
    following = re.escape(f"{first}.{int(own) + 1} ")
    found = re.search(rf" {re.escape(number)} (.+?)(?= {following}|$)", section)
    return found[1] if found else ""


PLACE = re.compile(r'([A-Z][^,;"]*)(?:, (\d[\d.]*)|, "([^"]+)")?')


def pointed(told: str) -> list[tuple[str, str, str]]:
    """The papers that a cell names, each with a number or a title."""
    places = told.partition("; not as asked:")[0].split("; ")
    found = [PLACE.fullmatch(one) for one in places]
    assert all(found), told
    return [(one[1], one[2] or "", one[3] or "") for one in found if one]


@pytest.mark.slow_cases("catfish-bend/matchem-hi-lo")
@pytest.mark.parametrize("name", spread(SHEETS, 1))
def test_what_a_checklist_points_at_holds_what_is_asked(name: str) -> None:
    sheet = sheet_of(name)
    papers = {one: make(sheet) for one, make in PAPERS.items()}
    for slug in checklists():
        _judge(sheet, slug, papers, lambda paper: made(name, paper))


@pytest.mark.slow
@pytest.mark.long
def test_so_does_a_field_that_a_sheet_had_not_before() -> None:
    sheet = changed(sheet_of(NAME), FILED)
    papers = {one: PAPERS[one](sheet) for one in ("rules",)}
    content = pdf(papers["rules"], day=sheet.effective)
    for slug in ("ohio", "indiana", "nevada", "massachusetts"):
        _judge(sheet, slug, papers, lambda _: content)


def _judge(
    sheet: Sheet, slug: str, papers: dict[str, Paper], content: Callable[[str], bytes]
) -> None:
    rows = keyed(checklist(sheet, slug, papers))["checklist"]["rows"]
    for number, asked, _, told in rows:
        if told.startswith(("missing: ", "not asked: ")):
            continue
        read = ""
        for title, at, part in pointed(told):
            paper = FILES[title]
            found = read_at(papers[paper], content(paper), at, part)
            assert found, (sheet.id, slug, number, told)
            read += " " + found
        (words,) = [one for start, one in WORDS.items() if asked.startswith(start)]
        if len(papers) == len(PAPERS):
            assert re.search(words, read), (sheet.id, slug, number, asked, told, read[:600])
        elif words in ("First this", "River House", "A trademark of its owner"):
            assert words in read, (slug, asked, told)


def test_a_receipt_and_a_letter_are_not_said_to_stand_in_the_rules() -> None:
    """Nevada asks for papers of others; that the rules name sponsor and rights is none of them."""
    rows = keyed(checklist(changed(sheet_of(NAME), FILED), "nevada", {}))["checklist"]["rows"]
    told = {row[1]: row[3] for row in rows}
    assert told["Patent filing receipt."] == "missing: the house adds it"
    assert told["A letter of a host casino."] == "missing: the house adds it"
