"""A redline lists what changes, and exactly the pages of the packet that change."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from tests.lanes import spread
from tests.printing.pdf_reader import BUILT, SHEETS, blocks_by_key, pages, sheet_of

from pitbook.exact.compare import edge_of
from pitbook.money import Cents
from pitbook.printing.changed_play import changed_play
from pitbook.printing.changed_values import FIELDS_WITHOUT_EFFECT, pay_or_loss
from pitbook.printing.content import Paper, SmallTables, plain
from pitbook.printing.html import html
from pitbook.printing.packet import PAPERS
from pitbook.printing.page_texts import foot, head
from pitbook.printing.redline import number_ranges, redline, same_game
from pitbook.printing.typeset import PageSize, pdf
from pitbook.sheets.diff import find_differences
from pitbook.sheets.edit import change_sheet, take_fields
from pitbook.sheets.findings import SheetInvalid
from pitbook.sheets.model import Sheet
from pitbook.text import locale_of

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
    """Skip typesetting, most of the work, in tests that only look at words."""
    monkeypatch.setattr("pitbook.printing.redline.changed_papers", lambda *_, **_how: iter(()))


without_pages = pytest.mark.usefixtures("no_pages")


def page_words(paper: Paper, size: PageSize) -> list[str]:
    """The text of each page without head and foot, which every change changes."""
    page_texts = []
    for page in pages(pdf(paper, built=BUILT, size=size)):
        page_text = re.sub(r"page \d+ of \d+", "", page)
        for line in (*foot(paper), *head(paper)):
            page_text = page_text.replace(re.sub(r"\s+", " ", str(plain(line, "en"))), "", 1)
        page_texts.append(page_text)
    return page_texts


def printed_changes(a: Sheet, b: Sheet, size: PageSize) -> dict[str, str]:
    """The changed pages of each new paper, read from both packets."""
    changed = {}
    for make in PAPERS.values():
        old, new = page_words(make(a), size), page_words(make(b), size)
        changed_pages = [page for page, text in enumerate(new, 1) if old[page - 1 : page] != [text]]
        if changed_pages:
            changed[str(plain(make(b).title, "en"))] = ", ".join(number_ranges(changed_pages))
    return changed


CASES: list[tuple[str, PageSize]] = [(change, "letter") for change in CHANGES]
CASES += [(change, "a4") for change in CHANGES]


@pytest.mark.long
@pytest.mark.parametrize("case", spread(CASES, 1))
def test_a_redline_names_the_pages_that_change_and_no_others(case: tuple[str, PageSize]) -> None:
    (change, size), a = case, sheet_of(NAME)
    b = change_sheet(a, CHANGES[change])
    rows = blocks_by_key(redline(a, b, size=size))["pages"]["rows"]
    assert {paper: named for paper, _, named in rows} == printed_changes(a, b, size)


@pytest.mark.slow
@pytest.mark.long
@without_pages
def test_changes_of_clauses_and_notes_are_listed() -> None:
    a = sheet_of(NAME)
    blocks = blocks_by_key(redline(a, change_sheet(a, CHANGES["clause"])))
    assert blocks["words main clause"]["text"] == (
        'Pay table, "the Ante and every street bet of a winning hand shall be paid at the same '
        'odds": clause "CMS-9" becomes "CMS-9a"'
    )
    blocks = blocks_by_key(redline(a, change_sheet(a, CHANGES["reason"])))
    assert 'becomes "Six, as the house wrote."' in blocks["words seats note"]["text"]
    assert [key for key in blocks_by_key(redline(a, a)) if key.startswith("words")] == []


@pytest.mark.slow
@without_pages
def test_changed_cap_lists_its_effect_at_each_ante() -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {"limits": [CAP]})
    rows = blocks_by_key(redline(a, b))["limited"]["rows"]
    assert ["$100", "5.8567%", "5.6050%", "-0.2516"] in rows
    assert "limited" not in blocks_by_key(redline(a, change_sheet(a, CHANGES["clause"])))


@pytest.mark.slow
@without_pages
def test_added_or_removed_cap_lists_its_effect_at_each_ante() -> None:
    capped, uncapped = sheet_of(NAME), sheet_of("pennsylvania/mississippi-stud")
    rows = blocks_by_key(redline(capped, uncapped))["limited"]["rows"]
    assert ["$100", "5.8567%", "4.9149%", "-0.9418"] in rows
    rows = blocks_by_key(redline(uncapped, capped))["limited"]["rows"]
    assert ["$100", "4.9149%", "5.8567%", "+0.9418"] in rows
    other_antes = sheet_of("oceanfront/mississippi-stud")
    assert "limited" not in blocks_by_key(redline(other_antes, uncapped))


def test_hand_that_a_bonus_does_not_list_is_not_called_lost() -> None:
    """A straight wins by the dealer's hand, with a line in the pay table or without."""
    a, b = sheet_of("classic/casino-holdem"), sheet_of("pennsylvania/ultimate-texas-holdem")
    (sentence,) = (
        difference.words
        for difference in find_differences(a, b)
        if difference.path == ("main", "pays", "straight")
    )
    assert (
        sentence == "Straight has no payout of its own at Any house and pays 1:1 at Pennsylvania."
    )
    assert [pay_or_loss(None, sheet, "main") for sheet in (a, sheet_of(NAME))] == [
        "no line",
        "loses",
    ]
    assert pay_or_loss(None, b, "trips") == "loses"


