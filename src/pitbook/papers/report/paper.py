"""The mathematical report as a paper: per wager its outcomes, then play, caps, bounds and proof."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

from pitbook.money import dollars
from pitbook.papers.content import Block, Paper, Paragraph, Section, Table
from pitbook.papers.identity import identity
from pitbook.papers.numbers import count, decimal, odds_against, percent
from pitbook.papers.pay_tables import pay_said, pay_tables_of
from pitbook.papers.report.measured import HearStep, measured
from pitbook.papers.report.outcomes import JOINED, grouped
from pitbook.papers.report.plays import report_blocks
from pitbook.papers.report.what_if import (
    LEVELS,
    by_the_ante,
    decks,
    heads,
    limits_bite,
    lines,
    players,
    seats,
    simple,
    title_of,
)
from pitbook.papers.rules.paper import about
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.aloud import sayings
from pitbook.sheets.aloud.shoe import figured_shoe
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import PayTable, pays_of
from pitbook.text import Sentence, say

BOUNDS = tuple(10**power for power in range(3, 8))
FIGURES = (
    *("expected", "edge", "risk", "average", "deviation"),
    *("variance", "skewness", "volatility", "hit", "push", "lose", "rounds"),
)


def report(sheet: Sheet, told: HearStep = lambda _: None) -> Paper:
    """The report on every wager of a sheet."""
    game, figures = compile_game(sheet), measured(sheet, told)
    sections = [
        _section("summary", _summary(game, figures)),
        *(_wager(game, figures, wager) for wager in figures["math"]["wagers"]),
        _section("strategy", report_blocks(sheet, figures["strategy"], figures["card"])),
        _section("simple", simple(figures)),
        _section("under-caps", by_the_ante(sheet, figures)),
        _section("seats", seats(game, figures)),
        _section("decks", decks(game, figures)),
        _section("sensitivity", lines(game, figures)),
        _section("bounds", _bounds(game, figures)),
        _section("confirmed", _confirmed(game, figures)),
        _section("method", _method(sheet)),
    ]
    made = tuple(one for one in sections if one.blocks)
    return Paper("report", say("papers.report.title"), about(game), identity(sheet, "report"), made)


def _section(key: str, blocks: Iterator[Block]) -> Section:
    return Section(say("papers.report.section", part=key), tuple(blocks), key)


def _summary(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    rows = []
    for wager, one in figures["math"]["wagers"].items():
        edge = -Fraction(one["expected"])
        told = (percent(edge), percent(one["element_of_risk"]))
        spread = decimal(one["standard_deviation"], 4)
        rows.append((title_of(game, wager), str(edge), *told, spread, percent(one["win"])))
    head = heads("wager", "fraction", "advantage", "risk", "deviation", "hit")
    about = say("papers.report.summary-about", capped=limits_bite(figures))
    title = say("papers.report.summary")
    yield Table(title, head, tuple(rows), "llrrrr", "summary", about=about)
    yield from players(figures)


def _wager(game: Game, figures: dict[str, Any], wager: str) -> Section:
    one = figures["math"]["wagers"][wager]
    blocks = (_outcomes(game, one, wager), _figures(game, figures, wager))
    told = {"main": wager == "main", "title": title_of(game, wager)}
    return Section(say("papers.report.wager", **told), blocks, f"wager {wager}")


def _outcomes(game: Game, one: dict[str, Any], wager: str) -> Table:
    """Hand, ways, probability, true odds, what it pays, and what that returns."""
    pays = pays_of(game.sheet, wager)
    rows = [
        (
            group.title,
            count(group.count),
            decimal(group.probability, 8),
            odds_against(group.probability),
            _paid(pays, group.outcome) if group.paid else "",
            decimal(group.average, 4),
            decimal(group.returned),
        )
        for group in grouped(one, against=_against_a_dealer(game) and wager == "main")
    ]
    whole = decimal(Fraction(one["expected"]))
    rows.append(
        (say("papers.report.whole"), count(one["rounds"]), decimal(1, 8), "", "", "", whole)
    )
    head = heads("hand", "ways", "probability", "true-odds", "pays", "average", "return")
    name, about, last = say("papers.report.outcomes"), _about(game, wager), len(rows) - 1
    key = f"outcomes {wager}"
    return Table(name, head, tuple(rows), "lrrrrrr", key, about=about, strong=(last,))


def _against_a_dealer(game: Game) -> bool:
    return any(place.id == "dealer" for place in game.places)


def _about(game: Game, wager: str) -> str:
    """Whose pay table the main game shows where it has other wagers beside it."""
    beside = any(one.key.endswith(".settles") for one in sayings(game.sheet))
    if wager != "main" or not beside:
        return ""
    return say("papers.report.outcomes-about", title=pay_tables_of(game.sheet).tables[0].title)


def _paid(pays: PayTable, outcome: str) -> str:
    """What the line of an outcome pays, where it is one of several wagers' too."""
    lines = [one for one in outcome.split(JOINED) if one in pays]
    return pay_said(pays[lines[0]]) if lines else ""


