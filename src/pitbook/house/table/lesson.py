"""How to play: a lesson in five steps, with an example round and a glossary."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from typing_extensions import TypedDict

from pitbook.house.table.apply_facts import replay
from pitbook.house.table.commands import By, CloseBetting, Command, Decide, Envelope, PutWager, Sit
from pitbook.house.table.decide import decide, opening_facts
from pitbook.house.table.environment import LiveEnv
from pitbook.house.table.state import TableState
from pitbook.house.table.view_types import Layout
from pitbook.house.table.views import render_layout
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.felt import Circle, felt
from pitbook.rules.game import Duel, Game, Stage, compile_game
from pitbook.rules.refusals import Refusal
from pitbook.sheets.display_documents import pay_tables
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.shoe.crypto import SECRET_BYTES, Vault
from pitbook.text import Sentence, say

DEALER = "dealer"


class LessonChoice(TypedDict):
    """A play at the first decision and its meaning."""

    play: str
    title: str
    means: str


class LessonStep(TypedDict):
    """One step: its text, the layout, and the highlighted wagers and places."""

    id: str
    title: str
    told: list[str]
    choices: list[LessonChoice]
    wagers: list[str]
    places: list[str]
    own: bool
    view: Layout


class Lesson(TypedDict):
    """A lesson about a game; the cards are an example, the same for everyone."""

    sheet: str
    title: str
    hash: str
    seat: int
    steps: list[LessonStep]


class Example(NamedTuple):
    """The table after the bets, at each decision, and after the round."""

    bet: TableState
    decisions: tuple[TableState, ...]
    over: TableState

    @property
    def net(self) -> int:
        """The round's result in cents."""
        round = self.over.round
        assert round is not None
        return sum(settlement.net for settlement in round.settlements)


class _LessonParts(NamedTuple):
    """A game, its example, and the circles on its layout."""

    game: Game
    example: Example
    circles: tuple[Circle, ...]


def build_lesson(sheet: Sheet) -> Lesson:
    """A lesson in five steps: bet, cards, decision, later decisions, payouts."""
    game = compile_game(sheet)
    parts = _LessonParts(game, play_example(sheet), felt(game).circles)
    steps = [
        _bet_step(parts),
        _cards_step(parts),
        _decide_step(parts),
        _then_step(parts),
        _paid_step(parts),
    ]
    identity = {"sheet": sheet.id, "title": sheet.title, "hash": digest(sheet)}
    return {**identity, "seat": SEAT, "steps": steps}  # type: ignore[typeddict-item]


def _step(
    name: str,
    title: Sentence,
    sentences: Iterator[Sentence],
    state: TableState,
    *,
    choices: list[LessonChoice] | None = None,
    wagers: tuple[str, ...] = (),
    places: tuple[str, ...] = (),
    is_own_hand: bool = False,
) -> LessonStep:
    return {
        "id": name,
        "title": title,
        "told": list(sentences),
        "choices": choices or [],
        "wagers": list(wagers),
        "places": list(places),
        "own": is_own_hand,
        "view": render_layout(state, Viewer(PLAYER, "player")),
    }


def _bet_step(parts: _LessonParts) -> LessonStep:
    required = tuple(circle.wager for circle in parts.circles if circle.required)
    title = say("lesson.bet.title")
    return _step("bet", title, _bet_text(parts), parts.example.bet, wagers=required)


def _bet_text(parts: _LessonParts) -> Iterator[Sentence]:
    yield say("lesson.bet.dealer" if _has_dealer(parts.game) else "lesson.bet.table")
    main = next(circle for circle in parts.circles if circle.limits and circle.kind == "main")
    stake = parts.game.sheet.main_wager
    yield say("lesson.bet.main", wager=main.title, least=stake.min, most=stake.max)
    equal_wagers = _titles(parts, lambda circle: circle.equals is not None)
    if equal_wagers:
        yield say("lesson.bet.along", wagers=equal_wagers, count=len(equal_wagers), main=main.title)
    required = _titles(parts, lambda circle: circle.kind == "side" and circle.required)
    if required:
        yield say("lesson.bet.required", wagers=required)
    optional = _titles(parts, lambda circle: circle.kind == "side" and not circle.required)
    if optional:
        yield say("lesson.bet.optional", wagers=optional)


def _has_dealer(game: Game) -> bool:
    return game.board_is_a_hand or any(place.id == DEALER for place in game.places)


