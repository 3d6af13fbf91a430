"""Examples of a win, a loss and a tie: rounds from a fixed shuffle, settled by the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from pitbook.cards import Card
from pitbook.errors import PitbookError
from pitbook.papers.content import Block, Paragraph
from pitbook.papers.rules.played import DealtCards, laid_of, played
from pitbook.rules.game import Game, compile_game
from pitbook.rules.round import Round
from pitbook.rules.settlement import Line
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.changed import changed
from pitbook.text import Sentence, say

TRIED = 400
MIRRORED = 20  # Deals in which the dealer holds the player's ranks: two like hands seldom meet.
RESULTS = ("win", "push", "lose")
TIE = "tie"
OTHERWISE = {"player": "dealer", "dealer": "player", "push": "dealer"}


def examples(game: Game) -> Iterator[Block]:
    """A round for each way in which the main wager ends, a tie, and a win of each side wager."""
    main = game.main[0]
    wanted = [(main, one) for one in RESULTS] + [(one, "win") for one in game.sheet.side]
    tie, tied = (main, TIE), _ties(game)
    wanted += [tie] if tied else []
    for deal in _deals(game):
        round_ = played(game, deal, seats=(1,))
        if round_ is None:
            continue
        lines = {(line.wager, line.result) for line in round_.settlements[0].lines}
        met: list[tuple[str, str]] = [one for one in wanted if one in lines]
        if tied and tie in wanted and tied(round_, deal):  # Told as a push where it is the first.
            met = [(main, "push"), tie] if (main, "push") in met else [tie]
        if met:
            yield _told(game, round_, *met[0])
            wanted = [one for one in wanted if one not in met]
        if not wanted:
            return


def _ties(game: Game) -> Callable[[Round, DealtCards], bool] | None:
    """Whether a round is a tie with the dealer; None where nobody ties, or a tie is played on."""
    sheet: Any = game.sheet
    if sheet.play.against != "dealer" or any(stage.when for stage in game.stages):
        return None
    ties = getattr(sheet.main, "ties", None)
    if ties is None:
        return lambda round_, _: _came_out(game, round_) == TIE
    try:
        other = compile_game(
            changed(sheet, {"main.ties.is": OTHERWISE[ties.value]})
        )  # A tie alone differs.
    except PitbookError:  # Nothing but ties come, so that no sheet has them otherwise.
        return None

    def differs(round_: Round, deal: DealtCards) -> bool:
        again = played(other, deal, seats=(1,))
        lines = [one.settlements[0].lines[0].result for one in (round_, again) if one]
        return len({*lines}) > 1

    return differs


def _came_out(game: Game, round_: Round) -> str | None:
    lines = round_.settlements[0].lines
    return next((one.outcome for one in lines if one.wager == game.main[0]), None)


def _deals(game: Game) -> Iterator[DealtCards]:
    yield from (_deal(game, number) for number in range(TRIED))
    for number in range(MIRRORED):
        deal = _deal(game, number)
        mirrored = [Card(one ^ 1) for one in deal["1"]]  # The same ranks, each suit for another.
        more = [one for one in deal.get("dealer", ()) if one not in mirrored]
        dealers = [*mirrored, *more][: len(deal.get("dealer", ()))]
        if len(dealers) >= len(mirrored) and not {*mirrored} & {*deal["1"]}:
            yield {**deal, "dealer": dealers}


def _deal(game: Game, number: int) -> DealtCards:
    """Cards by a fixed shuffle, so that a paper is the same whenever it is made."""
    cards = [Card(one) for one in range(52)]
    cards.sort(key=lambda one: sha256(f"{number} {one}".encode()).digest())
    deal: DealtCards = {}
    for name, place in (("1", game.places[0]), *((one.id, one) for one in game.places[1:])):
        deal[name], cards = cards[: place.cards], cards[place.cards :]
    return deal


def _told(game: Game, round_: Round, wager: str, result: str) -> Paragraph:
    seat = round_.seats[0]
    lines = tuple(_line(game, one) for one in round_.settlements[0].lines)
    plays = tuple(play.label for play in seat.plays if str(play) != "-")
    text = say(
        "papers.examples.round",
        cards=seat.cards,
        laid=laid_of(game, round_),
        has_plays=bool(plays),
        plays=plays,
        lines=lines,
        net=abs(round_.settlements[0].net),
        came=_came(round_.settlements[0].net),
    )
    clauses = dict.fromkeys(one.clause for one in round_.settlements[0].lines)
    title = game.wager_title(wager)
    lead = say("papers.examples.lead", title=title, result=result)
    key = f"example {wager} {result}"
    return Paragraph(text, key, tuple(clauses), lead=lead, assumed="all")


def _came(net: int) -> str:
    return "won" if net > 0 else "lost" if net else "even"


def _line(game: Game, line: Line) -> Sentence:
    told = {"title": game.wager_title(line.wager), "stake": line.stake, "result": line.result}
    named = (line.outcome or "nothing") not in ("nothing", "win")
    hand = outcome(line.outcome or "nothing")
    return say("papers.examples.line", **told, named=named, hand=hand, wins=line.wins)
