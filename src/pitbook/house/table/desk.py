"""Where a command is worked out: facts and money pile up here and leave together or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import ClassVar

from pitbook.house.ledger.accounts import Transfer
from pitbook.house.table import facts
from pitbook.house.table.acts.bank import TableTill, moved, till_of
from pitbook.house.table.acts.taken_back import Back, taken_back
from pitbook.house.table.evolve import acted, evolve
from pitbook.house.table.facts import Fact
from pitbook.house.table.luck import Luck
from pitbook.house.table.reasons import ABOVE_RACK
from pitbook.house.table.state import TableState
from pitbook.house.table.till import change, lowest
from pitbook.money import Cents
from pitbook.rules.actions import Action, Deal, Turn
from pitbook.rules.flow import refuse_too_soon
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.step import step

CARDS = (Deal, Turn)  # They move no money.


@dataclass
class Desk:
    """A table's state as it will be if the command is taken; the state handed in never changes."""

    state: TableState
    luck: Luck
    trial: ClassVar[bool] = False  # Only asked whether: nothing is dealt.
    facts: list[Fact] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    after: list[TableState] = field(default_factory=list)  # The state after each fact.

    @cached_property
    def till(self) -> TableTill:
        """The table's accounts."""
        return till_of(self.state)

    @property
    def round(self) -> Round:
        """The round on the layout."""
        assert self.state.round is not None
        return self.state.round

    def note(self, fact: Fact) -> None:
        """Add a fact."""
        self._noted(fact, evolve(self.state, fact))

    def _noted(self, fact: Fact, after: TableState) -> None:
        self.facts.append(fact)
        self.after.append(after)
        self.state = after

    def act(self, action: Action) -> Refusal | None:
        """Take the round one step on, with the money it moves; or say why not."""
        if self.state.round is None:
            return refuse(Code.NOT_NOW, "table.desk.no-round")
        before = self.state.round
        after = refuse_too_soon(before, action) or step(before, action)
        if isinstance(after, Refusal):
            return after
        back = [] if type(action) in CARDS else self.pay(before, after)
        if isinstance(back, Refusal):
            return back
        self._noted(facts.Acted(action), acted(self.state, action, after))
        self.note_back(back)
        return None

    def pay(self, before: Round, after: Round) -> list[Back] | Refusal:
        """The money of a step that is no card; what it takes back is for the record."""
        transfers, back = moved(
            self.till, self.state.round_id, before, after, rack=self.state.rack, purse=self.purse
        )
        if transfers and (refusal := self.not_covered(transfers)) is not None:
            return refusal
        for transfer in transfers:
            if transfer.why == ABOVE_RACK:
                self.note(facts.Fill(transfer.amount, ABOVE_RACK))
        self.transfers += transfers
        return back

    def note_back(self, back: list[Back]) -> None:
        """Say what was taken back, if anything was."""
        if back:
            anew = self.round.phase != "over"
            self.note(taken_back(self.state.round_id, back, anew=anew))

    def all(self, actions: Iterable[Action]) -> Refusal | None:
        """Several steps; the first refusal is the answer."""
        for action in actions:
            if (refusal := self.act(action)) is not None:
                return refusal
        return None

    def must(self, action: Action) -> None:
        """A step that the rules leave no choice about."""
        refusal = self.act(action)
        assert refusal is None, f"{action}: {refusal}"

    def purse(self, player: str) -> Cents:
        """What a player has left to wager, this command's own transfers counted."""
        now = change(self.till.wallet(player), self.transfers)
        return Cents(self.luck.wallet(player) + now)

    def can_pay(self, player: str, amount: int) -> bool:
        """Whether a player has so much left, this command's own transfers counted."""
        moved = change(self.till.wallet(player), self.transfers) if self.transfers else 0
        return self.luck.has(player, amount - moved)

    def until(self, seconds: int) -> datetime:
        """The time, so many seconds from now."""
        return self.luck.now() + timedelta(seconds=seconds)

    def not_covered(self, transfers: list[Transfer]) -> Refusal | None:
        """Why a player cannot pay what these take, one after the other."""
        payers = [one.debit for one in transfers if one.debit.kind == "wallet"]
        for wallet in payers:
            needed = Cents(-lowest(wallet, 0, transfers))
            if (refusal := self.too_dear(self.till.player(wallet), needed)) is not None:
                return refusal
        return None

    def too_dear(self, player: str, needed: Cents) -> Refusal | None:
        """Why a player cannot pay so much."""
        if self.can_pay(player, needed):
            return None
        left = self.purse(player)
        key = "table.desk.not-covered"
        return refuse(Code.NOT_COVERED, key, player=player, left=left, needed=needed)
