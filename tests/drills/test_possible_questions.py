"""Questions that a trainer would stop at: impossible rounds, odds that no house prints."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from tests.drills.test_drills import BUNDLED, game_of

from pitbook.cards import Card, names, rank, suit
from pitbook.drills.grade import shown
from pitbook.drills.item import Item
from pitbook.drills.kinds import allowed, drill
from pitbook.rules.actions import Decide

pytestmark = pytest.mark.long
STUD = "catfish-bend/mississippi-stud"
HI_LO = "catfish-bend/matchem-hi-lo"
SEEDS = range(40)
QUEEN = 10


def asked(sheet: str, kind: str) -> list[Item]:
    return [drill(game_of(sheet), kind, str(seed)) for seed in SEEDS]


def test_a_payout_limit_is_asked_of_a_hand_with_all_its_street_bets() -> None:
    for item in asked(STUD, "shares"):
        assert item.question.lies is not None
        for seat in item.question.lies.seats:
            titles = [title for title, _ in seat.wagers]
            assert titles[:4] == ["Ante", "Flop bet", "Turn bet", "River bet"]


def test_a_folded_hand_pays_its_ante_once() -> None:
    for item in asked(STUD, "spot-error"):
        acts = [option.text for option in item.question.options]
        folded = {found[1] for act in acts if (found := re.match(r"Seat (\d) folds", act))}
        for act in acts:
            settled = re.search(r"settles seat (\d): (.*)|Seat (\d) is settled: (.*)", act)
            if settled and (settled[1] or settled[3]) in folded:
                assert "Ante" not in act, acts


def test_a_paying_order_names_every_wager_that_is_settled() -> None:
    for item in asked("pennsylvania/ultimate-texas-holdem", "settle-table"):
        assert item.question.lies is not None
        folded = {seat.seat for seat in item.question.lies.seats if "Fold" in seat.plays}
        for option in item.question.options:
            whole = "Ante, Blind and Play" in option.text or "Blind, Play" in option.text
            assert whole or int(option.text.split()[1]) in folded, option


def test_no_card_is_in_common_where_the_game_has_none() -> None:
    for item in asked(HI_LO, "what-now"):
        assert not any("common" in line or "community" in line for line in item.question.lines)


def test_a_hand_is_dealt_as_many_cards_at_a_time_as_the_sheet_says() -> None:
    whole = {
        option.text for item in asked(HI_LO, "dealing-order") for option in item.question.options
    }
    assert all("three cards to seat" in one or "five cards to the dealer" in one for one in whole)
    single = asked("pennsylvania/let-it-ride", "dealing-order")
    texts = {option.text for item in single for option in item.question.options}
    assert any("first card" in one for one in texts)
    assert any("third card" in one for one in texts)


def test_the_arranged_cards_are_the_ones_that_are_explained() -> None:
    for item in asked(HI_LO, "arrange"):
        right = next(one for one in item.question.options if one.id == item.answer)
        explained = item.reasons[0].text.partition(",")[0]
        assert sorted(names(right.cards).split()) == sorted(explained.split()[-3:])


@pytest.mark.parametrize("sheet", BUNDLED)
def test_wrong_odds_are_odds_that_tables_print(sheet: str) -> None:
    """Never 1 to 3: another line, the stake counted in, a multiple, or a usual pay."""
    for item in asked(sheet, "odds"):
        for option in item.question.options:
            assert option.text == "push" or int(option.text.partition(" ")[0].replace(",", "")) >= 1
            to, _, one = option.text.replace(",", "").partition(" to ")
            assert option.text == "push" or int(to) >= int(one)


def test_the_blind_is_asked_as_the_blind() -> None:
    """Which bets a table pays is not always the Ante."""
    asks = {item.question.ask for item in asked("pennsylvania/ultimate-texas-holdem", "odds")}
    assert any("on the Blind" in ask for ask in asks)
    assert not any("on the Ante" in ask for ask in asks)


@pytest.mark.parametrize("sheet", [STUD, "louisiana-stud/standard", "oceanfront/mississippi-stud"])
def test_assumed_limits_are_this_table_s_and_cite_no_document(sheet: str) -> None:
    for item in (*asked(sheet, "bounds"), *asked(sheet, "odds")):
        of_table = "this table" in item.question.ask.lower()
        assert of_table == (item.reasons[0].clause is None), item
    stakes = {item.question.ask for item in asked(sheet, "bounds") if "wager" in item.question.ask}
    assert stakes
    assert all(("this table" in ask) == (not sheet.startswith("oceanfront")) for ask in stakes)


def test_clause_questions_ask_for_a_place_in_the_document() -> None:
    for sheet in BUNDLED:
        if "which-clause" in allowed(game_of(sheet)):
            for item in asked(sheet, "which-clause")[:10]:
                texts = [option.text for option in item.question.options]
                assert not any(re.match(r"(GEN|CMS|OMS|MHL|LAS)-", text) for text in texts)
                assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("sheet", [STUD, HI_LO, "oceanfront/mississippi-stud"])
def test_clause_questions_have_many_answers(sheet: str) -> None:
    """One document's only irregularity was the answer to every question."""
    items = asked(sheet, "which-clause")
    assert len({shown(item.question, item.answer) for item in items}) >= 4


