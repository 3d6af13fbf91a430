"""What a commission's reader looks for in the rules: said, right, once, and to be found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from pitbook.papers.content import Paper, Paragraph, Table, numbered, plain
from pitbook.papers.dealer_card import dealer_card
from pitbook.papers.html import html
from pitbook.papers.rack_card import rack_card
from pitbook.papers.rules import rules
from pitbook.papers.sign import sign
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import load
from pitbook.sheets.model import Sheet

SHEETS = sorted(f"{one.parent.name}/{one.stem}" for one in BUNDLED.glob("*/*.toml"))


@cache
def paper(name: str) -> Paper:
    return rules(load(BUNDLED / f"{name}.toml"))


def said(paper: Paper) -> dict[str, str]:
    """Paragraphs by key, as they are printed."""
    blocks = [one for part in paper.sections for one in part.blocks]
    return {one.key: plain(one, "en")["text"] for one in blocks if isinstance(one, Paragraph)}


def keys(paper: Paper) -> list[str]:
    return [one.block.key for one in numbered(paper)]


@pytest.mark.long
def test_the_flop_is_turned_before_the_decision_that_sees_it() -> None:
    order = keys(paper("classic/casino-holdem"))
    flop = order.index("step turn community before flop")
    assert order.index("step deal community") < flop < order.index("step flop")
    told = said(paper("classic/casino-holdem"))
    assert told["step turn community before flop"] == "The dealer turns three community cards."
    assert told["step turn dealer last"] == "The dealer then turns the dealer's cards."


@pytest.mark.long
def test_a_hand_is_made_of_the_cards_that_make_it() -> None:
    assert (
        "the dealer's the best four of six"
        in said(paper("pennsylvania/four-card-poker"))["hands.cards"]
    )
    assert said(paper("catfish-bend/mississippi-stud"))["play.clause"] == (
        "A hand is five cards: the player's two hole cards and the three community cards."
    )
    told = said(paper("pennsylvania/three-card-poker"))["side.six-card-bonus.looks_at"]
    assert "the best five" in told


OWN_RULES = ("caribbean-stud", "casino-holdem", "ultimate-three-card-poker")  # Say it themselves.


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_what_becomes_of_a_hand_that_no_line_names_is_said(name: str) -> None:
    text = "Where no line of its pay table fits, a wager loses, unless a rule says otherwise."
    told = None if name.endswith(OWN_RULES) else text
    for one in (paper(name), dealer_card(load(BUNDLED / f"{name}.toml"))):
        assert said(one).get("no line") == told


def test_an_amount_stays_after_a_name_that_reads_right_to_left(tmp_path: Path) -> None:
    name, own = "\u05d1\u05d5\u05e0\u05d5\u05e1 3", tmp_path / "own.toml"
    text = (BUNDLED / "catfish-bend/mississippi-stud.toml").read_text(encoding="utf-8")
    own.write_text(text.replace('"3 Card Bonus"', f'"{name}"'), encoding="utf-8")
    told = plain(rules(load(own)), "en")
    assert f"\u2066{name}\u2069 $1 to $100" in told["about"][1]
    assert f"\u2066{name}\u2069, $1, flush" in json.dumps(told, ensure_ascii=False)


@pytest.mark.long
@pytest.mark.parametrize(("title", "explained"), [("Ante", False), ("Opening Bet", True)])
def test_the_ante_is_explained_where_it_has_another_name(
    title: str, explained: bool, tmp_path: Path
) -> None:
    own = tmp_path / "own.toml"
    text = (BUNDLED / "classic/caribbean-stud.toml").read_text(encoding="utf-8")
    own.write_text(text.replace('"Ante"', f'"{title}"'), encoding="utf-8")
    blocks = [one for part in rules(load(own)).sections for one in part.blocks]
    table = next(one for one in blocks if isinstance(one, Table) and one.key == "words")
    assert (("Ante", "The main wager") in table.rows) is explained


def test_mhl_8_the_dealers_cards_are_laid_in_the_dealers_order() -> None:
    order = [one for one in keys(paper("catfish-bend/matchem-hi-lo")) if "dealer." in one]
    steps = ("laid", "equal_points", "low", "shared", "clause", "areas")
    assert order == [f"step dealer.{one}" for one in steps]
    told = said(paper("catfish-bend/matchem-hi-lo"))["step dealer.clause"]
    assert told == "The dealer's high hand is the two other cards and the shared card."


@pytest.mark.parametrize("name", SHEETS)
def test_no_rule_is_said_twice(name: str) -> None:
    turned = ("step turn", "street ", "posted")
    texts = [text for key, text in said(paper(name)).items() if not key.startswith(turned)]
    assert len(texts) == len(set(texts))


def test_only_who_has_tied_goes_to_war_and_gives_up_by_a_surrender() -> None:
    told = said(paper("classic/casino-war"))
    assert "each player who has tied decides" in told["step tie"]
    assert "straights" not in " ".join(told.values())
    assert [one for one in told.values() if re.search(r"\b(fold|check)s?\b", one)] == []


def test_a_side_wager_that_may_stand_alone_is_dealt_in() -> None:
    told = said(paper("pennsylvania/three-card-poker"))["step wagers"]
    assert told.endswith("makes the Ante, or the Pair Plus alone.")


def test_what_becomes_of_a_wager_is_told_once_by_result() -> None:
    told = said(paper("pennsylvania/three-card-poker"))
    assert told["wagers.ante-bonus.settles"] == (
        "The Ante Bonus is paid by the pay table on a win, on a tie or on a loss and is not paid "
        "on a fold."
    )
    assert "fold" not in told["wagers.play.settles"]  # Who folds has made no Play wager.


def test_cms_12_a_cap_says_what_it_leaves_and_how_it_is_shared_between_seats() -> None:
    shown = paper("catfish-bend/mississippi-stud")
    assert said(shown)["limits[0]"].endswith("; every other win is paid in full.")
    (lines,) = [one.block for one in numbered(shown) if one.block.key == "worked lines"]
    assert isinstance(lines, Table)
    cut = {row[0] for row in lines.rows if row[4] != row[5]}
    assert cut == {"1", "2"}
    assert "0.8333%" in said(shown)["worked bite 1"]


def test_stars_stand_beside_what_is_ours_alone() -> None:
    noted = {one.block.key for one in numbered(paper("louisiana-stud/standard")) if _notes(one)}
    assert {"deck.shuffle", "deal.direction", "main.step"} <= noted
    assert not {"deck.decks", "deal.order"} & noted


def _notes(one: object) -> tuple[str, ...]:
    return tuple(getattr(getattr(one, "block", None), "notes", ()))


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_numbers_run_on_and_every_one_is_printed(name: str) -> None:
    found = [tuple(map(int, one.number.split("."))) for one in numbered(paper(name))]
    assert all(b == (a[0], a[1] + 1) or b == (a[0] + 1, 1) for a, b in pairwise(found) if b[1] > 1)
    printed = re.findall(r'class="number">([\d.]+)<', html(paper(name)))
    tables = [one.number for one in numbered(paper(name)) if isinstance(one.block, Table)]
    assert set(tables) <= set(printed)


@pytest.mark.long
@pytest.mark.parametrize("name", SHEETS)
def test_no_sentence_ends_twice(name: str) -> None:
    texts = [*said(paper(name)).values(), *said(sign(load(BUNDLED / f"{name}.toml"))).values()]
    assert [one for one in texts if re.search(r"(?<!\.)\.\.(?!\.)", one)] == []


def test_every_hand_that_is_compared_has_its_rank() -> None:
    ranked = {one.block.key: one.block for one in numbered(paper("pennsylvania/crazy-4-poker"))}
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
    stud = said(dealer_card(load(BUNDLED / "catfish-bend/mississippi-stud.toml")))
    assert stud["fold.tucks_under"] == "Folded cards are tucked under the 3 Card Bonus."
    high_low = dealer_card(load(BUNDLED / "catfish-bend/matchem-hi-lo.toml"))
    order = keys(high_low)
    assert order.index("points.values") < order.index("step settle 1")
    assert {"settlement.low_laid", "side.matchem-bonus.clause"} <= set(order)


CARDS = pytest.mark.parametrize("make", [rack_card, dealer_card])


@CARDS
def test_cards_say_what_a_card_counts_and_what_a_match_is(make: Callable[[Sheet], Paper]) -> None:
    high_low = said(make(load(BUNDLED / "catfish-bend/matchem-hi-lo.toml")))
    assert "J, Q and K 0, A 1" in high_low["points.values"]
    assert high_low["points.in_high_hand"] == "In a high hand the cards count A 11."
    assert "is a card of the dealer's of a rank" in high_low["side.matchem-bonus.clause"]


# Each by itself: where nothing is kept yet, a rack card's figures take long to work out.
@CARDS
@pytest.mark.parametrize(
    ("name", "told"),
    [
        pytest.param(
            "pennsylvania/four-card-poker",
            "A player's hand is the best four of five cards and the dealer's the best four of six.",
            marks=pytest.mark.slow,
        ),
        ("pennsylvania/crazy-4-poker", "A hand is the best four of five cards."),
        pytest.param(
            "classic/casino-holdem",
            "A hand is the best five of seven cards.",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "pennsylvania/ultimate-texas-holdem",
            "A hand is the best five of seven cards.",
            marks=pytest.mark.slow,
        ),
        ("classic/caribbean-stud", None),  # Five of five.
    ],
)
def test_cards_say_how_a_hand_is_made(
    name: str, told: str | None, make: Callable[[Sheet], Paper]
) -> None:
    assert said(make(load(BUNDLED / f"{name}.toml"))).get("hands.cards") == told


def test_how_a_hand_is_counted_stands_before_it_is_settled() -> None:
    order = [*said(rack_card(load(BUNDLED / "pennsylvania/four-card-poker.toml")))]
    assert order.index("step deal dealer") < order.index("hands.cards")
    assert order.index("hands.cards") < order.index("step settle 1")


ALL_FOLD = ("fold.board_when_all_fold", "fold.dealer_when_all_fold")
TURNED = (  # A side wager is in action after a fold, and cards lie closed then.
    *("catfish-bend/mississippi-stud", "louisiana-stud/standard", "louisiana-stud/stax-required"),
    *("pennsylvania/mississippi-stud", "pennsylvania/three-card-poker"),
    "pennsylvania/ultimate-texas-holdem",
)


@pytest.mark.parametrize("name", SHEETS)
def test_what_is_turned_when_all_fold_is_said_where_a_side_wager_may_need_it(name: str) -> None:
    for one in (paper(name), dealer_card(load(BUNDLED / f"{name}.toml"))):
        assert any(key in said(one) for key in ALL_FOLD) is (name in TURNED)


def test_a_dealers_hand_that_is_always_turned_is_said_to_be() -> None:
    sheet = load(BUNDLED / "classic/caribbean-stud.toml")
    told = said(rules(change_sheet(sheet, {"fold.dealer_when_all_fold.is": "always"})))
    assert told["fold.dealer_when_all_fold"].endswith("is turned all the same.")


@pytest.mark.parametrize("name", SHEETS)
def test_who_gets_an_odd_cent_is_said_where_seats_share_a_limit(name: str) -> None:
    shared = any(one.per == "round" for one in load(BUNDLED / f"{name}.toml").limits)
    assert ("payouts.share_ties" in said(paper(name))) is shared


@pytest.mark.parametrize("name", SHEETS)
def test_a_number_stands_once_among_the_reasons(name: str) -> None:
    reasons = [text for key, text in said(paper(name)).items() if key.startswith("note ")]
    cited = [one for text in reasons for one in re.findall(r"\d+\.\d+", text.partition(": ")[0])]
    assert cited
    assert len(cited) == len(set(cited))


def test_two_reasons_of_one_rule_stand_in_one_line() -> None:
    told = [text for key, text in said(paper("louisiana-stud/standard")).items() if "note" in key]
    assert any("sister game (CMS-16). Giving and taking alike." in one for one in told)


def test_a_sign_says_what_else_must_be_wagered() -> None:
    told = said(sign(load(BUNDLED / "pennsylvania/ultimate-texas-holdem.toml")))
    assert told["along"] == "The Blind is made along with the Ante, for the same amount."
    told = said(sign(load(BUNDLED / "louisiana-stud/stax-required.toml")))
    assert told["required"] == "The 5 Card Poker STAX is required."


def test_words_that_a_paper_uses_are_explained_in_it() -> None:
    def words(name: str) -> set[str]:
        (table,) = [one.block for one in numbered(paper(name)) if one.block.key == "words"]
        assert isinstance(table, Table)
        return {str(row[0]) for row in table.rows}

    assert {"Push", "Pro rata", "Brush"} <= words("oceanfront/mississippi-stud")
    assert not {"Push", "Fold", "Brush"} & words("catfish-bend/matchem-hi-lo")


@pytest.mark.parametrize("name", ["classic/caribbean-stud", "pennsylvania/three-card-poker"])
def test_a_tie_is_among_the_examples_where_ties_push(name: str) -> None:
    assert "tie: pushes" in said(paper(name))["example ante push"]


def test_a_hand_below_the_pay_table_is_told_what_becomes_of_its_wager_on_a_loss() -> None:
    told = said(paper("pennsylvania/crazy-4-poker"))["wagers.super-bonus.settles"]
    assert told == (
        "The Super Bonus is paid by the pay table or pushes on a win or on a tie, "
        "is paid by the pay table or loses on a loss and loses on a fold."
    )


def test_rules_by_which_nothing_but_ties_come_are_written_too() -> None:
    """No sheet has those ties otherwise, to tell one by; the example of a tie is left out."""
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    alike: dict[str, object] = {f"points.values.{rank}": 0 for rank in ranks} | {
        "points.in_high_hand": {}
    }
    sheet = change_sheet(load(BUNDLED / "catfish-bend/matchem-hi-lo.toml"), alike)
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
            "El lugar es cualquier casino de Pennsylvania.",
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
