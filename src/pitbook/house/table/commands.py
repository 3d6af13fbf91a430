"""Commands that a person or the server can give a table."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pitbook.cards import Card
from pitbook.errors import RoundError
from pitbook.money import Cents
from pitbook.rules.actions import ActionJson, InformationPart, PlaceNumber, VoidReason
from pitbook.text import say
from pitbook.text.user_input import show_value

TableRole = Literal["player", "dealer", "supervisor", "clock"]
TEXT_MAX = 200
ADVICE_MAX = 2_000
NUMBER_MAX = 1_000_000
OptionalReason: TypeAlias = str | None  # The supervisor's reason, recorded with the request.


class By(NamedTuple):
    """The sender of a command and the role."""

    name: str
    role: TableRole


CLOCK = By("clock", "clock")  # The server's timer; not an account.


class Sit(NamedTuple):
    """Take a seat; at a table with a live dealer, the dealer may name the player."""

    seat: int
    player: str = ""


class BuyIn(NamedTuple):
    """Buy chips for cash at a table with a live dealer; the cash goes into the drop box."""

    seat: int
    amount: Cents


class Leave(NamedTuple):
    """Leave a seat; wagers not yet in play are returned."""

    seat: int


class PutWager(NamedTuple):
    """Place or change a wager; amount 0 removes it. May add a seed to the shuffle."""

    seat: int
    wager: str
    amount: Cents
    seed: str | None = None
    history: str | None = None  # The shoe history that the seed was made for.


class Undo(NamedTuple):
    """Undo the seat's last wager change; can be repeated."""

    seat: int


class Rebet(NamedTuple):
    """Repeat the seat's wagers of its last round, all or none. May add a seed."""

    seat: int
    seed: str | None = None
    history: str | None = None


class Refill(NamedTuple):
    """More play chips at a practice table, for a player who cannot pay for another hand."""

    seat: int


class SeatSeed(NamedTuple):
    """A player's seed for the next deal, before betting closes."""

    seat: int
    text: str
    history: str | None = None


class Ready(NamedTuple):
    """The player is done betting; betting closes when all players are."""

    seat: int
    on: bool = True


class OpenRound(NamedTuple):
    """Start the next round; the next wager does so too."""


class CloseBetting(NamedTuple):
    """Close betting and start the deal."""


class Decide(NamedTuple):
    """Play: fold, 1x, 2x, ... or low, high, low+double, high+double."""

    seat: int
    play: str


class AdviceShown(NamedTuple):
    """The coach's advice to a seat, for the record, and the play it was about."""

    seat: int
    text: str
    play: str = ""


class Arrange(NamedTuple):
    """Set up a spot for a seat's next round: cards such as "Qs Jd" first, all others random.

    `round` is the origin of the spot. Without a hand the shoe is random again.
    """

    seat: int
    hand: str = ""
    board: str = ""
    stage: int = 0
    round: str = ""


class Coach(NamedTuple):
    """Turn the coach on or off."""

    on: bool
    why: OptionalReason = None


class Misdeal(NamedTuple):
    """Declare a misdeal."""

    reason: str
    card_count: bool = False


class VoidHand(NamedTuple):
    """Void one hand; for information, `part` says whether its player gave or received it."""

    seat: int
    reason: VoidReason
    why: OptionalReason = None
    part: InformationPart | None = None


class ExposeCard(NamedTuple):
    """A card was exposed early or to the wrong people; a live dealer names it."""

    place: PlaceNumber
    card: Card | None = None


class Warn(NamedTuple):
    """Warn a player, for the record."""

    seat: int
    breach: str


class TypeCard(NamedTuple):
    """The card that a live dealer turned at a place."""

    place: PlaceNumber
    card: Card


class CorrectCard(NamedTuple):
    """Correct a mistyped card: the place's first, second, … card is another."""

    place: PlaceNumber
    number: int
    card: Card
    why: str


class DeckFouled(NamedTuple):
    """A card appeared that the deck cannot contain."""

    card: Card


class Settle(NamedTuple):
    """Settle the hands that are known, at a table with a live dealer."""


class Agree(NamedTuple):
    """A player's answer after an interruption: finish the hand or not."""

    seat: int
    finish: bool


class Unreadable(NamedTuple):
    """The interrupted hand cannot be reconstructed: it is dead."""

    why: OptionalReason = None


class Interrupt(NamedTuple):
    """Stop play for a reason outside the table."""

    why: str


class GoOn(NamedTuple):
    """Continue the hand after the server was stopped."""

    why: str


