"""The mathematical report as a paper: per wager its outcomes, then play, caps, bounds and proof."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

from pitbook.game.description import Game
from pitbook.games import bind
from pitbook.money import dollars
from pitbook.papers.content import Block, Paper, Paragraph, Section, Table
from pitbook.papers.identity import identity
from pitbook.papers.numbers import count, decimal, odds_against, percent, points
from pitbook.papers.pay_tables import pay_said
from pitbook.papers.report.measured import Told, measured
from pitbook.papers.report.outcomes import JOINED, grouped, line_weights
from pitbook.papers.report.plays import strategy_blocks
from pitbook.papers.rules.paper import about
from pitbook.sheets.aloud.shoe import figured_shoe
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import PayTable, pays_of
from pitbook.wording import Sentence, say

__all__ = ["report"]

BOUNDS = tuple(10**power for power in range(3, 8))
LEVELS = (("95", 1.959964), ("99", 2.575829))
FIGURES = (
    *("expected", "edge", "risk", "average", "deviation"),
    *("variance", "skewness", "volatility", "hit", "push", "lose", "rounds"),
)


def report(sheet: Sheet, told: Told = lambda _: None) -> Paper:
    """The report on every wager of a sheet."""
    game, figures = bind(sheet), measured(sheet, told)
    sections = [
        _section("summary", _summary(game, figures)),
        *(_wager(game, figures, wager) for wager in figures["math"]["wagers"]),
        _section("strategy", strategy_blocks(sheet, figures["strategy"])),
        _section("simple", _simple(figures)),
        _section("under-caps", _under_caps(sheet, figures)),
        _section("decks", _decks(game, figures)),
        _section("sensitivity", _sensitivity(game, figures)),
        _section("bounds", _bounds(game, figures)),
        _section("confirmed", _confirmed(figures)),
        _section("method", _method(sheet)),
    ]
    made = tuple(one for one in sections if one.blocks)
    return Paper("report", say("papers.report.title"), about(game), identity(sheet), made)


def _section(key: str, blocks: Iterator[Block]) -> Section:
    return Section(say("papers.report.section", part=key), tuple(blocks), key)


def title_of(game: Game, wager: str) -> str:
    """What a wager is called in a report."""
    return say("papers.report.main") if wager == "main" else game.wager_title(wager)


def _heads(*columns: str) -> tuple[Sentence, ...]:
    return tuple(say("papers.report.head", column=one) for one in columns)


def _summary(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    rows = []
    for wager, one in figures["math"]["wagers"].items():
        edge = -Fraction(one["expected"])
        told = (percent(edge), percent(one["element_of_risk"]))
        spread = decimal(one["standard_deviation"], 4)
        rows.append((title_of(game, wager), str(edge), *told, spread, percent(one["win"])))
    head = _heads("wager", "fraction", "advantage", "risk", "deviation", "hit")
    yield Table(say("papers.report.summary"), head, tuple(rows), "llrrrr", "summary")


def _wager(game: Game, figures: dict[str, Any], wager: str) -> Section:
    one = figures["math"]["wagers"][wager]
    blocks = (_outcomes(game, one, wager), _figures(figures, wager))
    return Section(
        say("papers.report.wager", title=title_of(game, wager)), blocks, f"wager {wager}"
    )


def _outcomes(game: Game, one: dict[str, Any], wager: str) -> Table:
    """Hand, ways, probability, true odds, what it pays, and what that returns."""
    pays = pays_of(game.sheet, wager)
    rows = [
        (
            group.title,
            count(group.count),
            decimal(group.probability, 8),
            odds_against(group.probability),
            _paid(pays, group.outcome, lost=group.lost),
            decimal(group.returned),
        )
        for group in grouped(one)
    ]
    whole = decimal(Fraction(one["expected"]))
    rows.append((say("papers.report.whole"), count(one["rounds"]), decimal(1, 8), "", "", whole))
    head = _heads("hand", "ways", "probability", "true-odds", "pays", "return")
    name = say("papers.report.outcomes")
    return Table(name, head, tuple(rows), "lrrrrr", f"outcomes {wager}", strong=(len(rows) - 1,))


def _paid(pays: PayTable, outcome: str, *, lost: bool) -> str:
    """What the line of an outcome pays, where it is one of several wagers' too."""
    lines = [one for one in outcome.split(JOINED) if one in pays]
    return pay_said(pays[lines[0]]) if lines and not lost else ""


def _figures(figures: dict[str, Any], wager: str) -> Table:
    one = figures["math"]["wagers"][wager]
    expected = Fraction(one["expected"])
    shown = {
        "expected": str(expected),
        "edge": percent(-expected),
        "risk": percent(one["element_of_risk"]),
        "average": f"{one['average_wager']} = {decimal(Fraction(one['average_wager']), 4)}",
        "deviation": decimal(one["standard_deviation"]),
        "variance": decimal(Fraction(one["variance"]), 6),
        "skewness": decimal(figures["skewness"][wager], 4),
        "volatility": decimal(one["volatility_index"], 4),
        "hit": percent(one["hit_frequency"]),
        "push": percent(one["push"]),
        "lose": percent(one["lose"]),
        "rounds": count(one["rounds"]),
    }
    rows = tuple((say("papers.report.figure", figure=name), shown[name]) for name in FIGURES)
    return Table(say("papers.report.figures"), ("", ""), rows, "lr", f"figures {wager}")


