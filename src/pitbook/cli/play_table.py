"""A table in the terminal: read keys, render cards, bet, look, decide and settle."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitbook.cards import Card, name
from pitbook.cli.language import format_money, localize
from pitbook.cli.progress import progress_reports
from pitbook.cli.rich_output import plain
from pitbook.coach.trends import Score
from pitbook.coach.verdicts import WeighedDecision, weigh
from pitbook.errors import MoneyError, PitbookError
from pitbook.money import Cents, dollars
from pitbook.rules.actions import (
    Absent,
    Action,
    Close,
    Deal,
    Decide,
    PlaceNumber,
    Play,
    Settle,
    Turn,
    Wager,
)
from pitbook.rules.cost_to_end import shortfall
from pitbook.rules.game import Game, Place, Seat, choices
from pitbook.rules.narration import action_sentence, cap_sentence, line_sentences, wager_title
from pitbook.rules.refusals import Refusal, with_clause
from pitbook.rules.round import Round, new_round
from pitbook.rules.round_progress import next_named
from pitbook.rules.step import step
from pitbook.sheets.phrases import game_and_venue
from pitbook.shoe.dealing import seeded_shoe
from pitbook.text import Sentence, capital, say, sentence_of


def play_label(seat: Seat, play: Play) -> str:
    """A play with its cost, if it has one."""
    amount = seat.cost(play)
    name = localize(say("exact.why.play", play=str(play)))
    return f"{name} {format_money(amount)}" if amount else name


def refusal_sentence(refusal: Refusal) -> Sentence:
    """A refusal as a complete sentence."""
    return say("form.full", text=with_clause(refusal))


def seat_prefix(seat: int, seats: tuple[int, ...]) -> str:
    """The seat before an amount; empty if only one person plays."""
    return localize(say("engine.place.seat", seat=seat)) + " " if len(seats) > 1 else ""


def signed_money(cents: int) -> str:
    """An amount with a plus or minus sign."""
    return f"+{format_money(cents)}" if cents > 0 else format_money(cents)


WAIT_SECONDS_MAX = 30.0  # A player would not wait longer for a hint.


@dataclass
class TerminalCoach:
    """Finds the EV of every play and keeps the player's score."""

    on: bool = True
    score: Score = field(default_factory=Score)

    def toggle(self) -> Sentence:
        """Switch the coach on or off, and return a message."""
        self.on = not self.on
        return say("cli.coach.switched", on=self.on)

    def hint(self, round: Round, seat: Seat, chips: int) -> Sentence:
        """The best play and the reason, for a player with this many chips left."""
        if not self.on:
            return say("cli.coach.off")
        try:
            return _weigh(round, seat, chips).hint
        except PitbookError as error:
            return say("cli.coach.cannot-tell", why=sentence_of(error))

    def remark(self, round: Round, seat: Seat, chips: int, play: str) -> Sentence | None:
        """The cost of a play against the best affordable one, or None if it was best."""
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
        """The score of the session in one sentence."""
        return self.score.sentence()


def _weigh(round: Round, seat: Seat, chips: int) -> WeighedDecision:
    """The EV of every play; raises TooLarge if computing it would keep the player waiting."""
    with progress_reports(seconds_max=WAIT_SECONDS_MAX):
        return weigh(round, seat, chips)


