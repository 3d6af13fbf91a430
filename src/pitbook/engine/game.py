"""What a family of games must answer, so that the engine need never name one."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from pitbook.cards import Card
from pitbook.engine.records import often_changed
from pitbook.engine.refusals import Refusal
from pitbook.engine.settlement import Settlement
from pitbook.money import Cents
from pitbook.sheets.families import Sheet
from pitbook.sheets.model import MainWager


class Stage(NamedTuple):
    """A decision, and how many cards of the board are turned after it."""

    id: str
    title: str
    reveals: int
    clause: str


@often_changed
class Seat(NamedTuple):
    """A position that is played: its player, wagers, cards and choices so far."""

    number: int
    player: str
    main: tuple[tuple[str, Cents], ...] = ()
    side: tuple[tuple[str, Cents], ...] = ()
    laid: int = 0
    cards: tuple[Card, ...] = ()
    plays: tuple[str, ...] = ()
    folded: bool = False
    void: str | None = None

    @property
    def stakes(self) -> tuple[tuple[str, Cents], ...]:
        """Every wager with its amount, in the sheet's order."""
        return self.main + self.side

    def decides_at(self, stage: int) -> bool:
        """Whether its play at a stage is still to come."""
        return len(self.plays) == stage and not self.folded and self.void is None


class Bet(NamedTuple):
    """What a play puts on the table, and whether it is a fold."""

    wager: str | None
    amount: Cents
    folds: bool


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


class Game(Protocol):
    """A sheet bound to its family's rules."""

    def __hash__(self) -> int:
        """Games are told apart, so that words can be kept for each."""

    @property
    def sheet(self) -> Sheet:
        """The rule sheet in force."""

    @property
    def main(self) -> tuple[str, MainWager]:
        """The main wager: its id and its rule."""

    @property
    def hand_size(self) -> int:
        """Cards to each seat."""

    @property
    def board_size(self) -> int:
        """Community cards, or cards of the dealer."""

    @property
    def board_name(self) -> str:
        """What the board is called: community or dealer."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The decisions, in order."""

    @property
    def turned_by(self) -> tuple[int, ...]:
        """By stage, how many cards of the board are turned by its end."""

    def plays(self, stage: int) -> tuple[str, ...]:
        """Every play that the sheet knows at a stage."""

    @property
    def one_by_one(self) -> str | None:
        """The clause by which a player sees a hand when the one before is played, if one does."""

    @property
    def board_always(self) -> bool:
        """Whether the board is turned even when nobody needs it (GEN-5)."""

    def no_play(self, stage: int, play: str) -> Refusal:
        """Why a word is no play at a stage."""

    def bet(self, seat: Seat, stage: int, play: str) -> Bet:
        """What a play costs."""

    def too_much(self, seat: Seat, stage: int, play: str) -> str | None:
        """The clause by which a known play is above a maximum, if it is."""

    @property
    def absent_clause(self) -> str:
        """The clause by which an absent player's hand is played (GEN-10)."""

    def absent_play(self, seat: Seat, stage: int) -> str | None:
        """What an absent player's hand does; None where its cards must be known first."""

    def looks_at_hand(self, seat: Seat) -> bool:
        """Whether a live wager of the seat looks at its cards."""

    def looks_at_board(self, seat: Seat) -> bool:
        """Whether a live wager of the seat looks at the board."""

    def settle(self, seat: Seat, board: tuple[Card, ...]) -> Settlement:
        """The hand's lines before any limit: its cards read, then its wagers priced."""

    def tucked_under(self, seat: Seat) -> str | None:
        """The side wager that a folded hand's cards are tucked under, if any."""

    def board_told(self, board: tuple[Card, ...]) -> str | None:
        """What the dealer says of a board that is turned, if anything."""

    def board_areas(self, board: tuple[Card, ...]) -> Areas | None:
        """The dealer's hands on a board that is turned, where the dealer has two."""

    def points_of(self, hand: tuple[Card, ...]) -> tuple[int, int] | None:
        """What a hand counts low and high, in a game of points."""

    def void(self, seat: Seat, clause: str) -> Settlement:
        """The hand's lines when the round or the hand is void."""
