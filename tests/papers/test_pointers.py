"""Where a checklist says that something stands, it stands: judged by the built papers."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from tests.lanes import spread
from tests.papers.read_back import BUILT, SHEETS, keyed, made, sheet_of, text

from pitbook.papers.checklists import checklist, checklists
from pitbook.papers.content import Paper, plain
from pitbook.papers.packet import PAPERS
from pitbook.papers.typeset import pdf
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.model import Sheet

NAME = "catfish-bend/mississippi-stud"
FILES = {"Rules of the game": "rules", "Mathematical report": "report", "How to play": "rack-card"}
FILES |= {"Table limits": "sign", "Dealer's procedure": "dealer-card", "Layout": "layout"}

# What must be read at the places that an item names, all of them together.
DEAL = r"The dealer gives each player"
DECK = r"The table has .* positions.*deck"
DRAWN = r"Drawn to scale, 1 to"
HOW_TO_PLAY = r"How it is played"
IRREGULAR = r"(?i)misdeal.*fouled deck"
LIMITS = r"At least At most"
OBJECT = r"(Hands play|plays against)"
SHUFFLE = r"(?i)shuffle"
WORDS = {
    "A limit on all payouts of a round is on odds above 50 to 1 only.": (
        r"(?i)in a round.*pay at most"
    ),
    "Such a limit is at least $25,000 or the top award at the table minimum, whichever is more.": (
        r"(?i)in a round.*pay at most \$[\d,]+"
    ),
    "Such a limit is posted.": r"Posted at the table: .*in a round.*What is paid at most",
    "The table's minimum and maximum wagers are posted.": LIMITS,
    "Proposed game rules.": rf"{OBJECT}.*Seats are settled",
    "Proposed wagers.": r"\$\d+ to \$\d+",
    "Proposed shuffling procedure.": SHUFFLE,
    "Proposed cutting procedure.": r"First this",
    "Proposed dealing procedure.": rf"{DEAL}.*{DEAL}",
    "Proposed payout odds.": r"\d to 1",
    "The administrator or a commission representative approves it before use.": (
        r"Approval.*approved on.*Date"
    ),
    "Players can see the rules of play, the payouts and the wagers allowed.": (
        rf"{HOW_TO_PLAY}.*\d to 1.*{LIMITS}"
    ),
    "The commission has approved the game procedures.": r"Approval.*approved on.*Date",
    "The name of the card game.": r"The game is called",
    "The object of the card game.": OBJECT,
    "The rules of the card game.": rf"{OBJECT}.*Seats are settled.*misdeal",
    "The equipment of the card game.": DECK,
    "The method of play.": rf"{DEAL}.*{OBJECT}",
    "The types of wager, with any buy-ins and re-buys.": r"\$\d+ to \$\d+",
    "The wager amounts.": rf"\$\d+ to \$\d+.*{LIMITS}",
    "The payouts and payout odds of each wager.": r"\d to 1",
    "A player spends at most $150 on such a game, add-ons included.": r"at most \$150",
    "One such game of each licensed event may allow up to $250.": r"licensed event may allow \$250",
    "No single wager is above the statute's limit ($4 in the text of 2015).": (
        r"bets of at most \$4"
    ),
    "A name that no approved game has.": r"The game is called",
    "The sponsoring licensee.": r"River House",
    "A summary: object, method of play, wagers.": rf"{HOW_TO_PLAY}.*{OBJECT}.*\$\d+ to \$\d+",
    "Draft rules with a description of the equipment.": rf"{OBJECT}.*{DECK}",
    "Specific examples and dealing procedures.": rf"The player holds.*{DEAL}",
    "How every misdeal is put right.": r"wrong number of cards.*misdeal returns",
    "True odds, payout odds and house advantage of each wager.": (
        r"House advantage.*True odds to 1 Pays"
    ),
    "A sketch or picture of the layout.": DRAWN,
    "Copyrights, trademarks and patents, issued or pending.": r"A trademark of its owner",
    "Minimum and maximum wagers, with notice of them at the table.": LIMITS,
    'Printed payout odds use "to", not "for".': r"^(?!.*\d for \d).*\d to 1",
    "The gaming guide.": HOW_TO_PLAY,
    "The table layout.": DRAWN,
    "The signage.": LIMITS,
    "The commission approves a change of the rules in writing.": r"Approval.*approved",
    "Gaming guides, filed electronically.": HOW_TO_PLAY,
    "Layouts, filed electronically.": DRAWN,
    "Signage, filed electronically.": LIMITS,
    "The object of the game and how it is played, with what wins, loses and ties.": (
        rf"{OBJECT}.*\d to 1.*a loss"
    ),
    "The equipment and the table.": DECK,
    "Wagers and payout odds.": r"\$\d+ to \$\d+.*\d to 1",
    "Inspection of the cards.": r"First this",
    "Shuffling.": SHUFFLE,
    "Cutting.": r"First this",
    "Dealing and taking of cards.": rf"{DEAL}.*discard",
    "Burning of cards.": r"First this",
    "Collection of bets and payouts.": r"Seats are settled",
    "Irregularities of the game.": IRREGULAR,
    "Minimum and maximum wagers are posted at the table.": LIMITS,
    "A colored depiction of the table.": DRAWN,
    "For blackjack: the options offered.": r"Decisions",
    "For blackjack: whether a shuffling machine is used.": (
        r"shuffled by (an automatic shuffler|hand)"
    ),
    "For blackjack: hand signals.": r"First this",
    "For blackjack: minimum and maximum wagers.": rf"\$\d+ to \$\d+.*{LIMITS}",
    "For blackjack: the number of decks.": r"deck",
    "For blackjack: irregularities.": r"(?i)misdeal",
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
    sheet = change_sheet(sheet_of(NAME), FILED)
    papers = {one: PAPERS[one](sheet) for one in ("rules",)}
    content = pdf(papers["rules"], built=BUILT)
    for slug in ("iowa", "ohio", "indiana", "massachusetts"):
        _judge(sheet, slug, papers, lambda _: content)


def _judge(
    sheet: Sheet, slug: str, papers: dict[str, Paper], content: Callable[[str], bytes]
) -> None:
    rows = keyed(checklist(sheet, slug, papers))["checklist"]["rows"]
    for number, asked, _, told in rows:
        if told.startswith(("missing: ", "not asked: ", "not checked: ")):
            continue
        read = ""
        for title, at, part in pointed(told):
            paper = FILES[title]
            found = read_at(papers[paper], content(paper), at, part)
            assert found, (sheet.id, slug, number, told)
            read += " " + found
        words = WORDS[asked]
        if len(papers) == len(PAPERS):
            assert re.search(words, read), (sheet.id, slug, number, asked, told, read[:600])
        elif words in ("First this", "River House", "A trademark of its owner"):
            assert words in read, (slug, asked, told)


def test_every_item_that_names_a_place_has_words_to_be_read_there() -> None:
    named = {item.asks for _, items in checklists().values() for item in items if item.at}
    assert set(WORDS) == named
