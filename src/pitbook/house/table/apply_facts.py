"""How each fact changes a table's state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pitbook.cards import Card
from pitbook.errors import RoundError
from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.table import facts
from pitbook.house.table.facts import LAST_CALL, shortfall
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import game_of
from pitbook.money import Cents
from pitbook.rules.actions import (
    Action,
    Close,
    Deal,
    Expose,
    Interrupted,
    PlaceNumber,
    Settle,
    Turn,
)
from pitbook.rules.named_tuples import replacer
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step
from pitbook.rules.stored_rounds import replay as replay_actions
from pitbook.shoe.dealing import Past, seeds_of
from pitbook.shoe.stored_shoe import CARD_FORMAT
from pitbook.text import say


def named_cards(actions: Iterable[Action], place: PlaceNumber) -> list[tuple[int, Turn | Expose]]:
    """The actions that named a place's cards, with their positions."""
    return [
        (position, action)
        for position, action in enumerate(actions)
        if isinstance(action, Turn | Expose) and action.place == place
    ]


def replace_card(
    actions: tuple[Action, ...], place: PlaceNumber, number: int, card: Card
) -> tuple[Action, ...]:
    """The actions with the place's first, second, … card replaced."""
    position, old_action = named_cards(actions, place)[number - 1]
    return (*actions[:position], old_action._replace(card=card), *actions[position + 1 :])


def replay_with_card(
    round: Round, actions: tuple[Action, ...], place: PlaceNumber, number: int, card: Card
) -> tuple[tuple[Action, ...], Round] | Refusal:
    """The round replayed with a corrected card; settlements that it changes are dropped."""
    results_before, replayed = round.paid, new_round(round.game)
    replayed_actions: list[Action] = []
    reopened = False
    for action in replace_card(actions, place, number, card):
        is_early = isinstance(action, Settle) and bool(action.at_once)
        after = step(replayed, action) if not (is_early and reopened) else None
        if is_early and (
            not isinstance(after, Round) or after.paid != results_before[: len(after.paid)]
        ):
            reopened = True
            continue
        if not isinstance(after, Round):
            assert after is not None
            return after
        replayed = after
        replayed_actions.append(action)
    return tuple(replayed_actions), replayed


def apply(state: TableState, fact: Fact) -> TableState:
    """The state after a fact; raises RoundError for one that cannot have happened."""
    return _with_version(_HANDLERS[type(fact)](state, fact), state.version + 1)


_with_version = replacer(TableState, "version")
_with_step = replacer(TableState, "round", "actions", "deadlines", "drawn", "version")
_with_deadlines = replacer(TableState, "deadlines")


def replay(recorded_facts: Iterable[Fact], state: TableState | None = None) -> TableState:
    """The state after many facts, from the start or from a given state."""
    state = TableState() if state is None else state
    for fact in recorded_facts:
        state = apply(state, fact)
    return state


def _open_table(state: TableState, fact: facts.TableOpened) -> TableState:
    return state._replace(**fact._asdict())


def _change_sheet(state: TableState, fact: facts.SheetChanged) -> TableState:
    return state._replace(next_sheet=fact.sheet, announced=None)


def _announce_sheet(state: TableState, fact: facts.SheetAnnounced) -> TableState:
    return state._replace(announced={"sheet": fact.sheet, "at": fact.at.isoformat()})


def _add_rack_request(state: TableState, fact: facts.RackRequested) -> TableState:
    return state._replace(
        rack_requests={**state.rack_requests, fact.number: fact}, last_rack_request=fact.number
    )


def _remove_rack_request(
    state: TableState, fact: facts.RackGranted | facts.RackRefused
) -> TableState:
    return state._replace(rack_requests=_remove(state.rack_requests, fact.number))


def _set_dealer(state: TableState, fact: facts.DealerOn) -> TableState:
    return state._replace(dealer=fact.dealer)


def _clear_dealer(state: TableState, fact: facts.DealerOff) -> TableState:
    return state._replace(dealer="")


def _color_up(state: TableState, fact: facts.ColoredUp) -> TableState:
    return state  # Wallets keep their value.


def _sit(state: TableState, fact: facts.Sat) -> TableState:
    seats = dict(sorted({**state.seats, fact.seat: fact.player}.items()))
    if state.kind == "practice":  # Their chips are returned when the table closes.
        guests = dict.fromkeys((*state.guests, fact.player))
        return state._replace(seats=seats, guests=tuple(guests))
    return state._replace(seats=seats)


def _refill(state: TableState, fact: facts.Refilled) -> TableState:
    return state  # The ledger has the wallets.


def _buy_in(state: TableState, fact: facts.BoughtIn) -> TableState:
    return state  # The ledger has the wallets.


def _leave(state: TableState, fact: facts.Left) -> TableState:
    seat = fact.seat
    state = _clear_ready(state, seat)
    return state._replace(seats=_remove(state.seats, seat), undo=_remove(state.undo, seat))


