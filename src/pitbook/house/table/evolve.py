"""evolve(state, fact): the table after a fact. No shoe, clock or book is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pitbook.errors import RoundError
from pitbook.house.table import facts
from pitbook.house.table.acts.taken_back import short_at
from pitbook.house.table.facts import LAST_CALL, Fact
from pitbook.house.table.model import TableState, game_of, put_right
from pitbook.money import Cents
from pitbook.rules.actions import Action, Close, Deal, Interrupted
from pitbook.rules.records import replacer
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, open_round
from pitbook.rules.stored import replay
from pitbook.shoe.order import Past, seeds_of
from pitbook.shoe.record import CARDWISE
from pitbook.text import say


def evolve(state: TableState, fact: Fact) -> TableState:
    """The table after a fact; raises RoundError for one that cannot have happened."""
    return _at_version(_FOLDS[type(fact)](state, fact), state.version + 1)


_at_version = replacer(TableState, "version")
_acted_on = replacer(TableState, "round", "actions", "deadlines", "drawn", "version")
_timed = replacer(TableState, "deadlines")


def folded(happened: Iterable[Fact], state: TableState | None = None) -> TableState:
    """The table after many facts, from the first or from a snapshot on."""
    state = TableState() if state is None else state
    for fact in happened:
        state = evolve(state, fact)
    return state


def _opened(state: TableState, fact: facts.TableOpened) -> TableState:
    return state._replace(**fact._asdict())


def _sheet_changed(state: TableState, fact: facts.SheetChanged) -> TableState:
    return state._replace(next_sheet=fact.sheet, announced=None)


def _sheet_announced(state: TableState, fact: facts.SheetAnnounced) -> TableState:
    return state._replace(announced={"sheet": fact.sheet, "at": fact.at.isoformat()})


def _rack_asked(state: TableState, fact: facts.RackAsked) -> TableState:
    return state._replace(asked={**state.asked, fact.number: fact}, asks=fact.number)


def _rack_answered(state: TableState, fact: facts.RackGranted | facts.RackRefused) -> TableState:
    return state._replace(asked=_without(state.asked, fact.number))


def _dealer_on(state: TableState, fact: facts.DealerOn) -> TableState:
    return state._replace(dealer=fact.dealer)


def _dealer_off(state: TableState, fact: facts.DealerOff) -> TableState:
    return state._replace(dealer="")


def _coloured_up(state: TableState, fact: facts.ColouredUp) -> TableState:
    return state  # What a wallet holds stays the same.


def _sat(state: TableState, fact: facts.Sat) -> TableState:
    seats = dict(sorted({**state.seats, fact.seat: fact.player}.items()))
    if state.kind == "practice":  # Their chips go back when the table retires.
        guests = dict.fromkeys((*state.guests, fact.player))
        return state._replace(seats=seats, guests=tuple(guests))
    return state._replace(seats=seats)


def _refilled(state: TableState, fact: facts.Refilled) -> TableState:
    return state  # What a wallet holds is the book's to say.


def _bought_in(state: TableState, fact: facts.BoughtIn) -> TableState:
    return state  # What a wallet holds is the book's to say.


def _left(state: TableState, fact: facts.Left) -> TableState:
    seat = fact.seat
    state = _unsaid(state, seat)
    return state._replace(seats=_without(state.seats, seat), undo=_without(state.undo, seat))


def _shoe_opened(state: TableState, fact: facts.ShoeOpened) -> TableState:
    return state._replace(
        shoe=fact.record,
        shoe_sheet=fact.sheet,
        spot=fact.spot,
        shoes=state.shoes + 1,
        pack=fact.record["pack"],
        drawn=0,
        first=0,
        seat_seeds={},
        seeded={},
        past=(),
        shoe_players=(),
    )


def _seat_seed(state: TableState, fact: facts.SeatSeed) -> TableState:
    """Nothing takes a seed out again: whoever takes the seat over adds a line to it."""
    seat, text = fact.seat, fact.text
    if state.cardwise and seat in state.seat_seeds:
        text = f"{state.seat_seeds[seat]}\n{text}"
    return state._replace(
        seat_seeds={**state.seat_seeds, seat: text},
        seeded={**state.seeded, seat: state.seats.get(seat, "")},
    )


def _shoe_revealed(state: TableState, fact: facts.ShoeRevealed) -> TableState:
    shown = {"id": fact.id, "seed": fact.seed, "seat_seeds": [list(one) for one in fact.seat_seeds]}
    kept = {"commitment": (state.shoe or {}).get("commitment"), "players": list(state.shoe_players)}
    ended = state._replace(shoe=None, seat_seeds={}, seeded={}, past=())
    if state.cardwise:
        kept["format"] = CARDWISE
    return ended._replace(revealed={**shown, **kept})


def _round_opened(state: TableState, fact: facts.RoundOpened) -> TableState:
    return state._replace(
        number=fact.number,
        sheet=state.coming,
        next_sheet=None,
        round=open_round(game_of(state.coming)),
        actions=(),
        result=None,
        first=state.drawn,
        dealt_from=fact.shoe,
        arranged=state.spot,
        undo={},
        ready=(),
        interruption=None,
    )


def _wagered(state: TableState, fact: facts.Wagered) -> TableState:
    seat = fact.seat
    stack = (*state.undo.get(seat, ()), fact.before)
    return _unsaid(state, seat)._replace(undo={**state.undo, seat: stack})


def _undone(state: TableState, fact: facts.Undone) -> TableState:
    seat = fact.seat
    return _unsaid(state, seat)._replace(undo={**state.undo, seat: state.undo[seat][:-1]})


def _ready(state: TableState, fact: facts.Ready) -> TableState:
    state = _unsaid(state, fact.seat)
    return state._replace(ready=(*state.ready, fact.player)) if fact.on else state


def _unsaid(state: TableState, seat: int) -> TableState:
    """Who changes a wager is not ready any more, and nobody else's last call runs on."""
    player = state.seats.get(seat)
    if player not in state.ready and LAST_CALL not in state.deadlines:
        return state
    left = tuple(one for one in state.ready if one != player)
    return state._replace(ready=left, deadlines=_without(state.deadlines, LAST_CALL))


