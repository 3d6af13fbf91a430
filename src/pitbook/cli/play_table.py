"""A table in the terminal, round after round: bet, look, decide, be paid, again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rich.console import Console

from pitbook.cards import Card
from pitbook.cli.language import money_told, worded
from pitbook.cli.play_view import GoHome, KeySource, felt
from pitbook.cli.progress import progress_reports
from pitbook.cli.render import plain
from pitbook.coach.trends import Score
from pitbook.coach.verdicts import Weighed, weigh
from pitbook.errors import MoneyError, PitbookError
from pitbook.money import Cents, dollars
from pitbook.rules.actions import (
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    PlaceNumber,
    Settle,
    Turn,
    Wager,
)
from pitbook.rules.costs import shortfall
from pitbook.rules.flow import next_named
from pitbook.rules.game import Game, Seat, choices
from pitbook.rules.narration import action_sentence, cap_sentence, line_sentences
from pitbook.rules.plays import Play
from pitbook.rules.refusals import Refusal, with_clause
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step
from pitbook.sheets.prose.words import game_and_venue
from pitbook.shoe.seeded import seeded
from pitbook.text import Sentence, capital, say, sentence_of


def costing(seat: Seat, play: Play) -> str:
    """A play, and what it costs where it costs anything."""
    amount = seat.cost(play)
    name = worded(say("exact.why.play", play=str(play)))
    return f"{name} {money_told(amount)}" if amount else name


def full(refusal: Refusal) -> Sentence:
    """A refusal as a whole sentence."""
    return say("form.full", text=with_clause(refusal))


def who_nets(seat: int, seats: tuple[int, ...]) -> str:
    """Whose a sum is, before it; where one plays alone, it goes without saying."""
    return worded(say("engine.place.seat", seat=seat)) + " " if len(seats) > 1 else ""


def signed(cents: int) -> str:
    """What was won with a plus, what was lost with a minus."""
    return f"+{money_told(cents)}" if cents > 0 else money_told(cents)


WAIT_SECONDS_MAX = 30.0  # A player would not wait longer for a hint.


@dataclass
class TerminalCoach:
    """Knows the exact value of every play, and keeps count of what was given away."""

    on: bool = True
    score: Score = field(default_factory=Score)

    def toggled(self) -> Sentence:
        """Switch on or off, and say so."""
        self.on = not self.on
        return say("cli.coach.switched", on=self.on)

    def hint(self, round: Round, seat: Seat, chips: int) -> Sentence:
        """The best play and why, for a player with so many chips left."""
        if not self.on:
            return say("cli.coach.off")
        try:
            return _weigh(round, seat, chips).hint
        except PitbookError as error:
            return say("cli.coach.cannot-tell", why=sentence_of(error))

    def remark(self, round: Round, seat: Seat, chips: int, play: str) -> Sentence | None:
        """What a play gave away against the best that the player could pay for, if anything."""
        if not self.on:
            return None
        try:
            weighed = _weigh(round, seat, chips)
        except PitbookError:
            return None
        cost = weighed.cost(play)
        self.score = self.score.after(cost)
        return weighed.verdict(play) if cost else None

    def summary(self) -> Sentence | None:
        """The evening's play in one sentence."""
        return self.score.told()


def _weigh(round: Round, seat: Seat, chips: int) -> Weighed:
    """The EV of every play; raises TooLarge if computing it would keep the player waiting."""
    with progress_reports(seconds_max=WAIT_SECONDS_MAX):
        return weigh(round, seat, chips)


