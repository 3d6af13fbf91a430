"""A table's state: how each fact changes it, and its snapshots."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from pitbook.cards import Card
from pitbook.errors import RoundError
from pitbook.house.ledger.codec import Fact, Json
from pitbook.house.table import facts
from pitbook.house.table.facts import (
    FACTS,
    FORMAT,
    LAST_CALL,
    RackRequested,
    Stakes,
    dump_stakes,
    load_stakes,
    shortfall,
)
from pitbook.money import Cents, dollars, money
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
from pitbook.rules.game import Game, compile_game
from pitbook.rules.named_tuples import fast_replace, replacer
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step
from pitbook.rules.stored import decode, encode, sheet_document, stored_sheet
from pitbook.rules.stored import replay as replay_actions
from pitbook.sheets.model import Sheet
from pitbook.shoe.order import Past, history, seeds_of
from pitbook.shoe.record import CARD_FORMAT
from pitbook.text import say
from pitbook.text.formats import CHIPS


def is_tournament_unit(unit: str) -> bool:
    """Whether its chips are a tournament's, or a rehearsal's of one."""
    kind, _, _ = unit.partition(":")
    return kind.removeprefix("rehearsal-") == "tournament"


def unit_currency(unit: str, currency: str | None) -> str | None:
    """What amounts of a table are of: the chips of a tournament are no money.

    >>> unit_currency("tournament:gala.main", "EUR"), unit_currency("event-chip:gala", "EUR")
    ('CHIPS', 'EUR')
    """
    return CHIPS if is_tournament_unit(unit) else currency


TableKind: TypeAlias = facts.TableKind


@fast_replace
class TableState(NamedTuple):
    """A table after some facts; `evolve` gives the next one."""

    table: str = ""
    kind: TableKind = "practice"
    unit: str = "play"
    owner: str = ""
    sheet: Json = {}  # noqa: RUF012  Of the round that is on the layout; nobody writes into it.
    next_sheet: Json | None = None
    clocks: Mapping[str, int | None] = {}
    coach: bool = False
    stake: Cents = Cents(0)
    seats: Mapping[int, str] = {}
    number: int = 0
    round: Round | None = None
    actions: tuple[Action, ...] = ()
    finished: int = 0
    result: Json | None = None  # The report of the round on the layout, once it is over.
    shoe: Json | None = None
    shoe_sheet: str = ""
    spot: Json | None = None  # What the shoe is arranged for, if it is.
    shoes: int = 0
    pack: int | None = None
    drawn: int = 0
    first: int = 0  # Cards that were drawn before the round on the layout.
    dealt_from: str = ""
    arranged: Json | None = None  # What the round on the layout was arranged for, if it was.
    seat_seeds: Mapping[int, str] = {}  # Of the deal to come, or of the one on the layout.
    seeded: Mapping[int, str] = {}  # Who added the last seed of a seat.
    past: tuple[Past, ...] = ()  # The deals of a shoe before this one, where seeds are for each.
    shoe_players: tuple[str, ...] = ()
    revealed: Json | None = None
    undo: Mapping[int, tuple[Stakes, ...]] = {}
    ready: tuple[str, ...] = ()  # Players who want no more time to bet.
    last: Mapping[int, tuple[str, Stakes]] = {}
    rack: Cents = Cents(0)
    deadlines: Mapping[str, str] = {}
    interruption: str | None = None
    awaiting: Mapping[str, bool | None] | None = None
    shuffler: bool = True
    guests: tuple[str, ...] = ()
    retired: bool = False
    dealer: str = ""  # Who has signed on to deal, where a person does.
    asked: Mapping[
        int, facts.RackRequested
    ] = {}  # Fills and credits that wait for a second person.
    asks: int = 0
    announced: Json | None = None  # Rules to come, and from when.
    version: int = 0

    @property
    def round_id(self) -> str:
        """The id of the round on the layout."""
        return f"{self.table}-{self.number:06d}"

    @property
    def in_tournament(self) -> bool:
        """Whether its chips are a tournament's: then the floor answers for what is cut short."""
        return is_tournament_unit(self.unit)

    @property
    def coming(self) -> Json:
        """The sheet of the next round to open."""
        return self.next_sheet or self.sheet

    @property
    def game(self) -> Game:
        """The rules for the round on the layout, or for the next one where none is live."""
        return self.round.game if self.live and self.round else game_of(self.coming)

    @property
    def live(self) -> bool:
        """Whether a wager lies on the table that is not settled yet."""
        return self.round is not None and bool(self.round.seats) and self.round.phase != "over"

    @property
    def numbers(self) -> list[int]:
        """Every position of the layout, and any that is taken under other rules."""
        count = (self.round.game if self.round else self.game).sheet.seats.count
        played = (seat.number for seat in self.round.seats) if self.round else ()
        return sorted({*range(1, count + 1), *self.seats, *played})

    @property
    def cardwise(self) -> bool:
        """Whether the shoe is committed to card by card, and the seats' seeds are for each deal."""
        return self.shoe is not None and self.shoe["kind"] == "committed"

    @property
    def history(self) -> str | None:
        """The shoe's commitment with all that was dealt from it since; what a seed is made for."""
        committed = self.shoe["commitment"] if self.shoe is not None else None
        return None if committed is None else history(committed, self.past)

    @property
    def typed(self) -> bool:
        """Whether a person deals, and types the cards."""
        return self.kind == "typed"


