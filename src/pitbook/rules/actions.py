"""Actions of a round and plays at a decision, and how they are written as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args, get_type_hints

from pitbook.cards import Card, card, name
from pitbook.errors import PitbookError, RoundError
from pitbook.money import Cents, dollars, money
from pitbook.text import say, sentence_of
from pitbook.text.user_input import printable, show_value

BOARD = 0  # The first shared place: the community cards or the dealer's hand.

PlaceNumber: TypeAlias = int  # A seat's number; or 0, -1, -2: shared places, in the game's order.
PLACES = {"board": BOARD, "board-1": -1, "board-2": -2}  # As recorded.


def format_place(place: PlaceNumber) -> str | int:
    """A place as recorded.

    >>> format_place(3), format_place(BOARD), format_place(-1)
    (3, 'board', 'board-1')
    """
    return place if place > BOARD else "board" if place == BOARD else f"board{place}"


def parse_place(text: str | int) -> PlaceNumber:
    """Inverse of `format_place`."""
    return PLACES[text] if isinstance(text, str) else text


class Wager(NamedTuple):
    """Place a wager before the deal, or change it."""

    seat: int
    player: str
    wager: str
    amount: Cents


class Withdraw(NamedTuple):
    """Return a wager before the deal; returning the main wager leaves the seat."""

    seat: int
    wager: str


class Close(NamedTuple):
    """No more wagers."""


class Deal(NamedTuple):
    """Deal one card face down."""

    place: PlaceNumber


class Turn(NamedTuple):
    """Reveal the value of a face-down card."""

    place: PlaceNumber
    card: Card


class Decide(NamedTuple):
    """Play: fold, 1x, 2x, ... or low, high, low+double, high+double."""

    seat: int
    play: str


class Absent(NamedTuple):
    """The clock ran out for a seat; with `short`, the player lacks the chips to go on (GEN-10)."""

    seat: int
    short: bool | None = None


class Settle(NamedTuple):
    """Pay or collect at the next seat in the sheet's order, during or after the round."""

    at_once: bool | None = None


class Misdeal(NamedTuple):
    """A misdeal: the round is void if it is found in time (GEN-6)."""

    reason: str
    card_count: bool = False


VoidReason = Literal["information", "supervisor"]
InformationPart = Literal["gave", "took"]


class VoidHand(NamedTuple):
    """A hand is void: for information given or taken (forfeit), or by the supervisor.

    The sheet says which hand forfeits. Without `part`, this hand is always void.
    """

    seat: int
    reason: VoidReason
    part: InformationPart | None = None


class Expose(NamedTuple):
    """The dealer showed a card too early or to the wrong people (GEN-8)."""

    place: PlaceNumber
    card: Card


class Fouled(NamedTuple):
    """A card turned up that the decks cannot hold (GEN-9)."""

    card: Card


class Warn(NamedTuple):
    """A breach that is recorded without penalty, such as cards taken off the table (CMS-15)."""

    seat: int
    breach: str


class Interrupted(NamedTuple):
    """Play stopped for an outside reason; `agreed` if all players with a live wager will finish."""

    agreed: bool
    why: str | None = None


Action: TypeAlias = (
    Wager
    | Withdraw
    | Close
    | Deal
    | Turn
    | Decide
    | Absent
    | Settle
    | Misdeal
    | VoidHand
    | Expose
    | Fouled
    | Warn
    | Interrupted
)


ActionT = TypeVar("ActionT")
Reader = Callable[[Any], Any]
FieldCheck = Callable[[type, str, Any], None]


class ActionJson(Generic[ActionT]):
    """JSON codec for a set of named tuple types; `check` may refuse more than the types do."""

    def __init__(
        self,
        label: str,
        kinds: Mapping[str, type],
        *,
        readers: Mapping[str, Reader] | None = None,
        check: FieldCheck | None = None,
    ) -> None:
        self.what, self.kinds = label, kinds
        self.kind_names = {kind: action_name for action_name, kind in kinds.items()}
        self._special = {**_READERS, **(readers or {})}
        self._check = check
        self._codecs: dict[str, _FieldCodec] = {}

    def encode(self, record: Any) -> dict[str, Any]:
        """The record as JSON, without fields that are None."""
        document = {"do": self.kind_names[type(record)]}
        for key, value in zip(record._fields, record, strict=True):
            if value is not None:
                document[key] = _dump(key, value)
        return document

    def decode(self, document: Any) -> ActionT:
        """The record for a JSON object; raises RoundError."""
        action_name = document.get("do") if isinstance(document, dict) else None
        if not isinstance(action_name, str) or action_name not in self.kinds:
            fields = {"value": show_value(document), "what": self.what, "known": tuple(self.kinds)}
            raise RoundError(say("engine.written.unknown", **fields))
        codec = self._codecs.get(action_name) or self._build_codec(action_name)
        shape = tuple(document)
        if shape not in codec.shapes:
            if not codec.needed <= {*shape} - {"do"} <= codec.readers.keys():
                names = {"what": self.what, "do": action_name, "known": tuple(codec.readers)}
                raise RoundError(say("engine.written.fields", **names, count=len(codec.readers)))
            codec.shapes.add(shape)
        readers = codec.readers
        values = {key: readers[key](value) for key, value in document.items() if key != "do"}
        record: ActionT = codec.kind(**values)
        return record

    def _build_codec(self, action_name: str) -> _FieldCodec:
        """The codec of one type, built once."""
        kind: Any = self.kinds[action_name]
        hints = get_type_hints(kind)
        readers = {key: self._reader(kind, key, hint) for key, hint in hints.items()}
        needed = frozenset(hints) - frozenset(kind._field_defaults)
        codec = self._codecs[action_name] = _FieldCodec(kind, needed, readers, set())
        return codec

    def _reader(self, kind: type, key: str, hint: Any) -> Reader:
        optional = type(None) in get_args(hint)
        check, reader = self._check, self._special.get(key) or _plain_codec(hint)

        def read(value: Any) -> Any:
            if value is None and optional:
                return None
            try:
                if check is not None:
                    check(kind, key, value)
                return reader(value)
            except PitbookError as error:
                reason = sentence_of(error)
                reason = reason if reason.isprintable() else printable(reason)
                raise RoundError(say("engine.written.field", field=key, why=reason)) from None

        return read