def _open_shoe(state: TableState, fact: facts.ShoeOpened) -> TableState:
    return state._replace(
        shoe=fact.record,
        shoe_sheet=fact.sheet,
        spot=fact.spot,
        shoes=state.shoes + 1,
        pack=fact.record["pack"],
        drawn=0,
        drawn_before_round=0,
        seat_seeds={},
        seed_authors={},
        past=(),
        shoe_players=(),
    )


def _add_seed(state: TableState, fact: facts.SeatSeed) -> TableState:
    """Add a seed; seeds are never removed, so another player of the seat adds a line."""
    seat, text = fact.seat, fact.text
    if state.card_commitments and seat in state.seat_seeds:
        text = f"{state.seat_seeds[seat]}\n{text}"
    return state._replace(
        seat_seeds={**state.seat_seeds, seat: text},
        seed_authors={**state.seed_authors, seat: state.seats.get(seat, "")},
    )


def _end_shoe(state: TableState, fact: facts.ShoeRevealed) -> TableState:
    reveal = {
        "id": fact.id,
        "seed": fact.seed,
        "seat_seeds": [list(seat_seed) for seat_seed in fact.seat_seeds],
    }
    shoe_fields = {
        "commitment": (state.shoe or {}).get("commitment"),
        "players": list(state.shoe_players),
    }
    ended = state._replace(shoe=None, seat_seeds={}, seed_authors={}, past=())
    if state.card_commitments:
        shoe_fields["format"] = CARD_FORMAT
    return ended._replace(revealed={**reveal, **shoe_fields})


def _open_round(state: TableState, fact: facts.RoundOpened) -> TableState:
    return state._replace(
        number=fact.number,
        sheet=state.upcoming_sheet,
        next_sheet=None,
        round=new_round(game_of(state.upcoming_sheet)),
        actions=(),
        result=None,
        drawn_before_round=state.drawn,
        dealt_from=fact.shoe,
        arranged=state.spot,
        undo={},
        ready=(),
        interruption=None,
    )


def _push_undo(state: TableState, fact: facts.Wagered) -> TableState:
    seat = fact.seat
    stack = (*state.undo.get(seat, ()), fact.before)
    return _clear_ready(state, seat)._replace(undo={**state.undo, seat: stack})


def _pop_undo(state: TableState, fact: facts.Undone) -> TableState:
    seat = fact.seat
    return _clear_ready(state, seat)._replace(undo={**state.undo, seat: state.undo[seat][:-1]})


def _set_ready(state: TableState, fact: facts.Ready) -> TableState:
    state = _clear_ready(state, fact.seat)
    return state._replace(ready=(*state.ready, fact.player)) if fact.on else state


def _clear_ready(state: TableState, seat: int) -> TableState:
    """Clear a player's readiness after a wager change, and the last call."""
    player = state.seats.get(seat)
    if player not in state.ready and LAST_CALL not in state.deadlines:
        return state
    ready_players = tuple(other for other in state.ready if other != player)
    return state._replace(ready=ready_players, deadlines=_remove(state.deadlines, LAST_CALL))


def with_action(state: TableState, action: Action, after: Round) -> TableState:
    """The state after an action whose result is already computed."""
    return _apply_step(state, action, after)


def _replay_action(state: TableState, fact: facts.Acted) -> TableState:
    return _apply_step(state, fact.action, replay_actions(_current_round(state), [fact.action]))


def _apply_step(state: TableState, action: Action, after: Round) -> TableState:
    before, kind = _current_round(state), type(action)
    state = _with_step(
        state,
        after,
        (*state.actions, action),
        _remaining_deadlines(state.deadlines, before, after),
        state.drawn + (kind is Deal),
        state.version + 1,
    )
    if kind is Deal:
        return state
    if kind is Close:
        return _close_betting(state, after)
    if kind is Interrupted:
        state = state._replace(awaiting=None, deadlines=_remove(state.deadlines, "agree"))
    if after.phase == "over" != before.phase:
        return _update_rack(state, before)._replace(deadlines={}, awaiting=None)
    return state if after.paid is before.paid else _update_rack(state, before)


def _update_rack(state: TableState, before: Round) -> TableState:
    """The rack after new results."""
    net_before = sum(line.net for _, line in before.results)
    net_after = sum(line.net for _, line in _current_round(state).results)
    return state._replace(rack=Cents(state.rack + net_before - net_after))


def _subtract_shortfall(state: TableState, fact: facts.SettlementReversed) -> TableState:
    """Subtract from the rack what players could not pay back."""
    return state._replace(rack=Cents(state.rack - shortfall(fact)))


def _close_betting(state: TableState, after: Round) -> TableState:
    last_bets = {seat.number: (seat.player, after.placed_wagers(seat)) for seat in after.seats}
    players = dict.fromkeys((*state.shoe_players, *(seat.player for seat in after.seats)))
    return state._replace(
        last={**state.last, **last_bets}, undo={}, ready=(), shoe_players=tuple(players)
    )


