"""Round files: bets, cards and plays of one round, settled by the engine."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pitbook.cards import Card, card
from pitbook.errors import PitbookError, RoundError
from pitbook.json_size import has_more_values
from pitbook.money import Cents, dollars
from pitbook.rules.actions import (
    PASSED,
    Action,
    Close,
    Deal,
    Decide,
    InformationPart,
    Interrupted,
    Misdeal,
    Settle,
    Turn,
    VoidHand,
    VoidReason,
    Wager,
)
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Refusal, with_clause
from pitbook.rules.round import Round, open_round
from pitbook.rules.round_progress import next_turn
from pitbook.rules.step import step
from pitbook.sheets.field_types import Format
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say, sentence_of
from pitbook.text.user_input import printable, show_value

TEXT_MAX = 1_000_000
VALUES_MAX = 10_000


class RoundPart(BaseModel):
    """A part of a round file. Unknown fields are refused, and types are strict."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def play(file: RoundFile, sheet: Sheet) -> tuple[Round, list[Action]]:
    """The finished round and the actions that led to it."""
    table = _RoundPlayer(sheet, file)
    table.run()
    return table.round, table.actions


class SeatPlayed(RoundPart):
    """One seat: its player, wagers, cards and plays."""

    seat: int = Field(description="1 is the dealer's far left.")
    player: str | None = Field(default=None, min_length=1, max_length=100)
    wagers: dict[str, str] = Field(description='Wager = dollars, as in {"ante": "10"}.')
    cards: list[str] | None = Field(
        default=None, description="May be left out for a fold, where no wager looks at them."
    )
    play: list[str] = Field(default=[], description='As in ["3x", "1x", "fold"] or ["low+double"].')


class HandVoided(RoundPart):
    """A voided hand."""

    seat: int
    reason: VoidReason
    part: InformationPart | None = Field(
        default=None,
        description="Of information: who gave it or took it; left out: the hand is void as named.",
    )


class RoundFile(RoundPart):
    """One complete round."""

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
    """Parse a round file; raises RoundError."""
    if len(text) > TEXT_MAX:
        raise RoundError(say("rounds.too-long", most=TEXT_MAX))
    if has_more_values(text, VALUES_MAX):
        raise RoundError(say("rounds.too-many-values", most=VALUES_MAX))
    try:
        document = json.loads(text, object_pairs_hook=reject_repeats)
    except json.JSONDecodeError as error:
        position = {"line": error.lineno, "column": error.colno}
        raise RoundError(say("rounds.no-json-at", why=error.msg, **position)) from None
    except (RecursionError, ValueError):
        raise RoundError(say("rounds.no-json")) from None
    try:
        return RoundFile.model_validate(document)
    except ValidationError as error:
        raise refusal_sentence(sentence(error)) from None


def _name_key(name: str) -> str:
    """A normalized player name: "a", "A" and " a " are one player."""
    return unicodedata.normalize("NFKC", " ".join(name.split()).casefold())


def settle(file: RoundFile, find: Callable[[str], Sheet]) -> Round:
    """Play the file through the engine to its end; raises RoundError if an action is refused."""
    return play(file, find(file.sheet))[0]


