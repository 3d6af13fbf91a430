"""Answers of commands about sheets: wording, hashes, findings, figures and totals."""

from __future__ import annotations

from tests.golden_record import shelf
from tests.golden_record.adapter import body_of, run_command
from tests.golden_record.kinds import ItemParts, Kind
from tests.golden_record.wire import mask_varying_parts

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


def command_answer(batch: str, name: str) -> ItemParts:
    """The answer of a command about a sheet."""
    if name == "hash":
        return {"hash": shelf.hashes()[batch]}
    if name == "hashes":
        return shelf.hashes()
    response = run_command(*(batch if word == "SHEET" else word for word in name.split()))
    return {"answer": mask_varying_parts(response) if name.startswith("simulate") else response}


def sheet_commands(sheet: str) -> list[str]:
    """Commands that show a sheet in words and as JSON, with its notes and findings."""
    show_commands = ["sheets show SHEET", "sheets show SHEET --json", "sheets show SHEET --notes"]
    return ["hash", *show_commands, "sheets check SHEET", "sheets check SHEET --json"]


def pair_commands(batch: str) -> list[str]:
    """Commands that compare two sheets, with the effects on the edge."""
    pairs = [f"{first} {two}" for first, two in PAIRS]
    diff_commands = [f"sheets diff {pair}{option}" for pair in pairs for option in ("", " --json")]
    compare_commands = [f"compare {pair}{option}" for pair in pairs for option in ("", " --json")]
    return [*diff_commands, *compare_commands, f"compare {pairs[2]} --ante 10 --json"]


def format_commands(batch: str) -> list[str]:
    """Commands for the schemas that editors and clients use, and for the list of sheets."""
    families = ("street-stud", "hi-lo")
    schemas = ["sheets schema --json", *(f"sheets schema {family} --json" for family in families)]
    return [
        "hashes",
        *schemas,
        "sheets schema baccarat --json",
        "rounds schema --json",
        "sheets list",
    ]


def _side_options(sheet: str, least: bool = True) -> str:
    bound = "min" if least else "max"
    return "".join(
        f" --side {name}={side['stake'][bound]}" for name, side in shelf.side_wagers(sheet).items()
    )


def figure_commands(sheet: str) -> list[str]:
    """Commands for figures of a sheet: with and without caps, seats, side wagers and strategies."""
    ante_min, ante_max = (shelf.main_stake(sheet)[name] for name in ("min", "max"))
    commands = ["math SHEET", "math SHEET --json", f"math SHEET --ante {ante_min} --json"]
    commands += [f"math SHEET --ante {ante_max} --json", f"math SHEET --ante {ante_max}"]
    commands += [f"math SHEET --ante {ante_max} --seats 2 --json", "math SHEET --wager main --json"]
    if shelf.side_wagers(sheet):
        commands += [f"math SHEET --ante {ante_min}{_side_options(sheet)} --json"]
    commands += [f"math SHEET --strategy {strategy} --json" for strategy in strategies(sheet)]
    return commands if _is_fully_covered(sheet) else [*commands[:2], *commands[3:4], commands[-3]]


def strategies(sheet: str) -> list[str]:
    """Strategies that the sheet allows, and one that it does not."""
    if "streets" not in body_of(sheet):
        return ["always-low", "never-double", "never-3x"]
    return ["never-fold", "always-1x", "never-low"]


def strategy_commands(sheet: str) -> list[str]:
    """Commands for best play and simpler play, as tables and as JSON."""
    ante_max = shelf.main_stake(sheet)["max"]
    family = "stud" if "streets" in body_of(sheet) else "hi-lo"
    commands = ["strategy SHEET", "strategy SHEET --json", f"strategy SHEET --ante {ante_max}"]
    if not _is_fully_covered(sheet):
        return commands
    commands += [f"strategy SHEET --name {strategy}" for strategy in strategies(sheet)]
    return [*commands, f"strategy SHEET --name {RULES}/{family}.toml"]


def simulation_commands(sheet: str) -> list[str]:
    """Commands for simulated totals by seed, and for the risk of a bankroll."""
    ante_min, ante_max = (shelf.main_stake(sheet)[name] for name in ("min", "max"))
    strategy = strategies(sheet)[0]
    flags = "--rounds 400 --workers 1 --json"
    bank = f"--bankroll {20 * float(ante_max):.0f} --hours 0.5"
    commands = [
        f"simulate SHEET --seed 1 {flags}",
        f"simulate SHEET --seed 2 --seats {seats(sheet)} --ante {ante_max}"
        f"{_side_options(sheet)} {flags}",
        f"simulate SHEET --seed 3 --strategy {strategy} {flags}",
        f"simulate SHEET --seed 4 --seats 2 --strategy best:0.25 {flags}",
        "simulate SHEET --seed 5 --rounds 100 --workers 1",
        "simulate SHEET --seed 5 --round 7 --seats 2 --json",
        f"session SHEET {bank} --ante {ante_max} --json",
        f"session SHEET {bank} --goal {5 * float(ante_max):.0f} --ante {ante_min} "
        "--hands-per-hour 20",
        f"session SHEET {bank} --simulate 40 --seed 6 --workers 1 --json",
    ]
    return commands if _is_fully_covered(sheet) else [commands[1], commands[3], commands[5]]


def _is_fully_covered(sheet: str) -> bool:
    """Whether every command is recorded for a sheet; random sheets have fewer."""
    return not sheet.startswith("golden/")


def seats(sheet: str) -> int:
    """The seats of a full table, at most six."""
    return min(6, int(body_of(sheet)["seats"]["count"]))


def single_batch() -> tuple[str, ...]:
    """The only batch of commands that are not about a single sheet."""
    return ("all",)


KINDS = (
    Kind("sheets", shelf.sheet_ids, sheet_commands, command_answer, batches_sampled=5),
    Kind("pairs", single_batch, pair_commands, command_answer, sample=3),
    Kind("formats", single_batch, format_commands, command_answer, sample=7),
    Kind("math", shelf.sheet_ids, figure_commands, command_answer, batches_sampled=7),
    Kind("strategy", shelf.sheet_ids, strategy_commands, command_answer, keep=3, batches_sampled=4),
    Kind("simulate", shelf.sheet_ids, simulation_commands, command_answer, batches_sampled=3),
)
