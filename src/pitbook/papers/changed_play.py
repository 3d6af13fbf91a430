"""What changes in best play from one sheet to another: decision by decision, hand by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from pitbook.papers.content import Paragraph
from pitbook.papers.numbers import percent
from pitbook.papers.plays import line_said, play_title
from pitbook.papers.strategies import EITHER
from pitbook.text import Sentence, capital, say

CELLS = 24  # Changed squares that are named one by one.
LINES = 12  # And so many lines of hands, before and after.

Json = dict[str, Any]
DecisionPart = tuple[
    str, int
]  # What the old sheet calls a decision, and how many units are at stake.


def changed_play(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Paragraph]:
    """Every decision of the best strategy that is played otherwise; else that none is."""
    old, new = _decisions(a), _decisions(b)
    before, after = _parts(old, {}), _parts(new, _counterparts(_titles(new), _titles(old)))
    found = {key: _told(before.get(key), after.get(key)) for key in (*before, *after)}
    for key, text in found.items():
        if text is not None:
            yield Paragraph(text, f"strategy {key}")
    if not any(found.values()):
        sure = not any(_hides(one) for one in after.values())
        yield Paragraph(say("papers.redline.same-play", sure=sure), "strategy none")


def _decisions(figures: Mapping[str, Any]) -> list[Json]:
    last = [one for one in figures["card"]["parts"] if one["kind"] == "last"]
    return [*figures["strategy"], *last]


def _titles(parts: list[Json]) -> list[str]:
    return list(dict.fromkeys(one["title"] for one in parts))


def _counterparts(new: list[str], old: list[str]) -> dict[str, str]:
    """Decisions of one name are the same; another house may call the rest otherwise, in order."""
    rest = ([one for one in these if one not in those] for these, those in ((new, old), (old, new)))
    return dict(zip(*rest, strict=False))


def _parts(parts: list[Json], called: Mapping[str, str]) -> dict[DecisionPart, Json]:
    return {(called.get(one["title"], one["title"]), one.get("units", 0)): one for one in parts}


def _hides(part: Json) -> bool:
    """Whether some hands are played in several ways that no line tells apart."""
    if part["kind"] != "runs":
        return False
    return any(EITHER in play for _, _, plays, _ in part["rows"] for play in plays)


def _told(old: Json | None, new: Json | None) -> Sentence | None:
    """What changes at a decision; None where nothing does."""
    part = new or old
    assert part is not None
    units = part.get("units", 0)
    plain = say("papers.plays.street", title=part["title"], units=units) if units else part["title"]
    title = capital(plain)
    if old is None or new is None:
        how = "taken-out" if new is None else "put-in"
        return say("papers.redline.part", title=title, how=how)
    if old["kind"] != new["kind"] or old["kind"] in ("runs", "tests"):
        return _lines(old, new, title)
    if old["kind"] == "last":
        return _folds(old, new, title)
    return _cells(old, new, title)


def _folds(old: Json, new: Json, title: str) -> Sentence | None:
    if old["folds"] == new["folds"]:
        return None
    a, b = (percent(Fraction(one["folds"])) for one in (old, new))
    return say("papers.redline.folds", title=title, a=a, b=b)


def _lines(old: Json, new: Json, title: str) -> Sentence | None:
    """Lines of hands that only one of the two has."""
    before, after = list(_said(old)), list(_said(new))
    gone = [one for one in before if one not in after]
    come = [one for one in after if one not in before]
    if not gone and not come:
        return None
    return say(
        "papers.redline.lines",
        title=title,
        old=tuple(gone[:LINES]),
        old_more=len(gone[LINES:]),
        new=tuple(come[:LINES]),
        new_more=len(come[LINES:]),
        gone=len(gone),
        come=len(come),
    )


def _said(part: Json) -> Iterator[str]:
    if part["kind"] == "runs":
        yield from map(line_said, part["rows"])
        return
    for hand, play in _squares(part).items():
        yield say("papers.redline.square", hand=hand, play=play)


def _cells(old: Json, new: Json, title: str) -> Sentence | None:
    """Hands that are met in both and played otherwise; what is not met any more is no change."""
    before, after = _squares(old), _squares(new)
    found = [
        say("papers.redline.cell", hand=hand, a=was, b=after[hand])
        for hand, was in before.items()
        if hand in after and was != after[hand]
    ]
    if not found:
        return None
    shown = tuple(found[:CELLS])
    more = len(found) - len(shown)
    told = {"title": title, "count": len(found), "cells": shown}
    return say("papers.redline.cells", **told, more=more)


def _squares(part: Json) -> dict[str, str]:
    """What is done with which hand."""
    if part["kind"] == "grid":
        return dict(_starting(part))
    if part["kind"] == "street":
        made = part["made"].items()
        own = {hand: play_title(play) for play, hands in made for hand in hands}
        return own | dict(_loose(part))
    if part["kind"] == "points":
        return dict(_points(part))
    return {}


def _starting(part: Json) -> Iterator[tuple[str, str]]:
    """Two cards as players write them: AKs of one suit, AKo of two."""
    heads = part["head"]
    for row, cells in part["rows"]:
        for column, cell in zip(heads, cells, strict=True):
            above = heads.index(row) < heads.index(column)
            hand = row + column + "s" if above else column + row + "o" * (row != column)
            yield hand, _play(part, cell[0])


def _loose(part: Json) -> Iterator[tuple[str, str]]:
    """Hands without a pair: what they are made of, and what they may still become."""
    for row, cells in part["rows"]:
        for (suited, straights), cell in zip(part["head"], cells, strict=True):
            if cell[0]:
                told = {"mix": row, "suited": suited, "straights": straights}
                yield say("papers.redline.loose", **told), _play(part, cell[0])


def _play(part: Json, short: str) -> str:
    """The plays that a square's letters stand for."""
    known = {letter: play_title(play) for letter, play, _ in part["plays"]}
    plays = tuple(known.get(one, one) for one in short.split("/"))
    return say("papers.plays.either", plays=plays)


def _points(part: Json) -> Iterator[tuple[str, str]]:
    """Every total by itself: ranges of another sheet may have other ends."""
    for row in part["rows"]:
        plays = say("papers.plays.either", plays=tuple(map(play_title, row["plays"])))
        low, high = row["low"], row["high"]
        for points in range(low[0], low[1] + 1):
            told = {"low": points, "high": points - low[0] + high[0], "two": low != high}
            yield say("papers.plays.points", **told), plays
