"""The commands that a viewer may give now, with bounds and reasons for refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, cast

from pitbook.house.people.persons import OPEN_TO_ALL, AccessList
from pitbook.house.table import commands
from pitbook.house.table.betting import WagerCheck
from pitbook.house.table.commands import By, Command, TableRole, encode
from pitbook.house.table.decide import command_check, play_check, seat_check, wager_check
from pitbook.house.table.env import DryRunEnv, WalletOf
from pitbook.house.table.events import play_effects
from pitbook.house.table.rights import RIGHTS
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
from pitbook.house.table.work import PlayCheck
from pitbook.money import Cents, money
from pitbook.rules.actions import BOARD, PlaceNumber, Play
from pitbook.rules.game import Game, KeyedPlay, Seat
from pitbook.rules.narration import add_chip, remove_chip
from pitbook.rules.refusals import Refusal
from pitbook.rules.step import fold_loss
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
    by, env = By(viewer.name, viewer.role), DryRunEnv(state, wallet, access_list)
    checks = _OfferChecks(state, by, env, command_check(state, by, env))
    is_player = viewer.role == "player"
    table_offers: list[Offer] = []
    numbers, seats = state.numbers, state.seats
    has_free_seat = len(seats) < len(numbers) and checks.may(commands.Sit)
    seat_refusal = checks.seat_refusals() if has_free_seat else None
    for number in numbers:
        player = seats.get(number)
        if player is None:
            if seat_refusal is not None:
                table_offers.append({**command_offer(commands.Sit(number)), **seat_refusal(number)})
        elif player == viewer.name or not is_player:
            table_offers += _seat_offers(checks, number)
    for command, offer in table_commands(state, viewer.role):
        table_offers.append({**offer, **checks.refusal_of(command)})
    return table_offers


class _OfferChecks(NamedTuple):
    """Checks a viewer's commands without executing them."""

    state: TableState
    by: By
    env: DryRunEnv
    check: Callable[[Command], Refusal | None]

    def may(self, kind: type) -> bool:
        """Whether the role has commands of this kind."""
        return has_command(self.by.role, kind, self.state.kind)

    def refusal_of(self, command: Command) -> Refusable:
        """The refusal of a command, or nothing."""
        return _refusal(self.check(command))

    def seat_refusals(self) -> Callable[[int], Refusable]:
        """A function that returns the refusal of each seat; equal refusals are shared."""
        player = self.by.name if self.by.role == "player" else PLACEHOLDER_NAME
        why_not = seat_check(self.state, self.by, player, self.env)
        last: tuple[Refusal | None, Refusable] = None, {}

        def refusal_for(number: int) -> Refusable:
            nonlocal last
            if (refusal := why_not(number)) is not last[0]:
                last = refusal, _refusal(refusal)
            return last[1]

        return refusal_for

    def wager_check(self, seat: int) -> WagerCheck:
        return wager_check(self.state, self.by, seat, self.env)

    def play_check(self, seat: int) -> PlayCheck:
        return play_check(self.state, self.by, seat, self.env)


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


def _seat_offers(checks: _OfferChecks, number: int) -> Iterator[Offer]:
    if checks.may(commands.PutWager):
        yield from _wager_offers(checks.state, number, checks.wager_check(number))
        yield _play_offer(checks, number)
    for command, offer in seat_commands(checks.state, checks.by.role, number):
        yield {**offer, **checks.refusal_of(command)}


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
    seat = state.round.seat(number) if state.live and state.round else None
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


def _play_offer(checks: _OfferChecks, number: int) -> DecideOffer:
    state = checks.state
    game, round = state.game, state.round
    seat = round.seat(number) if state.live and round else None
    stage = max(round.stage, 0) if seat is not None and round is not None else 0
    check = checks.play_check(number)
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


PLACEHOLDER = "..."

CommandOffers = tuple[tuple[Command, OtherOffer], ...]


def seat_commands(state: TableState, role: TableRole, number: int) -> CommandOffers:
    """The commands that a role may give at a seat, as offers."""
    ready, is_awaiting = state.seats[number] in state.ready, state.awaiting is not None
    return _cached_seat_commands(role, state.kind, number, ready=ready, is_awaiting=is_awaiting)


@lru_cache(maxsize=1_000)
def _cached_seat_commands(
    role: TableRole, kind: TableKind, number: int, *, ready: bool, is_awaiting: bool
) -> CommandOffers:
    return _allowed_commands(
        role, kind, _all_seat_commands(number, ready=ready, is_awaiting=is_awaiting)
    )


def table_commands(state: TableState, role: TableRole) -> CommandOffers:
    """The commands that a role may give for the whole table."""
    hidden = state.round.hidden if state.round else ()
    is_awaiting, closed_places = (
        state.awaiting is not None,
        () if state.typed else hidden or (BOARD,),
    )
    options = {"coach": state.coach, "is_awaiting": is_awaiting, "shuffler": state.shuffler}
    return _cached_table_commands(role, state.kind, tuple(closed_places), **options)


@lru_cache(maxsize=1_000)
def _cached_table_commands(
    role: TableRole,
    kind: TableKind,
    closed: tuple[PlaceNumber, ...],
    *,
    coach: bool,
    is_awaiting: bool,
    shuffler: bool,
) -> CommandOffers:
    return _allowed_commands(
        role,
        kind,
        _all_table_commands(closed, coach=coach, is_awaiting=is_awaiting, shuffler=shuffler),
    )


def _allowed_commands(
    role: TableRole, kind: TableKind, all_commands: Iterator[Command]
) -> CommandOffers:
    return tuple(
        (command, command_offer(command))
        for command in all_commands
        if has_command(role, type(command), kind)
    )


def _all_seat_commands(number: int, *, ready: bool, is_awaiting: bool) -> Iterator[Command]:
    yield commands.Undo(number)
    yield commands.Rebet(number)
    yield commands.Refill(number)
    yield commands.SeatSeed(number, PLACEHOLDER)
    yield commands.Ready(number, on=not ready)
    yield commands.Leave(number)
    if is_awaiting:
        yield commands.Agree(number, finish=True)
    yield commands.VoidHand(number, "supervisor")
    yield commands.VoidHand(number, "information", part="gave")
    yield commands.VoidHand(number, "information", part="took")
    yield commands.Warn(number, PLACEHOLDER)


def _all_table_commands(
    closed: tuple[PlaceNumber, ...], *, coach: bool, is_awaiting: bool, shuffler: bool
) -> Iterator[Command]:
    yield commands.CloseBetting()
    yield commands.OpenRound()
    yield commands.Settle()
    yield commands.Coach(on=not coach)
    yield commands.Misdeal(PLACEHOLDER)
    yield from map(commands.ExposeCard, closed)
    if is_awaiting:
        yield commands.Unreadable()
        yield commands.GoOn(PLACEHOLDER)
    yield commands.Interrupt(PLACEHOLDER)
    yield commands.ShufflerFailed() if shuffler else commands.ShufflerRepaired()
    yield commands.Retire()


def has_command(role: TableRole, kind: type, table: TableKind) -> bool:
    """Whether a role has commands of this kind."""
    return role in RIGHTS[kind].roles_at(table)


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
