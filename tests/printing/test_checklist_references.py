"""The places that checklists cite contain the required text, judged by the built papers."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from tests.lanes import spread
from tests.printing.pdf_reader import BUILT, SHEETS, blocks_by_key, build_pdf, sheet_of, text

from pitbook.printing.checklists import checklist, checklists
from pitbook.printing.content import Paper, plain
from pitbook.printing.packet import PAPERS
from pitbook.printing.typeset import pdf
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.model import Procedures, Sheet

NAME, OCEANFRONT = "catfish-bend/mississippi-stud", "oceanfront/mississippi-stud"
FILES = {"Rules of the game": "rules", "Mathematical report": "report", "How to play": "rack-card"}
FILES |= {"Table limits": "sign", "Dealer's procedure": "dealer-card", "Layout": "layout"}

# Text that the places of an item must contain between them.
DEAL = r"The dealer shall deal each player"
DECK = r"The table shall have .* positions.*deck"
DRAWN = r"Drawn to scale, 1 to"
HOW_TO_PLAY = r"How to play in five steps"
IRREGULAR = r"(?i)misdeal.*fouled deck"
LIMITS = r"Minimum Maximum"
OBJECT = r"The object of the game is"
SHUFFLE = r"(?i)shuffle"
WORDS = {
    "An aggregate payout limit per round applies only to odds above 50 to 1.": (
        r"(?i)in one round.*shall not exceed"
    ),
    "The aggregate payout limit is at least $25,000 or the top award at the table minimum, "
    "whichever is greater.": (r"(?i)in one round.*shall not exceed \$[\d,]+"),
    "The aggregate payout limit is posted.": (
        r"posted at the table: .*in one round.*Maximum payouts"
    ),
    "The table's minimum and maximum wagers are posted.": LIMITS,
    "Proposed game rules.": rf"{OBJECT}.*Positions shall be settled",
    "Proposed wagers.": r"\$\d+ to \$\d+",
    "Proposed shuffling procedure.": SHUFFLE,
    "Proposed cutting procedure.": r"First this",
    "Proposed dealing procedure.": rf"{DEAL}.*{DEAL}",
    "Proposed payout odds.": r"\d to 1",
    "Approval by the administrator or a commission representative before use.": (
        r"Approval.*approved on.*Date"
    ),
    "The rules of play, payouts and permitted wagers are visible to players.": (
        rf"{HOW_TO_PLAY}.*\d to 1.*{LIMITS}"
    ),
    "Approval of the game procedures by the commission.": r"Approval.*approved on.*Date",
    "The name of the card game.": r"The game is called",
    "The object of the card game.": OBJECT,
    "The rules of the card game.": rf"{OBJECT}.*Positions shall be settled.*misdeal",
    "The equipment of the card game.": DECK,
    "The method of play.": rf"{DEAL}.*Decisions",
    "The types of wagers, including any buy-ins and re-buys.": r"\$\d+ to \$\d+",
    "The wager amounts.": rf"\$\d+ to \$\d+.*{LIMITS}",
    "The payouts and payout odds of each wager.": r"\d to 1",
    "A player spends no more than $150 on such a game, including add-ons.": r"up to \$150",
    "One such game per licensed event may allow up to $250.": (
        r"licensed event may allow up to \$250"
    ),
    "No single wager exceeds the statutory limit ($4 in the text of 2015).": (
        r"maximum bet in a game of chance is \$4"
    ),
    "A name not used by any approved game.": r"The game is called",
    "The sponsoring licensee.": r"River House",
    "A summary: object, method of play, wagers.": rf"{HOW_TO_PLAY}.*{OBJECT}.*\$\d+ to \$\d+",
    "Draft rules with a description of the equipment.": rf"{OBJECT}.*{DECK}",
    "Specific examples and dealing procedures.": rf"The player holds.*{DEAL}",
    "The remedy for each type of misdeal.": (
        r"incorrect number of cards.*misdeal shall result in the return"
    ),
    "The remedy for each malfunction of equipment.": r"First this",
    "True odds, payout odds and house advantage of each wager.": (
        r"House advantage.*True odds to 1 Pays"
    ),
    "A sketch or photograph of the layout.": DRAWN,
    "Copyrights, trademarks and patents, issued or pending.": r"A trademark of its owner",
    "Minimum and maximum wagers, with notice of them at the table.": LIMITS,
    'Printed payout odds use "to", not "for".': r"^(?!.*\d for \d).*\d to 1",
    "The gaming guide.": HOW_TO_PLAY,
    "The table layout.": DRAWN,
    "The signage.": LIMITS,
    "Written approval of a rule change by the commission.": r"Approval.*approved",
    "Gaming guides, filed electronically.": HOW_TO_PLAY,
    "Layouts, filed electronically.": DRAWN,
    "Signage, filed electronically.": LIMITS,
    "The object of the game and the method of play, including winning, losing and tied hands.": (
        rf"{OBJECT}.*\d to 1.*a loss"
    ),
    "The equipment and the table.": DECK,
    "Wagers and payout odds.": r"\$\d+ to \$\d+.*\d to 1",
    "Inspection of the cards.": r"First this",
    "Shuffling.": SHUFFLE,
    "Cutting.": r"First this",
    "Dealing and collection of cards.": rf"{DEAL}.*discard",
    "Burning of cards.": r"First this",
    "Collection of bets and payouts.": r"Positions shall be settled",
    "Suspected cheating, with notice to the gaming agent.": r"First this",
    "Notice to the gaming agent of defective or malfunctioning equipment.": r"First this",
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
        for name in Procedures.model_fields
    },
}


def read_at(paper: Paper, content: bytes, number: str, titled: str) -> str:
    """The words of a section or paragraph in the text layer; empty if there is no such place."""
    words = text(content)
    titles = [str(plain(section.title, "en")) for section in paper.sections]
    if titled:
        return words[words.index(titled) :] if titled in words else ""
    if not number:
        return words
    first, _, paragraph_number = number.partition(".")
    heads = [f"{place} {title}" for place, title in enumerate(titles, start=1)]
    starts = [words.find(head) for head in heads]
    assert all(start < next_start for start, next_start in pairwise(starts)), (paper.id, heads)
    section = words[starts[int(first) - 1] : [*starts, None][int(first)]]
    if not paragraph_number:
        return section
    following = re.escape(f"{first}.{int(paragraph_number) + 1} ")
    match = re.search(rf" {re.escape(number)} (.+?)(?= {following}|$)", section)
    return match[1] if match else ""


PLACE = re.compile(r'([A-Z][^,;"]*)(?:, (\d[\d., and]*)|, "([^"]+)")?')


def cited_places(cell: str) -> list[tuple[str, str, str]]:
    """The papers that a cell cites, each with a number or a title."""
    places = cell.partition("; not met:")[0].split("; ")
    matches = [PLACE.fullmatch(place) for place in places]
    assert all(matches), cell
    return [
        (match[1], number, match[3] or "")
        for match in matches
        if match
        for number in re.findall(r"\d[\d.]*", match[2] or "") or [""]
    ]


@pytest.mark.parametrize("name", spread((OCEANFRONT, *sorted({*SHEETS} - {OCEANFRONT})), 1))
def test_places_that_a_checklist_cites_contain_the_requirement(name: str) -> None:
    sheet = sheet_of(name)
    papers = {paper_id: make(sheet) for paper_id, make in PAPERS.items()}
    for slug in checklists():
        _check_places(sheet, slug, papers, lambda paper: build_pdf(name, paper))


@pytest.mark.slow
@pytest.mark.long
def test_places_of_added_fields_contain_the_requirement() -> None:
    sheet = change_sheet(sheet_of(NAME), FILED)
    papers = {paper_id: PAPERS[paper_id](sheet) for paper_id in ("rules",)}
    content = pdf(papers["rules"], built=BUILT)
    for slug in ("iowa", "ohio", "indiana", "massachusetts"):
        _check_places(sheet, slug, papers, lambda _: content)


def _check_places(
    sheet: Sheet, slug: str, papers: dict[str, Paper], content: Callable[[str], bytes]
) -> None:
    rows = blocks_by_key(checklist(sheet, slug, papers))["checklist"]["rows"]
    for number, requirement, _, answer in rows:
        if answer.startswith(("missing: ", "not applicable: ", "not checked: ")):
            continue
        combined = ""
        for title, place, part in cited_places(answer):
            paper = FILES[title]
            excerpt = read_at(papers[paper], content(paper), place, part)
            assert excerpt, (sheet.id, slug, number, answer)
            combined += " " + excerpt
        pattern = WORDS[requirement]
        if len(papers) == len(PAPERS):
            assert re.search(pattern, combined), (
                sheet.id,
                slug,
                number,
                requirement,
                answer,
                combined[:600],
            )
        elif pattern in ("First this", "River House", "A trademark of its owner"):
            assert pattern in combined, (slug, requirement, answer)


def test_every_item_with_a_place_has_expected_words() -> None:
    named = {item.asks for _, items in checklists().values() for item in items if item.at}
    assert set(WORDS) == named
