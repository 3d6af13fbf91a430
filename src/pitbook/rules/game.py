"""Description of a game: places for cards, hands, stages, wagers, and how a seat is settled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from pitbook.cards import Card
from pitbook.money import Cents
from pitbook.rules.named_tuples import fast_replace, replacer
from pitbook.rules.plays import Play
from pitbook.rules.pricing import KindPay, Ranking
from pitbook.rules.refusals import Refusal
from pitbook.rules.settlement import Line, Settlement
from pitbook.sheets.digest import digest
from pitbook.sheets.families import family_of
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import MainWager
from pitbook.text import say

SettleOrder = tuple[tuple[int, tuple[str, ...]], ...]  # Seats, and their wagers to settle.
Stakes = tuple[tuple[str, Cents], ...]
Showdown = tuple[int | None, ...]  # By hand of the game: its kind or points; None: not known.


class Place(NamedTuple):
    """Where cards lie: every seat has the first place, all others are in common.

    `later` of its cards are not dealt with the others, but when a stage opens them. A seat's cards
    are its player's until they are settled, unless they lie `open` to all.
    """

    id: str
    title: str
    cards: int
    later: int = 0
    open: bool = False


class Hand(NamedTuple):
    """Which places make a hand, and what is read in it."""

    name: str
    places: tuple[int, ...]
    ranking: Ranking


class Duel(NamedTuple):
    """Two hands compared for whoever has said its name, and for whom a tie is.

    A dealer's hand may have to qualify: below its `least` number that is an event of its own.
    """

    name: str
    own: str
    other: str
    low: bool
    ties: Literal["player", "dealer", "push"]
    least: int | None = None


class When(NamedTuple):
    """A condition on what a seat sees: a hand of the game that reads as one of these numbers."""

    hand: str
    among: frozenset[int]


class Stage(NamedTuple):
    """A decision: how many cards of each place lie open before it, and the plays.

    Open counts, not increments, so that a stage can be passed over. Without plays it only opens
    cards. After the last one every card that was dealt lies open.
    """

    id: str
    title: str
    clause: str
    opens: tuple[int, ...]
    plays: tuple[Play, ...]
    once: bool = False  # Passed over by a seat that has put something on the table before.
    when: When | None = None  # Passed over unless this is so.
    most: Cents | None = None  # The most money that one play may put, whatever its multiple.
    turned: str = ""  # The clause under which cards are turned after it, where it is another.


class GameWager(NamedTuple):
    """A wager of the game: the hand that its pay table asks for, and whether a fold takes it."""

    wager: str
    hand: str
    survives: bool


@fast_replace
class Seat(NamedTuple):
    """A position that is played: its player, wagers, cards and choices so far."""

    number: int
    player: str
    main: tuple[tuple[str, Cents], ...] = ()
    side: tuple[tuple[str, Cents], ...] = ()
    laid: int = 0
    cards: tuple[Card, ...] = ()
    plays: tuple[Play, ...] = ()
    folded: bool = False
    void: str | None = None

    @property
    def stakes(self) -> tuple[tuple[str, Cents], ...]:
        """Every wager with its amount, in the sheet's order."""
        return self.main + self.side

    def decides_at(self, stage: int) -> bool:
        """Whether its play at a stage is still to come."""
        return len(self.plays) == stage and not self.folded and self.void is None

    def cost(self, play: Play) -> Cents:
        """What a play puts on the table."""
        return Cents(self.main[0][1] * play.times if self.main else 0)

    def made(self, play: Play) -> Seat:
        """The seat after a play."""
        main, stake = self.main, self.main[0][1]
        if play.takes:
            main = tuple(one for one in main if one[0] not in play.takes)
        for wager, times in play.puts:
            put = Cents(stake * times)
            for name, _ in main:  # A comprehension would cost three times as much.
                if name == wager:
                    main = _is_higher(main, wager, put)
                    break
            else:
                main = (*main, (wager, put))
        return _with_plays(self, main, (*self.plays, play), play.folds)


