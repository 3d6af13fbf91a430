"""Questions must be realistic: no impossible rounds, and no odds that no house prints."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from tests.drills.test_drills import BUNDLED, game_of

from pitbook.cards import Card, names, rank, suit
from pitbook.drills.grade import render_answer
from pitbook.drills.kinds import drill, supported_kinds
from pitbook.drills.question import Item
from pitbook.rules.actions import Decide

pytestmark = pytest.mark.long
STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
SEEDS = range(40)
QUEEN = 10


def questions(sheet: str, kind: str) -> list[Item]:
    return [drill(game_of(sheet), kind, str(seed)) for seed in SEEDS]


def test_payout_limit_question_has_all_street_bets() -> None:
    for item in questions(STUD, "shares"):
        assert item.question.lies is not None
        for seat in item.question.lies.seats:
            titles = [title for title, _ in seat.wagers]
            assert titles[:4] == ["Ante", "Flop bet", "Turn bet", "River bet"]


def test_folded_hand_loses_its_ante_once() -> None:
    for item in questions(STUD, "spot-error"):
        acts = [option.text for option in item.question.options]
        folded = {match[1] for act in acts if (match := re.match(r"Seat (\d) folds", act))}
        for act in acts:
            settled = re.search(r"settles seat (\d): (.*)|Seat (\d) is settled: (.*)", act)
            if settled and (settled[1] or settled[3]) in folded:
                assert "Ante" not in act, acts


def test_paying_order_names_every_settled_wager() -> None:
    for item in questions("pennsylvania/ultimate-texas-holdem", "settle-table"):
        assert item.question.lies is not None
        folded = {seat.seat for seat in item.question.lies.seats if "Fold" in seat.plays}
        for option in item.question.options:
            complete = "Ante, Blind and Play" in option.text or "Blind, Play" in option.text
            assert complete or int(option.text.split()[1]) in folded, option


def test_game_without_common_cards_mentions_none() -> None:
    for item in questions(HI_LO, "what-now"):
        assert not any("common" in line or "community" in line for line in item.question.lines)


def test_dealing_order_follows_the_sheet_s_packet_size() -> None:
    whole = {
        option.text
        for item in questions(HI_LO, "dealing-order")
        for option in item.question.options
    }
    assert all(
        "three cards to seat" in text or "five cards to the dealer" in text for text in whole
    )
    single = questions("pennsylvania/let-it-ride", "dealing-order")
    texts = {option.text for item in single for option in item.question.options}
    assert any("first card" in text for text in texts)
    assert any("third card" in text for text in texts)


def test_arranged_cards_match_the_explanation() -> None:
    for item in questions(HI_LO, "arrange"):
        right = next(option for option in item.question.options if option.id == item.answer)
        explained = item.reasons[0].text.partition(",")[0]
        assert sorted(names(right.cards).split()) == sorted(explained.split()[-3:])


@pytest.mark.parametrize("sheet", BUNDLED)
def test_wrong_odds_are_plausible(sheet: str) -> None:
    """Another line, the stake included, a multiple, or a common pay; never 1 to 3."""
    for item in questions(sheet, "odds"):
        for option in item.question.options:
            assert option.text == "push" or int(option.text.partition(" ")[0].replace(",", "")) >= 1
            to, _, unit = option.text.replace(",", "").partition(" to ")
            assert option.text == "push" or int(to) >= int(unit)


def test_blind_pay_table_is_named_blind() -> None:
    """Some pay tables are not on the Ante."""
    asks = {item.question.ask for item in questions("pennsylvania/ultimate-texas-holdem", "odds")}
    assert any("on the Blind" in ask for ask in asks)
    assert not any("on the Ante" in ask for ask in asks)


@pytest.mark.parametrize("sheet", [STUD, "louisiana-stud/standard", "oceanfront/mississippi-stud"])
def test_assumed_limits_cite_no_document(sheet: str) -> None:
    for item in (*questions(sheet, "bounds"), *questions(sheet, "odds")):
        of_table = "this table" in item.question.ask.lower()
        assert of_table == (item.reasons[0].clause is None), item
    asks = {item.question.ask for item in questions(sheet, "bounds")}
    stakes = {ask for ask in asks if "payout limit" not in ask}
    assert stakes
    assert all(("this table" in ask) == (not sheet.startswith("oceanfront")) for ask in stakes)


def test_clause_questions_ask_for_a_place_in_the_document() -> None:
    for sheet in BUNDLED:
        if "which-clause" in supported_kinds(game_of(sheet)):
            for item in questions(sheet, "which-clause")[:10]:
                texts = [option.text for option in item.question.options]
                assert not any(re.match(r"(GEN|CMS|OMS|MHL|LAS)-", text) for text in texts)
                assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("sheet", [STUD, HI_LO, "oceanfront/mississippi-stud"])
def test_clause_questions_have_many_answers(sheet: str) -> None:
    """Otherwise a document's only irregularity would answer every question."""
    items = questions(sheet, "which-clause")
    assert len({render_answer(item.question, item.answer) for item in items}) >= 4


