"""The deal, step by step, in the dealer's order."""

from __future__ import annotations

from collections.abc import Iterator

from pitbook.printing.content import Paragraph
from pitbook.rules.game import Game, Place, Stage
from pitbook.sheets.assumptions import assumed_of_rule, assumed_share, share_of_clauses
from pitbook.sheets.model import GENERAL_PROCEDURES, Procedure
from pitbook.sheets.prose import RuleText
from pitbook.sheets.provenance import OursShare, combine
from pitbook.text import Sentence, capital, say


def steps(game: Game, rule_texts: list[RuleText]) -> Iterator[Paragraph]:
    """The dealer's steps in a round, in order, each with its clause."""
    yield from _wagers(game)
    yield from _deal(game, rule_texts)
    yield from _stages(game, rule_texts)
    yield from _settling_steps(game)


def _wagers(game: Game) -> Iterator[Paragraph]:
    sheet = game.sheet
    equal_wagers = tuple(game.wager_title(wager) for wager in game.equals)
    single_places = tuple(
        side.title for side in sheet.side.values() if side.stake.alone and side.stake.alone.value
    )
    fields = {
        "along": len(equal_wagers),
        "wagers": equal_wagers,
        "alone": len(single_places),
        "sides": single_places,
    }
    text = say("papers.steps.main", title=sheet.main_wager.title, **fields)
    main = sheet.main_wager
    yield _step("wagers", text, main.clause, assumed=assumed_of_rule(main, "title"))
    for wager, side in sheet.side.items():
        fields = {"title": side.title, "required": side.stake.required}
        text, assumed = say("papers.steps.side", **fields), assumed_of_rule(side.stake, "required")
        yield _step(f"wager {wager}", text, side.stake.clause, assumed=assumed)
    late = _procedure(game, "late_bet")
    clause = late.clause if late else GENERAL_PROCEDURES["late_bet"]
    assumed = assumed_of_rule(late) if late else "all"
    yield _step("closed", say("papers.steps.closed"), clause, assumed=assumed)


def _procedure(game: Game, name: str) -> Procedure | None:
    """A procedure if the sheet states it."""
    procedure: Procedure | None = getattr(game.sheet.procedures, name, None)
    return procedure


def _deal(game: Game, rule_texts: list[RuleText]) -> Iterator[Paragraph]:
    rule, places = game.sheet.deal, {place.id: place for place in game.places[1:]}
    for receiver in rule.order:
        place = game.places[0] if receiver == "players" else places.get(receiver)
        if place is None:
            continue
        text = say(
            "papers.steps.dealt",
            who=receiver,
            cards=place.cards - place.later,
            way=say("words.way", way=rule.direction, plain=rule.direction.replace("-", " ")),
            at_once=(rule.at_a_time or 0) if receiver == "players" else 0,
            open=place.open,
            up=_face_up_cards(game, place),
        )
        yield _step(
            f"deal {receiver}", text, rule.clause, assumed=_dealt_share(rule_texts, receiver)
        )


def _dealt_share(rule_texts: list[RuleText], receiver: str) -> OursShare:
    """How much of a deal's order, direction and card count is our assumption."""
    common_paths = [("deal", "order"), ("deal", "direction")]
    counts = {"players": ("hole", "player", "at_a_time"), "dealer": ("dealer", "up")}
    own_paths = [("deal", name) for name in counts.get(receiver, (receiver,))]
    paths = {*common_paths, *own_paths} if receiver == "players" else {common_paths[0], *own_paths}
    return combine(
        assumed_share(rule_text) for rule_text in rule_texts if paths & {*rule_text.paths}
    )


def _face_up_cards(game: Game, place: Place) -> int:
    """Common cards that are face up from the first decision on."""
    return game.stages[0].opens[game.places.index(place)] if place is not game.places[0] else 0


