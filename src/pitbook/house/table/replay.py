"""A past round step by step, its proof, and a version without names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pitbook.errors import ShoeError
from pitbook.house.ledger.codec import Fact, Json
from pitbook.house.people.names import is_guest_number
from pitbook.house.table import facts
from pitbook.house.table.commands import CLOCK
from pitbook.house.table.explain import fact_sentences
from pitbook.house.table.facts import FACTS
from pitbook.house.table.round_records import JournalStep, RoundRecord, round_of
from pitbook.house.table.round_types import CardShown, Step
from pitbook.house.table.state import TableState, apply
from pitbook.house.table.view_types import Layout
from pitbook.house.table.views import render_layout
from pitbook.house.table.visibility import Viewer, card_audience
from pitbook.rules.actions import (
    BOARD,
    Action,
    Deal,
    PlaceNumber,
    Settle,
    Turn,
    VoidHand,
    Wager,
    Withdraw,
    parse_place,
)
from pitbook.rules.narration import transcript
from pitbook.rules.report import report
from pitbook.rules.round import new_round
from pitbook.rules.stored import KINDS, store
from pitbook.shoe.opening import opening
from pitbook.shoe.proof import revealed
from pitbook.shoe.record import ShoeRecord as Shoe
from pitbook.shoe.vault import Vault
from pitbook.text import say

# What changes nothing that lies on the felt, or is nobody's but the staff's.
LEFT_OUT = (facts.Fill, facts.ShoeRevealed)
DEALERS = ("deal", "turn", "settle")
_ACTION_NAMES = {kind: do for do, kind in KINDS.items()}


class _Key(NamedTuple):
    """What a step is; neighbours with the same key are one."""

    what: str
    seat: int | None = None
    number: int = 0


class _Part(NamedTuple):
    """A fact with the entry that it stood in, and the action that it was."""

    key: _Key
    at: str
    actor: str
    fact: Fact
    action: Action | None


def replay_steps(record: RoundRecord, viewer: Viewer) -> Iterator[Step]:
    """One step for each thing that a player or the dealer did, with the layout after it."""
    state, seen = record.before, render_layout(record.before, viewer)
    for number, (key, group) in enumerate(groupby(_parts(record, viewer), lambda one: one.key), 1):
        parts, before = list(group), state
        for part in parts:
            state = apply(state, part.fact)
        after = render_layout(state, viewer)
        yield {
            "n": number,
            "at": parts[0].at,
            "actor": say("table.past.dealer") if key.what in DEALERS else parts[0].actor,
            "what": key.what,
            "seat": key.seat,
            "told": _step_text(key, parts, before, state, viewer),
            "shown": list(_revealed_cards(seen, after)),
            "view": after,
        }
        seen = after


def _parts(record: RoundRecord, viewer: Viewer) -> Iterator[_Part]:
    number = 0
    for step in record.steps:
        for fact in step.facts:
            if isinstance(fact, LEFT_OUT) or not _is_visible(fact, record, viewer):
                continue
            number += 1
            action = fact.action if isinstance(fact, facts.Acted) else None
            yield _Part(_key(fact, action, number), step.at, step.actor, fact, action)


def _is_visible(fact: Fact, record: RoundRecord, viewer: Viewer) -> bool:
    """Advice is for the player who was given it."""
    if not isinstance(fact, facts.CoachAdvice):
        return True
    round = record.state.round
    seat = round.seat(fact.seat) if round else None
    return viewer.role == "player" and seat is not None and seat.player == viewer.name


def _key(fact: Fact, action: Action | None, number: int) -> _Key:
    if isinstance(action, Wager | Withdraw):
        return _Key("wagers", action.seat)
    if isinstance(fact, facts.Wagered | facts.Undone):
        return _Key("wagers", fact.seat)
    if isinstance(fact, facts.Settled) or isinstance(action, Settle):
        return _Key("settle")
    if isinstance(action, Deal):
        return _Key("deal")
    if isinstance(action, Turn):
        common = action.place <= BOARD
        return _Key("turn", None, number) if common else _Key("look", action.place)
    if action is not None:
        return _Key(_ACTION_NAMES[type(action)], getattr(action, "seat", None), number)
    return _Key(FACTS.name(type(fact)), getattr(fact, "seat", None), number)


def _step_text(
    key: _Key, parts: Sequence[_Part], before: TableState, after: TableState, viewer: Viewer
) -> list[str]:
    acts = [part.action for part in parts if part.action is not None]
    if key.what == "wagers":
        return _wagers_text(key.seat, after)
    if key.what == "look" and not _sees(key.seat, after, viewer):
        return [say("table.past.looks", seat=key.seat)]
    first = parts[0].fact
    if isinstance(first, facts.Corrected) and not _sees(first.place, after, viewer):
        return [say("table.past.corrected", seat=first.place)]
    if not acts or before.round is None:
        return fact_sentences(first)
    return transcript(before.round, acts)


def _wagers_text(number: int | None, after: TableState) -> list[str]:
    """What lies there in the end, however often it was changed."""
    seat = after.round.seat(number) if after.round and number else None
    if seat is None or after.round is None:
        return [say("table.past.back", seat=number)]
    who = f"seat {number}" if is_guest_number(seat.player) else seat.player  # The seat says it all.
    made = [Wager(seat.number, who, wager, amount) for wager, amount in seat.stakes]
    return transcript(new_round(after.round.game), made)


def _sees(place: PlaceNumber | None, state: TableState, viewer: Viewer) -> bool:
    """Whether a viewer may see all that lies at a seat; cards in common are everybody's."""
    seats = {one["seat"]: one for one in render_layout(state, viewer)["seats"]}
    if place is not None and place <= BOARD:
        return True
    return place in seats and None not in seats[place].get("cards", [None])


