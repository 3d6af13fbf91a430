"""Best play of any game by enumerating its cards: slow, simple, the reference for other methods.

It asks a game's description (`reaches`, `allows`, `read`, `price`) and shares no code with the fast
methods. Deals that differ only by suit are counted once if no ranking tells suits apart. If a
family reads cards in its own way, they are dealt one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, permutations
from math import comb, factorial, lcm, prod
from typing import Any, TypeVar

from pitbook.cards import DECK, SUITS, Card, rank, suit
from pitbook.exact.long_computations import TooLarge, advance_work, report_progress
from pitbook.money import Cents, Odds
from pitbook.rules.actions import PASSED, Play
from pitbook.rules.game import Game, Seat, Showdown
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.rules.settlement_lines import Best, Kinds, Line, Other, Ranking, Settlement
from pitbook.sheets.pay_tables import all_pay_tables
from pitbook.text import Sentence, say

DEALS_MAX = 20_000_000  # About 20 minutes.
SECONDS_A_DEAL = 6e-5  # Measured: 3e-5 to 7e-5, depending on the game.
ADVANCE_EVERY = 1_000  # Deals between two reports of progress.
CentsValue = Fraction | int  # In cents.


@dataclass(frozen=True, eq=False)
class PlainSolver:
    """A game for one seat, after its wagers and before any card is seen.

    Without an ante no cap applies, and side stakes are relative to one dollar. `deck` has the
    cards of the round, None for the sheet's decks; `dead` cards cannot come. `purse` is the
    player's money left after the wagers made so far; None means no limit.
    """

    game: Game
    ante: Cents | None = None
    side: Mapping[str, Cents] | None = None
    deck: Sequence[Card] | None = None
    dead: Sequence[Card] = ()
    purse: Cents | None = None

    # Values, best plays, and the work they take

    def value(self) -> Fraction:
        """The value of a round under best play, in main wagers."""
        with self.guard_work(self.no_cards, 0):
            return Fraction(self._value_before_stage(0, self.no_cards, self.seat)) / self.stake

    def worths(
        self, cards: Sequence[Card], common: Sequence[Sequence[Card]], plays: Iterable[Play] = ()
    ) -> dict[Play, Fraction]:
        """The value of every play in main wagers, after these cards and plays."""
        stage, open_cards, seat = self.spot(cards, common, plays)
        with self.guard_work(open_cards, stage):
            values = self._with_purse_before_plays(seat).play_values(
                stage, self.shoe.canonical(open_cards), seat
            )
        return {play: Fraction(value) / self.stake for play, value in values.items()}

    def best(
        self, cards: Sequence[Card], common: Sequence[Sequence[Card]], plays: Iterable[Play] = ()
    ) -> Play:
        """The best play there; of equal plays, the one that the sheet prefers (GEN-16)."""
        stage, open_cards, seat = self.spot(cards, common, plays)
        with self.guard_work(open_cards, stage):
            return self._with_purse_before_plays(seat).choose(
                stage, self.shoe.canonical(open_cards), seat
            )

    def deals(
        self,
        open_cards: OpenCards,
        stage: int,
        *,
        equivalent_deals: Callable[[int], int] | None = None,
    ) -> int:
        """Approximate number of deals to enumerate from here, counting deals equal up to suits
        once.
        """
        counts, deals = [len(place) for place in open_cards], 1
        opens = [rule.opens for rule in self.game.stages[stage:]]
        for final_counts in (*opens, self._final_counts(open_cards)):
            for index, count in enumerate(final_counts):
                deals *= self.shoe.hand_count_max(open_cards, count - counts[index])
                counts[index] = max(counts[index], count)
        cards_seen = sum(map(len, open_cards))
        return deals // (
            self.shoe.equivalent_deals(open_cards)
            if equivalent_deals is None
            else equivalent_deals(cards_seen)
        )

    def spot_deals(self, stage: int) -> int:
        """The most deals to enumerate from any spot of a stage.

        One limit holds for all spots of a stage, so it can be stated before cards are known.
        """
        deck, open_cards, start = sorted(self.shoe.cards.elements()), [], 0
        for cards in self.game.stages[stage].opens:
            open_cards.append(tuple(deck[start : start + cards]))
            start += cards
        return self.deals(tuple(open_cards), stage, equivalent_deals=self.shoe.equivalent_deals_min)

    def spots(self, stage: int) -> int:
        """Approximate number of spots of a stage, counting spots equal up to suits once."""
        spots = 1
        for cards in self.game.stages[stage].opens:
            spots *= self.shoe.hand_count_max(self.no_cards, cards)
        return spots // self.shoe.equivalent_deals(self.no_cards)

    def check(self, stage: int | None) -> None:
        """Raise TooLarge if a stage leaves too many deals; None checks the whole game."""
        if stage is not None:
            if why := self.why_too_many(stage):
                raise TooLarge(
                    say("exact.large.no-spot", why=why, instead=self._alternative(stage))
                )
            return
        deals = self.deals(self.no_cards, 0)
        if deals > DEALS_MAX:
            counts = {"title": self.game.sheet.title, "deals": deals, "most": DEALS_MAX}
            raise TooLarge(say("exact.large.no-method", instead=self._alternative(), **counts))

    def why_too_many(self, stage: int) -> Sentence | None:
        """Why there are too many deals to enumerate from a stage; None if there are not."""
        if (deals := self.spot_deals(stage)) <= DEALS_MAX:
            return None
        counts = {"title": self.game.sheet.title, "deals": deals, "most": DEALS_MAX}
        return say("exact.large.spot-deals", at=self.game.stages[stage].title, **counts)

    def _alternative(self, stage: int | None = None) -> Sentence:
        """A command that works if this is too much work."""
        stages = self.game.stages
        if stage is not None:
            for later_stage in range(stage + 1, len(stages)):
                if stages[later_stage].plays and self.why_too_many(later_stage) is None:
                    return say("exact.large.ask-later", decision=stages[later_stage].title)
        if self.simple_plays:
            strategy = f"always-{self.simple_plays[0]}"
            return say("exact.large.simulate-by", strategy=strategy)
        return say("exact.large.ask-check")

    @cached_property
    def simple_plays(self) -> tuple[Play, ...]:
        """Plays that are allowed at every decision, so following one needs no computation."""
        decisions = [stage.plays for stage in self.game.stages if len(stage.plays) > 1]
        always = (rule for rule in dict.fromkeys(sum(decisions, ())) if not rule.folds)
        return tuple(
            play
            for play in always
            if all(
                any(rule == play and rule.needs is None for rule in rules) for rules in decisions
            )
        )

    @contextmanager
    def guard_work(self, open_cards: OpenCards, stage: int) -> Iterator[None]:
        """Refuse too many deals, and report progress through the rest."""
        self.check(stage if any(open_cards) else None)
        deals = self.deals(open_cards, stage)
        with report_progress(deals, say("exact.working.plain"), seconds_each=SECONDS_A_DEAL):
            yield

    # Stakes and cards

    @cached_property
    def stake(self) -> Cents:
        """The main wager in cents."""
        return whole_cents(self.game) if self.ante is None else self.ante

    @cached_property
    def seat(self) -> Seat:
        """The seat before the deal."""
        scale = self.stake // 100 if self.ante is None else 1
        main = tuple((wager, self.stake) for wager in (self.game.main[0], *self.game.equals))
        side = tuple((wager, Cents(amount * scale)) for wager, amount in (self.side or {}).items())
        return Seat(1, "", main, side)

    @cached_property
    def shoe(self) -> RoundCards:
        """The cards that can come, including those already seen."""
        all_cards = DECK * self.game.sheet.deck.decks if self.deck is None else self.deck
        return round_cards(self.game, (Counter(all_cards) - Counter(self.dead)).elements())

    @cached_property
    def no_cards(self) -> OpenCards:
        """An empty hand in every place."""
        return tuple(() for _ in self.game.places)

    def spot(
        self, cards: Sequence[Card], common: Sequence[Sequence[Card]], plays: Iterable[Play]
    ) -> tuple[int, OpenCards, Seat]:
        """The stage after these plays with these cards, and the seat and open cards there."""
        all_cards: OpenCards = (tuple(cards), *map(tuple, common))
        remaining, seat, open_cards = list(plays), self.seat, self.no_cards
        for stage, rule in enumerate(self.game.stages):
            reaches = self._reaches_stage(stage, open_cards, seat)
            if reaches is not False:
                places = zip(all_cards, open_cards, rule.opens, strict=True)
                open_cards = tuple(
                    place[: max(len(earlier), count)] for place, earlier, count in places
                )
            if not (reaches or self._reaches_stage(stage, open_cards, seat)) or not rule.plays:
                seat = seat.after_play(PASSED)
            elif remaining:
                seat = seat.after_play(remaining.pop(0))
            else:
                return stage, open_cards, seat
        raise ValueError(say("exact.nothing-left"))

    def _with_purse_before_plays(self, seat: Seat) -> PlainSolver:
        """The same solver with the purse as it was before the plays of a seat."""
        spent = _stake(seat) - _stake(self.seat)
        if self.purse is None or not spent:
            return self
        return replace(self, purse=Cents(self.purse + spent))

    # Backward induction

    def deal_stage(
        self, stage: int, open_cards: OpenCards, seat: Seat
    ) -> Iterator[tuple[OpenCards, int, bool]]:
        """Every way the cards of a stage can come, its count, and whether the seat then decides.

        A seat that the stage skips sees none of its cards. If that depends on the cards, they
        are opened first.
        """
        reaches, rule = self._reaches_stage(stage, open_cards, seat), self.game.stages[stage]
        if reaches is False:
            yield open_cards, 1, False
            return
        for cards, ways in self.shoe.ways_to_open(open_cards, rule.opens):
            decides = bool(rule.plays) and bool(reaches or self._reaches_stage(stage, cards, seat))
            yield cards, ways, decides

    def _reaches_stage(self, stage: int, open_cards: OpenCards, seat: Seat) -> bool | None:
        """Whether a seat reaches a stage; None if that depends on cards not open yet."""
        when, seat_with_cards = self.game.stages[stage].when, _seat_with_cards(seat, open_cards)
        if (
            when is not None
            and self.game.hand_value(when.hand, seat_with_cards, *open_cards[1:]) is None
        ):
            return None
        return self.game.reaches(stage, seat_with_cards, *open_cards[1:])

    def plays(self, stage: int, open_cards: OpenCards, seat: Seat) -> tuple[Play, ...]:
        """A seat's allowed plays, by its hand, the table's maximum and its purse."""
        seat_with_cards = _seat_with_cards(seat, open_cards)
        allowed = self.game.allowed_plays(stage, seat_with_cards, *open_cards[1:])
        if self.ante is not None:
            allowed = tuple(
                play
                for play in allowed
                if self.game.exceeded_clause(seat_with_cards, stage, play) is None
            )
        if self.purse is None:
            return allowed
        budget = self.purse - _stake(seat) + _stake(self.seat)
        affordable = tuple(play for play in allowed if seat.cost(play) <= budget)
        # A player is never forced out.
        return affordable or tuple(sorted(allowed, key=seat.cost)[:1])

    def choose(self, stage: int, open_cards: OpenCards, seat: Seat) -> Play:
        """A seat's best play, with the cards of the stage open."""
        values = self.play_values(stage, open_cards, seat)
        ties = self.game.sheet.best_play.ties.value

        def preference(play: Play) -> tuple[bool, int]:
            stake = _stake(seat.after_play(play))
            return play.folds != (ties == "fold"), -stake if ties == "largest-bet" else stake

        return max(sorted(values, key=preference), key=values.__getitem__)

    def _value_before_stage(self, stage: int, open_cards: OpenCards, seat: Seat) -> CentsValue:
        """The expected result of a seat before a stage, in cents."""
        return memoize(
            self._value_cache, (stage, open_cards, seat), self._compute_value, 100 * RENAMED_MAX
        )

    @cached_property
    def _value_cache(self) -> dict[tuple[int, OpenCards, Seat], CentsValue]:
        return {}

    def _compute_value(self, stage: int, open_cards: OpenCards, seat: Seat) -> CentsValue:
        if seat.folded or stage == len(self.game.stages):
            return self._final_value(open_cards, seat)
        total, ways = Fraction(0), 0
        for cards, ways_here, decides in self.deal_stage(stage, open_cards, seat):
            total += ways_here * self._value_at_stage(stage, cards, seat, decides=decides)
            ways += ways_here
        return total / ways

    def _value_at_stage(
        self, stage: int, open_cards: OpenCards, seat: Seat, *, decides: bool
    ) -> CentsValue:
        """The same with the cards of the stage open: the best of its plays."""
        values = self.play_values(stage, open_cards, seat) if decides else None
        return (
            max(values.values())
            if values
            else self._value_before_stage(stage + 1, open_cards, seat.after_play(PASSED))
        )

    def play_values(self, stage: int, open_cards: OpenCards, seat: Seat) -> dict[Play, CentsValue]:
        """The value of every play in cents, with the cards of the stage open."""
        plays = self.plays(stage, open_cards, seat)
        return {
            play: self._value_before_stage(stage + 1, open_cards, seat.after_play(play))
            for play in plays
        }

    def _final_value(self, open_cards: OpenCards, seat: Seat) -> CentsValue:
        ends = self.ends(open_cards, seat)
        total = sum(ways * self._net(showdown, seat) for showdown, ways in ends.items())
        return Fraction(total) / ends.total()

    # Showdowns

    def ends(self, open_cards: OpenCards, seat: Seat) -> Counter[Showdown]:
        """Every showdown that can follow, with its number of ways."""
        if seat.folded and not self._survives_fold(seat):
            return Counter({self.game.read(*open_cards): 1})
        return memoize(self._ends, (open_cards,), self._count_ends, 10 * RENAMED_MAX)

    @cached_property
    def _ends(self) -> dict[tuple[OpenCards], Counter[Showdown]]:
        return {}

    def _count_ends(self, open_cards: OpenCards) -> Counter[Showdown]:
        counts = Counter[Showdown]()
        for index, (cards, ways) in enumerate(
            self.shoe.ways_one_by_one(open_cards, self._final_counts(open_cards)), 1
        ):
            counts[self.game.read(*cards)] += ways
            if not index % ADVANCE_EVERY:
                advance_work(ADVANCE_EVERY)
        advance_work(index % ADVANCE_EVERY)
        return counts

    def _final_counts(self, open_cards: OpenCards) -> tuple[int, ...]:
        """The final number of cards in each place; later cards count once a stage opened them."""
        pairs = zip(self.game.places, open_cards, strict=True)
        return tuple(max(len(cards), place.cards - place.later) for place, cards in pairs)

    def _survives_fold(self, seat: Seat) -> bool:
        """Whether a folded seat has a wager that cards still decide."""
        wagers = {"main", *(wager for wager, _ in seat.side)}
        return any(
            wager_rule.survives and wager_rule.wager in wagers
            for wager_rule in self.game.wager_rules
        )

    def _net(self, showdown: Showdown, seat: Seat) -> int:
        return memoize(self._nets, (showdown, seat), self._compute_net, 100 * RENAMED_MAX)

    @cached_property
    def _nets(self) -> dict[tuple[Showdown, Seat], int]:
        return {}

    def _compute_net(self, showdown: Showdown, seat: Seat) -> int:
        return sum(line.net for line in self.lines(showdown, seat))

    def lines(self, showdown: Showdown, seat: Seat) -> tuple[Line, ...]:
        """Every wager's line; with an ante in dollars, caps apply."""
        settlement = Settlement(1, self.game.price(showdown, seat))
        if self.ante is not None:
            (settlement,), _ = apply_payout_caps(self.game.sheet, [settlement])
        return settlement.lines


