"""A round in the words that a dealer would use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from pitbook.cards import names
from pitbook.engine.actions import (
    BOARD,
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Place,
    Settle,
    Turn,
    Wager,
    Withdraw,
)
from pitbook.engine.journal import replay
from pitbook.engine.round import Round
from pitbook.engine.step import place_name
from pitbook.game.description import Game
from pitbook.game.plays import multiple
from pitbook.game.pricing import FOLDED, NOTHING
from pitbook.game.settlement import Bite, Line
from pitbook.money import spoken
from pitbook.sheets.aloud.words import counted, listed
from pitbook.sheets.aloud.words import outcome as said_outcome


def transcript(opened: Round, actions: Sequence[Action]) -> list[str]:
    """The whole round, a sentence a line."""
    final = replay(opened, actions)
    told: list[str] = []
    for acts in _together(actions):
        after = replay(opened, acts)
        told += _tell(opened, acts, after, final)
        opened = after
    return told + list(_ending(final))


def wager_title(round: Round, wager: str) -> str:
    """What a wager is called on the layout."""
    return _title(round.game, wager)


@lru_cache(maxsize=1_000)
def _title(game: Game, wager: str) -> str:
    return game.wager_title(wager)


def lines_told(round: Round, lines: Iterable[Line], *, clauses: bool = True) -> tuple[str, ...]:
    """What became of wagers, one sentence for those that went the same way."""
    return _lines_told(round.game, tuple(lines), clauses)


@lru_cache(maxsize=2_000)  # Players repeat their wagers, and most of them lose the same way.
def _lines_told(game: Game, lines: tuple[Line, ...], clauses: bool) -> tuple[str, ...]:
    return tuple(_sentences(game, lines, clauses=clauses))


def _sentences(game: Game, lines: tuple[Line, ...], *, clauses: bool) -> Iterator[str]:
    same = groupby(lines, key=lambda line: (line.outcome, line.result, line.odds, line.clause))
    for (outcome, result, odds, clause), group in same:
        made = list(group)
        titles = listed([_title(game, line.wager) for line in made])
        stake = spoken(sum(line.stake for line in made))
        ending = {
            "win": f"win {_won(made)} at {odds}",
            "push": "push",
            "lose": _lost(made),
            "void": "go back",
            "forfeit": "are forfeited",
        }[result]
        said = f"{said_outcome(outcome)}: " if outcome not in _UNSAID else ""
        cited = f" ({clause})" if clauses else ""
        yield f"{said}{titles}, {stake}, {_singular(ending, len(made))}{cited}."


_UNSAID = (None, NOTHING.outcome, FOLDED.outcome)


def _lost(lines: list[Line]) -> str:
    if not (back := sum(line.back for line in lines)):
        return "lose"
    return f"lose {spoken(sum(line.lost for line in lines))}; {spoken(back)} comes back"


def _won(lines: list[Line]) -> str:
    paid = sum(line.wins for line in lines)
    due = sum(line.odds.wins(line.stake) for line in lines if line.odds)
    return spoken(paid) if paid >= due else f"{spoken(paid)} of {spoken(due)}, capped,"


def cap_told(bite: Bite) -> str:
    """A cap that bit, explained."""
    whose = "all hands together" if bite.seat is None else f"seat {bite.seat}"
    return (
        f"{bite.clause} caps {whose}: {spoken(bite.due)} due, {spoken(bite.paid)} paid, "
        "shared in proportion to the cent."
    )


def action_told(before: Round, action: Action, after: Round) -> str | None:
    """One action in words; a card that is laid face down is not worth any."""
    if isinstance(action, Deal):
        return None
    return " ".join(_tell(before, [action], after, after)) or None


def _together(actions: Sequence[Action]) -> Iterator[list[Action]]:
    """Runs of cards dealt to or turned at one place are told in one sentence."""

    def run(action: Action) -> tuple[type, Place] | int:
        if isinstance(action, Deal | Turn):
            return type(action), action.place
        return id(action)

    for _, group in groupby(actions, key=run):
        acts = list(group)
        yield from [acts] if isinstance(acts[0], Deal | Turn) else ([one] for one in acts)


def _tell(before: Round, acts: list[Action], after: Round, final: Round) -> Iterator[str]:
    first = acts[0]
    if isinstance(first, Deal):
        yield f"{_place(before, first.place)}: {counted(len(acts), 'card', 'cards')} face down."
    elif isinstance(first, Turn):
        yield _turned(before, [one for one in acts if isinstance(one, Turn)])
    elif isinstance(first, Decide):
        yield _decided(before, after, first.seat)
    elif isinstance(first, Settle):
        yield from _settled(before, after, final)
    elif isinstance(first, Wager):
        title = wager_title(before, first.wager)
        whose = "" if first.player == f"seat {first.seat}" else f" ({first.player})"
        yield f"Seat {first.seat}{whose}: {spoken(first.amount)} on the {title}."
    elif isinstance(first, Withdraw):
        yield f"Seat {first.seat} takes back the {wager_title(before, first.wager)}."
    elif isinstance(first, Close):
        yield "No more bets."
    yield from _noted(before, after, first)


def _noted(before: Round, after: Round, action: Action) -> Iterator[str]:
    for note in after.notes[len(before.notes) :]:
        clause = f" ({note.clause})" if note.clause else ""
        yield f"{note.what[:1].upper()}{note.what[1:]}{clause}."
    if isinstance(action, Absent):
        yield _decided(before, after, action.seat)
    if isinstance(action, Expose) and after.phase != "over":
        yield "The card plays."


def _turned(round: Round, acts: list[Turn]) -> str:
    cards = names(act.card for act in acts)
    if acts[0].place == BOARD:
        told = round.game.board_told((*round.board, *(act.card for act in acts)))
        return f"The dealer turns {cards}." + (f" {told}." if told else "")
    if acts[0].place < BOARD:
        return f"The dealer turns {cards} of {place_name(round, acts[0].place)}."
    opens = "is opened" if round.phase == "settle" else "looks"
    return f"Seat {acts[0].place} {opens}: {cards}."


def _decided(before: Round, after: Round, number: int) -> str:
    seat, was = after.seat(number), before.seat(number)
    assert seat is not None
    assert was is not None
    play = seat.plays[len(was.plays)]  # Stages that are passed over may stand behind it.
    if seat.folded:
        taken = spoken(sum(stake for _, stake in seat.main))
        tuck = after.game.tucked_under(seat)
        under = f" The cards go under the {wager_title(after, tuck)}." if tuck else ""
        return f"Seat {number} folds: {taken} taken.{under}"
    if play.takes:
        back = listed([wager_title(after, wager) for wager in play.takes])
        return f"Seat {number} takes back the {back}."
    put = was.cost(play)
    if play.said:
        double = f" and doubles, {spoken(put)} more" if put else ""
        return f"Seat {number} declares {play.said}{double}."
    if multiple(play) is None:
        more = f", {spoken(put)} more" if put else ""
        return f"Seat {number} says {play}{more}."
    stage = before.game.stages[before.stage]
    if not put:
        return f"Seat {number} goes on with no {stage.title}."
    return f"Seat {number} bets {play}, {spoken(put)}, on the {stage.title}."


def _settled(before: Round, after: Round, final: Round) -> Iterator[str]:
    number, group = before.to_settle[before.steps_settled]
    if len(after.paid) > len(before.paid):
        lines = [line for _, line in after.paid[len(before.paid) :]]
    elif final.ending != "settled":
        yield f"Seat {number} is settled."
        return
    else:
        lines = _lines_in(final, number, group)
    for sentence in lines_told(final, lines):
        yield f"Seat {number}: {sentence}"


def _lines_in(final: Round, number: int, group: tuple[str, ...]) -> list[Line]:
    settlement = next(one for one in final.settlements if one.seat == number)
    sides = final.game.sheet.side
    return [
        line
        for line in settlement.lines
        if (line.wager if line.wager in sides else "main") in group
    ]


def _ending(final: Round) -> Iterator[str]:
    if final.ending in ("misdeal", "dead"):
        yield _back(final)
    for bite in final.bites:
        yield cap_told(bite)
    for one in final.settlements:
        yield f"Seat {one.seat} nets {spoken(one.net)}."
    if final.settlements:
        yield f"The house nets {spoken(-sum(one.net for one in final.settlements))}."


def _back(final: Round) -> str:
    if final.paid:
        return "Dead: what is settled stands, and every other wager goes back."
    all_back = all(line.result == "void" for one in final.settlements for line in one.lines)
    return "Void: every wager goes back." if all_back else "Void: wagers go back."


def _place(round: Round, place: Place) -> str:
    return round.game.places[1 - place].title.capitalize() if place <= BOARD else f"Seat {place}"


def _singular(verb: str, wagers: int) -> str:
    """The verb for one wager where it was written for several."""
    if wagers > 1:
        return verb
    first, _, rest = verb.partition(" ")
    one = {"win": "wins", "push": "pushes", "lose": "loses", "go": "goes", "are": "is"}[first]
    return f"{one} {rest}".strip()