class _FieldCodec(NamedTuple):
    kind: Callable[..., Any]
    needed: frozenset[str]
    readers: dict[str, Reader]
    shapes: set[tuple[str, ...]]  # Key sets that passed validation before.


def _dump(key: str, value: Any) -> Any:
    if key == "amount":
        return money(value)
    if key == "card" and value is not None:
        return name(value)
    if key == "place":
        return format_place(value)
    return str(value) if isinstance(value, str) else value


def without_defaults(hint: Any) -> Any:
    """The type of an optional field without None."""
    kinds = get_args(hint)
    return kinds[0] if type(None) in kinds else hint


def _plain_codec(hint: Any) -> Reader:
    hint = without_defaults(hint)
    expected_type = hint if hint in _PLAIN else str
    allowed = get_args(hint)

    def read(value: Any) -> Any:
        if type(value) is not expected_type and not (
            expected_type is str and isinstance(value, str)
        ):
            kind = expected_type.__name__
            raise RoundError(say("engine.written.must-be", value=show_value(value), kind=kind))
        if allowed and value not in allowed:
            raise RoundError(say("engine.written.one-of", value=show_value(value), known=allowed))
        return value

    return read


def _place_codec(value: Any) -> int:
    return parse_place(value if isinstance(value, str) and value in PLACES else _number(value))


_PLAIN = (int, bool, str)
_number, _text = _plain_codec(int), _plain_codec(str)
_READERS: dict[str, Reader] = {
    "amount": lambda value: dollars(_text(value)),
    "card": lambda value: card(_text(value)),
    "place": _place_codec,
}


# Plays at a decision, and how they are written.

WORDS = ("fold", "check", "pull", "ride", "war", "surrender", "low", "high")
_MULTIPLE = re.compile(r"[0-9]{1,9}x", re.ASCII)
_BET_LIKE = re.compile(r"[0-9]+x", re.ASCII)


class Need(NamedTuple):
    """A condition on a play: a hand of the game, and its lowest value."""

    hand: str
    least: int


class Play(str):
    """One play: wagers placed (in main wagers) or pulled back, and its declaration."""

    __slots__ = ("declaration", "folds", "needs", "puts", "takes", "times")

    puts: tuple[tuple[str, int], ...]
    takes: tuple[str, ...]
    folds: bool
    declaration: str  # "low" or "high"; empty if the play declares nothing.
    needs: Need | None
    times: int  # The sum placed, in main wagers.

    def __new__(
        cls,
        text: str,
        *,
        puts: tuple[tuple[str, int], ...] = (),
        takes: tuple[str, ...] = (),
        folds: bool = False,
        declaration: str = "",
        needs: Need | None = None,
    ) -> Play:
        play = super().__new__(cls, text)
        play.puts, play.takes, play.folds = puts, takes, folds
        play.declaration, play.needs = declaration, needs
        play.times = sum(times for _, times in puts)
        return play

    @property
    def label(self) -> str:
        """The text of its button.

        >>> [play.label for play in (FOLD, bets("ante", 3), declaration_play("high", "double", 1))]
        ['Fold', '3x', 'High, double']
        """
        return say("game.play", play=str(self), plain=self.capitalize().replace("+", ", "))

    @property
    def short(self) -> str:
        """One or two letters for a grid.

        >>> [play.short for play in (FOLD, bets("ante", 3), declaration_play("high", "double", 1))]
        ['F', '3', 'HD']
        """
        if self.declaration:
            return self.declaration[0].upper() + "".join(wager[0].upper() for wager, _ in self.puts)
        return str(self.times) if _MULTIPLE.fullmatch(self) else self[:1].upper()


FOLD = Play("fold", folds=True)
# For a stage that did not reach the seat, so that indexes of plays match stages.
PASSED = Play("-")


@lru_cache(maxsize=1024)  # All sheets of a family have the same few.
def bets(wager: str, times: int) -> Play:
    """A bet of a multiple of the main wager on another wager; 0x continues without a bet."""
    return Play(f"{times}x", puts=((wager, times),) if times else ())


def declaration_play(declaration: str, wager: str = "", times: int = 0) -> Play:
    """A declaration, optionally with a further wager."""
    if not times:
        return Play(declaration, declaration=declaration)
    return Play(f"{declaration}+{wager}", declaration=declaration, puts=((wager, times),))


def parse_play(text: str) -> tuple[str, ...]:
    """The parts of a play's text: declaration and further wager.

    >>> parse_play("high+double"), parse_play("fold")
    (('high', 'double'), ('fold',))
    """
    return tuple(text.split("+"))


def multiple(text: str) -> int | None:
    """The multiple of the main wager in a text such as "3x"; None for any other text."""
    return int(text[:-1]) if _MULTIPLE.fullmatch(text) else None


def is_play(text: str) -> bool:
    """Whether a word is reserved for plays and cannot name anything else."""
    return text in WORDS or bool(_BET_LIKE.fullmatch(text))
