"""Best play of any game by enumerating its cards: slow, simple, the reference for other methods.

It asks a game's description (`reaches`, `may`, `read`, `price`) and shares no code with the fast
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
from pitbook.exact.work import TooLarge, advance_work, report_progress
from pitbook.money import Cents, Odds
from pitbook.rules.game import Game, Seat, Showdown
from pitbook.rules.limits import apply_limits
from pitbook.rules.plays import PASSED, Play
from pitbook.rules.pricing import Best, Kinds, Other, Ranking
from pitbook.rules.settlement import Line, Settlement
from pitbook.sheets.pay_tables import all_pay_tables
from pitbook.text import Sentence, say

DEALS_MAX = 20_000_000  # About 20 minutes.
SECONDS_A_DEAL = 6e-5  # Measured: 3e-5 to 7e-5, by how much a game reads in a deal.
ADVANCE_EVERY = 1_000  # Deals between two reports of progress.
CentsValue = Fraction | int  # In cents.


@dataclass(frozen=True, eq=False)
class PlainSolver:
    """A game for one seat, its wagers made and no card seen yet.

    Without an ante no cap applies, and side stakes stand beside one dollar. `deck` are the cards of
    the round, the sheet's where it is None; `dead` ones among them cannot come. `purse` is what the
    player has left when a question is asked, beside the wagers made; None is enough for any play.
    """

    game: Game
    ante: Cents | None = None
    side: Mapping[str, Cents] | None = None
    deck: Sequence[Card] | None = None
    dead: Sequence[Card] = ()
    purse: Cents | None = None

    # Questions -----------------------------------------------------------------------------------

    def value(self) -> Fraction:
        """What a round is worth under best play, in main wagers."""
        with self.guard_work(self.no_cards, 0):
            return Fraction(self._before(0, self.no_cards, self.seat)) / self.stake

    def worths(
        self, cards: Sequence[Card], common: Sequence[Sequence[Card]], plays: Iterable[Play] = ()
    ) -> dict[Play, Fraction]:
        """What every play is worth, in main wagers, for who sees these cards after these plays."""
        stage, seen, seat = self.spot(cards, common, plays)
        with self.guard_work(seen, stage):
            worths = self._with_purse_before(seat).play_values(
                stage, self.shoe.canonical(seen), seat
            )
        return {play: Fraction(worth) / self.stake for play, worth in worths.items()}

    def best(
        self, cards: Sequence[Card], common: Sequence[Sequence[Card]], plays: Iterable[Play] = ()
    ) -> Play:
        """The best play there; of equals the one that the sheet prefers (GEN-16)."""
        stage, seen, seat = self.spot(cards, common, plays)
        with self.guard_work(seen, stage):
            return self._with_purse_before(seat).choose(stage, self.shoe.canonical(seen), seat)

    def deals(self, seen: Seen, stage: int, *, alike: Callable[[int], int] | None = None) -> int:
        """About so many deals are looked at from here on, those alike but for suits once."""
        counts, deals = [len(place) for place in seen], 1
        opens = [rule.opens for rule in self.game.stages[stage:]]
        for opened in (*opens, self._final_counts(seen)):
            for place, many in enumerate(opened):
                deals *= self.shoe.hands(seen, many - counts[place])
                counts[place] = max(counts[place], many)
        cards_seen = sum(map(len, seen))
        return deals // (self.shoe.alike_at_once(seen) if alike is None else alike(cards_seen))

    def spot_deals(self, stage: int) -> int:
        """The most deals that any spot of a stage leaves to work through.

        One limit holds for all spots of a stage, so it can be stated before cards are known.
        """
        deck, seen, start = sorted(self.shoe.cards.elements()), [], 0
        for cards in self.game.stages[stage].opens:
            seen.append(tuple(deck[start : start + cards]))
            start += cards
        return self.deals(tuple(seen), stage, alike=self.shoe.always_alike)

    def spots(self, stage: int) -> int:
        """About how many spots a stage has, counting spots that differ only by suit once."""
        spots = 1
        for cards in self.game.stages[stage].opens:
            spots *= self.shoe.hands(self.no_cards, cards)
        return spots // self.shoe.alike_at_once(self.no_cards)

    def check(self, stage: int | None) -> None:
        """Raise TooLarge if a stage leaves too many deals; None checks the whole game."""
        if stage is not None:
            if why := self.too_many(stage):
                raise TooLarge(
                    say("exact.large.no-spot", why=why, instead=self._alternative(stage))
                )
            return
        deals = self.deals(self.no_cards, 0)
        if deals > DEALS_MAX:
            counts = {"title": self.game.sheet.title, "deals": deals, "most": DEALS_MAX}
            raise TooLarge(say("exact.large.no-method", instead=self._alternative(), **counts))

    def too_many(self, stage: int) -> Sentence | None:
        """Why a stage leaves too many deals; None if it does not."""
        if (deals := self.spot_deals(stage)) <= DEALS_MAX:
            return None
        counts = {"title": self.game.sheet.title, "deals": deals, "most": DEALS_MAX}
        return say("exact.large.spot-deals", at=self.game.stages[stage].title, **counts)

    def _alternative(self, stage: int | None = None) -> Sentence:
        """A command that works if this is too much work."""
        stages = self.game.stages
        if stage is not None:
            for later in range(stage + 1, len(stages)):
                if stages[later].plays and self.too_many(later) is None:
                    return say("exact.large.ask-later", decision=stages[later].title)
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
    def guard_work(self, seen: Seen, stage: int) -> Iterator[None]:
        """Refuse too many deals, and report progress through the rest."""
        self.check(stage if any(seen) else None)
        deals = self.deals(seen, stage)
        with report_progress(deals, say("exact.working.plain"), each=SECONDS_A_DEAL):
            yield

    # What is on the table ------------------------------------------------------------------------

    @cached_property
    def stake(self) -> Cents:
        """The main wager in cents."""
        return whole_cents(self.game) if self.ante is None else self.ante

    @cached_property
    def seat(self) -> Seat:
        """The seat before the deal."""
        scale = self.stake // 100 if self.ante is None else 1
        main = tuple((wager, self.stake) for wager in (self.game.main[0], *self.game.equals))
        side = tuple((wager, Cents(one * scale)) for wager, one in (self.side or {}).items())
        return Seat(1, "", main, side)

    @cached_property
    def shoe(self) -> RoundCards:
        """The cards that can come, those seen at a spot among them."""
        whole = DECK * self.game.sheet.deck.decks if self.deck is None else self.deck
        return round_cards(self.game, (Counter(whole) - Counter(self.dead)).elements())

    @cached_property
    def no_cards(self) -> Seen:
        """No card open in any place."""
        return tuple(() for _ in self.game.places)

    def spot(
        self, cards: Sequence[Card], common: Sequence[Sequence[Card]], plays: Iterable[Play]
    ) -> tuple[int, Seen, Seat]:
        """The stage that comes after these plays on these cards, and the seat when it does."""
        whole: Seen = (tuple(cards), *map(tuple, common))
        made, seat, seen = list(plays), self.seat, self.no_cards
        for stage, rule in enumerate(self.game.stages):
            comes = self._reaches_stage(stage, seen, seat)
            if comes is not False:
                opened = zip(whole, seen, rule.opens, strict=True)
                seen = tuple(place[: max(len(was), many)] for place, was, many in opened)
            if not (comes or self._reaches_stage(stage, seen, seat)) or not rule.plays:
                seat = seat.made(PASSED)
            elif made:
                seat = seat.made(made.pop(0))
            else:
                return stage, seen, seat
        raise ValueError(say("exact.nothing-left"))

    def _with_purse_before(self, seat: Seat) -> PlainSolver:
        """The same with the purse as it was before the plays of a seat."""
        spent = _staked(seat) - _staked(self.seat)
        if self.purse is None or not spent:
            return self
        return replace(self, purse=Cents(self.purse + spent))

    # Backward ------------------------------------------------------------------------------------

    def deal_stage(self, stage: int, seen: Seen, seat: Seat) -> Iterator[tuple[Seen, int, bool]]:
        """Every way the cards of a stage come, how often, and whether the seat then decides.

        Whom a stage does not come to sees none of its cards. Where that cannot be said before they
        lie open, they are opened first.
        """
        comes, rule = self._reaches_stage(stage, seen, seat), self.game.stages[stage]
        if comes is False:
            yield seen, 1, False
            return
        for cards, many in self.shoe.ways_to_open(seen, rule.opens):
            decides = bool(rule.plays) and bool(comes or self._reaches_stage(stage, cards, seat))
            yield cards, many, decides

    def _reaches_stage(self, stage: int, seen: Seen, seat: Seat) -> bool | None:
        """Whether a stage comes to a seat, by the cards that lie open; None: they do not say."""
        when, holding = self.game.stages[stage].when, _seat_with_cards(seat, seen)
        if when is not None and self.game.reads(when.hand, holding, *seen[1:]) is None:
            return None
        return self.game.reaches(stage, holding, *seen[1:])

    def plays(self, stage: int, seen: Seen, seat: Seat) -> tuple[Play, ...]:
        """What a seat may do, by its hand, the table's maximum and its purse."""
        holding = _seat_with_cards(seat, seen)
        may = self.game.may(stage, holding, *seen[1:])
        if self.ante is not None:
            may = tuple(one for one in may if self.game.too_much(holding, stage, one) is None)
        if self.purse is None:
            return may
        left = self.purse - _staked(seat) + _staked(self.seat)
        paid = tuple(one for one in may if seat.cost(one) <= left)
        return paid or tuple(sorted(may, key=seat.cost)[:1])  # Nobody is made to leave the table.

    def choose(self, stage: int, seen: Seen, seat: Seat) -> Play:
        """The best play of a seat, the cards of the stage open."""
        worths = self.play_values(stage, seen, seat)
        ties = self.game.sheet.best_play.ties.value

        def preferred(play: Play) -> tuple[bool, int]:
            more = _staked(seat.made(play))
            return play.folds != (ties == "fold"), -more if ties == "largest-bet" else more

        return max(sorted(worths, key=preferred), key=worths.__getitem__)

    def _before(self, stage: int, seen: Seen, seat: Seat) -> CentsValue:
        """What a seat can expect before a stage, in cents."""
        return memoize(self._cached, (stage, seen, seat), self._expected, 100 * RENAMED_MAX)

    @cached_property
    def _cached(self) -> dict[tuple[int, Seen, Seat], CentsValue]:
        return {}

    def _expected(self, stage: int, seen: Seen, seat: Seat) -> CentsValue:
        if seat.folded or stage == len(self.game.stages):
            return self._at_the_end(seen, seat)
        total, ways = Fraction(0), 0
        for cards, many, decides in self.deal_stage(stage, seen, seat):
            total += many * self._after(stage, cards, seat, decides=decides)
            ways += many
        return total / ways

    def _after(self, stage: int, seen: Seen, seat: Seat, *, decides: bool) -> CentsValue:
        """The same when the cards of the stage lie open: the best of its plays."""
        worths = self.play_values(stage, seen, seat) if decides else None
        return max(worths.values()) if worths else self._before(stage + 1, seen, seat.made(PASSED))

    def play_values(self, stage: int, seen: Seen, seat: Seat) -> dict[Play, CentsValue]:
        """What every play of a seat comes to in cents, the cards of the stage open."""
        plays = self.plays(stage, seen, seat)
        return {play: self._before(stage + 1, seen, seat.made(play)) for play in plays}

    def _at_the_end(self, seen: Seen, seat: Seat) -> CentsValue:
        ends = self.ends(seen, seat)
        total = sum(many * self._net(shown, seat) for shown, many in ends.items())
        return Fraction(total) / ends.total()

    # The end -------------------------------------------------------------------------------------

    def ends(self, seen: Seen, seat: Seat) -> Counter[Showdown]:
        """Every showdown that can follow when all cards dealt are open, with its ways."""
        if seat.folded and not self._survives_fold(seat):
            return Counter({self.game.read(*seen): 1})
        return memoize(self._ends, (seen,), self._count_ends, 10 * RENAMED_MAX)

    @cached_property
    def _ends(self) -> dict[tuple[Seen], Counter[Showdown]]:
        return {}

    def _count_ends(self, seen: Seen) -> Counter[Showdown]:
        found = Counter[Showdown]()
        for place, (cards, ways) in enumerate(
            self.shoe.ways_one_by_one(seen, self._final_counts(seen)), 1
        ):
            found[self.game.read(*cards)] += ways
            if not place % ADVANCE_EVERY:
                advance_work(ADVANCE_EVERY)
        advance_work(place % ADVANCE_EVERY)
        return found

    def _final_counts(self, seen: Seen) -> tuple[int, ...]:
        """Cards dealt later lie there only where a stage has opened them."""
        pairs = zip(self.game.places, seen, strict=True)
        return tuple(max(len(cards), place.cards - place.later) for place, cards in pairs)

    def _survives_fold(self, seat: Seat) -> bool:
        """Whether a folded seat has a wager that cards still decide."""
        has = {"main", *(wager for wager, _ in seat.side)}
        return any(one.survives and one.wager in has for one in self.game.asked)

    def _net(self, shown: Showdown, seat: Seat) -> int:
        return memoize(self._nets, (shown, seat), self._priced, 100 * RENAMED_MAX)

    @cached_property
    def _nets(self) -> dict[tuple[Showdown, Seat], int]:
        return {}

    def _priced(self, shown: Showdown, seat: Seat) -> int:
        return sum(line.net for line in self.lines(shown, seat))

    def lines(self, shown: Showdown, seat: Seat) -> tuple[Line, ...]:
        """Every wager's line; at an ante in dollars caps apply."""
        settlement = Settlement(1, self.game.price(shown, seat))
        if self.ante is not None:
            (settlement,), _ = apply_limits(self.game.sheet, [settlement])
        return settlement.lines