def test_decisions_are_compared_by_name() -> None:
    def decisions(*titles: str, play: str) -> list[dict[str, Any]]:
        rows = [["AA", "22", [play], ""]]
        return [{"kind": "runs", "title": title, "rows": rows} for title in titles]

    a = decisions("after the flop", play="2x")
    b = decisions("before the flop", "after the flop", play="4x")
    first, second = (str(plain(paragraph.text, "en")) for paragraph in changed_play(a, b))
    assert first.startswith("After the flop: before: ")
    assert second == "Before the flop: a new decision."
    (renamed,) = changed_play(a, decisions("flop bet", play="4x"))
    assert str(plain(renamed.text, "en")).startswith("Flop bet: before: ")


@pytest.mark.slow
@pytest.mark.long
@without_pages
def test_games_of_two_families_are_not_compared() -> None:
    blocks = blocks_by_key(redline(sheet_of(NAME), sheet_of("pennsylvania/three-card-poker")))
    assert "not compared" in blocks["rule family"]["text"]
    assert "not compared" in blocks["strategy other"]["text"]
    assert [key for key in blocks if key.startswith("strategy")] == ["strategy other"]


@pytest.mark.long
@without_pages
def test_a_rule_of_every_street_has_the_clause_of_a_street() -> None:
    blocks = blocks_by_key(redline(sheet_of(NAME), sheet_of("oceanfront/mississippi-stud")))
    assert blocks["rule streets.title"]["clauses"] == [
        "Overview, page 2; Dealing Procedures, items 5, 7 and 9",
        "Method of Play; Types of Wagers; Game Rules, items 5, 7 and 8",
    ]


@pytest.mark.long
def test_sections_are_named_as_a_reader_finds_them() -> None:
    a = sheet_of(NAME)
    rows = blocks_by_key(redline(a, change_sheet(a, CHANGES["stakes"])))["pages"]["rows"]
    named = {paper: sections for paper, sections, _ in rows}
    assert named["Rules of the game"] == "heading, 5, 10, 14–16"  # 14 to 16: the approval lapses.
    assert named["Table limits"] == "Table limits"
    assert named["Dealer's procedure"] == "heading"


EUROS: dict[str, Any] = {"house.currency": "EUR", "ante.min": "10", "ante.max": "200"}


def redline_blocks(a: Sheet, b: Sheet, language: str) -> dict[str, Any]:
    """Every block of a redline by its key, as printed in a language."""
    paper = redline(a, b, language=language)
    all_blocks = [block for section in paper.sections for block in section.blocks]
    return {
        block.key: plain(block, language)
        for block in all_blocks
        if not isinstance(block, SmallTables)
    }


@without_pages
@pytest.mark.parametrize("language", ["en", "es"])
def test_amounts_of_each_sheet_are_in_its_currency(language: str) -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {**EUROS, "limits": [{**CAP, "pays_max": "60000"}]})
    there, back = locale_of(language, "EUR"), locale_of(language, None)
    ante = redline_blocks(a, b, there)["rule ante.min"]["text"]
    assert "$5 " in ante
    assert "$500 " in ante
    assert "€10 " in ante
    assert "€200 " in ante
    cap = redline_blocks(a, b, there)["rule limits.0"]["text"]
    assert "$25" in cap
    assert "€60" in cap
    ante = redline_blocks(b, a, back)["rule ante.min"]["text"]
    assert "$5 " in ante
    assert "€10 " in ante


@without_pages
def test_an_edge_by_ante_of_two_currencies_names_the_amount_in_both() -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {"house.currency": "EUR", "limits": [{**CAP, "pays_max": "60000"}]})
    rows = redline_blocks(a, b, locale_of("en", "EUR"))["limited"]["rows"]
    assert rows[0][0] == "$5, then €5"


@without_pages
def test_amounts_of_one_sheet_only_are_in_its_currency() -> None:
    a = sheet_of(NAME)
    b = change_sheet(sheet_of("oceanfront/mississippi-stud"), {"house.currency": "EUR"})
    both = redline_blocks(a, b, locale_of("en", "EUR"))
    assert "($1 to $100)" in both["rule side.three-card-bonus"]["text"]
    assert "€4" in both["rule ante.min"]["text"]