def test_wrong_clause_places_share_no_paragraph_with_the_right_one() -> None:
    """The bonus after a fold and the bonus payouts are both in item 12."""
    for item in questions(STUD, "which-clause"):
        right = render_answer(item.question, item.answer)
        texts = [option.text for option in item.question.options if option.id != item.answer]
        if "item 12" in right or "and 12" in right:
            assert not any("item 12" in text or "and 12" in text for text in texts), right


def test_assumed_rules_have_no_clause_questions() -> None:
    """The Louisiana Stud document has no irregularities: all its rules are assumed."""
    assert "which-clause" not in supported_kinds(game_of("louisiana-stud/standard"))


def test_payouts_are_cut_in_at_most_twenty_chips() -> None:
    """A capped $1,000 was once cut as 250 chips of $4."""
    for item in questions("oceanfront/mississippi-stud", "cut-chips"):
        assert sum(int(stack.partition("x")[2]) for stack in item.answer.split(",")) <= 20


@pytest.mark.parametrize("sheet", [STUD, "oceanfront/mississippi-stud"])
def test_no_seat_is_settled_if_all_folded(sheet: str) -> None:
    for seed in range(120):
        item = drill(game_of(sheet), "what-now", str(seed))
        if "settled" in item.question.lines[0]:
            assert item.question.lies is not None
            assert not all("Fold" in seat.plays for seat in item.question.lies.seats)


def test_limit_is_reached_with_at_least_three_ranks() -> None:
    """Seventeen sevens are possible in six decks, but unrealistic."""
    for item in questions(HI_LO, "shares"):
        assert item.question.lies is not None
        hands = [seat.cards for seat in item.question.lies.seats]
        ranks = Counter(rank(card) for cards in hands for card in cards)
        assert len(ranks) >= 3, names(tuple(card for cards in hands for card in cards))


def test_low_hands_do_not_raise_big_before_the_flop() -> None:
    for item in questions("pennsylvania/ultimate-texas-holdem", "settle-table"):
        assert item.question.lies is not None
        for seat in item.question.lies.seats:
            low, high = sorted(rank(card) for card in seat.cards)
            bets = dict(seat.wagers)
            if low < high < QUEEN:
                assert bets.get("Play", 0) <= 2 * bets["Ante"], seat


@pytest.mark.parametrize(
    ("kind", "answers"), [("qualifies", 2), ("what-becomes", 3)], ids=["qualifies", "what-becomes"]
)
@pytest.mark.parametrize("sheet", ["classic/casino-holdem", "pennsylvania/ultimate-texas-holdem"])
def test_each_answer_is_right_equally_often(sheet: str, kind: str, answers: int) -> None:
    """The dealer once qualified in nine of ten questions."""
    counts = Counter(render_answer(item.question, item.answer) for item in questions(sheet, kind))
    assert len(counts) == answers
    assert min(counts.values()) * answers * 2 >= len(SEEDS), counts


def test_bets_are_explained_in_layout_order() -> None:
    for item in questions("pennsylvania/let-it-ride", "pay-hand"):
        bets = [
            match for why in item.reasons if (match := re.search(r"(\d)\w+ Bet wins", why.text))
        ]
        assert [bet[1] for bet in bets] == sorted(bet[1] for bet in bets)


def test_board_is_not_turned_before_the_last_fold() -> None:
    """The board is turned in one movement only after the last fold."""
    for seed in range(300):
        item = drill(game_of("louisiana-stud/standard"), "spot-error", str(seed))
        right = render_answer(item.question, item.answer)
        assert not re.search(r"turns over \w\w \w\w \w\w", right), seed


