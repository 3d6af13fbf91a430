"""What a viewer may do now, with bounds; what is refused stands there with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, cast

from pitbook.cards import DECK, Card
from pitbook.house.people.roster import OPEN_TO_ALL, AccessList
from pitbook.house.table import commands
from pitbook.house.table.acts.betting import WhyNot
from pitbook.house.table.commands import By, Command
from pitbook.house.table.decide import any_refused, plays_refused, puts_refused, sits_refused
from pitbook.house.table.facts import Json
from pitbook.house.table.model import TableState
from pitbook.house.table.seen.command_lists import for_seat, for_table, may_ask, offered
from pitbook.house.table.seen.events import effects
from pitbook.house.table.seen.offer_shapes import (
    AmountOffer,
    ChipOffer,
    ChoiceNamed,
    ChoiceOffer,
    DecideOffer,
    Offer,
    Puts,
    Refusable,
    RefusalShown,
    WagerBounds,
    WagerOffer,
)
from pitbook.house.table.seen.prices import priced
from pitbook.house.table.seen.sight import Viewer
from pitbook.house.table.trial import WhyNotPlay
from pitbook.money import Cents, money
from pitbook.rules.game import Game, KeyedPlay
from pitbook.rules.refusals import Refusal
from pitbook.rules.words import one_less, one_more
from pitbook.sheets.model import Stake
from pitbook.shoe.order import Past
from pitbook.shoe.record import Shuffle
from pitbook.text import in_language
from pitbook.text.catalogue import ENGLISH
from pitbook.text.documents import said_by

WalletOf = Callable[[str], Cents]
SOMEBODY = "somebody"


class Blind:
    """Luck for a trial: it knows wallets, and has no card to give away."""

    def __init__(self, state: TableState, wallet: WalletOf, door: AccessList = OPEN_TO_ALL) -> None:
        self.wallet = wallet
        self._state, self._door = state, door

    def shoe(
        self,
        name: str,
        *,
        decks: int,
        pack: int,
        shuffle: Shuffle,
        times: int,
        typed: bool,
        first: Sequence[Card | None] = (),
    ) -> Json:
        """A shoe that nobody deals from."""
        return {"id": name, "decks": decks, "pack": pack, "commitment": None}

    def cards(
        self,
        record: Json,
        seat_seeds: Mapping[int, str],
        first: int,
        count: int,
        past: tuple[Past, ...] = (),
    ) -> tuple[Card, ...]:
        """Any cards that are not on the table."""
        round = self._state.round
        assert round is not None
        decks = record["decks"]
        return tuple(islice((one for one in DECK if round.copies(one) < decks), count))

    def has(self, player: str, amount: int) -> bool:
        """Whether a player has so much."""
        return self.wallet(player) >= amount

    def reveal(self, record: Json) -> str | None:
        """Nothing."""
        return None

    def now(self) -> datetime:
        """Some time that runs no clock out."""
        return datetime.min.replace(tzinfo=UTC)

    def door(self) -> AccessList:
        """Who is known, and who is excluded."""
        return self._door

    def away(self, player: str) -> bool:
        """Nobody: a trial closes nothing."""
        return False


def offers(
    state: TableState, viewer: Viewer, wallet: WalletOf, door: AccessList = OPEN_TO_ALL
) -> list[Offer]:
    """Every command that the viewer's role has, and why not where it is refused now."""
    if viewer.role == "spectator" or state.retired:
        return []
    by, luck = By(viewer.name, viewer.role), Blind(state, wallet, door)
    trial = _Trial(state, by, luck, any_refused(state, by, luck))
    own = viewer.role == "player"
    found: list[Offer] = []
    numbers, seats = state.numbers, state.seats
    free = len(seats) < len(numbers) and trial.may(commands.Sit)
    sits = trial.sits() if free else None
    for number in numbers:
        taken = seats.get(number)
        if taken is None:
            if sits is not None:
                found.append({**offered(commands.Sit(number)), **sits(number)})
        elif taken == viewer.name or not own:
            found += _at_seat(trial, number)
    for command, named in for_table(state, viewer.role):
        found.append({**named, **trial.no(command)})
    return found