class _RoundPlayer:
    """Plays a file through the engine; a refusal becomes a RoundError."""

    def __init__(self, sheet: Sheet, file: RoundFile) -> None:
        self.round = open_round(sheet)
        self.common = self.round.game.places[1:]
        self.actions: list[Action] = []
        self.file = file
        self.seats = sorted(file.seats, key=lambda seat_played: seat_played.seat)
        self.boards = self._boards()
        self.hands = {
            seat_played.seat: _cards(
                seat_played.cards, say("engine.place.seat", seat=seat_played.seat)
            )
            for seat_played in self.seats
            if seat_played.cards is not None
        }
        self.voided = self._void_actions()
        self._check_dead_hand()

    def run(self) -> None:
        """Play the round from the first wager to the end."""
        self._bet()
        self._check_copies()
        while self.round.to_deal:
            self.do(Deal(self.round.to_deal[0]))
        count_error = self._wrong_count()
        if count_error is None:
            self._turn_hands()
        early_ends = (count_error, self.file.misdeal, self.file.dead)
        self._decide(partly=any(reason is not None for reason in early_ends))
        for number in list(self.voided):
            self._void(number)
        if self.file.misdeal is not None:
            self.do(Misdeal(self.file.misdeal))
        elif count_error is not None:
            self.do(Misdeal(count_error, card_count=True))
        elif self.file.dead is not None:
            self._settle_first(set(self.file.settled))
            self.do(Interrupted(agreed=False, why=self.file.dead))
        else:
            self._finish()

    def do(self, action: Action) -> None:
        """Apply an action; raises RoundError if it is refused."""
        after = step(self.round, action)
        if isinstance(after, Refusal):
            raise refusal_sentence(with_clause(after))
        self.round = after
        self.actions.append(action)

    def _bet(self) -> None:
        main = self.round.game.main[0]
        seat_numbers: set[int] = set()
        players: dict[str, str] = {}
        for seat_played in self.seats:
            if seat_played.seat in seat_numbers:
                raise RoundError(say("rounds.seat-twice", seat=seat_played.seat))
            seat_numbers.add(seat_played.seat)
            name = seat_played.player or f"seat {seat_played.seat}"
            player = players.setdefault(_name_key(name), name)  # Keeps the first spelling.
            for wager in sorted(seat_played.wagers, key=lambda wager: wager != main):
                wager_text = say("rounds.wager-at", seat=seat_played.seat, wager=wager)
                amount = _say_refusal(wager_text, dollars, seat_played.wagers[wager])
                if wager in self.round.game.equals:
                    self._check_equal_wager(seat_played.seat, wager, amount)
                else:
                    self.do(Wager(seat_played.seat, player, wager, amount))
            if not seat_played.wagers:
                raise RoundError(say("rounds.no-wager", seat=seat_played.seat, wager=main))
        self.do(Close())

    def _check_equal_wager(self, number: int, wager: str, amount: Cents) -> None:
        """Accept a wager that equals the main one as a repetition; refuse another amount."""
        seat, game = self.round.seat(number), self.round.game
        if seat is None or dict(seat.main).get(wager) != amount:
            titles = {"wager": game.wager_title(wager), "main": game.wager_title(game.main[0])}
            raise RoundError(say("rounds.not-equal", seat=number, **titles))

    def _decide(self, *, partly: bool) -> None:
        """Street by street: every seat's play, then the board cards that are due."""
        while self.round.phase == "play":
            stage = self.round.game.stages[self.round.stage]
            if self._play_all_seats() and self.round.waiting:
                continue  # The next decision follows without a card in between.
            for number in self.round.waiting:
                if number in self.voided:
                    self._void(number)
                if number not in self.round.waiting:
                    continue
                if not partly:
                    plays = {"made": self._plays_made(number), "plays": stage.plays}
                    raise RoundError(say("rounds.too-few-plays", seat=number, **plays))
                self._check_all_played()
                return
            if not self._turn_board():
                if partly:
                    break
                raise RoundError(self._missing_card())
        self._check_all_played()

    def _play_all_seats(self) -> bool:
        """Play the next decision of each waiting seat that has one; whether any was played."""
        before = len(self.actions)
        for seat_played in self.seats:
            plays_made = self._plays_made(seat_played.seat)
            if seat_played.seat in self.round.waiting and len(seat_played.play) > plays_made:
                self.do(Decide(seat_played.seat, seat_played.play[plays_made]))
        return len(self.actions) > before

    def _missing_card(self) -> Sentence:
        """The card that is missing in the file, in words."""
        place = next_turn(self.round)
        if place is None:
            return say("rounds.cards-of-seat-missing")
        place_rule, given_count = self.common[-place], len(self.boards[-place])
        values = {"board": place_rule.title, "given": given_count, "cards": place_rule.cards}
        return say("rounds.card-missing", **values)

    def _turn_board(self) -> bool:
        """Turn the cards that are due; False if the file lacks one."""
        while self.round.phase in ("play", "deal") and not self.round.waiting:
            if self.round.phase == "deal":  # Further cards, for a stage that reached a seat.
                self._deal_more()
                continue
            place = next_turn(self.round)
            if place is None:
                return False
            turned_count, cards = len(self.round.common[-place]), self.boards[-place]
            if turned_count >= len(cards):
                return False
            self.do(Turn(place, cards[turned_count]))
        return True

    def _deal_more(self) -> None:
        """Deal the later cards; those of seats are turned immediately."""
        while self.round.to_deal:
            self.do(Deal(self.round.to_deal[0]))
        self._turn_hands()

    def _turn_hands(self) -> None:
        """Turn each seat's dealt cards that are still face down."""
        for number, cards in self.hands.items():
            seat = self._seat(number)
            for hand_card in cards[len(seat.cards) : seat.cards_dealt]:
                self.do(Turn(number, hand_card))

    def _check_all_played(self) -> None:
        for seat_played in self.seats:
            plays_made = self._plays_made(seat_played.seat)
            if len(seat_played.play) <= plays_made:
                continue
            if self._seat(seat_played.seat).folded:
                raise RoundError(say("rounds.after-fold", seat=seat_played.seat))
            values = {"seat": seat_played.seat, "plays": len(seat_played.play), "most": plays_made}
            raise RoundError(say("rounds.too-many-plays", **values))

    def _plays_made(self, number: int) -> int:
        """How many plays a seat has made, without skipped stages."""
        return sum(play != PASSED for play in self._seat(number).plays)

    def _seat(self, number: int) -> Seat:
        seat = self.round.seat(number)
        assert seat is not None
        return seat

    def _finish(self) -> None:
        while self.round.phase == "settle":
            self._require_cards()
            self.do(Settle())

    def _check_dead_hand(self) -> None:
        rule = self.round.game.sheet.irregularities.interruption
        if self.file.dead is None:
            if self.file.settled:
                raise RoundError(say("rounds.settled-needs-dead"))
            return
        if self.file.misdeal is not None:
            raise RoundError(say("rounds.not-both"))
        if rule.value == "resume":
            raise RoundError(say("rounds.resumed-here", clause=rule.clause))
        for number in self.file.settled:
            if self.file.settled.count(number) > 1:
                raise RoundError(say("rounds.settled-twice", seat=number))
            if number not in {seat_played.seat for seat_played in self.seats}:
                raise RoundError(say("rounds.settled-nobody", seat=number))

    def _settle_first(self, settled_seats: set[int]) -> None:
        """Settle the seats that were settled before play stopped, in the paying order."""
        if settled_seats and self.round.phase != "settle":
            raise RoundError(say("rounds.board-first", seat=min(settled_seats)))
        while settled_seats & {
            seat_number for seat_number, _ in self.round.to_settle[self.round.steps_settled :]
        }:
            number, group = self.round.to_settle[self.round.steps_settled]
            if number not in settled_seats and "main" in group:
                clause = self.round.game.sheet.settlement.clause
                order = {"first": number, "second": min(settled_seats), "clause": clause}
                raise RoundError(say("rounds.settled-before", **order))
            self.do(Settle(at_once=True))
        if self.round.phase == "over":
            raise RoundError(say("rounds.all-settled"))

    def _require_cards(self) -> None:
        game = self.round.game
        for seat in self.round.seats:
            if (
                seat.void is None
                and game.looks_at_hand(seat)
                and len(seat.cards) < seat.cards_dealt
            ):
                raise RoundError(say("rounds.no-cards", seat=seat.number))

    def _void(self, number: int) -> None:
        self.do(self.voided.pop(number))

    def _void_actions(self) -> dict[int, VoidHand]:
        seat_numbers = {seat_played.seat for seat_played in self.seats}
        void_actions: dict[int, VoidHand] = {}
        for voided in self.file.voided:
            if voided.seat not in seat_numbers:
                raise RoundError(say("rounds.voided-nobody", seat=voided.seat))
            if voided.seat in void_actions:
                raise RoundError(say("rounds.voided-twice", seat=voided.seat))
            void_actions[voided.seat] = VoidHand(voided.seat, voided.reason, voided.part)
        return void_actions

    def _boards(self) -> tuple[tuple[Card, ...], ...]:
        """The file's cards by shared place."""
        place_ids = [place.id for place in self.common]
        cards_by_place = {"community": self.file.community, "dealer": self.file.dealer}
        for place_id, cards in cards_by_place.items():
            if place_id not in place_ids and cards is not None:
                raise RoundError(say("rounds.no-place", other=place_id, own=place_ids[0]))
        return tuple(_cards(cards_by_place[place_id] or [], place_id) for place_id in place_ids)

    def _check_copies(self) -> None:
        """GEN-9: refuse a file with a card that the decks cannot hold."""
        decks = self.round.game.sheet.deck.decks
        counts: Counter[Card] = Counter()
        for cards in (*self.boards, *self.hands.values()):
            counts.update(cards)
        for card_value, times in counts.items():
            if times > decks:
                clause = self.round.game.sheet.irregularities.fouled_deck.clause
                values = {"card": card_value, "times": times, "decks": decks, "clause": clause}
                raise RoundError(say("rounds.too-often", **values))

    def _wrong_count(self) -> str | None:
        """The first hand with a wrong number of cards, in words (GEN-13)."""
        game = self.round.game
        covered = game.sheet.irregularities.wrong_card_count.hands
        for index, (place, cards) in enumerate(zip(self.common, self.boards, strict=True), start=1):
            # A dealer's hand is dealt whole; a board with too few cards is an unfinished round.
            cards_min = 0 if len(cards) in self._final_counts(index) else place.cards - place.later
            too_short = place.id == "dealer" and game.board_is_a_hand and 0 < len(cards) < cards_min
            if place.id in covered and (len(cards) > place.cards or too_short):
                values = {"laid": len(cards), "cards": place.cards}
                return say("rounds.wrong-board", place=place.title, **values)
        place_rule = game.places[0]
        for number, cards in self.hands.items():
            folded_unseen = not cards and self._folds(number)
            wrong_size = not place_rule.cards - place_rule.later <= len(cards) <= place_rule.cards
            if "player" in covered and wrong_size and not folded_unseen:
                return say(
                    "rounds.wrong-hand", seat=number, laid=len(cards), cards=place_rule.cards
                )
        return None

    def _final_counts(self, place: int) -> set[int]:
        """If all fold: the card counts at which the place may end."""
        if not all(self._folds(seat_played.seat) for seat_played in self.seats):
            return set()
        return {stage.opens[place] for stage in self.round.game.stages}

    def _folds(self, number: int) -> bool:
        """Whether the file folds a seat's hand at some stage."""
        folds = {play for stage in self.round.game.stages for play in stage.plays if play.folds}
        return any(
            folds & set(seat_played.play)
            for seat_played in self.seats
            if seat_played.seat == number
        )