def _titles(parts: _LessonParts, is_included: Callable[[Circle], bool]) -> tuple[str, ...]:
    return tuple(circle.title for circle in parts.circles if is_included(circle))


def _cards_step(parts: _LessonParts) -> LessonStep:
    groups = tuple(group.place for group in felt(parts.game).groups)
    title, first = say("lesson.cards.title"), _first_decision(parts)
    has_hand = bool(parts.game.hand_size)
    return _step(
        "cards", title, _deal_sentences(parts.game), first, places=groups, is_own_hand=has_hand
    )


def _first_decision(parts: _LessonParts) -> TableState:
    return parts.example.decisions[0] if parts.example.decisions else parts.example.over


def _deal_sentences(game: Game) -> Iterator[Sentence]:
    hand = game.places[0]
    if hand.cards:
        yield say("lesson.cards.own", count=hand.cards - hand.later, open=hand.open)
    else:
        yield say("lesson.cards.none")
    open_counts = next(stage.opens for stage in game.stages if stage.plays)
    for group, place, open_count in zip(
        felt(game).groups, game.places[1:], open_counts[1:], strict=True
    ):
        dealt = place.cards - place.later
        if not dealt:
            yield say("lesson.cards.later", place=group.label)
        elif not open_count:
            yield say("lesson.cards.closed", place=group.label, count=dealt)
        elif open_count < dealt:
            yield say("lesson.cards.partly", place=group.label, count=dealt, open=open_count)
        else:
            yield say("lesson.cards.open", place=group.label, count=dealt)


def _decide_step(parts: _LessonParts) -> LessonStep:
    stage = _decision_stages(parts.game)[0]
    choices: list[LessonChoice] = [
        {"play": play, "title": play.label, "means": _play_meaning(parts, play)}
        for play in stage.plays
    ]
    wagers = tuple(dict.fromkeys(wager for play in stage.plays for wager, _ in play.puts))
    sentences = _decide_text(parts.game, stage)
    title, first = say("lesson.decide.title"), _first_decision(parts)
    return _step(
        "decide", title, sentences, first, choices=choices, wagers=wagers, is_own_hand=True
    )


def _decision_stages(game: Game) -> list[Stage]:
    return [stage for stage in game.stages if stage.plays]


def _decide_text(game: Game, stage: Stage) -> Iterator[Sentence]:
    yield say("lesson.decide.asked", stage=stage.title)
    if stage.when is not None:
        yield say("lesson.decide.sometimes")


def _play_meaning(parts: _LessonParts, play: Play) -> Sentence:
    """The meaning of a play, derived from its effects."""
    game, main = parts.game, parts.game.main[1].title
    if play.folds:
        return _fold_meaning(parts, play)
    if play.declaration and play.puts:
        return say("lesson.play.says-and-bets", times=play.times, main=main)
    if play.declaration:
        return _declare_meaning(game, play.declaration)
    if play.takes:
        return say("lesson.play.takes", wagers=tuple(map(game.wager_title, play.takes)))
    if play.puts:
        wagers = tuple(game.wager_title(wager) for wager, _ in play.puts)
        return say("lesson.play.bets", times=play.times, main=main, wagers=wagers)
    return say("lesson.play.goes-on")


def _fold_meaning(parts: _LessonParts, play: Play) -> Sentence:
    """What folding costs, as the table settles the example's hand."""
    if not parts.example.decisions:
        return say("lesson.play.folds")
    lost, stake = fold_cost(parts.example.decisions[0], play)
    if lost == stake:
        return say("lesson.play.folds")
    return say("lesson.play.folds-part", lost=lost, stake=stake)


def _declare_meaning(game: Game, declaration: str) -> Sentence:
    duel = next((duel for duel in game.duels if duel.name == declaration), None)
    if duel is None:
        return say("lesson.play.says", said=declaration)
    return say("lesson.play.plays-for", low=duel.low)


def _then_step(parts: _LessonParts) -> LessonStep:
    """The last decision if there is more than one, otherwise the end."""
    state = parts.example.decisions[-1] if len(parts.example.decisions) > 1 else parts.example.over
    groups = tuple(group.place for group in felt(parts.game).groups)
    title = say("lesson.then.title")
    return _step("then", title, _then_text(parts.game), state, places=groups)


