"""A round dealt for a drill: any wagers, cards that make something, any plays, through the engine.

Cards of an honest shoe mostly make nothing, so some hands are laid out to make a run, a suit or a
group; what they make, and what it pays, the game alone says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pitbook.cards import DECK, Card, name, rank, suit
from pitbook.engine.actions import Action, Close, Deal, Decide, PlaceNumber, Settle, Turn, Wager
from pitbook.engine.flow import turns
from pitbook.engine.round import Round, open_round
from pitbook.engine.step import step
from pitbook.game.description import Game, Seat
from pitbook.game.description import Place as Common
from pitbook.game.plays import PASSED, Play
from pitbook.game.refusals import Refusal
from pitbook.game.settlement import Line
from pitbook.money import Cents, money
from pitbook.sheets.model import Stake
from pitbook.train.drills.item import Lies, SeatLies
from pitbook.train.drills.luck import Draws
from pitbook.wording import say

__all__ = ["PlayedRound", "deal", "lies", "round_file", "stake_of"]

STEPS = 20  # A drill's wagers lie within so many steps of the least.
FOLDS = 5  # One hand in so many is given up, where it can be.
PATTERNS = ("run", "suited run", "suit", "groups", "groups", "any")
GROUPS = ((4,), (3, 2), (3,), (2, 2), (2,))

CardsByPlace = dict[PlaceNumber, list[Card]]


class PlayedRound(NamedTuple):
    """A round from its first wager on: every state, what was done in it, and how it ended."""

    states: tuple[Round, ...]
    actions: tuple[Action, ...]
    shoe: tuple[tuple[Card, ...], ...]  # By place in common, the cards that were to come there.

    @property
    def final(self) -> Round:
        """The round when all is settled."""
        return self.states[-1]

    def lines(self, seat: int) -> tuple[Line, ...]:
        """What became of a seat's wagers."""
        return next(one.lines for one in self.final.settlements if one.seat == seat)


def deal(
    game: Game,
    luck: Draws,
    *,
    seats: int = 1,
    until: Callable[[Round], bool] | None = None,
    gives_up: bool = False,
) -> PlayedRound:
    """A round of so many seats, to its end or until something is so.

    Hands are given up now and then, or all of them as soon as they can be.
    """
    table = _Table(game, luck, until, 1 if gives_up else FOLDS)
    numbers = luck.some_of(range(1, game.sheet.seats.count + 1), seats)
    table.bet(sorted(numbers))
    table.play()
    return PlayedRound(tuple(table.states), tuple(table.actions), table.shoe)


class _Table:
    """A dealer and players who do anything that the engine takes."""

    def __init__(
        self, game: Game, luck: Draws, until: Callable[[Round], bool] | None, folds: int
    ) -> None:
        self.game, self.luck, self.folds = game, luck, folds
        self.until = until or (lambda _: False)
        self.states: list[Round] = [open_round(game)]
        self.actions: list[Action] = []
        self.cards: CardsByPlace = {}
        self.shoe: tuple[tuple[Card, ...], ...] = ()

    @property
    def round(self) -> Round:
        return self.states[-1]

    def bet(self, numbers: list[int]) -> None:
        """Main wagers, and some of the others."""
        main, rule = self.game.main
        for number in numbers:
            player = f"seat {number}"
            self.do(Wager(number, player, main, stake_of(rule, self.luck)))
            for side, one in self.game.sheet.side.items():
                if one.stake.required or self.luck.below(2):
                    self.do(Wager(number, player, side, stake_of(one.stake, self.luck)))
        self.do(Close())
        self.cards = _cards(self.game, self.luck, numbers)
        common = range(len(self.game.places) - 1)
        self.shoe = tuple(tuple(self.cards[-at]) for at in common)

    def play(self) -> None:
        """From the first card to the last payment."""
        while self.round.phase != "over" and not self.until(self.round):
            self._next()

    def _next(self) -> None:
        round = self.round
        if round.to_deal and round.phase == "deal":
            self.do(Deal(round.to_deal[0]))
        elif (closed := self._closed()) is not None:
            self._turn(closed)
        elif round.waiting:
            self._decide(round.waiting[0])
        elif round.phase == "play":
            place = turns(round)
            assert place is not None, "a round that waits for nobody turns a card"
            self._turn(place)
        else:
            self.do(Settle())

    def _closed(self) -> PlaceNumber | None:
        """A seat whose player has not looked at all cards that lie there."""
        looked = (one for one in self.round.seats if len(one.cards) < one.laid and not one.folded)
        return next((one.number for one in looked), None)

    def _turn(self, place: PlaceNumber) -> None:
        there = self.cards[place]
        self.do(Turn(place, there.pop(0)))

    def _decide(self, number: int) -> None:
        seat = self.round.seat(number)
        assert seat is not None
        done = any(self.tried(Decide(number, play)) for play in self._wanted(seat))
        assert done, "somebody who decides may do something"

    def _wanted(self, seat: Seat) -> list[Play]:
        plays = self.luck.shuffled(self.game.plays(self.round.stage))
        folds = self.luck.is_one_in(self.folds)
        idle = self.folds == 1  # A raise would pass over the stage where a hand is given up.
        return sorted(plays, key=lambda play: (play.folds != folds, idle and play.times > 0))

    def do(self, action: Action) -> None:
        done = self.tried(action)
        assert done, f"{action} is what the engine waits for"

    def tried(self, action: Action) -> bool:
        after = step(self.round, action)
        if isinstance(after, Refusal):
            return False
        self.states.append(after)
        self.actions.append(action)
        return True


