"""The redline of two sheets: every changed rule in words, and what the change is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from pitbook.exact.compare import WagerCompared, compare
from pitbook.money import odds
from pitbook.papers.citing import clause_at
from pitbook.papers.content import Block, Paper, Paragraph, Section, Table, plain
from pitbook.papers.identity import identity, version_of
from pitbook.papers.numbers import percent, points
from pitbook.papers.packet import PAPERS
from pitbook.papers.pay_tables import pay_said
from pitbook.papers.report.measured import Told, measured
from pitbook.papers.typeset import pages
from pitbook.sheets.aloud import Saying, capital, sayings
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.diff import PAPERS_ALONE, diff
from pitbook.sheets.digest import digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.wording import Sentence, say

__all__ = ["redline"]

CELLS = 24  # Changed squares that are named one by one.


def redline(a: Sheet, b: Sheet, told: Told = lambda _: None) -> Paper:
    """What changes from the first sheet to the second, for whoever approves the change."""
    told("mathematics")
    sections = [
        _section("sheets", _sheets(a, b)),
        _section("rules", _rules(a, b)),
        _section("paperwork", _paperwork(a, b)),
        _section("edge", _edges(a, b)),
        _section("strategy", _strategy(measured(a, told), measured(b, told))),
        _section("pages", _pages(a, b)),
    ]
    title = say("papers.redline.title")
    about = (say("papers.redline.about", a=_called(a), b=_called(b)),)
    return Paper("redline", title, about, identity(b), tuple(one for one in sections if one.blocks))


def _section(key: str, blocks: Iterator[Block]) -> Section:
    return Section(say("papers.redline.section", part=key), tuple(blocks), key)


def _called(sheet: Sheet) -> Sentence:
    return say("papers.redline.sheet", sheet=sheet.id, version=version_of(sheet))


def _sheets(a: Sheet, b: Sheet) -> Iterator[Block]:
    facts = (
        ("sheet", a.id, b.id),
        ("title", a.title, b.title),
        ("version", version_of(a), version_of(b)),
        ("rules", digest(a)[:12], digest(b)[:12]),
        ("paper", packet_digest(a)[:12], packet_digest(b)[:12]),
    )
    rows = tuple((say("papers.redline.fact", fact=name), *both) for name, *both in facts)
    yield Table("", _heads("what", "before", "after"), rows, "lll", "sheets")


def _heads(*columns: str) -> tuple[Sentence, ...]:
    return tuple(say("papers.redline.head", column=one) for one in columns)


def _rules(a: Sheet, b: Sheet) -> Iterator[Block]:
    found = diff(a, b)
    if not found:
        yield Paragraph(say("papers.redline.no-rules"), "rules none")
    for one in found:
        clauses = dict.fromkeys((clause_at(a, one.path), clause_at(b, one.path)))
        text = say("papers.sentence", text=capital(one.words).rstrip("."))
        key = ".".join(map(str, one.path))
        yield Paragraph(text, f"rule {key}", tuple(each for each in clauses if each))


def _paperwork(a: Sheet, b: Sheet) -> Iterator[Block]:
    """Procedures, notices and the filing, which no rule depends on."""
    before, after = _alone(a), _alone(b)
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key), after.get(key)
        if old and new and old.sentence == new.sentence:
            continue
        for name, one in (("taken-out", old), ("put-in", new)):
            if one is not None:
                words = say("papers.redline.labelled", label=one.label or "", text=one.short)
                text = say("papers.redline.alone", how=name, text=words)
                yield Paragraph(text, f"{name} {key}", one.clauses)


def _alone(sheet: Sheet) -> dict[str, Saying]:
    said = (one for one in sayings(sheet) if one.paths and one.paths[0])
    return {one.key: one for one in said if one.paths[0][0] in PAPERS_ALONE}


def _edges(a: Sheet, b: Sheet) -> Iterator[Block]:
    found = compare(a, b)
    rows = tuple(
        (_wager(a, b, one), _edge(one.a), _edge(one.b), _change(one.together)) for one in found
    )
    head = _heads("wager", "before", "after", "change")
    yield Table(say("papers.redline.edges"), head, rows, "lrrr", "edges")
    for one in found:
        if one.lines:
            yield _lines(a, b, one)


def _wager(a: Sheet, b: Sheet, one: WagerCompared) -> str:
    if one.wager == "main":
        return say("papers.report.main")
    return (a if one.wager in a.side else b).side[one.wager].title


def _edge(edge: Fraction | None) -> str:
    return say("papers.redline.not-offered") if edge is None else percent(edge)


def _change(change: Fraction | None) -> str:
    return "" if change is None else points(change)


def _lines(a: Sheet, b: Sheet, one: WagerCompared) -> Table:
    rows = [
        (
            capital(outcome(line.line)),
            _paid(line.a),
            _paid(line.b),
            percent(line.probability),
            points(line.edge),
        )
        for line in one.lines
    ]
    rows.append((say("papers.redline.together"), "", "", "", points(one.interplay)))
    if one.other_rules:
        rows.append((say("papers.redline.other-rules"), "", "", "", points(one.other_rules)))
    rows.append((say("papers.redline.whole"), "", "", "", _change(one.together)))
    head = _heads("hand", "before", "after", "often", "change")
    last = (len(rows) - 1,)
    title = _wager(a, b, one)
    return Table(title, head, tuple(rows), "lrrrr", f"lines {one.wager}", strong=last)


def _paid(pay: str | None) -> str:
    if pay is None:
        return say("words.loses")
    return pay_said("push" if pay == "push" else odds(pay))


def _strategy(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Block]:
    """Every part of the best strategy that differs, square by square where they are few."""
    before, after = (_parts(one["strategy"]) for one in (a, b))
    keys = dict.fromkeys((*before, *after))
    changed = [one for one in keys if _differ(before.get(one), after.get(one))]
    if not changed:
        yield Paragraph(say("papers.redline.same-play"), "strategy none")
    for key in changed:
        old, new = before.get(key), after.get(key)
        title = _title(new or old or {})
        if old is None or new is None:
            how = "taken-out" if new is None else "put-in"
            yield Paragraph(say("papers.redline.part", how=how, title=title), f"strategy {key}")
            continue
        cells = list(_cells(old, new))
        shown = tuple(say("papers.redline.cell", hand=h, a=x, b=y) for h, x, y in cells[:CELLS])
        told = {"title": title, "count": len(cells), "cells": shown}
        text = say("papers.redline.cells", **told, more=len(cells) - len(shown))
        yield Paragraph(text, f"strategy {key}")


Part = tuple[int, int]  # Which decision it is, and how many units are at stake.


def _parts(parts: list[dict[str, Any]]) -> dict[Part, dict[str, Any]]:
    """By the order of decisions, which another house may call otherwise."""
    titles = list(dict.fromkeys(one["title"] for one in parts))
    return {(titles.index(one["title"]), one.get("units", 1)): one for one in parts}


def _differ(old: dict[str, Any] | None, new: dict[str, Any] | None) -> bool:
    return old is None or new is None or any(_cells(old, new))


def _title(part: dict[str, Any]) -> str:
    return say("papers.plays.street", title=part["title"], units=part.get("units", 1))


def _cells(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Hands that are met in both and played otherwise; what is not met any more follows."""
    before, after = _squares(old), _squares(new)
    for hand, was in before.items():
        now = after.get(hand)
        if now is not None and was != now:
            yield hand, was, now


