"""Play of a tournament: start, hands, eliminations, interruptions."""

from __future__ import annotations

from pitbook.house.nights.decision_types import TournamentContext
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.facts import Fact, FactsOrRefusal
from pitbook.house.nights.tournament.prizes import (
    elimination_event,
    ensure_prizes_posted,
    finish_events,
    refund_all,
    split_remaining_prizes,
)
from pitbook.house.nights.tournament.schedule import MultiTableCut, TournamentRules
from pitbook.house.nights.tournament.state import (
    Tournament,
    apply,
    require_no_hand,
    require_players_in,
    require_playing,
)
from pitbook.money import CENTS_MAX, Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say
from pitbook.text.english import count_noun


def interrupt(
    tournament: Tournament, command: commands.Interrupt, context: TournamentContext
) -> FactsOrRefusal:
    """Interrupt the tournament; only hands that may be completed continue."""
    reason = command.why.strip() or "beyond control"
    interrupted = facts.Interrupted(tournament.tournament, context.now, reason, tournament.in_hand)
    after = apply(tournament, interrupted)
    return (
        [interrupted]
        if _can_complete_hand(after, context)
        else [interrupted, *end_interrupted(after, context)]
    )


def halt(tournament: Tournament, command: commands.Stopped, _: TournamentContext) -> FactsOrRefusal:
    """Record a server stop. Nothing ends by it; the clock is halted until the floor decides."""
    if set(command.tables) <= set(tournament.interrupted_tables):
        return refuse(
            Code.NOT_NOW, "nights.cut-short.asked-already", tournament=tournament.tournament
        )
    return [facts.Stopped(tournament.tournament, command.at, command.why, command.tables)]


def resume(
    tournament: Tournament, command: commands.GoOn, context: TournamentContext
) -> FactsOrRefusal:
    """Resume play after a server stop."""
    if not tournament.interrupted_tables:
        return refuse(
            Code.NOT_NOW, "nights.cut-short.none-stopped", tournament=tournament.tournament
        )
    return [facts.Resumed(tournament.tournament, context.now, command.through)]


def rule_hand(
    tournament: Tournament, command: commands.RuleHand, context: TournamentContext
) -> FactsOrRefusal:
    """OMS-15: complete a hand if it can be read and every player in it agrees; otherwise it is
    dead.
    """
    table, rule = command.table, context.rules.multi_table
    if tournament.status != "interrupted" or table not in tournament.in_hand:
        fields = {"table": table, "tournament": tournament.tournament}
        return refuse(Code.NOT_NOW, "nights.cut-short.no-hand", **fields)
    if table in tournament.to_complete:
        return refuse(Code.NOT_NOW, "nights.cut-short.being-completed", table=table)
    strangers = [player for player in command.agreed if player not in tournament.tables[table]]
    if strangers:
        player_fields = {"player": strangers[0], "table": table}
        return refuse(Code.UNKNOWN_SEAT, "nights.play.not-at-table", **player_fields)
    is_completed = command.readable and set(tournament.tables[table]) <= set(command.agreed)
    ruling = facts.HandRuled(
        tournament.tournament, table, is_completed, command.readable, command.agreed, rule.clause
    )
    after = apply(tournament, ruling)
    return [ruling] if after.in_hand else [ruling, *end_interrupted(after, context)]


def settle_interruption(
    tournament: Tournament, _: commands.SettleInterruption, context: TournamentContext
) -> FactsOrRefusal:
    """End an interrupted tournament by the rules."""
    if tournament.status != "interrupted":
        return refuse(
            Code.NOT_NOW, "nights.cut-short.not-interrupted", tournament=tournament.tournament
        )
    if _can_complete_hand(tournament, context):
        return refuse(Code.NOT_NOW, "nights.cut-short.neither", table=tournament.in_hand[0])
    return end_interrupted(tournament, context)


def end_interrupted(tournament: Tournament, context: TournamentContext) -> list[Fact]:
    """The facts that end an interrupted tournament; players without chips are eliminated first."""
    broke = tuple(player for player in tournament.still_in if not tournament.players[player].chips)
    if not broke:
        return _end_events(tournament, context)
    elimination = elimination_event(tournament, broke, context)
    return [elimination, *_end_events(apply(tournament, elimination), context)]


def _end_events(tournament: Tournament, context: TournamentContext) -> list[Fact]:
    rules, left = context.rules, len(tournament.still_in)
    hourly = tournament.schedule.kind == "hourly"
    if not tournament.dealt:  # Nobody has lost a chip, so everything is refunded.
        clause = rules.hourly.clause if hourly else rules.refunds.clause
        return [_void_fact(tournament, "interrupted before the first card", clause)]
    if hourly and left > rules.hourly.placed_by_chips_max:
        return [
            _void_fact(
                tournament,
                f"interrupted with {count_noun(left, 'player')} left",
                rules.hourly.clause,
            )
        ]
    if hourly:
        return finish_events(tournament, context, "chip-count", rules.hourly.clause)
    if not left:  # The completed hand was the last one.
        return finish_events(tournament, context, "played", None)
    return _divide_prizes(tournament, context, rules.multi_table)


def _divide_prizes(
    tournament: Tournament, context: TournamentContext, rule: MultiTableCut
) -> list[Fact]:
    """Places already earned keep their prizes; the rest is split by the house's rule."""
    events, tournament = ensure_prizes_posted(tournament, context)
    total_due = sum(player.due for player in tournament.players.values())
    share = split_remaining_prizes(
        tournament, Cents(tournament.prize_money - total_due), rule, context.draw
    )
    left = tuple(tournament.still_in)
    finished_fact = facts.Finished(
        tournament.tournament, "divided", rule.clause, (left,), *share, context.now
    )
    return [*events, finished_fact]


