"""The commands that a viewer may give now, with bounds and reasons for refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, cast

from pitbook.house.people.access_list import OPEN_TO_ALL, AccessList
from pitbook.house.table import (
    betting,
    commands,
    dealing,
    interruptions,
    round_commands,
    seats,
    supervision,
)
from pitbook.house.table.betting import WagerCheck, check_wagers
from pitbook.house.table.commands import By, Command, TableRole, encode
from pitbook.house.table.decide import check_allowed
from pitbook.house.table.environment import PlayerRecords, WalletOf
from pitbook.house.table.events import play_effects
from pitbook.house.table.rights import RIGHTS
from pitbook.house.table.round_commands import PlayCheck, check_plays
from pitbook.house.table.seats import check_seats
from pitbook.house.table.situation import PLACEHOLDER, Candidate, Situation
from pitbook.house.table.state import TableKind, TableState
from pitbook.house.table.view_types import (
    AmountOffer,
    ChipOffer,
    ChipOffers,
    ChoiceOffer,
    DecideOffer,
    Offer,
    OtherOffer,
    PlayChoice,
    PlayPrice,
    Refusable,
    RefusalJson,
    WagerBounds,
    WagerOffer,
)
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents, money
from pitbook.rules.actions import Play
from pitbook.rules.cost_to_end import fold_loss
from pitbook.rules.game import Game, KeyedPlay, Seat
from pitbook.rules.narration import add_chip, remove_chip
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Stake
from pitbook.text import in_language
from pitbook.text.catalog import ENGLISH
from pitbook.text.sentences import sentence_json

PLACEHOLDER_NAME = "somebody"


def offers(
    state: TableState, viewer: Viewer, wallet: WalletOf, access_list: AccessList = OPEN_TO_ALL
) -> list[Offer]:
    """Every command of the viewer's role, with the refusal if it would be refused now."""
    if viewer.role == "spectator" or state.retired:
        return []
    table = Situation(state, PlayerRecords(wallet, access_list))
    return list(_Offers(table, By(viewer.name, viewer.role)).all())


class _Offers(NamedTuple):
    """The offers to one viewer: what each slice calls legal, if the role has the command."""

    table: Situation
    by: By

    def all(self) -> Iterator[Offer]:
        state, by = self.table.state, self.by
        has_free_seat = len(state.seats) < len(state.numbers) and self._may(commands.Sit)
        check_seat = self._seat_check() if has_free_seat else None
        for number in state.numbers:
            player = state.seats.get(number)
            if player is None:
                if check_seat is not None:
                    yield {**command_offer(commands.Sit(number)), **check_seat(number)}
            elif player == by.name or by.role != "player":
                yield from self._at_seat(number)
        yield from self._of(candidate for part in TABLE_PARTS for candidate in part.legal(state))

    def _at_seat(self, number: int) -> Iterator[Offer]:
        state = self.table.state
        if self._may(commands.PutWager):
            yield from _wager_offers(state, number, self._wager_check(number))
            yield _play_offer(state, number, self._play_check(number))
        yield from self._of(
            candidate for part in SEAT_PARTS for candidate in part.legal_at(state, number)
        )

    def _of(self, candidates: Iterable[Candidate]) -> Iterator[OtherOffer]:
        """Candidates as offers, in the order of `ORDER`."""
        kinds = kinds_of(self.by.role, self.table.state.kind)
        allowed = [candidate for candidate in candidates if type(candidate.command) in kinds]
        allowed.sort(key=lambda candidate: ORDER[type(candidate.command)])
        for command, check in allowed:
            refusal = self._role_refusal(command) or check(self.table, self.by, command)
            yield {**command_offer(command), **_refusal(refusal)}

    def _may(self, kind: type) -> bool:
        return kind in kinds_of(self.by.role, self.table.state.kind)

    def _role_refusal(self, command: Command) -> Refusal | None:
        return check_allowed(self.table, self.by, command)

    def _seat_check(self) -> Callable[[int], Refusable]:
        """A function that returns the refusal of each seat; equal refusals are shared."""
        player = self.by.name if self.by.role == "player" else PLACEHOLDER_NAME
        refusal = self._role_refusal(commands.Sit(0, player))
        check = check_seats(self.table, self.by, player) if refusal is None else lambda _: refusal
        last: tuple[Refusal | None, Refusable] = None, {}

        def refusal_for(number: int) -> Refusable:
            nonlocal last
            if (refusal := check(number)) is not last[0]:
                last = refusal, _refusal(refusal)
            return last[1]

        return refusal_for

    def _wager_check(self, seat: int) -> WagerCheck:
        refusal = self._role_refusal(commands.PutWager(seat, "", Cents(0)))
        return check_wagers(self.table, seat) if refusal is None else lambda *_: refusal

    def _play_check(self, seat: int) -> PlayCheck:
        refusal = self._role_refusal(commands.Decide(seat, ""))
        return check_plays(self.table, seat) if refusal is None else lambda _: refusal


# The parts of a table whose commands are offered at each seat, and for the table.
SEAT_PARTS = (betting, seats, dealing, interruptions, round_commands)
TABLE_PARTS = (betting, round_commands, supervision, interruptions)
_ORDER: tuple[type, ...] = (
    *(commands.Undo, commands.Rebet, commands.Refill, commands.SeatSeed, commands.Ready),
    *(commands.Leave, commands.Agree, commands.VoidHand, commands.Warn),
    *(commands.CloseBetting, commands.OpenRound, commands.Settle, commands.Coach),
    *(commands.Misdeal, commands.ExposeCard, commands.Unreadable, commands.GoOn),
    *(commands.Interrupt, commands.ShufflerFailed, commands.ShufflerRepaired, commands.Retire),
)
ORDER = {kind: position for position, kind in enumerate(_ORDER)}


