"""The deal in the dealer's order, step by step."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.papers.assumptions import assumed_of_rule, assumed_share, share_of_clauses
from pitbook.papers.content import Paragraph
from pitbook.rules.game import Game, Place, Stage
from pitbook.sheets.parts import GENERAL_PROCEDURES, Procedure
from pitbook.sheets.prose.rule_text import RuleText
from pitbook.sheets.provenance import OursShare, combine
from pitbook.text import Sentence, capital, say


def steps(game: Game, said: list[RuleText]) -> Iterator[Paragraph]:
    """What the dealer does in a round, in order, each with its clause."""
    yield from _wagers(game)
    yield from _deal(game, said)
    yield from _stages(game, said)
    yield from _settling(game)


def _wagers(game: Game) -> Iterator[Paragraph]:
    sheet = game.sheet
    along = tuple(game.wager_title(one) for one in game.equals)
    alone = tuple(
        one.title for one in sheet.side.values() if one.stake.alone and one.stake.alone.value
    )
    told = {"along": len(along), "wagers": along, "alone": len(alone), "sides": alone}
    text = say("papers.steps.main", title=sheet.main_wager.title, **told)
    main = sheet.main_wager
    yield _step("wagers", text, main.clause, assumed=assumed_of_rule(main, "title"))
    for wager, side in sheet.side.items():
        told = {"title": side.title, "required": side.stake.required}
        text, assumed = say("papers.steps.side", **told), assumed_of_rule(side.stake, "required")
        yield _step(f"wager {wager}", text, side.stake.clause, assumed=assumed)
    late = _procedure(game, "late_bet")
    clause = late.clause if late else GENERAL_PROCEDURES["late_bet"]
    assumed = assumed_of_rule(late) if late else "all"
    yield _step("closed", say("papers.steps.closed"), clause, assumed=assumed)


def _procedure(game: Game, name: str) -> Procedure | None:
    """A procedure that the sheet states."""
    procedure: Procedure | None = getattr(game.sheet.procedures, name, None)
    return procedure


def _deal(game: Game, said: list[RuleText]) -> Iterator[Paragraph]:
    rule, places = game.sheet.deal, {one.id: one for one in game.places[1:]}
    for who in rule.order:
        place = game.places[0] if who == "players" else places.get(who)
        if place is None:
            continue
        text = say(
            "papers.steps.dealt",
            who=who,
            cards=place.cards - place.later,
            way=say("words.way", way=rule.direction, plain=rule.direction.replace("-", " ")),
            at_once=(rule.at_a_time or 0) if who == "players" else 0,
            open=place.open,
            up=_up(game, place),
        )
        yield _step(f"deal {who}", text, rule.clause, assumed=_dealt_share(said, who))


def _dealt_share(said: list[RuleText], who: str) -> OursShare:
    """How much is assumed of the order, the direction and the number of cards of a deal."""
    of_all = [("deal", "order"), ("deal", "direction")]
    counts = {"players": ("hole", "player", "at_a_time"), "dealer": ("dealer", "up")}
    own = [("deal", name) for name in counts.get(who, (who,))]
    wanted = {*of_all, *own} if who == "players" else {of_all[0], *own}
    return combine(assumed_share(one) for one in said if wanted & {*one.paths})


def _up(game: Game, place: Place) -> int:
    """Cards in common that lie open from the first decision on."""
    return game.stages[0].opens[game.places.index(place)] if place is not game.places[0] else 0


def _stages(game: Game, said: list[RuleText]) -> Iterator[Paragraph]:
    last = _as_dealt(game)
    for stage in game.stages:
        yield from _turned(game, last, stage.opens, f"before {stage.id}")
        last = stage
        if stage.plays:
            yield _decision(game, stage, said)
    every = tuple(place.cards for place in game.places)
    yield from _turned(game, last, every, "last")
    yield from _arranged(game, said)


def _as_dealt(game: Game) -> Stage:
    """The first decision with only those cards open that were dealt so: none of the board's."""
    first = game.stages[0]
    piles = zip(game.places, first.opens, strict=True)
    opens = tuple(0 if place.id == "community" else was for place, was in piles)
    return first._replace(opens=opens, plays=())