@without_pages
def test_other_pay_tables_are_named_by_their_titles_and_not_by_ids() -> None:
    a, b = sheet_of("pennsylvania/mississippi-stud"), sheet_of(NAME)
    for language in ("en", "es"):
        words = " ".join(
            str(block.get("text")) for block in redline_blocks(a, b, language).values()
        )
        assert "Straight at 5 to 1" in words
        assert "(+" not in words


@without_pages
def test_changed_rules_are_in_the_language_of_the_paper() -> None:
    a = sheet_of(NAME)
    text = redline_blocks(a, change_sheet(a, {"ante.max": "300"}), "es")["rule ante.max"]["text"]
    assert text.startswith("La apuesta Ante es de $5 a $500 ")


@without_pages
def test_a_sheet_that_names_no_currency_is_in_dollars() -> None:
    a = sheet_of(NAME)
    blocks = redline_blocks(a, change_sheet(a, {"house.currency": "EUR"}), locale_of("en", "EUR"))
    assert blocks["rule house.currency"]["text"] == (
        "Money is in US dollars in the first sheet and in euros in the second sheet."
    )


@without_pages
def test_changed_wagers_and_streets_are_named_by_title() -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {"side.three-card-bonus.stake.clause": "H-1", "streets[1].clause": "H-2"})
    texts = [
        block.get("text")
        for key, block in redline_blocks(a, b, "en").items()
        if key.startswith("words")
    ]
    assert '3 Card Bonus, limits: clause "CMS-2" becomes "H-1"' in texts
    assert 'Turn bet: clause "CMS-5" becomes "H-2"' in texts


@without_pages
def test_changed_clauses_of_rules_are_named_by_heading_and_label() -> None:
    a = sheet_of(NAME)
    b = change_sheet(
        a, {"irregularities.misdeal.clause": "H-1", "fold.board_when_all_fold.clause": "H-2"}
    )
    texts = [
        block.get("text")
        for key, block in redline_blocks(a, b, "en").items()
        if key.startswith("words")
    ]
    assert 'Irregularities, "Misdeal": clause "GEN-6" becomes "H-1"' in texts
    assert 'Fold, "All fold": clause "GEN-5" becomes "H-2"' in texts


@without_pages
def test_changed_paragraphs_show_deletions_and_insertions() -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {"main.pays.flush": "7:1", "ante.max": "300"})
    blocks = redline_blocks(a, b, "en")
    ante = blocks["amended main.bounds"]
    assert ante["edits"] == [
        ["same", "The Ante is $5 to "],
        ["deleted", "$500."],
        ["inserted", "$300."],
    ]
    page = html(redline(a, b))
    assert "<del>$500.</del><ins>$300.</ins>" in page
    values = {row[0]: row[1:] for row in blocks["values"]["rows"]}
    assert values["Main game: flush"] == ["6 to 1", "7 to 1", "-0.8524", "0.0000"]
    assert values["The Ante"][:2] == ["is $5 to $500", "is $5 to $300"]
    assert blocks["approval"]["lines"][0][0] == "Approved by (signature)"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (NAME, "oceanfront/mississippi-stud", True),
        ("louisiana-stud/standard", "louisiana-stud/stax-required", True),
        (NAME, "louisiana-stud/standard", False),
        (NAME, "pennsylvania/three-card-poker", False),
    ],
)
def test_the_same_game_at_two_houses_is_one_game(a: str, b: str, *, same: bool) -> None:
    assert same_game(sheet_of(a), sheet_of(b)) is same


VALUES: dict[str, Any] = {
    "main.pays.flush": "7:1",
    "streets[1].bets": [1, 2],
    "ante.max": "300",
    "seats.count": 5,
    "limits[0].pays_max": "50000",
}


def in_points(change: Fraction) -> str:
    text = f"{float(change) * 100:+.4f}"
    return text if float(text) else "0.0000"


@without_pages
def test_each_changed_value_has_its_own_effect_on_every_edge() -> None:
    a = sheet_of(NAME)
    both = [("main", "Main game"), ("three-card-bonus", "3 Card Bonus")]
    table = redline_blocks(a, change_sheet(a, VALUES), "en")["values"]
    assert table["head"][3:] == [title for _, title in both]
    rows = {row[0]: row[3:] for row in table["rows"]}
    for what, name in {
        "Main game: flush": "main.pays.flush",
        "A street bet": "streets[1].bets",
        "The Ante": "ante.max",
        "The table": "seats.count",
        "Limits: Each round": "limits[0].pays_max",
    }.items():
        alone = change_sheet(a, {name: VALUES[name]})
        effects = [in_points(edge_of(alone, wager) - edge_of(a, wager)) for wager, _ in both]
        assert rows[what] == effects, what
    assert rows["A street bet"] == ["+12.0994", "0.0000"]
    main = [float(row[0]) for row in rows.values()]
    assert sum(main[:-1]) == pytest.approx(main[-1], abs=0.0004)


