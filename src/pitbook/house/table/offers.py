"""The commands that a viewer may give now, with bounds and reasons for refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, cast

from pitbook.house.people.roster import OPEN_TO_ALL, AccessList
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
    ChoiceNamed,
    ChoiceOffer,
    DecideOffer,
    Offer,
    OtherOffer,
    Priced,
    Puts,
    Refusable,
    RefusalShown,
    WagerBounds,
    WagerOffer,
)
from pitbook.house.table.visibility import Viewer
from pitbook.house.table.work import PlayCheck
from pitbook.money import Cents, money
from pitbook.rules.actions import BOARD, PlaceNumber
from pitbook.rules.costs import fold_loss
from pitbook.rules.game import Game, KeyedPlay, Seat
from pitbook.rules.narration import one_less, one_more
from pitbook.rules.plays import Play
from pitbook.rules.refusals import Refusal
from pitbook.sheets.parts import Stake
from pitbook.text import in_language
from pitbook.text.catalogue import ENGLISH
from pitbook.text.documents import said_by

ANYONE = "somebody"


def offers(
    state: TableState, viewer: Viewer, wallet: WalletOf, door: AccessList = OPEN_TO_ALL
) -> list[Offer]:
    """Every command that the viewer's role has, and why not where it is refused now."""
    if viewer.role == "spectator" or state.retired:
        return []
    by, env = By(viewer.name, viewer.role), DryRunEnv(state, wallet, door)
    trial = _OfferChecks(state, by, env, command_check(state, by, env))
    own = viewer.role == "player"
    found: list[Offer] = []
    numbers, seats = state.numbers, state.seats
    free = len(seats) < len(numbers) and trial.may(commands.Sit)
    sits = trial.sits() if free else None
    for number in numbers:
        taken = seats.get(number)
        if taken is None:
            if sits is not None:
                found.append({**command_offer(commands.Sit(number)), **sits(number)})
        elif taken == viewer.name or not own:
            found += _seat_offers(trial, number)
    for command, named in table_commands(state, viewer.role):
        found.append({**named, **trial.no(command)})
    return found


class _OfferChecks(NamedTuple):
    """Somebody's commands, asked about and not given."""

    state: TableState
    by: By
    env: DryRunEnv
    why_not: Callable[[Command], Refusal | None]

    def may(self, kind: type) -> bool:
        """Whether the role has commands of a kind at all."""
        return has_command(self.by.role, kind, self.state.kind)

    def no(self, command: Command) -> Refusable:
        """Why a command would be refused, if it would."""
        return _refusal(self.why_not(command))

    def sits(self) -> Callable[[int], Refusable]:
        """Why positions would be refused, by number; most of them alike."""
        who = self.by.name if self.by.role == "player" else ANYONE
        why_not = seat_check(self.state, self.by, who, self.env)
        last: tuple[Refusal | None, Refusable] = None, {}

        def told(number: int) -> Refusable:
            nonlocal last
            if (no := why_not(number)) is not last[0]:
                last = no, _refusal(no)
            return last[1]

        return told

    def puts(self, seat: int) -> WagerCheck:
        """Why wagers at a seat would be refused."""
        return wager_check(self.state, self.by, seat, self.env)

    def plays(self, seat: int) -> PlayCheck:
        """Why plays of a seat would be refused."""
        return play_check(self.state, self.by, seat, self.env)


def render_refusal(refusal: Refusal, language: str = ENGLISH) -> RefusalShown:
    """A refusal as JSON, with what it is made of."""
    message = refusal.message
    told: RefusalShown = {
        "code": refusal.code,
        "message": in_language(message, language),
        "clause": refusal.clause,
    }
    return {**told, **cast(RefusalShown, said_by(message, language))}


def _refusal(why: Refusal | None) -> Refusable:
    """A view has many noes: most are shown as they are; whom one names may be called "you"."""
    if why is None:
        return {}
    message = why.message
    shown: RefusalShown = {"code": why.code, "message": message, "clause": why.clause}
    if "player" in getattr(message, "fields", ()):
        shown = {**shown, **cast(RefusalShown, said_by(message))}
    return {"refused": shown}


def _seat_offers(trial: _OfferChecks, number: int) -> Iterator[Offer]:
    if trial.may(commands.PutWager):
        yield from _wager_offers(trial.state, number, trial.puts(number))
        yield _play_offer(trial, number)
    for command, named in seat_commands(trial.state, trial.by.role, number):
        yield {**named, **trial.no(command)}


class _BetType(NamedTuple):
    """A wager that a game has, and what of its offer is the same at every seat."""

    wager: str
    stake: Stake
    bounds: WagerBounds
    chips: tuple[tuple[Cents, str], ...]
    least: Cents  # The smallest chip, fitting or not.


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


def _wager_offers(state: TableState, number: int, why_not: WagerCheck) -> Iterator[WagerOffer]:
    seat = state.round.seat(number) if state.live and state.round else None
    now = dict(seat.stakes if seat else ())
    for bet in _bet_types(state.game):
        refusal = _refusal(why_not(bet.wager, bet.stake.min))
        lies = now.get(bet.wager, Cents(0))
        chips: Puts = {} if refusal else _chip_offers(bet, lies, why_not)
        yield {
            "do": "put-wager",
            "seat": number,
            "wager": bet.wager,
            **bet.bounds,
            "now": money(lies),
            **chips,
            **refusal,
        }


