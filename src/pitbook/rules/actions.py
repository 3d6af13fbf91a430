"""Everything that can happen in a round, and how each action is written as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args, get_type_hints

from pitbook.cards import Card, card, name
from pitbook.errors import PitbookError, RoundError
from pitbook.money import Cents, dollars, money
from pitbook.sheets.findings import printable, show_value
from pitbook.text import say, sentence_of

BOARD = 0  # The first place in common, as the community cards or the dealer's hand.

PlaceNumber: TypeAlias = (
    int  # A seat's number; or 0, -1, -2: places in common, in the game's order.
)
PLACES = {"board": BOARD, "board-1": -1, "board-2": -2}  # As records write those.


def format_place(place: PlaceNumber) -> str | int:
    """A place as records write it.

    >>> format_place(3), format_place(BOARD), format_place(-1)
    (3, 'board', 'board-1')
    """
    return place if place > BOARD else "board" if place == BOARD else f"board{place}"


def parse_place(written: str | int) -> PlaceNumber:
    """The place that a record writes so."""
    return PLACES[written] if isinstance(written, str) else written


class Wager(NamedTuple):
    """Put a wager before the deal, or change it."""

    seat: int
    player: str
    wager: str
    amount: Cents


class Withdraw(NamedTuple):
    """Take a wager back before the deal; the main wager takes the seat with it."""

    seat: int
    wager: str


class Close(NamedTuple):
    """No more wagers."""


class Deal(NamedTuple):
    """Lay one card face down."""

    place: PlaceNumber


class Turn(NamedTuple):
    """Name a card that lies face down, at the moment somebody may see it."""

    place: PlaceNumber
    card: Card


class Decide(NamedTuple):
    """Play: fold, 1x, 2x, ... or low, high, low+double, high+double."""

    seat: int
    play: str


class Absent(NamedTuple):
    """The clock ran out for a seat; or, where it says `short`, for want of chips (GEN-10)."""

    seat: int
    short: bool | None = None


class Settle(NamedTuple):
    """Pay and take at the next seat in the sheet's order: at once, or when the round is over."""

    at_once: bool | None = None


class Misdeal(NamedTuple):
    """Something is wrong with the deal: the round is void, if it is found in time (GEN-6)."""

    reason: str
    card_count: bool = False


VoidReason = Literal["information", "supervisor"]
InformationPart = Literal["gave", "took"]


class VoidHand(NamedTuple):
    """One hand is void: for information given or taken (forfeit), or by the supervisor.

    The sheet says whose hand information costs. A hand without a part is void whatever it says.
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
    """A breach that costs nothing but is recorded, as cards taken off the table (CMS-15)."""

    seat: int
    breach: str


class Interrupted(NamedTuple):
    """Play stopped for a reason beyond the table; did all with a live wager agree to finish?"""

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
    """How named tuples of some kinds are written; `check` may refuse more than the types do."""

    def __init__(
        self,
        what: str,
        kinds: Mapping[str, type],
        *,
        readers: Mapping[str, Reader] | None = None,
        check: FieldCheck | None = None,
    ) -> None:
        self.what, self.kinds = what, kinds
        self.names = {kind: do for do, kind in kinds.items()}
        self._special = {**_READERS, **(readers or {})}
        self._check = check
        self._ways: dict[str, _FieldCodec] = {}

    def encode(self, one: Any) -> dict[str, Any]:
        """One as JSON; what is left open is left out."""
        document = {"do": self.names[type(one)]}
        for key, value in zip(one._fields, one, strict=True):
            if value is not None:
                document[key] = _dump(key, value)
        return document

    def decode(self, document: Any) -> ActionT:
        """The one that a JSON object stands for; raises RoundError with a sentence."""
        do = document.get("do") if isinstance(document, dict) else None
        if not isinstance(do, str) or do not in self.kinds:
            fields = {"value": show_value(document), "what": self.what, "known": tuple(self.kinds)}
            raise RoundError(say("engine.written.unknown", **fields))
        way = self._ways.get(do) or self._worked_out(do)
        shape = tuple(document)
        if shape not in way.shapes:
            if not way.needed <= {*shape} - {"do"} <= way.readers.keys():
                names = {"what": self.what, "do": do, "known": tuple(way.readers)}
                raise RoundError(say("engine.written.fields", **names, count=len(way.readers)))
            way.shapes.add(shape)
        readers = way.readers
        read = {key: readers[key](value) for key, value in document.items() if key != "do"}
        made: ActionT = way.kind(**read)
        return made

    def _worked_out(self, do: str) -> _FieldCodec:
        """How one kind is read; found out once."""
        kind: Any = self.kinds[do]
        hints = get_type_hints(kind)
        readers = {key: self._reader(kind, key, hint) for key, hint in hints.items()}
        needed = frozenset(hints) - frozenset(kind._field_defaults)
        way = self._ways[do] = _FieldCodec(kind, needed, readers, set())
        return way

    def _reader(self, kind: type, key: str, hint: Any) -> Reader:
        may_be_open = type(None) in get_args(hint)
        check, reader = self._check, self._special.get(key) or _plain_codec(hint)

        def read(value: Any) -> Any:
            if value is None and may_be_open:
                return None
            try:
                if check is not None:
                    check(kind, key, value)
                return reader(value)
            except PitbookError as error:
                why = sentence_of(error)
                why = why if why.isprintable() else printable(why)
                raise RoundError(say("engine.written.field", field=key, why=why)) from None

        return read


class _FieldCodec(NamedTuple):
    kind: Callable[..., Any]
    needed: frozenset[str]
    readers: dict[str, Reader]
    shapes: set[tuple[str, ...]]  # The fields that were given before and are right.


def _dump(key: str, value: Any) -> Any:
    if key == "amount":
        return money(value)
    if key == "card" and value is not None:
        return name(value)
    if key == "place":
        return format_place(value)
    return str(value) if isinstance(value, str) else value  # A play is its text.


def without_defaults(hint: Any) -> Any:
    """The type of a field that may be left open."""
    kinds = get_args(hint)
    return kinds[0] if type(None) in kinds else hint


def _plain_codec(hint: Any) -> Reader:
    hint = without_defaults(hint)
    wanted = hint if hint in _PLAIN else str
    known = get_args(hint)

    def read(value: Any) -> Any:
        if type(value) is not wanted and not (wanted is str and isinstance(value, str)):
            kind = wanted.__name__
            raise RoundError(say("engine.written.must-be", value=show_value(value), kind=kind))
        if known and value not in known:
            raise RoundError(say("engine.written.one-of", value=show_value(value), known=known))
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