def _squares(part: dict[str, Any]) -> dict[str, str]:
    """What is done with which hand, in a few letters."""
    if part["kind"] == "grid":
        return dict(_starting(part))
    if part["kind"] == "street":
        heads = [f"{'s' if suited else ''}{straights}" for suited, straights in part["head"]]
        found = {
            f"{row} ({column})": cell[0]
            for row, cells in part["rows"]
            for column, cell in zip(heads, cells, strict=True)
            if cell[0]
        }
        return found | {hand: play for play, hands in part["made"].items() for hand in hands}
    if part["kind"] == "points":
        return {f"{one['low'][0]}-{one['low'][1]}": "/".join(one["plays"]) for one in part["rows"]}
    return {f"{first} - {last}": "/".join(plays) for first, last, plays in part["rows"]}


def _starting(part: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Two cards as players write them: AKs of one suit, AKo of two."""
    heads = part["head"]
    for row, cells in part["rows"]:
        for column, cell in zip(heads, cells, strict=True):
            above = heads.index(row) < heads.index(column)
            hand = row + column + "s" if above else column + row + "o" * (row != column)
            yield hand, cell[0]


def _pages(a: Sheet, b: Sheet) -> Iterator[Block]:
    """Which papers, and which sections and pages of the new ones, are to be replaced."""
    rows = []
    for make in PAPERS.values():
        old, new = make(a), make(b)
        before = {one.key: plain(one, "en") for one in old.sections}
        after = {one.key: plain(one, "en") for one in new.sections}
        changed = [key for key in after if before.get(key) != after[key]]
        if changed or set(before) - set(after):
            rows.append((new.title, *_places(new, changed)))
    if rows:
        yield Table("", _heads("paper", "sections", "pages"), tuple(rows), "lll", "pages")


def _places(paper: Paper, changed: list[str]) -> tuple[Sentence, Sentence]:
    keys = [one.key for one in paper.sections]
    numbers = tuple(str(keys.index(key) + 1) for key in changed) or ("-",)
    found = pages(paper)
    on = sorted({page for key in changed for page in found[key]})
    return (
        say("papers.redline.sections", numbers=numbers),
        say("papers.redline.sections", numbers=tuple(map(str, on)) or ("-",)),
    )
