"""Changes in best play between two sheets, by decision and by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pitbook.printing.content import Paragraph
from pitbook.printing.numbers import percent
from pitbook.printing.strategy_blocks import describe_line, play_title
from pitbook.printing.strategy_tables import EITHER
from pitbook.text import Sentence, capital, say

CELLS = 24  # At most this many changed squares are listed.
LINES = 12  # At most this many lines of hands are listed, before and after.

Json = dict[str, Any]
DecisionPart = tuple[str, int]  # The old sheet's title of a decision, and the units at stake.


def changed_play(old: Sequence[Json], new: Sequence[Json]) -> Iterator[Paragraph]:
    """One paragraph for each decision that is now played differently, or one that says none is."""
    before, after = (
        _parts(old, {}),
        _parts(new, _pair_renamed_decisions(_titles(new), _titles(old))),
    )
    changes = {key: _describe_change(before.get(key), after.get(key)) for key in (*before, *after)}
    for key, text in changes.items():
        if text is not None:
            yield Paragraph(text, f"strategy {key}")
    if not any(changes.values()):
        sure = not any(_hides_differences(part) for part in after.values())
        yield Paragraph(say("papers.redline.same-play", sure=sure), "strategy none")


def _titles(parts: Sequence[Json]) -> list[str]:
    return list(dict.fromkeys(part["title"] for part in parts))


def _pair_renamed_decisions(new: list[str], old: list[str]) -> dict[str, str]:
    """Pair titles found in only one sheet, in order: new title -> old title."""
    unmatched = (
        [title for title in titles if title not in others]
        for titles, others in ((new, old), (old, new))
    )
    return dict(zip(*unmatched, strict=False))


def _parts(parts: Sequence[Json], old_titles: Mapping[str, str]) -> dict[DecisionPart, Json]:
    return {
        (old_titles.get(part["title"], part["title"]), part.get("units", 0)): part for part in parts
    }


def _hides_differences(part: Json) -> bool:
    """Whether some hands are played in several ways that no line distinguishes."""
    if part["kind"] != "runs":
        return False
    return any(EITHER in play for _, _, plays, _ in part["rows"] for play in plays)


def _describe_change(old: Json | None, new: Json | None) -> Sentence | None:
    """The change in one decision; None if there is none."""
    part = new or old
    assert part is not None
    units = part.get("units", 0)
    plain = say("papers.plays.street", title=part["title"], units=units) if units else part["title"]
    title = capital(plain)
    if old is None or new is None:
        change = "taken-out" if new is None else "put-in"
        return say("papers.redline.part", title=title, how=change)
    if old["kind"] != new["kind"] or old["kind"] in ("runs", "tests"):
        return _lines(old, new, title)
    if old["kind"] == "last":
        return _fold_rates(old, new, title)
    return _cells(old, new, title)


def _fold_rates(old: Json, new: Json, title: str) -> Sentence | None:
    if old["folds"] == new["folds"]:
        return None
    a, b = (percent(part["folds"]) for part in (old, new))
    return say("papers.redline.folds", title=title, a=a, b=b)


def _lines(old: Json, new: Json, title: str) -> Sentence | None:
    """Lines of hands that only one of the two sheets has."""
    before, after = list(_describe_lines(old)), list(_describe_lines(new))
    removed = [line for line in before if line not in after]
    added = [line for line in after if line not in before]
    if not removed and not added:
        return None
    return say(
        "papers.redline.lines",
        title=title,
        old=tuple(removed[:LINES]),
        old_more=len(removed[LINES:]),
        new=tuple(added[:LINES]),
        new_more=len(added[LINES:]),
        gone=len(removed),
        come=len(added),
    )


def _describe_lines(part: Json) -> Iterator[str]:
    if part["kind"] == "runs":
        yield from map(describe_line, part["rows"])
        return
    for hand, play in _grid_plays(part).items():
        yield say("papers.redline.square", hand=hand, play=play)


def _cells(old: Json, new: Json, title: str) -> Sentence | None:
    """Hands that both sheets have and play differently."""
    before, after = _grid_plays(old), _grid_plays(new)
    changes = [
        say("papers.redline.cell", hand=hand, a=play, b=after[hand])
        for hand, play in before.items()
        if hand in after and play != after[hand]
    ]
    if not changes:
        return None
    shown_changes = tuple(changes[:CELLS])
    unlisted = len(changes) - len(shown_changes)
    fields = {"title": title, "count": len(changes), "cells": shown_changes}
    return say("papers.redline.cells", **fields, more=unlisted)


def _grid_plays(part: Json) -> dict[str, str]:
    """The play for each hand."""
    if part["kind"] == "grid":
        return dict(_starting_hands(part))
    if part["kind"] == "street":
        groups = part["made"].items()
        made_hands = {hand: play_title(play) for play, hands in groups for hand in hands}
        return made_hands | dict(_unpaired_hands(part))
    if part["kind"] == "points":
        return dict(_point_totals(part))
    return {}


def _starting_hands(part: Json) -> Iterator[tuple[str, str]]:
    """Starting hands as players write them: AKs suited, AKo offsuit."""
    heads = part["head"]
    for row, cells in part["rows"]:
        for column, cell in zip(heads, cells, strict=True):
            above = heads.index(row) < heads.index(column)
            hand = row + column + "s" if above else column + row + "o" * (row != column)
            yield hand, _play(part, cell[0])


def _unpaired_hands(part: Json) -> Iterator[tuple[str, str]]:
    """Hands without a pair, by their ranks and the draws they have."""
    for row, cells in part["rows"]:
        for (suited, straights), cell in zip(part["head"], cells, strict=True):
            if cell[0]:
                fields = {"mix": row, "suited": suited, "straights": straights}
                yield say("papers.redline.loose", **fields), _play(part, cell[0])


def _play(part: Json, short: str) -> str:
    """The plays that a square's letters stand for."""
    titles = {letter: play_title(play) for letter, play, _ in part["plays"]}
    plays = tuple(titles.get(letter, letter) for letter in short.split("/"))
    return say("papers.plays.either", plays=plays)


def _point_totals(part: Json) -> Iterator[tuple[str, str]]:
    """Each total separately: ranges of the other sheet may end elsewhere."""
    for row in part["rows"]:
        plays = say("papers.plays.either", plays=tuple(map(play_title, row["plays"])))
        low, high = row["low"], row["high"]
        for points in range(low[0], low[1] + 1):
            fields = {"low": points, "high": points - low[0] + high[0], "two": low != high}
            yield say("papers.plays.points", **fields), plays
