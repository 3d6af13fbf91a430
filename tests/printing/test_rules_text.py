"""The rules paper states what a commission looks for: correctly, once, and in the right place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from pitbook.printing.content import Paper, Paragraph, Table, numbered_blocks, plain
from pitbook.printing.dealer_card import dealer_card
from pitbook.printing.html import html
from pitbook.printing.rack_card import rack_card
from pitbook.printing.rules import rules
from pitbook.printing.sign import sign
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import load
from pitbook.sheets.model import Sheet

SHEETS = sorted(f"{path.parent.name}/{path.stem}" for path in BUNDLED.glob("*/*.toml"))


@cache
def paper(name: str) -> Paper:
    return rules(load(BUNDLED / f"{name}.toml"))


def paragraph_texts(paper: Paper) -> dict[str, str]:
    """Paragraphs by key, as they are printed."""
    blocks = [block for part in paper.sections for block in part.blocks]
    return {
        block.key: plain(block, "en")["text"] for block in blocks if isinstance(block, Paragraph)
    }


def keys(paper: Paper) -> list[str]:
    return [entry.block.key for entry in numbered_blocks(paper)]


@pytest.mark.long
def test_the_flop_is_turned_before_the_decision_that_sees_it() -> None:
    order = keys(paper("classic/casino-holdem"))
    flop = order.index("step turn community before flop")
    assert order.index("step deal community") < flop < order.index("step flop")
    texts = paragraph_texts(paper("classic/casino-holdem"))
    assert (
        texts["step turn community before flop"]
        == "The dealer shall turn up three community cards."
    )
    assert texts["step turn dealer last"] == "The dealer shall then turn up the dealer's cards."


@pytest.mark.long
def test_rules_say_which_cards_make_a_hand() -> None:
    assert (
        "the dealer's hand is the best four of six"
        in paragraph_texts(paper("pennsylvania/four-card-poker"))["hands.cards"]
    )
    assert paragraph_texts(paper("catfish-bend/mississippi-stud"))["play.clause"] == (
        "A hand has five cards: the player's two hole cards and the three community cards."
    )
    text = paragraph_texts(paper("pennsylvania/three-card-poker"))["side.six-card-bonus.looks_at"]
    assert "the best five" in text


# Sheets with a rule of their own for this.
OWN_RULES = "caribbean-stud", "casino-holdem", "ultimate-three-card-poker"


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_rules_say_how_an_unlisted_hand_is_settled(name: str) -> None:
    text = (
        "A wager shall lose if its pay table does not list the hand, unless these rules provide "
        "otherwise."
    )
    expected = None if name.endswith(OWN_RULES) else text
    for document in (paper(name), dealer_card(load(BUNDLED / f"{name}.toml"))):
        assert paragraph_texts(document).get("no line") == expected


def test_an_amount_stays_after_a_name_that_reads_right_to_left(tmp_path: Path) -> None:
    name, sheet_file = "\u05d1\u05d5\u05e0\u05d5\u05e1 3", tmp_path / "own.toml"
    text = (BUNDLED / "catfish-bend/mississippi-stud.toml").read_text(encoding="utf-8")
    sheet_file.write_text(text.replace('"3 Card Bonus"', f'"{name}"'), encoding="utf-8")
    content = plain(rules(load(sheet_file)), "en")
    assert f"\u2066{name}\u2069 $1 to $100" in content["about"][1]
    assert f"\u2066{name}\u2069, $1, flush" in json.dumps(content, ensure_ascii=False)


@pytest.mark.long
@pytest.mark.parametrize(("title", "explained"), [("Ante", False), ("Opening Bet", True)])
def test_ante_is_explained_if_it_has_another_name(
    title: str, explained: bool, tmp_path: Path
) -> None:
    sheet_file = tmp_path / "own.toml"
    text = (BUNDLED / "classic/caribbean-stud.toml").read_text(encoding="utf-8")
    sheet_file.write_text(text.replace('"Ante"', f'"{title}"'), encoding="utf-8")
    blocks = [block for part in rules(load(sheet_file)).sections for block in part.blocks]
    table = next(block for block in blocks if isinstance(block, Table) and block.key == "words")
    assert (("Ante", "The main wager") in table.rows) is explained


def test_mhl_8_the_dealers_cards_are_laid_in_the_dealers_order() -> None:
    order = [key for key in keys(paper("catfish-bend/matchem-hi-lo")) if "dealer." in key]
    steps = ("laid", "equal_points", "low", "shared", "clause", "areas")
    assert order == [f"step dealer.{step}" for step in steps]
    text = paragraph_texts(paper("catfish-bend/matchem-hi-lo"))["step dealer.clause"]
    assert (
        text == "The dealer's high hand shall consist of the two other cards and the shared card."
    )


@pytest.mark.parametrize("name", SHEETS)
def test_no_rule_is_stated_twice(name: str) -> None:
    turned = ("step turn", "street ", "posted")
    texts = [
        text for key, text in paragraph_texts(paper(name)).items() if not key.startswith(turned)
    ]
    assert len(texts) == len(set(texts))


def test_only_a_tied_player_may_go_to_war_or_surrender() -> None:
    texts = paragraph_texts(paper("classic/casino-war"))
    texts = {key: text for key, text in texts.items() if not key.startswith("clause ")}
    assert "each player who has tied shall act" in texts["step tie"]
    assert "straights" not in " ".join(texts.values())
    assert [text for text in texts.values() if re.search(r"\b(fold|check)s?\b", text)] == []


def test_a_side_wager_that_may_stand_alone_is_dealt_in() -> None:
    text = paragraph_texts(paper("pennsylvania/three-card-poker"))["step wagers"]
    assert text.endswith("place the Ante, or the Pair Plus alone.")


def test_settlement_of_a_wager_is_stated_once_by_result() -> None:
    texts = paragraph_texts(paper("pennsylvania/three-card-poker"))
    assert texts["wagers.ante-bonus.settles"] == (
        "The Ante Bonus is paid by the pay table if the player wins, on a tie or if the dealer "
        "wins; is not paid on a fold."
    )
    assert "fold" not in texts["wagers.play.settles"]  # A player who folds has made no Play wager.


def test_cms_12_cap_says_what_it_leaves_and_how_it_is_shared() -> None:
    document = paper("catfish-bend/mississippi-stud")
    assert paragraph_texts(document)["limits[0]"].endswith(
        "; all other winning wagers shall be paid in full."
    )
    (lines,) = [
        entry.block for entry in numbered_blocks(document) if entry.block.key == "worked lines"
    ]
    assert isinstance(lines, Table)
    cut = {row[0] for row in lines.rows if row[4] != row[5]}
    assert cut == {"1", "2"}
    assert "0.8333%" in paragraph_texts(document)["worked bite 1"]


def test_only_assumptions_have_notes() -> None:
    noted = {
        entry.block.key
        for entry in numbered_blocks(paper("louisiana-stud/standard"))
        if _notes(entry)
    }
    assert {"deck.shuffle", "deal.direction", "main.step"} <= noted
    assert not {"deck.decks", "deal.order"} & noted


def _notes(entry: object) -> tuple[str, ...]:
    return tuple(getattr(getattr(entry, "block", None), "notes", ()))


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_numbers_are_consecutive_and_all_printed(name: str) -> None:
    numbers = [tuple(map(int, entry.number.split("."))) for entry in numbered_blocks(paper(name))]
    assert all(
        b == (a[0], a[1] + 1) or b == (a[0] + 1, 1) for a, b in pairwise(numbers) if b[1] > 1
    )
    printed = re.findall(r'class="number">([\d.]+)<', html(paper(name)))
    tables = [
        entry.number for entry in numbered_blocks(paper(name)) if isinstance(entry.block, Table)
    ]
    assert set(tables) <= set(printed)


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_no_sentence_ends_with_two_full_stops(name: str) -> None:
    texts = [
        *paragraph_texts(paper(name)).values(),
        *paragraph_texts(sign(load(BUNDLED / f"{name}.toml"))).values(),
    ]
    assert [text for text in texts if re.search(r"(?<!\.)\.\.(?!\.)", text)] == []


def test_every_hand_that_is_compared_has_its_rank() -> None:
    ranked = {
        entry.block.key: entry.block
        for entry in numbered_blocks(paper("pennsylvania/crazy-4-poker"))
    }
    table = ranked["ranked"]
    assert isinstance(table, Table)
    assert [str(row[0]) for row in table.rows][:3] == [
        "Four aces",
        "Four of a kind",
        "Straight flush",
    ]
    assert "ranked" not in keys(paper("catfish-bend/mississippi-stud"))


@pytest.mark.long
def test_the_dealers_card_has_folds_points_and_matches() -> None:
    stud = paragraph_texts(dealer_card(load(BUNDLED / "catfish-bend/mississippi-stud.toml")))
    assert stud["fold.tucks_under"] == "Folded cards shall be tucked under the 3 Card Bonus."
    high_low = dealer_card(load(BUNDLED / "catfish-bend/matchem-hi-lo.toml"))
    order = keys(high_low)
    assert order.index("points.values") < order.index("step settle 1")
    assert {"settlement.low_laid", "side.matchem-bonus.clause"} <= set(order)


@pytest.mark.parametrize(
    ("make", "high"),
    [(rack_card, "In a high hand: A as 11."), (dealer_card, "A high hand counts A as 11.")],
)
def test_cards_say_what_a_card_counts_and_what_a_match_is(
    make: Callable[[Sheet], Paper], high: str
) -> None:
    texts = paragraph_texts(make(load(BUNDLED / "catfish-bend/matchem-hi-lo.toml")))
    card = " ".join(texts.values())
    assert "J, Q and K as 0; A as 1" in card
    assert high in card
    assert "is any dealer card of the same rank" in texts["side.matchem-bonus.clause"]


# Separate cases: without a cache, a rack card's figures take long to compute.
@pytest.mark.parametrize(("make", "whose"), [(rack_card, "Your"), (dealer_card, "A")])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(
            "pennsylvania/four-card-poker",
            "hand is the best four of five cards, and the dealer's hand is the best four of six.",
            marks=pytest.mark.slow,
        ),
        ("pennsylvania/crazy-4-poker", "{whose} hand is the best four of five cards."),
        pytest.param(
            "classic/casino-holdem",
            "{whose} hand is the best five of seven cards.",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "pennsylvania/ultimate-texas-holdem",
            "{whose} hand is the best five of seven cards.",
            marks=pytest.mark.slow,
        ),
        ("classic/caribbean-stud", None),  # Five of five.
    ],
)
def test_cards_say_how_a_hand_is_made(
    name: str, expected: str | None, make: Callable[[Sheet], Paper], whose: str
) -> None:
    texts = paragraph_texts(make(load(BUNDLED / f"{name}.toml")))
    if expected is None:
        assert "hands.cards" not in texts
    else:
        assert expected.format(whose=whose) in " ".join(texts.values())


def test_counting_a_hand_comes_before_settling_it() -> None:
    order = [*paragraph_texts(dealer_card(load(BUNDLED / "pennsylvania/four-card-poker.toml")))]
    assert order.index("step deal dealer") < order.index("hands.cards")
    assert order.index("hands.cards") < order.index("step settle 1")


ALL_FOLD = ("fold.board_when_all_fold", "fold.dealer_when_all_fold")
TURNED = (  # A side wager stays in action after a fold, and cards are hidden then.
    *("catfish-bend/mississippi-stud", "louisiana-stud/standard", "louisiana-stud/stax-required"),
    *("pennsylvania/mississippi-stud", "pennsylvania/three-card-poker"),
    "pennsylvania/ultimate-texas-holdem",
)


@pytest.mark.parametrize("name", SHEETS)
def test_cards_turned_after_all_fold_are_stated_if_a_side_wager_needs_them(name: str) -> None:
    for document in (paper(name), dealer_card(load(BUNDLED / f"{name}.toml"))):
        assert any(key in paragraph_texts(document) for key in ALL_FOLD) is (name in TURNED)


def test_dealer_hand_that_is_always_turned_is_stated() -> None:
    sheet = load(BUNDLED / "classic/caribbean-stud.toml")
    texts = paragraph_texts(rules(change_sheet(sheet, {"fold.dealer_when_all_fold.is": "always"})))
    assert texts["fold.dealer_when_all_fold"].endswith("shall be exposed nonetheless.")


@pytest.mark.parametrize("name", SHEETS)
def test_odd_cent_rule_is_stated_if_seats_share_a_limit(name: str) -> None:
    shared = any(limit.per == "round" for limit in load(BUNDLED / f"{name}.toml").limits)
    assert ("payouts.share_ties" in paragraph_texts(paper(name))) is shared


@pytest.mark.parametrize("name", SHEETS)
def test_each_number_appears_once_among_the_reasons(name: str) -> None:
    reasons = [
        text for key, text in paragraph_texts(paper(name)).items() if key.startswith("note ")
    ]
    cited = [
        number for text in reasons for number in re.findall(r"\d+\.\d+", text.partition(": ")[0])
    ]
    assert cited
    assert len(cited) == len(set(cited))


def test_two_reasons_of_one_rule_share_a_line() -> None:
    reasons = [
        text
        for key, text in paragraph_texts(paper("louisiana-stud/standard")).items()
        if "note" in key
    ]
    assert any(
        "related game Mississippi Stud. The rule covers giving" in reason for reason in reasons
    )


def test_sign_lists_required_wagers() -> None:
    texts = paragraph_texts(sign(load(BUNDLED / "pennsylvania/ultimate-texas-holdem.toml")))
    assert texts["along"] == "The Blind is placed with the Ante, in the same amount."
    texts = paragraph_texts(sign(load(BUNDLED / "louisiana-stud/stax-required.toml")))
    assert texts["required"] == "The 5 Card Poker STAX is required."


def test_words_that_a_paper_uses_are_explained_in_it() -> None:
    def words(name: str) -> set[str]:
        (table,) = [
            entry.block for entry in numbered_blocks(paper(name)) if entry.block.key == "words"
        ]
        assert isinstance(table, Table)
        return {str(row[0]) for row in table.rows}

    assert {"Push", "Pro rata", "Brush"} <= words("oceanfront/mississippi-stud")
    assert not {"Push", "Fold", "Brush"} & words("catfish-bend/matchem-hi-lo")


@pytest.mark.parametrize("name", ["classic/caribbean-stud", "pennsylvania/three-card-poker"])
def test_a_tie_is_among_the_examples_where_ties_push(name: str) -> None:
    assert "tie: pushes" in paragraph_texts(paper(name))["example ante push"]


def test_settlement_of_an_unlisted_losing_hand_is_stated() -> None:
    text = paragraph_texts(paper("pennsylvania/crazy-4-poker"))["wagers.super-bonus.settles"]
    assert text == (
        "The Super Bonus is paid by the pay table or pushes if the player wins or on a tie; "
        "is paid by the pay table or loses if the dealer wins; loses on a fold."
    )


def test_rules_of_a_game_with_only_ties_are_written() -> None:
    """Ties cannot be settled otherwise here, so the example of a tie is left out."""
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    equal_points: dict[str, object] = {f"points.values.{rank}": 0 for rank in ranks} | {
        "points.in_high_hand": {}
    }
    sheet = change_sheet(load(BUNDLED / "catfish-bend/matchem-hi-lo.toml"), equal_points)
    assert "example bet tie" not in keys(rules(sheet))


@pytest.mark.parametrize(
    ("language", "venue", "legend"),
    [
        (
            "en",
            "The venue is any Pennsylvania casino.",
            "† the text of this section was not read",
        ),
        (
            "es",
            "El casino es cualquier casino de Pennsylvania.",
            "† no se leyó el texto de esta sección",
        ),
    ],
)
def test_a_states_regulation_names_any_casino_and_marks_unread_sections(
    language: str, venue: str, legend: str
) -> None:
    paper = rules(load(BUNDLED / "pennsylvania/mississippi-stud.toml"))
    page = html(paper, language)
    assert venue in page
    assert legend in page
    assert '<span class="clause">655a.7†</span>' in page
    assert '<span class="clause">655a.6</span>' in page


def test_a_houses_own_rules_name_the_house_and_have_no_unread_section() -> None:
    page = html(rules(load(BUNDLED / "oceanfront/mississippi-stud.toml")), "en")
    assert "The venue is Oceanfront Gaming." in page
    assert "the text of this section was not read" not in page