def _stages(game: Game, rule_texts: list[RuleText]) -> Iterator[Paragraph]:
    last = _as_dealt(game)
    for stage in game.stages:
        yield from _turn_steps(game, last, stage.opens, f"before {stage.id}")
        last = stage
        if stage.plays:
            yield _decision(game, stage, rule_texts)
    card_counts = tuple(place.cards for place in game.places)
    yield from _turn_steps(game, last, card_counts, "last")
    yield from _arranging_steps(game, rule_texts)


def _as_dealt(game: Game) -> Stage:
    """The first decision with only the cards that were dealt face up, none of the board's."""
    first = game.stages[0]
    piles = zip(game.places, first.opens, strict=True)
    opens = tuple(0 if place.id == "community" else opened for place, opened in piles)
    return first._replace(opens=opens, plays=())


def choices(game: Game, stage: Stage, rule_texts: list[RuleText]) -> tuple[str, ...]:
    """What a player chooses between at a decision: short, or as sentences if it is declared."""
    stage_rules, named = _stage_rules(game, stage, rule_texts)
    if stage_rules and not named:
        return tuple(
            say("papers.sentence", text=capital(rule_text.sentence)) for rule_text in stage_rules
        )
    rules = tuple(rule_text.decides or rule_text.short for rule_text in stage_rules)
    return rules or tuple(play.label for play in stage.plays)


def guest_choices(game: Game, stage: Stage, rule_texts: list[RuleText]) -> tuple[str, ...]:
    """What a guest chooses between at a decision; as sentences if it is declared."""
    stage_rules, named = _stage_rules(game, stage, rule_texts)
    if stage_rules and not named:
        return tuple(map(guest_sentence, stage_rules))
    return tuple(rule_text.guest for rule_text in stage_rules) or choices(game, stage, rule_texts)


def guest_sentence(rule_text: RuleText) -> Sentence:
    """A rule as a guest reads it."""
    return say("papers.sentence", text=capital(rule_text.guest or rule_text.sentence))


def _stage_rules(
    game: Game, stage: Stage, rule_texts: list[RuleText]
) -> tuple[list[RuleText], bool]:
    """The rules of a decision, and whether they name it."""
    named = [rule_text for rule_text in rule_texts if rule_text.key.endswith(f" {stage.id}")]
    about = [
        rule_text
        for rule_text in rule_texts
        if rule_text.label is not None and _is_of(rule_text, stage)
    ]
    stage_rules = named or [
        rule_text for rule_text in about if game.absent_clause not in rule_text.clauses
    ]
    return stage_rules, bool(named)


def _decision(game: Game, stage: Stage, rule_texts: list[RuleText]) -> Paragraph:
    """What each player may do, in the words of the rules."""
    stage_rules, named = _stage_rules(game, stage, rule_texts)
    rules = choices(game, stage, rule_texts)
    clauses = dict.fromkeys(
        [stage.clause, *(clause for rule_text in stage_rules for clause in rule_text.clauses)]
    )
    title, fields = capital(stage.title), {"once": stage.once, "tied": stage.when is not None}
    text = say("papers.steps.decision", title=title, rules=rules, **fields)
    if stage_rules and not named:
        text = say("papers.steps.declared", title=title, rules=rules)
    assumed = (
        combine(map(assumed_share, stage_rules))
        if stage_rules
        else share_of_clauses(game.sheet, clauses)
    )
    return Paragraph(text, f"step {stage.id}", tuple(clauses), kind="step", assumed=assumed)


def _is_of(rule_text: RuleText, stage: Stage) -> bool:
    wagers = {wager for play in stage.plays for wager, _ in play.puts}
    return any(path and path[0] in (stage.id, *wagers) for path in rule_text.paths)