def whole_cents(game: Game) -> Cents:
    """A stake at which every line of the sheet pays whole cents."""
    pays = [pay for table in all_pay_tables(game.sheet).values() for pay in table.values()]
    return Cents(100 * lcm(*(pay.one for pay in pays if isinstance(pay, Odds))))


def _seat_with_cards(seat: Seat, open_cards: OpenCards) -> Seat:
    return seat._replace(cards=open_cards[0], cards_dealt=len(open_cards[0]))


def _stake(seat: Seat) -> int:
    return sum(stake for _, stake in seat.main)


RENAMED_MAX = 2_000  # Repeated lookups come soon, because cards are enumerated depth first.
Key = TypeVar("Key", bound=tuple[Any, ...])
Value = TypeVar("Value")
OpenCards = tuple[tuple[Card, ...], ...]  # By place of the game, the open cards.
_UNSUITED = {card: Card(len(SUITS) * rank(card)) for card in DECK}  # One suit represents all.


class RoundCards:
    """The cards of a round.

    If no rule distinguishes suits, deals that differ only by suit are merged; if none depends on
    the order in a place, so are deals that differ only by order. Otherwise every deal is
    enumerated. If hands are single cards, suits are ignored: a card is its rank.
    """

    def __init__(
        self, cards: Iterable[Card], *, suits: bool, order: bool, ranks: bool = False
    ) -> None:
        self.cards = Counter(map(_UNSUITED.__getitem__, cards) if ranks else cards)
        self._draw = ordered_draws if order else draws
        self._normalize = tuple if order else _sort_cards
        self._swaps = (_UNSUITED,) if ranks else () if suits else _swaps(self.cards)
        self._ways_cache: dict[
            tuple[OpenCards, tuple[int, ...]], tuple[tuple[OpenCards, int], ...]
        ] = {}

    def equivalent_deals(self, open_cards: OpenCards) -> int:
        """How many deals from here, equal up to suits, are merged into one."""
        same = tuple(map(self._normalize, open_cards))
        return max(1, sum(self._rename_suits(open_cards, swap) == same for swap in self._swaps))

    def equivalent_deals_min(self, cards: int) -> int:
        """The least number of deals merged into one, over any `cards` known cards."""
        if len(self._swaps) < factorial(len(SUITS)):
            return 1
        return factorial(len(SUITS) - min(cards, len(SUITS)))

    def hand_count_max(self, open_cards: OpenCards, count: int) -> int:
        """An upper bound on the number of hands of this size to enumerate."""
        faces = len(self.cards_left(open_cards))
        if self._draw is ordered_draws or count <= 0:
            return int(faces ** max(0, count))
        return comb(faces + count - 1, count)

    def cards_left(self, open_cards: OpenCards) -> Counter[Card]:
        """The cards left when these are open."""
        return self.cards - Counter(card for place in open_cards for card in place)

    def ways_to_open(
        self, open_cards: OpenCards, counts: tuple[int, ...]
    ) -> tuple[tuple[OpenCards, int], ...]:
        """Every way to have these numbers of cards open in each place, with its count."""
        return memoize(self._ways_cache, (open_cards, counts), self._merged_ways, RENAMED_MAX)

    def _merged_ways(
        self, open_cards: OpenCards, counts: tuple[int, ...]
    ) -> tuple[tuple[OpenCards, int], ...]:
        ways_by_cards = Counter[OpenCards]()
        for cards, ways in self.ways_one_by_one(open_cards, counts):
            ways_by_cards[self.canonical(cards)] += ways
        return tuple(ways_by_cards.items())

    def ways_one_by_one(
        self, open_cards: OpenCards, counts: Sequence[int]
    ) -> Iterator[tuple[OpenCards, int]]:
        """The completed cards and their ways, drawn card by card, without merging equal hands."""
        incomplete = (index for index, place in enumerate(open_cards) if len(place) < counts[index])
        place = next(incomplete, None)
        if place is None:
            yield open_cards, 1
            return
        earlier = open_cards[:place]
        cards_held = open_cards[place]
        later_places = open_cards[place + 1 :]
        for drawn, ways in self._draw(self.cards_left(open_cards), counts[place] - len(cards_held)):
            for cards, other_ways in self.ways_one_by_one(
                (*earlier, cards_held + drawn, *later_places), counts
            ):
                yield cards, ways * other_ways

    def canonical(self, open_cards: OpenCards) -> OpenCards:
        """The representative of all cards that no rule can distinguish from these."""
        if not self._swaps:
            return open_cards
        return min(self._rename_suits(open_cards, swap) for swap in self._swaps)

    def _rename_suits(self, open_cards: OpenCards, swap: dict[Card, Card]) -> OpenCards:
        return tuple([self._normalize([swap[card] for card in place]) for place in open_cards])


