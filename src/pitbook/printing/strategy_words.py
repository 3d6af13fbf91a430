"""Best play on streets in words: "3x with any pair", points for ranks, possible straights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from pitbook.cards import RANKS
from pitbook.exact.methods.ladder.strategies import RankGroup, rank_groups
from pitbook.hands.kinds import RANK_NAMES
from pitbook.printing.content import Block, Paragraph, Table
from pitbook.printing.strategy_blocks import hand_text, play_title
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, capital, say

Json = dict[str, Any]
EXCEPTIONS_MAX = 6  # Hands that a card lists beside a rule.


def first_decision(sheet: Sheet, part: Json, *, straights: bool = False) -> Iterator[Block]:
    """A grid of starting hands as rules in words; nothing if no short rules say the same.

    The note on points explains possible straights if later decisions count them.
    """
    groups = rank_groups(sheet)
    points = {
        rank: _points(groups, index) for index, group in enumerate(groups) for rank in group.ranks
    }
    plays = [short for short, _, _ in part["plays"]]  # The largest bet first.
    strengths: dict[tuple[int, int, bool], int] = {}
    for row, (_, cells) in enumerate(part["rows"]):
        for column, (short, _) in enumerate(cells):
            high, low = sorted((len(RANKS) - 1 - row, len(RANKS) - 1 - column), reverse=True)
            if short not in plays:
                return
            strengths[high, low, row < column] = len(plays) - plays.index(short)
    rows = []
    for index, (_, play, tone) in enumerate(part["plays"]):
        if tone == "fold":
            break
        hands = _hands_of(strengths, points, len(plays) - index)
        if hands is None:
            return
        if hands:
            rows.append((play_title(play), say("papers.plays.hands", hands=tuple(hands))))
    yield _rules_table(part, rows, "grid")
    yield points_note(groups, straights=straights)


def _hands_of(
    strengths: dict[tuple[int, int, bool], int], points: dict[int, int], strength: int
) -> list[str] | None:
    """The hands for which exactly this play is best; None if there are too many to list."""
    pairs = {
        high
        for (high, low, _), hand_strength in strengths.items()
        if high == low and hand_strength == strength
    }
    hands: list[str] = []
    if len(pairs) == len(RANKS):
        hands.append(say("papers.wallet.any-pair"))
    else:
        hands += [say("papers.wallet.pair", rank=RANK_NAMES[rank]) for rank in sorted(pairs)[::-1]]
    unpaired = {
        hand: hand_strength for hand, hand_strength in strengths.items() if hand[0] != hand[1]
    }
    totals = {hand: points[hand[0]] + points[hand[1]] for hand in unpaired}
    least = (
        max(
            (totals[hand] for hand, hand_strength in unpaired.items() if hand_strength < strength),
            default=-1,
        )
        + 1
    )
    if any(total >= least for total in totals.values()) and any(
        hand_strength == strength
        for hand, hand_strength in unpaired.items()
        if totals[hand] >= least
    ):
        hands.append(say("papers.wallet.draw", suited=False, points=least, straights=0))
    others = [
        hand
        for hand, hand_strength in unpaired.items()
        if hand_strength == strength and totals[hand] < least
    ]
    if len(others) > EXCEPTIONS_MAX:
        return None
    hands += [hand_text(_name(*hand)) for hand in others]
    return hands


def _name(high: int, low: int, suited: bool) -> str:
    return f"{RANK_NAMES[high]} {RANK_NAMES[low]}{' suited' if suited else ''}"


def later_decision(sheet: Sheet, part: Json, key: str) -> Table | None:
    """A later street as rules in words; None if no short rules say the same."""
    groups = rank_groups(sheet)
    totals = [_total(name, groups) for name, _ in part["rows"]]
    if None in totals:
        return None
    plays = [short for short, _, _ in part["plays"]]
    rows = []
    for index, (_, play, tone) in enumerate(part["plays"]):
        if tone == "fold":
            continue
        draws: list[Sentence] = []
        for suited in (True, False):
            columns = [
                (straights, _cells(part, column, totals, plays))
                for column, (is_suited, straights) in enumerate(part["head"])
                if bool(is_suited) == suited
            ]
            draw_rules = _draws(columns, suited=suited, strength=len(plays) - index)
            if draw_rules is None:
                return None
            draws += draw_rules
        hands = (*part["made"].get(play, ()), *draws)
        if hands:
            rows.append((play_title(play), say("papers.plays.hands", hands=hands)))
    extra = [play for play in part["made"] if play not in {play for _, play, _ in part["plays"]}]
    for play in extra:
        hands = tuple(part["made"][play])
        rows.insert(0, (play_title(play), say("papers.plays.hands", hands=hands)))
    return _rules_table(part, rows, key)


Column = tuple[int, list[tuple[int, int]]]  # Possible straights; points and strength of each row.


def _cells(
    part: Json, column: int, totals: Sequence[Any], plays: list[str]
) -> list[tuple[int, int]]:
    """Points and strength of play of each row; a cell of several plays has strength 0."""
    return [
        (total, len(plays) - plays.index(cells[column][0]) if cells[column][0] in plays else 0)
        for total, (_, cells) in zip(totals, part["rows"], strict=True)
        if cells[column][0]
    ]


def _draws(columns: list[Column], *, suited: bool, strength: int) -> list[Sentence] | None:
    """Rules such as "3 points or more, 2 or more possible straights"; None if none are exact."""
    least: list[tuple[int, int | None]] = []
    for straights, cells in sorted(columns):
        if any(row_strength == 0 for _, row_strength in cells):
            return None
        playable = [total for total, row_strength in cells if row_strength >= strength]
        unplayable = [total for total, row_strength in cells if row_strength < strength]
        if playable and unplayable and max(unplayable) >= min(playable):
            return None
        least.append((straights, (max(unplayable) + 1 if unplayable else 0) if playable else None))
    needed = [points for _, points in least if points is not None]
    if any(later > earlier for earlier, later in pairwise(needed)):
        return None
    rules, last = [], None
    for straights, points in least:
        if points is None or points == last:
            if points is None and last is not None:
                return None
            continue
        first = straights == min(count for count, _ in least)
        fields = {"suited": suited, "points": points, "straights": 0 if first else straights}
        rules.append(say("papers.wallet.draw", **fields))
        last = points
    return rules


def _total(name: Any, groups: tuple[RankGroup, ...]) -> int | None:
    """The points of a row such as "2 high, 1 low"; None if its groups have no names."""
    results = [group.result for group in groups]
    total = 0
    for part in getattr(name, "fields", {}).get("groups", ()):
        result = part.fields["group"] if part.key == "exact.held.many-of" else None
        if result not in results or result is None:
            return None
        total += int(part.fields["many"]) * _points(groups, results.index(result))
    return total


def _points(groups: tuple[RankGroup, ...], place: int) -> int:
    return len(groups) - 1 - place


def points_note(groups: tuple[RankGroup, ...], *, straights: bool) -> Paragraph:
    """What the ranks count and, with `straights`, what a possible straight is."""
    counts = tuple(
        say(
            "papers.wallet.rank", meaning=group.meaning or group.name, points=_points(groups, index)
        )
        for index, group in enumerate(groups)
    )
    text = say("papers.wallet.points", counts=counts, straights=straights)
    return Paragraph(text, "points", kind="remark")


def _rules_table(part: Json, rows: list[tuple[Sentence, Sentence]], key: str) -> Table:
    if any(tone == "fold" for _, _, tone in part["plays"]):
        fold = next(play for _, play, tone in part["plays"] if tone == "fold")
        rows = [*rows, (play_title(fold), say("papers.wallet.else"))]
    table_rows = tuple((capital(play), capital(hands)) for play, hands in rows)
    return Table(part["title"], ("", ""), table_rows, "ll", key)
