"""Every reader accepts or refuses untrusted input quickly, even at its size limit.

Times are processor times, compared with reading a sheet of known size just before, so that slow or
busy machines are allowed more.
"""

from __future__ import annotations

import base64
import functools
import json
import random
import shutil
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile, ZipInfo

import httpx
import pytest
from tests.cli.conftest import Furnish, furnish  # noqa: F401
from tests.cli.ledger_folders import cage_book, use_folder
from tests.command_line import Ask
from tests.house.web.conftest import LoopRunner, app, client, house, people, run, settings  # noqa: F401
from tests.sheets.samples import CMS, text_of

from pitbook.cli.verify_deal import _read_proof as proof_document
from pitbook.errors import PitbookError
from pitbook.exact.rule_files import BYTES_MAX as RULE_FILE_MAX
from pitbook.house.inspect.day_close import is_authentic
from pitbook.house.ledger import backup, checkpoints, data_folder
from pitbook.house.ledger.anchors import FileAnchor
from pitbook.house.ledger.keys import read_keys
from pitbook.house.nights.house_rules import parse_rules
from pitbook.house.nights.house_rules import parse_table as examine_table
from pitbook.house.nights.tournament.player_list_import import TEXT_MAX as LIST_MAX
from pitbook.house.nights.tournament.player_list_import import list_error, listed_names
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.people import names
from pitbook.house.people.roster import Roster
from pitbook.house.web.edge import parse_json
from pitbook.house.web.sharing import Links
from pitbook.json_size import has_more_values
from pitbook.money import Cents
from pitbook.rules import round_file
from pitbook.rules.game import compile_game
from pitbook.sheets.load import BYTES_MAX, examine
from pitbook.sheets.toml_positions import VALUES_MAX
from pitbook.shoe.verdict import read_known_round
from pitbook.shoe.verify import verify
from pitbook.simulation import strategy

SECONDS = 0.3
SHEET_READS_ALLOWED = 60  # The number of sheets read in that time.
HOME = Path(__file__).parents[1]
PROOFS = HOME / "frontend" / "src" / "verify" / "proofs" / "cards"
ROUND = {"sheet": CMS, "seats": [{"seat": 1, "wagers": {"ante": "5"}, "cards": ["Ah", "Kh"]}]}


