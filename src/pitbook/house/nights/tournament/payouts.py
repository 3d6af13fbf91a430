"""Who finishes where in a tournament, and what each place pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from pitbook.house.nights.context import Floor
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.facts import (
    Awards,
    Drawn,
    Fact,
    FactsOrRefusal,
    PlayerGroup,
    TournamentEnding,
)
from pitbook.house.nights.tournament.schedule import MultiTableCut, Schedule
from pitbook.house.nights.tournament.state import Tournament, evolve, not_playing, with_a_hand
from pitbook.money import Cents
from pitbook.rules.limits import shares
from pitbook.rules.refusals import Code, refuse
from pitbook.sheets.findings import printable

DrawLots = Callable[[int], int]
OddCents = Literal["draw", "first-entered"]


class PrizeShare(NamedTuple):
    """What players are due, and the numbers that were drawn for odd cents."""

    awards: Awards = ()
    drawn: Drawn = ()


def amounts(tournament: Tournament) -> tuple[Cents, ...]:
    """The prize of each place; the largest remainders have the odd cents, the better place first.

    They add up to the prize money, whatever the shares in the schedule add up to.
    """
    table = tournament.schedule.shares(len(tournament.players))
    return tuple(Cents(one) for one in shares(tournament.prize_money, table))


def previewed(schedule: Schedule, entrants: int) -> tuple[Cents, ...]:
    """What each place would be paid if so many enter and nobody buys more."""
    price = schedule.buy_in
    money = Cents(entrants * (price.costs - price.kept))
    return tuple(Cents(one) for one in shares(money, schedule.shares(entrants)))


def places(tournament: Tournament) -> dict[PlayerGroup, int]:
    """The best place of each group that is out; it sinks while others may still enter."""
    found, left = {}, len(tournament.players)
    for group in tournament.out:
        left -= len(group)
        found[group] = left + 1
    return found


def awarded(
    prizes: Sequence[Cents], placed: Iterable[tuple[PlayerGroup, int]], draw: DrawLots
) -> PrizeShare:
    """What groups are due for their places."""
    whole = PrizeShare()
    for group, place in placed:
        together = sum(prizes[place - 1 : place - 1 + len(group)])
        share = divided(Cents(together), group, draw)
        whole = PrizeShare(whole.awards + share.awards, whole.drawn + share.drawn)
    return whole


def divided(
    total: Cents,
    players: Sequence[str],
    draw: DrawLots,
    *,
    weights: Sequence[int] = (),
    odd_cents: OddCents = "draw",
) -> PrizeShare:
    """A sum in even parts, or in proportion; each odd cent goes to another player, by lot."""
    if not total:
        return PrizeShare()
    weights = weights or [1] * len(players)
    parts = {
        one: total * weight // sum(weights) for one, weight in zip(players, weights, strict=True)
    }
    waiting, drawn = list(players), []
    for _ in range(total - sum(parts.values())):
        if odd_cents == "draw":
            drawn.append(draw(len(waiting)))
        parts[waiting.pop(drawn[-1] if odd_cents == "draw" else 0)] += 1
    awards = tuple((player, Cents(part)) for player, part in parts.items() if part)
    return PrizeShare(awards, tuple(drawn))


def remainder(
    tournament: Tournament, total: Cents, rule: MultiTableCut, draw: DrawLots
) -> PrizeShare:
    """What is left of the prize money, for those still in, as the house divides it."""
    left = tournament.still_in
    weights = [tournament.players[one].chips for one in left] if rule.divided == "by-chips" else ()
    return divided(total, left, draw, weights=weights, odd_cents=rule.odd_cents)


def drawn_apart(
    groups: tuple[PlayerGroup, ...], draw: DrawLots
) -> tuple[tuple[PlayerGroup, ...], Drawn]:
    """Groups with equal chips as single players, from the last place up, and what was drawn."""
    apart, drawn = [], []
    for group in groups:
        waiting = list(group)
        while len(waiting) > 1:
            drawn.append(draw(len(waiting)))
            apart.append((waiting.pop(drawn[-1]),))
        apart.append((waiting[0],))
    return tuple(apart), tuple(drawn)


def by_chips(tournament: Tournament) -> tuple[PlayerGroup, ...]:
    """Those still in by their last count, fewest chips first; equal chips are one group."""

    def chips(player: str) -> Cents:
        return tournament.players[player].chips

    ordered = sorted(tournament.still_in, key=chips)
    return tuple(tuple(group) for _, group in groupby(ordered, key=chips))


def returns(tournament: Tournament) -> Awards:
    """What goes back when a tournament is void: all that was spent, less prizes already paid.

    A prize above its player's own spending is money that is no longer there: what remains is
    then shared in proportion to what each should have had.
    """
    players = tournament.players.values()
    due = [max(0, one.spent - one.paid) for one in players]
    there = sum(one.spent - one.paid for one in players)
    parts = due if sum(due) == there else shares(there, due)
    return tuple(
        (player, Cents(part))
        for player, part in zip(tournament.players, parts, strict=True)
        if part
    )


def post_prizes(was: Tournament, _: commands.PostPrizes, floor: Floor) -> FactsOrRefusal:
    """Nothing more is sold; each place has its prize."""
    if was.posted is not None:
        return refuse(Code.NOT_NOW, "nights.leaving.posted", tournament=was.tournament)
    return not_playing(was) or [_posted(was, floor)]


def finish(was: Tournament, _: commands.Finish, floor: Floor) -> FactsOrRefusal:
    """It has been played out, or its time is over and chips decide."""
    if (refusal := not_playing(was) or with_a_hand(was, was.in_hand)) is not None:
        return refusal
    if not was.dealt and was.players:
        key, clause = "nights.leaving.nobody-won", floor.rules.refunds.clause
        none = {"tournament": was.tournament, "players": tuple(was.players)}
        return refuse(Code.NOT_NOW, key, clause, **none)
    if len(was.still_in) <= 1:
        return finished(was, floor, "played", None)
    if was.schedule.ends == "clock" and reading(was.schedule, was.clock, floor.now).over:
        return finished(was, floor, "clock", None)
    left = {
        "tournament": was.tournament,
        "left": len(was.still_in),
        "ends": was.schedule.ends,
    }
    return refuse(Code.NOT_NOW, "nights.leaving.still-played", **left)


def finished(
    was: Tournament, floor: Floor, how: TournamentEnding, clause: str | None
) -> list[Fact]:
    """The facts that end a tournament by its places, prizes posted first where they are not."""
    told, was = priced(was, floor)
    groups = by_chips(was)
    drawn: Drawn = ()
    if how == "chip-count" and floor.rules.hourly.equal_chips == "draw":
        groups, drawn = drawn_apart(groups, floor.draw)
    placed = places(was._replace(out=(*was.out, *groups)))
    share = _award(was, [(group, placed[group]) for group in groups], floor)
    share = share._replace(drawn=(*drawn, *share.drawn))
    return [*told, facts.Finished(was.tournament, how, clause, groups, *share, floor.now)]


def priced(was: Tournament, floor: Floor) -> tuple[list[Fact], Tournament]:
    """The prizes as a fact where nobody posted them, and the tournament with places paid."""
    if was.posted is not None:
        return [], was
    posted = _posted(was, floor)
    return [posted], evolve(was, posted)


def eliminated(was: Tournament, players: PlayerGroup, floor: Floor) -> Fact:
    """Players go out together, with their place and what it is due."""
    place = places(was._replace(out=(*was.out, players)))[players]
    share = _award(was, [(players, place)], floor)
    return facts.Eliminated(was.tournament, players, place, *share)


def pay_out(was: Tournament, command: commands.PayOut, _: Floor) -> FactsOrRefusal:
    """Whatever a player is owed leaves the till."""
    player = command.player
    if player not in was.players:
        who = {"player": printable(player), "tournament": was.tournament}
        return refuse(Code.UNKNOWN_SEAT, "nights.asked.not-entered", **who)
    if not was.players[player].owed:
        owed = {"tournament": was.tournament, "player": player}
        return refuse(Code.NOT_COVERED, "nights.leaving.owes-nothing", **owed)
    return [facts.PaidOut(was.tournament, player, was.players[player].owed)]


def _posted(was: Tournament, floor: Floor) -> Fact:
    prizes = amounts(was)
    share = awarded(prizes, places(was).items(), floor.draw)
    return facts.PrizesPosted(was.tournament, prizes, *share)


def _award(was: Tournament, placed: list[tuple[PlayerGroup, int]], floor: Floor) -> PrizeShare:
    return PrizeShare() if was.posted is None else awarded(was.posted, placed, floor.draw)