class CallOff(NamedTuple):
    """Cancel an interruption, so players are not asked; sent by an event only."""

    why: str


class ShufflerFailed(NamedTuple):
    """The shuffling machine is out of service."""

    why: OptionalReason = None


class ShufflerRepaired(NamedTuple):
    """The shuffling machine is back in service."""

    why: OptionalReason = None


class Fill(NamedTuple):
    """Move money from the house to the table's rack."""

    amount: Cents
    why: OptionalReason = None


class Credit(NamedTuple):
    """Move money from the table's rack to the house."""

    amount: Cents
    why: OptionalReason = None


class ChangeSheet(NamedTuple):
    """Use another rule sheet from the next round on."""

    sheet: dict[str, Any]
    why: OptionalReason = None


class Tick(NamedTuple):
    """Handle overdue clocks.

    `late` means that the server was stalled: nobody could answer, so clocks start again.
    """

    late: bool = False


class Retire(NamedTuple):
    """Close the table permanently."""

    why: OptionalReason = None


class AnnounceSheet(NamedTuple):
    """Use another rule sheet from the first round that opens after so many minutes."""

    sheet: dict[str, Any]
    minutes: int
    why: str


class AskCredit(NamedTuple):
    """Request a credit; another person must approve it."""

    amount: Cents
    why: str


class AskFill(NamedTuple):
    """Request a fill; another person must approve it."""

    amount: Cents
    why: str


class ColorUp(NamedTuple):
    """Color up: exchange a player's chips for larger ones of the same value."""

    seat: int
    amount: Cents


class GrantRack(NamedTuple):
    """Approve a requested fill or credit; not by the person who requested it."""

    number: int


class RefuseRack(NamedTuple):
    """Refuse a requested fill or credit."""

    number: int
    why: str


class SignOff(NamedTuple):
    """The dealer leaves the table, and no one takes over."""


class SignOn(NamedTuple):
    """Take over as dealer; the previous dealer is relieved."""


Command: TypeAlias = (
    Sit
    | BuyIn
    | Leave
    | PutWager
    | Undo
    | Rebet
    | Refill
    | SeatSeed
    | Ready
    | OpenRound
    | CloseBetting
    | Decide
    | AdviceShown
    | Arrange
    | Coach
    | Misdeal
    | VoidHand
    | ExposeCard
    | Warn
    | TypeCard
    | CorrectCard
    | DeckFouled
    | Settle
    | Agree
    | Unreadable
    | Interrupt
    | GoOn
    | CallOff
    | ShufflerFailed
    | ShufflerRepaired
    | Fill
    | Credit
    | AskFill
    | AskCredit
    | GrantRack
    | RefuseRack
    | SignOn
    | SignOff
    | ColorUp
    | ChangeSheet
    | AnnounceSheet
    | Tick
    | Retire
)


class Envelope(NamedTuple):
    """A command with its sender, and the request id that identifies repeats."""

    by: By
    command: Command
    request: str | None = None


def _command_name(kind: type) -> str:
    """The JSON name of a command: PutWager becomes put-wager."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


KINDS: dict[str, type] = {_command_name(kind): kind for kind in get_args(Command)}


def encode(command: Command) -> dict[str, Any]:
    """A command as JSON: {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10.00"}."""
    return _CODEC.encode(command)


def decode(document: Any) -> Command:
    """The command in a JSON object; raises RoundError if it is invalid."""
    return _CODEC.decode(document)


def _check_size(kind: type, key: str, value: Any) -> None:
    """Raise RoundError for values that are too large to record."""
    length_max = ADVICE_MAX if kind is AdviceShown else TEXT_MAX
    if isinstance(value, str) and len(value) > length_max:
        raise RoundError(say("table.commands.too-long", value=show_value(value), most=length_max))
    if isinstance(value, str) and not value.isprintable():
        raise RoundError(say("table.commands.not-printable", value=show_value(value)))
    if isinstance(value, int) and abs(value) > NUMBER_MAX:
        raise RoundError(say("table.commands.too-large", value=show_value(value)))


def _read_sheet(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != {"hash", "body"}:
        raise RoundError(say("table.commands.sheet-whole"))
    if not all(isinstance(text, str) for text in value.values()):
        raise RoundError(say("table.commands.sheet-as-text"))
    return value


def _read_reason(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise RoundError(say("table.commands.reason-is-text"))
    return value.strip()


_READERS = {"sheet": _read_sheet, "why": _read_reason}
_CODEC: ActionJson[Command] = ActionJson("command", KINDS, readers=_READERS, check=_check_size)
NAMES = _CODEC.kind_names
