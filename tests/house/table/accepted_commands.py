"""What may be done now, found out the long way: every command is given to `decide` itself.

`pitbook.house.table.offers` must give the same answers without trying each command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitbook.house.ledger.fact_codec import Json
from pitbook.house.table import commands
from pitbook.house.table.commands import By, Command, Envelope, encode
from pitbook.house.table.decide import decide
from pitbook.house.table.environment import TableEnv
from pitbook.house.table.events import play_effects
from pitbook.house.table.rights import RIGHTS
from pitbook.house.table.state import TableState
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents, money
from pitbook.rules.actions import Play
from pitbook.rules.cost_to_end import fold_loss
from pitbook.rules.game import Game, Seat
from pitbook.rules.narration import add_chip, remove_chip
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Stake
from pitbook.text.sentences import sentence_json

No = Callable[[Command], Json]
TO_BE_SAID = "..."


def tried_offers(state: TableState, viewer: Viewer, luck: TableEnv) -> list[Json]:
    """Every command of the viewer's role, with the refusal of `decide`."""
    if viewer.role == "spectator" or state.retired:
        return []
    by = By(viewer.name, viewer.role)

    def no(command: Command) -> Json:
        answer = decide(state, Envelope(by, command), luck)
        if not isinstance(answer, Refusal):
            return {}
        refusal = {"code": answer.code, "message": answer.message, "clause": answer.clause}
        message_fields = sentence_json(answer.message)
        return {
            "refused": {
                **refusal,
                **(message_fields if "player" in message_fields["fields"] else {}),
            }
        }

    def may(kind: type) -> bool:
        return viewer.role in RIGHTS[kind].roles_at(state.kind)

    all_offers: list[Json] = []
    for number in state.numbers:
        taken = state.seats.get(number)
        if taken is None:
            who = by.name if by.role == "player" else "somebody"
            sit = {**encode(commands.Sit(number)), **no(commands.Sit(number, who))}
            all_offers += [sit] if may(commands.Sit) else []
        elif by.role != "player" or taken == by.name:
            if may(commands.PutWager):
                all_offers += [*_wagers(state, number, no), _plays(state, number, no)]
            all_offers += [
                _offer(command, no) for command in _of_seat(state, number) if may(type(command))
            ]
    all_offers += [_offer(command, no) for command in _anywhere(state) if may(type(command))]
    return all_offers


def _offer(command: Command, no: No) -> Json:
    fields_json = {key: value for key, value in encode(command).items() if value != TO_BE_SAID}
    return {**fields_json, **no(command)}


def _wagers(state: TableState, number: int, no: No) -> Iterator[Json]:
    main, rule = state.game.main
    sides = state.game.sheet.side
    stakes: dict[str, Stake] = {main: rule, **{name: side.stake for name, side in sides.items()}}
    seat = state.round.seat(number) if state.has_live_wagers and state.round else None
    now = dict(seat.stakes if seat else ())
    for wager, stake in stakes.items():
        bounds = {"min": money(stake.min), "max": money(stake.max), "step": money(stake.step)}
        refusal = no(commands.PutWager(number, wager, stake.min))
        put = commands.PutWager(number, wager, now.get(wager, Cents(0)))
        chips = {} if refusal else _chips(state, put, stake, no)
        offer = {"do": "put-wager", "seat": number, "wager": wager, **bounds}
        yield {**offer, "now": money(put.amount), **chips, **refusal}


def _chips(state: TableState, now: commands.PutWager, stake: Stake, no: No) -> Json:
    values = state.game.sheet.house.chips.values

    def put(amount: Cents) -> Json:
        return {"amount": money(amount), **no(now._replace(amount=amount))}

    fit = [chip for chip in values if chip <= stake.max]
    more = [{"chip": money(chip), **put(add_chip(now.amount, chip, stake.min))} for chip in fit]
    if not now.amount:
        return {"chips": more}
    less = remove_chip(now.amount, min(values), stake.min)
    return {"chips": more, "less": put(less), "clear": put(Cents(0))}


def _plays(state: TableState, number: int, no: No) -> Json:
    game, round = state.game, state.round
    seat = round.seat(number) if state.has_live_wagers and round else None
    stage = max(round.stage, 0) if seat is not None and round is not None else 0
    choices = [
        {
            "play": choice.play,
            "title": choice.play.label,
            "key": choice.key,
            "plain": choice.plain,
            **play_effects(choice.play),
            "folds": choice.play.folds,
            "cost": money(seat.cost(choice.play) if seat is not None else 0),
            **_back(seat, choice.play.takes),
            **_loses(game, seat, choice.play),
            **no(commands.Decide(number, choice.play)),
        }
        for choice in game.choices[stage]
    ]
    named = {"stage": game.stages[stage].id, "stage_title": game.stages[stage].title}
    return {"do": "decide", "seat": number, **named, "choices": choices}


def _back(seat: Seat | None, takes: tuple[str, ...]) -> Json:
    """The stakes that a play takes back."""
    if seat is None or not takes:
        return {}
    return {"back": money(Cents(sum(stake for wager, stake in seat.main if wager in takes)))}


def _loses(game: Game, seat: Seat | None, play: Play) -> Json:
    """The cost of a fold; test_offers plays folds to check it."""
    if seat is None or not seat.main or not play.folds:
        return {}
    return {"loses": money(fold_loss(game, seat, play))}


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
    if not state.typed:
        hidden = state.round.hidden if state.round else ()
        yield from (commands.ExposeCard(place) for place in hidden or (0,))
    if state.awaiting is not None:
        yield commands.Unreadable()
        yield commands.GoOn(TO_BE_SAID)
    yield commands.Interrupt(TO_BE_SAID)
    yield commands.ShufflerFailed() if state.shuffler else commands.ShufflerRepaired()
    yield commands.Retire()