def test_no_wrong_place_of_a_clause_question_shares_a_paragraph_with_the_right_one() -> None:
    """The bonus after a fold and the bonus payouts both stand in item 12."""
    for item in asked(STUD, "which-clause"):
        right = shown(item.question, item.answer)
        texts = [option.text for option in item.question.options if option.id != item.answer]
        if "item 12" in right or "and 12" in right:
            assert not any("item 12" in text or "and 12" in text for text in texts), right


def test_own_rules_are_not_asked_as_the_document_s() -> None:
    """The document of Louisiana Stud says nothing of irregularities: all its rules are assumed."""
    assert "which-clause" not in allowed(game_of("louisiana-stud/standard"))


def test_no_payout_is_cut_in_more_chips_than_a_dealer_would() -> None:
    """A capped $1,000 was cut as 250 chips of $4, the largest of a house with small stakes."""
    for item in asked("oceanfront/mississippi-stud", "cut-chips"):
        assert sum(int(one.partition("x")[2]) for one in item.answer.split(",")) <= 20


@pytest.mark.parametrize("sheet", [STUD, "oceanfront/mississippi-stud"])
def test_no_seat_is_said_to_be_settled_where_all_have_folded(sheet: str) -> None:
    for seed in range(120):
        item = drill(game_of(sheet), "what-now", str(seed))
        if "settled" in item.question.lines[0]:
            assert item.question.lies is not None
            assert not all("Fold" in seat.plays for seat in item.question.lies.seats)


def test_a_limit_is_reached_without_a_table_of_one_rank() -> None:
    """A round with seventeen sevens is possible in six decks, but no dealer has seen one."""
    for item in asked(HI_LO, "shares"):
        assert item.question.lies is not None
        hands = [seat.cards for seat in item.question.lies.seats]
        ranks = Counter(rank(card) for cards in hands for card in cards)
        assert len(ranks) >= 3, names(tuple(card for cards in hands for card in cards))


def test_players_raise_nothing_on_a_low_hand_before_the_flop() -> None:
    for item in asked("pennsylvania/ultimate-texas-holdem", "settle-table"):
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
def test_each_answer_is_right_about_as_often(sheet: str, kind: str, answers: int) -> None:
    """The dealer qualified in nine of ten questions: "yes" was right without a look."""
    counts = Counter(shown(item.question, item.answer) for item in asked(sheet, kind))
    assert len(counts) == answers
    assert min(counts.values()) * answers * 2 >= len(SEEDS), counts


def test_bets_are_explained_in_the_order_of_the_layout() -> None:
    for item in asked("pennsylvania/let-it-ride", "pay-hand"):
        bets = [
            found for why in item.reasons if (found := re.search(r"(\d)\w+ Bet wins", why.text))
        ]
        assert [bet[1] for bet in bets] == sorted(bet[1] for bet in bets)