_with_plays = replacer(Seat, "main", "plays", "folded")


def _is_higher(main: Stakes, wager: str, by: Cents) -> Stakes:
    """The wagers, one of them higher than before."""
    return tuple((name, Cents(lies + by) if name == wager else lies) for name, lies in main)


class Printed(NamedTuple):
    """An area that is printed for cards in common: its name, and how many of them lie there.

    The cards of one that is shared stand in the hands on both sides of it.
    """

    title: str
    cards: int
    shared: bool = False


class Game(ABC):
    """A sheet compiled: its structure, and the two functions that every settlement goes through."""

    sheet: Sheet
    places: tuple[Place, ...]
    hands: tuple[Hand, ...]
    duels: tuple[Duel, ...] = ()
    stages: tuple[Stage, ...]
    asked: tuple[GameWager, ...]  # The main game's wagers as one, "main", then every side wager.
    equals: tuple[str, ...] = ()  # Wagers that are made along with the main one, as high as it.
    one_by_one: str | None = None  # The clause by which hands are seen one after the other.
    board_always: bool = False  # Whether the board is turned even when nobody needs it (GEN-5).
    printed: tuple[Printed, ...] = ()  # The board's areas, from the players' left to their right.
    dealer_clause: str | None = None  # By which a dealer's hand is laid out, or qualifies.
    absent_clause: str  # By which an absent player's hand is played (GEN-10).
    tried: Any = None  # Other pays than the sheet's, where a comparison tries them.

    # The two functions ---------------------------------------------------------------------------

    @abstractmethod
    def read(self, cards: tuple[Card, ...], *common: tuple[Card, ...]) -> Showdown:
        """What a pay rule can ask of a seat's cards and those in common, by hand of the game."""

    @abstractmethod
    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        """Every wager's line, before limits."""

    # What a table asks ---------------------------------------------------------------------------

    @abstractmethod
    def no_play(self, stage: int, play: str) -> Refusal:
        """Why a word is no play at a stage."""

    @abstractmethod
    def too_much(self, seat: Seat, stage: int, play: Play) -> str | None:
        """The clause by which a known play is above a maximum, if it is."""

    @abstractmethod
    def absent_play(self, seat: Seat, stage: int) -> Play | None:
        """What an absent player's hand does; None where its cards must be known first."""

    @abstractmethod
    def looks_at_hand(self, seat: Seat) -> bool:
        """Whether a live wager of the seat looks at its cards."""

    @abstractmethod
    def looks_at_board(self, seat: Seat) -> bool:
        """Whether a live wager of the seat looks at the board."""

    @abstractmethod
    def void(self, seat: Seat, clause: str) -> Settlement:
        """The hand's lines when the round or the hand is void."""

    def settle(self, seat: Seat, *common: tuple[Card, ...]) -> Settlement:
        """The hand's lines before any limit: its cards read, then its wagers priced."""
        return Settlement(seat.number, self.price(self.read(seat.cards, *common), seat))

    def certain(self, seat: Seat, *common: tuple[Card, ...]) -> bool:
        """Whether no card that is still closed can change what a seat's wagers come to."""
        return seat.folded and not self.looks_at_board(seat)

    def with_pays(self, pays: tuple[KindPay, ...]) -> Game | None:
        """The game with other pays of its main wagers, by kind; None where they go by no kind."""
        return None

    def tucked_under(self, seat: Seat) -> str | None:
        """The side wager that a folded hand's cards are tucked under, if any."""
        return None

    def board_told(self, board: tuple[Card, ...]) -> str | None:
        """What the dealer says of a board that is turned, if anything."""
        return None

    def dealer_needs(self) -> str | None:
        """The least hand with which the dealer qualifies, in words, where there is one."""
        return None

    def board_areas(self, board: tuple[Card, ...]) -> Areas | None:
        """The dealer's hands on a board that is turned, where the dealer has two."""
        return None

    def points_of(self, hand: tuple[Card, ...]) -> tuple[int, int] | None:
        """What a hand counts low and high, in a game of points."""
        return None

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Where a hand is laid that has said which duel it is for; none where nothing is said."""
        said = {play.said for stage in self.stages for play in stage.plays}
        names = [duel.name for duel in self.duels if duel.name in said]
        return tuple(Box(name, name.capitalize(), name) for name in names)

    def wager_title(self, wager: str) -> str:
        """What a wager is called on the layout."""
        main, rule = self.main
        if wager == main:
            return rule.title
        if wager in self.sheet.side:
            return self.sheet.side[wager].title
        titles = {stage.id: stage.title for stage in self.stages}
        return titles.get(wager) or say("game.wager", wager=wager, title=wager.capitalize())

    # What follows from the structure -------------------------------------------------------------

    @cached_property
    def main(self) -> tuple[str, MainWager]:
        """The main wager: its id and its rule."""
        return self.sheet.main_id, self.sheet.main_wager

    @cached_property
    def hand_size(self) -> int:
        """Cards to each seat."""
        return self.places[0].cards

    @cached_property
    def board_size(self) -> int:
        """Community cards, or cards of the dealer."""
        return self.places[1].cards

    @cached_property
    def board_name(self) -> str:
        """What the board is called."""
        return self.places[1].title

    @cached_property
    def straight(self) -> bool:
        """Whether every seat comes to every stage, and cards in common lie in one place, closed.

        Then the board alone is turned between decisions, and the engine need not look further.
        """
        return (
            len(self.places) == 2
            and not any(place.later for place in self.places)
            and not any(self.stages[0].opens[1:])
            and all(one.plays and not one.once and one.when is None for one in self.stages)
        )

    @cached_property
    def orders(self) -> dict[Any, SettleOrder]:
        """Orders of settlement that were worked out, by seats and their side wagers."""
        return {}

    @cached_property
    def deals(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        """Orders of the first deal that were worked out, by the seats that are dealt in."""
        return {}

    @cached_property
    def decks(self) -> int:
        """The decks in play."""
        return self.sheet.deck.decks

    @cached_property
    def seen_in_play(self) -> bool:
        """Whether cards in common lie open at some decision."""
        return any(any(stage.opens[1:]) for stage in self.stages)

    @cached_property
    def board_is_a_hand(self) -> bool:
        """Whether the cards in common are a hand that others are compared with, a dealer's."""
        return any(0 not in self.hand(duel.other).places for duel in self.duels)

    @cached_property
    def turned_by(self) -> tuple[int, ...]:
        """By stage, how many cards of the board are turned by its end."""
        return (*(stage.opens[1] for stage in self.stages[1:]), self.board_size)

    @cached_property
    def _by_text(self) -> tuple[dict[str, Play], ...]:
        return tuple({play: play for play in stage.plays} for stage in self.stages)

    def plays(self, stage: int) -> tuple[Play, ...]:
        """Every play that the sheet knows at a stage."""
        return self.stages[stage].plays

    def play(self, stage: int, text: str) -> Play | None:
        """The play of a stage that a text stands for."""
        return self._by_text[stage].get(text)

    @cached_property
    def choices(self) -> tuple[tuple[KeyedPlay, ...], ...]:
        """By stage, its plays as they are put to a person."""
        return tuple(choices(stage.plays) for stage in self.stages)

    def fold(self, stage: int) -> Play | None:
        """The play by which a hand is given up at a stage, if there is one."""
        return next((play for play in self.plays(stage) if play.folds), None)

    def reaches(self, stage: int, seat: Seat, *common: tuple[Card, ...]) -> bool:
        """Whether a stage comes to a seat that sees its own cards and these in common."""
        rule = self.stages[stage]
        if rule.once and any(play.puts for play in seat.plays):
            return False
        if rule.when is None:
            return True
        return self.reads(rule.when.hand, seat, *common) in rule.when.among

    def may(self, stage: int, seat: Seat, *common: tuple[Card, ...]) -> tuple[Play, ...]:
        """The plays of a stage that the seat's hand allows, by the cards that it sees."""
        return tuple(play for play in self.plays(stage) if self.allows(play, seat, *common))

    def allows(self, play: Play, seat: Seat, *common: tuple[Card, ...]) -> bool:
        """Whether a seat's hand is good enough for a play; cards not yet known forbid nothing."""
        if play.needs is None:
            return True
        read = self.reads(play.needs.hand, seat, *common)
        return read is None or read >= play.needs.least

    def reads(self, hand: str, seat: Seat, *common: tuple[Card, ...]) -> int | None:
        """What a hand of the game reads as for a seat, by the cards that are named."""
        return self.read(seat.cards, *common)[self._hand_at[hand]]

    @cached_property
    def _hand_at(self) -> dict[str, int]:
        return {hand.name: place for place, hand in enumerate(self.hands)}

    def hand(self, name: str) -> Hand:
        """A hand of the game by its name."""
        return next(one for one in self.hands if one.name == name)

    def looks_at(self, wager: str) -> Hand:
        """The hand that a wager's pay table asks for, "main" or a side wager's."""
        return self.hand(next(one.hand for one in self.asked if one.wager == wager))

    def shown(self, **kinds: int | None) -> Showdown:
        """A showdown of which some hands are known."""
        return tuple(kinds.get(one.name) for one in self.hands)

    # Games of equal sheets are equal, whatever was loaded when -----------------------------------

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    @cached_property
    def digest(self) -> str:
        """The hash of its sheet: every round that is settled says it."""
        return digest(self.sheet)

    @cached_property
    def _content(self) -> tuple[str, Any]:
        return self.digest, self.tried


