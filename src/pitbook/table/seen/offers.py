"""What a viewer may do now, with bounds; what is refused stands there with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from pitbook.cards import DECK, Card
from pitbook.engine.actions import BOARD
from pitbook.engine.chips import one_less, one_more
from pitbook.game.choices import Choice
from pitbook.game.refusals import Refusal
from pitbook.identity.roster import OPEN, Door
from pitbook.money import Cents, money
from pitbook.sheets.model import Stake
from pitbook.shoe.order import Past
from pitbook.shoe.record import Shuffle
from pitbook.table import commands
from pitbook.table.commands import By, Command, Envelope, encode
from pitbook.table.decide import refused
from pitbook.table.facts import Json
from pitbook.table.model import TableState
from pitbook.table.rights import RIGHTS
from pitbook.table.seen.events import effects
from pitbook.table.seen.sight import Viewer

Wallet = Callable[[str], Cents]
TO_BE_SAID = "..."
SOMEBODY = "somebody"


class Blind:
    """Luck for a trial: it knows wallets, and has no card to give away."""

    def __init__(self, state: TableState, wallet: Wallet, door: Door = OPEN) -> None:
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
        free = [one for one in DECK if round.copies(one) < record["decks"]]
        return tuple(free[:count])

    def has(self, player: str, amount: int) -> bool:
        """Whether a player has so much."""
        return self.wallet(player) >= amount

    def reveal(self, record: Json) -> str | None:
        """Nothing."""
        return None

    def now(self) -> datetime:
        """Some time that runs no clock out."""
        return datetime.min.replace(tzinfo=UTC)

    def door(self) -> Door:
        """Who is known, and who is excluded."""
        return self._door

    def away(self, player: str) -> bool:
        """Nobody: a trial closes nothing."""
        return False


def offers(state: TableState, viewer: Viewer, wallet: Wallet, door: Door = OPEN) -> list[Json]:
    """Every command that the viewer's role has, and why not where it is refused now."""
    if viewer.role == "spectator" or state.retired:
        return []
    by = By(viewer.name, viewer.role)
    luck = Blind(state, wallet, door)

    def no(command: Command) -> Json:
        why = refused(state, Envelope(by, command), luck)
        return {} if why is None else {"refused": refusal_shown(why)}

    def may(kind: type) -> bool:
        return viewer.role in RIGHTS[kind].roles_at(state.kind)

    found: list[Json] = []
    for number in state.numbers:
        found += _at_seat(state, by, number, may, no)
    for command in _anywhere(state):
        if may(type(command)):
            found.append({**_named(command), **no(command)})
    return found


def refusal_shown(refusal: Refusal) -> Json:
    """A refusal as JSON."""
    return {"code": refusal.code, "message": refusal.message, "clause": refusal.clause}


May = Callable[[type], bool]
No = Callable[[Command], Json]


def _at_seat(state: TableState, by: By, number: int, may: May, no: No) -> Iterator[Json]:
    taken = state.seats.get(number)
    if taken is None:
        if may(commands.Sit):
            who = by.name if by.role == "player" else SOMEBODY
            yield {**encode(commands.Sit(number)), **no(commands.Sit(number, who))}
        return
    if by.role == "player" and taken != by.name:
        return
    if may(commands.PutWager):
        yield from _wagers(state, number, no)
        yield _plays(state, number, no)
    for command in _of_seat(state, number):
        if may(type(command)):
            yield {**_named(command), **no(command)}


def _named(command: Command) -> Json:
    """A command without the words that its sender has still to find."""
    return {key: value for key, value in encode(command).items() if value != TO_BE_SAID}


def _wagers(state: TableState, number: int, no: No) -> Iterator[Json]:
    main, rule = state.game.main
    stakes: dict[str, Stake] = {main: rule}
    stakes |= {wager: side.stake for wager, side in state.game.sheet.side.items()}
    seat = state.round.seat(number) if state.live and state.round else None
    now = dict(seat.stakes if seat else ())
    for wager, stake in stakes.items():
        bounds = {"min": money(stake.min), "max": money(stake.max), "step": money(stake.step)}
        offer = {"do": "put-wager", "seat": number, "wager": wager, **bounds}
        least = commands.PutWager(number, wager, stake.min)
        refusal = no(least)
        lies = now.get(wager, Cents(0))
        now_put = commands.PutWager(number, wager, lies)
        chips = {} if refusal else _chips(now_put, stake, state.game.sheet.house.chips.values, no)
        yield {**offer, "now": money(lies), **chips, **refusal}


def _chips(now: commands.PutWager, stake: Stake, values: Sequence[Cents], no: No) -> Json:
    """A wager after one more chip of each kind, and after one of the smallest less."""

    def put(amount: Cents) -> Json:
        return {"amount": money(amount), **no(now._replace(amount=amount))}

    more = [
        {"chip": money(chip), **put(one_more(now.amount, chip, stake.min))}
        for chip in values
        if chip <= stake.max
    ]
    if not now.amount:
        return {"chips": more}
    less = one_less(now.amount, min(values), stake.min)
    return {"chips": more, "less": put(less), "clear": put(Cents(0))}


def _plays(state: TableState, number: int, no: No) -> Json:
    game, round = state.game, state.round
    seat = round.seat(number) if state.live and round else None
    stage = max(round.stage, 0) if seat is not None and round is not None else 0
    found = []
    for choice in game.choices[stage]:
        cost = seat.cost(choice.play) if seat is not None else Cents(0)
        refusal = no(commands.Decide(number, choice.play))
        found.append({**_choice(choice), "cost": money(cost), **refusal})
    named = {"stage": game.stages[stage].id, "stage_title": game.stages[stage].title}
    return {"do": "decide", "seat": number, **named, "choices": found}


def _choice(choice: Choice) -> Json:
    """A play, its name, its key and what it does; `plain` is one that it only adds a wager to."""
    play = choice.play
    named = {"play": play, "title": play.label, "key": choice.key, "plain": choice.plain}
    return {**named, **effects(play), "folds": play.folds}


def _of_seat(state: TableState, number: int) -> Iterator[Command]:
    yield commands.Undo(number)
    yield commands.Rebet(number)
    yield commands.Refill(number)
    yield commands.SeatSeed(number, TO_BE_SAID)
    yield commands.Ready(number, on=state.seats[number] not in state.ready)
    yield commands.Leave(number)
    if state.awaiting is not None:
        yield commands.Agree(number, finish=True)
    yield commands.VoidHand(number, "supervisor")
    yield commands.VoidHand(number, "information", part="gave")
    yield commands.VoidHand(number, "information", part="took")
    yield commands.Warn(number, TO_BE_SAID)


def _anywhere(state: TableState) -> Iterator[Command]:
    yield commands.CloseBetting()
    yield commands.OpenRound()
    yield commands.Settle()
    yield commands.Coach(on=not state.coach)
    yield commands.Misdeal(TO_BE_SAID)
    hidden = state.round.hidden if state.round else ()
    for place in hidden or (BOARD,):
        if not state.typed:
            yield commands.ExposeCard(place)
    if state.awaiting is not None:
        yield commands.Unreadable()
        yield commands.GoOn(TO_BE_SAID)
    yield commands.Interrupt(TO_BE_SAID)
    yield commands.ShufflerFailed() if state.shuffler else commands.ShufflerRepaired()
    yield commands.Retire()