def test_no_dealer_turns_the_whole_board_before_the_last_player_folds() -> None:
    """Once all have folded the board is turned at once; nobody does so too early."""
    for seed in range(300):
        item = drill(game_of("louisiana-stud/standard"), "spot-error", str(seed))
        right = shown(item.question, item.answer)
        assert not re.search(r"turns over \w\w \w\w \w\w", right), seed


def test_no_player_takes_a_bet_back_with_a_pair_or_one_suit() -> None:
    """In Let It Ride a hand of three twos took back both of its bets."""
    for item in asked("pennsylvania/let-it-ride", "settle-table"):
        assert item.question.lies is not None
        for seat in item.question.lies.seats:
            ranks = [rank(card) for card in seat.cards]
            titles = [title for title, _ in seat.wagers]
            assert "1st Bet" in titles or len(set(ranks)) == len(ranks), seat
            assert "1st Bet" in titles or len(set(map(suit, seat.cards))) > 1, seat


def test_players_declare_low_with_few_points_and_high_with_many() -> None:
    """A hand of 19 points was played low."""
    points = game_of(HI_LO).points_of
    for item in (*asked(HI_LO, "settle-table"), *asked(HI_LO, "shares")):
        assert item.question.lies is not None
        for seat in item.question.lies.seats:
            count = points(seat.cards)
            assert count is not None
            assert seat.plays[0].startswith("High" if count[1] >= 14 else "Low"), seat


def test_most_players_fold_five_cards_below_ace_king() -> None:
    """In Caribbean Stud all three seats raised with a queen high."""
    seats = [
        seat
        for item in asked("classic/caribbean-stud", "settle-table")
        if item.question.lies is not None
        for seat in item.question.lies.seats
        if max(map(rank, seat.cards)) <= QUEEN and len(set(map(rank, seat.cards))) == 5
    ]
    raised = [seat for seat in seats if "Fold" not in seat.plays and is_high_card(seat.cards)]
    assert len(raised) * 2 < len(seats)


def is_high_card(cards: tuple[Card, ...]) -> bool:
    ranks = sorted(map(rank, cards))
    return len(set(map(suit, cards))) > 1 and ranks[-1] - ranks[0] > 4


def test_nobody_is_said_to_have_acted_in_a_betting_round_that_there_is_not() -> None:
    """In Casino Hold'em nobody bets before the flop."""
    for item in asked("classic/casino-holdem", "next-step"):
        if item.question.lies is not None and item.question.lines[0].startswith("No player has"):
            assert item.question.lines[0] == "No player has acted yet."


def test_no_pair_folds_that_the_pay_table_returns() -> None:
    """In Mississippi Stud a hand folded with two nines on the board."""
    for seed in range(200):
        item = drill(game_of(STUD), "settle-table", str(seed))
        assert item.evidence is not None
        states = item.evidence["played"].states
        for before, after in pairwise(one for one in states if one.phase == "play"):
            for seat, later in zip(before.seats, after.seats, strict=True):
                if later.folded and not seat.folded:
                    ranks = [rank(card) for card in (*seat.cards, *before.board)]
                    assert len(set(ranks)) == len(ranks), seed


def test_a_minimum_of_three_equal_bets_is_asked_of_each() -> None:
    """In Let It Ride the minimum of the 3rd Bet was asked, as if the others had their own."""
    asks = {item.question.ask for item in asked("pennsylvania/let-it-ride", "bounds")}
    assert "What is the minimum for each of the three bets at this table?" in asks
    assert not any("3rd Bet" in ask for ask in asks)


