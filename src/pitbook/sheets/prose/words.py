"""Words for hands, numbers, amounts, days and shoes."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from functools import lru_cache

from pitbook.money import Odds
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Stake
from pitbook.sheets.values import Push
from pitbook.text import Sentence, say
from pitbook.text.formats import Joint
from pitbook.text.formats import listed as joined

_RANK = "2|3|4|5|6|7|8|9|10|J|Q|K|A"
_PAIR = re.compile(rf"(suited-)?pair-({_RANK})(?:-({_RANK}))?(-flush)?")
_HIGH_CARD = re.compile(rf"high-card-({_RANK})(?:-({_RANK}))?")


@lru_cache(maxsize=1_000)
def outcome(line: str) -> Sentence:
    """A line of a pay table, or a kind of hand, in words.

    >>> outcome("pair-J-A"), outcome("pair-6-10"), outcome("match-5"), outcome("high-card-A")
    ('pair of jacks or better', 'pair of sixes to tens', 'five matches', 'ace high')
    """
    if found := _PAIR.fullmatch(line):
        return _pair(found)
    if found := _HIGH_CARD.fullmatch(line):
        return _high_card(found[1], found[2])
    if line.startswith("match-") and line[6:].isdecimal():
        return say("words.matches", count=int(line[6:]))
    if line in ("low", "high"):
        return say("words.declared-hand", hand=line)
    return say("words.hand", hand=line, plain=line.replace("-", " "))


def with_article(line: str) -> Sentence:
    """A hand with its article; what is counted, or high by a rank, has none.

    >>> list(map(with_article, ["pair-J-A", "two-pair", "high-card", "high-card-Q"]))
    ['a pair of jacks or better', 'two pair', 'a high card', 'queen high']
    """
    counted = line.partition("-")[0] in ("match", "two", "three", "four", "five")
    bare = counted or line.startswith("high-card-")
    return outcome(line) if bare else say("aloud.pay-table.some", hand=outcome(line))


def _pair(found: re.Match[str]) -> Sentence:
    suited, low, high, flush = found.groups()
    pair = say("words.suited-pair" if suited else "words.pair", ranks=_ranks(low))
    if high:
        best = high == "A"
        pair = say("words.or-better", hand=pair) if best else _up_to(pair, _ranks(high))
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
    """A game and where it is dealt; a venue that the title names already is not said again.

    >>> game_and_venue("Mississippi Stud", "Oceanfront")
    'Mississippi Stud, Oceanfront'
    >>> game_and_venue("Louisiana Stud", "Louisiana Stud")
    'Louisiana Stud'
    """
    named = title.startswith(venue)
    return title if named else say("words.called", title=title, venue=venue)


def pay_words(pay: Odds | Push | None) -> Sentence:
    """What a line does: pays 500:1, pushes or loses."""
    if pay is None:
        return say("words.loses")
    return say("words.pushes") if pay == "push" else say("words.pays", odds=pay)


def odds_words(odds: Odds) -> Sentence:
    """What a win is paid: 500 to 1."""
    return say("aloud.tables.odds", to=odds.to, one=odds.one)


def number_word(count: int) -> Sentence:
    """A number in words as far as twelve."""
    return say("words.number", count=count)


def count_noun(count: int, one: str, more: str) -> str:
    """A number and what is counted.

    >>> count_noun(1, "deck", "decks"), count_noun(6, "deck", "decks")
    ('one deck', 'six decks')
    """
    return f"{number_word(count)} {one if count == 1 else more}"


def times_word(count: int) -> Sentence:
    """How often something is done: once, twice, three times."""
    return say("words.often", count=count)


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Words as one says a list.

    >>> join_words(["1x", "2x", "3x"], "or")
    '1x, 2x or 3x'
    """
    return joined(words, Joint(last))


def stake_bounds(stake: Stake) -> Sentence:
    """From the least to the most that may be wagered."""
    if stake.min == stake.max:
        return say("words.exactly", amount=stake.min)
    return say("words.bounds", least=stake.min, most=stake.max)


def list_amounts(cents: Iterable[int]) -> Sentence:
    """Amounts of money as a list."""
    return say("words.amounts", amounts=tuple(cents))


def format_day(date: datetime.date) -> Sentence:
    """A day as a document writes it, whatever the machine's language.

    >>> format_day(datetime.date(2018, 3, 12))
    '12 March 2018'
    """
    return say("words.day", day=date)


def direction_words(direction: str) -> Sentence:
    """A direction in words."""
    return say("words.way", way=direction, plain=direction.replace("-", " "))


def figures_shoe_note(sheet: Sheet) -> str | None:
    """Of the value of one round, which is the same on average in every place of the shoe.

    How many rounds a shoe gives does not depend on its cards, so before any is seen no round
    differs from the first.
    """
    return say("aloud.shoe.figured") if _has_cut_card(sheet) else None


def simulation_shoe_note(sheet: Sheet) -> str | None:
    """Of many rounds, which in truth leave each other fewer cards."""
    return say("aloud.shoe.played") if _has_cut_card(sheet) else None


def advice_shoe_note(sheet: Sheet) -> str | None:
    """Of one decision: only cards that are named are known to be gone."""
    return say("aloud.shoe.advised") if _has_cut_card(sheet) else None


def _has_cut_card(sheet: Sheet) -> bool:
    return sheet.deck.fresh.value == "cut-card"
