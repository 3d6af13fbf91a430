"""Who is paid what. Equal places share what they would have had; odd cents are drawn for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from pitbook.house.nights.tournament.facts import Awards, Drawn, PlayerGroup
from pitbook.house.nights.tournament.rules import MultiTableCut
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.nights.tournament.state import Tournament
from pitbook.money import Cents
from pitbook.rules.limits import shares

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