def stake_of(rule: Stake, luck: Draws) -> Cents:
    """An amount that a stake allows, mostly of the smaller ones."""
    least, most = -(-rule.min // rule.step), rule.max // rule.step
    return Cents(rule.step * (least + luck.below(min(STEPS, most - least + 1))))


# Cards --------------------------------------------------------------------------------------------


def _cards(game: Game, luck: Draws, numbers: list[int]) -> CardsByPlace:
    """By place, the cards that come there; a hand of one seat is laid out to make something."""
    sizes: dict[PlaceNumber, int] = dict.fromkeys(numbers, game.places[0].cards)
    sizes |= {-at: place.cards for at, place in enumerate(game.places[1:])}
    hand = luck.one_of(game.hands)
    places = [luck.one_of(numbers) if at == 0 else 1 - at for at in hand.places]
    slots = [place for place in places for _ in range(sizes[place])]
    left = luck.shuffled(list(DECK) * game.decks)
    made = _made(luck, luck.one_of(PATTERNS), len(slots), left)
    laid: CardsByPlace = {place: [] for place in sizes}
    for place, card in zip(luck.shuffled(slots), made, strict=True):
        laid[place].append(card)
    for place, size in sizes.items():
        laid[place] += [left.pop() for _ in range(size - len(laid[place]))]
        laid[place] = luck.shuffled(laid[place])
    return laid


def _made(luck: Draws, pattern: str, count: int, left: list[Card]) -> list[Card]:
    """So many cards taken from those that are left, as a pattern has them."""
    wanted = _wanted_cards(luck, pattern, left)[:count]
    for card in wanted:
        left.remove(card)
    return wanted + [left.pop() for _ in range(count - len(wanted))]


def _wanted_cards(luck: Draws, pattern: str, left: list[Card]) -> list[Card]:
    ranks, suits = range(13), range(4)
    if pattern == "suit":
        colour = luck.one_of(suits)
        return [card for card in left if suit(card) == colour]
    if pattern in ("run", "suited run"):
        low, colour = luck.below(9), luck.one_of(suits)
        run = range(low, low + 5)
        same = [card for card in left if suit(card) == colour] if pattern != "run" else left
        return luck.shuffled(_each_rank(same, run))
    if pattern == "groups":
        shape = luck.one_of(GROUPS)
        chosen = luck.some_of(ranks, len(shape))
        return [
            card
            for size, one in zip(shape, chosen, strict=True)
            for card in [card for card in left if rank(card) == one][:size]
        ]
    return []


def _each_rank(cards: list[Card], ranks: range) -> list[Card]:
    """The first card of each rank."""
    found: dict[int, Card] = {}
    for card in cards:
        found.setdefault(rank(card), card)
    return [found[one] for one in ranks]


# What is shown, and what is on file ---------------------------------------------------------------


def lies(round: Round, *numbers: int) -> Lies:
    """The felt as it lies: all seats, or some."""
    game = round.game
    common = tuple(
        (say("drills.place", place=place.id, title=place.title.capitalize()), pile.cards)
        for place, pile in zip(game.places[1:], round.piles, strict=True)
    )
    shown = [seat for seat in round.seats if not numbers or seat.number in numbers]
    return Lies(common, tuple(_seat(game, seat) for seat in shown))


def _seat(game: Game, seat: Seat) -> SeatLies:
    wagers = tuple((game.wager_title(wager), stake) for wager, stake in seat.stakes)
    plays = tuple(play.label for play in seat.plays if play.folds or play.said)
    return SeatLies(seat.number, seat.cards, wagers, plays)


def round_file(played: PlayedRound) -> dict[str, Any]:
    """The same round as people write it down for `pitbook settle`."""
    final = played.final
    places = zip(final.game.places[1:], final.common, played.shoe, strict=True)
    boards = {one.id: [name(card) for card in _whole(one, *cards)] for one, *cards in places}
    seats = [_written(played, one) for one in final.seats]
    return {"sheet": final.game.sheet.id, **boards, "seats": seats}


def _whole(place: Common, named: tuple[Card, ...], shoe: tuple[Card, ...]) -> tuple[Card, ...]:
    """A hand that was turned in part is written down whole, as it is dealt whole."""
    least = place.cards - place.later
    return shoe[:least] if 0 < len(named) < least else named


def _written(played: PlayedRound, seat: Seat) -> dict[str, Any]:
    put = {
        action.wager: money(action.amount)
        for action in played.actions
        if isinstance(action, Wager) and action.seat == seat.number
    }
    return {
        "seat": seat.number,
        "wagers": put,
        "cards": [name(card) for card in seat.cards],
        "play": [str(play) for play in seat.plays if play != PASSED],
    }
