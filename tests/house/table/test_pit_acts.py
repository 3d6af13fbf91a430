"""Pit commands: fills with two approvals, dealers, and announced limits."""

from __future__ import annotations

from tests.clauses.one_line_rounds import CMS, with_field
from tests.house.table.kit import DEALER, SUPERVISOR, Live, by

from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.table import facts
from pitbook.house.table.commands import (
    AnnounceSheet,
    AskCredit,
    AskFill,
    BuyIn,
    ChangeSheet,
    CloseBetting,
    ColorUp,
    Fill,
    GrantRack,
    Misdeal,
    OpenRound,
    PutWager,
    RefuseRack,
    SignOff,
    SignOn,
    Sit,
)
from pitbook.house.table.limits import with_limits
from pitbook.house.table.stored_sheets import dump_sheet, game_of
from pitbook.money import Cents

DAN, SAM = by("dan", "dealer"), by("sam", "supervisor")


def test_fill_is_requested_and_approved_by_different_people() -> None:
    live = Live(CMS, "typed").do(DEALER, AskFill(Cents(500_000), "low on reds"))
    assert (live.state.rack, live.book[live.till.house]) == (0, 0)
    live.do(SUPERVISOR, AskFill(Cents(100), "mine"), GrantRack(1))
    assert live.state.rack == 500_000
    granted: list[Fact] = [facts.RackGranted(1, "dee"), facts.Fill(Cents(500_000), "fill")]
    assert live.facts[-2:] == granted
    assert "second person" in str(live.no(SUPERVISOR, GrantRack(2)))
    assert str(live.no(SAM, GrantRack(1))) == "This table has no fill or credit request 1."
    live.do(SAM, RefuseRack(2, "the rack is full"))
    live.no(SAM, GrantRack(2))
    live.no(DEALER, AskCredit(Cents(500_001), "more than there is"))
    live.do(DEALER, AskCredit(Cents(500_000), "all of it")).do(SUPERVISOR, Fill(Cents(1)))
    live.do(SAM, AskCredit(Cents(500_000), "twice")).do(SUPERVISOR, GrantRack(3))
    live.no(SUPERVISOR, GrantRack(4))  # It is gone by now.
    assert live.state.rack == 1
    live.sound()


def test_round_names_its_dealer_and_others_cannot_deal() -> None:
    live = Live(CMS, "typed").do(DEALER, SignOn(), Sit(1, "ann"), BuyIn(1, Cents(10_000)))
    live.do(DEALER, OpenRound(), PutWager(1, "ante", Cents(1_000)))
    assert live.facts[-3] == facts.RoundOpened(
        *("t1-000001", 1, live.state.sheet["hash"], "t1-shoe-000001"), "dee"
    )
    assert "dee is dealing" in str(live.no(DAN, CloseBetting()))
    live.no(DEALER, SignOn())
    live.no(DEALER, SignOff())  # A hand is dealt.
    live.do(DAN, SignOn(), CloseBetting())
    live.no(DEALER, SignOff())
    live.do(DAN, Misdeal("boxed card")).do(SUPERVISOR, SignOff())
    assert live.state.dealer == ""
    live.no(DAN, SignOff())
    live.do(DEALER, OpenRound())  # As before there were dealers on record.
    live.sound()


def test_color_up_is_recorded_and_moves_no_money() -> None:
    live = Live(CMS, "typed").do(DEALER, Sit(1, "ann"), BuyIn(1, Cents(10_000)))
    book = dict(live.book)
    live.do(DEALER, ColorUp(1, Cents(10_000)))
    assert live.facts[-1] == facts.ColoredUp(1, "ann", Cents(10_000))
    assert live.book == book
    for wrong in (ColorUp(1, Cents(10_001)), ColorUp(1, Cents(0)), ColorUp(2, Cents(1))):
        live.no(DEALER, wrong)


def test_limits_apply_after_the_states_notice_period() -> None:
    sheet = with_field(CMS, "house.jurisdiction", "Maryland")
    live = Live(sheet).seat(1, "ann", ante=10)
    higher = dump_sheet(with_limits(sheet, {"ante": {"min": "25"}}))
    no = live.no(SUPERVISOR, AnnounceSheet(higher, 29, "busy"))
    assert (no.clause, "30 to 10080 minutes" in str(no)) == ("COMAR 36.05.03", True)
    no = live.no(SUPERVISOR, ChangeSheet(higher, "at once"))  # Not by the other door either.
    assert (no.clause, "30 minutes ahead" in str(no)) == ("COMAR 36.05.03", True)
    live.do(SUPERVISOR, AnnounceSheet(higher, 30, "busy"))
    assert game_of(live.state.sheet).main[1].min == 500
    live.do("ann", PutWager(1, "ante", Cents(0))).later(30 * 60)
    live.no("ann", PutWager(1, "ante", Cents(1_000)))  # Its time has come.
    live.do("ann", PutWager(1, "ante", Cents(2_500)))
    assert game_of(live.state.sheet).main[1].min == 2_500
    assert live.state.announced is None
    live.sound()