class _Trial(NamedTuple):
    """Somebody's commands, asked about and not given."""

    state: TableState
    by: By
    luck: Blind
    why_not: Callable[[Command], Refusal | None]

    def may(self, kind: type) -> bool:
        """Whether the role has commands of a kind at all."""
        return may_ask(self.by.role, kind, self.state.kind)

    def no(self, command: Command) -> Refusable:
        """Why a command would be refused, if it would."""
        return _refused(self.why_not(command))

    def sits(self) -> Callable[[int], Refusable]:
        """Why positions would be refused, by number; most of them alike."""
        who = self.by.name if self.by.role == "player" else SOMEBODY
        why_not = sits_refused(self.state, self.by, who, self.luck)
        last: tuple[Refusal | None, Refusable] = None, {}

        def told(number: int) -> Refusable:
            nonlocal last
            if (no := why_not(number)) is not last[0]:
                last = no, _refused(no)
            return last[1]

        return told

    def puts(self, seat: int) -> WhyNot:
        """Why wagers at a seat would be refused."""
        return puts_refused(self.state, self.by, seat, self.luck)

    def plays(self, seat: int) -> WhyNotPlay:
        """Why plays of a seat would be refused."""
        return plays_refused(self.state, self.by, seat, self.luck)


def refusal_shown(refusal: Refusal, language: str = ENGLISH) -> RefusalShown:
    """A refusal as JSON, with what it is made of."""
    message = refusal.message
    told: RefusalShown = {
        "code": refusal.code,
        "message": in_language(message, language),
        "clause": refusal.clause,
    }
    return {**told, **cast(RefusalShown, said_by(message, language))}


def _refused(why: Refusal | None) -> Refusable:
    """A view has many noes: most are shown as they are; whom one names may be called "you"."""
    if why is None:
        return {}
    message = why.message
    shown: RefusalShown = {"code": why.code, "message": message, "clause": why.clause}
    if "player" in getattr(message, "fields", ()):
        shown = {**shown, **cast(RefusalShown, said_by(message))}
    return {"refused": shown}


def _at_seat(trial: _Trial, number: int) -> Iterator[Offer]:
    if trial.may(commands.PutWager):
        yield from _wagers(trial.state, number, trial.puts(number))
        yield _plays(trial, number)
    for command, named in for_seat(trial.state, trial.by.role, number):
        yield {**named, **trial.no(command)}


class _Bet(NamedTuple):
    """A wager that a game has, and what of its offer is the same at every seat."""

    wager: str
    stake: Stake
    bounds: WagerBounds
    chips: tuple[tuple[Cents, str], ...]
    least: Cents  # The smallest chip, fitting or not.


@lru_cache(maxsize=256)
def _bets(game: Game) -> tuple[_Bet, ...]:
    main, rule = game.main
    stakes: dict[str, Stake] = {main: rule}
    stakes |= {wager: side.stake for wager, side in game.sheet.side.items()}
    values = game.sheet.house.chips.values
    return tuple(
        _Bet(
            wager,
            stake,
            {"min": money(stake.min), "max": money(stake.max), "step": money(stake.step)},
            tuple((chip, money(chip)) for chip in values if chip <= stake.max),
            min(values),
        )
        for wager, stake in stakes.items()
    )


def _wagers(state: TableState, number: int, why_not: WhyNot) -> Iterator[WagerOffer]:
    seat = state.round.seat(number) if state.live and state.round else None
    now = dict(seat.stakes if seat else ())
    for bet in _bets(state.game):
        refusal = _refused(why_not(bet.wager, bet.stake.min))
        lies = now.get(bet.wager, Cents(0))
        chips: Puts = {} if refusal else _chips(bet, lies, why_not)
        yield {
            "do": "put-wager",
            "seat": number,
            "wager": bet.wager,
            **bet.bounds,
            "now": money(lies),
            **chips,
            **refusal,
        }


def _chips(bet: _Bet, lies: Cents, why_not: WhyNot) -> Puts:
    """A wager after one more chip of each kind, and after one of the smallest less."""
    least = bet.stake.min

    def put(amount: Cents) -> AmountOffer:
        return {"amount": money(amount), **_refused(why_not(bet.wager, amount))}

    more: list[ChipOffer] = [
        {"chip": named, **put(one_more(lies, chip, least))} for chip, named in bet.chips
    ]
    if not lies:
        return {"chips": more}
    return {"chips": more, "less": put(one_less(lies, bet.least, least)), "clear": put(Cents(0))}


def _plays(trial: _Trial, number: int) -> DecideOffer:
    state = trial.state
    game, round = state.game, state.round
    seat = round.seat(number) if state.live and round else None
    stage = max(round.stage, 0) if seat is not None and round is not None else 0
    why_not = trial.plays(number)
    found: list[ChoiceOffer] = []
    for choice, shown in zip(game.choices[stage], _choices(game, stage), strict=True):
        told = _refused(why_not(choice.play))
        found.append({**shown, **priced(game, seat, choice.play), **told})
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
        **effects(play),
        "folds": play.folds,
    }