def _simple(figures: dict[str, Any]) -> Iterator[Block]:
    best = Fraction(figures["math"]["wagers"]["main"]["expected"])
    rows = [
        (
            say("papers.report.strategy", name=name),
            decimal(Fraction(cost)),
            percent(Fraction(cost) - best),
        )
        for name, cost in figures["simpler"].items()
    ]
    if rows:
        rows.insert(0, (say("papers.report.strategy", name="best"), decimal(0), percent(-best)))
        head = _heads("strategy", "cost", "advantage")
        yield Table(say("papers.report.costs"), head, tuple(rows), "lrr", "simple")


def _under_caps(sheet: Sheet, figures: dict[str, Any]) -> Iterator[Block]:
    rows = [
        (say("papers.money", amount=dollars(one["ante"])), percent(Fraction(one["edge"])))
        for one in figures["by_ante"]
    ]
    if rows:
        head = (sheet.main_wager.title, *_heads("advantage"))
        yield Table(say("papers.report.by-ante"), head, tuple(rows), "lr", "by ante")
    seats = [
        (str(one["seats"]), percent(one["edge"]), f"± {percent(LEVELS[0][1] * one['error'])}")
        for one in figures["by_seats"]
    ]
    if seats:
        one = figures["by_seats"][0]
        told = {"rounds": one["rounds"], "seed": one["seed"], "ante": dollars(one["ante"])}
        head = _heads("seats", "advantage", "interval")
        name, notes = say("papers.report.by-seats"), say("papers.report.played", **told)
        yield Table(name, head, tuple(seats), "lrr", "by seats", about=notes)


def _decks(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    if not figures["by_decks"]:
        return
    wagers = list(figures["math"]["wagers"])
    rows = tuple(
        (str(one["decks"]), *(percent(Fraction(one["edges"][name])) for name in wagers))
        for one in figures["by_decks"]
    )
    head = (*_heads("decks"), *(title_of(game, name) for name in wagers))
    yield Table(say("papers.report.by-decks"), head, rows, "l" + "r" * len(wagers), "by decks")


def _sensitivity(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    for wager, one in figures["math"]["wagers"].items():
        rows = tuple(
            (line.title, pay_said(line.pay), points(-line.weight))
            for line in line_weights(game.sheet, wager, one)
        )
        if rows:
            head = _heads("hand", "pays", "one-more")
            yield Table(title_of(game, wager), head, rows, "lrr", f"sensitivity {wager}")


def _bounds(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    for wager, one in figures["math"]["wagers"].items():
        edge, spread = -Fraction(one["expected"]), one["standard_deviation"]
        rows = tuple(
            (count(rounds), *(_between(edge, z * spread / sqrt(rounds)) for _, z in LEVELS))
            for rounds in BOUNDS
        )
        levels = tuple(say("papers.report.level", level=level) for level, _ in LEVELS)
        head = (*_heads("rounds"), *levels)
        yield Table(title_of(game, wager), head, rows, "lrr", f"bounds {wager}")


def _between(edge: Fraction, half: float) -> Sentence:
    return say("papers.report.between", low=percent(edge - half), high=percent(edge + half))


def _confirmed(figures: dict[str, Any]) -> Iterator[Block]:
    one = figures["confirmed"]
    if one is None or "exact" not in one:
        yield Paragraph(say("papers.report.not-confirmed"), "confirmed")
        return
    told = {"rounds": one["rounds"], "seed": one["seed"], "ante": dollars(one["ante"])}
    side = tuple(say("papers.money", amount=dollars(stake)) for stake in one["side"].values())
    yield Paragraph(say("papers.report.confirmed", **told, sides=len(side), side=side), "confirmed")
    shown = (percent(one["exact"]), percent(one["edge"]))
    rows = ((*shown, f"± {percent(LEVELS[0][1] * one['error'])}", str(one["judgements"])),)
    head = _heads("exact", "simulated", "interval", "judgements")
    yield Table(say("papers.report.confirmation"), head, rows, "rrrr", "confirmation")
    yield Paragraph(say("papers.report.verdict", agrees=one["agrees"]), "verdict")


def _method(sheet: Sheet) -> Iterator[Block]:
    unit = sheet.main_wager.title
    ties = say("papers.report.ties", ties=sheet.best_play.ties.value)
    clause = (sheet.best_play.ties.clause,)
    yield Paragraph(say("papers.report.method.exact"), "method exact")
    yield Paragraph(say("papers.report.method.unit", unit=unit), "method unit")
    yield Paragraph(say("papers.report.method.ties", ties=ties), "method ties", clause)
    yield Paragraph(say("papers.report.method.caps"), "method caps")
    yield Paragraph(say("papers.report.method.sensitivity"), "method sensitivity")
    yield Paragraph(say("papers.report.method.bounds"), "method bounds")
    if shoe := figured_shoe(sheet):
        yield Paragraph(shoe, "method shoe")