def _cards(texts: list[str], label: str) -> tuple[Card, ...]:
    return tuple(_say_refusal(label, card, text) for text in texts)


def _say_refusal(label: str, read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except PitbookError as error:
        raise refusal_sentence(say("rounds.at", where=label, why=sentence_of(error))) from None


SENTENCE_MAX = 300


def refusal_sentence(message: str) -> RoundError:
    """The error as one printable line of limited length."""
    text = printable(message)
    return RoundError(text if len(text) <= SENTENCE_MAX else _truncate(text))


def _truncate(text: str) -> str:
    return f"{text[: SENTENCE_MAX - 3]}..."


def reject_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs as a dict; refuse repeated keys."""
    repeated = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    if repeated:
        raise refusal_sentence(say("rounds.written-twice", name=repeated[0]))
    return dict(pairs)


def sentence(error: ValidationError) -> Sentence:
    """The first error of a file, in words."""
    first = error.errors(include_url=False)[0]
    location = "".join(
        f"[{step_name}]" if isinstance(step_name, int) else f".{step_name}"
        for step_name in first["loc"]
    )
    field_path = location.removeprefix(".") or say("rounds.the-file")
    if first["type"] == "missing":
        return say("rounds.missing", where=field_path)
    if first["type"] == "extra_forbidden":
        return say("rounds.no-field", where=field_path)
    context = first.get("ctx", {})
    if first["type"] in ("too_short", "string_too_short"):
        return say("rounds.empty", where=field_path)
    if first["type"] == "string_too_long":
        return say("rounds.field-too-long", where=field_path, most=context["max_length"])
    expected_form = _EXPECTED.get(first["type"], "other"), str(context.get("expected", "otherwise"))
    values = {
        "kind": expected_form[0],
        "expected": expected_form[1],
        "given": show_value(first["input"]),
    }
    return say("rounds.must-be", where=field_path, **values)


_EXPECTED = {
    "string_type": "text",
    "string_unicode": "text",
    "int_type": "number",
    "list_type": "list",
    "dict_type": "object",
    "model_type": "object",
}