@dataclass
class TerminalTable:
    """A table in the terminal with its players' balances."""

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
        """Play rounds until the player leaves or the money runs out."""
        sheet = self.game.sheet
        self.say(plain(game_and_venue(sheet.title, sheet.house.venue), "bold"))
        self.say(say("cli.play.seed", seed=self.seed))
        self.say(say("cli.play.first-keys"))
        try:
            while self._play_one_round():
                pass
        except (LeaveTable, KeyboardInterrupt, EOFError):
            self.say("")
        self._print_summary()

    def say(self, text: object) -> None:
        """Print a line."""
        localized = localize(text) if isinstance(text, str) else text
        self.console.print(localized, highlight=False)

    def _play_one_round(self) -> bool:
        round = self._betting()
        if round is None:
            return False
        before = dict(self.balances)
        for seat in round.seats:
            self.balances[seat.number] = Cents(before[seat.number] - _total(seat))
        try:
            round = self._play_cards(round)
        except (LeaveTable, KeyboardInterrupt, EOFError):
            self.balances = before
            self.say("")
            self.say(say("cli.play.dead"))
            raise
        self._pay(round, before)
        self.rounds += 1
        return True

    # Betting.

    def _betting(self) -> Round | None:
        """Take bets, again if they leave too little for the hand and the player reconsiders."""
        while (round := self._wagers()) is not None:
            if self._confirm_bankroll(round):
                return self._apply(round, Close())
        return None

    def _wagers(self) -> Round | None:
        able_seats = [seat for seat in self.seats if self.balances[seat] >= self._round_minimum()]
        if not able_seats:
            self.say(say("cli.play.nobody-can"))
            return None
        if self.bets:
            answer = "?"
            while answer not in ("", "b"):
                answer = self._bets_key(localize(say("cli.play.same-bets")), before="\n")
            if answer != "b" and (rebet_round := self._rebet(able_seats)) is not None:
                return rebet_round
        round = new_round(self.game)
        self.bets = {}
        for seat in able_seats:
            round = self._seat_bets(round, seat)
        if not round.seats:
            self.say(say("cli.play.nobody-bets"))
            return None
        return round

    def _rebet(self, able_seats: list[int]) -> Round | None:
        round = new_round(self.game)
        for seat in able_seats:
            last_bets = self.bets.get(seat, {})
            if sum(last_bets.values()) > self.balances[seat]:
                self.say(say("cli.play.cannot-cover", seat=seat))
                return None
            for wager, amount in last_bets.items():
                round = self._apply(round, Wager(seat, f"seat {seat}", wager, amount))
        return round if round.seats else None

    def _confirm_bankroll(self, round: Round) -> bool:
        """Whether to deal; players who cannot finish the hand are warned first."""
        balances = {seat.number: self.balances[seat.number] - _total(seat) for seat in round.seats}
        shortfalls = {
            seat: shortfall(round, f"seat {seat}", left) for seat, left in balances.items()
        }
        for seat, shortage in shortfalls.items():
            if shortage is not None:
                warning = say("form.clause", text=shortage.message, clause=shortage.clause)
                self.say(self._of_seat(seat, warning))
        return not any(shortfalls.values()) or self._confirm_deal()

    def _confirm_deal(self) -> bool:
        answer = "?"
        while answer not in ("", "b"):
            answer = self._bets_key(localize(say("cli.play.deal-all-the-same")))
        self.bets = {} if answer == "b" else self.bets
        return answer == ""

    def _bets_key(self, enter: str, before: str = "") -> str:
        """Ask whether to keep the same bets or change them."""
        keys = {
            localize(say("cli.play.enter")): enter,
            "b": localize(say("cli.play.other-bets")),
        }
        all_keys = {**keys, "q": localize(say("cli.play.leave"))}
        prompt = "   ".join(f"{key}: {meaning}" for key, meaning in all_keys.items())
        answer = self.keys.key(f"{before}{prompt} ")
        self._common_key(answer, keys)
        return answer

    def _seat_bets(self, round: Round, seat: int) -> Round:
        main, rule = self.game.main
        default_bet = max(rule.min, min(rule.max, dollars("10")))
        prefix = self._prompt_prefix(seat)
        wagers_asked = [(main, rule.title, rule.min, rule.max, default_bet)]
        for wager, side in self.game.sheet.side.items():
            side_default = side.stake.min if side.stake.required else Cents(0)
            wagers_asked.append((wager, side.title, side.stake.min, side.stake.max, side_default))
        for wager, title, low, high, usual_bet in wagers_asked:
            bet = {"title": title, "least": low, "most": high, "usual": usual_bet}
            prompt = f"{prefix}{localize(say('cli.play.bet', **bet))} "
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
                self.say(f"  {localize(sentence_of(error))}")
                continue
            if not amount:
                return round
            after = step(round, Wager(seat, f"seat {seat}", wager, amount))
            spent = sum(self.bets.get(seat, {}).values())
            if isinstance(after, Refusal):
                self.say(f"  {localize(refusal_sentence(after))}")
            elif spent + amount > self.balances[seat]:
                left = say("cli.play.left", seat=seat, left=self.balances[seat] - spent)
                self.say(f"  {localize(left)}")
            else:
                self.bets.setdefault(seat, {})[wager] = amount
                return after

    def _round_minimum(self) -> int:
        sides = self.game.sheet.side.values()
        required = sum(side.stake.min for side in sides if side.stake.required)
        return self.game.main[1].min + required

    # Cards and plays.

    def _play_cards(self, round: Round) -> Round:
        """Play from the first card to the last payment; face-down cards stay with the shoe."""
        decks = self.game.sheet.deck.decks
        shoe = seeded_shoe(self.seed, shoe=f"round {self.rounds + 1}", decks=decks)
        cards_by_place: dict[PlaceNumber, list[Card]] = {}
        while round.phase != "over":
            if round.to_deal:
                place = round.to_deal[0]
                cards_by_place.setdefault(place, []).append(shoe.draw())
                round = self._apply(round, Deal(place))
            elif (next_turn := next_named(round)) is not None:
                place, turned = next_turn
                round = self._apply(round, Turn(place, cards_by_place[place][turned]))
            elif round.waiting:
                round = self._decisions(round)
            else:
                round = self._apply(round, Settle())
        return round

    def _decisions(self, round: Round) -> Round:
        self.say("")
        self.say(layout_table(round, self.balances, self.console))
        for number in round.waiting:
            round = self._decide(round, number)
        return round

    def _decide(self, round: Round, number: int) -> Round:
        seat = round.seat(number)
        assert seat is not None
        affordable = self._affordable(round, seat)
        if not affordable:
            after = self._apply(round, Absent(number, short=True))
            self.say(action_sentence(round, Absent(number, short=True), after))
            return after
        play = self._ask_play(round, seat, affordable)
        if remark := self.coach.remark(round, seat, self.balances[number], play):
            has_several_seats = len(self.seats) > 1
            self.say(
                say("cli.coach.of-seat", seat=number, told=remark) if has_several_seats else remark
            )
        after = self._apply(round, Decide(number, play))
        decided = after.seat(number)
        assert decided is not None
        added = _total(decided) - _total(seat)
        self.balances[number] = Cents(self.balances[number] - added)
        return after

    def _affordable(self, round: Round, seat: Seat) -> list[Play]:
        """The plays the seat can afford; none if it can only fold."""
        plays = [
            play
            for play in self.game.plays(round.stage)
            if seat.cost(play) <= self.balances[seat.number]
            and not isinstance(step(round, Decide(seat.number, play)), Refusal)
        ]
        return [] if all(play.folds for play in plays) else plays

    def _ask_play(self, round: Round, seat: Seat, plays: list[Play]) -> Play:
        options, raised = choices(plays), False
        keys = {option.key: option.play for option in options if option.plain is None}
        raises = {option.plain: option for option in options if option.plain is not None}
        raise_option = next(iter(raises.values()), None)
        title = self.game.stages[round.stage].title
        prefix = self._prompt_prefix(seat.number)
        while True:
            prompt = "  ".join(f"{key}: {play_label(seat, play)}" for key, play in keys.items())
            if raise_option:
                raise_text = say("cli.play.raised", wager=raise_option.play.puts[0][0], on=raised)
                prompt += f"  {raise_option.key}: {localize(raise_text)}"
            hint = "h" if "h" not in keys else "a"  # Where h declares high.
            hint_text = localize(say("cli.play.hint"))
            prompt += f"  {hint}: {hint_text}" if self.coach.on else ""
            answer = self.keys.key(f"{prefix}{title}   {prompt} ")
            if raise_option and answer == raise_option.key:
                raised = not raised
                continue
            play = keys.get(answer)
            if play is not None:
                return raises[play].play if raised and play in raises else play
            if answer == hint:
                self.say(self.coach.hint(round, seat, self.balances[seat.number]))
            else:
                names = {
                    key: localize(say("exact.why.play", play=str(key_play)))
                    for key, key_play in keys.items()
                }
                self._common_key(answer, {**names, hint: hint_text})

    def _common_key(self, answer: str, keys: Mapping[str, str] | None = None) -> None:
        """Handle keys that work everywhere."""
        if answer == "q":
            raise LeaveTable
        if answer == "r":
            self.show_rules()
        elif answer == "c":
            self.clauses = not self.clauses
            self.say(say("cli.play.clauses", shown=self.clauses))
        elif answer == "k":
            self.say(self.coach.toggle())
        elif answer not in ("", "b"):
            plays = "".join(f"{key} {play}, " for key, play in (keys or {}).items())
            self.say(say("cli.play.keys", plays=plays))

    # Money.

    def _pay(self, round: Round, before: dict[int, Cents]) -> None:
        for settlement in round.settlements:
            self.balances[settlement.seat] = Cents(before[settlement.seat] + settlement.net)
        self.say("")
        self.say(layout_table(round, self.balances, self.console))
        if board_text := self.game.board_text(round.board):
            self.say(say("form.full", text=board_text))
        for settlement in round.settlements:
            for sentence in line_sentences(round, settlement.lines, clauses=self.clauses):
                self.say(self._of_seat(settlement.seat, capital(sentence)))
        for cap in round.applied_caps:
            self.say(cap_sentence(cap))
        nets = [
            f"{seat_prefix(settlement.seat, self.seats)}{signed_money(settlement.net)}"
            for settlement in round.settlements
        ]
        self.say(plain(", ".join(nets), "bold"))

    def _print_summary(self) -> None:
        self.say(plain(say("cli.play.played", rounds=self.rounds), "bold"))
        for seat in self.seats:
            net = self.balances[seat] - self.bankroll
            totals = {"balance": self.balances[seat], "net": signed_money(net)}
            has_several_seats = len(self.seats) > 1
            self.say(
                say("cli.play.seat-leaves", seat=seat, **totals)
                if has_several_seats
                else say("cli.play.you-leave", **totals)
            )
        if summary := self.coach.summary():
            self.say(summary)
        self.say(say("cli.play.same-cards", seed=self.seed))

    def _of_seat(self, seat: int, sentence: str) -> str:
        """A sentence about a seat; without the seat's name if only one person plays."""
        return (
            say("engine.words.of-seat", seat=seat, line=sentence)
            if len(self.seats) > 1
            else sentence
        )

    def _prompt_prefix(self, seat: int) -> str:
        """The seat before a question; empty if only one person plays."""
        return localize(say("cli.play.asked", seat=seat)) + " " if len(self.seats) > 1 else ""

    def _apply(self, round: Round, action: Action) -> Round:
        after = step(round, action)
        assert isinstance(after, Round), after
        return after


