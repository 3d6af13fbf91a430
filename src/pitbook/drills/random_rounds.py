"""Random rounds for drills, dealt in the sheet's order and played by the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import Any, Literal, NamedTuple, TypeVar

from pitbook.cards import DECK, Card, name, rank, suit
from pitbook.drills.question import Layout, SeatLayout
from pitbook.money import Cents, money
from pitbook.rules.actions import (
    PASSED,
    Action,
    Close,
    Deal,
    Decide,
    PlaceNumber,
    Play,
    Settle,
    Turn,
    Wager,
)
from pitbook.rules.game import Game, Seat
from pitbook.rules.game import Place as CardPlace
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, new_round
from pitbook.rules.round_progress import next_turn
from pitbook.rules.settlement_lines import FOLDED, Best, Kinds, Line
from pitbook.rules.step import step
from pitbook.sheets.model import Stake
from pitbook.text import say

One = TypeVar("One")
SIZE = 64  # Bytes in a block of the stream.
WORD = 4


class Draws:
    """Reproducible uniform random draws from a seed."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode("utf-8", "surrogatepass")
        self._block, self._left, self._number = b"", 0, 0

    def below(self, limit: int) -> int:
        """A number from 0 on and below a limit, each as likely.

        >>> luck = Draws("seven")
        >>> [luck.below(10) for _ in range(6)]
        [1, 3, 6, 2, 5, 8]
        """
        fair = (1 << 8 * WORD) // limit * limit
        while (drawn := self._word()) >= fair:
            pass
        return drawn % limit

    def choice(self, options: Sequence[One]) -> One:
        """A random element."""
        return options[self.below(len(options))]

    def is_one_in(self, number: int) -> bool:
        """True once in `number` draws, on average."""
        return self.below(number) == 0

    def shuffle(self, elements: Sequence[One]) -> list[One]:
        """All elements in a random order."""
        shuffled = list(elements)
        for last in range(len(shuffled) - 1, 0, -1):
            other = self.below(last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled

    def sample(self, elements: Sequence[One], count: int) -> list[One]:
        """A random subset of `count` elements."""
        return self.shuffle(elements)[:count]

    def _word(self) -> int:
        if not self._left:
            number = self._number.to_bytes(8, "big")
            self._block = blake2b(self._seed, salt=number, digest_size=SIZE).digest()
            self._left, self._number = SIZE, self._number + 1
        self._left -= WORD
        return int.from_bytes(self._block[self._left : self._left + WORD], "big")


# Rounds -------------------------------------------------------------------------------------------


DEALS_MAX = 60
FOLDS = 2  # One weak hand in this many folds, if it may.
CALLS = 6  # One weak five-card hand in this many is played on.
RIDES = 4  # One bet in this many that may be taken back is left without a pair.
WHOLE_HAND = 5  # Cards of a complete hand.
# Ranks, counted from 0 for a two. Drilled players never fold a queen or better before the river.
TEN, QUEEN, KING, ACE = 8, 10, 11, 12
PATTERNS = ("run", "suited run", "suit", "groups", "groups", "any")
BIG_PATTERNS = ("suited run", "royal run", "four", "two ranks")
GROUPS = ((4,), (3, 2), (3,), (2, 2), (2,))
AMOUNTS = (  # Bets that players make, in dollars.
    *(1, 2, 3, 4, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 80, 90, 100),
    *(125, 150, 200, 250, 300, 400, 500, 750, 1_000, 2_000, 5_000, 10_000),
)
SMALL, LARGE = 14, 4  # How many of the smallest and of the largest amounts to choose from.
STEPS = 20

Style = Literal["any", "folds", "big"]
CardsByPlace = dict[PlaceNumber, list[Card]]


class Packet(NamedTuple):
    """Cards that the dealer deals to one place in one movement."""

    place: PlaceNumber
    cards: int
    first: int  # Number of its first card at that place, from 1.


class Payment(NamedTuple):
    """The lines that the dealer settles at one stop at a seat."""

    seat: int
    lines: tuple[Line, ...]


class PlayedRound(NamedTuple):
    """A round from its first wager: its shoe, every state and every action."""

    states: tuple[Round, ...]
    actions: tuple[Action, ...]
    shoe: tuple[Card, ...]

    @property
    def final(self) -> Round:
        return self.states[-1]

    def lines(self, seat: int) -> tuple[Line, ...]:
        """The settlement lines of a seat."""
        return next(hand.lines for hand in self.final.settlements if hand.seat == seat)

    def dealt_to(self, place: PlaceNumber) -> tuple[Card, ...]:
        """The cards dealt to a place, face up or not, in dealing order."""
        deals = (action for action in self.actions if isinstance(action, Deal))
        return tuple(
            card for card, action in zip(self.shoe, deals, strict=False) if action.place == place
        )


def deal(
    game: Game,
    draws: Draws,
    *,
    seats: int = 1,
    style: Style = "any",
    until: Callable[[Round], bool] | None = None,
) -> PlayedRound:
    """Play a round with this many seats to its end, or until a condition holds.

    Weak hands never raise and sometimes fold; "folds" folds all of them, "big" bets the maximum.
    """
    table = _Table(game, draws, style, until or (lambda _: False))
    table.place_bets(sorted(draws.sample(range(1, game.sheet.seats.count + 1), seats)))
    table.play()
    return PlayedRound(tuple(table.states), tuple(table.actions), tuple(table.shoe))


def deals(game: Game, draws: Draws) -> Iterator[PlayedRound]:
    """Rounds of one seat in which to search for a result, so that rare results come up as often."""
    return (deal(game, draws) for _ in range(DEALS_MAX))


class _Table:
    """A dealer with a shoe, and players who make any play that the engine allows."""

    def __init__(
        self, game: Game, draws: Draws, style: Style, until: Callable[[Round], bool]
    ) -> None:
        self.game, self.luck, self.style, self.until = game, draws, style, until
        self.states: list[Round] = [new_round(game)]
        self.actions: list[Action] = []
        self.shoe: list[Card] = []
        self.dealt = 0
        self.face_down: CardsByPlace = {}

    @property
    def round(self) -> Round:
        return self.states[-1]

    def place_bets(self, numbers: list[int]) -> None:
        """Place main wagers and some side wagers, close betting, and shuffle."""
        main, rule = self.game.main
        big = self.style == "big"
        for number in numbers:
            player = f"seat {number}"
            self.apply_legal(Wager(number, player, main, stake_of(rule, self.luck, big=big)))
            for side, side_wager in self.game.sheet.side.items():
                if side_wager.stake.required or big or self.luck.below(2):
                    self.apply_legal(
                        Wager(number, player, side, stake_of(side_wager.stake, self.luck, big=big))
                    )
        self.apply_legal(Close())
        self.shoe = _shoe(self.game, self.luck, self.round.to_deal, big=big)

    def play(self) -> None:
        """Deal, decide, turn and settle to the end."""
        while self.round.phase != "over" and not self.until(self.round):
            self._next()

    def _next(self) -> None:
        round = self.round
        if round.to_deal and round.phase == "deal":
            place = round.to_deal[0]
            self.apply_legal(Deal(place))
            self.face_down.setdefault(place, []).append(self.shoe[self.dealt])
            self.dealt += 1
        elif (closed := self._unseen_hand()) is not None:
            self._turn(closed)
        elif round.waiting:
            self._decide(round.waiting[0])
        elif round.phase == "play":
            place_due = next_turn(round)
            assert place_due is not None, "a round that waits for nobody turns a card"
            self._turn(place_due)
        else:
            self.apply_legal(Settle())

    def _unseen_hand(self) -> PlaceNumber | None:
        """A seat whose player has not looked at all of its cards."""
        unseen = (
            seat
            for seat in self.round.seats
            if len(seat.cards) < seat.cards_dealt and not seat.folded
        )
        return next((seat.number for seat in unseen), None)

    def _turn(self, place: PlaceNumber) -> None:
        self.apply_legal(Turn(place, self.face_down[place].pop(0)))

    def _decide(self, number: int) -> None:
        seat = self.round.seat(number)
        assert seat is not None
        assert any(self.try_action(Decide(number, play)) for play in self._rank_plays(seat))

    def _rank_plays(self, seat: Seat) -> list[Play]:
        """The plays of this stage, those preferred by the style of play first."""
        plays = self.luck.shuffle(self.game.plays(self.round.stage))
        weak, paired = is_weak(self.round, seat), has_pair(self.round, seat)
        usual = self.game.absent_play(seat, self.round.stage)
        declared = usual.declaration if usual is not None else ""
        strong = not weak if declared else is_strong(self.round, seat)
        if self.style == "big":
            size = -1 if strong else 1
            return sorted(
                plays,
                key=lambda play: (
                    *(play.folds, bool(play.takes), play.declaration != declared),
                    size * play.times,
                ),
            )
        idle = self.style == "folds"  # A raise would skip the stage where the hand folds.
        folds = (idle or self._folds_weak(seat)) and weak
        rides = paired or has_draw(self.round, seat) or self.luck.is_one_in(RIDES)
        return sorted(
            plays,
            key=lambda play: (
                *(play.folds != folds, play.declaration != declared, bool(play.takes) == rides),
                self._bet_order(play, strong=strong and not idle),
            ),
        )

    def _bet_order(self, play: Play, *, strong: bool) -> int:
        """A strong hand makes any bet rather than check; another bets the minimum."""
        if not strong:
            return play.times
        return 0 if play.declaration else int(play.times == 0)

    def _folds_weak(self, seat: Seat) -> bool:
        """Whether this weak hand folds: more often once it is complete."""
        if len(seat.cards) < WHOLE_HAND:
            return self.luck.is_one_in(FOLDS)
        return not self.luck.is_one_in(CALLS)

    def apply_legal(self, action: Action) -> None:
        accepted = self.try_action(action)
        assert accepted, f"the engine waits for {action}"

    def try_action(self, action: Action) -> bool:
        after = step(self.round, action)
        if isinstance(after, Refusal):
            return False
        self.states.append(after)
        self.actions.append(action)
        return True


def is_weak(round: Round, seat: Seat) -> bool:
    """Whether a player might fold: no pair, no high card, and no straight or flush so far."""
    if len(seat.cards) < 2 or has_pair(round, seat):
        return len(seat.cards) == 1  # After a tied card, any player may give up.
    visible = (*seat.cards, *_community(round))
    ranks, held = sorted(map(rank, visible)), sorted(map(rank, seat.cards))
    suits = Counter(map(suit, visible))
    if len(held) >= WHOLE_HAND:
        return not _has_made_hand(round, seat) and held[-2:] != [KING, ACE]
    drawing = max(suits.values()) >= 3 or (
        len(visible) > 2 and ranks[-1] - ranks[0] < len(visible) + 1
    )
    return held[-1] < QUEEN and not drawing


def is_strong(round: Round, seat: Seat) -> bool:
    """Whether a player might raise: a pair, a made hand or draw, or two high cards."""
    board, held = _community(round), sorted(map(rank, seat.cards))
    if len(held) < 2:
        return False
    if has_pair(round, seat) or _has_made_hand(round, seat):
        return True
    if len(held) == 2 and not board:
        return held[-1] == ACE or (held[0] >= TEN and held[-1] >= QUEEN)
    return len(held) < WHOLE_HAND and bool(board) and has_draw(round, seat)


def _has_made_hand(round: Round, seat: Seat) -> bool:
    """Whether the face-up cards contain a straight or a flush."""
    visible = (*seat.cards, *_community(round))
    boards = (place.cards for place in round.game.places[1:] if place.id == "community")
    needed = min(_hand_size(round.game), round.game.hand_size + sum(boards))
    return max(Counter(map(suit, visible)).values()) >= needed or _has_run(
        sorted(map(rank, visible)), needed
    )


def has_draw(round: Round, seat: Seat) -> bool:
    """Whether all cards so far are of one suit, or close enough for a straight."""
    visible = (*seat.cards, *_community(round))
    ranks = sorted(map(rank, visible))
    return len(set(map(suit, visible))) == 1 or ranks[-1] - ranks[0] <= len(visible)


def _hand_size(game: Game) -> int:
    """How many cards make a hand; some games leave out one of five."""
    rankings = (hand.ranking for hand in game.hands)
    sizes = (ranking.cards for ranking in rankings if isinstance(ranking, Kinds | Best))
    return max(sizes, default=WHOLE_HAND)


def _has_run(ranks: list[int], cards: int) -> bool:
    """Whether this many ranks are consecutive; an ace may be low."""
    held = {*ranks, *([-1] if ACE in ranks else [])}
    return any(held.issuperset(range(low, low + cards)) for low in held)


def has_pair(round: Round, seat: Seat) -> bool:
    """Whether a rank repeats: anywhere for a pay table, else with one of the seat's own cards."""
    held = [rank(card) for card in seat.cards]
    rank_counts = Counter([*held, *map(rank, _community(round))])
    return any(
        rank_counts[card_rank] > 1 for card_rank in (held if round.game.duels else rank_counts)
    )


def _community(round: Round) -> list[Card]:
    """The community cards that are face up."""
    places = zip(round.game.places[1:], round.common, strict=True)
    return [card for place, cards in places if place.id == "community" for card in cards]


def stake_of(rule: Stake, draws: Draws, *, big: bool = False) -> Cents:
    """An amount that a player would bet and the limits allow; a large one if `big`."""
    usual = [
        Cents(dollars * 100)
        for dollars in AMOUNTS
        if rule.min <= dollars * 100 <= rule.max and not dollars * 100 % rule.step
    ]
    if len(usual) > 1:
        return draws.choice(usual[-LARGE:] if big else usual[:SMALL])
    least, most = -(-rule.min // rule.step), rule.max // rule.step
    steps = min(STEPS, most - least + 1)
    return Cents(rule.step * (most - draws.below(steps) if big else least + draws.below(steps)))


# The shoe -----------------------------------------------------------------------------------------


def _shoe(game: Game, draws: Draws, order: Sequence[PlaceNumber], *, big: bool) -> list[Card]:
    """Whole decks in dealing order."""
    deck = draws.shuffle(list(DECK) * game.decks)
    pattern = draws.choice(BIG_PATTERNS if big else PATTERNS)
    if pattern == "two ranks":
        stacked = _two_ranks(draws, order, deck)
    else:
        hand = draws.choice(game.hands)
        seats = sorted({place for place in order if place > 0})
        seat = draws.choice(seats) if seats else 0
        aimed = {seat if at == 0 else 1 - at for at in hand.places}
        slots = draws.shuffle([at for at, place in enumerate(order) if place in aimed])
        stacked = dict(zip(slots, _pattern_cards(draws, pattern, deck), strict=False))
    for card in stacked.values():
        deck.remove(card)
    return [stacked[at] if at in stacked else deck.pop() for at in range(len(order))] + deck[::-1]


def _two_ranks(draws: Draws, order: Sequence[PlaceNumber], deck: list[Card]) -> dict[int, Card]:
    """Common cards of two ranks, both held by each seat: several hands match all of them."""
    pair = draws.sample(range(13), 2)
    cards = {chosen: [card for card in deck if rank(card) == chosen] for chosen in pair}
    stacked: dict[int, Card] = {}
    for place in dict.fromkeys(order):
        slots = draws.shuffle([at for at, dealt in enumerate(order) if dealt == place])
        for number, slot in enumerate(slots if place <= 0 else slots[:2]):
            chosen = pair[number] if number < 2 else draws.choice(pair)
            if cards[chosen]:
                stacked[slot] = cards[chosen].pop()
    return stacked


def _pattern_cards(draws: Draws, pattern: str, deck: list[Card]) -> list[Card]:
    ranks, suits = range(13), range(4)
    if pattern == "suit":
        chosen = draws.choice(suits)
        return [card for card in deck if suit(card) == chosen]
    if pattern in ("run", "suited run", "royal run"):
        low, chosen = 8 if pattern == "royal run" else draws.below(9), draws.choice(suits)
        same = deck if pattern == "run" else [card for card in deck if suit(card) == chosen]
        return draws.shuffle(_one_per_rank(same, range(low, low + 5)))
    if pattern in ("groups", "four", "two ranks"):
        shape = {"four": (4,), "one rank": (len(deck),)}.get(pattern) or draws.choice(GROUPS)
        return [
            card
            for size, chosen in zip(shape, draws.sample(ranks, len(shape)), strict=True)
            for card in [card for card in deck if rank(card) == chosen][:size]
        ]
    return []


def _one_per_rank(cards: list[Card], ranks: range) -> list[Card]:
    """The first card of each rank."""
    first: dict[int, Card] = {}
    for card in cards:
        first.setdefault(rank(card), card)
    return [first[card_rank] for card_rank in ranks]


# Dealing and paying as a dealer does them ---------------------------------------------------------


def packets(game: Game, order: Sequence[PlaceNumber]) -> tuple[Packet, ...]:
    """Split a deal into packets: whole hands, or as many cards at a time as the sheet says."""
    at_once = game.sheet.deal.at_a_time
    counts: Counter[PlaceNumber] = Counter()
    groups = []
    for place, group in groupby(order):
        cards = len(list(group))
        size = min(at_once or cards, cards) if place > 0 else cards
        for start in range(0, cards, size):
            packet = Packet(place, min(size, cards - start), counts[place] + 1)
            counts[place] += packet.cards
            groups.append(packet)
    return tuple(groups)


def payments(final: Round, steps: int | None = None) -> tuple[Payment, ...]:
    """The settlement stop by stop, or its first steps, without what a fold already lost."""
    return tuple(_payments(final, steps))


def _payments(final: Round, steps: int | None) -> Iterator[Payment]:
    sides = final.game.sheet.side
    for seat, group in final.to_settle[:steps]:
        hand = next(settlement for settlement in final.settlements if settlement.seat == seat)
        lines = tuple(
            line
            for line in hand.lines
            if (line.wager if line.wager in sides else "main") in group
            and line.outcome != FOLDED.outcome
        )
        if lines:
            yield Payment(
                seat,
                tuple(sorted(lines, key=lambda line: layout_order(final.game, line.wager))),
            )


# What is shown, and what is on file ---------------------------------------------------------------


def layout_of(round: Round, *numbers: int) -> Layout:
    """The layout with all seats, or some."""
    game = round.game
    common = tuple(
        (say("drills.place", place=place.id, title=place.title.capitalize()), pile.cards)
        for place, pile in zip(game.places[1:], round.piles, strict=True)
    )
    seats = [seat for seat in round.seats if not numbers or seat.number in numbers]
    return Layout(common, tuple(_seat_layout(game, seat) for seat in seats))


def _seat_layout(game: Game, seat: Seat) -> SeatLayout:
    wagers = tuple((game.wager_title(wager), stake) for wager, stake in stakes_in_order(game, seat))
    plays = tuple(play.label for play in seat.plays if play.folds or play.declaration)
    return SeatLayout(seat.number, seat.cards, wagers, plays)


def stakes_in_order(game: Game, seat: Seat) -> list[tuple[str, Cents]]:
    """The wagers of a seat with their stakes, in layout order."""
    return sorted(seat.stakes, key=lambda stake: layout_order(game, stake[0]))


def layout_order(game: Game, wager: str) -> int:
    """The position of a wager on the layout; in Let It Ride the bets to take back come first."""
    wagers = game.sheet.wager_order
    first = game.equals if takes_bets_back(game) else ()
    return [*first, *(other for other in wagers if other not in first)].index(wager)


def takes_bets_back(game: Game) -> bool:
    """Whether players place equal bets and may take some back."""
    return any(play.takes for stage in game.stages for play in stage.plays)


def round_file(played: PlayedRound) -> dict[str, Any]:
    """The round as a round file for `pitbook settle`."""
    final = played.final
    places = zip(final.game.places[1:], final.common, strict=True)
    boards = {
        place.id: [name(card) for card in _complete_hand(place, cards, played.dealt_to(-at))]
        for at, (place, cards) in enumerate(places)
    }
    seats = [_seat_record(played, seat) for seat in final.seats]
    return {"sheet": final.game.sheet.id, **boards, "seats": seats}


def _complete_hand(
    place: CardPlace, named: tuple[Card, ...], dealt: tuple[Card, ...]
) -> tuple[Card, ...]:
    """The cards for a round file: a partly turned hand is written whole."""
    least = place.cards - place.later
    return dealt[:least] if 0 < len(named) < least else named


def _seat_record(played: PlayedRound, seat: Seat) -> dict[str, Any]:
    wagers = {
        action.wager: money(action.amount)
        for action in played.actions
        if isinstance(action, Wager) and action.seat == seat.number
    }
    return {
        "seat": seat.number,
        "wagers": wagers,
        "cards": [name(card) for card in seat.cards],
        "play": [str(play) for play in seat.plays if play != PASSED],
    }