def _decision(game: Game, stage: Stage, said: list[RuleText]) -> Paragraph:
    """What each player may do, in the words of the spoken rules."""
    named = [one for one in said if one.key.endswith(f" {stage.id}")]
    about = [one for one in said if one.label is not None and _is_of(one, stage)]
    own = named or [one for one in about if game.absent_clause not in one.clauses]
    rules = tuple(one.decides or one.short for one in own)
    rules = rules or tuple(play.label for play in stage.plays)
    clauses = dict.fromkeys([stage.clause, *(clause for one in own for clause in one.clauses)])
    title, told = capital(stage.title), {"once": stage.once, "tied": stage.when is not None}
    text = say("papers.steps.decision", title=title, rules=rules, **told)
    if own and not named:
        whole = tuple(say("papers.sentence", text=capital(one.sentence)) for one in own)
        text = say("papers.steps.declared", title=title, rules=whole)
    assumed = combine(map(assumed_share, own)) if own else share_of_clauses(game.sheet, clauses)
    return Paragraph(text, f"step {stage.id}", tuple(clauses), kind="step", assumed=assumed)


def _is_of(one: RuleText, stage: Stage) -> bool:
    wagers = {wager for play in stage.plays for wager, _ in play.puts}
    return any(path and path[0] in (stage.id, *wagers) for path in one.paths)


def _arranged(game: Game, said: list[RuleText]) -> Iterator[Paragraph]:
    """What the dealer does with cards of the dealer's own, in the words of the spoken rules."""
    for place in game.places[1:]:
        own = [one for one in said if any(path and path[0] == place.id for path in one.paths)]
        for one in own:
            text = say("papers.sentence", text=capital(one.sentence))
            yield Paragraph(
                text,
                f"step {one.key}",
                one.clauses,
                one.notes,
                kind="step",
                assumed=assumed_share(one),
            )


def _turned(game: Game, last: Stage, after: tuple[int, ...], key: str) -> Iterator[Paragraph]:
    """Cards that lie open after a decision and did not before it."""
    when = "after" if last.plays else "first"
    for place, was, now in zip(game.places, last.opens, after, strict=True):
        told = {"cards": now - was, "place": place.id, "every": was == 0 and now == place.cards}
        if now > was and place.later:
            who = "players" if place is game.places[0] else place.id
            text = say("papers.steps.more", cards=now - was, who=who, open=place.open)
            yield _turn_step(game, f"more {place.id} {key}", text, last)
        elif now > was and place is not game.places[0]:
            text = say("papers.steps.turn", **told, when=when)
            yield _turn_step(game, f"turn {place.id} {key}", text, last)
            when = "next"


def _turn_step(game: Game, key: str, text: str, last: Stage) -> Paragraph:
    clause = last.turned or last.clause
    return _step(key, text, clause, assumed=share_of_clauses(game.sheet, [clause]))


def _settling(game: Game) -> Iterator[Paragraph]:
    rule, opened = game.sheet.settlement, False
    for number, wagers in enumerate(rule.passes):
        main = "main" in wagers
        opened |= main
        titles = tuple(_title(game, one) for one in wagers)
        way = say("words.way", way=rule.direction, plain=rule.direction.replace("-", " "))
        told = {
            "way": way,
            "wagers": titles,
            "main": main,
            "open": game.places[0].open,
            "before": not opened,
            "folded": any(_outlives(game, one) for one in wagers),
            "given": next(_given_up(game), "fold"),
        }
        clauses = dict.fromkeys((rule.clause, *(_clause(game, wager) for wager in wagers)))
        text = say("papers.steps.settle", **told)
        assumed = assumed_of_rule(rule, "direction", "passes")
        yield _step(f"settle {number + 1}", text, *clauses, assumed=assumed)
    yield _collecting(game)


def _collecting(game: Game) -> Paragraph:
    """Where settled cards go: as the sheet states it, or an assumption."""
    if stated := _procedure(game, "discard"):
        text = say("papers.rules.procedure-steps", steps=stated.steps)
        return _step("collect", text, stated.clause, assumed=assumed_of_rule(stated))
    equipment = game.sheet.equipment
    rack = equipment is None or equipment.discard_rack
    text = say("papers.steps.collect", rack=rack)
    return _step("collect", text, game.sheet.settlement.clause, assumed="all")


def _outlives(game: Game, wager: str) -> bool:
    """Whether a hand can be given up and the wager is in action still."""
    survives = any(one.survives for one in game.asked if one.wager == wager)
    return wager != "main" and survives and any(_given_up(game))


def _given_up(game: Game) -> Iterator[str]:
    return (str(play) for stage in game.stages for play in stage.plays if play.folds)


def _title(game: Game, wager: str) -> Sentence:
    if wager == "main":
        return say("aloud.limits.main-wagers")
    return say("aloud.limits.side-wager", title=game.sheet.side[wager].title)


def _clause(game: Game, wager: str) -> str:
    """The clause of what a wager is paid."""
    return (game.sheet.main if wager == "main" else game.sheet.side[wager]).clause


def _step(key: str, text: str, *clauses: str, assumed: OursShare) -> Paragraph:
    return Paragraph(text, f"step {key}", clauses, kind="step", assumed=assumed)
