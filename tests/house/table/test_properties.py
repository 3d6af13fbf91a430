"""Random play with invalid commands; all invariants hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.house.table.kit import DEALER, SUPERVISOR, Live
from tests.house.table.visible_cards import WATCHERS, cards_in, no_gap, visible_events, visible_to
from tests.lanes import examples
from tests.rules.random_rounds import known_sheets

from pitbook.cards import DECK, Card
from pitbook.house.ledger.hash_chain import canonical
from pitbook.house.table import commands
from pitbook.house.table.commands import CLOCK, By, Command, Envelope
from pitbook.house.table.decide import Decision, decide
from pitbook.house.table.state import restore, snapshot
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.actions import BOARD, InformationPart, VoidReason
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet

PLAYERS = ("ann", "bob", "cyd", "dan")
STEPS = 80
TO_CHECK = ("settled", "interrupted", "corrected", "left", "undone", "fill")


class People:
    """Players, dealer, supervisor and clock at one table."""

    def __init__(self, sheet: Sheet, kind: str, luck: Random) -> None:
        self.env = luck
        clocks = {"betting": 30, "decision": 30, "agree": 30} if luck.random() < 0.5 else None
        self.live = Live(sheet, kind, seed=luck.randrange(10**6), clocks=clocks, owner="ann")
        if kind != "practice":
            for name in PLAYERS:
                self.live.buy_in(name, luck.choice(("15", "100", "5000")))

    def next(self) -> tuple[By, Command]:
        """A random command, mostly sensible."""
        luck, state = self.env, self.live.state
        if luck.random() < 0.1:
            return self._staff()
        if luck.random() < 0.06:
            self.live.later(luck.randrange(40))
            self.live.env.gone = {player for player in PLAYERS if luck.random() < 0.2}
            return CLOCK, commands.Tick(late=luck.random() < 0.1)
        round = state.round
        if state.awaiting:
            seat = luck.choice(list(state.seats) or [1])
            return self._by(seat), commands.Agree(seat, finish=luck.random() < 0.8)
        if round is not None and state.has_live_wagers and round.phase != "wagers":
            return self._play()
        return self._bet()

    def _by(self, seat: int) -> By:
        name = self.live.state.seats.get(seat)
        if name is None or self.env.random() < 0.05:
            return By(self.env.choice(PLAYERS), "player")
        return DEALER if self.live.state.typed and self.env.random() < 0.3 else By(name, "player")

    def _play(self) -> tuple[By, Command]:
        luck, round = self.env, self.live.round
        if self.live.state.typed and not round.waiting:
            places = [place for place in round.hidden if place != BOARD or round.phase == "play"]
            if not places or luck.random() < 0.2:
                return DEALER, commands.Settle()
            return DEALER, commands.TypeCard(luck.choice(places), luck.choice(DECK))
        seat = luck.choice(round.waiting or tuple(seat.number for seat in round.seats))
        plays = round.game.plays(round.stage)
        return self._by(seat), commands.Decide(seat, luck.choice((*plays, *plays, "huh")))

    def _bet(self) -> tuple[By, Command]:
        luck, state = self.env, self.live.state
        seats = state.game.sheet.seats.count
        if len(state.seats) < 2 or luck.random() < 0.05:
            return By(luck.choice(PLAYERS), "player"), commands.Sit(luck.randint(0, seats))
        seat = luck.choice(list(state.seats))
        ask: list[Command] = [
            commands.Undo(seat),
            commands.Rebet(seat),
            commands.Rebet(seat),
            commands.SeatSeed(seat, f"seed {luck.random()}"),
            commands.Refill(seat),
            commands.CloseBetting(),
            commands.CloseBetting(),
            commands.Ready(seat, on=luck.random() < 0.9),
            *self._wagers(seat),
        ]
        chosen = luck.choice(ask if luck.random() < 0.97 else [commands.Leave(seat)])
        closes = isinstance(chosen, commands.CloseBetting)
        return (DEALER if closes and luck.random() < 0.7 else self._by(seat)), chosen

    def _wagers(self, seat: int) -> Iterator[Command]:
        game = self.live.state.game
        main, rule = game.main
        stakes = {main: rule, **{name: side.stake for name, side in game.sheet.side.items()}}
        for name, stake in stakes.items():
            amounts = (stake.min, stake.min + stake.step, stake.min - 1, 0)
            for _ in range(3):
                yield commands.PutWager(seat, name, Cents(self.env.choice(amounts)))

    def _staff(self) -> tuple[By, Command]:
        luck, state = self.env, self.live.state
        if state.awaiting is not None:
            return SUPERVISOR, luck.choice((commands.Unreadable(), commands.Interrupt("again")))
        if state.has_live_wagers and self.live.round.phase != "wagers":
            return self._mishap(luck.choice([seat.number for seat in self.live.round.seats]))
        quiet: list[tuple[By, Command]] = [
            (DEALER, commands.ShufflerFailed() if luck.random() < 0.3 else commands.Settle()),
            (DEALER, commands.ShufflerRepaired()),
            (SUPERVISOR, commands.Fill(Cents(luck.randrange(10**5)))),
            (SUPERVISOR, commands.Credit(Cents(luck.randrange(10**4)))),
            (By("ann", "player"), commands.AdviceShown(luck.randint(1, 6), "bet")),
            (SUPERVISOR, commands.Coach(on=luck.random() < 0.5)),
            (DEALER, commands.OpenRound()),
        ]
        return luck.choice(quiet)

    def _mishap(self, seat: int) -> tuple[By, Command]:
        luck = self.env
        place = luck.choice((BOARD, seat))
        reason: VoidReason = luck.choice(("information", "supervisor"))
        part: InformationPart | None = (
            luck.choice(("gave", "took")) if reason == "information" else None
        )
        loud: list[tuple[By, Command]] = [
            (DEALER, commands.Misdeal("boxed card")),
            (SUPERVISOR, commands.VoidHand(seat, reason, part=part)),
            (SUPERVISOR, commands.VoidHand(seat, reason, part=part)),
            (DEALER, commands.Warn(seat, "cards off the table")),
            (DEALER, commands.ExposeCard(place, self._card())),
            (SUPERVISOR, commands.Interrupt("alarm")),
        ]
        if self.live.state.typed:
            fixes = [commands.CorrectCard(place, number, self._any(), "") for number in (1, 2)]
            loud += [(SUPERVISOR, command) for command in fixes]
            loud += [(DEALER, commands.ExposeCard(seat, self._any()))] * 2
            loud.append((DEALER, commands.DeckFouled(self._any())))
        return luck.choice(loud)

    def _card(self) -> Card | None:
        return self._any() if self.live.state.typed else None

    def _any(self) -> Card:
        return self.env.choice(DECK)


def play_random(
    sheet: Sheet, kind: str, seed: int, steps: int = STEPS
) -> Iterator[tuple[Live, int]]:
    """Random play; yields the table and its first new event after each accepted command."""
    people = People(sheet, kind, Random(seed))
    live = people.live
    for _ in range(steps):
        by, command = people.next()
        before, facts = live.state, len(live.facts)
        if people.env.random() < 0.02:
            live.restart()
        else:
            snapshot_text = canonical(snapshot(before))
            answer = decide(before, Envelope(by, command), live.env)
            assert canonical(snapshot(before)) == snapshot_text, "decide changed the state"
            if isinstance(answer, Decision):
                live.take(answer)
        if len(live.facts) > facts:
            yield live, facts


tables = st.tuples(
    st.sampled_from(known_sheets()),
    st.sampled_from(("practice", "house", "house", "typed")),
    st.integers(0, 10**9),
)


@pytest.mark.long
@settings(max_examples=examples(15, 40))
@given(tables)
def test_money_is_conserved_and_state_follows_from_facts(
    table: tuple[Sheet, str, int],
) -> None:
    for live, since in play_random(*table):
        if live.state.round is not None and live.round.phase == "over":
            assert live.held == 0
        if any(fact["fact"] in TO_CHECK for fact in live.facts_json[since:]):
            live.sound()


@pytest.mark.long
@settings(max_examples=examples(12, 30))
@given(tables)
def test_events_and_views_name_cards_only_to_entitled_viewers(
    table: tuple[Sheet, str, int],
) -> None:
    for step, (live, since) in enumerate(play_random(*table)):
        for viewer in WATCHERS:
            allowed = visible_to(live, viewer) if live.state.round is not None else set()
            events = visible_events(live.events[since:], viewer)
            bodies = [event.body for event in events]
            assert no_gap(events)
            assert cards_in(bodies) <= allowed
            assert "SEALED" not in canonical(bodies)
        for viewer in (WATCHERS[step % len(WATCHERS)], WATCHERS[step * 3 % len(WATCHERS)]):
            view = table_view(live.state, viewer, live.env.wallet)
            allowed = visible_to(live, viewer) if live.state.round is not None else set()
            assert cards_in(view) <= allowed
            assert "SEALED" not in canonical(view)


@settings(max_examples=examples(8, 15))
@given(tables)
def test_view_offers_match_decisions(table: tuple[Sheet, str, int]) -> None:
    for live, _ in play_random(*table, steps=30):
        for viewer in (Viewer("ann", "player"), Viewer("dee", "dealer")):
            for offer in table_view(live.state, viewer, live.env.wallet)["offers"]:
                assert_true_offer(live, viewer, dict(offer))


def assert_true_offer(live: Live, viewer: Viewer, offer: dict[str, object]) -> None:
    by = By(viewer.name, viewer.role)  # type: ignore[arg-type]
    if offer["do"] == "decide":
        for choice in offer["choices"]:  # type: ignore[attr-defined]
            command = commands.Decide(int(str(offer["seat"])), choice["play"])
            assert isinstance(live.ask(by, command), Refusal) == ("refused" in choice)
    elif offer["do"] == "put-wager":
        given_offer = {"do": "put-wager", "seat": offer["seat"], "wager": offer["wager"]}
        put = commands.decode({**given_offer, "amount": offer["min"]})
        assert isinstance(live.ask(by, put), Refusal) == ("refused" in offer)
    elif offer["do"] in (
        *("undo", "rebet", "refill", "leave", "close-betting", "open-round", "retire"),
    ):
        plain = {key: value for key, value in offer.items() if key != "refused"}
        assert isinstance(live.ask(by, commands.decode(plain)), Refusal) == ("refused" in offer)


@pytest.mark.parametrize("sheet", known_sheets(), ids=lambda sheet: sheet.id)
@pytest.mark.parametrize("kind", ["practice", "house", "typed"])
def test_table_resumes_exactly_from_a_snapshot(sheet: Sheet, kind: str) -> None:
    people = People(sheet, kind, Random(f"{sheet.id} {kind}"))
    live, twin = people.live, restore(json.loads(canonical(snapshot(people.live.state))))
    done = 0
    for _ in range(80):
        envelope = Envelope(*people.next())
        first, second = (decide(state, envelope, live.env) for state in (live.state, twin))
        assert first == second
        if isinstance(first, Decision):
            live.take(first)
            twin = restore(json.loads(canonical(snapshot(live.state))))
            done += 1
    assert done > 5
