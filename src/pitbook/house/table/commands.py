"""Commands: what a person or the house may ask of a table."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pitbook.cards import Card
from pitbook.errors import RoundError
from pitbook.money import Cents
from pitbook.rules.actions import ActionJson, InformationPart, PlaceNumber, VoidReason
from pitbook.sheets.findings import show_value
from pitbook.text import say

TableRole = Literal["player", "dealer", "supervisor", "clock"]
TEXT_MAX = 200
ADVICE_MAX = 2_000
NUMBER_MAX = 1_000_000
OptionalReason: TypeAlias = str | None  # The floor's reason; it stays on record with the request.


class By(NamedTuple):
    """Who asks, and as what."""

    name: str
    role: TableRole


CLOCK = By("clock", "clock")  # The shell's timer; nobody signs in as it.


class Sit(NamedTuple):
    """Take a position; where a person deals, the dealer may name who sits down."""

    seat: int
    player: str = ""


class BuyIn(NamedTuple):
    """Cash for chips at the table, where a person deals: the money goes into the box."""

    seat: int
    amount: Cents


class Leave(NamedTuple):
    """Give a position up; wagers that are not yet dealt to go back."""

    seat: int


class PutWager(NamedTuple):
    """Put a wager, or change it; nothing at all takes it back. A seed may come along."""

    seat: int
    wager: str
    amount: Cents
    seed: str | None = None
    history: str | None = None  # The shoe that the seed is made for, as the table shows it.


class Undo(NamedTuple):
    """Take back the seat's last change of a wager; several times, one by one."""

    seat: int


class Rebet(NamedTuple):
    """The wagers of the seat's last round again, all or none. A seed may come along."""

    seat: int
    seed: str | None = None
    history: str | None = None


class Refill(NamedTuple):
    """Play chips again, in practice, for a player who cannot pay another hand."""

    seat: int


class SeatSeed(NamedTuple):
    """A seat's own seed for the next deal, before betting closes."""

    seat: int
    text: str
    history: str | None = None


class Ready(NamedTuple):
    """No more wagers of this player; with every player's word betting closes."""

    seat: int
    on: bool = True


class OpenRound(NamedTuple):
    """Clear the layout for the next round; the next wager does so by itself."""


class CloseBetting(NamedTuple):
    """No more wagers: the deal begins."""


class Decide(NamedTuple):
    """Play: fold, 1x, 2x, ... or low, high, low+double, high+double."""

    seat: int
    play: str


class AdviceShown(NamedTuple):
    """What the coach told a seat, for the record; and the play that was weighed, if one was."""

    seat: int
    text: str
    play: str = ""


class Arrange(NamedTuple):
    """Bring a seat to a spot in its next round: cards as in "Qs Jd" first, all others by luck.

    `round` is where the spot comes from. Without a hand it is an ordinary shoe again.
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
    """Something is wrong with the deal."""

    reason: str
    card_count: bool = False


class VoidHand(NamedTuple):
    """One hand is void; for information it is said whether its player gave or took it."""

    seat: int
    reason: VoidReason
    why: OptionalReason = None
    part: InformationPart | None = None


class ExposeCard(NamedTuple):
    """A card was shown too early or to the wrong people; a person who deals names it."""

    place: PlaceNumber
    card: Card | None = None


class Warn(NamedTuple):
    """A breach, for the record."""

    seat: int
    breach: str


class TypeCard(NamedTuple):
    """The card that a person turned at a place."""

    place: PlaceNumber
    card: Card


class CorrectCard(NamedTuple):
    """A card was typed wrongly: the place's first, second, ... is another."""

    place: PlaceNumber
    number: int
    card: Card
    why: str


class DeckFouled(NamedTuple):
    """A card turned up that the decks cannot hold."""

    card: Card


class Settle(NamedTuple):
    """Pay and take as far as the hands are known, where a person deals."""


class Agree(NamedTuple):
    """A player's answer after an interruption: finish the hand, or not."""

    seat: int
    finish: bool


class Unreadable(NamedTuple):
    """The interrupted hand cannot be read: it is dead."""

    why: OptionalReason = None