def repeat_to_size(unit: str, size: int) -> str:
    return unit * (size // len(unit))


def repeat_numbered(unit: str, size: int) -> str:
    return "".join(unit.replace("#", str(number)) for number in range(size // (len(unit) + 5)))


def toml(size: int, sheet: str) -> Iterator[tuple[str, str]]:
    """TOML texts with that many characters, or with as many values as allowed."""
    size -= 20
    for name, entry in (
        ("numbers", "1,"),
        ("lines", "1,\n"),
        ("texts", '"é",'),
        ("inline tables", "{},"),
        ("dates", "2020-01-01,"),
        ("nests", "[" * 25 + "]" * 25 + ","),
    ):
        yield name, "a=[" + repeat_to_size(entry, size) + "]"
        repeats = min(VALUES_MAX - 100, (size - 100) // len(entry))
        yield f"{name}, as many as are read", "a=[" + entry * repeats + "]"
    for name, entry in (
        ("keys", "k#=1\n"),
        ("quoted keys", '"k#"=1\n'),
        ("dotted keys", "a.b.k#=1\n"),
        ("tables", "[t#]\n"),
        ("arrays of tables", "[[a]]\n[[a.b]]\n"),
    ):
        yield name, repeat_numbered(entry, size)
        yield f"{name}, as many as are read", repeat_numbered(entry, min(size, 45_000))
        filler = repeat_numbered(entry, min(size, 45_000) - 10_000)
        yield f"{name} before a sheet", (filler if "k" in entry else "") + sheet + filler
    yield "nested lists", "a=" + "[" * (size // 2) + "]" * (size // 2)
    yield "nested tables", "a=" + "{a=" * (size // 4)
    yield "one deep key", "a" + ".a" * (size // 2) + "=1"
    yield "long string", 'a="' + "x" * size + '"'
    yield "long key", "x" * size + "=1"
    yield "escapes", 'a="' + repeat_to_size("\\u0041", size) + '"'
    yield "many lines in a string", 'a="""' + "\n" * size + '"""'
    yield "open strings", '"' * size
    yield "open literals", "'" * size
    yield "comments", repeat_to_size("#\n", size)
    yield "empty lines", "\n" * size
    yield "long integer", "a=" + "1" * size
    yield "long hexadecimal", "a=0x" + "f" * size
    yield "long fraction", "a=0." + "1" * size
    yield "huge exponent", "a=1e999999999"
    yield "open brackets", "[" * size
    yield "equals signs", "=" * size
    lines = repeat_numbered('pair-# = "1:1"\n', min(size, 90_000))
    yield "a sheet with many pay lines", sheet.replace('royal-flush = "500:1"', lines)
    yield "a sheet with a long price", sheet.replace("500:1", "9" * (size - 9_000) + ":1")
    yield "a sheet with a long number", sheet.replace("decks = 1", "decks = 0x" + "f" * 50_000)


def json_texts(size: int, document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """JSON texts of that size, on their own and as a field of a valid document."""
    size -= 20
    inside = json.dumps(document)[:-1] + (", " if document else "")
    keys = repeat_numbered('"k#":1,', size)
    for name, text in (
        ("list", "[" + repeat_to_size("1,", size) + "1]"),
        ("lists", "[" + repeat_to_size("[],", size) + "1]"),
        ("objects", "[" + repeat_to_size("{},", size) + "1]"),
        ("nested lists", "[" * (size // 2) + "]" * (size // 2)),
        ("keys", "{" + keys + '"z":1}'),
        ("a key twice at the end", "{" + keys + '"k0":1}'),
        ("long string", '"' + "x" * size + '"'),
        ("escapes", '"' + repeat_to_size("\\u0041", size) + '"'),
        ("open string", '"' + repeat_to_size('\\"', size)),
        ("long integer", "1" * size),
        ("long fraction", "0." + "1" * size),
        ("huge exponent", "1e999999999"),
        ("spaces", " " * size),
    ):
        yield name, text
        yield f"{name} inside", inside + '"more": ' + text + "}"
    yield "more fields", inside + repeat_numbered('"k#":1,', size - len(inside)) + '"z":1}'


def round_texts() -> Iterator[tuple[str, str]]:
    yield from json_texts(round_file.TEXT_MAX - 1_000, ROUND)
    size = round_file.TEXT_MAX - 1_000
    for entry in ("{}", "1", '{"seat":1,"wagers":{"ante":"5"},"cards":["Ah","Kh"]}'):
        for count in (size // (len(entry) + 1), 4_000):
            seats = ",".join([entry] * min(count, size // (len(entry) + 1)))
            yield f"seats {entry[:9]} x {count}", '{"sheet": "f", "seats": [' + seats + "]}"


def proof_texts() -> Iterator[tuple[str, str]]:
    proof = json.loads((PROOFS / "stud-of-a-player.json").read_text(encoding="utf-8"))
    yield from json_texts(4_900_000, proof)
    for name in ("drawn", "format"):
        for number in (10**18, 10**4_000, -1):
            yield f"{name} {str(number)[:5]}", json.dumps({**proof, name: number})
    body = proof["round"]["sheet"]["body"]
    for place in (body, body["house"], proof["shoe"], proof["round"]):
        place |= {f"k{number}": 1 for number in range(25_000)}
        yield f"more fields {len(place)}", json.dumps(proof)
        for number in range(25_000):
            del place[f"k{number}"]


def list_texts() -> Iterator[tuple[str, str]]:
    size = LIST_MAX - 20
    yield "names", repeat_numbered("player #\n", size)
    yield "commas", "," * size
    yield "one line", "name\n" + "a," * (size // 2 - 5)
    yield "quotes", '"' * size
    yield "open quote", '"' + "x" * size
    yield "letters", "".join(chr(0x4E00 + number % 20_000) + "\n" for number in range(size // 2))
    yield "accents", "a" + "\u0301" * size
    yield "ligatures", repeat_to_size("\ufdfa\n", size)
    yield "marks", repeat_numbered("zoe (#)\n", size)
    yield "empty lines", "\n" * size


def close_texts() -> Iterator[tuple[str, str]]:
    yield from json_texts(1_000_000, {"digest": "0" * 64, "signature": "0" * 128})
    yield "many lines", repeat_to_size("{}\n", 1_000_000)


def guest_texts() -> Iterator[tuple[str, str]]:
    """As many distinct names as a list may have, each of maximum length."""
    yield from list_texts()
    random_source = random.Random(1)
    for script, first, last in (
        ("Latin", 0xC0, 0x24F),
        ("Cyrillic", 0x400, 0x52F),
        ("Greek", 0x1F00, 0x1FFF),
        ("all scripts", 0x100, 0x2FFF),
        ("Chinese", 0x4E00, 0x9FFF),
    ):
        letters = [chr(code) for code in range(first, last) if chr(code).isalpha()]
        lines = ("".join(random_source.choices(letters, k=48)) for _ in range(2_000))
        yield f"letters of {script}", "\n".join(lines)[: LIST_MAX - 20]


def token_texts() -> Iterator[tuple[str, str]]:
    links = Links(SECRET)
    for size in (1_000, 1_000_000):
        for name, text in json_texts(size, {}):
            yield f"{name} x {size}", text
            yield f"{name} x {size}, with dots", text.replace(",", ".")
        payload = "A" * size
        yield f"letters x {size}", payload
        yield f"signed x {size}", f"{payload}.{_signature(links, payload)}"
    for payload in (
        encode_repeated("[", 600),
        encode_repeated("9", 600),
        encode_repeated("é", 100),
    ):
        yield f"signed {payload[:9]}", f"{payload}.{_signature(links, payload)}"


SECRET = b"s" * 32


def encode_repeated(unit: str, count: int) -> str:
    return base64.urlsafe_b64encode((unit * count).encode()).decode().rstrip("=")


def _signature(links: Links, payload: str) -> str:
    return base64.urlsafe_b64encode(links._mac(payload)).decode().rstrip("=")


def line_texts(size: int = 400_000) -> Iterator[tuple[str, str]]:
    """JSON lines files that may come from others: checkpoints, anchors, keys."""
    yield from json_texts(size, {"heads": {}, "practice": [], "at": "", "previous": ""})
    yield "many lines", repeat_to_size("{}\n", size)
    heads = {f"table/{number}": [number, "0" * 64] for number in range(10_000)}
    yield "many heads", json.dumps({"heads": heads, "practice": list(heads)})
    yield "odd heads", json.dumps({"heads": dict.fromkeys(heads, "xx"), "practice": []})


def read_guests(text: str) -> object:
    """Like the route that registers a list, with empty name caches."""
    for cached in (
        names.format_error,
        names.mixed_script_error,
        names.normalize_name,
        names.confusable_forms,
    ):
        cached.cache_clear()
    if (refusal := list_error(text)) is not None:
        return refusal
    return [Roster().resolve_name(row.name) for row in listed_names(text)]


def from_file(read: Callable[[Path], object]) -> Callable[[str], object]:
    """A reader of texts from a reader of files."""

    def reader(text: str) -> object:
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "file"
            path.write_text(text, encoding="utf-8")
            return read(path)

    return reader


@functools.cache
def stud() -> Any:
    return compile_game(examine(text_of(CMS), "f").sheet)


def rule_texts() -> Iterator[tuple[str, str]]:
    yield from toml(RULE_FILE_MAX, text_of(CMS))
    last = '[[street]]\nplay="fold"\n'
    hands = '"pair",' * 9_000
    yield "one rule of many hands", f'[[street]]\nmade=[{hands}]\nplay="1x"\n{last}'
    yield "many rules", '[[street]]\nmade=["flush"]\nplay="1x"\n' * 2_000 + last


def read_body(text: str) -> object:
    """Read like the server, whose route reports invalid JSON."""
    try:
        return parse_json(text)
    except (json.JSONDecodeError, RecursionError):
        return None


def read_list(text: str) -> object:
    return list_error(text), listed_names(text)


READERS: dict[str, tuple[Callable[[str], object], Callable[[], Iterator[tuple[str, str]]]]] = {
    "sheet": (lambda text: examine(text, "f"), lambda: toml(BYTES_MAX, text_of(CMS))),
    "schedule": (
        lambda text: examine_table(Schedule, text, "f"),
        lambda: toml(BYTES_MAX, text_of(CMS)),
    ),
    "house rules": (lambda text: parse_rules(text, "f"), lambda: toml(BYTES_MAX, text_of(CMS))),
    "rule file": (lambda text: strategy.parse_rules(text, "f", stud(), Cents(1_000)), rule_texts),
    "round file": (round_file.parse, round_texts),
    "proof": (lambda text: verify(proof_document(text)), proof_texts),
    "record beside a proof": (lambda text: read_known_round(proof_document(text)), proof_texts),
    "list of players": (read_list, list_texts),
    "close of a day": (lambda text: is_authentic(text, "0" * 64, "jsonl"), close_texts),
    "close of a day in CSV": (lambda text: is_authentic(text, "0" * 64, "csv"), close_texts),
    "list of guests, each looked up": (read_guests, guest_texts),
    "signed link": (Links(SECRET).read, token_texts),
    "checkpoints": (from_file(checkpoints.read_checkpoints), line_texts),
    "anchor": (from_file(lambda path: FileAnchor(path).read()), line_texts),
    "keys": (from_file(lambda path: read_keys(path, allow_shared=True)), line_texts),
    "body of a request": (read_body, lambda: json_texts(190_000, {})),
    "name": (lambda text: names.name_error(text[: names.NAME_MAX]), list_texts),
}


def processor_seconds(work: Callable[[], object]) -> float:
    """Processor seconds until the input is read or refused with a message."""
    start = time.process_time()
    with suppress(PitbookError):
        work()
    return time.process_time() - start


def allowed_seconds() -> float:
    """Allowed processor seconds, raised if this machine currently reads sheets slowly."""
    sheet = text_of(CMS)
    return max(SECONDS, SHEET_READS_ALLOWED * processor_seconds(lambda: tomllib.loads(sheet)))


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
def test_any_input_is_read_or_refused_quickly(reader: str) -> None:
    read, texts = READERS[reader]
    processor_seconds(lambda: read(next(texts())[1]))  # Modules are imported on the first call.
    slow: dict[str, float] = {}
    for name, text in texts():
        for _ in range(3):
            slow[name] = processor_seconds(functools.partial(read, text))
            if slow[name] < allowed_seconds():
                del slow[name]
                break
    assert not slow


def test_a_sheet_of_too_many_values_is_refused_over_http(
    run: LoopRunner,  # noqa: F811
    client: httpx.AsyncClient,  # noqa: F811
) -> None:
    text = f"a=[{'1,' * 98_990}1]"
    assert len(text) > 197_000
    answer = run(client.post("/api/sheets/check", json={"toml": text}))
    (finding,) = answer.json()["findings"]
    assert answer.status_code == 200
    assert (finding["code"], finding["line"]) == ("syntax", 1)
    assert finding["message"] == "The text has more than 10,000 values. Shorten it."
    assert len(answer.content) < 20_000, "the line is not quoted whole"


def test_values_are_counted_outside_strings_and_comments() -> None:
    commas = "," * (VALUES_MAX + 1)
    assert examine(f'a="{commas}" # {commas}', "f").findings[0].code != "syntax"
    largest = "[" + "1," * (VALUES_MAX - 3) + "1]"
    assert examine(f"a={largest}", "f").findings[0].code == "family"
    assert examine(f"a={largest}\nb=[1,1]", "f").findings[0].code == "syntax"
    assert not has_more_values(json.dumps([commas]), 1)


def test_column_counts_characters_and_not_bytes() -> None:
    for before in ("", "é", "\U0001f0a1é"):
        text = text_of(CMS) + f'\n[zz]\nx = ["{before}", "y", 1]\n'
        (finding,) = examine(text, "f").findings
        assert finding.quoted == "[zz]"
    bad = text_of(CMS).replace("bets = [1, 2, 3]", 'bets = ["é", "ü\U0001f0a1", 3]', 1)
    columns = [column_finding.column for column_finding in examine(bad, "f").findings]
    assert columns == [9, 14]


@pytest.fixture
def archive(
    tmp_path: Path,
    furnish: Furnish,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    ask: Ask,
) -> Path:
    use_folder(tmp_path, monkeypatch)
    furnish(cage_book, tmp_path / "house")
    assert ask("backup", "good.zip", "--data", "house", "--with-keys").code == 0
    return tmp_path / "good.zip"


def refusal_of_restore(ask: Ask, file: Path) -> str:
    """The refusal of a backup that was quick and left nothing behind."""
    seconds, refusals = [], set()
    for _ in range(3):
        start = time.process_time()
        answer = ask("restore", file.name, "--data", "again")
        seconds.append(time.process_time() - start)
        refusals.add(answer.err)
        assert answer.code == 1
        assert not Path("again").exists()
    assert min(seconds) < allowed_seconds()
    (refusal,) = refusals
    return refusal


def replace_member(archive: Path, member: str, size: int, packing: int = ZIP_DEFLATED) -> Path:
    """A backup with one file replaced by that many spaces."""
    bomb = archive.with_name("bomb.zip")
    with ZipFile(archive) as good, ZipFile(bomb, "w") as bad:
        for member_name in good.namelist():
            if member_name != member:
                bad.writestr(member_name, good.read(member_name))
        with bad.open(bad_info(member, packing), "w", force_zip64=True) as out:
            for _ in range(size // MIB):
                out.write(b" " * MIB)
    return bomb


def bad_info(member: str, packing: int) -> ZipInfo:
    zip_info = ZipInfo(member)
    zip_info.compress_type = packing
    return zip_info


MIB = 1024**2


@pytest.mark.long
@pytest.mark.parametrize(
    "member",
    [backup.MANIFEST, *backup._TABLES, data_folder.KEYS_FILE, data_folder.CHECKPOINTS_FILE],
)
def test_a_zip_bomb_is_refused_by_its_directory(
    ask: Ask, archive: Path, monkeypatch: pytest.MonkeyPatch, member: str
) -> None:
    bomb = replace_member(archive, member, backup.SMALL + MIB)
    assert bomb.stat().st_size < MIB
    monkeypatch.setattr(ZipFile, "open", None)  # Nothing is unpacked.
    monkeypatch.setattr(ZipFile, "read", None)
    refusal = refusal_of_restore(ask, bomb)
    assert f"{member!r} takes " in refusal
    assert "would unpack to 68,157,440" in " ".join(refusal.split())


def test_a_backup_in_a_packing_of_another_kind_is_refused(ask: Ask, archive: Path) -> None:
    bomb = replace_member(archive, "entries.jsonl", MIB, ZIP_LZMA)
    assert "compressed in a way that Pitbook does not use" in refusal_of_restore(ask, bomb)


def test_a_backup_that_unpacks_to_more_than_it_says_is_refused(ask: Ask, archive: Path) -> None:
    """A directory entry with too small a size is detected."""
    with ZipFile(archive) as good:
        (entries,) = (member for member in good.infolist() if member.filename == "entries.jsonl")
    raw, size = bytearray(archive.read_bytes()), entries.file_size
    place = raw.rindex(b"PK\x01\x02", 0, raw.rindex(b"entries.jsonl"))
    assert int.from_bytes(raw[place + 24 : place + 28], "little") == size
    raw[place + 24 : place + 28] = (size // 2).to_bytes(4, "little")
    archive.write_bytes(raw)
    assert "damaged" in refusal_of_restore(ask, archive)


def test_files_of_a_backup_that_overlap_are_refused(ask: Ask, archive: Path) -> None:
    raw = bytearray(archive.read_bytes())
    place = raw.rindex(b"PK\x01\x02", 0, raw.rindex(b"entries.jsonl"))
    raw[place + 20 : place + 24] = (len(raw) + 1).to_bytes(4, "little")
    archive.write_bytes(raw)
    assert "its files are larger than the archive itself" in refusal_of_restore(ask, archive)


def test_an_endless_row_is_refused(
    ask: Ask, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "ROW_MAX", 100)
    assert "has a line of more than 100 bytes" in refusal_of_restore(ask, archive)


def test_a_backup_larger_than_the_disk_is_refused_before_anything_is_written(
    ask: Ask, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ZipFile(archive) as good:
        needed = backup.ON_DISK * sum(member.file_size for member in good.infolist())
    usage = shutil.disk_usage(archive.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=needed - 1))
    refusal = " ".join(refusal_of_restore(ask, archive).split())
    assert f"takes about {needed:,} bytes" in refusal
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=needed))
    assert ask("restore", archive.name, "--data", "again").code == 0


def test_an_archive_cannot_be_verified_as_a_data_folder(ask: Ask, archive: Path) -> None:
    """`audit verify` reads folders only and never unpacks archives."""
    bomb = replace_member(archive, "entries.jsonl", backup.SMALL + MIB)
    before = sorted(archive.parent.iterdir())
    for arguments in (["--data", bomb.name], ["--data", "house", "--checkpoint", bomb.name]):
        answer = ask("audit", "verify", *arguments)
        assert answer.code == 1
        assert bomb.name in answer.err
        assert "Traceback" not in answer.err
    assert sorted(archive.parent.iterdir()) == before