def whole_cents(game: Game) -> Cents:
    """A stake on which every pay of the sheet comes to whole cents."""
    pays = [pay for table in all_pay_tables(game.sheet).values() for pay in table.values()]
    return Cents(100 * lcm(*(pay.one for pay in pays if isinstance(pay, Odds))))


def _seat_with_cards(seat: Seat, seen: Seen) -> Seat:
    return seat._replace(cards=seen[0], laid=len(seen[0]))


def _staked(seat: Seat) -> int:
    return sum(stake for _, stake in seat.main)


RENAMED_MAX = 2_000  # What is asked again is asked soon: cards are gone through depth first.
Key = TypeVar("Key", bound=tuple[Any, ...])
Value = TypeVar("Value")
Seen = tuple[tuple[Card, ...], ...]  # By place of the game, what lies open there.
_UNSUITED = {card: Card(len(SUITS) * rank(card)) for card in DECK}  # One suit stands for all.


class RoundCards:
    """The cards of a round.

    Where no rule tells suits apart, deals that differ in them alone are one; where none looks at
    the order in a place, so are those that differ in it. Else every deal is looked at. Where hands
    are single cards, no suit is even the same as another: a card is its rank.
    """

    def __init__(
        self, cards: Iterable[Card], *, suits: bool, order: bool, ranks: bool = False
    ) -> None:
        self.cards = Counter(map(_UNSUITED.__getitem__, cards) if ranks else cards)
        self._draw = ordered_draws if order else draws
        self._laid = tuple if order else _sorted
        self._swaps = (_UNSUITED,) if ranks else () if suits else _swaps(self.cards)
        self._known: dict[tuple[Seen, tuple[int, ...]], tuple[tuple[Seen, int], ...]] = {}

    def alike_at_once(self, seen: Seen) -> int:
        """How many deals that go on from here, alike but for suits, are looked at as one."""
        same = tuple(map(self._laid, seen))
        return max(1, sum(self._rename_suits(seen, swap) == same for swap in self._swaps))

    def always_alike(self, cards: int) -> int:
        """How many deals count as one, for any `known` cards: the least over all of them."""
        if len(self._swaps) < factorial(len(SUITS)):
            return 1
        return factorial(len(SUITS) - min(cards, len(SUITS)))

    def hands(self, seen: Seen, many: int) -> int:
        """How many hands of so many cards are looked at, at most: for a bound on the work."""
        faces = len(self.cards_left(seen))
        if self._draw is ordered_draws or many <= 0:
            return int(faces ** max(0, many))
        return comb(faces + many - 1, many)

    def cards_left(self, seen: Seen) -> Counter[Card]:
        """What is left when these cards lie open."""
        return self.cards - Counter(card for place in seen for card in place)

    def ways_to_open(self, seen: Seen, counts: tuple[int, ...]) -> tuple[tuple[Seen, int], ...]:
        """Every way to have so many cards open in each place, with the number of its ways."""
        return memoize(self._known, (seen, counts), self._opened, RENAMED_MAX)

    def _opened(self, seen: Seen, counts: tuple[int, ...]) -> tuple[tuple[Seen, int], ...]:
        found = Counter[Seen]()
        for cards, ways in self.ways_one_by_one(seen, counts):
            found[self.canonical(cards)] += ways
        return tuple(found.items())

    def ways_one_by_one(self, seen: Seen, counts: Sequence[int]) -> Iterator[tuple[Seen, int]]:
        """The same, card by card, none put together with another."""
        short = (at for at, place in enumerate(seen) if len(place) < counts[at])
        place = next(short, None)
        if place is None:
            yield seen, 1
            return
        before, held, after = seen[:place], seen[place], seen[place + 1 :]
        for more, ways in self._draw(self.cards_left(seen), counts[place] - len(held)):
            for cards, others in self.ways_one_by_one((*before, held + more, *after), counts):
                yield cards, ways * others

    def canonical(self, seen: Seen) -> Seen:
        """The one that stands for all that no rule can tell from these."""
        if not self._swaps:
            return seen
        return min(self._rename_suits(seen, swap) for swap in self._swaps)

    def _rename_suits(self, seen: Seen, swap: dict[Card, Card]) -> Seen:
        return tuple([self._laid([swap[card] for card in place]) for place in seen])