def _chip_offers(bet: _BetType, lies: Cents, why_not: WagerCheck) -> Puts:
    """A wager after one more chip of each kind, and after one of the smallest less."""
    least = bet.stake.min

    def put(amount: Cents) -> AmountOffer:
        return {"amount": money(amount), **_refusal(why_not(bet.wager, amount))}

    more: list[ChipOffer] = [
        {"chip": named, **put(one_more(lies, chip, least))} for chip, named in bet.chips
    ]
    if not lies:
        return {"chips": more}
    return {"chips": more, "less": put(one_less(lies, bet.least, least)), "clear": put(Cents(0))}


def _play_offer(trial: _OfferChecks, number: int) -> DecideOffer:
    state = trial.state
    game, round = state.game, state.round
    seat = round.seat(number) if state.live and round else None
    stage = max(round.stage, 0) if seat is not None and round is not None else 0
    why_not = trial.plays(number)
    found: list[ChoiceOffer] = []
    for choice, shown in zip(game.choices[stage], _choices(game, stage), strict=True):
        told = _refusal(why_not(choice.play))
        found.append({**shown, **price_of_play(game, seat, choice.play), **told})
    due = game.stages[stage]
    return {
        "do": "decide",
        "seat": number,
        "stage": due.id,
        "stage_title": due.title,
        "choices": found,
    }


@lru_cache(maxsize=1_000)
def _choices(game: Game, stage: int) -> tuple[ChoiceNamed, ...]:
    return tuple(map(_choice, game.choices[stage]))


def _choice(choice: KeyedPlay) -> ChoiceNamed:
    """A play, its name, its key and what it does; `plain` is one that it only adds a wager to."""
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
    """What a role may ask for at a seat, each as it is offered."""
    ready, asked = state.seats[number] in state.ready, state.awaiting is not None
    return _cached_seat_commands(role, state.kind, number, ready=ready, asked=asked)


@lru_cache(maxsize=1_000)
def _cached_seat_commands(
    role: TableRole, kind: TableKind, number: int, *, ready: bool, asked: bool
) -> CommandOffers:
    return _allowed_commands(role, kind, _all_seat_commands(number, ready=ready, asked=asked))


def table_commands(state: TableState, role: TableRole) -> CommandOffers:
    """What it may ask for of the whole table."""
    hidden = state.round.hidden if state.round else ()
    asked, closed = state.awaiting is not None, () if state.typed else hidden or (BOARD,)
    ways = {"coach": state.coach, "asked": asked, "shuffler": state.shuffler}
    return _cached_table_commands(role, state.kind, tuple(closed), **ways)


@lru_cache(maxsize=1_000)
def _cached_table_commands(
    role: TableRole,
    kind: TableKind,
    closed: tuple[PlaceNumber, ...],
    *,
    coach: bool,
    asked: bool,
    shuffler: bool,
) -> CommandOffers:
    return _allowed_commands(
        role, kind, _all_table_commands(closed, coach=coach, asked=asked, shuffler=shuffler)
    )


def _allowed_commands(role: TableRole, kind: TableKind, many: Iterator[Command]) -> CommandOffers:
    return tuple((one, command_offer(one)) for one in many if has_command(role, type(one), kind))


def _all_seat_commands(number: int, *, ready: bool, asked: bool) -> Iterator[Command]:
    yield commands.Undo(number)
    yield commands.Rebet(number)
    yield commands.Refill(number)
    yield commands.SeatSeed(number, PLACEHOLDER)
    yield commands.Ready(number, on=not ready)
    yield commands.Leave(number)
    if asked:
        yield commands.Agree(number, finish=True)
    yield commands.VoidHand(number, "supervisor")
    yield commands.VoidHand(number, "information", part="gave")
    yield commands.VoidHand(number, "information", part="took")
    yield commands.Warn(number, PLACEHOLDER)


def _all_table_commands(
    closed: tuple[PlaceNumber, ...], *, coach: bool, asked: bool, shuffler: bool
) -> Iterator[Command]:
    yield commands.CloseBetting()
    yield commands.OpenRound()
    yield commands.Settle()
    yield commands.Coach(on=not coach)
    yield commands.Misdeal(PLACEHOLDER)
    yield from map(commands.ExposeCard, closed)
    if asked:
        yield commands.Unreadable()
        yield commands.GoOn(PLACEHOLDER)
    yield commands.Interrupt(PLACEHOLDER)
    yield commands.ShufflerFailed() if shuffler else commands.ShufflerRepaired()
    yield commands.Retire()


def has_command(role: TableRole, kind: type, table: TableKind) -> bool:
    """Whether a role has commands of a kind at all."""
    return role in RIGHTS[kind].roles_at(table)


@lru_cache(maxsize=1_000, typed=True)  # A tuple is equal to one of another kind.
def command_offer(command: Command) -> OtherOffer:
    """A command without the words that its sender has still to find."""
    said = {key: value for key, value in encode(command).items() if value != PLACEHOLDER}
    return cast(OtherOffer, said)


def price_of_play(game: Game, seat: Seat | None, play: Play) -> Priced:
    """The price of a play; nothing where nobody has the seat."""
    if seat is None:
        return {"cost": money(Cents(0))}
    told: Priced = {"cost": money(seat.cost(play))}
    if play.takes:
        lies = dict(seat.main)
        told["back"] = money(Cents(sum(lies.get(wager, 0) for wager in play.takes)))
    if play.folds and seat.main:
        told["loses"] = money(fold_loss(game, seat, play))
    return told