@dataclass
class TerminalTable:
    """A table in the terminal with its players' money."""

    game: Game
    seats: tuple[int, ...]
    seed: str
    bankroll: Cents
    console: Console
    keys: KeySource
    show_rules: Callable[[], None]
    coach: TerminalCoach = field(default_factory=TerminalCoach)
    balances: dict[int, Cents] = field(default_factory=dict)
    bets: dict[int, dict[str, Cents]] = field(default_factory=dict)
    rounds: int = 0
    clauses: bool = False

    def __post_init__(self) -> None:
        self.balances = dict.fromkeys(self.seats, self.bankroll)

    def run(self) -> None:
        """Rounds until the player leaves or the money does."""
        sheet = self.game.sheet
        self.say(plain(game_and_venue(sheet.title, sheet.house.venue), "bold"))
        self.say(say("cli.play.seed", seed=self.seed))
        self.say(say("cli.play.first-keys"))
        try:
            while self._one_round():
                pass
        except (GoHome, KeyboardInterrupt, EOFError):
            self.say("")
        self._farewell()

    def say(self, text: object) -> None:
        """A line on the table."""
        told = worded(text) if isinstance(text, str) else text
        self.console.print(told, highlight=False)

    def _one_round(self) -> bool:
        round = self._betting()
        if round is None:
            return False
        before = dict(self.balances)
        for seat in round.seats:
            self.balances[seat.number] = Cents(before[seat.number] - _total(seat))
        try:
            round = self._played(round)
        except (GoHome, KeyboardInterrupt, EOFError):
            self.balances = before
            self.say("")
            self.say(say("cli.play.dead"))
            raise
        self._pay(round, before)
        self.rounds += 1
        return True

    # Betting.

    def _betting(self) -> Round | None:
        """Wagers, asked for again where they leave too little for the hand and are regretted."""
        while (round := self._wagers()) is not None:
            if self._warned(round):
                return self._must(round, Close())
        return None

    def _wagers(self) -> Round | None:
        able = [seat for seat in self.seats if self.balances[seat] >= self._least()]
        if not able:
            self.say(say("cli.play.nobody-can"))
            return None
        if self.bets:
            answer = "?"
            while answer not in ("", "b"):
                answer = self._bets_key(worded(say("cli.play.same-bets")), before="\n")
            if answer != "b" and (again := self._rebet(able)) is not None:
                return again
        round = new_round(self.game)
        self.bets = {}
        for seat in able:
            round = self._seat_bets(round, seat)
        if not round.seats:
            self.say(say("cli.play.nobody-bets"))
            return None
        return round

    def _rebet(self, able: list[int]) -> Round | None:
        round = new_round(self.game)
        for seat in able:
            made = self.bets.get(seat, {})
            if sum(made.values()) > self.balances[seat]:
                self.say(say("cli.play.cannot-cover", seat=seat))
                return None
            for wager, amount in made.items():
                round = self._must(round, Wager(seat, f"seat {seat}", wager, amount))
        return round if round.seats else None

    def _warned(self, round: Round) -> bool:
        """Whether the cards are dealt, once whoever cannot carry the hand has been told so."""
        lefts = {one.number: self.balances[one.number] - _total(one) for one in round.seats}
        found = {seat: shortfall(round, f"seat {seat}", left) for seat, left in lefts.items()}
        for seat, one in found.items():
            if one is not None:
                short = say("form.clause", text=one.told, clause=one.clause)
                self.say(self._of(seat, short))
        return not any(found.values()) or self._deals_all_the_same()

    def _deals_all_the_same(self) -> bool:
        answer = "?"
        while answer not in ("", "b"):
            answer = self._bets_key(worded(say("cli.play.deal-all-the-same")))
        self.bets = {} if answer == "b" else self.bets
        return answer == ""

    def _bets_key(self, enter: str, before: str = "") -> str:
        """The key with which the same bets stand, or others are made."""
        keys = {
            worded(say("cli.play.enter")): enter,
            "b": worded(say("cli.play.other-bets")),
        }
        told = {**keys, "q": worded(say("cli.play.leave"))}
        shown = "   ".join(f"{key}: {what}" for key, what in told.items())
        answer = self.keys.key(f"{before}{shown} ")
        self._common_key(answer, keys)
        return answer

    def _seat_bets(self, round: Round, seat: int) -> Round:
        main, rule = self.game.main
        usual = max(rule.min, min(rule.max, dollars("10")))
        who = self._asked(seat)
        asked = [(main, rule.title, rule.min, rule.max, usual)]
        for wager, side in self.game.sheet.side.items():
            least = side.stake.min if side.stake.required else Cents(0)
            asked.append((wager, side.title, side.stake.min, side.stake.max, least))
        for wager, title, low, high, usual_bet in asked:
            bet = {"title": title, "least": low, "most": high, "usual": usual_bet}
            prompt = f"{who}{worded(say('cli.play.bet', **bet))} "
            round = self._ask_bet(round, seat, wager, prompt, usual_bet)
            if wager == main and round.seat(seat) is None:
                return round
        return round

    def _ask_bet(self, round: Round, seat: int, wager: str, prompt: str, usual: Cents) -> Round:
        while True:
            text = self.keys.line(prompt).strip().removeprefix("$")
            if text in ("q", "r", "c", "k", "?"):
                self._common_key(text)
                continue
            try:
                amount = usual if not text else dollars(text)
            except MoneyError as error:
                self.say(f"  {worded(sentence_of(error))}")
                continue
            if not amount:
                return round
            after = step(round, Wager(seat, f"seat {seat}", wager, amount))
            spent = sum(self.bets.get(seat, {}).values())
            if isinstance(after, Refusal):
                self.say(f"  {worded(full(after))}")
            elif spent + amount > self.balances[seat]:
                left = say("cli.play.left", seat=seat, left=self.balances[seat] - spent)
                self.say(f"  {worded(left)}")
            else:
                self.bets.setdefault(seat, {})[wager] = amount
                return after

    def _least(self) -> int:
        sides = self.game.sheet.side.values()
        required = sum(side.stake.min for side in sides if side.stake.required)
        return self.game.main[1].min + required

    # Cards and choices.

    def _played(self, round: Round) -> Round:
        """From the first card to the last payment; what lies face down stays with the shoe."""
        decks = self.game.sheet.deck.decks
        shoe = seeded(self.seed, shoe=f"round {self.rounds + 1}", decks=decks)
        laid: dict[PlaceNumber, list[Card]] = {}
        while round.phase != "over":
            if round.to_deal:
                place = round.to_deal[0]
                laid.setdefault(place, []).append(shoe.draw())
                round = self._must(round, Deal(place))
            elif (seen := next_named(round)) is not None:
                place, turned = seen
                round = self._must(round, Turn(place, laid[place][turned]))
            elif round.waiting:
                round = self._decisions(round)
            else:
                round = self._must(round, Settle())
        return round

    def _decisions(self, round: Round) -> Round:
        self.say("")
        self.say(felt(round, self.balances, self.console))
        for number in round.waiting:
            round = self._decide(round, number)
        return round

    def _decide(self, round: Round, number: int) -> Round:
        seat = round.seat(number)
        assert seat is not None
        affordable = self._affordable(round, seat)
        if not affordable:
            after = self._must(round, Absent(number, short=True))
            self.say(action_sentence(round, Absent(number, short=True), after))
            return after
        play = self._chosen(round, seat, affordable)
        if told := self.coach.remark(round, seat, self.balances[number], play):
            several = len(self.seats) > 1
            self.say(say("cli.coach.of-seat", seat=number, told=told) if several else told)
        after = self._must(round, Decide(number, play))
        decided = after.seat(number)
        assert decided is not None
        more = _total(decided) - _total(seat)
        self.balances[number] = Cents(self.balances[number] - more)
        return after

    def _affordable(self, round: Round, seat: Seat) -> list[Play]:
        """The plays the seat can pay for; none where a fold is all that is left."""
        plays = [
            play
            for play in self.game.plays(round.stage)
            if seat.cost(play) <= self.balances[seat.number]
            and not isinstance(step(round, Decide(seat.number, play)), Refusal)
        ]
        return [] if all(play.folds for play in plays) else plays

    def _chosen(self, round: Round, seat: Seat, plays: list[Play]) -> Play:
        offered, raised = choices(plays), False
        keys = {one.key: one.play for one in offered if one.plain is None}
        raises = {one.plain: one for one in offered if one.plain is not None}
        more = next(iter(raises.values()), None)
        title = self.game.stages[round.stage].title
        who = self._asked(seat.number)
        while True:
            shown = "  ".join(f"{key}: {costing(seat, play)}" for key, play in keys.items())
            if more:
                put = say("cli.play.raised", wager=more.play.puts[0][0], on=raised)
                shown += f"  {more.key}: {worded(put)}"
            hint = "h" if "h" not in keys else "a"  # Where h declares high.
            asks = worded(say("cli.play.hint"))
            shown += f"  {hint}: {asks}" if self.coach.on else ""
            answer = self.keys.key(f"{who}{title}   {shown} ")
            if more and answer == more.key:
                raised = not raised
                continue
            play = keys.get(answer)
            if play is not None:
                return raises[play].play if raised and play in raises else play
            if answer == hint:
                self.say(self.coach.hint(round, seat, self.balances[seat.number]))
            else:
                names = {
                    key: worded(say("exact.why.play", play=str(one))) for key, one in keys.items()
                }
                self._common_key(answer, {**names, hint: asks})

    def _common_key(self, answer: str, keys: Mapping[str, str] | None = None) -> None:
        """Keys that work everywhere."""
        if answer == "q":
            raise GoHome
        if answer == "r":
            self.show_rules()
        elif answer == "c":
            self.clauses = not self.clauses
            self.say(say("cli.play.clauses", shown=self.clauses))
        elif answer == "k":
            self.say(self.coach.toggled())
        elif answer not in ("", "b"):
            plays = "".join(f"{key} {play}, " for key, play in (keys or {}).items())
            self.say(say("cli.play.keys", plays=plays))

    # Money.

    def _pay(self, round: Round, before: dict[int, Cents]) -> None:
        for settlement in round.settlements:
            self.balances[settlement.seat] = Cents(before[settlement.seat] + settlement.net)
        self.say("")
        self.say(felt(round, self.balances, self.console))
        if told := self.game.board_told(round.board):
            self.say(say("form.full", text=told))
        for settlement in round.settlements:
            for sentence in line_sentences(round, settlement.lines, clauses=self.clauses):
                self.say(self._of(settlement.seat, capital(sentence)))
        for bite in round.bites:
            self.say(cap_sentence(bite))
        nets = [f"{who_nets(one.seat, self.seats)}{signed(one.net)}" for one in round.settlements]
        self.say(plain(", ".join(nets), "bold"))

    def _farewell(self) -> None:
        self.say(plain(say("cli.play.played", rounds=self.rounds), "bold"))
        for seat in self.seats:
            net = self.balances[seat] - self.bankroll
            end = {"balance": self.balances[seat], "net": signed(net)}
            several = len(self.seats) > 1
            self.say(
                say("cli.play.seat-leaves", seat=seat, **end)
                if several
                else say("cli.play.you-leave", **end)
            )
        if told := self.coach.summary():
            self.say(told)
        self.say(say("cli.play.same-cards", seed=self.seed))

    def _of(self, seat: int, told: str) -> str:
        """What is told of a seat; where one plays alone, it goes without saying."""
        return say("engine.words.of-seat", seat=seat, line=told) if len(self.seats) > 1 else told

    def _asked(self, seat: int) -> str:
        """Who is asked, before the question."""
        return worded(say("cli.play.asked", seat=seat)) + " " if len(self.seats) > 1 else ""

    def _must(self, round: Round, action: Action) -> Round:
        after = step(round, action)
        assert isinstance(after, Round), after
        return after


def _total(seat: Seat) -> int:
    return sum(amount for _, amount in seat.stakes)
