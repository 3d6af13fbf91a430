"""Unit tests of street-stud: costs of plays, cards needed, and payouts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.plays import play_of

import pitbook
from pitbook.cards import cards
from pitbook.money import Cents, dollars, odds
from pitbook.rules.families.street_stud.game import Showdown, StreetStudGame
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Code
from pitbook.rules.settlement_lines import Line
from pitbook.sheets.field_types import choice


def sheet_of(name: str) -> StreetStud:
    sheet = pitbook.load(name)
    assert isinstance(sheet, StreetStud)
    return sheet


CMS = sheet_of("catfish-bend/mississippi-stud")
LAS = sheet_of("louisiana-stud/standard")


def seat(*side: tuple[str, int], **fields: Any) -> Seat:
    side_wagers = tuple((wager, Cents(amount)) for wager, amount in side)
    return Seat(1, "ann", (("ante", Cents(500)),), side_wagers, **fields)


def with_street(sheet: StreetStud, number: int, **fields: Any) -> StreetStud:
    streets = list(sheet.streets)
    streets[number] = streets[number].model_copy(update=fields)
    return sheet.model_copy(update={"streets": tuple(streets)})


def after_fold(sheet: StreetStud, **plays: bool) -> StreetStud:
    """The sheet with side wagers that survive a fold, or do not."""
    side = dict(sheet.side)
    for name, stays in plays.items():
        wager = name.replace("_", "-")
        rule = side[wager].after_fold
        assert rule is not None
        changed = {"after_fold": rule.model_copy(update={"plays": stays, "clause": "LOST"})}
        side[wager] = side[wager].model_copy(update=changed)
    return sheet.model_copy(update={"side": side})


def test_the_game_is_compiled_from_its_sheet() -> None:
    game = StreetStudGame(CMS)
    assert (game.board_name, game.hand_size, game.board_size) == ("community", 2, 3)
    assert game.main == ("ante", CMS.ante)
    assert [stage[:5] for stage in game.stages] == [
        ("flop", "Flop bet", "CMS-5", (2, 0), game.plays(0)),
        ("turn", "Turn bet", "CMS-5", (2, 1), game.plays(1)),
        ("river", "River bet", "CMS-5", (2, 2), game.plays(2)),
    ]
    assert game.turned_by == (1, 2, 3)
    assert game.plays(0) == ("fold", "1x", "2x", "3x")
    free = StreetStudGame(with_street(CMS, 1, bets=(0, 4), fold=False))
    assert [free.plays(stage) for stage in range(3)] == [game.plays(0), ("0x", "4x"), game.plays(2)]


@pytest.mark.parametrize(
    ("play", "code", "message"),
    [
        ("4x", Code.ABOVE_MAXIMUM, "4x is more than 3x, the maximum for the Turn bet."),
        ("10x", Code.ABOVE_MAXIMUM, "10x is more than 3x, the maximum for the Turn bet."),
        ("03x", Code.UNKNOWN_PLAY, "03x is not a bet here. The Turn bet is fold or 1x or 3x."),
        ("2x", Code.UNKNOWN_PLAY, "2x is not a bet here. The Turn bet is fold or 1x or 3x."),
        ("0x", Code.UNKNOWN_PLAY, "0x is not a bet here. The Turn bet is fold or 1x or 3x."),
        ("flod", Code.UNKNOWN_PLAY, '"flod" is not a play here. Did you mean "fold"?'),
        (
            "1000000000x",
            Code.UNKNOWN_PLAY,
            '"1000000000x" is not a play here. Use one of "fold", "1x", "3x".',
        ),
        ("high", Code.UNKNOWN_PLAY, '"high" is not a play here. Use one of "fold", "1x", "3x".'),
    ],
)
def test_refusal_of_unknown_plays(play: str, code: Code, message: str) -> None:
    game = StreetStudGame(with_street(CMS, 1, bets=(1, 3)))
    refusal = game.unknown_play(1, play)
    assert (refusal.code, refusal.clause) == (code, "CMS-5")
    assert refusal.message == message


def test_a_fold_never_counts_as_the_largest_bet() -> None:
    """A check without cost is the largest bet here, not the fold."""
    game = StreetStudGame(with_street(CMS, 0, bets=(0,)))
    refusal = game.unknown_play(0, "9x")
    assert (refusal.code, refusal.message) == (
        Code.ABOVE_MAXIMUM,
        "9x is more than 0x, the maximum for the Flop bet.",
    )


def test_a_play_costs_a_multiple_of_the_ante() -> None:
    free = StreetStudGame(with_street(CMS, 1, bets=(0, 2), fold=False))
    results = [
        (seat().after_play(play).main[1:], seat().after_play(play).folded)
        for game, stage, text in (
            (StreetStudGame(CMS), 0, "fold"),
            (StreetStudGame(CMS), 0, "1x"),
            (StreetStudGame(CMS), 2, "3x"),
            (free, 1, "0x"),
            (free, 1, "2x"),
        )
        for play in [play_of(game, stage, text)]
    ]
    assert results == [
        ((), True),
        ((("flop", 500),), False),
        ((("river", 1500),), False),
        ((), False),
        ((("turn", 1000),), False),
    ]


@pytest.mark.parametrize(
    ("most", "play", "clause"),
    [
        (None, "3x", None),
        ("9.99", "2x", "CMS-5"),
        ("10.00", "2x", None),
        ("10.01", "3x", "CMS-5"),
        ("10.00", "fold", None),
    ],
)
def test_gen_11_a_street_may_have_a_maximum_of_its_own(
    most: str | None, play: str, clause: str | None
) -> None:
    game = StreetStudGame(with_street(CMS, 0, bet_max=None if most is None else dollars(most)))
    chosen_play = play_of(game, 0, play)
    assert game.exceeded_clause(seat(), 0, chosen_play) == clause
    assert game.exceeded_clause(seat(), 1, chosen_play) is None


@pytest.mark.parametrize(
    ("rule", "folds", "bets", "play"),
    [
        ("fold", True, (1, 2), "fold"),
        ("fold", False, (0, 2), "0x"),
        ("smallest-bet", True, (2, 3), "2x"),
        ("smallest-bet", False, (0, 1), "0x"),
    ],
)
def test_gen_10_an_absent_player_folds_or_makes_the_smallest_bet(
    rule: str, folds: bool, bets: tuple[int, ...], play: str
) -> None:
    sheet = with_street(CMS, 0, fold=folds, bets=bets)
    game = StreetStudGame(sheet.model_copy(update={"absent": choice(rule, "HOUSE")}))
    assert game.absent_play(seat(), 0) == play


LOOKS: list[tuple[Seat, bool, bool]] = [
    (seat(), True, True),
    (seat(folded=True), False, False),
    (seat(("three-up", 100)), True, True),
    (seat(("three-up", 100), folded=True), False, True),
    (seat(("stax", 100), folded=True), True, True),
    (seat(("three-up", 100))._replace(main=()), False, True),  # As when 3-UP is settled separately.
    (seat()._replace(main=()), False, False),
]


@pytest.mark.parametrize(("seat_case", "hand", "board"), LOOKS)
def test_cards_used_by_live_wagers(seat_case: Seat, hand: bool, board: bool) -> None:
    game = StreetStudGame(LAS)
    assert (game.looks_at_hand(seat_case), game.looks_at_board(seat_case)) == (hand, board)


def test_wagers_lost_by_a_fold_use_no_cards() -> None:
    game = StreetStudGame(after_fold(LAS, three_up=False, stax=False))
    folded = seat(("three-up", 100), ("stax", 100), folded=True)
    assert not game.looks_at_hand(folded)
    assert not game.looks_at_board(folded)


def test_a_wager_on_the_hole_cards_needs_no_board() -> None:
    side = {"stax": LAS.side["stax"].model_copy(update={"looks_at": "hole", "pays": PAIR})}
    game = StreetStudGame(LAS.model_copy(update={"side": side}))
    folded = seat(("stax", 100), folded=True)
    assert game.looks_at_hand(folded)
    assert not game.looks_at_board(folded)
    assert game.read(cards("As Ad"), ()).hole is not None
    (main, stax) = game.settle(folded._replace(cards=cards("As Ad")), ()).lines
    assert (main.result, stax.result, stax.wins) == ("lose", "win", 500)
    unpaid = game.settle(folded._replace(cards=cards("As Kd")), ()).lines[1]
    assert (unpaid.result, unpaid.outcome) == ("lose", "nothing")


PAIR = {"pair": odds("5:1")}


def test_only_known_and_needed_hands_are_read() -> None:
    hole_cards, board = cards("As Ks"), cards("Qs Js Ts")
    with_side_wagers, without_side_wagers = (
        StreetStudGame(LAS),
        StreetStudGame(sheet_of("oceanfront/mississippi-stud")),
    )
    showdown = with_side_wagers.read(hole_cards, board)
    assert showdown.hand is not None
    assert showdown.community is not None
    assert showdown.hole is None
    assert without_side_wagers.read(hole_cards, board) == Showdown(showdown.hand, None, None)
    assert with_side_wagers.read((), board) == Showdown(None, None, showdown.community)
    assert with_side_wagers.read(hole_cards, board[:2]) == Showdown(None, None, None)


def test_a_house_may_let_an_ace_be_low_in_a_straight() -> None:
    high = CMS.payouts.model_copy(update={"ace_in_straights": choice("high", "HOUSE")})
    bonus_seat = seat(("three-card-bonus", 100), cards=cards("4s 5d"))
    board = cards("Ac 2d 3h")
    low_game = StreetStudGame(CMS).settle(bonus_seat, board)
    high_game = StreetStudGame(CMS.model_copy(update={"payouts": high})).settle(bonus_seat, board)
    assert [line.outcome for line in low_game.lines] == ["straight", "straight"]
    assert [line.outcome for line in high_game.lines] == ["nothing", "nothing"]


def test_a_house_may_pay_low_straights_of_hole_cards() -> None:
    pays = {"straight": odds("5:1"), "pair": odds("6:1"), "straight-flush": odds("7:1")}
    side = {"stax": LAS.side["stax"].model_copy(update={"looks_at": "hole", "pays": pays})}
    high = LAS.payouts.model_copy(update={"ace_in_straights": choice("high", "HOUSE")})
    stax_seat = seat(("stax", 100), cards=cards("Ac 2d"))
    for payouts, outcome in ((LAS.payouts, "straight"), (high, "nothing")):
        game = StreetStudGame(LAS.model_copy(update={"side": side, "payouts": payouts}))
        assert game.settle(stax_seat, cards("9s 9d 9h")).lines[1].outcome == outcome


def test_a_hand_is_priced_line_by_line() -> None:
    main = (("ante", Cents(500)), ("flop", Cents(1500)))
    bonus_seat = seat(("three-card-bonus", 200), cards=cards("Jd Jh"))._replace(main=main)
    settlement = StreetStudGame(CMS).settle(bonus_seat, cards("Qs 7s 2s"))
    jacks, flush = odds("1:1"), odds("3:1")
    assert settlement.seat == 1
    assert settlement.lines == (
        Line("ante", Cents(500), "pair-J-A", "win", jacks, Cents(500), "CMS-9"),
        Line("flop", Cents(1500), "pair-J-A", "win", jacks, Cents(1500), "CMS-9"),
        Line("three-card-bonus", Cents(200), "flush", "win", flush, Cents(600), "CMS-10"),
    )


def test_a_fold_loses_the_main_wagers_and_keeps_the_bonus() -> None:
    folded = seat(("three-card-bonus", 200), folded=True)
    ante, bonus = StreetStudGame(CMS).settle(folded, cards("Qs 7s 2s")).lines
    assert ante == Line("ante", Cents(500), "fold", "lose", None, Cents(0), "CMS-6")
    assert (bonus.result, bonus.wins) == ("win", 600)


def test_a_side_wager_that_does_not_survive_is_lost_with_the_fold() -> None:
    game = StreetStudGame(after_fold(CMS, three_card_bonus=False))
    bonus = (("three-card-bonus", 200),)
    folded = game.settle(seat(*bonus, folded=True), cards("Qs 7s 2s")).lines[1]
    lost = Line("three-card-bonus", Cents(200), "fold", "lose", None, Cents(0), "LOST")
    assert folded == lost
    stays = game.settle(seat(*bonus, cards=cards("2c 3c")), cards("Qs 7s 2s")).lines[1]
    assert stays.result == "win"


def test_gen_3_a_counted_stake_is_deducted_from_every_win() -> None:
    counted = CMS.payouts.model_copy(update={"stake_counted": choice(True, "HOUSE")})
    game = StreetStudGame(CMS.model_copy(update={"payouts": counted}))
    bonus_seat = seat(("three-card-bonus", 200), cards=cards("As Ks"))
    lines = game.settle(bonus_seat, cards("Qs Js Ts")).lines
    assert [line.wins for line in lines] == [249_500, 7_800]


@pytest.mark.parametrize(
    ("returns", "folded", "survives", "results"),
    [
        ("every-wager", False, True, ["void", "void"]),
        ("every-wager", True, False, ["void", "void"]),
        ("live-wagers", False, False, ["void", "void"]),
        ("live-wagers", True, True, ["lose", "void"]),
        ("live-wagers", True, False, ["lose", "lose"]),
    ],
)
def test_gen_6_returns_of_a_void_hand(
    returns: str, folded: bool, survives: bool, results: list[str]
) -> None:
    rules = CMS.irregularities
    misdeal = rules.misdeal.model_copy(update={"returns": returns})
    sheet = after_fold(CMS, three_card_bonus=survives).model_copy(
        update={"irregularities": rules.model_copy(update={"misdeal": misdeal})}
    )
    bonus_seat = seat(("three-card-bonus", 200), folded=folded)
    void = StreetStudGame(sheet).void(bonus_seat, "GEN-6")
    assert void.seat == 1
    assert [(line.wager, line.stake) for line in void.lines] == list(bonus_seat.stakes)
    assert [line.result for line in void.lines] == results
    outcomes = {"void": None, "lose": "fold"}
    clauses = [("GEN-6", "CMS-6"), ("GEN-6", "LOST")]
    for line, result, (void_clause, lost_clause) in zip(void.lines, results, clauses, strict=True):
        assert (line.outcome, line.odds, line.wins) == (outcomes[result], None, 0)
        assert line.clause == (void_clause if result == "void" else lost_clause)


@pytest.mark.parametrize(
    ("folded_seat", "under"),
    [
        (seat(("three-up", 100), ("stax", 100), folded=True), "three-up"),
        (seat(("stax", 100), folded=True), "stax"),
        (seat(folded=True), None),
        (seat(("three-up", 100)), None),
    ],
)
def test_las_5_las_6_folded_cards_are_tucked_under_a_live_wager(
    folded_seat: Seat, under: str | None
) -> None:
    assert StreetStudGame(LAS).tucked_under(folded_seat) == under


def test_folded_cards_are_not_tucked_under_a_lost_wager_or_without_a_rule() -> None:
    both = seat(("three-up", 100), ("stax", 100), folded=True)
    assert StreetStudGame(after_fold(LAS, three_up=False)).tucked_under(both) == "stax"
    assert LAS.fold is not None
    silent = {"fold": LAS.fold.model_copy(update={"tucks_under": None})}
    assert StreetStudGame(LAS.model_copy(update=silent)).tucked_under(both) is None
    assert StreetStudGame(LAS.model_copy(update={"fold": None})).tucked_under(both) is None


def test_gen_5_a_house_may_always_turn_the_board() -> None:
    assert not StreetStudGame(CMS).board_always
    assert CMS.fold is not None
    always = {"board_when_all_fold": choice("always", "HOUSE")}
    changed = CMS.model_copy(update={"fold": CMS.fold.model_copy(update=always)})
    assert StreetStudGame(changed).board_always is True
    assert StreetStudGame(CMS.model_copy(update={"fold": None})).board_always is False


def test_the_board_has_no_announcement() -> None:
    assert StreetStudGame(CMS).board_text(cards("Qs 7s 2s")) is None
