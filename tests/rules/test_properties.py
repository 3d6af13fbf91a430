"""Properties of every round of every sheet, with random players and cards."""

from __future__ import annotations

import copy
import json
from collections import Counter
from dataclasses import fields, replace
from itertools import groupby, pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import lanes
from tests.random_sheets.sheets import document, sheets
from tests.rules import oracle
from tests.rules.oracle import cents
from tests.rules.plain_table import PlainTable, cents_signed, settle_journal
from tests.rules.random_rounds import (
    PLAYERS,
    PlayedRound,
    candidate_actions,
    expand_offer,
    is_covered,
    known_sheets,
    named_cards,
    play,
    shuffle_shoe,
)
from tests.sheets.samples import AGAINST_THE_DEALER, LIR

from pitbook.rules import stored_rounds
from pitbook.rules.actions import (
    BOARD,
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Settle,
    Turn,
    Wager,
    Withdraw,
)
from pitbook.rules.legal_actions import accepts, legal
from pitbook.rules.payout_caps import shares
from pitbook.rules.result_json import report
from pitbook.rules.round import Round
from pitbook.rules.stored_rounds import decode, encode, replay
from pitbook.sheets.model import Sheet

PHASES = ("wagers", "deal", "play", "settle", "over")
PROGRESS = (Deal, Turn, Decide, Absent, Settle)

# Sheets of the plain table; versus games have a plain settlement of their own.
WITHOUT_PLAIN_TABLE = {LIR, *AGAINST_THE_DEALER}
plain_sheets = [sheet for sheet in known_sheets() if sheet.id not in WITHOUT_PLAIN_TABLE]
any_sheet = st.one_of(st.sampled_from(plain_sheets), sheets(), sheets())
any_game = st.one_of(st.sampled_from(known_sheets()), sheets())
randoms = st.randoms(use_true_random=True)


def examples(quick: int, whole: int) -> settings:
    """Hypothesis settings: more examples in the thorough lane; drawing a sheet may be slow."""
    return settings(
        max_examples=lanes.examples(quick, whole), suppress_health_check=[HealthCheck.too_slow]
    )


@pytest.mark.long
@examples(30, 375)
@given(any_sheet, randoms)
def test_settlement_equals_the_plain_settlement(sheet: Sheet, luck: Random) -> None:
    for mishaps in (False, False, True, True):
        played = play(sheet, luck, mishaps=mishaps)
        plain = settle_journal(document(sheet), [encode(action) for action in played.actions])
        report_json = report(played.over)
        assert {key: report_json[key] for key in plain} == plain


@pytest.mark.long
@examples(16, 200)
@given(any_sheet, randoms, st.booleans())
def test_money_is_conserved_and_wins_follow_results(
    sheet: Sheet, luck: Random, mishaps: bool
) -> None:
    over = play(sheet, luck, mishaps=mishaps).over
    printed = report(over)
    nets = sum(cents_signed(seat["net"]) for seat in printed["seats"])
    assert nets + cents_signed(printed["house_net"]) == 0
    for settlement, seat in zip(over.settlements, over.seats, strict=True):
        assert settlement.seat == seat.number
        assert tuple((line.wager, line.stake) for line in settlement.lines) == seat.stakes
        lost = sum(line.stake for line in settlement.lines if line.result in ("lose", "forfeit"))
        assert settlement.net == sum(line.wins for line in settlement.lines) - lost
        for line in settlement.lines:
            assert (line.odds is not None) == (line.result == "win")
            assert line.wins >= 0
            assert line.result == "win" or line.wins == 0


@pytest.mark.long
@examples(30, 375)
@given(any_sheet, randoms)
def test_gen_4_caps_hold_to_the_cent_and_never_raise_a_payout(sheet: Sheet, luck: Random) -> None:
    played = play(sheet, luck)
    table = replay_plainly(sheet, played)
    limits = table.sheet["limits"]
    lines = []
    for settlement in played.over.settlements:
        before = table.lines(table.hands[settlement.seat])
        for line, due in zip(settlement.lines, before, strict=True):
            under = [limit for limit in limits if oracle.falls_under(table.sheet, limit, due)]
            assert line.wins <= due["wins"]
            assert under or line.wins == due["wins"]
            counted_stake = line.stake if sheet.payouts.stake_counted.value and line.wins else 0
            lines.append((settlement.seat, under, line.wins + counted_stake))
    for limit in limits:
        cap = cents(limit["pays_max"])
        paid = [(seat, wins) for seat, under, wins in lines if limit in under]
        scopes = {"bet": paid, "hand": by_seat(paid), "round": [(0, sum(w for _, w in paid))]}
        assert all(wins <= cap for _, wins in scopes[limit["per"]])
        alone = len(limits) == 1 and not sheet.payouts.stake_counted.value
        if alone and limit["per"] == "round" and played.over.applied_caps:
            assert sum(wins for _, wins in paid) == cap