def test_no_five_cards_without_a_hand_raise_the_most() -> None:
    """In Four Card Poker 8-7-5-4-2 bet three times the Ante."""
    for item in asked("pennsylvania/four-card-poker", "settle-table"):
        assert item.question.lies is not None
        for seat in item.question.lies.seats:
            bets, ranks = dict(seat.wagers), sorted(map(rank, seat.cards))
            suits = Counter(map(suit, seat.cards))
            if len(set(ranks)) == 5 and max(suits.values()) < 4 and ranks[-1] < QUEEN:
                runs = [ranks[at + 3] - ranks[at] == 3 for at in (0, 1)]
                assert any(runs) or bets.get("Play", 0) <= bets["Ante"], seat


def test_a_correct_round_under_a_limit_is_explained_by_the_limit() -> None:
    """A straight flush was paid $25,000 in all, and nothing said why."""
    capped = [
        item
        for seed in range(600)
        if (item := drill(game_of(STUD), "spot-error", str(seed))).evidence is not None
        and item.evidence["planted"].error == "none"
        and item.evidence["played"].final.bites
    ]
    assert capped
    assert all("the limit allows $25,000" in item.reasons[1].text for item in capped)


@pytest.mark.parametrize("sheet", [STUD, HI_LO, "oceanfront/mississippi-stud"])
def test_wrong_places_of_a_clause_question_are_rules_of_play(sheet: str) -> None:
    """The signature of the approval and the rules for tournaments were among the options."""
    texts = {
        option.text for item in asked(sheet, "which-clause") for option in item.question.options
    }
    assert not [text for text in texts if "signature" in text or "tournament" in text]


def test_next_step_names_the_settled_wagers_if_a_seat_is_settled_twice() -> None:
    """In Louisiana Stud the 3-UP Bonus is settled first: a settled seat was to be settled again."""
    items = [drill(game_of("louisiana-stud/standard"), "next-step", str(n)) for n in range(400)]
    settled = [item for item in items if item.question.lines[0].startswith("Settled so far: seat ")]
    assert settled
    assert not [item for item in items if "been settled" in item.question.lines[0].split(";")[0]]
    for item in settled:
        seat, _, wagers = shown(item.question, item.answer).removeprefix("Settle ").partition(": ")
        assert f"{seat} ({wagers})" not in item.question.lines[0]


def test_no_player_checks_a_made_hand() -> None:
    """In Ultimate Texas Hold'em a flopped flush was checked."""
    for seed in range(300):
        item = drill(game_of("pennsylvania/ultimate-texas-holdem"), "settle-table", str(seed))
        assert item.evidence is not None
        played = item.evidence["played"]
        for before, action in zip(played.states, played.actions, strict=False):
            if isinstance(action, Decide) and str(action.play) == "check":
                seat = before.seat(action.seat)
                suits = Counter(map(suit, (*seat.cards, *before.common[0])))
                assert max(suits.values()) < 5, seed


def test_no_player_raises_three_times_the_ante_without_a_hand() -> None:
    """In Mississippi Stud Q-8 without a pair bet three times the Ante on the river."""
    for seed in range(200):
        item = drill(game_of(STUD), "settle-table", str(seed))
        assert item.evidence is not None
        played = item.evidence["played"]
        for before, action in zip(played.states, played.actions, strict=False):
            if isinstance(action, Decide) and str(action.play) == "3x":
                seen = (*before.seat(action.seat).cards, *before.board)
                ranks, suits = sorted(map(rank, seen)), set(map(suit, seen))
                is_high = len(seen) == 2 and ranks[-1] >= QUEEN
                is_draw = len(suits) == 1 or ranks[-1] - ranks[0] <= len(seen)
                assert len(set(ranks)) < len(ranks) or is_high or is_draw, (seed, names(seen))


@pytest.mark.parametrize("kind", ["pay-hand", "settle-table"])
def test_a_payout_that_a_limit_cuts_cites_the_limit(kind: str) -> None:
    capped = [
        item
        for seed in range(400)
        for item in [drill(game_of("oceanfront/mississippi-stud"), kind, str(seed))]
        if any("because of the limit" in why.text for why in item.reasons)
    ]
    assert capped
    assert all("OMS-9" in item.clauses for item in capped)
