"""Before the deal: wagers put, changed, taken back and repeated, until betting closes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitbook.house.table import commands, facts
from pitbook.house.table.acts.dealer import deal_on, end_shoe, open_shoe
from pitbook.house.table.acts.pit import in_force_now
from pitbook.house.table.acts.readiness import all_ready
from pitbook.house.table.acts.seeds import with_wager
from pitbook.house.table.commands import By
from pitbook.house.table.desk import Desk
from pitbook.house.table.facts import Stakes
from pitbook.house.table.state import TableState
from pitbook.money import Cents
from pitbook.rules.actions import Action, Close, Wager, Withdraw
from pitbook.rules.refusals import Code, Refusal, refuse, refuse_cached
from pitbook.rules.round import Round
from pitbook.rules.wagers import wager_refusal

CHANGES_MAX = 200  # Of one seat in one round; more is no betting.
BETS = (Wager, Withdraw)
WhyNot = Callable[[str, Cents], Refusal | None]


def put_wager(desk: Desk, by: By, command: commands.PutWager) -> Refusal | None:
    """Put or change one wager; the first of a round opens it."""
    shown = desk.state.history if command.seed is not None else None
    if (refusal := _open(desk, command.seat)) is not None:
        return refusal
    with_wager(desk, command, shown)
    now = dict(_stakes(desk.round, command.seat))
    if command.amount == 0:
        if command.wager not in now:
            return _no_wager(desk.round, command.seat, command.wager)
        gone = command.wager == desk.round.game.main[0]
        kept = {} if gone else {name: now[name] for name in now if name != command.wager}
        return _changed(desk, command.seat, tuple(kept.items()))
    return _changed(desk, command.seat, tuple({**now, command.wager: command.amount}.items()))


def why_not_put(desk: Desk, seat: int) -> WhyNot:
    """Why `put_wager` would refuse wagers at a seat: what they share is looked into once."""
    if (refusal := _open(desk, seat)) is not None:
        return lambda *_: refusal
    round, player = desk.round, desk.state.seats[seat]
    now, often = dict(_stakes(round, seat)), _too_often(desk, seat)
    main, together = round.game.main[0], 1 + len(round.game.equals)

    def why_not(wager: str, amount: Cents) -> Refusal | None:
        lies = now.get(wager, 0)
        if not amount and wager not in now:
            return _no_wager(round, seat, wager)
        if often is not None or not amount:
            return often
        barred = desk.luck.door().exclusion_of(player) if amount > lies else None
        more = Cents((amount - lies) * (together if wager == main else 1))
        refusal = barred or wager_refusal(round, Wager(seat, player, wager, amount))
        return refusal or desk.too_dear(player, more)

    return why_not


def undo(desk: Desk, by: By, command: commands.Undo) -> Refusal | None:
    """Back to the wagers before the seat's last change."""
    if (refusal := _closed_already(desk)) is not None:
        return refusal
    stack = desk.state.undo.get(command.seat, ())
    if not stack or not (desk.state.live or _still_open(desk.state)):
        return refuse_cached(Code.NOT_NOW, "table.betting.nothing-back", seat=command.seat)
    if (refusal := _towards(desk, command.seat, stack[-1])) is not None:
        return refusal
    desk.note(facts.Undone(command.seat))
    deal_on(desk)
    all_ready(desk)
    return None


def rebet(desk: Desk, by: By, command: commands.Rebet) -> Refusal | None:
    """The seat's wagers of its last round, all or none."""
    player, stakes = desk.state.last.get(command.seat, ("", ()))
    if not stakes or player != desk.state.seats.get(command.seat):
        return refuse_cached(Code.NOT_NOW, "table.betting.none-to-repeat", seat=command.seat)
    shown = desk.state.history if command.seed is not None else None
    if (refusal := _open(desk, command.seat)) is not None:
        return refusal
    with_wager(desk, command, shown)
    if dict(_stakes(desk.round, command.seat)) == dict(stakes):
        return refuse_cached(Code.NOT_NOW, "table.betting.has-these", seat=command.seat)
    return _changed(desk, command.seat, stakes)


def open_round(desk: Desk, by: By, command: commands.OpenRound) -> Refusal | None:
    """Clear the layout."""
    if desk.state.live:
        return refuse(Code.NOT_NOW, "table.betting.not-over")
    in_force_now(desk)
    return _new_round(desk)


def close_betting(desk: Desk, by: By, command: commands.CloseBetting) -> Refusal | None:
    """No more wagers: by the dealer, by a player who bets alone, or at the player's own table."""
    if by.role == "player" and (refusal := _not_alone(desk, by)) is not None:
        return refusal
    if (refusal := desk.act(Close())) is not None:
        return refusal
    deal_on(desk)
    return None