def _figures(game: Game, figures: dict[str, Any], wager: str) -> Table:
    one = figures["math"]["wagers"][wager]
    expected = Fraction(one["expected"])
    shown = {
        "expected": str(expected),
        "edge": percent(-expected),
        "risk": percent(one["element_of_risk"]),
        "average": _average(Fraction(one["average_wager"])),
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
    title = say("papers.report.figures", unit=_unit(game, wager))
    return Table(title, ("", ""), rows, "lr", f"figures {wager}")


def _unit(game: Game, wager: str) -> str:
    """The wager that figures are in units of."""
    return game.sheet.main_wager.title if wager == "main" else title_of(game, wager)


def _average(wagered: Fraction) -> str:
    if wagered.denominator == 1:
        return str(wagered)
    return f"{wagered} = {decimal(wagered, 4)}"


def _bounds(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    for wager, one in figures["math"]["wagers"].items():
        edge, spread = -Fraction(one["expected"]), one["standard_deviation"]
        rows = tuple(
            (count(rounds), *(_between(edge, z * spread / sqrt(rounds)) for _, z in LEVELS))
            for rounds in BOUNDS
        )
        levels = tuple(say("papers.report.level", level=level) for level, _ in LEVELS)
        head = (*heads("rounds"), *levels)
        yield Table(title_of(game, wager), head, rows, "lrr", f"bounds {wager}")


def _between(edge: Fraction, half: float) -> Sentence:
    return say("papers.report.between", low=percent(edge - half), high=percent(edge + half))


def _confirmed(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    """What was played, each wager beside its exact figure, and the verdict over every count."""
    one = figures["confirmed"]
    stakes = {"main": one["ante"], **one["side"]}
    told = {"rounds": one["rounds"], "seed": one["seed"], "wagers": len(stakes)}
    yield Paragraph(say("papers.report.confirmed", **told), "confirmed")
    rows = tuple(
        (
            title_of(game, wager),
            say("papers.money", amount=dollars(stakes[wager])),
            percent(played["exact"]),
            percent(played["edge"]),
            f"± {percent(LEVELS[0][1] * played['error'])}",
        )
        for wager, played in one["wagers"].items()
    )
    head = heads("wager", "stake", "exact", "simulated", "interval")
    yield Table(say("papers.report.confirmation"), head, rows, "lrrrr", "confirmation")
    verdict = say("papers.report.verdict", agrees=one["agrees"], judgements=one["judgements"])
    yield Paragraph(verdict, "verdict")


def _method(sheet: Sheet) -> Iterator[Block]:
    unit = sheet.main_wager.title
    ties = say("papers.report.ties", ties=sheet.best_play.ties.value)
    clause = (sheet.best_play.ties.clause,)
    yield Paragraph(say("papers.report.method.exact"), "method exact")
    yield Paragraph(say("papers.report.method.unit", unit=unit), "method unit")
    for name in ("edge", "risk", "odds", "spread"):
        yield Paragraph(say("papers.report.method.word", word=name), f"method {name}")
    yield Paragraph(say("papers.report.method.ties", ties=ties), "method ties", clause)
    yield Paragraph(say("papers.report.method.sensitivity"), "method sensitivity")
    yield Paragraph(say("papers.report.method.bounds"), "method bounds")
    if shoe := figured_shoe(sheet):
        yield Paragraph(shoe, "method shoe")