def test_pairs_and_suited_hands_keep_their_bets() -> None:
    """In Let It Ride a hand of three twos once took back both bets."""
    for item in questions("pennsylvania/let-it-ride", "settle-table"):
        assert item.question.lies is not None
        for seat in item.question.lies.seats:
            ranks = [rank(card) for card in seat.cards]
            titles = [title for title, _ in seat.wagers]
            assert "1st Bet" in titles or len(set(ranks)) == len(ranks), seat
            assert "1st Bet" in titles or len(set(map(suit, seat.cards))) > 1, seat


def test_players_declare_low_with_few_points_and_high_with_many() -> None:
    """A hand of 19 points was once played low."""
    points = game_of(HI_LO).points_of
    for item in (*questions(HI_LO, "settle-table"), *questions(HI_LO, "shares")):
        assert item.question.lies is not None
        for seat in item.question.lies.seats:
            count = points(seat.cards)
            assert count is not None
            assert seat.plays[0].startswith("High" if count[1] >= 14 else "Low"), seat


def test_most_players_fold_five_cards_below_ace_king() -> None:
    """In Caribbean Stud all three seats once raised with a queen high."""
    seats = [
        seat
        for item in questions("classic/caribbean-stud", "settle-table")
        if item.question.lies is not None
        for seat in item.question.lies.seats
        if max(map(rank, seat.cards)) <= QUEEN and len(set(map(rank, seat.cards))) == 5
    ]
    raised = [seat for seat in seats if "Fold" not in seat.plays and is_high_card(seat.cards)]
    assert len(raised) * 2 < len(seats)


def is_high_card(cards: tuple[Card, ...]) -> bool:
    ranks = sorted(map(rank, cards))
    return len(set(map(suit, cards))) > 1 and ranks[-1] - ranks[0] > 4


def test_nonexistent_betting_round_is_not_mentioned() -> None:
    """There is no betting before the flop in Casino Hold'em."""
    for item in questions("classic/casino-holdem", "next-step"):
        if item.question.lies is not None and item.question.lines[0].startswith("No player has"):
            assert item.question.lines[0] == "No player has acted yet."


def test_hand_with_a_paying_pair_does_not_fold() -> None:
    """In Mississippi Stud a hand once folded with two nines on the board."""
    for seed in range(200):
        item = drill(game_of(STUD), "settle-table", str(seed))
        assert item.evidence is not None
        states = item.evidence["played"].states
        for before, after in pairwise(state for state in states if state.phase == "play"):
            for seat, later in zip(before.seats, after.seats, strict=True):
                if later.folded and not seat.folded:
                    ranks = [rank(card) for card in (*seat.cards, *before.board)]
                    assert len(set(ranks)) == len(ranks), seed


def test_minimum_question_covers_three_equal_bets() -> None:
    """In Let It Ride the three bets share one minimum."""
    asks = {item.question.ask for item in questions("pennsylvania/let-it-ride", "bounds")}
    assert "What is the minimum for each of the three bets at this table?" in asks
    assert not any("3rd Bet" in ask for ask in asks)


def test_weak_five_cards_do_not_raise_the_maximum() -> None:
    """In Four Card Poker 8-7-5-4-2 once bet three times the Ante."""
    for item in questions("pennsylvania/four-card-poker", "settle-table"):
        assert item.question.lies is not None
        for seat in item.question.lies.seats:
            bets, ranks = dict(seat.wagers), sorted(map(rank, seat.cards))
            suits = Counter(map(suit, seat.cards))
            if len(set(ranks)) == 5 and max(suits.values()) < 4 and ranks[-1] < QUEEN:
                runs = [ranks[at + 3] - ranks[at] == 3 for at in (0, 1)]
                assert any(runs) or bets.get("Play", 0) <= bets["Ante"], seat


def test_clean_capped_round_is_explained_by_its_limit() -> None:
    """A straight flush was once paid $25,000 without an explanation."""
    capped = [
        item
        for seed in range(600)
        if (item := drill(game_of(STUD), "spot-error", str(seed))).evidence is not None
        and item.evidence["planted"].error == "none"
        and item.evidence["played"].final.applied_caps
    ]
    assert capped
    assert all("The limit is $25,000" in item.reasons[1].text for item in capped)


@pytest.mark.parametrize("sheet", [STUD, HI_LO, "oceanfront/mississippi-stud"])
def test_wrong_places_of_a_clause_question_are_rules_of_play(sheet: str) -> None:
    """Options once included the approval's signature and tournament rules."""
    texts = {
        option.text for item in questions(sheet, "which-clause") for option in item.question.options
    }
    assert not [text for text in texts if "signature" in text or "tournament" in text]


