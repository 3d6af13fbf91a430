"""A round written down: who bet what, which cards came, what was played. Settled by the engine."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pitbook import games
from pitbook.cards import Card, card, name
from pitbook.engine.actions import (
    BOARD,
    Action,
    Close,
    Deal,
    Decide,
    Interrupted,
    Misdeal,
    Settle,
    Told,
    Turn,
    Voided,
    VoidHand,
    Wager,
)
from pitbook.engine.round import Round
from pitbook.engine.step import step
from pitbook.english import counted
from pitbook.errors import PitbookError, RoundError
from pitbook.game.description import Seat
from pitbook.game.plays import PASSED
from pitbook.game.refusals import Refusal
from pitbook.money import dollars
from pitbook.sheets.findings import printable, shown
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import Format

TEXT_MAX = 1_000_000
SENTENCE_MAX = 300


class Part(BaseModel):
    """A part of a round file: unknown fields are refused and nothing is converted in silence."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SeatPlayed(Part):
    """One position: its player, wagers, cards and plays."""

    seat: int = Field(description="1 is the dealer's far left.")
    player: str | None = Field(default=None, min_length=1, max_length=100)
    wagers: dict[str, str] = Field(description='Wager = dollars, as in {"ante": "10"}.')
    cards: list[str] | None = Field(
        default=None, description="May be left out for a fold, where no wager looks at them."
    )
    play: list[str] = Field(default=[], description='As in ["3x", "1x", "fold"] or ["low+double"].')


class HandVoided(Part):
    """A hand that was voided."""

    seat: int
    reason: Voided
    part: Told | None = Field(
        default=None,
        description="Of information: who gave it or took it; left out: the hand is void as named.",
    )


class RoundFile(Part):
    """One round, complete."""

    format: Format = 1
    sheet: str = Field(description="A sheet's id or path.")
    community: list[str] | None = None
    dealer: list[str] | None = None
    seats: Annotated[list[SeatPlayed], Field(min_length=1)]
    voided: list[HandVoided] = []
    misdeal: str | None = Field(default=None, min_length=1, description="Declares one, with why.")
    dead: str | None = Field(
        default=None,
        min_length=1,
        description="Cut short, with why, and not finished: wagers that are still open return.",
    )
    settled: list[int] = Field(
        default=[], description="Seats of a dead hand that were settled before; they stand."
    )


def parse(text: str) -> RoundFile:
    """The round that a JSON text holds; raises RoundError with one sentence."""
    if len(text) > TEXT_MAX:
        raise RoundError(f"the text is longer than {TEXT_MAX:,} characters; no round is")
    try:
        document = json.loads(text, object_pairs_hook=_no_repeats)
    except json.JSONDecodeError as error:
        raise RoundError(
            f"line {error.lineno}, column {error.colno}: this is no JSON: {error.msg}"
        ) from None
    except (RecursionError, ValueError):
        raise RoundError("this is no JSON that holds a round") from None
    try:
        return RoundFile.model_validate(document)
    except ValidationError as error:
        raise _refused(_sentence(error)) from None


def settle(file: RoundFile, find: Callable[[str], Sheet]) -> Round:
    """The round played through the engine to its end; raises RoundError where it is refused."""
    return play(file, find(file.sheet))[0]


def play(file: RoundFile, sheet: Sheet) -> tuple[Round, list[Action]]:
    """The finished round and the actions that led to it."""
    table = _Table(sheet, file)
    table.run()
    return table.round, table.actions


