"""Round files: who bet what, which cards came, what was played; settled by the engine."""

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
from pitbook.rules.flow import next_turn
from pitbook.rules.game import Seat
from pitbook.rules.plays import PASSED
from pitbook.rules.refusals import Refusal, with_clause
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.sheets.findings import printable, show_value
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import Format
from pitbook.text import Sentence, say, sentence_of

TEXT_MAX = 1_000_000
VALUES_MAX = 10_000


class RoundPart(BaseModel):
    """A part of a round file: unknown fields are refused and nothing is converted in silence."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def play(file: RoundFile, sheet: Sheet) -> tuple[Round, list[Action]]:
    """The finished round and the actions that led to it."""
    table = _Table(sheet, file)
    table.run()
    return table.round, table.actions


class SeatPlayed(RoundPart):
    """One position: its player, wagers, cards and plays."""

    seat: int = Field(description="1 is the dealer's far left.")
    player: str | None = Field(default=None, min_length=1, max_length=100)
    wagers: dict[str, str] = Field(description='Wager = dollars, as in {"ante": "10"}.')
    cards: list[str] | None = Field(
        default=None, description="May be left out for a fold, where no wager looks at them."
    )
    play: list[str] = Field(default=[], description='As in ["3x", "1x", "fold"] or ["low+double"].')


class HandVoided(RoundPart):
    """A hand that was voided."""

    seat: int
    reason: VoidReason
    part: InformationPart | None = Field(
        default=None,
        description="Of information: who gave it or took it; left out: the hand is void as named.",
    )


class RoundFile(RoundPart):
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
        raise RoundError(say("rounds.too-long", most=TEXT_MAX))
    if has_more_values(text, VALUES_MAX):
        raise RoundError(say("rounds.too-many-values", most=VALUES_MAX))
    try:
        document = json.loads(text, object_pairs_hook=reject_repeats)
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise RoundError(say("rounds.no-json-at", why=error.msg, **place)) from None
    except (RecursionError, ValueError):
        raise RoundError(say("rounds.no-json")) from None
    try:
        return RoundFile.model_validate(document)
    except ValidationError as error:
        raise refusal_sentence(sentence(error)) from None


def _name_key(name: str) -> str:
    """One key for every spelling of a player's name: "a", "A" and " a " are one player."""
    return unicodedata.normalize("NFKC", " ".join(name.split()).casefold())


def settle(file: RoundFile, find: Callable[[str], Sheet]) -> Round:
    """The round played through the engine to its end; raises RoundError where it is refused."""
    return play(file, find(file.sheet))[0]