def _void_fact(tournament: Tournament, why: str, clause: str) -> Fact:
    return facts.Voided(tournament.tournament, why, clause, refund_all(tournament), tournament.fees)


def _can_complete_hand(tournament: Tournament, context: TournamentContext) -> bool:
    """Whether a hand may still be completed; in an hourly tournament it is dead at once."""
    is_allowed = (
        tournament.schedule.kind == "multi-table" and context.rules.multi_table.hand != "dead"
    )
    return is_allowed and bool(tournament.in_hand)


def outcome_if_interrupted(tournament: Tournament, rules: TournamentRules) -> Sentence:
    """The effect of an interruption now, for the floor's decision."""
    left = len(tournament.still_in)
    if not tournament.dealt:
        return say("nights.words.all-returns")
    if tournament.schedule.kind == "multi-table":
        hand = bool(tournament.in_hand)
        return say("nights.words.divided", hand=hand, clause=rules.multi_table.clause)
    if left > rules.hourly.placed_by_chips_max:
        return say("nights.words.void", left=left, clause=rules.hourly.clause)
    return say("nights.words.by-chips", left=left, clause=rules.hourly.clause)


PLAYERS_MIN = 2


def start(tournament: Tournament, _: commands.Start, context: TournamentContext) -> FactsOrRefusal:
    """Start play once the cost is announced and everybody has a seat."""
    rule = context.rules.announcement
    if tournament.started:
        return refuse(Code.NOT_NOW, "nights.play.started", tournament=tournament.tournament)
    if rule.required and not tournament.announced:
        key, clause = "nights.play.not-announced", rule.clause
        return refuse(Code.NOT_NOW, key, clause, tournament=tournament.tournament)
    if len(tournament.players) < PLAYERS_MIN:
        return refuse(Code.NO_SEATS, "nights.play.two-to-start", tournament=tournament.tournament)
    unseated = [name for name, player in tournament.players.items() if player.table is None]
    if unseated:
        return refuse(Code.NO_SEATS, "nights.play.no-seat", player=unseated[0])
    return [facts.Started(tournament.tournament)]


def begin_round(
    tournament: Tournament, command: commands.BeginRound | commands.RoundFound, _: TournamentContext
) -> FactsOrRefusal:
    """Begin a round at a table."""
    if (
        refusal := require_playing(tournament) or require_no_hand(tournament, [command.table])
    ) is not None:
        return refusal
    if command.table not in tournament.tables:
        return refuse(Code.UNKNOWN_PLACE, "nights.play.nobody-there", table=command.table)
    if len(tournament.players) < PLAYERS_MIN:
        return refuse(Code.NO_SEATS, "nights.play.two-needed", tournament=tournament.tournament)
    return [facts.RoundBegun(tournament.tournament, command.table)]


def card_dealt(
    tournament: Tournament, command: commands.CardDealt, _: TournamentContext
) -> FactsOrRefusal:
    """Record a live table's first card, whether or not the floor began a round."""
    if tournament.dealt:
        return refuse(Code.NOT_NOW, "nights.play.first-card", tournament=tournament.tournament)
    return [facts.FirstCard(tournament.tournament, command.table)]


def count_chips(
    tournament: Tournament, command: commands.CountChips, context: TournamentContext
) -> FactsOrRefusal:
    """Count the chips at a table; after a completed interrupted hand, this ends the tournament."""
    if (refusal := _count_refusal(tournament, command)) is not None:
        return refusal
    count = facts.ChipsCounted(
        tournament.tournament, command.table, command.counts, command.in_book
    )
    if tournament.status != "interrupted":
        return [count]
    after = apply(tournament, count)
    # OMS-15: chips are counted after a completed hand, so players without chips are eliminated.
    return [count] if after.in_hand else [count, *end_interrupted(after, context)]


def eliminate(
    tournament: Tournament, command: commands.Eliminate, context: TournamentContext
) -> FactsOrRefusal:
    """Eliminate players and collect their remaining chips."""
    players = command.players
    if not players or len(set(players)) < len(players):
        return refuse(Code.UNKNOWN_SEAT, "nights.play.name-each")
    if (
        refusal := require_playing(tournament) or require_players_in(tournament, players)
    ) is not None:
        return refusal
    if (
        refusal := require_no_hand(
            tournament, [tournament.players[player].table for player in players]
        )
    ) is not None:
        return refusal
    return [elimination_event(tournament, players, context)]


def _count_refusal(tournament: Tournament, command: commands.CountChips) -> Refusal | None:
    table, counts = command.table, command.counts
    if table not in tournament.tables:
        return refuse(Code.UNKNOWN_PLACE, "nights.play.nobody-there", table=table)
    # Completed rounds count as dealt.
    from_book = command.in_book and tournament.status == "interrupted"
    if (
        table not in tournament.to_complete
        and not from_book
        and (refusal := require_playing(tournament)) is not None
    ):
        return refusal
    for player, chips in counts:
        if player not in tournament.tables[table]:
            fields = {"player": player, "table": table}
            return refuse(Code.UNKNOWN_SEAT, "nights.play.not-at-table", **fields)
        if not 0 <= chips <= CENTS_MAX:
            chip_fields = {"player": player, "chips": chips}
            return refuse(Code.BELOW_MINIMUM, "nights.play.cannot-have", **chip_fields)
    if len(dict(counts)) < len(counts):
        return refuse(Code.UNKNOWN_SEAT, "nights.play.counted-twice", table=table)
    return None