class _Table:
    """Plays a file: every rule is the engine's, every refusal becomes one sentence."""

    def __init__(self, sheet: Sheet, file: RoundFile) -> None:
        self.round = games.open(sheet)
        places = self.round.game.places
        if len(places) > 2 or any(place.later for place in places):
            told = "a round file cannot tell of cards in several places, or dealt later"
            raise RoundError(f"{told}; store the round's actions instead")
        self.actions: list[Action] = []
        self.file = file
        self.seats = sorted(file.seats, key=lambda one: one.seat)
        self.board = self._board()
        self.hands = {
            one.seat: _cards(one.cards, f"seat {one.seat}")
            for one in self.seats
            if one.cards is not None
        }
        self.voided = self._voided()
        self._dead_or_not()

    def run(self) -> None:
        """From the first wager to the end."""
        self._bet()
        self._no_card_too_often()
        while self.round.to_deal:
            self.do(Deal(self.round.to_deal[0]))
        wrong = self._wrong_count()
        if wrong is None:
            for number, cards in self.hands.items():
                for one in cards:
                    self.do(Turn(number, one))
        early = (wrong, self.file.misdeal, self.file.dead)
        self._decide(partly=any(one is not None for one in early))
        for number in list(self.voided):
            self._void(number)
        if self.file.misdeal is not None:
            self.do(Misdeal(self.file.misdeal))
        elif wrong is not None:
            self.do(Misdeal(wrong, card_count=True))
        elif self.file.dead is not None:
            self._settle_first(set(self.file.settled))
            self.do(Interrupted(agreed=False, why=self.file.dead))
        else:
            self._finish()

    def do(self, action: Action) -> None:
        """One action, or a RoundError with the engine's reason."""
        after = step(self.round, action)
        if isinstance(after, Refusal):
            raise _refused(str(after))
        self.round = after
        self.actions.append(action)

    def _bet(self) -> None:
        main = self.round.game.main[0]
        seen: set[int] = set()
        for one in self.seats:
            if one.seat in seen:
                raise RoundError(f"seat {one.seat} comes twice; one player a position")
            seen.add(one.seat)
            player = one.player or f"seat {one.seat}"
            for wager in sorted(one.wagers, key=lambda wager: wager != main):
                amount = _said(f"seat {one.seat}, {wager}", dollars, one.wagers[wager])
                self.do(Wager(one.seat, player, wager, amount))
            if not one.wagers:
                raise RoundError(f"seat {one.seat} has no {main} wager; leave the seat out")
        self.do(Close())

    def _decide(self, *, partly: bool) -> None:
        """Street by street: every seat's play, then the board's cards that are due."""
        while self.round.phase == "play":
            stage = self.round.stage
            for one in self.seats:
                made = self._made(one.seat)
                if one.seat in self.round.waiting and len(one.play) > made:
                    self.do(Decide(one.seat, one.play[made]))
            for number in self.round.waiting:
                if number in self.voided:
                    self._void(number)
                if number not in self.round.waiting:
                    continue
                if not partly:
                    raise RoundError(
                        f"seat {number} has made {stage} of {len(self.round.game.stages)} plays"
                    )
                self._all_played()
                return
            if not self._turn_board():
                if partly:
                    break
                have = len(self.board)
                raise RoundError(
                    f"a {self.round.game.board_name} card is missing: {have} of "
                    f"{self.round.game.board_size} are given and a live wager needs the next"
                )
        self._all_played()

    def _turn_board(self) -> bool:
        """Turn what is due; False where the file does not have it."""
        while self.round.phase == "play" and not self.round.waiting:
            turned = len(self.round.board)
            if turned >= len(self.board):
                return False
            self.do(Turn(BOARD, self.board[turned]))
        return True

    def _all_played(self) -> None:
        for one in self.seats:
            made = self._made(one.seat)
            if len(one.play) <= made:
                continue
            if self._seat(one.seat).folded:
                raise RoundError(f"seat {one.seat} plays on after its fold")
            raise RoundError(
                f"seat {one.seat} has {counted(len(one.play), 'play')}; {made} can be made"
            )

    def _made(self, number: int) -> int:
        """How many plays a seat has made; stages that did not come to it are none."""
        return sum(play != PASSED for play in self._seat(number).plays)

    def _seat(self, number: int) -> Seat:
        seat = self.round.seat(number)
        assert seat is not None
        return seat

    def _finish(self) -> None:
        while self.round.phase == "settle":
            self._known()
            self.do(Settle())

    def _dead_or_not(self) -> None:
        rule = self.round.game.sheet.irregularities.interruption
        if self.file.dead is None:
            if self.file.settled:
                raise RoundError('"settled" goes with "dead"; without it every seat is settled')
            return
        if self.file.misdeal is not None:
            raise RoundError("a round is a misdeal or dead, not both; a misdeal prevails")
        if rule.value == "resume":
            raise RoundError(
                f"an interrupted round is resumed here ({rule.clause}), no hand is dead; "
                'leave "dead" out, or declare a misdeal'
            )
        for number in self.file.settled:
            if self.file.settled.count(number) > 1:
                raise RoundError(f"settled: seat {number} is named twice")
            if number not in {one.seat for one in self.seats}:
                raise RoundError(f"settled: nobody plays at seat {number}")

    def _settle_first(self, wanted: set[int]) -> None:
        """The seats that were settled before the hand was cut short, in the paying order."""
        if wanted and self.round.phase != "settle":
            raise RoundError(f"seat {min(wanted)} cannot be settled before the board is turned")
        while wanted & {one for one, _ in self.round.to_settle[self.round.steps_settled :]}:
            number, group = self.round.to_settle[self.round.steps_settled]
            if number not in wanted and "main" in group:
                clause = self.round.game.sheet.settlement.clause
                raise RoundError(f"seat {number} is settled before seat {min(wanted)} ({clause})")
            self.do(Settle(at_once=True))
        if self.round.phase == "over":
            raise RoundError('every seat is settled, so the hand is over; leave "dead" out')

    def _known(self) -> None:
        game = self.round.game
        for seat in self.round.seats:
            if seat.void is None and game.looks_at_hand(seat) and len(seat.cards) < game.hand_size:
                raise RoundError(f"seat {seat.number} has no cards, and a live wager looks at them")

    def _void(self, number: int) -> None:
        self.do(self.voided.pop(number))

    def _voided(self) -> dict[int, VoidHand]:
        known = {one.seat for one in self.seats}
        found: dict[int, VoidHand] = {}
        for one in self.file.voided:
            if one.seat not in known:
                raise RoundError(f"voided: nobody plays at seat {one.seat}")
            if one.seat in found:
                raise RoundError(f"voided: seat {one.seat} is named twice")
            found[one.seat] = VoidHand(one.seat, one.reason, one.part)
        return found

    def _board(self) -> tuple[Card, ...]:
        own = self.round.game.sheet.board_word
        given = {"community": self.file.community, "dealer": self.file.dealer}
        for other, cards in given.items():
            if other != own and cards is not None:
                raise RoundError(f'"{other}" has no place in this game; write "{own}"')
        return _cards(given[own] or [], own)

    def _no_card_too_often(self) -> None:
        """GEN-9: a file with a card that the decks cannot hold is refused."""
        decks = self.round.game.sheet.deck.decks
        counts = Counter(self.board)
        for cards in self.hands.values():
            counts.update(cards)
        for one, times in counts.items():
            if times > decks:
                held = "one deck holds" if decks == 1 else f"{decks} decks hold"
                clause = self.round.game.sheet.irregularities.fouled_deck.clause
                raise RoundError(f"{name(one)} comes {times} times; {held} {decks} ({clause})")

    def _wrong_count(self) -> str | None:
        """The first hand with a wrong number of cards, in words (GEN-13)."""
        game = self.round.game
        covered = game.sheet.irregularities.wrong_card_count.hands
        board = len(self.board)
        # A dealer's hand is dealt whole; a board that is still short is an unfinished round.
        short = game.board_is_a_hand and 0 < board < game.board_size
        if game.sheet.board_word in covered and (board > game.board_size or short):
            return f"{game.board_name} cards: {board} instead of {game.board_size}"
        for number, cards in self.hands.items():
            folded_unseen = not cards and self._folds(number)
            if "player" in covered and len(cards) != game.hand_size and not folded_unseen:
                return f"cards at seat {number}: {len(cards)} instead of {game.hand_size}"
        return None

    def _folds(self, number: int) -> bool:
        """Whether the file gives a seat's hand up at some stage."""
        folds = {play for stage in self.round.game.stages for play in stage.plays if play.folds}
        return any(folds & set(one.play) for one in self.seats if one.seat == number)