def acted(state: TableState, action: Action, after: Round) -> TableState:
    """The table after a step of its round that has been worked out already."""
    return _stepped(state, action, after)


def _acted(state: TableState, fact: facts.Acted) -> TableState:
    return _stepped(state, fact.action, replay(_on_layout(state), [fact.action]))


def _stepped(state: TableState, action: Action, after: Round) -> TableState:
    before, kind = _on_layout(state), type(action)
    state = _acted_on(
        state,
        after,
        (*state.actions, action),
        _still_running(state.deadlines, before, after),
        state.drawn + (kind is Deal),
        state.version + 1,
    )
    if kind is Deal:
        return state
    if kind is Close:
        return _closed(state, after)
    if kind is Interrupted:
        state = state._replace(awaiting=None, deadlines=_without(state.deadlines, "agree"))
    if after.phase == "over" != before.phase:
        return _banked(state, before)._replace(deadlines={}, awaiting=None)
    return state if after.paid is before.paid else _banked(state, before)


def _banked(state: TableState, before: Round) -> TableState:
    """The rack with what the round's results have brought it since."""
    was = sum(line.net for _, line in before.results)
    now = sum(line.net for _, line in _on_layout(state).results)
    return state._replace(rack=Cents(state.rack + was - now))


def _taken_back(state: TableState, fact: facts.TakenBack) -> TableState:
    """What a player no longer had is the rack's loss."""
    return state._replace(rack=Cents(state.rack - short_at(fact)))


def _closed(state: TableState, after: Round) -> TableState:
    made = {seat.number: (seat.player, after.put_by(seat)) for seat in after.seats}
    players = dict.fromkeys((*state.shoe_players, *(seat.player for seat in after.seats)))
    return state._replace(
        last={**state.last, **made}, undo={}, ready=(), shoe_players=tuple(players)
    )


def _still_running(deadlines: Mapping[str, str], before: Round, after: Round) -> Mapping[str, str]:
    """The clocks that an action does not stop."""
    if not deadlines:
        return deadlines
    if after.phase != "wagers" or not after.seats:
        deadlines = _without(deadlines, "betting", LAST_CALL)
    if (before.phase, before.stage) != (after.phase, after.stage) or not after.waiting:
        deadlines = _without(deadlines, "decision")
    return deadlines


