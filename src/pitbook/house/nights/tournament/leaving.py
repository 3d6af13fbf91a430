"""The end of it for a player or for all: places, and what they are due."""

from __future__ import annotations

from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.evolve import evolve
from pitbook.house.nights.tournament.facts import (
    Drawn,
    Fact,
    FactsOrRefusal,
    PlayerGroup,
    TournamentEnding,
)
from pitbook.house.nights.tournament.floor import Floor
from pitbook.house.nights.tournament.preconditions import not_playing, with_a_hand
from pitbook.house.nights.tournament.prizes import (
    PrizeShare,
    amounts,
    awarded,
    by_chips,
    drawn_apart,
    places,
)
from pitbook.house.nights.tournament.state import Tournament
from pitbook.rules.refusals import Code, refuse
from pitbook.sheets.findings import printable


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