def by_seat(paid: list[tuple[int, int]]) -> list[tuple[int, int]]:
    totals = Counter[int]()
    for seat, wins in paid:
        totals[seat] += wins
    return list(totals.items())


@given(st.integers(0, 10**7), st.lists(st.integers(0, 10**7), min_size=1, max_size=12))
def test_gen_4_shares_are_whole_and_fall_to_the_largest_remainders(
    total: int, due: list[int]
) -> None:
    due = [*due, 1]
    total = min(total, sum(due))
    split = shares(total, due)
    assert split == oracle.shares(total, due)
    assert sum(split) == total
    assert all(part <= amount for part, amount in zip(split, due, strict=True))


@pytest.mark.long
@examples(16, 200)
@given(any_sheet, randoms, st.booleans())
def test_exactly_the_offered_actions_are_accepted(
    sheet: Sheet, luck: Random, mishaps: bool
) -> None:
    for round in sample_states(play(sheet, luck, mishaps=mishaps).states, luck):
        before = copy.deepcopy(fields_after_game(round))
        offers = {player: legal(round, player) for player in PLAYERS}
        fresh = [
            card for card in shuffle_shoe(sheet, luck)[:5] if named_cards(round).count(card) == 0
        ]
        for player, player_offers in offers.items():
            for action in (
                action_offered
                for offer in player_offers
                for action_offered in expand_offer(offer, player, fresh)
            ):
                assert accepts(round, action), f"{action} was offered"
        for action in candidate_actions(round, luck):
            player = action.player if isinstance(action, Wager) else PLAYERS[0]
            offered = is_covered(offers[player], round, action)
            assert accepts(round, action) == offered, f"{action} in {round.phase}"
        assert fields_after_game(round) == before


def fields_after_game(round: Round) -> list[object]:
    return [getattr(round, field.name) for field in fields(round)[1:]]


def sample_states(states: list[Round], luck: Random) -> list[Round]:
    """Some states of a round, including the last."""
    return [*luck.sample(states, min(8, len(states))), states[-1]]


@pytest.mark.long
@examples(16, 200)
@given(any_game, randoms, st.booleans())
def test_replay_through_json_equals_play(sheet: Sheet, luck: Random, mishaps: bool) -> None:
    played = play(sheet, luck, mishaps=mishaps)
    text = json.dumps(stored_rounds.store(played.over, played.actions))
    first_round, actions = stored_rounds.restore(json.loads(text))
    assert actions == played.actions
    assert [decode(json.loads(json.dumps(encode(action)))) for action in actions] == actions
    replayed = replay(first_round, actions)
    assert replace(replayed, game=played.over.game) == played.over
    assert report(stored_rounds.replay_stored(json.loads(text))) == report(played.over)


@pytest.mark.long
@examples(16, 200)
@given(any_sheet, randoms)
def test_no_decision_depends_on_another_of_its_street(sheet: Sheet, luck: Random) -> None:
    played = play(sheet, luck)
    replayed = replay(played.states[0], reorder_decisions(played, luck))
    assert (replayed.settlements, replayed.applied_caps) == (
        played.over.settlements,
        played.over.applied_caps,
    )
    assert replayed.seats == played.over.seats


def reorder_decisions(played: PlayedRound, luck: Random) -> list[Action]:
    """The same actions, with turns and decisions of each street in any order."""
    mixed: list[Action] = []
    pairs = zip(played.actions, played.states, strict=False)
    for _, street in groupby(
        pairs,
        lambda action_and_state: (is_player_timed(action_and_state[0]), action_and_state[1].stage),
    ):
        actions = [action for action, _ in street]
        decisions = [action for action in actions if isinstance(action, Decide | Absent)]
        mixed += [action for action in actions if action not in decisions]
        mixed += luck.sample(decisions, len(decisions))
    return mixed


def is_player_timed(action: Action) -> bool:
    """Whether its timing is up to the player: turning own cards, deciding."""
    return isinstance(action, Decide | Absent) or (isinstance(action, Turn) and action.place > 0)


