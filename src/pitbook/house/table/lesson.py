"""How to play: a lesson in five steps, with an example round and a glossary."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from typing_extensions import TypedDict

from pitbook.house.table.commands import By, CloseBetting, Command, Decide, Envelope, PutWager, Sit
from pitbook.house.table.decide import decide, opening_facts
from pitbook.house.table.env import LiveEnv
from pitbook.house.table.state import TableState, replay
from pitbook.house.table.view_types import Layout
from pitbook.house.table.views import render_layout
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents, dollars
from pitbook.rules.felt import Circle, felt
from pitbook.rules.game import Duel, Game, Stage, compile_game
from pitbook.rules.plays import Play
from pitbook.rules.refusals import Refusal
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.pay_tables import pay_tables
from pitbook.shoe.vault import SECRET_BYTES, Vault
from pitbook.text import Sentence, say

DEALER = "dealer"


class ChoiceTaught(TypedDict):
    """A play at the first decision, and what it means."""

    play: str
    title: str
    means: str


class StepTaught(TypedDict):
    """One step: what is said, the felt as it lies then, and what on it is meant."""

    id: str
    title: str
    told: list[str]
    choices: list[ChoiceTaught]
    wagers: list[str]
    places: list[str]
    own: bool
    view: Layout


class Lesson(TypedDict):
    """A game in a minute; the cards are an example, and the same for everybody."""

    sheet: str
    title: str
    hash: str
    seat: int
    steps: list[StepTaught]


class Example(NamedTuple):
    """The table once the bets lie, at each decision, and when the round is over."""

    bet: TableState
    asked: tuple[TableState, ...]
    over: TableState

    @property
    def net(self) -> int:
        """What the round came to, in cents."""
        round = self.over.round
        assert round is not None
        return sum(one.net for one in round.settlements)


class _LessonParts(NamedTuple):
    """A game, its example and the circles of its felt."""

    game: Game
    played: Example
    circles: tuple[Circle, ...]


def build_lesson(sheet: Sheet) -> Lesson:
    """Five steps: bet, cards, decide, what comes then, and what is paid."""
    game = compile_game(sheet)
    one = _LessonParts(game, play_example(sheet), felt(game).circles)
    steps = [_bet_step(one), _cards_step(one), _decide_step(one), _then_step(one), _paid_step(one)]
    named = {"sheet": sheet.id, "title": sheet.title, "hash": digest(sheet)}
    return {**named, "seat": SEAT, "steps": steps}  # type: ignore[typeddict-item]


def _step(
    name: str,
    title: Sentence,
    told: Iterator[Sentence],
    state: TableState,
    *,
    choices: list[ChoiceTaught] | None = None,
    wagers: tuple[str, ...] = (),
    places: tuple[str, ...] = (),
    own: bool = False,
) -> StepTaught:
    return {
        "id": name,
        "title": title,
        "told": list(told),
        "choices": choices or [],
        "wagers": list(wagers),
        "places": list(places),
        "own": own,
        "view": render_layout(state, Viewer(PLAYER, "player")),
    }


def _bet_step(one: _LessonParts) -> StepTaught:
    must = tuple(circle.wager for circle in one.circles if circle.required)
    title = say("lesson.bet.title")
    return _step("bet", title, _bet_text(one), one.played.bet, wagers=must)


def _bet_text(one: _LessonParts) -> Iterator[Sentence]:
    yield say("lesson.bet.dealer" if _has_dealer(one.game) else "lesson.bet.table")
    main = next(circle for circle in one.circles if circle.limits and circle.kind == "main")
    assert main.limits is not None
    least, most = dollars(main.limits.min), dollars(main.limits.max)
    yield say("lesson.bet.main", wager=main.title, least=least, most=most)
    along = _titles(one, lambda circle: circle.equals is not None)
    if along:
        yield say("lesson.bet.along", wagers=along, count=len(along), main=main.title)
    asked = _titles(one, lambda circle: circle.kind == "side" and circle.required)
    if asked:
        yield say("lesson.bet.required", wagers=asked)
    free = _titles(one, lambda circle: circle.kind == "side" and not circle.required)
    if free:
        yield say("lesson.bet.optional", wagers=free)


def _has_dealer(game: Game) -> bool:
    """Whether the dealer has a hand to beat."""
    return game.board_is_a_hand or any(place.id == DEALER for place in game.places)


def _titles(one: _LessonParts, wanted: Callable[[Circle], bool]) -> tuple[str, ...]:
    return tuple(circle.title for circle in one.circles if wanted(circle))


def _cards_step(one: _LessonParts) -> StepTaught:
    groups = tuple(group.place for group in felt(one.game).groups)
    title, first = say("lesson.cards.title"), _first_decision(one)
    own = bool(one.game.hand_size)
    return _step("cards", title, _cards_text(one.game), first, places=groups, own=own)


def _first_decision(one: _LessonParts) -> TableState:
    return one.played.asked[0] if one.played.asked else one.played.over


def _cards_text(game: Game) -> Iterator[Sentence]:
    hand = game.places[0]
    if hand.cards:
        yield say("lesson.cards.own", count=hand.cards - hand.later, open=hand.open)
    else:
        yield say("lesson.cards.none")
    opens = next(stage.opens for stage in game.stages if stage.plays)
    for group, place, seen in zip(felt(game).groups, game.places[1:], opens[1:], strict=True):
        dealt = place.cards - place.later
        if not dealt:
            yield say("lesson.cards.later", place=group.label)
        elif not seen:
            yield say("lesson.cards.closed", place=group.label, count=dealt)
        elif seen < dealt:
            yield say("lesson.cards.partly", place=group.label, count=dealt, open=seen)
        else:
            yield say("lesson.cards.open", place=group.label, count=dealt)


def _decide_step(one: _LessonParts) -> StepTaught:
    stage = _decision_stages(one.game)[0]
    choices: list[ChoiceTaught] = [
        {"play": play, "title": play.label, "means": _play_meaning(one, play)}
        for play in stage.plays
    ]
    filled = tuple(dict.fromkeys(wager for play in stage.plays for wager, _ in play.puts))
    told = _decide_text(one.game, stage)
    title, first = say("lesson.decide.title"), _first_decision(one)
    return _step("decide", title, told, first, choices=choices, wagers=filled, own=True)


def _decision_stages(game: Game) -> list[Stage]:
    return [stage for stage in game.stages if stage.plays]


def _decide_text(game: Game, stage: Stage) -> Iterator[Sentence]:
    yield say("lesson.decide.asked", stage=stage.title)
    if stage.when is not None:
        yield say("lesson.decide.sometimes")


def _play_meaning(one: _LessonParts, play: Play) -> Sentence:
    """What a play comes to, by its effects alone."""
    game, main = one.game, one.game.main[1].title
    if play.folds:
        return _fold_meaning(one, play)
    if play.said and play.puts:
        return say("lesson.play.says-and-bets", times=play.times, main=main)
    if play.said:
        return _declare_meaning(game, play.said)
    if play.takes:
        return say("lesson.play.takes", wagers=tuple(map(game.wager_title, play.takes)))
    if play.puts:
        wagers = tuple(game.wager_title(wager) for wager, _ in play.puts)
        return say("lesson.play.bets", times=play.times, main=main, wagers=wagers)
    return say("lesson.play.goes-on")


def _fold_meaning(one: _LessonParts, play: Play) -> Sentence:
    """What giving up costs, as the table settles the example's hand."""
    if not one.played.asked:
        return say("lesson.play.folds")
    lost, stake = forfeited(one.played.asked[0], play)
    if lost == stake:
        return say("lesson.play.folds")
    return say("lesson.play.folds-part", lost=lost, stake=stake)