@lru_cache(maxsize=100)
def kinds_of(role: TableRole, table: TableKind) -> frozenset[type]:
    """The kinds of commands that a role has at a kind of table."""
    return frozenset(kind for kind, right in RIGHTS.items() if role in right.roles_at(table))


def render_refusal(refusal: Refusal, language: str = ENGLISH) -> RefusalJson:
    """A refusal as JSON, with its key and fields."""
    message = refusal.message
    refusal_json: RefusalJson = {
        "code": refusal.code,
        "message": in_language(message, language),
        "clause": refusal.clause,
    }
    return {**refusal_json, **cast(RefusalJson, sentence_json(message, language))}


def _refusal(refusal: Refusal | None) -> Refusable:
    """A refusal for a view; it has fields only if it names a player, shown as "you"."""
    if refusal is None:
        return {}
    message = refusal.message
    refusal_json: RefusalJson = {"code": refusal.code, "message": message, "clause": refusal.clause}
    if "player" in getattr(message, "fields", ()):
        refusal_json = {**refusal_json, **cast(RefusalJson, sentence_json(message))}
    return {"refused": refusal_json}


class _BetType(NamedTuple):
    """A wager of a game, and the parts of its offer that are the same at every seat."""

    wager: str
    stake: Stake
    bounds: WagerBounds
    chips: tuple[tuple[Cents, str], ...]
    least: Cents  # The smallest chip.


@lru_cache(maxsize=256)
def _bet_types(game: Game) -> tuple[_BetType, ...]:
    main, rule = game.main
    stakes: dict[str, Stake] = {main: rule}
    stakes |= {wager: side.stake for wager, side in game.sheet.side.items()}
    values = game.sheet.house.chips.values
    return tuple(
        _BetType(
            wager,
            stake,
            {"min": money(stake.min), "max": money(stake.max), "step": money(stake.step)},
            tuple((chip, money(chip)) for chip in values if chip <= stake.max),
            min(values),
        )
        for wager, stake in stakes.items()
    )


def _wager_offers(state: TableState, number: int, check: WagerCheck) -> Iterator[WagerOffer]:
    seat = state.round.seat(number) if state.has_live_wagers and state.round else None
    stakes = dict(seat.stakes if seat else ())
    for bet_type in _bet_types(state.game):
        refusal = _refusal(check(bet_type.wager, bet_type.stake.min))
        stake = stakes.get(bet_type.wager, Cents(0))
        chips: ChipOffers = {} if refusal else _chip_offers(bet_type, stake, check)
        yield {
            "do": "put-wager",
            "seat": number,
            "wager": bet_type.wager,
            **bet_type.bounds,
            "now": money(stake),
            **chips,
            **refusal,
        }


def _chip_offers(bet: _BetType, stake: Cents, check: WagerCheck) -> ChipOffers:
    """Offers for one more chip of each value, one smallest chip less, and none."""
    stake_min = bet.stake.min

    def amount_offer(amount: Cents) -> AmountOffer:
        return {"amount": money(amount), **_refusal(check(bet.wager, amount))}

    chips: list[ChipOffer] = [
        {"chip": chip_text, **amount_offer(add_chip(stake, chip, stake_min))}
        for chip, chip_text in bet.chips
    ]
    if not stake:
        return {"chips": chips}
    return {
        "chips": chips,
        "less": amount_offer(remove_chip(stake, bet.least, stake_min)),
        "clear": amount_offer(Cents(0)),
    }


def _play_offer(state: TableState, number: int, check: PlayCheck) -> DecideOffer:
    game, round = state.game, state.round
    seat = round.seat(number) if state.has_live_wagers and round else None
    stage = max(round.stage, 0) if seat is not None and round is not None else 0
    choices: list[ChoiceOffer] = []
    for choice, choice_json in zip(game.choices[stage], _choices(game, stage), strict=True):
        refusal = _refusal(check(choice.play))
        choices.append({**choice_json, **price_of_play(game, seat, choice.play), **refusal})
    due_stage = game.stages[stage]
    return {
        "do": "decide",
        "seat": number,
        "stage": due_stage.id,
        "stage_title": due_stage.title,
        "choices": choices,
    }


@lru_cache(maxsize=1_000)
def _choices(game: Game, stage: int) -> tuple[PlayChoice, ...]:
    return tuple(map(_choice, game.choices[stage]))


def _choice(choice: KeyedPlay) -> PlayChoice:
    """A play's name, key and effects; `plain` if it only adds a wager."""
    play = choice.play
    return {
        "play": play,
        "title": play.label,
        "key": choice.key,
        "plain": choice.plain,
        **play_effects(play),
        "folds": play.folds,
    }


@lru_cache(maxsize=1_000, typed=True)  # A tuple is equal to one of another kind.
def command_offer(command: Command) -> OtherOffer:
    """A command as an offer, without the text that its sender must fill in."""
    document = {key: value for key, value in encode(command).items() if value != PLACEHOLDER}
    return cast(OtherOffer, document)


def price_of_play(game: Game, seat: Seat | None, play: Play) -> PlayPrice:
    """The price of a play; zero for an empty seat."""
    if seat is None:
        return {"cost": money(Cents(0))}
    price: PlayPrice = {"cost": money(seat.cost(play))}
    if play.takes:
        stakes = dict(seat.main)
        price["back"] = money(Cents(sum(stakes.get(wager, 0) for wager in play.takes)))
    if play.folds and seat.main:
        price["loses"] = money(fold_loss(game, seat, play))
    return price
