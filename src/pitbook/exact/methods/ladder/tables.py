"""A strategy in few lines: hands put together by what they hold, what they draw to, and their play.

A hand without a pair is told by how many of its cards would win, push or lose as a
pair, by whether all are of one suit, and by how many straights are still open to it. Where hands so
told alike are played differently, the table says which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitbook.exact.methods.ladder.followed import FollowedStrategy
from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.exact.methods.ladder.structure import CARDS
from pitbook.exact.methods.ladder.terms import Purse
from pitbook.hands.kinds import RANK_NAMES, Ace, catalogue
from pitbook.hands.ranking import HandClass
from pitbook.rules.plays import Play
from pitbook.rules.pricing import pay_by_kind
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import worth
from pitbook.text import Sentence, say

Plays = Mapping[Play, tuple[str, ...]]  # Each play with the hands that are played so.
Mix = tuple[int, ...]  # How many cards of each rank group.
ACE = 12
WHEEL = frozenset({ACE, 0, 1, 2, 3})
RESULTS = {1: "high", 0: "middle", -1: "low"}


@dataclass(frozen=True)
class RankGroup:
    """Ranks whose pairs are paid alike."""

    name: str
    ranks: tuple[int, ...]
    result: str | None = None  # What a pair of them does, where no other group's does.

    @property
    def span(self) -> str:
        """The ranks as one writes them: J-A."""
        return _span(self.ranks)

    @property
    def told(self) -> Sentence | None:
        """What the name means: "high J-A"; None where it says so itself."""
        told = say("exact.held.group-is", group=self.name, ranks=self.span)
        return None if self.name == self.span else told


@dataclass(frozen=True, order=True)
class Draw:
    """What a hand without a pair can still become."""

    suited: bool
    straights: int


@dataclass(frozen=True)
class StreetTable:
    """What a strategy does before one street with one stake; only hands that it brings there."""

    street: str
    title: str
    units: int
    purse: Purse
    made: Mapping[str, Plays]
    loose: Mapping[tuple[Mix, Draw], Plays]


def rank_groups(sheet: Sheet) -> tuple[RankGroup, ...]:
    """The ranks by what a pair of them pays, best first."""
    kinds = [kind.name for kind in catalogue(CARDS)]
    pays = pay_by_kind(sheet, "main")
    paid: dict[Fraction, list[int]] = {}
    for rank, name in enumerate(RANK_NAMES):
        pay = pays[kinds.index(f"pair-{name}")]
        value = worth("push" if pay.result == "push" else pay.odds)
        paid.setdefault(value, []).append(rank)
    signs = Counter((value > 0) - (value < 0) for value in paid)
    groups = []
    for value in sorted(paid, reverse=True):
        sign, ranks = (value > 0) - (value < 0), tuple(paid[value])
        alone = signs[sign] == 1
        name = say("exact.held.group", group=RESULTS[sign]) if alone else _span(ranks)
        groups.append(RankGroup(name, ranks, RESULTS[sign] if alone else None))
    return tuple(groups)


def street_tables(followed: FollowedStrategy, street: int) -> Iterator[StreetTable]:
    """A table for each stake with which the strategy meets a street."""
    game = followed.solution.terms.game
    groups, rule = rank_groups(game.sheet), game.stages[street]
    for purse in followed.purses(street):
        spots = [one for one in followed.spots(street, purse) if one.reached]
        if spots:
            made = [(one.hand, one.play) for one in spots if _repeats(one.hand)]
            loose = [(one.hand, one.play) for one in spots if not _repeats(one.hand)]
            yield StreetTable(
                rule.id,
                rule.title,
                followed.solution.terms.units(purse),
                purse,
                _made(made, groups),
                _loose(loose, groups, followed.solution.ace),
            )


def mix_name(mix: Mix, groups: tuple[RankGroup, ...]) -> str:
    """How many cards of each group: 2 high, 1 low."""
    told = tuple(_many(many, one) for many, one in zip(mix, groups, strict=True) if many)
    return say("exact.held.mix", groups=told)


def _many(many: int, group: RankGroup) -> Sentence:
    if group.result is None:
        return say("exact.held.many", many=many, group=group.name)
    return say("exact.held.many-of", many=many, group=group.result)


def _repeats(hand: HandClass) -> bool:
    return len(set(hand.ranks)) < len(hand.ranks)


def _loose(
    hands: list[tuple[HandClass, Play]], groups: tuple[RankGroup, ...], ace: Ace
) -> dict[tuple[Mix, Draw], Plays]:
    told = [((_mix(hand, groups), _draw(hand, ace)), hand, play) for hand, play in hands]
    return {
        key: _plays([(hand, play) for one, hand, play in told if one == key])
        for key in sorted({key for key, _, _ in told}, reverse=True)
    }


def _mix(hand: HandClass, groups: tuple[RankGroup, ...]) -> Mix:
    """The hand's single cards by group."""
    single = [rank for rank in hand.ranks if hand.ranks.count(rank) == 1]
    return tuple(sum(rank in group.ranks for rank in single) for group in groups)


