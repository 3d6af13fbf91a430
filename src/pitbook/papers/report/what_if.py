"""Figures of a report that answer "what if": simpler play, antes, seats, decks, another pay."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pitbook.money import Odds, dollars
from pitbook.papers.content import Block, Paragraph, Table
from pitbook.papers.numbers import decimal, percent, points
from pitbook.papers.pay_tables import pay_said
from pitbook.papers.report.plays import play_title
from pitbook.rules.game import Game
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import pays_of
from pitbook.text import Sentence, capital, say

LEVELS = (("95", 1.959964), ("99", 2.575829))


def title_of(game: Game, wager: str) -> str:
    """What a wager is called in a report."""
    return say("papers.report.main") if wager == "main" else game.wager_title(wager)


def heads(*columns: str) -> tuple[Sentence, ...]:
    """The heads of a table by the names of its columns."""
    return tuple(say("papers.report.head", column=one) for one in columns)


def simple(figures: dict[str, Any]) -> Iterator[Block]:
    """What every simpler way to play costs."""
    best = Fraction(figures["math"]["wagers"]["main"]["expected"])
    rows = [
        (_strategy(name), decimal(Fraction(cost)), percent(Fraction(cost) - best))
        for name, cost in figures["simpler"].items()
    ]
    if rows:
        rows.insert(0, (_strategy("best"), decimal(0), percent(-best)))
        head = heads("strategy", "cost", "advantage")
        name, about = say("papers.report.costs"), say("papers.report.costs-about")
        yield Table(name, head, tuple(rows), "lrr", "simple", about=about)


def _strategy(name: str) -> str:
    """A strategy's name in words: "never-3x" is best play without 3x."""
    how, _, play = name.partition("-")
    return capital(say("papers.report.strategy", how=how, play=play_title(play) if play else ""))


def by_the_ante(sheet: Sheet, figures: dict[str, Any]) -> Iterator[Block]:
    """The edge at some antes with every cap."""
    rows = tuple(
        (say("papers.money", amount=dollars(one["ante"])), percent(Fraction(one["edge"])))
        for one in figures["by_ante"]
    )
    if len({one["edge"] for one in figures["by_ante"]}) == 1:
        told = {"unit": sheet.main_wager.title, "edge": rows[0][1]}
        yield Paragraph(say("papers.report.untouched", **told), "by ante")
    elif rows:
        head = (sheet.main_wager.title, *heads("advantage"))
        name, about = say("papers.report.by-ante"), say("papers.report.by-ante-about")
        yield Table(name, head, rows, "rr", "by ante", about=about)


def limits_bite(figures: dict[str, Any]) -> bool:
    """Whether limits on payouts change the main game's edge at some amount that is listed."""
    free = -Fraction(figures["math"]["wagers"]["main"]["expected"])
    return any(Fraction(one["edge"]) != free for one in figures["by_ante"])


def players(figures: dict[str, Any]) -> Iterator[Block]:
    """What a figure below zero means, where there is one."""
    if any(Fraction(one["expected"]) > 0 for one in figures["math"]["wagers"].values()):
        yield Paragraph(say("papers.report.players"), "players", kind="remark")


def seats(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    """What other seats change: by caps that are shared; else why they change nothing."""
    found = figures["by_seats"]
    if found:
        yield _by_seats(found)
    decides = any(len(stage.plays) > 1 for stage in game.stages)
    told = {"capped": bool(found), "open": game.places[0].open and decides}
    yield Paragraph(say("papers.report.seats", **told), "seats")
    most = game.sheet.seats.per_player.value
    if most > 1 and decides:
        yield Paragraph(say("papers.report.several", most=most), "several seats")


def _by_seats(found: list[dict[str, Any]]) -> Table:
    rows = tuple(
        (
            str(one["seats"]),
            percent(one["edge"]),
            say("papers.report.exactly")
            if "exact" in one
            else f"± {percent(LEVELS[0][1] * one['error'])}",
        )
        for one in found
    )
    run = next((one for one in found if "seed" in one), {"rounds": 0, "seed": 0})
    told = {"rounds": run["rounds"], "seed": run["seed"], "ante": dollars(found[0]["ante"])}
    name, about = say("papers.report.by-seats"), say("papers.report.played", **told)
    head = heads("seats", "advantage", "interval")
    return Table(name, head, rows, "rrr", "by seats", about=about)


def decks(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    """The edge of every wager with other numbers of decks."""
    if not figures["by_decks"]:
        return
    wagers = list(figures["math"]["wagers"])
    rows = tuple(
        (str(one["decks"]), *(percent(Fraction(one["edges"][name])) for name in wagers))
        for one in figures["by_decks"]
    )
    own = [one["decks"] for one in figures["by_decks"]].index(game.sheet.deck.decks)
    head, align = (*heads("decks"), *(title_of(game, name) for name in wagers)), "r" * len(wagers)
    title = say("papers.report.by-decks")
    yield Table(title, head, rows, "r" + align, "by decks", strong=(own,))


def lines(game: Game, figures: dict[str, Any]) -> Iterator[Block]:
    """What one to one more on each line changes, best play worked out anew."""
    for wager, changes in figures["sensitivity"].items():
        pays = pays_of(game.sheet, wager)
        rows = tuple(
            (capital(outcome(line)), _paid(pays[line]), points(Fraction(change)))
            for line, change in changes.items()
        )
        if rows:
            head = heads("hand", "pays", "one-more")
            yield Table(title_of(game, wager), head, rows, "lrr", f"sensitivity {wager}")


def _paid(pay: Any) -> str:
    assert isinstance(pay, Odds)
    return pay_said(pay)
