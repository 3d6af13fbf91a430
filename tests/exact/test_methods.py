"""Which method works a game out is a question to its structure; outcomes go by wager."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from fractions import Fraction

import pytest
from tests.exact.kit import four_cards, unusual_stud
from tests.rules.rounds.toys import TOYS, Toy
from tests.sheets.samples import CMS, LAS, MHL, OMS, hi_lo, stud

from pitbook.exact.compare import edge_of, exchange_pays
from pitbook.exact.figures import FigureRow, figures_from_rows, main_row, round_row
from pitbook.exact.games import cache_by_identity, cached_game, exact_ante, exact_stake
from pitbook.exact.methods.choose import METHODS, choose_method, method_for
from pitbook.exact.methods.ladder.structure import ladder_of
from pitbook.exact.methods.points.structure import as_points_game
from pitbook.money import Cents, Odds
from pitbook.rules.game import Game, When, compile_game
from pitbook.rules.plays import FOLD, Need, Play, bets
from pitbook.rules.pricing import KindPay, Other, pay_by_kind
from pitbook.rules.settlement import Line
from pitbook.sheets.model import Sheet

NAMES = {
    CMS: lambda: stud(CMS),
    OMS: lambda: stud(OMS),
    LAS: lambda: stud(LAS),
    "bets-withdrawn": lambda: unusual_stud("bets-withdrawn"),
    "three-hole-cards": lambda: unusual_stud("three-hole-cards"),
}


def changed(game: Game, **fields: object) -> Game:
    other = copy(game)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


@pytest.mark.parametrize("name", NAMES)
def test_own_cards_and_a_board_by_kind_are_a_ladder(name: str) -> None:
    sheet = NAMES[name]()
    game, method = choose_method(sheet)
    ladder = ladder_of(game)
    assert method.name == "ladder"
    assert ladder is not None
    assert ladder.own == sheet.deal.hole.value
    assert ladder.reveals == tuple(street.reveals.value for street in sheet.streets)
    assert ladder.seen[0] == ladder.own
    assert ladder.own + sum(ladder.reveals) == 5


@pytest.mark.parametrize("sheet", [hi_lo(MHL), four_cards()], ids=["matchem", "four cards"])
def test_two_duels_by_points_are_points(sheet: Sheet) -> None:
    game, method = choose_method(sheet)
    form = as_points_game(game)
    assert method.name == "points"
    assert form is not None
    assert (form.shape.player, form.shape.dealer) == (sheet.hand_cards, sheet.board_cards)
    assert [duel.low for duel in form.duels] == [True, False]


@pytest.mark.parametrize("toy", TOYS.values(), ids=list(TOYS))
def test_whatever_else_there_is_is_gone_through_card_by_card(toy: Callable[[], Toy]) -> None:
    assert method_for(toy()).name == "plain"
    assert [method.name for method in METHODS] == ["ladder", "points", "pairs", "boards", "plain"]


def bent() -> dict[str, Game]:
    """A ladder with one thing changed that it cannot do."""
    game = compile_game(stud(CMS))
    first, *others = game.stages
    dear = Play("1x", puts=(("flop", 1),), needs=Need("hand", 3))
    elsewhere = (FOLD, bets("flop", 1), bets("turn", 2))
    whole, *parts = game.hands
    return {
        "a bet made along": changed(game, equals=("blind",)),
        "a stage passed over": changed(
            game, stages=(first, *(one._replace(once=True) for one in others))
        ),
        "a stage on an event": changed(
            game, stages=(first._replace(when=When("hand", frozenset({1}))), *others)
        ),
        "a play that needs a hand": changed(game, stages=(first._replace(plays=(dear,)), *others)),
        "a bet taken back": changed(
            game, stages=(first._replace(plays=(Play("pull", takes=("ante",)),)), *others)
        ),
        "bets on two wagers": changed(game, stages=(first._replace(plays=elsewhere), *others)),
        "a card dealt later": changed(
            game, places=(game.places[0], game.places[1]._replace(later=1))
        ),
        "a hand read otherwise": changed(game, hands=(whole._replace(ranking=Other("?")), *parts)),
    }


@pytest.mark.parametrize("what", bent())
def test_a_ladder_that_does_more_is_none(what: str) -> None:
    assert ladder_of(compile_game(stud(CMS))) is not None
    assert ladder_of(bent()[what]) is None


def test_points_that_do_more_are_none() -> None:
    game = compile_game(hi_lo(MHL))
    (stage,) = game.stages
    low, high = game.duels
    assert (
        as_points_game(changed(game, stages=(stage._replace(plays=(*stage.plays, FOLD)),))) is None
    )
    assert as_points_game(changed(game, duels=(low, high._replace(low=True)))) is None
    assert as_points_game(changed(game, duels=(low._replace(other="dealer-high"), high))) is None
    assert as_points_game(changed(game, stages=(stage, stage))) is None


@pytest.mark.parametrize("sheet", [stud(CMS), hi_lo(MHL)], ids=["ladder", "points"])
def test_a_game_tried_with_its_own_pays_is_worth_the_same(sheet: Sheet) -> None:
    game, method = choose_method(sheet)
    same = game.with_pays(exchange_pays(sheet, "main", ()))
    assert same is not None
    assert -method.expected(same, None) == edge_of(sheet, "main")
    richer = game.with_pays(tuple(_doubled(pay) for pay in pay_by_kind(sheet, "main")))
    assert richer is not None
    assert method.expected(richer, None) > method.expected(same, None)
    assert richer != game


def _doubled(pay: KindPay) -> KindPay:
    return pay if pay.odds is None else pay._replace(odds=Odds(2 * pay.odds.to, pay.odds.one))


def test_nothing_is_rounded_on_pays_that_are_tried() -> None:
    game = compile_game(stud(CMS))
    tried = game.with_pays(
        (KindPay("any", "win", Odds(6, 7)),) * len(pay_by_kind(game.sheet, "main"))
    )
    assert tried is not None
    assert exact_stake(game) == exact_ante(game.sheet)
    assert exact_stake(tried) % 7 == 0


def line(wager: str, stake: int, outcome: str, result: str, wins: int = 0) -> Line:
    return Line(wager, Cents(stake), outcome, result, None, Cents(wins), "")  # type: ignore[arg-type]


def test_wagers_that_end_alike_are_one_outcome() -> None:
    lines = [line("ante", 100, "pair", "win", 100), line("flop", 300, "pair", "win", 300)]
    assert main_row(lines, Cents(100), 7) == FigureRow("pair", 4, "win", Fraction(4), 7)


def test_wagers_that_end_otherwise_have_outcomes_of_their_own() -> None:
    """An ante won beside a raise that pushes is no win of two units."""
    lines = [line("ante", 100, "below", "win", 100), line("raise", 200, "below", "push")]
    row = main_row(lines, Cents(100), 7)
    assert (row.units, row.net, row.result, row.count) == (3, Fraction(1), "win", 7)
    assert [(one.wager, one.units, one.result, one.net) for one in row.wagers] == [
        ("ante", 1, "win", Fraction(1)),
        ("raise", 2, "push", Fraction(0)),
    ]
    assert sum(one.net for one in row.wagers) == row.net
    (told,) = figures_from_rows([row, row]).document()["outcomes"]
    assert told["count"] == 14
    assert [one["result"] for one in told["wagers"]] == ["win", "push"]
    alike = figures_from_rows([main_row(lines[:1], Cents(100), 1)]).document()["outcomes"][0]
    assert "wagers" not in alike


def test_a_round_is_told_by_all_its_outcomes() -> None:
    lines = [line("ante", 100, "fold", "lose"), line("bonus", 50, "flush", "win", 200)]
    assert round_row(lines, Cents(100), 1) == FigureRow(
        "fold + flush", Fraction(3, 2), "win", Fraction(1), 1
    )


def test_a_sheet_is_compiled_once() -> None:
    sheet = stud(CMS)
    assert cached_game(sheet) is cached_game(sheet)
    assert cached_game(sheet) is cached_game(sheet.model_copy())
    asked: list[list[int]] = []

    @cache_by_identity
    def length(of: list[int]) -> int:
        asked.append(of)
        return len(of)

    kept = [[number] for number in range(200)]
    assert [length(one) for one in kept for _ in range(2)] == [1] * 400
    assert len(asked) == 200
