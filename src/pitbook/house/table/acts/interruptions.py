"""After any stop the table is where it was; the sheet says whether the hand is played on."""

from __future__ import annotations

from pitbook.house.table import commands, facts
from pitbook.house.table.acts.dealer import deal_on, wind
from pitbook.house.table.acts.readiness import all_ready
from pitbook.house.table.acts.seating import has_live_wager
from pitbook.house.table.commands import By
from pitbook.house.table.desk import Desk
from pitbook.rules.actions import Interrupted, Settle
from pitbook.rules.legal import accepts
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.step import step

AT_ONCE = Settle(at_once=True)


def stopped(desk: Desk, why: str) -> None:
    """The machine stopped: play goes on, or the players are asked, or in a tournament the floor."""
    state = desk.state
    if state.in_tournament and not state.awaiting and _on_layout(desk):
        if state.awaiting is None:
            desk.note(facts.Interrupted(why, ()))
        return
    if not state.live or desk.round.phase == "wagers":
        if state.deadlines or state.live:
            desk.note(facts.Resumed(why))
            wind(desk)
            all_ready(desk)
        return
    _cut(desk, why)


def _on_layout(desk: Desk) -> bool:
    """Whether anybody's chips would be played by a table that went on by itself."""
    return desk.state.live and bool(desk.round.seats)


def _cut(desk: Desk, why: str) -> None:
    asked = _asked(desk)
    desk.note(facts.Interrupted(why, asked))
    if asked is None:
        desk.must(Interrupted(agreed=True))
    deal_on(desk)


def _asked(desk: Desk) -> tuple[str, ...] | None:
    """Everyone for whom a card or a decision is open, where the sheet asks; answers given stay."""
    rule = desk.round.game.sheet.irregularities.interruption
    if rule.value == "resume":
        return None
    if desk.state.awaiting:
        return tuple(sorted(desk.state.awaiting))
    left = certain(desk.round)
    live = [seat.player for seat in left.seats if has_live_wager(left, seat)]
    return tuple(sorted(set(live))) or None


def interrupt(desk: Desk, by: By, command: commands.Interrupt) -> Refusal | None:
    """The floor stops play by hand."""
    if not desk.state.live or desk.round.phase == "wagers":
        return refuse(Code.NOT_NOW, "engine.mishaps.no-play")
    _cut(desk, command.why)
    return None


def go_on(desk: Desk, by: By, command: commands.GoOn) -> Refusal | None:
    """The floor's answer after a stop of the machine; where players are asked, they answer."""
    if desk.state.awaiting is None:
        return refuse(Code.NOT_NOW, "table.interruptions.none-waits")
    if desk.state.awaiting:
        names = tuple(desk.state.awaiting)
        key = "table.interruptions.they-answer"
        return refuse(Code.NOT_NOW, key, rule_clause(desk), names=names, count=len(names))
    _played_on(desk, command.why)
    return None


def call_off(desk: Desk, by: By, command: commands.CallOff) -> Refusal | None:
    """The interruption itself was undone, so nobody is asked any more."""
    if desk.state.awaiting is None:
        return refuse(Code.NOT_NOW, "table.interruptions.none-interrupted")
    _played_on(desk, command.why)
    return None


def _played_on(desk: Desk, why: str) -> None:
    desk.note(facts.Resumed(why))
    if desk.round.phase == "wagers":
        wind(desk)
        all_ready(desk)
        return
    desk.must(Interrupted(agreed=True))
    deal_on(desk)


def agree(desk: Desk, by: By, command: commands.Agree) -> Refusal | None:
    """One player's answer; the last yes lets play go on, the first no ends it."""
    state = desk.state
    if state.awaiting is None:
        return refuse(Code.NOT_NOW, "table.interruptions.nobody-asked")
    seat = desk.round.seat(command.seat)
    player = seat.player if seat else None
    if player is None or player not in state.awaiting:
        key = "table.interruptions.not-asked"
        return refuse(Code.UNKNOWN_SEAT, key, rule_clause(desk), seat=command.seat)
    if state.awaiting[player] is not None:
        return refuse(Code.ALREADY_DECIDED, "table.interruptions.answered", player=player)
    desk.note(facts.Agreed(player, command.finish))
    if not command.finish:
        dead(desk)
    elif all((desk.state.awaiting or {}).values()):
        desk.must(Interrupted(agreed=True))
        deal_on(desk)
    return None


def unreadable(desk: Desk, by: By, command: commands.Unreadable) -> Refusal | None:
    """The hand cannot be read, so nobody can finish it."""
    if desk.state.awaiting is None:
        return refuse(Code.NOT_NOW, "table.interruptions.none-to-read")
    if desk.round.phase == "wagers":
        return refuse(Code.NOT_NOW, "table.interruptions.no-card-yet")
    dead(desk)
    return None


def dead(desk: Desk) -> None:
    """The hand is dead: hands that lie open are settled, every other wager goes back (GEN-6)."""
    while is_certain(desk.round):
        desk.must(AT_ONCE)
    if desk.round.phase != "over":
        desk.must(Interrupted(agreed=False))
    deal_on(desk)


def waits(desk: Desk) -> Refusal:
    """Why nothing is played before somebody has answered."""
    asked = desk.state.awaiting or {}
    if not asked:
        return refuse(Code.NOT_NOW, "table.interruptions.floor-says", rule_clause(desk))
    names = tuple(name for name, yes in asked.items() if yes is None)
    asks = {"names": names, "count": len(names)}
    return refuse(Code.NOT_NOW, "table.interruptions.must-agree", rule_clause(desk), **asks)


def certain(round: Round) -> Round:
    """The round with the hands settled that lie open before the dealer, in the paying order."""
    while is_certain(round):
        after = step(round, AT_ONCE)
        assert isinstance(after, Round)
        round = after
    return round


def is_certain(round: Round) -> bool:
    """Whether the next hand to be settled has nothing open: no card, and no fold to be void."""
    if round.phase != "settle":
        return False
    number, group = round.to_settle[round.steps_settled]
    seat = round.seat(number)
    assert seat is not None
    folded = seat.folded and "main" in group
    return seat.void is None and not folded and accepts(round, AT_ONCE)


def rule_clause(desk: Desk) -> str:
    """The clause that says how an interrupted hand ends."""
    return desk.round.game.sheet.irregularities.interruption.clause