def dump_sheet(sheet: Sheet) -> Json:
    """A sheet as facts keep it: the body as text, for the order of a pay table is meaning too."""
    document = sheet_document(sheet)
    return {"hash": document["hash"], "body": json.dumps(document["body"])}


def game_of(sheet: Json) -> Game:
    """The rules of a sheet that is kept; the same object for the same sheet."""
    return _load_game(sheet["hash"], sheet["body"])


@lru_cache(maxsize=256)
def _load_game(digest: str, body: str) -> Game:
    try:
        document = {"hash": digest, "body": json.loads(body)}
    except (TypeError, ValueError, RecursionError):
        raise RoundError(say("table.record.sheet-no-json")) from None
    return compile_game(stored_sheet(document))


def currency_of(sheet: Json) -> str | None:
    """What the money of a sheet that is kept is in; None for US dollars, or where it is unread."""
    return _currency(sheet["body"])


@lru_cache(maxsize=256)
def _currency(body: str) -> str | None:
    try:
        found = json.loads(body)["house"]["currency"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
    return found if isinstance(found, str) else None


def named_cards(actions: Iterable[Action], place: PlaceNumber) -> list[tuple[int, Turn | Expose]]:
    """The actions that named the cards of a place, with their positions."""
    return [
        (position, action)
        for position, action in enumerate(actions)
        if isinstance(action, Turn | Expose) and action.place == place
    ]


def replace_card(
    actions: tuple[Action, ...], place: PlaceNumber, number: int, right: Card
) -> tuple[Action, ...]:
    """The actions with the place's first, second, ... card put right."""
    position, wrong = named_cards(actions, place)[number - 1]
    return (*actions[:position], wrong._replace(card=right), *actions[position + 1 :])


def replay_with_card(
    round: Round, actions: tuple[Action, ...], place: PlaceNumber, number: int, right: Card
) -> tuple[tuple[Action, ...], Round] | Refusal:
    """The round played again with a card put right; hands that this alters are settled no more."""
    paid, again = round.paid, new_round(round.game)
    kept: list[Action] = []
    reopened = False
    for action in replace_card(actions, place, number, right):
        at_once = isinstance(action, Settle) and bool(action.at_once)
        after = step(again, action) if not (at_once and reopened) else None
        if at_once and (not isinstance(after, Round) or after.paid != paid[: len(after.paid)]):
            reopened = True
            continue
        if not isinstance(after, Round):
            assert after is not None
            return after
        again = after
        kept.append(action)
    return tuple(kept), again


def apply(state: TableState, fact: Fact) -> TableState:
    """The table after a fact; raises RoundError for one that cannot have happened."""
    return _with_version(_HANDLERS[type(fact)](state, fact), state.version + 1)


_with_version = replacer(TableState, "version")
_with_step = replacer(TableState, "round", "actions", "deadlines", "drawn", "version")
_with_deadlines = replacer(TableState, "deadlines")


def replay(happened: Iterable[Fact], state: TableState | None = None) -> TableState:
    """The table after many facts, from the first or from a snapshot on."""
    state = TableState() if state is None else state
    for fact in happened:
        state = apply(state, fact)
    return state


def _open_table(state: TableState, fact: facts.TableOpened) -> TableState:
    return state._replace(**fact._asdict())


def _change_sheet(state: TableState, fact: facts.SheetChanged) -> TableState:
    return state._replace(next_sheet=fact.sheet, announced=None)


def _announce_sheet(state: TableState, fact: facts.SheetAnnounced) -> TableState:
    return state._replace(announced={"sheet": fact.sheet, "at": fact.at.isoformat()})


def _add_rack_request(state: TableState, fact: facts.RackRequested) -> TableState:
    return state._replace(asked={**state.asked, fact.number: fact}, asks=fact.number)


def _remove_rack_request(
    state: TableState, fact: facts.RackGranted | facts.RackRefused
) -> TableState:
    return state._replace(asked=_without(state.asked, fact.number))


def _set_dealer(state: TableState, fact: facts.DealerOn) -> TableState:
    return state._replace(dealer=fact.dealer)


def _clear_dealer(state: TableState, fact: facts.DealerOff) -> TableState:
    return state._replace(dealer="")


def _color_up(state: TableState, fact: facts.ColouredUp) -> TableState:
    return state  # What a wallet holds stays the same.


def _sit(state: TableState, fact: facts.Sat) -> TableState:
    seats = dict(sorted({**state.seats, fact.seat: fact.player}.items()))
    if state.kind == "practice":  # Their chips go back when the table retires.
        guests = dict.fromkeys((*state.guests, fact.player))
        return state._replace(seats=seats, guests=tuple(guests))
    return state._replace(seats=seats)


def _refill(state: TableState, fact: facts.Refilled) -> TableState:
    return state  # What a wallet holds is the book's to say.


def _buy_in(state: TableState, fact: facts.BoughtIn) -> TableState:
    return state  # What a wallet holds is the book's to say.


def _leave(state: TableState, fact: facts.Left) -> TableState:
    seat = fact.seat
    state = _clear_ready(state, seat)
    return state._replace(seats=_without(state.seats, seat), undo=_without(state.undo, seat))


def _open_shoe(state: TableState, fact: facts.ShoeOpened) -> TableState:
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


def _add_seed(state: TableState, fact: facts.SeatSeed) -> TableState:
    """Nothing takes a seed out again: whoever takes the seat over adds a line to it."""
    seat, text = fact.seat, fact.text
    if state.cardwise and seat in state.seat_seeds:
        text = f"{state.seat_seeds[seat]}\n{text}"
    return state._replace(
        seat_seeds={**state.seat_seeds, seat: text},
        seeded={**state.seeded, seat: state.seats.get(seat, "")},
    )


def _end_shoe(state: TableState, fact: facts.ShoeRevealed) -> TableState:
    shown = {"id": fact.id, "seed": fact.seed, "seat_seeds": [list(one) for one in fact.seat_seeds]}
    kept = {"commitment": (state.shoe or {}).get("commitment"), "players": list(state.shoe_players)}
    ended = state._replace(shoe=None, seat_seeds={}, seeded={}, past=())
    if state.cardwise:
        kept["format"] = CARD_FORMAT
    return ended._replace(revealed={**shown, **kept})


def _open_round(state: TableState, fact: facts.RoundOpened) -> TableState:
    return state._replace(
        number=fact.number,
        sheet=state.coming,
        next_sheet=None,
        round=new_round(game_of(state.coming)),
        actions=(),
        result=None,
        first=state.drawn,
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
    """Who changes a wager is not ready any more, and nobody else's last call runs on."""
    player = state.seats.get(seat)
    if player not in state.ready and LAST_CALL not in state.deadlines:
        return state
    left = tuple(one for one in state.ready if one != player)
    return state._replace(ready=left, deadlines=_without(state.deadlines, LAST_CALL))


def with_action(state: TableState, action: Action, after: Round) -> TableState:
    """The table after a step of its round that has been worked out already."""
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
        state = state._replace(awaiting=None, deadlines=_without(state.deadlines, "agree"))
    if after.phase == "over" != before.phase:
        return _update_rack(state, before)._replace(deadlines={}, awaiting=None)
    return state if after.paid is before.paid else _update_rack(state, before)


def _update_rack(state: TableState, before: Round) -> TableState:
    """The rack with what the round's results have brought it since."""
    was = sum(line.net for _, line in before.results)
    now = sum(line.net for _, line in _current_round(state).results)
    return state._replace(rack=Cents(state.rack + was - now))


def _subtract_shortfall(state: TableState, fact: facts.TakenBack) -> TableState:
    """What a player no longer had is the rack's loss."""
    return state._replace(rack=Cents(state.rack - shortfall(fact)))


def _close_betting(state: TableState, after: Round) -> TableState:
    made = {seat.number: (seat.player, after.put_by(seat)) for seat in after.seats}
    players = dict.fromkeys((*state.shoe_players, *(seat.player for seat in after.seats)))
    return state._replace(
        last={**state.last, **made}, undo={}, ready=(), shoe_players=tuple(players)
    )


def _remaining_deadlines(
    deadlines: Mapping[str, str], before: Round, after: Round
) -> Mapping[str, str]:
    """The clocks that an action does not stop."""
    if not deadlines:
        return deadlines
    if after.phase != "wagers" or not after.seats:
        deadlines = _without(deadlines, "betting", LAST_CALL)
    if (before.phase, before.stage) != (after.phase, after.stage) or not after.waiting:
        deadlines = _without(deadlines, "decision")
    return deadlines


def _correct(state: TableState, fact: facts.Corrected) -> TableState:
    before = _current_round(state)
    right = replay_with_card(before, state.actions, fact.place, fact.number, fact.card)
    if isinstance(right, Refusal):
        raise RoundError(say("table.record.no-correction", why=right.message))
    actions, round = right
    return _update_rack(state._replace(round=round, actions=actions), before)


def _settle(state: TableState, fact: facts.Settled) -> TableState:
    return end_deal(state)._replace(finished=state.number, result=fact.report)


def end_deal(state: TableState) -> TableState:
    """The deal belongs to the shoe's past; the next one waits for seeds of its own."""
    if not state.cardwise:
        return state
    deal = Past(state.drawn - state.first, seeds_of(state.seat_seeds))
    return state._replace(past=(*state.past, deal), seat_seeds={}, seeded={})


def _set_deadline(state: TableState, fact: facts.Deadline) -> TableState:
    return _with_deadlines(state, {**state.deadlines, fact.what: fact.at.isoformat()})


def _record_answer(state: TableState, fact: facts.Agreed) -> TableState:
    return state._replace(awaiting={**(state.awaiting or {}), fact.player: fact.finish})


def _interrupt(state: TableState, fact: facts.Interrupted) -> TableState:
    asked = fact.awaiting
    answers = state.awaiting or {}
    awaiting = None if asked is None else {name: answers.get(name) for name in asked}
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


def _advice(state: TableState, fact: facts.CoachAdvice) -> TableState:
    return state


def _retire(state: TableState, fact: facts.Retired) -> TableState:
    return state._replace(retired=True, seats={}, rack=Cents(0), deadlines={})


def _current_round(state: TableState) -> Round:
    if state.round is None:
        raise RoundError(say("table.record.no-round", table=state.table))
    return state.round


def _without(mapping: Mapping[Any, Any], *keys: Any) -> dict[Any, Any]:
    left = dict(mapping)
    for key in keys:
        left.pop(key, None)
    return left


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
    facts.TakenBack: _subtract_shortfall,
    facts.Settled: _settle,
    facts.Deadline: _set_deadline,
    facts.CoachAdvice: _advice,
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
    facts.ColouredUp: _color_up,
    facts.SheetAnnounced: _announce_sheet,
    facts.Shuffler: _set_shuffler,
    facts.Coach: _set_coach,
    facts.Retired: _retire,
}


# Kept as they are; the others need words for money, cards or the round.
PLAIN_FIELDS = (
    *("table", "kind", "unit", "owner", "sheet", "next_sheet", "clocks", "coach"),
    *("number", "finished", "result", "shoe", "shoe_sheet", "shoes", "pack", "drawn", "first"),
    *("dealt_from", "revealed", "spot", "arranged"),
    *("deadlines", "interruption", "awaiting", "shuffler", "retired", "version"),
    *("dealer", "asks", "announced"),
)


def snapshot(state: TableState) -> Json:
    """All of a state; the round is kept as its actions."""
    return {
        "format": FORMAT,
        **{name: getattr(state, name) for name in PLAIN_FIELDS},
        "stake": money(state.stake),
        "rack": money(state.rack),
        "round": state.round is not None,
        "actions": [encode(action) for action in state.actions],
        "seats": list(state.seats.items()),
        "seat_seeds": list(state.seat_seeds.items()),
        "seeded": list(state.seeded.items()),
        "past": [[one.cards, list(one.seeds)] for one in state.past],
        "shoe_players": list(state.shoe_players),
        "guests": list(state.guests),
        "ready": list(state.ready),
        "asked": FACTS.dump_all(state.asked.values()),
        "undo": [[seat, [dump_stakes(one) for one in stack]] for seat, stack in state.undo.items()],
        "last": [
            [seat, player, dump_stakes(stakes)] for seat, (player, stakes) in state.last.items()
        ],
    }


def restore(document: Any) -> TableState:
    """The state that was kept; raises RoundError for one that is not known."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RoundError(say("table.record.kept-format", format=FORMAT))
    actions = tuple(decode(one) for one in document["actions"])
    opened = new_round(game_of(document["sheet"])) if document["round"] else None
    return TableState(
        **{name: document[name] for name in PLAIN_FIELDS if name in document},  # Some came later.
        stake=dollars(document["stake"]),
        rack=dollars(document["rack"]),
        round=None if opened is None else replay_actions(opened, actions),
        actions=actions,
        seats=dict(document["seats"]),
        seat_seeds=dict(document["seat_seeds"]),
        seeded=dict(document.get("seeded", ())),
        past=tuple(
            Past(cards, tuple((seat, text) for seat, text in seeds))
            for cards, seeds in document.get("past", ())
        ),
        shoe_players=tuple(document["shoe_players"]),
        guests=tuple(document["guests"]),
        ready=tuple(document.get("ready", ())),
        asked={one.number: one for one in _rack_requests(document)},
        undo={seat: tuple(load_stakes(one) for one in stack) for seat, stack in document["undo"]},
        last={seat: (player, load_stakes(stakes)) for seat, player, stakes in document["last"]},
    )


def _rack_requests(document: Json) -> list[RackRequested]:
    """Fills and credits that waited; an older state has none."""
    read = FACTS.load_all(document.get("asked", ()))
    return [one for one in read if isinstance(one, RackRequested)]
