"""The method for a game follows from its structure; outcomes are by wager."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from fractions import Fraction

import pytest
from tests.exact.example_sheets import four_card_hi_lo, unusual_stud
from tests.rules.toy_games import TOYS, ToyGame
from tests.sheets.samples import CMS, LAS, MHL, OMS, hi_lo, stud

from pitbook.exact.compare import edge_of, exchange_pays
from pitbook.exact.compiled_games import cache_by_identity, exact_ante, exact_stake
from pitbook.exact.methods.choose import METHODS, choose_method, method_for
from pitbook.exact.methods.ladder.structure import ladder_of
from pitbook.exact.methods.points.structure import as_points_game
from pitbook.exact.outcome_figures import FigureRow, figures_from_rows, main_row, round_row
from pitbook.exact.sheet_figures import wager_answer
from pitbook.money import Cents, Odds
from pitbook.rules.actions import FOLD, Need, Play, bets
from pitbook.rules.game import Game, When, compile_game
from pitbook.rules.settlement_lines import KindPay, Line, Other, pay_by_kind
from pitbook.sheets.model import Sheet

SHEETS = {
    CMS: lambda: stud(CMS),
    OMS: lambda: stud(OMS),
    LAS: lambda: stud(LAS),
    "bets-withdrawn": lambda: unusual_stud("bets-withdrawn"),
    "three-hole-cards": lambda: unusual_stud("three-hole-cards"),
}


def changed_game(game: Game, **fields: object) -> Game:
    copied = copy(game)
    for name, field_value in fields.items():
        setattr(copied, name, field_value)
    return copied


@pytest.mark.parametrize("name", SHEETS)
def test_hole_cards_and_board_paid_by_kind_are_a_ladder(name: str) -> None:
    sheet = SHEETS[name]()
    game, method = choose_method(sheet)
    ladder = ladder_of(game)
    assert method.name == "ladder"
    assert ladder is not None
    assert ladder.hole_cards == sheet.deal.hole.value
    assert ladder.reveals == tuple(street.reveals.value for street in sheet.streets)
    assert ladder.cards_seen[0] == ladder.hole_cards
    assert ladder.hole_cards + sum(ladder.reveals) == 5


@pytest.mark.parametrize("sheet", [hi_lo(MHL), four_card_hi_lo()], ids=["matchem", "four cards"])
def test_two_duels_by_points_fit_the_points_method(sheet: Sheet) -> None:
    game, method = choose_method(sheet)
    structure = as_points_game(game)
    assert method.name == "points"
    assert structure is not None
    assert (structure.shape.player, structure.shape.dealer) == (sheet.hand_cards, sheet.board_cards)
    assert [duel.low for duel in structure.duels] == [True, False]


@pytest.mark.parametrize("toy", TOYS.values(), ids=list(TOYS))
def test_other_games_use_the_plain_method(toy: Callable[[], ToyGame]) -> None:
    assert method_for(toy()).name == "plain"
    assert [method.name for method in METHODS] == ["ladder", "points", "pairs", "boards", "plain"]


def changed_ladders() -> dict[str, Game]:
    """Ladder games with one change that the method does not support."""
    game = compile_game(stud(CMS))
    first, *others = game.stages
    play_needing_hand = Play("1x", puts=(("flop", 1),), needs=Need("hand", 3))
    plays_on_two_wagers = (FOLD, bets("flop", 1), bets("turn", 2))
    full_hand, *other_hands = game.hands
    return {
        "a bet made along": changed_game(game, equals=("blind",)),
        "a stage passed over": changed_game(
            game, stages=(first, *(stage._replace(once=True) for stage in others))
        ),
        "a stage on an event": changed_game(
            game, stages=(first._replace(when=When("hand", frozenset({1}))), *others)
        ),
        "a play that needs a hand": changed_game(
            game, stages=(first._replace(plays=(play_needing_hand,)), *others)
        ),
        "a bet taken back": changed_game(
            game, stages=(first._replace(plays=(Play("pull", takes=("ante",)),)), *others)
        ),
        "bets on two wagers": changed_game(
            game, stages=(first._replace(plays=plays_on_two_wagers), *others)
        ),
        "a card dealt later": changed_game(
            game, places=(game.places[0], game.places[1]._replace(later=1))
        ),
        "a hand read otherwise": changed_game(
            game, hands=(full_hand._replace(ranking=Other("?")), *other_hands)
        ),
    }


@pytest.mark.parametrize("change", changed_ladders())
def test_ladder_with_other_features_does_not_fit(change: str) -> None:
    assert ladder_of(compile_game(stud(CMS))) is not None
    assert ladder_of(changed_ladders()[change]) is None


def test_points_game_with_other_features_does_not_fit() -> None:
    game = compile_game(hi_lo(MHL))
    (stage,) = game.stages
    low, high = game.duels
    assert (
        as_points_game(changed_game(game, stages=(stage._replace(plays=(*stage.plays, FOLD)),)))
        is None
    )
    assert as_points_game(changed_game(game, duels=(low, high._replace(low=True)))) is None
    assert (
        as_points_game(changed_game(game, duels=(low._replace(other="dealer-high"), high))) is None
    )
    assert as_points_game(changed_game(game, stages=(stage, stage))) is None


@pytest.mark.parametrize("sheet", [stud(CMS), hi_lo(MHL)], ids=["ladder", "points"])
def test_game_with_its_own_pays_has_the_same_value(sheet: Sheet) -> None:
    game, method = choose_method(sheet)
    unchanged = game.with_pays(exchange_pays(sheet, "main", ()))
    assert unchanged is not None
    assert -method.expected(unchanged, None) == edge_of(sheet, "main")
    richer = game.with_pays(tuple(_double_pay(pay) for pay in pay_by_kind(sheet, "main")))
    assert richer is not None
    assert method.expected(richer, None) > method.expected(unchanged, None)
    assert richer != game


def _double_pay(pay: KindPay) -> KindPay:
    return pay if pay.odds is None else pay._replace(odds=Odds(2 * pay.odds.to, pay.odds.one))


def test_exact_stake_includes_changed_pays() -> None:
    game = compile_game(stud(CMS))
    with_pays = game.with_pays(
        (KindPay("any", "win", Odds(6, 7)),) * len(pay_by_kind(game.sheet, "main"))
    )
    assert with_pays is not None
    assert exact_stake(game) == exact_ante(game.sheet)
    assert exact_stake(with_pays) % 7 == 0


def line(wager: str, stake: int, outcome: str, result: str, wins: int = 0) -> Line:
    return Line(wager, Cents(stake), outcome, result, None, Cents(wins), "")  # type: ignore[arg-type]


def test_wagers_with_equal_results_are_one_outcome() -> None:
    lines = [line("ante", 100, "pair", "win", 100), line("flop", 300, "pair", "win", 300)]
    assert main_row(lines, Cents(100), 7) == FigureRow("pair", 4, "win", Fraction(4), 7)


def test_wagers_with_different_results_are_listed_separately() -> None:
    """An ante that wins with a raise that pushes is not a win of two units."""
    lines = [line("ante", 100, "below", "win", 100), line("raise", 200, "below", "push")]
    row = main_row(lines, Cents(100), 7)
    assert (row.units, row.net, row.result, row.count) == (3, Fraction(1), "win", 7)
    assert [(wager.wager, wager.units, wager.result, wager.net) for wager in row.wagers] == [
        ("ante", 1, "win", Fraction(1)),
        ("raise", 2, "push", Fraction(0)),
    ]
    assert sum(wager.net for wager in row.wagers) == row.net
    (outcome,) = wager_answer(figures_from_rows([row, row])).document()["outcomes"]
    assert outcome["count"] == 14
    assert [wager["result"] for wager in outcome["wagers"]] == ["win", "push"]
    alone = figures_from_rows([main_row(lines[:1], Cents(100), 1)])
    assert "wagers" not in wager_answer(alone).document()["outcomes"][0]


def test_round_row_joins_all_outcomes() -> None:
    lines = [line("ante", 100, "fold", "lose"), line("bonus", 50, "flush", "win", 200)]
    assert round_row(lines, Cents(100), 1) == FigureRow(
        "fold + flush", Fraction(3, 2), "win", Fraction(1), 1
    )


def test_sheet_is_compiled_once() -> None:
    sheet = stud(CMS)
    assert compile_game(sheet) is compile_game(sheet)
    assert compile_game(sheet) is compile_game(sheet.model_copy())
    calls: list[list[int]] = []

    @cache_by_identity
    def length(numbers: list[int]) -> int:
        calls.append(numbers)
        return len(numbers)

    lists = [[number] for number in range(200)]
    assert [length(numbers) for numbers in lists for _ in range(2)] == [1] * 400
    assert len(calls) == 200