def _corrected(state: TableState, fact: facts.Corrected) -> TableState:
    before = _on_layout(state)
    right = put_right(before, state.actions, fact.place, fact.number, fact.card)
    if isinstance(right, Refusal):
        raise RoundError(say("table.record.no-correction", why=right.message))
    actions, round = right
    return _banked(state._replace(round=round, actions=actions), before)


def _settled(state: TableState, fact: facts.Settled) -> TableState:
    return dealt_out(state)._replace(finished=state.number, result=fact.report)


def dealt_out(state: TableState) -> TableState:
    """The deal belongs to the shoe's past; the next one waits for seeds of its own."""
    if not state.cardwise:
        return state
    deal = Past(state.drawn - state.first, seeds_of(state.seat_seeds))
    return state._replace(past=(*state.past, deal), seat_seeds={}, seeded={})


def _deadline(state: TableState, fact: facts.Deadline) -> TableState:
    return _timed(state, {**state.deadlines, fact.what: fact.at.isoformat()})


def _agreed(state: TableState, fact: facts.Agreed) -> TableState:
    return state._replace(awaiting={**(state.awaiting or {}), fact.player: fact.finish})


def _interrupted(state: TableState, fact: facts.Interrupted) -> TableState:
    asked = fact.awaiting
    answers = state.awaiting or {}
    awaiting = None if asked is None else {name: answers.get(name) for name in asked}
    return state._replace(interruption=fact.why, awaiting=awaiting, deadlines={})


def _resumed(state: TableState, fact: facts.Resumed) -> TableState:
    return state._replace(deadlines={}, awaiting=None)


def _fill(state: TableState, fact: facts.Fill) -> TableState:
    return state._replace(rack=Cents(state.rack + fact.amount))


def _credit(state: TableState, fact: facts.Credit) -> TableState:
    return state._replace(rack=Cents(state.rack - fact.amount))


def _shuffler(state: TableState, fact: facts.Shuffler) -> TableState:
    return state._replace(shuffler=fact.working)


def _coach(state: TableState, fact: facts.Coach) -> TableState:
    return state._replace(coach=fact.on)


def _advice(state: TableState, fact: facts.CoachTold) -> TableState:
    return state


def _retired(state: TableState, fact: facts.Retired) -> TableState:
    return state._replace(retired=True, seats={}, rack=Cents(0), deadlines={})


def _on_layout(state: TableState) -> Round:
    if state.round is None:
        raise RoundError(say("table.record.no-round", table=state.table))
    return state.round


def _without(mapping: Mapping[Any, Any], *keys: Any) -> dict[Any, Any]:
    left = dict(mapping)
    for key in keys:
        left.pop(key, None)
    return left


_FOLDS: dict[type, Callable[[TableState, Any], TableState]] = {
    facts.TableOpened: _opened,
    facts.SheetChanged: _sheet_changed,
    facts.Sat: _sat,
    facts.Refilled: _refilled,
    facts.BoughtIn: _bought_in,
    facts.Left: _left,
    facts.ShoeOpened: _shoe_opened,
    facts.SeatSeed: _seat_seed,
    facts.ShoeRevealed: _shoe_revealed,
    facts.RoundOpened: _round_opened,
    facts.Wagered: _wagered,
    facts.Undone: _undone,
    facts.Ready: _ready,
    facts.Acted: _acted,
    facts.Corrected: _corrected,
    facts.TakenBack: _taken_back,
    facts.Settled: _settled,
    facts.Deadline: _deadline,
    facts.CoachTold: _advice,
    facts.Agreed: _agreed,
    facts.Interrupted: _interrupted,
    facts.Resumed: _resumed,
    facts.Fill: _fill,
    facts.Credit: _credit,
    facts.RackAsked: _rack_asked,
    facts.RackGranted: _rack_answered,
    facts.RackRefused: _rack_answered,
    facts.DealerOn: _dealer_on,
    facts.DealerOff: _dealer_off,
    facts.ColouredUp: _coloured_up,
    facts.SheetAnnounced: _sheet_announced,
    facts.Shuffler: _shuffler,
    facts.Coach: _coach,
    facts.Retired: _retired,
}