@without_pages
def test_each_change_has_its_effect_under_the_limits() -> None:
    a = sheet_of(NAME)
    table = redline_blocks(a, change_sheet(a, VALUES), "en")["values under limits"]
    assert table["head"] == ["What", "Main game, $300", "3 Card Bonus, $100"]
    rows = {row[0]: row[1] for row in table["rows"]}
    ante = Cents(30_000)
    for what, name in {
        "Main game: pay table": "main.pays.flush",
        "A street bet": "streets[1].bets",
        "Limits: Each round": "limits[0].pays_max",
    }.items():
        alone = change_sheet(a, {name: VALUES[name]})
        assert rows[what] == in_points(edge_of(alone, "main", ante) - edge_of(a, "main", ante))
    assert rows["Limits: Each round"] == "-0.0821"
    assert "The table" not in rows


@without_pages
def test_a_limit_per_round_has_its_effect_on_side_wagers() -> None:
    a = sheet_of("catfish-bend/matchem-hi-lo")
    b = change_sheet(a, {"limits[0].pays_max": "5000", "deck.decks": 4})
    rows = redline_blocks(a, b, "en")["values under limits"]["rows"]
    assert ["Limits: Each round", "0.0000", "+2.0056", "+1.0372"] in rows
    values = {row[0]: row[3:] for row in redline_blocks(a, b, "en")["values"]["rows"]}
    assert values["The game"] == ["-0.1271", "+4.6208", "+2.3392"]


@without_pages
def test_a_change_that_cannot_stand_alone_has_a_reason_and_no_figure() -> None:
    a, b = sheet_of("oceanfront/mississippi-stud"), sheet_of(NAME)
    blocks = redline_blocks(a, b, "en")
    rows = {row[0]: row[3:] for row in blocks["values"]["rows"]}
    assert rows["The Ante"] == ["\u2013"]
    assert blocks["inseparable 1"]["text"] == (
        'No figure for "The Ante": with this change alone the rules would not be consistent '
        "(The ante can be $500, above the single-bet maximum of $4)."
    )
    assert "no amount is permitted by both sheets" in blocks["no common amount"]["text"]
    assert rows["Other changes and their interaction"] == ["-0.0038"]


@without_pages
def test_changed_procedures_are_said_to_affect_no_figure() -> None:
    a = sheet_of(NAME)
    blocks = redline_blocks(a, change_sheet(a, CHANGES["steps"]), "en")
    assert "affect no house advantage" in blocks["paperwork effect"]["text"]
    assert "paperwork effect" not in redline_blocks(a, change_sheet(a, VALUES), "en")


@without_pages
def test_a_side_wager_of_one_sheet_is_one_row_and_rules_show_no_ids() -> None:
    a, b = sheet_of("oceanfront/mississippi-stud"), sheet_of(NAME)
    rows = redline_blocks(a, b, "en")["values"]["rows"]
    assert ["3 Card Bonus", "not offered", "offered, $1 to $100", "0.0000"] in rows
    text = " ".join(" ".join(row) for row in rows)
    assert "three-card-bonus" not in text
    assert "3rd-street" not in text


@without_pages
def test_a_first_limit_is_compared_with_payouts_without_limit() -> None:
    rows = redline_blocks(sheet_of("pennsylvania/mississippi-stud"), sheet_of(NAME), "en")
    first = next(row for row in rows["values"]["rows"] if row[0] == "Limits: Each round")
    assert first[1] == "Payouts are not limited"
    assert first[2].startswith("The aggregate payout on winning wagers at odds of 100 to 1 or more")
    assert ["Limits: Each round", "+1.1388", "0.0000"] in rows["values under limits"]["rows"]


@without_pages
def test_values_of_different_games_have_no_effects() -> None:
    a, b = sheet_of(NAME), sheet_of("pennsylvania/three-card-poker")
    blocks = redline_blocks(a, b, "en")
    assert blocks["values"]["head"] == ["What", "Before", "After"]
    assert "different games" in blocks["no effects"]["text"]


def family(name: str) -> str:
    return sheet_of(name).family


@pytest.mark.parametrize(
    "pair",
    spread([(a, b) for a in SHEETS for b in SHEETS if a != b and family(a) == family(b)], 2),
)
def test_fields_said_to_have_no_effect_change_no_edge(pair: tuple[str, str]) -> None:
    a, b = map(sheet_of, pair)
    for field in FIELDS_WITHOUT_EFFECT:
        with suppress(SheetInvalid):
            changed = take_fields(a, b, [field])
            for wager in ("main", *a.side):
                assert edge_of(changed, wager) == edge_of(a, wager), (field, wager)
