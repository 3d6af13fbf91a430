"""Explanations of drill answers, with the clause of the source document."""

from __future__ import annotations

from collections.abc import Iterable

from pitbook.drills.question import Reason
from pitbook.drills.random_rounds import layout_order
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.round import Round
from pitbook.rules.settlement_lines import FOLDED, NOTHING, Line
from pitbook.sheets import provenance
from pitbook.sheets.clauses import is_general
from pitbook.sheets.family_registry import family_of
from pitbook.sheets.field_types import Rule
from pitbook.sheets.phrases import direction_words, odds_words, with_article
from pitbook.sheets.prose import wager_name
from pitbook.text import Sentence, say

UNNAMED_OUTCOMES = (
    NOTHING.outcome,
    FOLDED.outcome,
    "win",
    "lose",
    "tie",
    "low",
    "high",
    "high-card",
)


def is_assumed(rule: Rule, *fields: str) -> bool:
    """Whether a rule, or any of these fields, is our assumption and not the document's."""
    return provenance.share(rule, *fields) != "none"


def reason(text: str, rule: Rule, *fields: str) -> Reason:
    """A reason with the document's clause; an assumption is marked and cites none."""
    if not is_assumed(rule, *fields):
        return Reason(text, rule.clause)
    return Reason(
        say("drills.assumed", text=text), rule.clause if is_general(rule.clause) else None
    )


def deal_reason(game: Game) -> Reason:
    """The rule for the dealing order."""
    rule = game.sheet.deal
    assert isinstance(rule, Rule)
    text = say("drills.deal-way", way=direction_words(rule.direction), first=rule.order[0])
    return reason(text, rule, "order", "direction")


def settlement_reason(game: Game, text: str | None = None) -> Reason:
    """The rule for the settlement order, or a text that cites it."""
    rule = game.sheet.settlement
    has_several_passes = len(rule.passes) > 1
    first = tuple(wager_name(game.sheet, wager) for wager in rule.passes[0])
    sentence = say(
        "drills.settle-way",
        way=direction_words(rule.direction),
        several=has_several_passes,
        first=first,
    )
    return reason(
        text or sentence, rule, *(("direction", "passes") if has_several_passes else ("direction",))
    )


def table_title(game: Game, wager: str) -> str:
    """The title of a pay table: the bets that it pays, or its side wager."""
    if wager in game.sheet.side:
        return game.sheet.side[wager].title
    return family_of(game.sheet).main_table(game.sheet)[0]


def line_reasons(
    round: Round, seat: int, lines: Iterable[Line], *, named: bool = False
) -> tuple[Reason, ...]:
    """The result of some wagers of a seat, each with its clause."""
    state = round.seat(seat)
    assert state is not None
    wins_by_wager = {
        line.wager: line.wins for line in round.game.settle(state, *round.common).lines
    }
    named_seat = seat if named else 0
    in_order = sorted(lines, key=lambda line: layout_order(round.game, line.wager))
    return tuple(
        _line_reason(round.game, line, wins_by_wager[line.wager], named_seat) for line in in_order
    )


def _line_reason(game: Game, line: Line, uncapped_win: Cents, seat: int) -> Reason:
    text = render_line_result(game, line, uncapped_win)
    if _is_pay_assumed(game, line):
        return Reason(say("drills.of-table", seat=seat, text=text), None)
    return Reason(say("drills.of-seat", seat=seat, text=text), line.clause)


def _is_pay_assumed(game: Game, line: Line) -> bool:
    """Whether a line's payout comes from an assumed pay table or line."""
    rule = game.sheet.side.get(line.wager, game.sheet.main)
    if line.clause != rule.clause or line.outcome not in rule.pays:
        return False
    return provenance.pays_share(rule, line.outcome) != "none"


def render_line_result(game: Game, line: Line, uncapped_win: Cents) -> Sentence:
    """The result of one wager: its odds, its hand, and what was due before a limit."""
    title = game.wager_title(line.wager)
    table = game.sheet.side.get(line.wager, game.sheet.main).pays
    listed = line.outcome in table and line.outcome not in UNNAMED_OUTCOMES
    why = with_article(str(line.outcome)) if listed else None
    if line.outcome == "dealer-does-not-qualify":
        why = say("drills.line.no-dealer")
    if line.result == "win" and line.odds is not None:
        if uncapped_win > line.wins:
            return say("drills.line.capped", title=title, wins=line.wins, due=uncapped_win)
        odds = odds_words(line.odds)
        details = {"title": title, "stake": line.stake, "wins": line.wins, "odds": odds}
        if why is None:
            return say("drills.line.win", **details)
        return say("drills.line.win-with", **details, hand=why)
    if line.result == "push" and why is not None:
        return say("drills.line.push-with", title=title, hand=why)
    lost, back = (line.lost, line.back) if line.result == "lose" else (0, 0)
    return say(
        "drills.line.ends",
        title=title,
        result=line.result,
        lost=lost,
        back=back,
        why=_result_cause(game, line),
    )


def _result_cause(game: Game, line: Line) -> str:
    """Why a wager without a paying line loses or pushes, as the catalog names it."""
    if line.outcome in ("tie", "war-won", "war-tied"):
        return line.outcome
    if line.result == "push":
        return "player" if line.outcome == "win" else "none"
    if line.result != "lose" or line.outcome != NOTHING.outcome:
        return "none"
    if line.wager in game.sheet.side:
        return "no-tie" if set(game.sheet.side[line.wager].pays) == {"tie"} else "no-hand"
    return "dealer" if any(place.id == "dealer" for place in game.places) else "no-hand"