def _declare_meaning(game: Game, word: str) -> Sentence:
    duel = next((duel for duel in game.duels if duel.name == word), None)
    if duel is None:
        return say("lesson.play.says", said=word)
    return say("lesson.play.plays-for", said=word, low=duel.low)


def _then_step(one: _LessonParts) -> StepTaught:
    """The last decision, where there is more than one; else the end."""
    state = one.played.asked[-1] if len(one.played.asked) > 1 else one.played.over
    groups = tuple(group.place for group in felt(one.game).groups)
    title = say("lesson.then.title")
    return _step("then", title, _then_text(one.game), state, places=groups)


def _then_text(game: Game) -> Iterator[Sentence]:
    later = _decision_stages(game)[1:]
    if later:
        titles = tuple(stage.title for stage in later)
        yield say("lesson.then.again", stages=titles, once=any(one.once for one in later))
    yield say("lesson.then.turned")
    if not _has_dealer(game):
        yield say("lesson.then.read")
        return
    yield say("lesson.then.compared")
    yield from _ties_text(game.duels)
    if any(duel.least is not None for duel in game.duels):
        yield say("lesson.then.qualifies")


def _ties_text(duels: tuple[Duel, ...]) -> Iterator[Sentence]:
    kinds = {duel.ties for duel in duels}
    if len(kinds) == 1:
        yield say("lesson.then.ties", ties=kinds.pop())


def _paid_step(one: _LessonParts) -> StepTaught:
    return _step("paid", say("lesson.paid.title"), _paid_text(one), one.played.over, own=True)


def _paid_text(one: _LessonParts) -> Iterator[Sentence]:
    main, *sides = pay_tables(one.game.sheet)
    lines = [line for line in main["lines"] if line["odds"] is not None]
    if lines:
        yield _pays_text(main["title"], lines)
    pushes = tuple(line["title"] for line in main["lines"] if line["odds"] is None)
    if pushes:
        yield say("lesson.paid.push", lines=pushes, count=len(pushes))
    if sides:
        titles = tuple(side["title"] for side in sides)
        yield say("lesson.paid.sides", wagers=titles, count=len(titles))
    net = one.played.net
    yield say("lesson.paid.example", amount=abs(net), way=(net > 0) - (net < 0))


def _pays_text(title: str, lines: list[dict[str, str]]) -> Sentence:
    high, low = lines[0], lines[-1]
    if high["says"] == low["says"]:
        return say("lesson.paid.same", title=title, pays=high["says"])
    ends = {
        "title": title,
        "high": high["title"],
        "high_pays": high["says"],
        "low": low["title"],
        "low_pays": low["says"],
    }
    return say("lesson.paid.main", **ends)