def _not_alone(desk: Desk, by: By) -> Refusal | None:
    if desk.state.typed:
        return refuse(Code.FORBIDDEN, "table.betting.dealer-closes")
    if desk.state.kind == "practice" and by.name == desk.state.owner:
        return None
    players = {seat.player for seat in desk.round.seats} if desk.state.live else set()
    if players <= {by.name}:
        return None
    others = tuple(sorted(players - {by.name}))
    return refuse_cached(Code.FORBIDDEN, "table.betting.open-to-others", others=others)


def _closed_already(desk: Desk) -> Refusal | None:
    if desk.state.round is None or desk.round.phase == "wagers":
        return None
    key = "engine.wagers.closed-stay" if desk.state.live else "table.betting.over"
    return refuse(Code.NOT_NOW, key)


def _open(desk: Desk, seat: int) -> Refusal | None:
    """Make sure that there is a round to bet in, and that somebody sits there."""
    state = desk.state
    if seat not in state.seats:
        return refuse(Code.UNKNOWN_SEAT, "table.seating.nobody-there", seat=seat)
    if state.spot is not None and state.spot["seat"] != seat:
        return refuse(Code.NOT_NOW, "table.arranged.other-seat", seat=state.spot["seat"])
    if state.live and desk.round.phase != "wagers":
        return refuse(Code.NOT_NOW, "engine.wagers.closed")
    if state.live:
        return None
    in_force_now(desk)
    return None if _still_open(desk.state) else _new_round(desk)


def _still_open(state: TableState) -> bool:
    """Whether an empty layout is still good for wagers: same rules, same shoe."""
    empty = state.round is not None and state.round.phase == "wagers" and not state.next_sheet
    return empty and state.shoe is not None and state.shoe["id"] == state.dealt_from


def _new_round(desk: Desk) -> Refusal | None:
    if desk.state.shoe is None and (refusal := open_shoe(desk)) is not None:
        return refusal
    if desk.state.shoe_sheet != desk.state.coming["hash"]:
        end_shoe(desk)
        if (refusal := open_shoe(desk)) is not None:
            return refusal
    state = desk.state
    assert state.shoe is not None
    number = state.number + 1
    opened = f"{state.table}-{number:06d}"
    shoe = state.shoe["id"]
    desk.note(facts.RoundOpened(opened, number, state.coming["hash"], shoe, state.dealer))
    return None


def _changed(desk: Desk, seat: int, target: Stakes) -> Refusal | None:
    if (refusal := _too_often(desk, seat)) is not None:
        return refusal
    desk.note(facts.Wagered(seat, _stakes(desk.round, seat)))
    refusal = _towards(desk, seat, target)
    if refusal is None:
        deal_on(desk)
        all_ready(desk)
    return refusal


def _too_often(desk: Desk, seat: int) -> Refusal | None:
    acts = [one for one in desk.state.actions if isinstance(one, BETS) and one.seat == seat]
    if len(acts) < CHANGES_MAX:
        return None
    return refuse(Code.NOT_NOW, "table.betting.too-often", seat=seat, times=CHANGES_MAX)


def _no_wager(round: Round, seat: int, wager: str) -> Refusal:
    key, title = "engine.wagers.none-there", round.game.wager_title(wager)
    return refuse(Code.UNKNOWN_WAGER, key, seat=seat, wager=title)


def _towards(desk: Desk, seat: int, target: Stakes) -> Refusal | None:
    player, now = desk.state.seats[seat], dict(_stakes(desk.round, seat))
    more = any(amount > now.get(wager, 0) for wager, amount in target)
    # What lies there is played; whoever was excluded meanwhile puts nothing to it.
    if more and (refusal := desk.luck.door().exclusion_of(player)) is not None:
        return refusal
    return desk.all(_steps(desk.round, seat, player, target))


def _steps(round: Round, number: int, player: str, target: Stakes) -> Iterator[Action]:
    """From the wagers that lie there to others: what is taken back first, then what is put."""
    main = round.game.main[0]
    now, wanted = dict(_stakes(round, number)), dict(target)
    if main in now and main not in wanted:  # With it go all the others.
        yield Withdraw(number, main)
        now = {}
    yield from (Withdraw(number, wager) for wager in now if wager not in wanted)
    changed = [(name, amount) for name, amount in target if now.get(name) != amount]
    for wager, amount in sorted(changed, key=lambda one: one[1] > now.get(one[0], 0)):
        yield Wager(number, player, wager, amount)


def _stakes(round: Round, number: int) -> Stakes:
    seat = round.seat(number)
    return round.put_by(seat) if seat else ()