def test_next_step_names_the_settled_wagers_if_a_seat_is_settled_twice() -> None:
    """In Louisiana Stud the 3-UP Bonus is settled in a first pass."""
    items = [drill(game_of("louisiana-stud/standard"), "next-step", str(n)) for n in range(400)]
    settled = [item for item in items if item.question.lines[0].startswith("Settled so far: seat ")]
    assert settled
    assert not [item for item in items if "been settled" in item.question.lines[0].split(".")[0]]
    for item in settled:
        seat, _, wagers = (
            render_answer(item.question, item.answer).removeprefix("Settle ").partition(": ")
        )
        assert f"{seat} ({wagers})" not in item.question.lines[0]


def test_made_hand_does_not_check() -> None:
    """In Ultimate Texas Hold'em a flopped flush was once checked."""
    for seed in range(300):
        item = drill(game_of("pennsylvania/ultimate-texas-holdem"), "settle-table", str(seed))
        assert item.evidence is not None
        played = item.evidence["played"]
        for before, action in zip(played.states, played.actions, strict=False):
            if isinstance(action, Decide) and str(action.play) == "check":
                seat = before.seat(action.seat)
                suits = Counter(map(suit, (*seat.cards, *before.common[0])))
                assert max(suits.values()) < 5, seed


def test_triple_raise_needs_a_hand_or_draw() -> None:
    """In Mississippi Stud an unpaired Q-8 once bet three times the Ante on the river."""
    for seed in range(200):
        item = drill(game_of(STUD), "settle-table", str(seed))
        assert item.evidence is not None
        played = item.evidence["played"]
        for before, action in zip(played.states, played.actions, strict=False):
            if isinstance(action, Decide) and str(action.play) == "3x":
                visible = (*before.seat(action.seat).cards, *before.board)
                ranks, suits = sorted(map(rank, visible)), set(map(suit, visible))
                is_high = len(visible) == 2 and ranks[-1] >= QUEEN
                is_draw = len(suits) == 1 or ranks[-1] - ranks[0] <= len(visible)
                assert len(set(ranks)) < len(ranks) or is_high or is_draw, (seed, names(visible))


@pytest.mark.parametrize("kind", ["pay-hand", "settle-table"])
def test_reduced_payout_cites_its_limit(kind: str) -> None:
    capped = [
        item
        for seed in range(400)
        for item in [drill(game_of("oceanfront/mississippi-stud"), kind, str(seed))]
        if any("because of the limit" in why.text for why in item.reasons)
    ]
    assert capped
    assert all("OMS-9" in item.clauses for item in capped)


def test_surrender_mentions_no_amount() -> None:
    """Half the Ante is collected at the settlement; the dealer took $0 at the surrender."""
    acts = {
        option.text
        for seed in range(120)
        for option in drill(game_of("classic/casino-war"), "spot-error", str(seed)).question.options
    }
    assert any(re.fullmatch(r"Seat \d surrenders\.", act) for act in acts)
    assert not any("$0" in act for act in acts)


@pytest.mark.parametrize(
    ("sheet", "acts"),
    [
        ("pennsylvania/crazy-4-poker", {"Reveal the dealer's five cards"}),
        (
            "classic/caribbean-stud",
            {"Reveal one of the dealer's cards", "Reveal the dealer's other four cards"},
        ),
        ("pennsylvania/let-it-ride", {"Reveal one community card"}),
    ],
)
def test_turning_all_or_the_rest_of_the_cards_is_named_so(sheet: str, acts: set[str]) -> None:
    texts = {
        option.text for item in questions(sheet, "next-step") for option in item.question.options
    }
    assert {text for text in texts if text.startswith("Reveal")} == acts


@pytest.mark.parametrize("sheet", BUNDLED)
def test_lost_wager_says_why_it_loses(sheet: str) -> None:
    """The dealer wins, there is no paying hand or no tie; a surrendered wager is half returned."""
    for item in questions(sheet, "what-becomes"):
        sentence = item.reasons[0].text
        if render_answer(item.question, item.answer) == "Lose":
            assert re.search(r"\((the dealer wins|no paying hand|no tie)\)\.$", sentence), sentence


def test_equal_bets_are_asked_as_each_bet() -> None:
    """In Let It Ride odds were asked of "the 1st Bet, 2nd Bet and 3rd Bet"."""
    asks = {item.question.ask for item in questions("pennsylvania/let-it-ride", "odds")}
    assert any(ask.endswith("pay on each of the three bets?") for ask in asks)
    assert not any("2nd Bet" in ask for ask in asks)