PLAYER, SEAT = "you", 1
TRIES = 200  # By then a hand has won in every game that there is.
WALLET = Cents(100_000_000)
DAY = datetime(2000, 1, 1, tzinfo=UTC)


def play_example(sheet: Sheet) -> Example:
    """A round in which all is asked that can be, and the player wins, where one is found."""
    best: Example | None = None
    for number in range(TRIES):
        found = _play_round(sheet, number)
        if best is None or _example_value(found) > _example_value(best):
            best = found
        if found.net > 0 and len(found.asked) >= len(found.over.game.stages):
            break
    assert best is not None
    return best


def forfeited(state: TableState, play: str) -> tuple[Cents, Cents]:
    """What a hand loses of its main wagers by a play that gives it up, and what they were."""
    over = _first_accepted(state, _example_env(0), Decide(SEAT, play))
    assert over.round is not None
    before = state.round.seat(SEAT) if state.round else None
    assert before is not None
    main = dict(before.main)
    (settled,) = over.round.settlements
    lost = -sum(line.net for line in settled.lines if line.wager in main)
    return Cents(lost), Cents(sum(main.values()))


def _example_value(one: Example) -> tuple[int, bool]:
    return len(one.asked), one.net > 0


def _example_env(number: int) -> LiveEnv:
    return LiveEnv(
        Vault(bytes(SECRET_BYTES)),  # It seals nothing: the seed is a word that anybody knows.
        wallet=lambda _: WALLET,
        now=lambda: DAY,
        kind="seeded",
        seed=f"lesson {number}",
    )


def _play_round(sheet: Sheet, number: int) -> Example:
    env = _example_env(number)
    first = opening_facts(
        table="lesson", kind="practice", unit="play", sheet=sheet, env=env, owner=PLAYER
    )
    state = _first_accepted(replay(first), env, Sit(SEAT))
    for bet in _required_bets(sheet):
        state = _first_accepted(state, env, bet)
    laid, asked = state, []
    state = _first_accepted(state, env, CloseBetting())
    while state.round is not None and SEAT in state.round.waiting:
        asked.append(state)
        state = _first_accepted(state, env, *_next_plays(state))
    return Example(laid, tuple(asked), state)


def _required_bets(sheet: Sheet) -> Iterator[PutWager]:
    """The least of every wager without which nobody is dealt in."""
    yield PutWager(SEAT, sheet.main_id, sheet.main_wager.min)
    for wager, side in sheet.side.items():
        if side.stake.required:
            yield PutWager(SEAT, wager, side.stake.min)


def _next_plays(state: TableState) -> list[Decide]:
    """What goes on, the cheapest bet first; first nothing, where a bet would end the questions."""
    round = state.round
    assert round is not None
    seat = round.seat(SEAT)
    assert seat is not None
    game, stage = round.game, round.stage
    waits = any(one.once for one in game.stages[stage + 1 :])
    found = [play for play in game.may(stage, seat, *round.common) if not play.folds]
    found.sort(key=lambda play: (bool(play.takes), bool(play.puts) is waits, play.times))
    return [Decide(SEAT, play) for play in (*found, *game.plays(stage))]


def _first_accepted(state: TableState, env: LiveEnv, *commands: Command) -> TableState:
    """The table after the first of some commands that it takes."""
    by = By(PLAYER, "player")
    answers = (decide(state, Envelope(by, command), env) for command in commands)
    return next(one.after[-1] for one in answers if not isinstance(one, Refusal))


TERMS = (
    *(
        "ante",
        "bet",
        "side-wager",
    ),
    *(
        "street",
        "fold",
        "check",
    ),
    *(
        "raise",
        "push",
        "odds",
    ),
    *(
        "pay-table",
        "house-edge",
        "element-of-risk",
    ),
    *(
        "hole-cards",
        "community-cards",
        "dealer",
    ),
    *(
        "qualify",
        "pair",
        "two-pair",
    ),
    *(
        "three-of-a-kind",
        "straight",
        "flush",
    ),
    *(
        "full-house",
        "four-of-a-kind",
        "straight-flush",
    ),
    *(
        "royal-flush",
        "shoe",
        "cap",
    ),
    *(
        "round",
        "misdeal",
        "void",
    ),
    *(
        "best-play",
        "given-away",
        "expected",
    ),
    *(
        "luck",
        "clause",
        "commitment",
    ),
    *(
        "seed",
        "spot",
        "war",
    ),
    *(
        "surrender",
        "tie",
    ),
)


class TermTold(TypedDict):
    """A word of the tables; `forms` are the ways it stands in texts, parted by bars."""

    term: str
    word: str
    forms: str
    means: str


def glossary() -> list[TermTold]:
    """Every word, in the order of a first evening."""
    return [
        {
            "term": term,
            "word": say("glossary.word", term=term),
            "forms": say("glossary.forms", term=term),
            "means": say("glossary.means", term=term),
        }
        for term in TERMS
    ]