def _draw(hand: HandClass, ace: Ace) -> Draw:
    windows = [frozenset(range(low, low + 5)) for low in range(9)]
    windows += [WHEEL] if ace == "high-or-low" else []
    straights = sum(set(hand.ranks) <= window for window in windows)
    return Draw(hand.suited and len(hand.ranks) > 1, straights)


def _made(hands: list[tuple[HandClass, Play]], groups: tuple[RankGroup, ...]) -> dict[str, Plays]:
    """By what is made; where that does not decide, by the other cards too."""
    table: dict[str, Plays] = {}
    named = [(_made_name(hand, groups), hand, play) for hand, play in hands]
    for name in dict.fromkeys(one for one, _, _ in named):
        own = [(hand, play) for one, hand, play in named if one == name]
        if len({play for _, play in own}) == 1:
            table[name] = _plays(own)
            continue
        for mix in sorted({_mix(hand, groups) for hand, _ in own}, reverse=True):
            beside = [(hand, play) for hand, play in own if _mix(hand, groups) == mix]
            more = say("exact.held.with", hand=name, mix=mix_name(mix, groups))
            table[more if any(mix) else name] = _plays(beside)
    return table


def _made_name(hand: HandClass, groups: tuple[RankGroup, ...]) -> str:
    counts = Counter(hand.ranks)
    most = max(counts.values())
    if most > 2:
        return outcome("four-of-a-kind" if most == 4 else "three-of-a-kind")
    paired = [rank for rank, many in counts.items() if many == 2]
    if len(paired) == 2:
        return outcome("two-pair")
    (group,) = (group for group in groups if paired[0] in group.ranks)
    first, last = RANK_NAMES[group.ranks[0]], RANK_NAMES[group.ranks[-1]]
    if len(group.ranks) == len(RANK_NAMES):
        return outcome("pair")
    if not _is_run(group.ranks):
        return say("exact.held.pair-of", ranks=group.span)
    return outcome(f"pair-{first}" if first == last else f"pair-{first}-{last}")


def _plays(hands: list[tuple[HandClass, Play]]) -> Plays:
    """Plays with their hands, the commonest play first."""
    found: dict[Play, list[str]] = {}
    for hand, play in hands:
        found.setdefault(play, []).append(class_name(hand))
    ordered = sorted(found, key=lambda play: -len(found[play]))
    return {play: tuple(found[play]) for play in ordered}


def _is_run(ranks: tuple[int, ...]) -> bool:
    return ranks[-1] - ranks[0] == len(ranks) - 1


def _span(ranks: tuple[int, ...]) -> str:
    if len(ranks) > 1 and _is_run(ranks):
        return f"{RANK_NAMES[ranks[0]]}-{RANK_NAMES[ranks[-1]]}"
    return " ".join(RANK_NAMES[rank] for rank in ranks)
