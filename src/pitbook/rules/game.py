"""Definition of a game: places for cards, hands, stages, wagers, and the settlement of a seat."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple

from pitbook.cards import Card
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.named_tuples import fast_replace, replacer
from pitbook.rules.refusals import Refusal
from pitbook.rules.settlement_lines import KindPay, Line, Ranking, Settlement
from pitbook.sheets.family_registry import family_of
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import MainWager, Sheet
from pitbook.text import say

SettleOrder = tuple[tuple[int, tuple[str, ...]], ...]  # Seats, and their wagers to settle.
Stakes = tuple[tuple[str, Cents], ...]
Showdown = tuple[int | None, ...]  # By hand of the game: its kind or points; None if unknown.


class Place(NamedTuple):
    """A place for cards: the first is each seat's own, all others are shared.

    `later` cards are dealt when a stage opens them. Seat cards stay hidden from other players until
    settlement, unless they are `open`.
    """

    id: str
    title: str
    cards: int
    later: int = 0
    open: bool = False


class Hand(NamedTuple):
    """The places that make a hand, and how it is ranked."""

    name: str
    places: tuple[int, ...]
    ranking: Ranking


class Duel(NamedTuple):
    """A comparison of two hands for a declaration, with its tie rule.

    A dealer's hand may have to qualify: below `least` there is a separate event.
    """

    name: str
    own: str
    other: str
    low: bool
    ties: Literal["player", "dealer", "push"]
    least: int | None = None


class When(NamedTuple):
    """A condition on what a seat sees: a hand of the game has one of these numbers."""

    hand: str
    among: frozenset[int]


class Stage(NamedTuple):
    """A decision: how many cards of each place are open before it, and the plays.

    Counts, not increments, so that a stage can be skipped. Without plays a stage only opens cards.
    After the last stage every dealt card is open.
    """

    id: str
    title: str
    clause: str
    opens: tuple[int, ...]
    plays: tuple[Play, ...]
    once: bool = False  # Skipped by a seat that has raised before.
    when: When | None = None  # Skipped unless this holds.
    most: Cents | None = None  # The most money that one play may bet, whatever its multiple.
    turned: str = ""  # The clause for turning cards after this stage, if it has its own.


class GameWager(NamedTuple):
    """A wager of the game: the hand that its pay table uses, and whether it survives a fold."""

    wager: str
    hand: str
    survives: bool


@fast_replace
class Seat(NamedTuple):
    """A seat in play: its player, wagers, cards and choices so far."""

    number: int
    player: str
    main: tuple[tuple[str, Cents], ...] = ()
    side: tuple[tuple[str, Cents], ...] = ()
    cards_dealt: int = 0
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
        """The amount that a play adds."""
        return Cents(self.main[0][1] * play.times if self.main else 0)

    def after_play(self, play: Play) -> Seat:
        """The seat after a play."""
        main = stakes_after(self.main, play)
        return _with_plays(self, main, (*self.plays, play), play.folds)


_with_plays = replacer(Seat, "main", "plays", "folded")


def stakes_after(stakes: Stakes, play: Play) -> Stakes:
    """The main wagers after a play; its bets are multiples of the first."""
    changed = stakes
    if play.takes:
        changed = tuple(wager_stake for wager_stake in stakes if wager_stake[0] not in play.takes)
    for wager, times in play.puts:
        added = Cents(stakes[0][1] * times)
        for name, _ in changed:  # A comprehension takes three times as long.
            if name == wager:
                changed = _increase_wager(changed, wager, added)
                break
        else:
            changed = (*changed, (wager, added))
    return changed


def _increase_wager(main: Stakes, wager: str, added: Cents) -> Stakes:
    """The wagers, with one increased."""
    return tuple((name, Cents(stake + added) if name == wager else stake) for name, stake in main)


class Printed(NamedTuple):
    """A printed area for shared cards: its title, and how many cards are placed there.

    The cards of a shared area count in the hands on both sides.
    """

    title: str
    cards: int
    shared: bool = False


class Game(ABC):
    """A compiled sheet: its structure, and `read` and `price`, which every settlement uses."""

    sheet: Sheet
    places: tuple[Place, ...]
    hands: tuple[Hand, ...]
    duels: tuple[Duel, ...] = ()
    stages: tuple[Stage, ...]
    # The main game's wagers as one, "main", then every side wager.
    wager_rules: tuple[GameWager, ...]
    equals: tuple[str, ...] = ()  # Wagers placed with the main one, in the same amount.
    # The clause under which a player looks at several hands one after the other.
    one_by_one: str | None = None
    board_always: bool = False  # Whether the board is turned even if no wager uses it (GEN-5).
    printed: tuple[Printed, ...] = ()  # The board's areas, from the players' left to their right.
    dealer_clause: str | None = None  # For laying out or qualifying a dealer's hand.
    absent_clause: str  # For playing an absent player's hand (GEN-10).
    trial_pays: Any = None  # Trial payouts instead of the sheet's.

    # Read and price

    @abstractmethod
    def read(self, cards: tuple[Card, ...], *common: tuple[Card, ...]) -> Showdown:
        """What pay rules use of a seat's and the shared cards, by hand of the game."""

    @abstractmethod
    def price(self, showdown: Any, seat: Seat) -> tuple[Line, ...]:
        """The line for each wager, before payout caps."""

    # Plays and results

    @abstractmethod
    def unknown_play(self, stage: int, play: str) -> Refusal:
        """The refusal of an unknown play at a stage."""

    @abstractmethod
    def exceeded_clause(self, seat: Seat, stage: int, play: Play) -> str | None:
        """The clause violated if a play exceeds a maximum, else None."""

    @abstractmethod
    def absent_play(self, seat: Seat, stage: int) -> Play | None:
        """The play for an absent player; None if the cards must be known first."""

    @abstractmethod
    def looks_at_hand(self, seat: Seat) -> bool:
        """Whether a live wager of the seat uses its cards."""

    @abstractmethod
    def looks_at_board(self, seat: Seat) -> bool:
        """Whether a live wager of the seat uses the board."""

    @abstractmethod
    def void(self, seat: Seat, clause: str) -> Settlement:
        """The lines of a void hand."""

    def settle(self, seat: Seat, *common: tuple[Card, ...]) -> Settlement:
        """The hand's lines before payout caps."""
        return Settlement(seat.number, self.price(self.read(seat.cards, *common), seat))

    def certain(self, seat: Seat, *common: tuple[Card, ...]) -> bool:
        """Whether closed cards can no longer change the result of a seat's wagers."""
        return seat.folded and not self.looks_at_board(seat)

    def with_pays(self, pays: tuple[KindPay, ...]) -> Game | None:
        """The game with other main payouts by kind of hand; None if it has no such pay table."""
        return None

    def tucked_under(self, seat: Seat) -> str | None:
        """The side wager under which a folded hand's cards are tucked, if any."""
        return None

    def board_text(self, board: tuple[Card, ...]) -> str | None:
        """The dealer's announcement of a turned board, if any."""
        return None

    def dealer_needs(self) -> str | None:
        """The lowest qualifying dealer hand in words, if there is one."""
        return None

    def board_areas(self, board: tuple[Card, ...]) -> Areas | None:
        """The dealer's hands on a turned board, if the dealer has two."""
        return None

    def points_of(self, hand: tuple[Card, ...]) -> tuple[int, int] | None:
        """The low and high points of a hand, in a game of points."""
        return None

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes for declared hands; none without declarations."""
        declarations = {play.declaration for stage in self.stages for play in stage.plays}
        names = [duel.name for duel in self.duels if duel.name in declarations]
        return tuple(Box(name, name.capitalize(), name) for name in names)

    def wager_title(self, wager: str) -> str:
        """A wager's title on the layout."""
        main, rule = self.main
        if wager == main:
            return rule.title
        if wager in self.sheet.side:
            return self.sheet.side[wager].title
        titles = {stage.id: stage.title for stage in self.stages}
        return titles.get(wager) or say("game.wager", wager=wager, title=wager.capitalize())

    # Derived properties

    @cached_property
    def main(self) -> tuple[str, MainWager]:
        """The main wager: its id and its rule."""
        return self.sheet.main_id, self.sheet.main_wager

    @cached_property
    def hand_size(self) -> int:
        """Cards per seat."""
        return self.places[0].cards

    @cached_property
    def board_size(self) -> int:
        """The number of community or dealer cards."""
        return self.places[1].cards

    @cached_property
    def board_name(self) -> str:
        """The title of the board."""
        return self.places[1].title

    @cached_property
    def is_linear(self) -> bool:
        """Whether every seat reaches every stage and all shared cards start face down in one place.

        Then only the board is turned between decisions, which allows a fast path.
        """
        return (
            len(self.places) == 2
            and not any(place.later for place in self.places)
            and not any(self.stages[0].opens[1:])
            and all(stage.plays and not stage.once and stage.when is None for stage in self.stages)
        )

    @cached_property
    def orders(self) -> dict[Any, SettleOrder]:
        """Cache of settlement orders, by seats and their side wagers."""
        return {}

    @cached_property
    def deals(self) -> dict[tuple[int, ...], tuple[int, ...]]:
        """Cache of orders of the first deal, by seats."""
        return {}

    @cached_property
    def decks(self) -> int:
        """The number of decks."""
        return self.sheet.deck.decks

    @cached_property
    def restricts_plays(self) -> bool:
        """Whether some plays need a hand of a certain strength."""
        return any(play.needs is not None for stage in self.stages for play in stage.plays)

    @cached_property
    def limits_bets(self) -> bool:
        """Whether `exceeded_clause` can refuse a play."""
        return True

    @cached_property
    def plays_in_runs(self) -> bool:
        """Whether `play_runs` can play it: every known play is allowed whenever a seat decides."""
        return self.is_linear and not self.restricts_plays and not self.limits_bets

    @cached_property
    def board_open_in_play(self) -> bool:
        """Whether shared cards are open at some decision."""
        return any(any(stage.opens[1:]) for stage in self.stages)

    @cached_property
    def board_is_a_hand(self) -> bool:
        """Whether the shared cards are a dealer's hand that others are compared with."""
        return any(0 not in self.hand(duel.other).places for duel in self.duels)

    @cached_property
    def turned_by(self) -> tuple[int, ...]:
        """By stage, how many board cards are turned by its end."""
        return (*(stage.opens[1] for stage in self.stages[1:]), self.board_size)

    @cached_property
    def plays_by_text(self) -> tuple[dict[str, Play], ...]:
        return tuple({play: play for play in stage.plays} for stage in self.stages)

    def plays(self, stage: int) -> tuple[Play, ...]:
        """All plays of a stage."""
        return self.stages[stage].plays

    def play(self, stage: int, text: str) -> Play | None:
        """The play of a stage with that text."""
        return self.plays_by_text[stage].get(text)

    @cached_property
    def choices(self) -> tuple[tuple[KeyedPlay, ...], ...]:
        """By stage, its plays with keys."""
        return tuple(choices(stage.plays) for stage in self.stages)

    def fold(self, stage: int) -> Play | None:
        """The play that folds at a stage, if any."""
        return next((play for play in self.plays(stage) if play.folds), None)

    def reaches(self, stage: int, seat: Seat, *common: tuple[Card, ...]) -> bool:
        """Whether a stage reaches a seat that sees its own cards and these shared ones."""
        rule = self.stages[stage]
        if rule.once and any(play.puts for play in seat.plays):
            return False
        if rule.when is None:
            return True
        return self.hand_value(rule.when.hand, seat, *common) in rule.when.among

    def allowed_plays(self, stage: int, seat: Seat, *common: tuple[Card, ...]) -> tuple[Play, ...]:
        """The plays of a stage that the seat's hand allows, by the cards that it sees."""
        return tuple(play for play in self.plays(stage) if self.allows(play, seat, *common))

    def allows(self, play: Play, seat: Seat, *common: tuple[Card, ...]) -> bool:
        """Whether a seat's hand is good enough for a play; unknown cards rule nothing out."""
        if play.needs is None:
            return True
        strength = self.hand_value(play.needs.hand, seat, *common)
        return strength is None or strength >= play.needs.least

    def hand_value(self, hand: str, seat: Seat, *common: tuple[Card, ...]) -> int | None:
        """The number of a hand for a seat, from the cards named so far."""
        return self.read(seat.cards, *common)[self._hand_at[hand]]

    @cached_property
    def _hand_at(self) -> dict[str, int]:
        return {hand.name: index for index, hand in enumerate(self.hands)}

    def hand(self, name: str) -> Hand:
        """A hand of the game by its name."""
        return next(hand for hand in self.hands if hand.name == name)

    def looks_at(self, wager: str) -> Hand:
        """The hand used by a wager's pay table, "main" or a side wager's."""
        return self.hand(
            next(wager_rule.hand for wager_rule in self.wager_rules if wager_rule.wager == wager)
        )

    def showdown(self, **kinds: int | None) -> Showdown:
        """A showdown in which some hands are known."""
        return tuple(kinds.get(hand.name) for hand in self.hands)

    # Games of equal sheets are equal

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    @cached_property
    def digest(self) -> str:
        """The hash of its sheet, included in every settlement report."""
        return digest(self.sheet)

    @cached_property
    def _content(self) -> tuple[str, Any]:
        return self.digest, self.trial_pays