def _revealed_cards(before: Layout, after: Layout) -> Iterator[CardShown]:
    """The cards that can be seen now and could not before."""
    lay = {one["place"]: one["cards"] for one in before["common"]}
    for one in after["common"]:
        yield from _new_cards(one["place"], lay.get(one["place"], []), one["cards"])
    were = {one["seat"]: one.get("cards", []) for one in before["seats"]}
    for seat in after["seats"]:
        yield from _new_cards(seat["seat"], were.get(seat["seat"], []), seat.get("cards", []))


def _new_cards(
    place: int | str, before: list[str | None], after: list[str | None]
) -> Iterator[CardShown]:
    for number, card in enumerate(after):
        if card is not None and (number >= len(before) or before[number] is None):
            yield {"place": place, "card": card}


NAMING_ACTIONS = ("turn", "expose")


def build_proof(
    record: RoundRecord, vault: Vault, viewer: Viewer | None = None, *, named: bool = True
) -> Json:
    """The round as `pitbook verify-deal` reads it; raises ShoeError before its time.

    With what `viewer` may see of it, or with everything, for the auditor.
    """
    if (why := proof_problem(record, whole=viewer is None)) is not None:
        raise ShoeError(say("table.past.unproved", round=record.id, why=why))
    assert record.before.shoe is not None
    shoe, state = Shoe.of(record.before.shoe), record.state
    if shoe.opens_by_card:
        return _partial_proof(record, shoe, vault, viewer, named=named)
    assert record.revealed is not None
    return revealed(
        shoe,
        vault,
        seat_seeds=dict(record.revealed.seat_seeds),
        drawn=record.before.drawn,
        round=store(round_of(state), state.actions),
        round_id=record.id,
    )


def proof_problem(record: RoundRecord, *, whole: bool) -> str | None:
    """Why there is no proof yet, if there is none."""
    if not record.before.cardwise or whole:
        untold = record.revealed is None or record.revealed.seed is None
        return say("table.past.no-seed-told") if untold else None
    return None if record.settled is not None else say("table.past.not-over")


def _partial_proof(
    record: RoundRecord, shoe: Shoe, vault: Vault, viewer: Viewer | None, *, named: bool
) -> Json:
    state = record.state
    told = state if named else anonymize(record).state
    round = store(round_of(told), told.actions)
    if viewer is not None:
        round["actions"] = _redact_actions(state, round["actions"], viewer)
    *past, deal = state.past
    return opening(
        shoe,
        vault,
        seeds=deal.seeds,
        past=tuple(past),
        round=round,
        round_id=record.id,
        whole=viewer is None,
    )


def _redact_actions(state: TableState, actions: list[Json], viewer: Viewer) -> list[Json]:
    """The actions with null for each card that the viewer may not see."""
    named: Counter[int | str] = Counter()
    told = []
    for action in actions:
        if action["do"] in NAMING_ACTIONS:
            place, number = action["place"], named[action["place"]]
            named[place] += 1
            seat = parse_place(place)
            if seat > BOARD and not card_audience(state, seat, number).has(viewer):
                action = {**action, "card": None}  # noqa: PLW2901  The one that is told.
        told.append(action)
    return told


REDACTED = "not told"  # Where a fact has the floor's words.
WRITTEN = ("reason", "breach", "why")  # By the floor, in its own words.
SECRET = (facts.CoachAdvice, facts.SeatSeed, facts.ShoeRevealed, facts.Fill)

Names = Mapping[str, str]


def seat_names(record: RoundRecord) -> dict[str, str]:
    """Everybody who sat there or played, by the first of their seats: "seat 2"."""
    seats = {seat.number: seat.player for seat in round_of(record.state).seats}
    seats = {**record.before.seats, **seats}
    return {
        seats[number]: say("engine.place.seat", seat=number)
        for number in sorted(seats, reverse=True)
    }


def anonymize(record: RoundRecord) -> RoundRecord:
    """The same round, told of seats."""
    names = seat_names(record)
    seats = {number: names[player] for number, player in record.before.seats.items()}
    before = record.before._replace(seats=seats, last={}, guests=(), shoe_players=(), owner="")
    state, steps = before, []
    for step in record.steps:
        kept = []
        for fact in (one for one in step.facts if not isinstance(one, SECRET)):
            kept.append(_anonymize_fact(fact, names, state))
            state = apply(state, kept[-1])
        if kept:
            house = step.actor if step.actor == CLOCK.name else say("table.past.house")
            actor = names.get(step.actor, house)
            steps.append(JournalStep(step.seq, step.at, actor, tuple(kept), ()))
    return record._replace(before=before, steps=tuple(steps), revealed=None)


def _anonymize_fact(fact: Fact, names: Names, state: TableState) -> Fact:
    if isinstance(fact, facts.Settled):
        return facts.Settled(state.round_id, report(round_of(state)))
    if isinstance(fact, facts.Acted):
        return facts.Acted(_anonymize_fields(fact.action, names))
    if isinstance(fact, facts.Interrupted) and fact.awaiting:
        fact = fact._replace(awaiting=tuple(names[one] for one in fact.awaiting))
    told: Fact = _anonymize_fields(fact, names)
    return told


def _anonymize_fields(one: Any, names: Names) -> Any:
    """A fact or an action with a seat for its player, and without the floor's words."""
    said = {key: value for key, value in one._asdict().items() if value is not None}
    told = {key: REDACTED for key in WRITTEN if key in said}
    if isinstance(one, VoidHand):  # Its reason is a word of the rules, not of the floor.
        del told["reason"]
    if "player" in said:
        told["player"] = names[said["player"]]
    return one._replace(**told)