def _then_text(game: Game) -> Iterator[Sentence]:
    later = _decision_stages(game)[1:]
    if later:
        titles = tuple(stage.title for stage in later)
        yield say("lesson.then.again", stages=titles, once=any(stage.once for stage in later))
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


def _paid_step(parts: _LessonParts) -> LessonStep:
    return _step(
        "paid", say("lesson.paid.title"), _paid_text(parts), parts.example.over, is_own_hand=True
    )


def _paid_text(parts: _LessonParts) -> Iterator[Sentence]:
    main, *sides = pay_tables(parts.game.sheet)
    lines = [line for line in main["lines"] if line["odds"] is not None]
    if lines:
        yield _pays_text(main["title"], lines)
    pushes = tuple(line["title"] for line in main["lines"] if line["odds"] is None)
    if pushes:
        yield say("lesson.paid.push", lines=pushes, count=len(pushes))
    if sides:
        titles = tuple(side["title"] for side in sides)
        yield say("lesson.paid.sides", wagers=titles, count=len(titles))
    net = parts.example.net
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
TRIES = 200  # Enough for a winning hand in every game.
WALLET = Cents(100_000_000)
DAY = datetime(2000, 1, 1, tzinfo=UTC)


def play_example(sheet: Sheet) -> Example:
    """A round with every decision, won by the player if one is found."""
    best: Example | None = None
    for number in range(TRIES):
        example = _play_round(sheet, number)
        if best is None or _example_value(example) > _example_value(best):
            best = example
        if example.net > 0 and len(example.decisions) >= len(example.over.game.stages):
            break
    assert best is not None
    return best


def fold_cost(state: TableState, play: str) -> tuple[Cents, Cents]:
    """What a fold loses of the main wagers, and their total."""
    final = _first_accepted(state, _example_env(0), Decide(SEAT, play))
    assert final.round is not None
    before = state.round.seat(SEAT) if state.round else None
    assert before is not None
    main = dict(before.main)
    (settlement,) = final.round.settlements
    lost = -sum(line.net for line in settlement.lines if line.wager in main)
    return Cents(lost), Cents(sum(main.values()))


def _example_value(example: Example) -> tuple[int, bool]:
    return len(example.decisions), example.net > 0


def _example_env(number: int) -> LiveEnv:
    return LiveEnv(
        Vault(bytes(SECRET_BYTES)),  # Seals nothing: the seed is public.
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
    bet_state, decisions = state, []
    state = _first_accepted(state, env, CloseBetting())
    while state.round is not None and SEAT in state.round.waiting:
        decisions.append(state)
        state = _first_accepted(state, env, *_next_plays(state))
    return Example(bet_state, tuple(decisions), state)


def _required_bets(sheet: Sheet) -> Iterator[PutWager]:
    """The minimum of every required wager."""
    yield PutWager(SEAT, sheet.main_id, sheet.main_wager.min)
    for wager, side in sheet.side.items():
        if side.stake.required:
            yield PutWager(SEAT, wager, side.stake.min)


def _next_plays(state: TableState) -> list[Decide]:
    """Plays in order of preference: continue, cheapest first; check first if a bet ends the
    decisions.
    """
    round = state.round
    assert round is not None
    seat = round.seat(SEAT)
    assert seat is not None
    game, stage = round.game, round.stage
    bets_later = any(later.once for later in game.stages[stage + 1 :])
    plays = [play for play in game.allowed_plays(stage, seat, *round.common) if not play.folds]
    plays.sort(key=lambda play: (bool(play.takes), bool(play.puts) is bets_later, play.times))
    return [Decide(SEAT, play) for play in (*plays, *game.plays(stage))]


def _first_accepted(state: TableState, env: LiveEnv, *commands: Command) -> TableState:
    """The state after the first command that is accepted."""
    by = By(PLAYER, "player")
    answers = (decide(state, Envelope(by, command), env) for command in commands)
    return next(answer.after[-1] for answer in answers if not isinstance(answer, Refusal))


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


class GlossaryTerm(TypedDict):
    """A glossary term; `forms` are its spellings in texts, separated by bars."""

    term: str
    word: str
    forms: str
    means: str


def glossary() -> list[GlossaryTerm]:
    """All terms, in teaching order."""
    return [
        {
            "term": term,
            "word": say("glossary.word", term=term),
            "forms": say("glossary.forms", term=term),
            "means": say("glossary.means", term=term),
        }
        for term in TERMS
    ]