def _arranging_steps(game: Game, rule_texts: list[RuleText]) -> Iterator[Paragraph]:
    """How the dealer arranges the dealer's own cards, in the words of the rules."""
    for place in game.places[1:]:
        place_rules = [
            rule_text
            for rule_text in rule_texts
            if any(path and path[0] == place.id for path in rule_text.paths)
        ]
        for rule_text in place_rules:
            text = say("papers.sentence", text=capital(rule_text.sentence))
            yield Paragraph(
                text,
                f"step {rule_text.key}",
                rule_text.clauses,
                rule_text.notes,
                kind="step",
                assumed=assumed_share(rule_text),
            )


def _turn_steps(game: Game, last: Stage, after: tuple[int, ...], key: str) -> Iterator[Paragraph]:
    """Cards that are turned face up between two decisions."""
    when = "after" if last.plays else "first"
    for place, before, opened_now in zip(game.places, last.opens, after, strict=True):
        fields = {
            "cards": opened_now - before,
            "place": place.id,
            "every": before == 0 and opened_now == place.cards,
        }
        if opened_now > before and place.later:
            receiver = "players" if place is game.places[0] else place.id
            text = say(
                "papers.steps.more", cards=opened_now - before, who=receiver, open=place.open
            )
            yield _turn_step(game, f"more {place.id} {key}", text, last)
        elif opened_now > before and place is not game.places[0]:
            text = say("papers.steps.turn", **fields, when=when)
            yield _turn_step(game, f"turn {place.id} {key}", text, last)
            when = "next"


def _turn_step(game: Game, key: str, text: str, last: Stage) -> Paragraph:
    clause = last.turned or last.clause
    return _step(key, text, clause, assumed=share_of_clauses(game.sheet, [clause]))


def _settling_steps(game: Game) -> Iterator[Paragraph]:
    rule, opened = game.sheet.settlement, False
    for number, wagers in enumerate(rule.passes):
        main = "main" in wagers
        opened |= main
        titles = tuple(_title(game, wager) for wager in wagers)
        way = say("words.way", way=rule.direction, plain=rule.direction.replace("-", " "))
        fields = {
            "way": way,
            "wagers": titles,
            "several": len(titles) > 1,
            "main": main,
            "open": game.places[0].open,
            "before": not opened,
            "folded": any(_survives_fold(game, wager) for wager in wagers),
            "given": next(_given_up(game), "fold"),
        }
        clauses = dict.fromkeys((rule.clause, *(_clause(game, wager) for wager in wagers)))
        text = say("papers.steps.settle", **fields)
        assumed = assumed_of_rule(rule, "direction", "passes")
        yield _step(f"settle {number + 1}", text, *clauses, assumed=assumed)
    yield _collecting_step(game)


def _collecting_step(game: Game) -> Paragraph:
    """Where settled cards go: as the sheet states, or by assumption."""
    if stated := _procedure(game, "discard"):
        text = say("papers.rules.procedure-steps", steps=stated.steps)
        return _step("collect", text, stated.clause, assumed=assumed_of_rule(stated))
    equipment = game.sheet.equipment
    rack = equipment is None or equipment.discard_rack
    text = say("papers.steps.collect", rack=rack)
    return _step("collect", text, game.sheet.settlement.clause, assumed="all")


def _survives_fold(game: Game, wager: str) -> bool:
    """Whether the wager stays in action after its hand is given up."""
    survives = any(
        game_wager.survives for game_wager in game.wager_rules if game_wager.wager == wager
    )
    return wager != "main" and survives and any(_given_up(game))


def _given_up(game: Game) -> Iterator[str]:
    return (str(play) for stage in game.stages for play in stage.plays if play.folds)


def _title(game: Game, wager: str) -> Sentence:
    if wager == "main":
        return say("aloud.limits.main-wagers")
    return say("aloud.limits.side-wager", title=game.sheet.side[wager].title)


def _clause(game: Game, wager: str) -> str:
    """The clause that states what a wager pays."""
    return (game.sheet.main if wager == "main" else game.sheet.side[wager]).clause


def _step(key: str, text: str, *clauses: str, assumed: OursShare) -> Paragraph:
    return Paragraph(text, f"step {key}", clauses, kind="step", assumed=assumed)