def draws(left: Counter[Card], many: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every hand of so many cards, rising, and in how many ways the copies of its cards come.

    >>> list(draws(Counter({Card(3): 2, Card(7): 1}), 2))
    [((3, 3), 1), ((3, 7), 2)]
    """
    for hand in combinations_with_replacement(sorted(left), max(0, many)):
        held = Counter(hand)
        if ways := prod(comb(left[card], held[card]) for card in held):
            yield hand, ways


def ordered_draws(left: Counter[Card], many: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """The same, one card after the other.

    >>> list(ordered_draws(Counter({Card(3): 2, Card(7): 1}), 2))
    [((3, 3), 2), ((3, 7), 2), ((7, 3), 2)]
    """
    if many < 1:
        yield (), 1
        return
    for card in sorted(left):
        rest = left - Counter((card,)) if many > 1 else left
        for others, ways in ordered_draws(rest, many - 1):
            yield (card, *others), left[card] * ways


def round_cards(game: Game, cards: Iterable[Card]) -> RoundCards:
    """The cards of a game's round; of a family's own reading nothing is known but what it says."""
    read = [hand.ranking for hand in game.hands]
    own = [ranking for ranking in read if isinstance(ranking, Other)]
    ranks = all(one.ranks if isinstance(one, Other) else _is_single(one) for one in read)
    return RoundCards(cards, suits=any(one.suits for one in own), order=bool(own), ranks=ranks)


def _is_single(ranking: Ranking) -> bool:
    return isinstance(ranking, Kinds | Best) and ranking.cards == 1


def _swaps(cards: Counter[Card]) -> tuple[dict[Card, Card], ...]:
    """Every way to rename suits after which the shoe holds what it held."""
    found = []
    for order in permutations(range(len(SUITS))):
        swap = {card: Card(len(SUITS) * rank(card) + order[suit(card)]) for card in DECK}
        if all(cards[swap[card]] == many for card, many in cards.items()):
            found.append(swap)
    return tuple(found)


def memoize(known: dict[Key, Value], asked: Key, answer: Callable[..., Value], most: int) -> Value:
    """What was answered before, or is now; when so many answers are known, they begin anew."""
    if asked not in known:
        found = answer(*asked)
        if len(known) >= most:
            known.clear()
        known[asked] = found
    return known[asked]


def _sorted(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards))