def _remaining_deadlines(
    deadlines: Mapping[str, str], before: Round, after: Round
) -> Mapping[str, str]:
    """The clocks that an action does not stop."""
    if not deadlines:
        return deadlines
    if after.phase != "wagers" or not after.seats:
        deadlines = _remove(deadlines, "betting", LAST_CALL)
    if (before.phase, before.stage) != (after.phase, after.stage) or not after.waiting:
        deadlines = _remove(deadlines, "decision")
    return deadlines


def _correct(state: TableState, fact: facts.Corrected) -> TableState:
    before = _current_round(state)
    corrected = replay_with_card(before, state.actions, fact.place, fact.number, fact.card)
    if isinstance(corrected, Refusal):
        raise RoundError(say("table.record.no-correction", why=corrected.message))
    actions, round = corrected
    return _update_rack(state._replace(round=round, actions=actions), before)


def _settle(state: TableState, fact: facts.Settled) -> TableState:
    return end_deal(state)._replace(finished=state.number, result=fact.report)


def end_deal(state: TableState) -> TableState:
    """Move the deal to the shoe's past; the next deal gets its own seeds."""
    if not state.card_commitments:
        return state
    deal = Past(state.drawn - state.drawn_before_round, seeds_of(state.seat_seeds))
    return state._replace(past=(*state.past, deal), seat_seeds={}, seed_authors={})


def _set_deadline(state: TableState, fact: facts.Deadline) -> TableState:
    return _with_deadlines(state, {**state.deadlines, fact.what: fact.at.isoformat()})


def _record_answer(state: TableState, fact: facts.Agreed) -> TableState:
    return state._replace(awaiting={**(state.awaiting or {}), fact.player: fact.finish})


def _interrupt(state: TableState, fact: facts.Interrupted) -> TableState:
    players = fact.awaiting
    answers = state.awaiting or {}
    awaiting = None if players is None else {name: answers.get(name) for name in players}
    return state._replace(interruption=fact.why, awaiting=awaiting, deadlines={})


def _resume(state: TableState, fact: facts.Resumed) -> TableState:
    return state._replace(deadlines={}, awaiting=None)


def _fill(state: TableState, fact: facts.Fill) -> TableState:
    return state._replace(rack=Cents(state.rack + fact.amount))


def _credit(state: TableState, fact: facts.Credit) -> TableState:
    return state._replace(rack=Cents(state.rack - fact.amount))


def _set_shuffler(state: TableState, fact: facts.Shuffler) -> TableState:
    return state._replace(shuffler=fact.working)


def _set_coach(state: TableState, fact: facts.Coach) -> TableState:
    return state._replace(coach=fact.on)


def _record_advice(state: TableState, fact: facts.CoachAdvice) -> TableState:
    return state


def _retire(state: TableState, fact: facts.Retired) -> TableState:
    return state._replace(retired=True, seats={}, rack=Cents(0), deadlines={})


def _current_round(state: TableState) -> Round:
    if state.round is None:
        raise RoundError(say("table.record.no-round", table=state.table))
    return state.round


def _remove(mapping: Mapping[Any, Any], *keys: Any) -> dict[Any, Any]:
    remaining = dict(mapping)
    for key in keys:
        remaining.pop(key, None)
    return remaining


_HANDLERS: dict[type, Callable[[TableState, Any], TableState]] = {
    facts.TableOpened: _open_table,
    facts.SheetChanged: _change_sheet,
    facts.Sat: _sit,
    facts.Refilled: _refill,
    facts.BoughtIn: _buy_in,
    facts.Left: _leave,
    facts.ShoeOpened: _open_shoe,
    facts.SeatSeed: _add_seed,
    facts.ShoeRevealed: _end_shoe,
    facts.RoundOpened: _open_round,
    facts.Wagered: _push_undo,
    facts.Undone: _pop_undo,
    facts.Ready: _set_ready,
    facts.Acted: _replay_action,
    facts.Corrected: _correct,
    facts.SettlementReversed: _subtract_shortfall,
    facts.Settled: _settle,
    facts.Deadline: _set_deadline,
    facts.CoachAdvice: _record_advice,
    facts.Agreed: _record_answer,
    facts.Interrupted: _interrupt,
    facts.Resumed: _resume,
    facts.Fill: _fill,
    facts.Credit: _credit,
    facts.RackRequested: _add_rack_request,
    facts.RackGranted: _remove_rack_request,
    facts.RackRefused: _remove_rack_request,
    facts.DealerOn: _set_dealer,
    facts.DealerOff: _clear_dealer,
    facts.ColoredUp: _color_up,
    facts.SheetAnnounced: _announce_sheet,
    facts.Shuffler: _set_shuffler,
    facts.Coach: _set_coach,
    facts.Retired: _retire,
}
