"""Every choice of a sheet, what else it could be, and what anybody can see of a house: no prose."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin

from annotated_types import Ge, Le
from tests.clauses.table import altered, cents, load, played, seat
from tests.table.kit import DEALER, SUPERVISOR, Live, top

from pitbook.cards import card
from pitbook.engine.actions import BOARD
from pitbook.engine.refusals import Refusal
from pitbook.engine.report import report
from pitbook.errors import RoundError
from pitbook.exact.service import mathematics
from pitbook.money import Cents, odds
from pitbook.sheets.families import Sheet
from pitbook.sheets.model import Counts, Information, Limit
from pitbook.sheets.street_stud import StreetStud
from pitbook.sheets.values import DESCRIPTIVE, Choice, Table
from pitbook.table.commands import (
    CLOCK,
    Agree,
    By,
    CloseBetting,
    Command,
    Decide,
    ExposeCard,
    Interrupt,
    Misdeal,
    PutWager,
    ShufflerFailed,
    Sit,
    Tick,
    VoidHand,
    Warn,
)
from pitbook.table.sight import Viewer
from pitbook.table.state import TableState
from pitbook.table.views import view

# Which choices there are --------------------------------------------------------------------------


class Found(NamedTuple):
    """A choice of a sheet: where it stands and what else it might be."""

    path: str
    others: tuple[Any, ...]


def choices(sheet: Sheet) -> list[Found]:
    """Every choice that a sheet makes, written or by default."""
    return list(_choices(sheet, ""))


def _choices(part: Any, above: str) -> Iterator[Found]:
    if isinstance(part, dict):
        named = list(part.items())
    elif isinstance(part, tuple):
        named = list(enumerate(part))
    elif isinstance(part, Table):
        named = [(one, getattr(part, one)) for one in type(part).model_fields]
    else:
        return
    for one, value in named:
        path = f"{above}.{one}".removeprefix(".")
        if isinstance(value, Choice):
            yield Found(path, tuple(_others(value.value, _asked(part, str(one)), path)))
        else:
            yield from _choices(value, path)


def _asked(part: Any, field: str) -> Any:
    """What the model of a table says that a choice may be."""
    declared = type(part).model_fields[field].annotation
    for one in (declared, *get_args(declared)):
        if isinstance(one, type) and issubclass(one, Choice):
            return one.model_fields["value"]
    raise AssertionError(f"{field} is no choice")


def _others(value: Any, asked: Any, path: str) -> Iterator[Any]:
    kind = asked.annotation
    if get_origin(kind) is Literal:
        yield from (one for one in get_args(kind) if one != value)
    elif kind is bool:
        yield not value
    elif isinstance(value, tuple):
        yield from {(), value[::-1]} - {value}
    else:
        yield from _numbers(value, asked.metadata, 100 if path == "single_bet_max" else 1)


def _numbers(value: int, bounds: Any, by: int) -> Iterator[int]:
    least = next((one.ge for one in bounds if isinstance(one, Ge)), 1)
    most = next((one.le for one in bounds if isinstance(one, Le)), 10**9)
    yield from (one for one in (value - by, value + by) if least <= one <= most)  # type: ignore[operator]


# What is no choice --------------------------------------------------------------------------------


def described(model: Any) -> list[tuple[str, Any]]:
    """Every field below a model that is marked descriptive, with its kind."""
    found: list[tuple[str, Any]] = []
    for field, info in model.model_fields.items():
        if info.json_schema_extra == DESCRIPTIVE:
            found.append((field, info.annotation))
        for inner in _tables(info.annotation):
            found += described(inner)
    return found


def _tables(kind: Any) -> list[Any]:
    if isinstance(kind, type) and issubclass(kind, Table):
        return [kind]
    return [table for one in get_args(kind) for table in _tables(one)]


def reworded(part: Any) -> Any:
    """A sheet with everything that is marked descriptive said otherwise."""
    if isinstance(part, dict):
        return {name: reworded(one) for name, one in part.items()}
    if isinstance(part, tuple) and not hasattr(part, "_fields"):
        return tuple(reworded(one) for one in part)
    if not isinstance(part, Table):
        return part
    fields = type(part).model_fields.items()
    said = {
        name: _otherwise(getattr(part, name))
        if info.json_schema_extra == DESCRIPTIVE and get_origin(info.annotation) is not Literal
        else reworded(getattr(part, name))
        for name, info in fields
    }
    return part.model_copy(update=said)


def _otherwise(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return f"not {value}"
    return value + 1 if isinstance(value, int) else value


# What goes with a choice, in both houses ----------------------------------------------------------

TOLD = {
    "clause": "HOUSE",
    "result": "forfeit",
    "whose": {"is": "giver-and-taker", "clause": "HOUSE"},
}


def beside(sheet: Sheet, path: str, value: Any) -> tuple[Sheet, Sheet]:
    """Two houses that differ in one choice alone, or in what must change with it."""
    other = altered(sheet, path, value)
    return sheet, _THEN[path](other) if path in _THEN else other


def given_something_to_decide(sheet: Sheet, path: str) -> Sheet:
    """The sheet with what it lacks for the choice to matter, for both houses alike."""
    return _WITH[path](sheet) if path in _WITH else sheet


def _listed_otherwise(sheet: Sheet) -> Sheet:
    """Pay tables with a hand that fits two lines, the lower one listed first."""
    if isinstance(sheet, StreetStud):  # A royal flush is a straight flush too.
        return altered(sheet, "main.pays", dict(reversed(sheet.main.pays.items())))
    pays = dict(sheet.side["poker-bonus"].pays)  # A suited pair may be a flush too.
    order = {"suited-pair": "flush", "flush": "suited-pair"}
    listed = {line: pays[line] for line in (order.get(line, line) for line in pays)}
    return altered(sheet, "side.poker-bonus.pays", listed)


def _capped(sheet: Sheet) -> Sheet:
    """A cap of ten dollars on the whole round, for every win; three equal wins do not divide it."""
    low = Counts.model_construct(odds_at_least=odds("1:1"), lines=None)
    cap = Limit.model_construct(
        clause="HOUSE", note=None, per="round", pays_max=Cents(1000), counts=low, departs="ours"
    )
    return sheet.model_copy(update={"limits": (cap,), "uncapped": None})


def _with_offence(sheet: Sheet) -> Sheet:
    if sheet.irregularities.information is not None:
        return sheet
    return altered(sheet, "irregularities.information", Information.model_validate(TOLD))


def _by_machine(sheet: Sheet) -> Sheet:
    return altered(sheet, "deck.shuffle", "automatic")


def _nothing_left(sheet: Sheet) -> Sheet:
    """No side wager outlives a fold, so that nobody needs the board."""
    for wager in sheet.side:
        sheet = altered(sheet, f"side.{wager}.after_fold.plays", False)
    return sheet


def _even(sheet: Sheet) -> Sheet:
    """A game with spots where a bet is worth nothing, so that all bets are worth the same."""
    if isinstance(sheet, StreetStud):  # A low pair before the last card.
        more = {"flush": "9:1", "straight": "8:1", "three-of-a-kind": "7:1", "two-pair": "4:1"}
        pays = {**sheet.main.pays, "full-house": odds("10:1")}
        pays |= {line: odds(pay) for line, pay in more.items()}
        return altered(altered(sheet, "main.pays", pays), "main.prose", None)
    flat = dict.fromkeys(sheet.points.values, 0)
    sheet = altered(altered(sheet, "points.values", flat), "points.in_high_hand", {})
    return altered(sheet, "main.ties", "push")


def _no_board_wager(sheet: Sheet) -> Sheet:
    """Without wagers on the board, which may then have another number of cards."""
    side = {name: one for name, one in sheet.side.items() if one.looks_at != "community"}
    assert isinstance(sheet, StreetStud)
    tucks = sheet.fold and sheet.fold.tucks_under
    if tucks:
        kept = tuple(one for one in tucks.value if one in side)
        sheet = altered(sheet, "fold.tucks_under", kept)
    groups = (tuple(one for one in group if one in ("main", *side)) for group in _passes(sheet))
    passes = tuple(group for group in groups if group)
    return altered(altered(sheet, "side", side), "settlement.passes", passes)


def _passes(sheet: Sheet) -> tuple[tuple[str, ...], ...]:
    return sheet.settlement.passes


# What a sheet needs before the choice has something to decide, where it has nothing as it stands.
_WITH: dict[str, Callable[[Sheet], Sheet]] = {
    "payouts.several_lines": _listed_otherwise,
    "payouts.share_ties": _capped,
    "irregularities.misdeal_over_offence": _with_offence,
    "deck.fallback": _by_machine,
    "fold.board_when_all_fold": _nothing_left,
    "best_play.ties": _even,
    "deal.hole": _no_board_wager,
}


def _five_cards(sheet: Sheet) -> Sheet:
    """Hole cards and community cards make five together: the last street turns the rest."""
    assert isinstance(sheet, StreetStud)
    last = len(sheet.streets) - 1
    left = sheet.streets[last].reveals.value + 5 - sheet.deal.hole.value - sheet.community
    return altered(sheet, f"streets.{last}.reveals", left)


def _turned_elsewhere(number: int) -> Callable[[Sheet], Sheet]:
    """What one street turns more, another one turns less."""

    def made(sheet: Sheet) -> Sheet:
        assert isinstance(sheet, StreetStud)
        other = (number + 1) % len(sheet.streets)
        left = sheet.streets[other].reveals.value + 5 - sheet.deal.hole.value - sheet.community
        return altered(sheet, f"streets.{other}.reveals", left)

    return made


def _cut(sheet: Sheet) -> Sheet:
    return altered(sheet, "deck.cut_card", 20)


# What must change with a choice, for the sheet to be sound.
_THEN: dict[str, Callable[[Sheet], Sheet]] = {
    "deal.hole": _five_cards,
    "deck.fresh": _cut,
    **{f"streets.{number}.reveals": _turned_elsewhere(number) for number in range(6)},
}


# What anybody can see of a house ------------------------------------------------------------------

Seen = list[Any]
PROSE = (
    *("told", "title", "titles", "words", "outcome_title", "stage_title", "message", "notes"),
    *("hash", "sheet", "why", "rules"),
)
VIEWERS = (
    Viewer("ann", "player"),
    Viewer("bob", "player"),
    Viewer("eve", "spectator"),
    Viewer("sue", "supervisor"),
)


def first_difference(one: Sheet, other: Sheet) -> str | None:
    """The scene in which two houses are seen to differ; None where nobody can tell them apart."""
    for scene, looked in SCENES.items():
        before = _bundled(scene, one.id) if one is load(one.id) else looked(one)
        if before != looked(other):
            return scene
    return None


@cache
def _bundled(scene: str, name: str) -> Seen:
    return SCENES[scene](load(name))


def bare(document: Any) -> Any:
    """A document without its prose, and refusals by their clause."""
    if isinstance(document, dict):
        return {key: bare(value) for key, value in document.items() if key not in PROSE}
    return [bare(one) for one in document] if isinstance(document, list | tuple) else document


class Watched:
    """A live table whose every step is looked at from all sides."""

    def __init__(self, sheet: Sheet, cards: str = "", kind: str = "house") -> None:
        self.live = Live(sheet, kind)
        self.live.luck.top = top(cards)
        self.seen: Seen = []
        self.main = self.state.game.main[0]

    @property
    def state(self) -> TableState:
        return self.live.state

    def ask(self, by: By | str, *commands: Command) -> Watched:
        for command in commands:
            answer = self.live.ask(by, command)
            if isinstance(answer, Refusal):
                self.seen.append((answer.code, answer.clause))
            else:
                self.live.take(answer)
                self.look()
        return self

    def look(self) -> None:
        wallet = self.live.luck.wallet
        self.seen += [bare(view(self.state, one, wallet)) for one in VIEWERS]

    def seated(self, *players: str, amount: int | None = None, sides: bool = False) -> Watched:
        """These players at seats 1, 2, ... with their wagers; the cards are dealt."""
        sheet = self.state.game.sheet
        for number, player in enumerate(players, start=1):
            if not self.live.luck.wallet(player):
                self.live.buy_in(player, "100000")
            self.ask(player, Sit(number), PutWager(number, self.main, stake(sheet, amount)))
            for wager, side in sheet.side.items():
                if sides or side.stake.required:
                    self.ask(player, PutWager(number, wager, side.stake.min))
        return self.ask(DEALER, CloseBetting())

    def play(self, seat: int, which: int) -> Watched:
        """The first, second, ... play that the sheet knows at this stage."""
        if self.state.round is None or seat not in self.state.round.waiting:
            return self
        plays = self.state.game.plays(self.state.round.stage)
        return self.ask(self.state.seats[seat], Decide(seat, plays[which]))

    def to_the_end(self) -> Watched:
        for _ in range(24):
            if self.state.round is None or not self.state.round.waiting:
                break
            self.play(self.state.round.waiting[0], 1)
        return self


def stake(sheet: Sheet, amount: int | None) -> Cents:
    rule = sheet.main_wager
    return rule.max if amount == -1 else rule.min if amount is None else cents(amount)


def _spots(sheet: Sheet) -> Seen:
    """Ann wants one seat after another, the last one first."""
    table = Watched(sheet)
    table.live.buy_in("ann", "1000")
    for number in (1, sheet.seats.count, 2, 3):
        table.ask("ann", Sit(number), PutWager(number, table.main, sheet.main_wager.min))
    table.ask(DEALER, CloseBetting())
    return table.seen


def _two_hands(sheet: Sheet) -> Seen:
    """Ann has two seats side by side, as far as she may; she plays the second first."""
    table = Watched(sheet)
    table.live.buy_in("ann", "1000")
    for number in (1, 2):
        table.ask("ann", Sit(number), PutWager(number, table.main, sheet.main_wager.min))
    table.ask(DEALER, CloseBetting()).play(2, 1).play(1, 1).play(2, 1)
    return table.seen


def _folded(sheet: Sheet) -> Seen:
    """Bob folds, with every side wager made, and Ann plays on to the end."""
    table = Watched(sheet).seated("ann", "bob", sides=True)
    return table.play(2, 0).to_the_end().seen


def _all_fold(sheet: Sheet) -> Seen:
    return Watched(sheet).seated("ann", "bob").play(1, 0).play(2, 0).seen


def _absent(sheet: Sheet) -> Seen:
    """The clock runs out, for a hand of 13 points and one of 14."""
    seen: Seen = []
    for cards in ("6c 7d Kh", "6c 8d Kh"):
        table = Watched(sheet, cards).seated("ann")
        table.live.later(60)
        seen += table.ask(CLOCK, Tick()).seen
    return seen


def _shuffler(sheet: Sheet) -> Seen:
    return Watched(sheet).ask(DEALER, ShufflerFailed()).seated("ann").seen


def _two_rounds(sheet: Sheet) -> Seen:
    table = Watched(sheet)
    for _ in range(2):
        table.seated("ann").to_the_end()
    return table.seen


def _at_most(sheet: Sheet) -> Seen:
    """The largest wager, and everything that can be put on top of it."""
    table = Watched(sheet).seated("ann", amount=-1)
    return table.play(1, -1).seen


def _cut_short(sheet: Sheet) -> Seen:
    table = Watched(sheet).seated("ann", "bob")
    return table.ask(SUPERVISOR, Interrupt("dark")).ask("bob", Agree(2, finish=False)).seen


def _exposed(sheet: Sheet) -> Seen:
    """Where a person deals, a hand may be shown before its owner has seen it."""
    table = Watched(sheet, kind="typed").seated("ann", "bob")
    return table.ask(DEALER, ExposeCard(1, card("As"))).seen


def _mishap(*commands: Command) -> Callable[[Sheet], Seen]:
    def looked(sheet: Sheet) -> Seen:
        table = Watched(sheet).seated("ann", "bob")
        return table.ask(SUPERVISOR, *commands).to_the_end().seen

    return looked


# Rounds with known cards: a wheel, a straight flush, ties, caps that end in a cent.
BOARDS = {
    "street-stud": ("3h 4s 5c", "Qs Js Ts", "2h 4s Tc"),
    "hi-lo": ("2c 2d 3h Jc Kd", "Ac Ad Kh Qs 9c", "4c 5d 6h 9s Tc"),
}
HANDS = {
    "street-stud": ("Ac 2d", "As Ks", "Jc Jd", "9s 8s"),
    "hi-lo": ("Ac 2d 3h", "2s 3s 4s", "5c 5d 5h", "9c 9c 9c", "Kc 4d 5h", "2s 2s 9s"),
}


def _settled(sheet: Sheet) -> Seen:
    """Every hand against every board, at small and at large stakes."""
    seen: Seen = []
    for on_board in BOARDS[sheet.family]:
        for held in HANDS[sheet.family]:
            for most in (False, True):
                seen.append(_played(sheet, on_board, (held,), most=most))
    return seen


def _shared(sheet: Sheet) -> Seen:
    """Three hands that are due the same."""
    if sheet.family == "hi-lo":
        return [_played(sheet, "2d 2h 2s 3c 3h", ("2s 2c 3d",) * 3, most=True)]
    return [_played(sheet, "Js Jd 4h", ("2c 3c", "2d 3d", "2h 3h"), most=True)]


def _played(sheet: Sheet, on_board: str, hands: tuple[str, ...], *, most: bool) -> Any:
    def amount(rule: Any) -> str:
        return str((rule.max if most else rule.min) // 100)

    wagers = {"bet" if sheet.family == "hi-lo" else "ante": amount(sheet.main_wager)}
    wagers |= {wager: amount(side.stake) for wager, side in sheet.side.items()}
    plays = ("low", "high") if sheet.family == "hi-lo" else ("1x 1x 1x",)
    found = []
    for play in plays:
        seats = [
            seat(number, held, play) | {"wagers": wagers} for number, held in enumerate(hands, 1)
        ]
        try:
            found.append(bare(report(played(sheet, on_board, *seats))))
        except RoundError as error:
            found.append(type(error).__name__)
    return found


def _sums(sheet: Sheet) -> Seen:
    figures = mathematics(sheet)
    del figures["assumptions"]["ties"]  # A word for the choice itself.
    return [bare(figures)]


SCENES: dict[str, Callable[[Sheet], Seen]] = {
    "spots": _spots,
    "two hands": _two_hands,
    "folded": _folded,
    "all fold": _all_fold,
    "absent": _absent,
    "shuffler": _shuffler,
    "two rounds": _two_rounds,
    "at most": _at_most,
    "cut short": _cut_short,
    "early card": _mishap(ExposeCard(BOARD)),
    "exposed": _exposed,
    "off the table": _mishap(Warn(1, "a telephone")),
    "gave": _mishap(VoidHand(1, "information", part="gave")),
    "took": _mishap(VoidHand(1, "information", part="took")),
    "offence, then misdeal": _mishap(
        VoidHand(1, "information", part="gave"), Misdeal("boxed card")
    ),
    "settled": _settled,
    "shared": _shared,
    "figures": _sums,
}
