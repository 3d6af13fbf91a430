"""Words for hands, numbers, amounts, days and shoes."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from functools import lru_cache

from pitbook.money import Odds
from pitbook.sheets.field_types import Push
from pitbook.sheets.model import Sheet, Stake
from pitbook.text import Sentence, say
from pitbook.text.formats import Conjunction, list_text

_RANK = "2|3|4|5|6|7|8|9|10|J|Q|K|A"
_PAIR = re.compile(rf"(suited-)?pair-({_RANK})(?:-({_RANK}))?(-flush)?")
_HIGH_CARD = re.compile(rf"high-card-({_RANK})(?:-({_RANK}))?")


@lru_cache(maxsize=1_000)
def outcome(line: str) -> Sentence:
    """A line of a pay table, or a kind of hand, in words.

    >>> outcome("pair-J-A"), outcome("pair-6-10"), outcome("match-5"), outcome("high-card-A")
    ('pair of jacks or better', 'pair of sixes to tens', 'five matches', 'ace high')
    """
    if match := _PAIR.fullmatch(line):
        return _pair(match)
    if match := _HIGH_CARD.fullmatch(line):
        return _high_card(match[1], match[2])
    if line.startswith("match-") and line[6:].isdecimal():
        return say("words.matches", count=int(line[6:]))
    if line in ("low", "high"):
        return say("words.declared-hand", hand=line)
    return say("words.hand", hand=line, plain=line.replace("-", " "))


def with_article(line: str) -> Sentence:
    """A hand with its article, if it takes one.

    >>> list(map(with_article, ["pair-J-A", "two-pair", "high-card", "high-card-Q"]))
    ['a pair of jacks or better', 'two pair', 'a high card', 'queen high']
    >>> str(with_article("suited-three-of-a-kind"))
    'suited three of a kind'
    """
    first = line.removeprefix("suited-").partition("-")[0]
    counted = first in ("match", "two", "three", "four", "five")
    bare = counted or line.startswith("high-card-")
    return outcome(line) if bare else say("aloud.pay-table.some", hand=outcome(line))


def _pair(match: re.Match[str]) -> Sentence:
    suited, low, high, flush = match.groups()
    pair = say("words.suited-pair" if suited else "words.pair", ranks=_ranks(low))
    if high:
        to_ace = high == "A"
        pair = say("words.or-better", hand=pair) if to_ace else _up_to(pair, _ranks(high))
    return say("words.in-one-suit", hand=pair) if flush else pair


def _high_card(low: str, high: str | None) -> Sentence:
    hand = _rank_high(low)
    if high is None or high == low:
        return hand
    return say("words.or-better", hand=hand) if high == "A" else _up_to(hand, _rank_high(high))


def _ranks(rank: str) -> Sentence:
    return say("words.ranks", rank=rank)


def _rank_high(rank: str) -> Sentence:
    return say("words.rank-high", rank=say("words.rank", rank=rank))


def _up_to(hand: Sentence, last: Sentence) -> Sentence:
    return say("words.up-to", hand=hand, last=last)


def game_and_venue(title: str, venue: str) -> str:
    """A game and its venue; a venue that the title already names is omitted.

    >>> game_and_venue("Mississippi Stud", "Oceanfront")
    'Mississippi Stud, Oceanfront'
    >>> game_and_venue("Louisiana Stud", "Louisiana Stud")
    'Louisiana Stud'
    """
    is_named = title.startswith(venue)
    return title if is_named else say("words.called", title=title, venue=venue)


def pay_words(pay: Odds | Push | None) -> Sentence:
    """The pay of a line: pays 500:1, pushes or loses."""
    if pay is None:
        return say("words.loses")
    return say("words.pushes") if pay == "push" else say("words.pays", odds=pay)


def odds_words(odds: Odds) -> Sentence:
    """Odds in words: 500 to 1."""
    return say("aloud.tables.odds", to=odds.to, one=odds.one)


def number_word(count: int) -> Sentence:
    """A number, in words up to twelve."""
    return say("words.number", count=count)


def count_noun(count: int, singular: str, plural: str) -> str:
    """A number with its noun.

    >>> count_noun(1, "deck", "decks"), count_noun(6, "deck", "decks")
    ('one deck', 'six decks')
    """
    return f"{number_word(count)} {singular if count == 1 else plural}"


def times_word(count: int) -> Sentence:
    """A frequency: once, twice, three times."""
    return say("words.often", count=count)


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Words as a list.

    >>> join_words(["1x", "2x", "3x"], "or")
    '1x, 2x or 3x'
    """
    return list_text(words, Conjunction(last))


def stake_bounds(stake: Stake) -> Sentence:
    """The minimum and maximum of a wager, in words."""
    if stake.min == stake.max:
        return say("words.exactly", amount=stake.min)
    return say("words.bounds", least=stake.min, most=stake.max)


def list_amounts(cents: Iterable[int]) -> Sentence:
    """Amounts of money as a list."""
    return say("words.amounts", amounts=tuple(cents))


def format_day(date: datetime.date) -> Sentence:
    """A day in words, independent of the machine's locale.

    >>> format_day(datetime.date(2018, 3, 12))
    'March 12, 2018'
    """
    return say("words.day", day=date)


def direction_words(direction: str) -> Sentence:
    return say("words.way", way=direction, plain=direction.replace("-", " "))


def figures_shoe_note(sheet: Sheet) -> str | None:
    """For figures of one round, whose average is the same throughout a shoe.

    The number of rounds in a shoe does not depend on its cards, so before any card is seen every
    round has the same distribution.
    """
    return say("aloud.shoe.figured") if _has_cut_card(sheet) else None


def simulation_shoe_note(sheet: Sheet) -> str | None:
    """For figures of many rounds, which in reality leave fewer cards to later ones."""
    return say("aloud.shoe.played") if _has_cut_card(sheet) else None


def advice_shoe_note(sheet: Sheet) -> str | None:
    """For advice on one decision: only named cards are known to be gone."""
    return say("aloud.shoe.advised") if _has_cut_card(sheet) else None


def _has_cut_card(sheet: Sheet) -> bool:
    return sheet.deck.fresh.value == "cut-card"