class _Table:
    """Plays a file: every rule is the engine's, every refusal becomes one sentence."""

    def __init__(self, sheet: Sheet, file: RoundFile) -> None:
        self.round = open_round(sheet)
        self.common = self.round.game.places[1:]
        self.actions: list[Action] = []
        self.file = file
        self.seats = sorted(file.seats, key=lambda one: one.seat)
        self.boards = self._boards()
        self.hands = {
            one.seat: _cards(one.cards, say("engine.place.seat", seat=one.seat))
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
            self._turn_hands()
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
            raise refusal_sentence(with_clause(after))
        self.round = after
        self.actions.append(action)

    def _bet(self) -> None:
        main = self.round.game.main[0]
        seen: set[int] = set()
        players: dict[str, str] = {}
        for one in self.seats:
            if one.seat in seen:
                raise RoundError(say("rounds.seat-twice", seat=one.seat))
            seen.add(one.seat)
            name = one.player or f"seat {one.seat}"
            player = players.setdefault(_name_key(name), name)  # Keeps the first spelling.
            for wager in sorted(one.wagers, key=lambda wager: wager != main):
                where = say("rounds.wager-at", seat=one.seat, wager=wager)
                amount = _say_refusal(where, dollars, one.wagers[wager])
                if wager in self.round.game.equals:
                    self._equal(one.seat, wager, amount)
                else:
                    self.do(Wager(one.seat, player, wager, amount))
            if not one.wagers:
                raise RoundError(say("rounds.no-wager", seat=one.seat, wager=main))
        self.do(Close())

    def _equal(self, number: int, wager: str, amount: Cents) -> None:
        """A wager that lies there with the main one, and is as large: it may be named again."""
        seat, game = self.round.seat(number), self.round.game
        if seat is None or dict(seat.main).get(wager) != amount:
            titles = {"wager": game.wager_title(wager), "main": game.wager_title(game.main[0])}
            raise RoundError(say("rounds.not-equal", seat=number, **titles))

    def _decide(self, *, partly: bool) -> None:
        """Street by street: every seat's play, then the board's cards that are due."""
        while self.round.phase == "play":
            stage = self.round.game.stages[self.round.stage]
            if self._decided() and self.round.waiting:
                continue  # The next decision came at once: no card lies between the two.
            for number in self.round.waiting:
                if number in self.voided:
                    self._void(number)
                if number not in self.round.waiting:
                    continue
                if not partly:
                    plays = {"made": self._made(number), "plays": stage.plays}
                    raise RoundError(say("rounds.too-few-plays", seat=number, **plays))
                self._all_played()
                return
            if not self._turn_board():
                if partly:
                    break
                raise RoundError(self._missing())
        self._all_played()

    def _decided(self) -> bool:
        """Whether a seat that decides has a play for it: each makes the next of its own."""
        before = len(self.actions)
        for one in self.seats:
            made = self._made(one.seat)
            if one.seat in self.round.waiting and len(one.play) > made:
                self.do(Decide(one.seat, one.play[made]))
        return len(self.actions) > before

    def _missing(self) -> Sentence:
        """Which card nobody has named, in words."""
        place = next_turn(self.round)
        if place is None:
            return say("rounds.cards-of-seat-missing")
        there, have = self.common[-place], len(self.boards[-place])
        told = {"board": there.title, "given": have, "cards": there.cards}
        return say("rounds.card-missing", **told)

    def _turn_board(self) -> bool:
        """Turn what is due; False where the file does not have it."""
        while self.round.phase in ("play", "deal") and not self.round.waiting:
            if self.round.phase == "deal":  # Further cards, for a stage that came to somebody.
                self._deal_more()
                continue
            place = next_turn(self.round)
            if place is None:
                return False
            turned, given = len(self.round.common[-place]), self.boards[-place]
            if turned >= len(given):
                return False
            self.do(Turn(place, given[turned]))
        return True

    def _deal_more(self) -> None:
        """Cards that are dealt later, those of seats turned at once."""
        while self.round.to_deal:
            self.do(Deal(self.round.to_deal[0]))
        self._turn_hands()

    def _turn_hands(self) -> None:
        """Every seat's cards that lie there and are not named yet."""
        for number, cards in self.hands.items():
            seat = self._seat(number)
            for one in cards[len(seat.cards) : seat.laid]:
                self.do(Turn(number, one))

    def _all_played(self) -> None:
        for one in self.seats:
            made = self._made(one.seat)
            if len(one.play) <= made:
                continue
            if self._seat(one.seat).folded:
                raise RoundError(say("rounds.after-fold", seat=one.seat))
            many = {"seat": one.seat, "plays": len(one.play), "most": made}
            raise RoundError(say("rounds.too-many-plays", **many))

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
                raise RoundError(say("rounds.settled-needs-dead"))
            return
        if self.file.misdeal is not None:
            raise RoundError(say("rounds.not-both"))
        if rule.value == "resume":
            raise RoundError(say("rounds.resumed-here", clause=rule.clause))
        for number in self.file.settled:
            if self.file.settled.count(number) > 1:
                raise RoundError(say("rounds.settled-twice", seat=number))
            if number not in {one.seat for one in self.seats}:
                raise RoundError(say("rounds.settled-nobody", seat=number))

    def _settle_first(self, wanted: set[int]) -> None:
        """The seats that were settled before the hand was cut short, in the paying order."""
        if wanted and self.round.phase != "settle":
            raise RoundError(say("rounds.board-first", seat=min(wanted)))
        while wanted & {one for one, _ in self.round.to_settle[self.round.steps_settled :]}:
            number, group = self.round.to_settle[self.round.steps_settled]
            if number not in wanted and "main" in group:
                clause = self.round.game.sheet.settlement.clause
                order = {"first": number, "second": min(wanted), "clause": clause}
                raise RoundError(say("rounds.settled-before", **order))
            self.do(Settle(at_once=True))
        if self.round.phase == "over":
            raise RoundError(say("rounds.all-settled"))

    def _known(self) -> None:
        game = self.round.game
        for seat in self.round.seats:
            if seat.void is None and game.looks_at_hand(seat) and len(seat.cards) < seat.laid:
                raise RoundError(say("rounds.no-cards", seat=seat.number))

    def _void(self, number: int) -> None:
        self.do(self.voided.pop(number))

    def _voided(self) -> dict[int, VoidHand]:
        known = {one.seat for one in self.seats}
        found: dict[int, VoidHand] = {}
        for one in self.file.voided:
            if one.seat not in known:
                raise RoundError(say("rounds.voided-nobody", seat=one.seat))
            if one.seat in found:
                raise RoundError(say("rounds.voided-twice", seat=one.seat))
            found[one.seat] = VoidHand(one.seat, one.reason, one.part)
        return found

    def _boards(self) -> tuple[tuple[Card, ...], ...]:
        """By place in common, the cards that the file has there."""
        own = [place.id for place in self.common]
        given = {"community": self.file.community, "dealer": self.file.dealer}
        for other, cards in given.items():
            if other not in own and cards is not None:
                raise RoundError(say("rounds.no-place", other=other, own=own[0]))
        return tuple(_cards(given[one] or [], one) for one in own)

    def _no_card_too_often(self) -> None:
        """GEN-9: a file with a card that the decks cannot hold is refused."""
        decks = self.round.game.sheet.deck.decks
        counts: Counter[Card] = Counter()
        for cards in (*self.boards, *self.hands.values()):
            counts.update(cards)
        for one, times in counts.items():
            if times > decks:
                clause = self.round.game.sheet.irregularities.fouled_deck.clause
                often = {"card": one, "times": times, "decks": decks, "clause": clause}
                raise RoundError(say("rounds.too-often", **often))

    def _wrong_count(self) -> str | None:
        """The first hand with a wrong number of cards, in words (GEN-13)."""
        game = self.round.game
        covered = game.sheet.irregularities.wrong_card_count.hands
        for at, (place, cards) in enumerate(zip(self.common, self.boards, strict=True), start=1):
            # A dealer's hand is dealt whole; a board that is still short is an unfinished round.
            least = 0 if len(cards) in self._left_at(at) else place.cards - place.later
            short = place.id == "dealer" and game.board_is_a_hand and 0 < len(cards) < least
            if place.id in covered and (len(cards) > place.cards or short):
                counted = {"laid": len(cards), "cards": place.cards}
                return say("rounds.wrong-board", place=place.title, **counted)
        own = game.places[0]
        for number, cards in self.hands.items():
            folded_unseen = not cards and self._folds(number)
            wrong = not own.cards - own.later <= len(cards) <= own.cards
            if "player" in covered and wrong and not folded_unseen:
                return say("rounds.wrong-hand", seat=number, laid=len(cards), cards=own.cards)
        return None

    def _left_at(self, place: int) -> set[int]:
        """How many cards may lie open there in the end, where all fold and no more are turned."""
        if not all(self._folds(one.seat) for one in self.seats):
            return set()
        return {stage.opens[place] for stage in self.round.game.stages}

    def _folds(self, number: int) -> bool:
        """Whether the file gives a seat's hand up at some stage."""
        folds = {play for stage in self.round.game.stages for play in stage.plays if play.folds}
        return any(folds & set(one.play) for one in self.seats if one.seat == number)


def _cards(texts: list[str], where: str) -> tuple[Card, ...]:
    return tuple(_say_refusal(where, card, text) for text in texts)


def _say_refusal(where: str, read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except PitbookError as error:
        raise refusal_sentence(say("rounds.at", where=where, why=sentence_of(error))) from None


SENTENCE_MAX = 300


def refusal_sentence(message: str) -> RoundError:
    """One line of sane length, whatever the file holds."""
    text = printable(message)
    return RoundError(text if len(text) <= SENTENCE_MAX else _cut(text))


def _cut(text: str) -> str:
    return f"{text[: SENTENCE_MAX - 3]}..."


def reject_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of the file, if it names nothing twice."""
    repeated = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
    if repeated:
        raise refusal_sentence(say("rounds.written-twice", name=repeated[0]))
    return dict(pairs)


def sentence(error: ValidationError) -> Sentence:
    """The first thing that is wrong with a file, in words."""
    first = error.errors(include_url=False)[0]
    dotted = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in first["loc"])
    where = dotted.removeprefix(".") or say("rounds.the-file")
    if first["type"] == "missing":
        return say("rounds.missing", where=where)
    if first["type"] == "extra_forbidden":
        return say("rounds.no-field", where=where)
    context = first.get("ctx", {})
    if first["type"] in ("too_short", "string_too_short"):
        return say("rounds.empty", where=where)
    if first["type"] == "string_too_long":
        return say("rounds.field-too-long", where=where, most=context["max_length"])
    wanted = _EXPECTED.get(first["type"], "other"), str(context.get("expected", "otherwise"))
    told = {"kind": wanted[0], "expected": wanted[1], "given": show_value(first["input"])}
    return say("rounds.must-be", where=where, **told)


_EXPECTED = {
    "string_type": "text",
    "string_unicode": "text",
    "int_type": "number",
    "list_type": "list",
    "dict_type": "object",
    "model_type": "object",
}