def _cards(texts: list[str], where: str) -> tuple[Card, ...]:
    return tuple(_said(where, card, text) for text in texts)


def _said(where: str, read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except PitbookError as error:
        raise _refused(f"{where}: {error}") from None


def _refused(message: str) -> RoundError:
    """One line of sane length, whatever the file holds."""
    text = printable(message)
    return RoundError(text if len(text) <= SENTENCE_MAX else text[: SENTENCE_MAX - 3] + "...")


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    repeated = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    if repeated:
        raise _refused(f'"{repeated[0]}" is written twice in one object')
    return dict(pairs)


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in first["loc"])
    where = where.removeprefix(".") or "the file"
    if first["type"] == "missing":
        return f"{where} is missing"
    if first["type"] == "extra_forbidden":
        return f"{where} is no field of a round file"
    context = first.get("ctx", {})
    if first["type"] in ("too_short", "string_too_short"):
        return f"{where} must not be empty"
    if first["type"] == "string_too_long":
        return f"{where} is longer than {context['max_length']} characters"
    wanted = _WANTED.get(first["type"]) or str(context.get("expected", "otherwise"))
    return f"{where} must be {wanted}, not {shown(first['input'])}"


_WANTED = {
    "string_type": "text",
    "string_unicode": "text",
    "int_type": "a whole number",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
}