def draws(cards_left: Counter[Card], count: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every hand of `count` cards, ascending, with the number of ways to pick copies.

    >>> list(draws(Counter({Card(3): 2, Card(7): 1}), 2))
    [((3, 3), 1), ((3, 7), 2)]
    """
    for hand in combinations_with_replacement(sorted(cards_left), max(0, count)):
        copies = Counter(hand)
        if ways := prod(comb(cards_left[card], copies[card]) for card in copies):
            yield hand, ways


def ordered_draws(cards_left: Counter[Card], count: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """The same, one card after the other.

    >>> list(ordered_draws(Counter({Card(3): 2, Card(7): 1}), 2))
    [((3, 3), 2), ((3, 7), 2), ((7, 3), 2)]
    """
    if count < 1:
        yield (), 1
        return
    for card in sorted(cards_left):
        remaining = cards_left - Counter((card,)) if count > 1 else cards_left
        for other_cards, ways in ordered_draws(remaining, count - 1):
            yield (card, *other_cards), cards_left[card] * ways


def round_cards(game: Game, cards: Iterable[Card]) -> RoundCards:
    """The cards of a game's round; deals are merged as far as its rankings allow."""
    rankings = [hand.ranking for hand in game.hands]
    custom_rankings = [ranking for ranking in rankings if isinstance(ranking, Other)]
    ranks = all(
        ranking.ranks if isinstance(ranking, Other) else _is_single(ranking) for ranking in rankings
    )
    return RoundCards(
        cards,
        suits=any(ranking.suits for ranking in custom_rankings),
        order=bool(custom_rankings),
        ranks=ranks,
    )


def _is_single(ranking: Ranking) -> bool:
    return isinstance(ranking, Kinds | Best) and ranking.cards == 1


def _swaps(cards: Counter[Card]) -> tuple[dict[Card, Card], ...]:
    """Every renaming of suits that leaves the shoe unchanged."""
    swaps = []
    for order in permutations(range(len(SUITS))):
        swap = {card: Card(len(SUITS) * rank(card) + order[suit(card)]) for card in DECK}
        if all(cards[swap[card]] == count for card, count in cards.items()):
            swaps.append(swap)
    return tuple(swaps)


def memoize(
    cache: dict[Key, Value], key: Key, compute: Callable[..., Value], size_max: int
) -> Value:
    """A cached answer; the cache is cleared when it is full."""
    if key not in cache:
        value = compute(*key)
        if len(cache) >= size_max:
            cache.clear()
        cache[key] = value
    return cache[key]


def _sort_cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards))
