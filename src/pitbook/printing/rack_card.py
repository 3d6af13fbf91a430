"""The rack card for guests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pitbook.printing.content import Block, Paper, Paragraph, Section, Table
from pitbook.printing.deal_steps import guest_choices, guest_sentence
from pitbook.printing.dealer_card import counts_cards, side_counting
from pitbook.printing.definitions import hands
from pitbook.printing.numbers import GUEST_DIGITS, percent
from pitbook.printing.page_texts import identity
from pitbook.printing.pay_tables import main_settlement, pay_tables_of
from pitbook.printing.report import limits_apply, player_advantage_note
from pitbook.printing.report_figures import AnteEdge, StepCallback, report_figures
from pitbook.printing.rules import OBJECT
from pitbook.printing.sign import limits_table, posted_caps, single_bet_limits
from pitbook.printing.strategy_blocks import points_table, starting_grid
from pitbook.printing.strategy_words import first_decision
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import RuleText, rule_texts
from pitbook.text import Sentence, capital, say

LINE_LETTERS = 36  # On a panel.
COLUMNS = 3  # Of the table of limits: wager, minimum, maximum.


def rack_card(sheet: Sheet, on_step: StepCallback = lambda _: None) -> Paper:
    """Back, front, and both panels inside; a section whose key ends with "/" opens a panel."""
    game = compile_game(sheet)
    texts = list(rule_texts(sheet))
    side_rules = tuple(_for_guest(rule, texts) for rule in side_counting(game, texts))
    tables = tuple(replace(table, notes=(), clauses=()) for table in pay_tables_of(sheet).tables)
    settled = tuple(_for_guest(rule, texts) for rule in main_settlement(sheet, texts))
    parts = report_figures(sheet, on_step).strategy
    *back, care = _back_blocks(sheet, on_step)
    left: list[Block] = [*tables[:1], *settled]
    right: list[Block] = [*tables[1:], *side_rules]
    # The longer of the two first, each on the panel with the most room.
    extras = [
        ([*_play(sheet, parts)], (left, right, back)),
        ([*_hands(game, texts)], (left, right, back)),
    ]
    for blocks, panels in sorted(extras, key=lambda extra: -_estimate_lines(extra[0])):
        min(panels, key=_estimate_lines).extend(blocks)
    back.append(care)
    side_title = say("papers.rack.side") if tables[1:] else ""
    sections = (
        Section("", tuple(back), "back/"),
        Section(say("papers.rack.how"), tuple(_five_steps(game, texts)), "front/"),
        Section(say("papers.rack.pays"), tuple(left), "left/"),
        Section(side_title, tuple(right), "right/"),
    )
    title = say("papers.rack.title")
    return Paper("rack-card", title, (), identity(sheet, "rack-card"), sections, "rack")


def _for_guest(paragraph: Paragraph, texts: list[RuleText]) -> Paragraph:
    """A rule's paragraph in a guest's words, if it has any, and without clauses."""
    worded = [text for text in texts if text.key == paragraph.key and text.guest]
    sentence = guest_sentence(worded[0]) if worded else paragraph.text
    return replace(paragraph, text=sentence, clauses=())


def _estimate_lines(blocks: list[Block]) -> int:
    """About how many lines the blocks take on a panel."""
    tables = [block for block in blocks if isinstance(block, Table)]
    texts = [block.text for block in blocks if isinstance(block, Paragraph)]
    cells = ["".join(row) for table in tables for row in table.rows]
    return 2 * len(tables) + sum(1 + len(text) // LINE_LETTERS for text in (*cells, *texts))


def _hands(game: Game, texts: list[RuleText]) -> Iterator[Block]:
    """What the hands of the pay tables are made of."""
    for block in hands(game, texts):
        yield replace(block, clauses=()) if isinstance(block, Paragraph | Table) else block


def _back_blocks(sheet: Sheet, on_step: StepCallback) -> Iterator[Block]:
    limits = limits_table(sheet)
    rows = tuple(row[:COLUMNS] for row in limits.rows)
    head, align = limits.head[:COLUMNS], limits.align[:COLUMNS]
    yield replace(limits, head=head, rows=rows, align=align, clauses=())
    for rule in (*single_bet_limits(sheet), *posted_caps(sheet)):
        yield replace(rule, clauses=())
    yield from _house(sheet, on_step)


def _five_steps(game: Game, texts: list[RuleText]) -> Iterator[Paragraph]:
    """How a guest plays a round: bet, look at the cards, decide, compare, collect."""
    sides_kept_after_fold = tuple(
        game.sheet.side[wager.wager].title
        for wager in game.wager_rules
        if wager.survives and wager.wager != "main"
    )
    given_up = {str(play) for stage in game.stages for play in stage.plays if play.folds}
    steps = {
        "bet": _bet(game),
        "cards": _cards(game),
        "decide": _decide(game, texts),
        "compare": _compare_text(game, texts),
        "collect": say(
            "papers.rack.collect",
            given=next(iter(given_up), "none"),
            kept=sides_kept_after_fold,
            sides=len(sides_kept_after_fold) if given_up else 0,
        ),
    }
    for number, (step, text) in enumerate(steps.items(), start=1):
        lead = say("papers.rack.step", number=number, step=step)
        yield Paragraph(text, f"step {step}", kind="step", lead=lead)


def _bet(game: Game) -> Sentence:
    sheet = game.sheet
    required = [side.title for side in sheet.side.values() if side.stake.required]
    optional = [side.title for side in sheet.side.values() if not side.stake.required]
    equals = tuple(map(game.wager_title, game.equals))
    return say(
        "papers.rack.bet",
        title=sheet.main_wager.title,
        along=len(equals),
        wagers=equals,
        more=len(required),
        required=tuple(required),
        sides=len(optional),
        optional=tuple(optional),
    )


def _cards(game: Game) -> Sentence:
    counts = {place.id: place.cards - place.later for place in game.places}
    return say(
        "papers.rack.cards",
        cards=counts[game.places[0].id],
        board=counts.get("community", 0),
        dealer=counts.get("dealer", 0),
    )


def _decide(game: Game, texts: list[RuleText]) -> Sentence:
    """The decisions; those with the same choices together."""
    titles: dict[tuple[str, ...], list[str]] = {}
    for stage in game.stages:
        if stage.plays:
            titles.setdefault(guest_choices(game, stage, texts), []).append(str(stage.title))
    decisions = tuple(
        say("papers.rack.declared", choices=rules)
        if getattr(rules[0], "key", "") == "papers.sentence"
        else say("papers.rack.decision", titles=tuple(map(capital, names)), choices=rules)
        for rules, names in titles.items()
    )
    return say("papers.rack.decide", decisions=decisions)


def _compare_text(game: Game, texts: list[RuleText]) -> Sentence:
    """The object of the game, and how hands are made and ranked."""
    order = {key: index for index, key in enumerate(OBJECT)}
    card_texts = [text for text in texts if text.key in order or counts_cards(text, game)]
    card_texts.sort(key=lambda text: order.get(text.key, len(order)))
    return say("papers.rack.compare", rules=tuple(map(guest_sentence, card_texts)))


def _play(sheet: Sheet, parts: Sequence[dict[str, Any]]) -> Iterator[Block]:
    """The first decision in words or as a grid of starting hands, or the play by points."""
    if parts and parts[0]["kind"] == "grid":
        title = say("papers.rack.best", title=parts[0]["title"])
        words = tuple(first_decision(sheet, {**parts[0], "title": title}))
        yield from words or (starting_grid(parts[0], "grid", title),)
    for index, part in enumerate(parts):
        if part["kind"] == "points":
            yield points_table(part, f"part {index}", say("papers.rack.best", title=part["title"]))


def _house(sheet: Sheet, on_step: StepCallback) -> Iterator[Block]:
    report = report_figures(sheet, on_step)
    titles = {name: side.title for name, side in sheet.side.items()}
    titles["main"] = sheet.main_wager.title
    rows = tuple(
        (titles[wager], percent(figures.house_edge, GUEST_DIGITS))
        for wager, figures in report.wagers.items()
    )
    yield Table(say("papers.rack.edges"), ("", ""), rows, "lr", "edges")
    yield from player_advantage_note(report)
    if limits_apply(report):
        yield _under_limits(sheet, report.by_ante)
    yield Paragraph(say("papers.rack.play-well"), "care", kind="remark")


def _under_limits(sheet: Sheet, by_ante: Sequence[AnteEdge]) -> Paragraph:
    """The range of the house edge when payouts are limited."""
    first, last = by_ante[0], by_ante[-1]
    text = say(
        "papers.rack.capped",
        title=sheet.main_wager.title,
        least=first.ante,
        most=last.ante,
        low=percent(first.edge, GUEST_DIGITS),
        high=percent(last.edge, GUEST_DIGITS),
    )
    return Paragraph(text, "edges under limits", kind="remark")
