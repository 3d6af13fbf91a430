"""evolve(state, fact): the night after a fact. No clock or book is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pitbook.errors import RoundError
from pitbook.money import Cents, dollars
from pitbook.nights.book.facts import FORMAT, Fact
from pitbook.nights.book.state import Admitted, NightState, Slip, Stop, Unclaimed
from pitbook.nights.tournament import facts as tournament_facts
from pitbook.nights.tournament.evolve import evolve as evolve_tournament

CORRECTED = ("charity", "licence", "gaming_date", "zone")


def evolve(state: NightState, fact: Fact) -> NightState:
    """The night after a fact; raises RoundError for one that cannot have happened."""
    if "tournament" in fact:
        return _tournament(state, fact)._replace(version=state.version + 1)
    handler = _HANDLERS.get(str(fact.get("fact")))
    if handler is None:
        raise RoundError(f'a night knows no fact "{fact.get("fact")}"')
    return handler(state, fact)._replace(version=state.version + 1)


def folded(facts: Iterable[Fact], state: NightState | None = None) -> NightState:
    """The night after many facts."""
    state = NightState() if state is None else state
    for fact in facts:
        state = evolve(state, fact)
    return state


def _tournament(state: NightState, fact: Fact) -> NightState:
    name = fact["tournament"]
    after = evolve_tournament(state.tournaments.get(name), tournament_facts.load(dict(fact)))
    return state._replace(tournaments={**state.tournaments, name: after})


def _made(state: NightState, fact: Fact) -> NightState:
    if fact["format"] != FORMAT:
        raise RoundError(f"a night of format {fact['format']} is not known; this is {FORMAT}")
    names = ("event", "charity", "licence", "gaming_date", "zone", "house")
    rehearsal = bool(fact.get("rehearsal", False))
    told = {name: fact[name] for name in names}
    return state._replace(phase="made", rehearsal=rehearsal, **told)


def _corrected(state: NightState, fact: Fact) -> NightState:
    return state._replace(**{name: fact[name] for name in CORRECTED})


def _opened(state: NightState, fact: Fact) -> NightState:
    return state._replace(phase="open", opened_at=fact["at"])


def read_slip(fact: Fact) -> Slip:
    """The slip that a fact tells of."""
    return Slip(
        number=fact["slip"],
        what=fact["what"],
        player=fact["player"],
        amount=dollars(fact["amount"]),
        at=fact["at"],
        by=fact["by"],
        over=dollars(fact["over"]),
    )


def _slip(state: NightState, fact: Fact) -> NightState:
    slip = read_slip(fact)
    return _counted(state._replace(slips=(*state.slips, slip)), slip, slip.over, 1)


def _undone(state: NightState, fact: Fact) -> NightState:
    place = fact["slip"] - 1
    slip = state.slips[place]
    gone = slip._replace(undone=fact["why"])
    slips = (*state.slips[:place], gone, *state.slips[place + 1 :])
    return _counted(state._replace(slips=slips), slip, dollars(fact["over"]), -1)


def _counted(state: NightState, slip: Slip, over: Cents, sign: int) -> NightState:
    """The night's running sums, a slip added or taken off."""
    if slip.what == "float":
        return state._replace(floated=Cents(state.floated + sign * slip.amount))
    if slip.what == "unclaimed":  # Owed by a tournament, so no chips of the cage.
        return state
    into = sign if slip.what == "sold" else -sign
    return state._replace(sales=Cents(state.sales + into * (slip.amount - over)))


def _admitted(state: NightState, fact: Fact) -> NightState:
    differ = tuple(fact["differences"])
    rest = fact["base"], fact["limits"], differ, fact.get("base_sheet")
    table = Admitted(fact["table"], fact["sheet"], *rest)
    return state._replace(tables={**state.tables, table.table: table})


def _interrupted(state: NightState, fact: Fact) -> NightState:
    stop = Stop(fact["why"], fact["at"], fact.get("by", ""), bool(fact.get("dead", False)))
    return state._replace(stops=(*state.stops, stop))


def _closed(state: NightState, fact: Fact) -> NightState:
    return state._replace(
        phase="closed",
        closed_at=fact["at"],
        expired={player: dollars(cents) for player, cents in fact["expired"].items()},
        float_returned=dollars(fact["float_returned"]),
        unclaimed=tuple(
            Unclaimed(one["tournament"], one["player"], dollars(one["amount"]))
            for one in fact.get("unclaimed", ())
        ),
    )


_HANDLERS: dict[str, Callable[[NightState, Fact], NightState]] = {
    "night-made": _made,
    "night-corrected": _corrected,
    "night-opened": _opened,
    "slip": _slip,
    "slip-undone": _undone,
    "table-admitted": _admitted,
    "night-interrupted": _interrupted,
    "night-closed": _closed,
}