@pytest.mark.long
@examples(16, 200)
@given(any_sheet, randoms, st.booleans())
def test_only_turned_cards_are_known_and_only_needed_ones_are_turned(
    sheet: Sheet, luck: Random, mishaps: bool
) -> None:
    played = play(sheet, luck, mishaps=mishaps)
    table, turned_counts = PlainTable(document(sheet)), Counter[int]()
    assert not named_cards(played.states[0])
    for action, after in zip(played.actions, played.states[1:], strict=True):
        if isinstance(action, Turn) and action.place == BOARD:
            assert needs_board(table)
        if isinstance(action, Turn | Expose):
            turned_counts[action.card] += 1
        table.apply(encode(action))
        assert Counter(named_cards(after)) == turned_counts
        assert all(len(seat.cards) <= seat.cards_dealt for seat in after.seats)
        assert len(after.board) <= after.board_laid


def needs_board(table: PlainTable) -> bool:
    """GEN-5: a hand in play, or a live side wager that uses the board."""
    live = [hand for hand in table.hands.values() if hand.void is None]
    if any(not hand.folded for hand in live) or not table.stud:
        return bool(live)
    sides = [table.sheet["side"][wager] for hand in live for wager, _ in table.side_bets(hand)]
    looks = any(side["after_fold"]["plays"] and side["looks_at"] != "hole" for side in sides)
    return bool(live) and (looks or table.sheet["fold"]["board_when_all_fold"]["is"] == "always")


@pytest.mark.long
@examples(16, 200)
@given(any_sheet, randoms, st.booleans())
def test_a_round_moves_forward_and_ends(sheet: Sheet, luck: Random, mishaps: bool) -> None:
    played = play(sheet, luck, mishaps=mishaps)
    phases = [PHASES.index(state.phase) for state in played.states]
    assert all(before <= after for before, after in pairwise(phases))
    closed = played.actions.index(Close())
    assert not [
        action for action in played.actions[closed:] if isinstance(action, Wager | Withdraw)
    ]
    seats, game = len(played.over.seats), played.over.game
    cards = seats * game.hand_size + game.board_size
    steps = seats * (len(game.stages) + len(sheet.settlement.passes))
    onward = [action for action in played.actions if isinstance(action, PROGRESS)]
    assert len(onward) <= 2 * cards + steps
    for state in played.states[closed + 1 : -1]:
        assert any(offer.action in PROGRESS for offer in legal(state))


@pytest.mark.long
@examples(20, 250)
@given(any_sheet, randoms)
def test_gen_12_wagers_are_within_the_sheets_limits(sheet: Sheet, luck: Random) -> None:
    played = play(sheet, luck)
    dealt = replay_plainly(sheet, played, Close())
    spots: dict[str, list[int]] = {}
    for hand in dealt.hands.values():
        spots.setdefault(hand.player, []).append(hand.seat)
        stakes = {dealt.main: dealt.sheet[dealt.main]}
        stakes |= {wager: side["stake"] for wager, side in dealt.sheet["side"].items()}
        needed = {wager for wager, stake in stakes.items() if stake.get("required", True)}
        assert needed <= set(hand.bets) <= set(stakes)
        for wager, amount in hand.bets.items():
            assert cents(stakes[wager]["min"]) <= amount <= cents(stakes[wager]["max"])
            assert amount % cents(stakes[wager]["step"]) == 0
    for seats in spots.values():
        assert len(seats) <= dealt.sheet["seats"]["per_player"]["is"]
        assert not (dealt.sheet["seats"].get("adjacent") or {}).get("is") or are_adjacent(
            dealt, seats
        )


def are_adjacent(table: PlainTable, seats: list[int]) -> bool:
    """MHL-15: whether a player's spots are connected."""
    rule = table.sheet["seats"]
    meet = (rule.get("ends_meet") or {}).get("is")
    reached = {min(seats)}
    for _ in seats:
        near = {spot + step for spot in reached for step in (-1, 1)}
        if meet:
            near |= {
                1 if spot > rule["count"] else rule["count"] if spot < 1 else spot for spot in near
            }
        reached |= near & set(seats)
    return reached == set(seats)


def replay_plainly(sheet: Sheet, played: PlayedRound, last: Action | None = None) -> PlainTable:
    """The round replayed on the plain table, up to an action or to its end."""
    table = PlainTable(document(sheet))
    for action in played.actions:
        table.apply(encode(action))
        if action == last:
            break
    return table
