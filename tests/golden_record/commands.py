"""What commands answer about sheets: their words, hashes, findings, figures and totals."""

from __future__ import annotations

from tests.golden_record import shelf
from tests.golden_record.adapter import asked, body_of
from tests.golden_record.kinds import Kind, Made
from tests.golden_record.wire import blank

PAIRS = (
    ("louisiana-stud/standard", "louisiana-stud/stax-required"),
    ("catfish-bend/mississippi-stud", "oceanfront/mississippi-stud"),
    ("catfish-bend/mississippi-stud", "louisiana-stud/standard"),
    ("catfish-bend/matchem-hi-lo", "unusual/four-card-hi-lo"),
    ("catfish-bend/matchem-hi-lo", "catfish-bend/mississippi-stud"),
    ("golden/street-stud-1", "golden/street-stud-2"),
    ("golden/hi-lo-1", "golden/hi-lo-2"),
)
RULES = "tests/exact/rules"


def answer(batch: str, name: str) -> Made:
    """What a command answers about a sheet."""
    if name == "hash":
        return {"hash": shelf.hashes()[batch]}
    if name == "hashes":
        return shelf.hashes()
    answered = asked(*(batch if word == "SHEET" else word for word in name.split()))
    return {"answer": blank(answered) if name.startswith("simulate") else answered}


def about_sheets(sheet: str) -> list[str]:
    """A sheet in words and as JSON, and what is to be said about it."""
    shown = ["sheets show SHEET", "sheets show SHEET --json", "sheets show SHEET --notes"]
    return ["hash", *shown, "sheets check SHEET", "sheets check SHEET --json"]


def about_pairs(batch: str) -> list[str]:
    """How two sheets differ, and what that is worth."""
    many = [f"{one} {two}" for one, two in PAIRS]
    asks = [f"sheets diff {pair}{more}" for pair in many for more in ("", " --json")]
    compares = [f"compare {pair}{more}" for pair in many for more in ("", " --json")]
    return [*asks, *compares, f"compare {many[2]} --ante 10 --json"]


def about_formats(batch: str) -> list[str]:
    """The schemas that editors and clients check by, and the list of sheets."""
    families = ("street-stud", "hi-lo")
    schemas = ["sheets schema --json", *(f"sheets schema {one} --json" for one in families)]
    return [
        "hashes",
        *schemas,
        "sheets schema baccarat --json",
        "rounds schema --json",
        "sheets list",
    ]


def _sides(sheet: str, least: bool = True) -> str:
    bound = "min" if least else "max"
    return "".join(
        f" --side {name}={side['stake'][bound]}" for name, side in shelf.sides_of(sheet).items()
    )


def about_figures(sheet: str) -> list[str]:
    """The mathematics of a sheet: with and without caps, seats, side wagers and strategies."""
    least, most = (shelf.main_of(sheet)[name] for name in ("min", "max"))
    asks = ["math SHEET", "math SHEET --json", f"math SHEET --ante {least} --json"]
    asks += [f"math SHEET --ante {most} --json", f"math SHEET --ante {most}"]
    asks += [f"math SHEET --ante {most} --seats 2 --json", "math SHEET --wager main --json"]
    if shelf.sides_of(sheet):
        asks += [f"math SHEET --ante {least}{_sides(sheet)} --json"]
    asks += [f"math SHEET --strategy {one} --json" for one in strategies(sheet)]
    return asks if _chief(sheet) else [*asks[:2], *asks[3:4], asks[-3]]


def strategies(sheet: str) -> list[str]:
    """Ways to play that the sheet allows, and one that it does not."""
    if "streets" not in body_of(sheet):
        return ["always-low", "never-double", "never-3x"]
    return ["never-fold", "always-1x", "never-low"]


def about_strategies(sheet: str) -> list[str]:
    """Best play and simpler play, as tables and as the whole document."""
    most = shelf.main_of(sheet)["max"]
    family = "stud" if "streets" in body_of(sheet) else "hi-lo"
    asks = ["strategy SHEET", "strategy SHEET --json", f"strategy SHEET --ante {most}"]
    if not _chief(sheet):
        return asks
    asks += [f"strategy SHEET --name {one}" for one in strategies(sheet)]
    return [*asks, f"strategy SHEET --name {RULES}/{family}.toml"]


def about_rounds(sheet: str) -> list[str]:
    """Totals of rounds by seed, and a bankroll's odds."""
    least, most = (shelf.main_of(sheet)[name] for name in ("min", "max"))
    some = strategies(sheet)[0]
    few = "--rounds 400 --workers 1 --json"
    purse = f"--bankroll {20 * float(most):.0f} --hours 0.5"
    asks = [
        f"simulate SHEET --seed 1 {few}",
        f"simulate SHEET --seed 2 --seats {seats(sheet)} --ante {most}{_sides(sheet)} {few}",
        f"simulate SHEET --seed 3 --strategy {some} {few}",
        f"simulate SHEET --seed 4 --seats 2 --strategy best:0.25 {few}",
        "simulate SHEET --seed 5 --rounds 100 --workers 1",
        "simulate SHEET --seed 5 --round 7 --seats 2 --json",
        f"session SHEET {purse} --ante {most} --json",
        f"session SHEET {purse} --goal {5 * float(most):.0f} --ante {least} --hands-per-hour 20",
        f"session SHEET {purse} --simulate 40 --seed 6 --workers 1 --json",
    ]
    return asks if _chief(sheet) else [asks[1], asks[3], asks[5]]


def _chief(sheet: str) -> bool:
    """Whether everything is asked about a sheet; of those drawn at random the chief things are."""
    return not sheet.startswith("golden/")


def seats(sheet: str) -> int:
    """A full table, of six at most."""
    return min(6, int(body_of(sheet)["seats"]["count"]))


def together() -> tuple[str, ...]:
    """The one batch of what is not about a single sheet."""
    return ("all",)


KINDS = (
    Kind("sheets", shelf.ids, about_sheets, answer, batches_sampled=5),
    Kind("pairs", together, about_pairs, answer, sample=3),
    Kind("formats", together, about_formats, answer, sample=7),
    Kind("math", shelf.ids, about_figures, answer, batches_sampled=7),
    Kind("strategy", shelf.ids, about_strategies, answer, keep=3, batches_sampled=4),
    Kind("simulate", shelf.ids, about_rounds, answer, batches_sampled=3),
)