class Interrupt(NamedTuple):
    """Play stops for a reason beyond the table."""

    why: str


class GoOn(NamedTuple):
    """After a stop of the machine the floor lets the hand be played on."""

    why: str


class CallOff(NamedTuple):
    """An interruption was undone: whoever was asked is asked no more. Given by the night alone."""

    why: str


class ShufflerFailed(NamedTuple):
    """The shuffling machine does not work."""

    why: OptionalReason = None


class ShufflerRepaired(NamedTuple):
    """The shuffling machine works again."""

    why: OptionalReason = None


class Fill(NamedTuple):
    """Money from the house to the table's rack."""

    amount: Cents
    why: OptionalReason = None


class Credit(NamedTuple):
    """Money from the table's rack to the house."""

    amount: Cents
    why: OptionalReason = None


class ChangeSheet(NamedTuple):
    """Another rule sheet, with its hash, from the next round on."""

    sheet: dict[str, Any]
    why: OptionalReason = None


class Tick(NamedTuple):
    """Look at the clock: what is overdue happens by itself.

    `late` where the house itself stood still: nobody could answer, so clocks start anew.
    """

    late: bool = False


class Retire(NamedTuple):
    """Close the table for good."""

    why: OptionalReason = None


class AnnounceSheet(NamedTuple):
    """Another rule sheet from the first round on that opens so many minutes from now."""

    sheet: dict[str, Any]
    minutes: int
    why: str


class AskCredit(NamedTuple):
    """The rack is too full: somebody else shall let so much go back to the house."""

    amount: Cents
    why: str


class AskFill(NamedTuple):
    """The rack runs low: somebody else shall put so much into it."""

    amount: Cents
    why: str


class ColourUp(NamedTuple):
    """A player's small chips are changed for larger ones, worth the same."""

    seat: int
    amount: Cents


class GrantRack(NamedTuple):
    """A fill or a credit that was asked for is given, by somebody else than its asker."""

    number: int


class RefuseRack(NamedTuple):
    """A fill or a credit that was asked for is not given."""

    number: int
    why: str


class SignOff(NamedTuple):
    """Whoever deals is relieved, and nobody follows."""


class SignOn(NamedTuple):
    """I deal from now on; whoever dealt before is relieved."""


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
    | ColourUp
    | ChangeSheet
    | AnnounceSheet
    | Tick
    | Retire
)


class Envelope(NamedTuple):
    """A command with its sender, and the id by which a repeated request is known."""

    by: By
    command: Command
    request: str | None = None


def _command_name(kind: type) -> str:
    """PutWager is put-wager."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


KINDS: dict[str, type] = {_command_name(kind): kind for kind in get_args(Command)}


def encode(command: Command) -> dict[str, Any]:
    """A command as JSON: {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10.00"}."""
    return _WRITTEN.encode(command)


def decode(document: Any) -> Command:
    """The command that a JSON object stands for; raises RoundError with a sentence."""
    return _WRITTEN.decode(document)


def _check_size(kind: type, key: str, value: Any) -> None:
    """What comes from outside is of a size that a table can keep."""
    most = ADVICE_MAX if kind is AdviceShown else TEXT_MAX
    if isinstance(value, str) and len(value) > most:
        raise RoundError(say("table.commands.too-long", value=show_value(value), most=most))
    if isinstance(value, str) and not value.isprintable():
        raise RoundError(say("table.commands.not-printable", value=show_value(value)))
    if isinstance(value, int) and abs(value) > NUMBER_MAX:
        raise RoundError(say("table.commands.too-large", value=show_value(value)))


def _read_sheet(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or set(value) != {"hash", "body"}:
        raise RoundError(say("table.commands.sheet-whole"))
    if not all(isinstance(one, str) for one in value.values()):
        raise RoundError(say("table.commands.sheet-as-text"))
    return value


def _read_reason(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise RoundError(say("table.commands.reason-is-text"))
    return value.strip()


_READERS = {"sheet": _read_sheet, "why": _read_reason}
_WRITTEN: ActionJson[Command] = ActionJson("command", KINDS, readers=_READERS, check=_check_size)
NAMES = _WRITTEN.names
