"""Unit tests of hi-lo: costs of declarations, winners, and absent hands."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.plays import play_of

import pitbook
from pitbook.cards import cards
from pitbook.hands.low_and_high import PointTable
from pitbook.money import Cents, Odds, odds
from pitbook.rules.families.hi_lo.game import HiLoGame, Showdown, point_table
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Code
from pitbook.rules.settlement_lines import Kinds, Line
from pitbook.sheets.field_types import choice

MHL = pitbook.load("catfish-bend/matchem-hi-lo")
assert isinstance(MHL, HiLo)
SHEET: HiLo = MHL
DEALER = cards("Ac As Kd Qd 9h")  # MHL-9: low 1, high 31.


def seat(*side: tuple[str, int], bet: int = 500, **fields: Any) -> Seat:
    side_wagers = tuple((wager, Cents(amount)) for wager, amount in side)
    plays = tuple(play_of(HiLoGame(SHEET), 0, play) for play in fields.pop("plays", ()))
    return Seat(2, "ann", (("bet", Cents(bet)),), side_wagers, plays=plays, **fields)


def doubling(**fields: Any) -> HiLoGame:
    assert SHEET.double is not None
    return HiLoGame(
        SHEET.model_copy(update={"double": SHEET.double.model_copy(update=fields)}),
    )


def ties(value: str) -> HiLoGame:
    main = SHEET.main.model_copy(update={"ties": choice(value, "HOUSE")})
    return HiLoGame(SHEET.model_copy(update={"main": main}))


def test_the_game_is_compiled_from_its_sheet() -> None:
    game = HiLoGame(SHEET)
    assert (game.board_name, game.board_always) == ("dealer", True)
    assert (game.hand_size, game.board_size) == (3, 5)
    assert game.main == ("bet", SHEET.bet)
    assert [stage[:5] for stage in game.stages] == [
        ("declare", "declaration", "MHL-6", (3, 0), game.plays(0))
    ]
    assert game.turned_by == (5,)
    assert game.plays(0) == ("low", "high", "low+double", "high+double")
    single = HiLoGame(SHEET.model_copy(update={"double": None}))
    assert single.plays(0) == ("low", "high")


def test_mhl_3_points_by_rank_two_to_ace() -> None:
    low = (2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 1)
    assert point_table(SHEET) == PointTable(low, (*low[:-1], 11))
    assert HiLoGame(SHEET).points == point_table(SHEET)


@pytest.mark.parametrize(
    ("play", "remedy"),
    [
        ("hihg", 'Did you mean "high"?'),
        ("fold", 'Use one of "low", "high", "low+double", "high+double".'),
    ],
)
def test_refusal_of_an_unknown_declaration(play: str, remedy: str) -> None:
    refusal = HiLoGame(SHEET).unknown_play(0, play)
    assert (refusal.code, refusal.clause) == (Code.UNKNOWN_PLAY, "MHL-6")
    assert refusal.message == f'"{play}" is not a declaration. {remedy}'


def test_mhl_7_a_double_costs_the_bet_and_a_declaration_nothing() -> None:
    for play in ("low", "high"):
        declared = play_of(HiLoGame(SHEET), 0, play)
        doubled = play_of(HiLoGame(SHEET), 0, f"{play}+double")
        assert (declared.declaration, doubled.declaration) == (play, play)
        assert seat().after_play(declared).main == (("bet", 500),)
        assert seat().after_play(doubled).main == (("bet", 500), ("double", 500))
    assert seat().cost(play_of(doubling(times=3), 0, "low+double")) == 1500
    single = HiLoGame(SHEET.model_copy(update={"double": None}))
    assert single.play(0, "low+double") is None


@pytest.mark.parametrize(
    ("within", "bet", "play", "clause"),
    [
        (False, 50_000, "high+double", None),
        (True, 25_000, "high+double", None),
        (True, 25_100, "high+double", "HOUSE"),
        (True, 50_000, "high", None),
    ],
)
def test_gen_11_a_house_may_keep_bet_and_double_within_the_maximum(
    within: bool, bet: int, play: str, clause: str | None
) -> None:
    game = doubling(within_max=choice(within, "HOUSE"))
    declared_play = play_of(game, 0, play)
    assert game.exceeded_clause(seat(bet=bet), 0, declared_play) == clause
    assert (
        HiLoGame(SHEET.model_copy(update={"double": None})).exceeded_clause(
            seat(), 0, declared_play
        )
        is None
    )


@pytest.mark.parametrize(
    ("cards_text", "play"),
    [
        ("", None),
        ("9c 5d", None),
        ("9c 4d Kh", "low"),  # 13
        ("9c 5d Kh", "high"),  # 14
        ("9c 6d Kh", "high"),
        ("Ac 2d Kh", "low"),  # An ace counts 11 here: 13.
        ("Ac 3d Kh", "high"),  # 14
    ],
)
def test_gen_10_an_absent_hand_is_high_from_fourteen_points_on(
    cards_text: str, play: str | None
) -> None:
    assert HiLoGame(SHEET).absent_play(seat(cards=cards(cards_text)), 0) == play


def test_every_wager_uses_both_hands_and_there_is_no_fold() -> None:
    assert HiLoGame(SHEET).looks_at_hand(seat())
    assert HiLoGame(SHEET).looks_at_board(seat())
    assert HiLoGame(SHEET).tucked_under(seat(("poker-bonus", 100))) is None


def test_both_hands_are_counted() -> None:
    showdown = HiLoGame(SHEET).read(cards("2c 9c Ad"), DEALER)
    # Matches: two aces and a nine.
    assert showdown == Showdown(12, 22, 1, 31, 3, showdown.hand)
    assert showdown.hand is not None


def test_hands_are_ranked_only_for_a_wager_that_uses_them() -> None:
    side = {"matchem-bonus": SHEET.side["matchem-bonus"]}
    game = HiLoGame(SHEET.model_copy(update={"side": side}))
    assert game.read(cards("2c 9c Ad"), DEALER).hand is None


@pytest.mark.parametrize(
    ("decks", "cards_text", "outcome"),
    [
        (1, "9c 8d 7h", "straight"),
        (1, "9c 9d 2c", "pair"),
        (2, "9c 9c 2c", "suited-pair"),
        (2, "9c 8d 7h", "straight"),
        (6, "9c 9c 2d", "suited-pair"),
    ],
)
def test_suited_pairs_need_two_decks(decks: int, cards_text: str, outcome: str) -> None:
    deck = SHEET.deck.model_copy(update={"decks": decks})
    bonus = SHEET.side["poker-bonus"]
    pays = {line: pay for line, pay in bonus.pays.items() if decks > 1 or "suited" not in line}
    side = {"poker-bonus": bonus.model_copy(update={"pays": pays})}
    game = HiLoGame(SHEET.model_copy(update={"deck": deck, "side": side}))
    bonus_seat = seat(("poker-bonus", 100), cards=cards(cards_text), plays=("low",))
    assert game.settle(bonus_seat, DEALER).lines[1].outcome == outcome
    assert game.hand("hand").ranking == Kinds(3, "high-or-low", many_decks=decks > 1)


def test_a_house_may_let_an_ace_be_low_in_a_straight() -> None:
    bonus_seat = seat(("poker-bonus", 100), cards=cards("Ac 2d 3h"), plays=("low",))
    assert HiLoGame(SHEET).settle(bonus_seat, DEALER).lines[1].outcome == "straight"
    high = SHEET.payouts.model_copy(update={"ace_in_straights": choice("high", "HOUSE")})
    game = HiLoGame(SHEET.model_copy(update={"payouts": high}))
    assert game.settle(bonus_seat, DEALER).lines[1].outcome == "nothing"


# The dealer has 8 low and 20 high.
RESULTS: list[tuple[str, int, str, str, str | None]] = [
    ("low", 7, "player", "low", "1:1"),
    ("low", 8, "player", "low", "1:1"),
    ("low", 9, "player", "nothing", None),
    ("low", 7, "dealer", "low", "1:1"),
    ("low", 8, "dealer", "nothing", None),
    ("low", 7, "push", "low", "1:1"),
    ("low", 8, "push", "low", "push"),
    ("low", 9, "push", "nothing", None),
    ("high", 19, "player", "nothing", None),
    ("high", 20, "player", "high", "1:1"),
    ("high", 21, "player", "high", "1:1"),
    ("high", 20, "dealer", "nothing", None),
    ("high", 21, "dealer", "high", "1:1"),
    ("high", 19, "push", "nothing", None),
    ("high", 20, "push", "high", "push"),
    ("high", 21, "push", "high", "1:1"),
]


@pytest.mark.parametrize(
    ("cards_text", "dealer_cards"), [("", ""), ("9c", "Ac As Kd Qd 9h"), ("9c 8d 7h", "Ac")]
)
def test_incomplete_cards_are_not_read(cards_text: str, dealer_cards: str) -> None:
    assert HiLoGame(SHEET).read(cards(cards_text), cards(dealer_cards)) == (None,) * 6


@pytest.mark.parametrize("case", RESULTS, ids=str)
@pytest.mark.parametrize("double", [False, True])
def test_mhl_9_who_wins_and_who_wins_ties(
    case: tuple[str, int, str, str, str | None], double: bool
) -> None:
    play, points, rule, outcome, pay = case
    totals = {"low": (points, 0), "high": (0, points)}[play]
    main = (("bet", Cents(500)), ("double", Cents(500)))[: 1 + double]
    declared_seat = seat(plays=(play + "+double" * double,))._replace(main=main)
    lines = ties(rule).price(Showdown(*totals, 8, 20, 0, None), declared_seat)
    won = odds(pay) if pay and pay != "push" else None
    result = "push" if pay == "push" else "win" if won else "lose"
    for line, (wager, stake) in zip(lines, main, strict=True):
        assert line[:5] == (wager, stake, outcome, result, won)
        assert (line.wins, line.clause) == (500 if won else 0, "MHL-9")


def test_low_and_high_may_pay_differently() -> None:
    pays: dict[str, Odds | str] = {"low": odds("2:1"), "high": "push"}
    main = SHEET.main.model_copy(update={"pays": pays})
    game = HiLoGame(SHEET.model_copy(update={"main": main}))
    low, high = (seat(plays=(play,)) for play in ("low", "high"))
    showdown = Showdown(0, 30, 8, 20, 0, None)
    assert game.price(showdown, low)[0].wins == 1000
    assert game.price(showdown, high)[0].result == "push"


def test_a_hand_is_priced_line_by_line() -> None:
    bonus_seat = seat(
        ("matchem-bonus", 200), ("poker-bonus", 300), cards=cards("9c 9c Ad"), plays=("high",)
    )
    settlement = HiLoGame(SHEET).settle(bonus_seat, DEALER)
    assert settlement.seat == 2
    assert settlement.lines == (
        Line("bet", Cents(500), "nothing", "lose", None, Cents(0), "MHL-9"),
        Line("matchem-bonus", Cents(200), "match-3", "win", odds("3:1"), Cents(600), "MHL-11"),
        Line("poker-bonus", Cents(300), "suited-pair", "win", odds("3:1"), Cents(900), "MHL-12"),
    )


def test_gen_3_a_counted_stake_is_deducted_from_every_win() -> None:
    counted = SHEET.payouts.model_copy(update={"stake_counted": choice(True, "HOUSE")})
    game = HiLoGame(SHEET.model_copy(update={"payouts": counted}))
    bonus_seat = seat(("matchem-bonus", 200), cards=cards("9c Ac Ad"), plays=("high",))
    lines = game.settle(bonus_seat, DEALER).lines
    assert [(line.outcome, line.wins) for line in lines] == [("high", 0), ("match-3", 400)]


def test_a_void_hand_returns_every_wager() -> None:
    bonus_seat = seat(("poker-bonus", 100), plays=("low",))
    assert HiLoGame(SHEET).void(bonus_seat, "MHL-14").lines == (
        Line("bet", Cents(500), None, "void", None, Cents(0), "MHL-14"),
        Line("poker-bonus", Cents(100), None, "void", None, Cents(0), "MHL-14"),
    )


def test_mhl_8_the_dealer_announces_both_hands() -> None:
    game = HiLoGame(SHEET)
    assert game.board_text(DEALER[:4]) is None
    announcement = (
        "Dealer's Lo Hand: Qd Kd Ac (1). Shared Card: Ac. Dealer's Hi Hand: Ac As 9h (31)"
    )
    assert game.board_text(DEALER) == announcement
    rule = SHEET.dealer.model_copy(update={"shared": "none"})
    apart = HiLoGame(SHEET.model_copy(update={"dealer": rule}))
    announcement = "Dealer's Lo Hand: Qd Kd Ac (1). Dealer's Hi Hand: As 9h (20)"
    assert apart.board_text(DEALER) == announcement