def _total(seat: Seat) -> int:
    return sum(amount for _, amount in seat.stakes)


CTRL_C, CTRL_D = "\x03", "\x04"


class LeaveTable(Exception):
    """The player leaves."""


class KeySource(Protocol):
    """A source of the player's answers."""

    def line(self, prompt: str) -> str:
        """A line of text; raises LeaveTable at the end of input."""

    def key(self, prompt: str) -> str:
        """One key, or the first letter of a line; raises LeaveTable at the end of input."""


def keyboard(out: Console) -> KeySource:
    """The keyboard, or standard input line by line if there is no terminal."""
    return _Terminal(out) if sys.stdin.isatty() and out.is_terminal else _Lines(out)


class _Lines:
    def __init__(self, out: Console) -> None:
        self.out = out

    def line(self, prompt: str) -> str:
        self.out.print(prompt, end="")
        text = sys.stdin.readline()
        if not text:
            raise LeaveTable
        self.out.print(text.rstrip("\n"))
        return text.strip()

    def key(self, prompt: str) -> str:
        return self.line(prompt)[:1].lower()


class _Terminal:
    def __init__(self, out: Console) -> None:
        self.out = out

    def line(self, prompt: str) -> str:
        try:
            return input(prompt)
        except EOFError:
            raise LeaveTable from None

    def key(self, prompt: str) -> str:
        self.out.print(prompt, end="")
        sys.stdout.flush()
        pressed = typer.getchar()
        if pressed in (CTRL_C, CTRL_D):
            raise LeaveTable
        echo = "" if pressed in "\r\n" else pressed
        self.out.print(echo)
        return echo[:1].lower()


SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
INKS = {"c": "green4", "d": "blue3", "h": "red3", "s": "black"}


def card_text(card: Card, console: Console) -> Text:
    """A card face, in four colors if the terminal supports them."""
    rank, suit = name(card)[0], name(card)[1]
    symbol = SUITS[suit] if _supports_symbols(console) else suit
    return Text(f" {'10' if rank == 'T' else rank}{symbol} ", style=f"bold {INKS[suit]} on white")


def back(console: Console) -> Text:
    """A face-down card."""
    return Text(" ▒▒ " if _supports_symbols(console) else " ## ", style="white on dark_red")


def cards_text(cards: tuple[Card, ...], card_count: int, console: Console) -> Text:
    """The turned cards, then backs for the others."""
    faces = [card_text(card, console) for card in cards]
    faces += [back(console) for _ in range(card_count - len(cards))]
    return Text(" ").join(faces)


def layout_table(round: Round, balances: dict[int, Cents], console: Console) -> Table:
    """The board and every seat: cards, wagers, and the player's balance."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    for place, pile in zip(round.game.places[1:], round.piles, strict=True):
        cards = cards_text(pile.cards, pile.cards_dealt, console)
        table.add_row(_place(place), cards, "", "")
    for seat in round.seats:
        table.add_row(
            localize(say("cli.settle.seat", seat=seat.number)),
            cards_text(seat.cards, seat.cards_dealt, console),
            _wagers(round, seat),
            format_money(balances[seat.number]),
        )
    return table


def _place(place: Place) -> str:
    return localize(say("cli.play.place", place=place.id, title=place.title.capitalize()))


def _wagers(round: Round, seat: Seat) -> Text:
    """Each wager with its amount; wagers lost by a fold are struck through."""
    parts = []
    for wager, amount in seat.main:
        lost = "strike dim" if seat.folded else ""
        parts.append(
            Text(f"{localize(wager_title(round, wager))} {format_money(amount)}", style=lost)
        )
    for wager, amount in seat.side:
        parts.append(Text(f"{localize(wager_title(round, wager))} {format_money(amount)}"))
    declared = [
        localize(say("exact.why.play", play=play.declaration))
        for play in seat.plays
        if play.declaration
    ]
    notes = [localize(say("cli.play.folded"))] if seat.folded else declared
    parts += [Text(note, style="italic") for note in notes]
    return Text(", ").join(parts)


def _supports_symbols(console: Console) -> bool:
    return console.encoding.lower().replace("-", "") == "utf8"