class Area(NamedTuple):
    """An area of the layout: its name, its cards, and what they count."""

    title: str
    cards: tuple[Card, ...]
    points: int | None = None


class Areas(NamedTuple):
    """A dealer's cards as they lie: a low and a high hand, and the card that stands in both."""

    low: Area
    shared: Area | None
    high: Area
    row: tuple[Card, ...]  # From the players' left to their right, the shared card once.
    shared_at: int | None
    in_row: tuple[Area, ...]  # The areas in the same order, as they are printed.


class Box(NamedTuple):
    """Where a hand is laid by what it says: what is printed there, and how the hand lies."""

    says: str
    title: str
    laid: str
    across: bool = False


class KeyedPlay(NamedTuple):
    """A play, the key it is made by, and the play that it only adds a wager to, if it does.

    The key of one that adds is the wager's: pressed first, then the other play's.
    """

    play: Play
    key: str
    plain: Play | None


def choices(plays: Sequence[Play]) -> tuple[KeyedPlay, ...]:
    """The plays in their order, each with the first sign of its name that is no other's key.

    >>> from pitbook.rules.plays import FOLD, bets, play_text
    >>> [one.key for one in choices((FOLD, bets("flop", 1), bets("flop", 10)))]
    ['f', '1', '0']
    >>> [(c.key, c.plain) for c in choices((play_text("low"), play_text("low", "double", 1)))]
    [('l', None), ('d', 'low')]
    """
    keys: dict[str, str] = {}
    found = []
    for play in plays:
        plain = _plain_choice(play, plays)
        name = play if plain is None else play.puts[0][0]
        if name not in keys:
            keys[name] = next((sign for sign in name if sign not in keys.values()), "")
        found.append(KeyedPlay(play, keys[name], plain))
    return tuple(found)


def _plain_choice(play: Play, plays: Sequence[Play]) -> Play | None:
    """The play that says the same, and puts nothing on the table."""
    if not play.said or not play.puts:
        return None
    return next((one for one in plays if one.said == play.said and not one.puts), None)


def compile_game(sheet: Sheet) -> Game:
    """The game that a sheet's family makes of it."""
    game: Game = family_of(sheet).compile(sheet)
    return game