class Area(NamedTuple):
    """An area of the layout: its title, cards and points."""

    title: str
    cards: tuple[Card, ...]
    points: int | None = None


class Areas(NamedTuple):
    """A dealer's cards as laid out: a low and a high hand, and the card they share."""

    low: Area
    shared: Area | None
    high: Area
    row: tuple[Card, ...]  # From the players' left to their right, the shared card once.
    shared_at: int | None
    in_row: tuple[Area, ...]  # In the order of `row`.


class Box(NamedTuple):
    """The box for a declared hand: its title, and how the hand is placed."""

    says: str
    title: str
    laid: str
    across: bool = False


class KeyedPlay(NamedTuple):
    """A play, its key, and the play that it extends by a wager, if any.

    The key of such a play is the wager's: pressed before the plain play's key.
    """

    play: Play
    key: str
    plain: Play | None


def choices(plays: Sequence[Play]) -> tuple[KeyedPlay, ...]:
    """The plays in order, each with the first character of its name that is still free as a key.

    >>> from pitbook.rules.actions import FOLD, bets, declaration_play
    >>> [choice.key for choice in choices((FOLD, bets("flop", 1), bets("flop", 10)))]
    ['f', '1', '0']
    >>> plays = declaration_play("low"), declaration_play("low", "double", 1)
    >>> [(choice.key, choice.plain) for choice in choices(plays)]
    [('l', None), ('d', 'low')]
    """
    keys: dict[str, str] = {}
    keyed_plays = []
    for play in plays:
        plain = _plain_choice(play, plays)
        name = play if plain is None else play.puts[0][0]
        if name not in keys:
            keys[name] = next(
                (character for character in name if character not in keys.values()), ""
            )
        keyed_plays.append(KeyedPlay(play, keys[name], plain))
    return tuple(keyed_plays)


def _plain_choice(play: Play, plays: Sequence[Play]) -> Play | None:
    """The play with the same declaration and no further wager."""
    if not play.declaration or not play.puts:
        return None
    return next(
        (choice for choice in plays if choice.declaration == play.declaration and not choice.puts),
        None,
    )


GAMES_MAX = 64  # Compiled games in memory.


@lru_cache(maxsize=GAMES_MAX)
def compile_game(sheet: Sheet) -> Game:
    """The compiled game of a sheet; the same sheet, or an equal one, gets the same game."""
    game: Game = family_of(sheet).compile(sheet)
    return game
