"""Best play of any game by going through the cards: backward over the stages, card by card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

from pitbook.cards import DECK, Card
from pitbook.exact.methods.plain.cards import KEPT, RoundCards, Seen, remembered, shoe_of
from pitbook.exact.working import TooLarge, advance, report_progress
from pitbook.money import Cents, Odds
from pitbook.rules.game import Game, Seat, Showdown
from pitbook.rules.limits import apply_limits
from pitbook.rules.plays import PASSED, Play
from pitbook.rules.settlement import Line, Settlement
from pitbook.sheets.pays import all_pay_tables
from pitbook.text import Sentence, say

__all__ = ["DEALS_MAX", "SECONDS_A_DEAL", "Plain", "whole_cents"]

DEALS_MAX = 20_000_000  # About 20 minutes.
SECONDS_A_DEAL = 6e-5  # Measured: 3e-5 to 7e-5, by how much a game reads in a deal.
ADVANCE_EVERY = 1_000  # Deals between two reports of progress.
Worth = Fraction | int  # In cents.


@dataclass(frozen=True, eq=False)
class Plain:
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
        with self.watched(self.nothing, 0):
            return Fraction(self._before(0, self.nothing, self.seat)) / self.stake

    def worths(
        self, cards: Sequence[Card], common: Sequence[Sequence[Card]], plays: Iterable[Play] = ()
    ) -> dict[Play, Fraction]:
        """What every play is worth, in main wagers, for who sees these cards after these plays."""
        stage, seen, seat = self.spot(cards, common, plays)
        with self.watched(seen, stage):
            worths = self._asked_after(seat).each(stage, self.shoe.alike(seen), seat)
        return {play: Fraction(worth) / self.stake for play, worth in worths.items()}

    def best(
        self, cards: Sequence[Card], common: Sequence[Sequence[Card]], plays: Iterable[Play] = ()
    ) -> Play:
        """The best play there; of equals the one that the sheet prefers (GEN-16)."""
        stage, seen, seat = self.spot(cards, common, plays)
        with self.watched(seen, stage):
            return self._asked_after(seat).choose(stage, self.shoe.alike(seen), seat)

    def deals(self, seen: Seen, stage: int, *, alike: Callable[[int], int] | None = None) -> int:
        """About so many deals are looked at from here on, those alike but for suits once."""
        counts, deals = [len(place) for place in seen], 1
        opens = [rule.opens for rule in self.game.stages[stage:]]
        for opened in (*opens, self._in_the_end(seen)):
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
            spots *= self.shoe.hands(self.nothing, cards)
        return spots // self.shoe.alike_at_once(self.nothing)

    def check(self, stage: int | None) -> None:
        """Raise TooLarge if a stage leaves too many deals; None checks the whole game."""
        if stage is not None:
            if why := self.too_many(stage):
                raise TooLarge(say("exact.large.no-spot", why=why, instead=self._instead(stage)))
            return
        deals = self.deals(self.nothing, 0)
        if deals > DEALS_MAX:
            counts = {"title": self.game.sheet.title, "deals": deals, "most": DEALS_MAX}
            raise TooLarge(say("exact.large.no-method", instead=self._instead(), **counts))

    def too_many(self, stage: int) -> Sentence | None:
        """Why a stage leaves too many deals; None if it does not."""
        if (deals := self.spot_deals(stage)) <= DEALS_MAX:
            return None
        counts = {"title": self.game.sheet.title, "deals": deals, "most": DEALS_MAX}
        return say("exact.large.spot-deals", at=self.game.stages[stage].title, **counts)

    def _instead(self, stage: int | None = None) -> Sentence:
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
    def watched(self, seen: Seen, stage: int) -> Iterator[None]:
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
        return shoe_of(self.game, (Counter(whole) - Counter(self.dead)).elements())

    @cached_property
    def nothing(self) -> Seen:
        """No card open in any place."""
        return tuple(() for _ in self.game.places)

    def spot(
        self, cards: Sequence[Card], common: Sequence[Sequence[Card]], plays: Iterable[Play]
    ) -> tuple[int, Seen, Seat]:
        """The stage that comes after these plays on these cards, and the seat when it does."""
        whole: Seen = (tuple(cards), *map(tuple, common))
        made, seat, seen = list(plays), self.seat, self.nothing
        for stage, rule in enumerate(self.game.stages):
            comes = self._comes(stage, seen, seat)
            if comes is not False:
                opened = zip(whole, seen, rule.opens, strict=True)
                seen = tuple(place[: max(len(was), many)] for place, was, many in opened)
            if not (comes or self._comes(stage, seen, seat)) or not rule.plays:
                seat = seat.made(PASSED)
            elif made:
                seat = seat.made(made.pop(0))
            else:
                return stage, seen, seat
        raise ValueError(say("exact.nothing-left"))

    def _asked_after(self, seat: Seat) -> Plain:
        """The same with the purse as it was before the plays of a seat."""
        spent = _staked(seat) - _staked(self.seat)
        if self.purse is None or not spent:
            return self
        return replace(self, purse=Cents(self.purse + spent))

    # Backward ------------------------------------------------------------------------------------

    def turned(self, stage: int, seen: Seen, seat: Seat) -> Iterator[tuple[Seen, int, bool]]:
        """Every way the cards of a stage come, how often, and whether the seat then decides.

        Whom a stage does not come to sees none of its cards. Where that cannot be said before they
        lie open, they are opened first.
        """
        comes, rule = self._comes(stage, seen, seat), self.game.stages[stage]
        if comes is False:
            yield seen, 1, False
            return
        for cards, many in self.shoe.opened(seen, rule.opens):
            decides = bool(rule.plays) and bool(comes or self._comes(stage, cards, seat))
            yield cards, many, decides

    def _comes(self, stage: int, seen: Seen, seat: Seat) -> bool | None:
        """Whether a stage comes to a seat, by the cards that lie open; None: they do not say."""
        when, holding = self.game.stages[stage].when, _holding(seat, seen)
        if when is not None and self.game.reads(when.hand, holding, *seen[1:]) is None:
            return None
        return self.game.reaches(stage, holding, *seen[1:])

    def plays(self, stage: int, seen: Seen, seat: Seat) -> tuple[Play, ...]:
        """What a seat may do, by its hand, the table's maximum and its purse."""
        holding = _holding(seat, seen)
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
        worths = self.each(stage, seen, seat)
        ties = self.game.sheet.best_play.ties.value

        def preferred(play: Play) -> tuple[bool, int]:
            more = _staked(seat.made(play))
            return play.folds != (ties == "fold"), -more if ties == "largest-bet" else more

        return max(sorted(worths, key=preferred), key=worths.__getitem__)

    def _before(self, stage: int, seen: Seen, seat: Seat) -> Worth:
        """What a seat can expect before a stage, in cents."""
        return remembered(self._kept, (stage, seen, seat), self._expected, 100 * KEPT)

    @cached_property
    def _kept(self) -> dict[tuple[int, Seen, Seat], Worth]:
        return {}

    def _expected(self, stage: int, seen: Seen, seat: Seat) -> Worth:
        if seat.folded or stage == len(self.game.stages):
            return self._at_the_end(seen, seat)
        total, ways = Fraction(0), 0
        for cards, many, decides in self.turned(stage, seen, seat):
            total += many * self._after(stage, cards, seat, decides=decides)
            ways += many
        return total / ways

    def _after(self, stage: int, seen: Seen, seat: Seat, *, decides: bool) -> Worth:
        """The same when the cards of the stage lie open: the best of its plays."""
        worths = self.each(stage, seen, seat) if decides else None
        return max(worths.values()) if worths else self._before(stage + 1, seen, seat.made(PASSED))

    def each(self, stage: int, seen: Seen, seat: Seat) -> dict[Play, Worth]:
        """What every play of a seat comes to in cents, the cards of the stage open."""
        plays = self.plays(stage, seen, seat)
        return {play: self._before(stage + 1, seen, seat.made(play)) for play in plays}

    def _at_the_end(self, seen: Seen, seat: Seat) -> Worth:
        ends = self.ends(seen, seat)
        total = sum(many * self._net(shown, seat) for shown, many in ends.items())
        return Fraction(total) / ends.total()

    # The end -------------------------------------------------------------------------------------

    def ends(self, seen: Seen, seat: Seat) -> Counter[Showdown]:
        """Every showdown that can follow when all cards dealt are open, with its ways."""
        if seat.folded and not self._plays_on(seat):
            return Counter({self.game.read(*seen): 1})
        return remembered(self._ends, (seen,), self._counted, 10 * KEPT)

    @cached_property
    def _ends(self) -> dict[tuple[Seen], Counter[Showdown]]:
        return {}

    def _counted(self, seen: Seen) -> Counter[Showdown]:
        found = Counter[Showdown]()
        for place, (cards, ways) in enumerate(self.shoe.every(seen, self._in_the_end(seen)), 1):
            found[self.game.read(*cards)] += ways
            if not place % ADVANCE_EVERY:
                advance(ADVANCE_EVERY)
        advance(place % ADVANCE_EVERY)
        return found

    def _in_the_end(self, seen: Seen) -> tuple[int, ...]:
        """Cards dealt later lie there only where a stage has opened them."""
        pairs = zip(self.game.places, seen, strict=True)
        return tuple(max(len(cards), place.cards - place.later) for place, cards in pairs)

    def _plays_on(self, seat: Seat) -> bool:
        """Whether a folded seat has a wager that cards still decide."""
        has = {"main", *(wager for wager, _ in seat.side)}
        return any(one.survives and one.wager in has for one in self.game.asked)

    def _net(self, shown: Showdown, seat: Seat) -> int:
        return remembered(self._nets, (shown, seat), self._priced, 100 * KEPT)

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


def _holding(seat: Seat, seen: Seen) -> Seat:
    return seat._replace(cards=seen[0], laid=len(seen[0]))


def _staked(seat: Seat) -> int:
    return sum(stake for _, stake in seat.main)
