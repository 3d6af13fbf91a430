"""The dealer's procedure card: the deal, the payouts and irregularities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pitbook.printing.content import Block, Paper, Paragraph, Section, SmallTables
from pitbook.printing.deal_steps import steps
from pitbook.printing.page_texts import identity
from pitbook.printing.pay_tables import main_settlement, pay_tables_of, unlisted_hands
from pitbook.printing.rules import effective_rules, rule_paragraph, rule_paragraphs, subtitle
from pitbook.printing.sign import posted_caps, single_bet_limits
from pitbook.rules.game import Game, compile_game
from pitbook.rules.settlement_lines import Best
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import RuleText
from pitbook.text import say


def steps_with_counting(
    game: Game, rule_texts: list[RuleText], *, with_layout: bool
) -> list[Paragraph]:
    """The deal, with how hands are counted before settling and, if asked, how they are laid out."""
    counting_rules = [
        rule_text
        for rule_text in rule_texts
        if counts_cards(rule_text, game) or (with_layout and rule_text.key.endswith("_laid"))
    ]
    paragraphs = list(steps(game, rule_texts))
    first_settled = next(
        index for index, step in enumerate(paragraphs) if step.key.startswith("step settle")
    )
    paragraphs[first_settled:first_settled] = [
        rule_paragraph(rule_text, game.sheet) for rule_text in counting_rules
    ]
    return [replace(step, notes=()) for step in paragraphs]


def side_counting(game: Game, rule_texts: Iterable[RuleText]) -> Iterator[Paragraph]:
    """What a side wager counts, if its pay table alone does not say it."""
    for rule_text in rule_texts:
        in_pay_table = (
            rule_text.heading.fields["heading"] == "Pay table" and rule_text.label is not None
        )
        if in_pay_table and rule_text.key.startswith("side."):
            yield replace(rule_paragraph(rule_text, game.sheet), notes=())


def counts_cards(rule_text: RuleText, game: Game) -> bool:
    """Whether a rule says which cards count or make a hand."""
    return rule_text.key.startswith("points.") or (
        rule_text.key == "hands.cards" and _has_best_hand(game)
    )


def _has_best_hand(game: Game) -> bool:
    """Whether a compared hand is the best of more cards than it has."""
    return any(
        isinstance(hand.ranking, Best)
        and sum(game.places[place].cards for place in hand.places) > hand.ranking.cards
        for hand in game.hands
    )


def dealer_card(sheet: Sheet) -> Paper:
    game = compile_game(sheet)
    rule_texts = effective_rules(game)
    sections = [
        Section(
            say("papers.section", part="deal"),
            tuple(steps_with_counting(game, rule_texts, with_layout=True)),
            "deal",
        ),
        Section(say("papers.section", part="pays"), _pays(game, rule_texts), "pays"),
        Section(
            say("papers.section", part="limits"),
            (*single_bet_limits(sheet), *posted_caps(sheet)),
            "caps",
        ),
        _rules_section(
            "fold", sheet, [rule_text for rule_text in rule_texts if _is_under(rule_text, "Fold")]
        ),
        _rules_section(
            "irregularities",
            sheet,
            [rule_text for rule_text in rule_texts if _is_under(rule_text, "Irregularities")],
        ),
    ]
    filled = tuple(section for section in sections if section.blocks)
    title = say("papers.dealer.title")
    return Paper(
        "dealer-card", title, subtitle(game), identity(sheet, "dealer-card"), filled, "card"
    )


def _is_under(rule_text: RuleText, heading: str) -> bool:
    return rule_text.heading.fields["heading"] == heading and rule_text.label is not None


def _rules_section(part: str, sheet: Sheet, rule_texts: list[RuleText]) -> Section:
    """Rules as a section of the card, without notes; those are in the rules paper."""
    blocks = tuple(
        replace(paragraph, notes=())
        for rule_text in rule_texts
        for paragraph in rule_paragraphs(sheet, rule_text)
    )
    return Section(say("papers.section", part=part), blocks, part)


def _pays(game: Game, rule_texts: list[RuleText]) -> tuple[Block, ...]:
    sheet = game.sheet
    tables = tuple(replace(table, notes=()) for table in pay_tables_of(sheet).tables)
    return (
        SmallTables(tables),
        *main_settlement(sheet, rule_texts),
        *side_counting(game, rule_texts),
        *unlisted_hands(game),
    )
