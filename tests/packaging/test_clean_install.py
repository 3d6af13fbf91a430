"""The wheel plays, serves and computes every bundled game in a clean environment."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from tests.packaging.clean_install import ROOT, CleanInstall

import pitbook
from pitbook.extras import EXTRA_OF

CMS = "catfish-bend/mississippi-stud"
TCP = "pennsylvania/three-card-poker"
# A first decision of every bundled sheet: the player's cards, and the cards turned so far.
SPOTS = {
    "catfish-bend/matchem-hi-lo": ("Ah 4d 7c", ""),
    "catfish-bend/mississippi-stud": ("As Kd", ""),
    "classic/caribbean-stud": ("As Kd Qc Jh 9s", "7d"),
    "classic/casino-holdem": ("As Kd", "7c 8d 2h"),
    "classic/casino-war": ("7s", "7d"),
    "classic/ultimate-three-card-poker": ("As Kd 7c", "9d"),
    "louisiana-stud/standard": ("As Kd", ""),
    "louisiana-stud/stax-required": ("As Kd", ""),
    "oceanfront/mississippi-stud": ("As Kd", ""),
    "pennsylvania/crazy-4-poker": ("As Kd Qc 7h 2s", ""),
    "pennsylvania/four-card-poker": ("As Kd Qc 7h 2s", "9d"),
    "pennsylvania/let-it-ride": ("As Kd Qc", ""),
    "pennsylvania/mississippi-stud": ("As Kd", ""),
    "pennsylvania/three-card-poker": ("Qs 6d 4c", ""),
    "pennsylvania/ultimate-texas-holdem": ("As Kd", ""),
}
COMPUTE = """\
import json, sys, pitbook
answers = []
for sheet, cards, community in json.loads(sys.argv[1]):
    figures = pitbook.figures(sheet).document()
    answers.append([figures, pitbook.advice(sheet, cards, community).document()])
print(json.dumps(answers))
"""
IMPORT_ALL = """\
import importlib, json, pkgutil, pitbook, pitbook_demo
missing = {}
for package in (pitbook, pitbook_demo):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name.endswith(("__main__", ".env")):
            continue
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            missing[module.name] = error.name or str(error)
print(json.dumps(missing))
"""


SIZE_MAX = 120_000_000  # Bytes of the core with everything that it installs.
MISSING_IN_CORE = {"matplotlib"}  # Modules that are imported to draw a plot.


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> CleanInstall:
    return CleanInstall(tmp_path_factory.mktemp("core"))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> CleanInstall:
    return CleanInstall(tmp_path_factory.mktemp("house"), "house")


def test_core_has_at_most_eight_dependencies_and_no_server() -> None:
    names = names_in(
        tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    )
    assert len(names) <= 8
    assert not names & {"fastapi", "starlette", "uvicorn", "sqlalchemy", "numba"}


@pytest.mark.long
def test_core_takes_under_120_mb(core: CleanInstall) -> None:
    core.run_python("-m", "compileall", "-q", str(core.packages))
    assert sum(file.stat().st_size for file in core.packages.rglob("*")) < SIZE_MAX


@pytest.mark.slow_cases(*(sheet for sheet in SPOTS if sheet != CMS))
@pytest.mark.long
@pytest.mark.parametrize("sheet", SPOTS)
def test_core_computes_plays_drills_and_prints_every_game(core: CleanInstall, sheet: str) -> None:
    cards, community = SPOTS[sheet]
    board_option = ("--community", community) if community else ()
    assert "edge" in core.pitbook("math", sheet)
    assert core.pitbook("advise", sheet, "--cards", cards, *board_option)
    assert "leave with" in core.pitbook("play", sheet, "--seed", "7", text="\n\n1\n1\n1\n\nq\n")
    assert core.pitbook("drill", sheet, "--seed", "7", "--no-keep", text="1\nq\n")
    out = core.folder / sheet.replace("/", "-")
    core.pitbook("papers", "build", sheet, "-o", str(out), "--format", "html")
    assert {"rules.html", "report.html", "sign.html"} <= {file.name for file in out.iterdir()}


@pytest.mark.long
def test_core_names_the_install_command_of_the_house(core: CleanInstall) -> None:
    with pytest.raises(AssertionError, match=re.escape('pip install "pitbook[house]"')):
        core.pitbook("serve")
    assert "  serve " in core.pitbook("--help")


@pytest.mark.long
def test_house_gives_figures_and_advice_for_two_games(house: CleanInstall) -> None:
    """One game without machine code and one with it, through command, function and server."""
    assert compute(house, CMS, TCP) == expected_answers(CMS, TCP)
    with house.serve() as server, server.client() as client:
        answer = get_when_computed(client, f"/api/math/{TCP}")
        assert answer.status_code == 200, answer.text
        spot = {"sheet": TCP, "cards": SPOTS[TCP][0]}
        assert client.post("/api/advise", json=spot).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SPOTS)
def test_house_gives_figures_and_advice_for_every_game(house: CleanInstall, sheet: str) -> None:
    assert compute(house, sheet) == expected_answers(sheet)


@pytest.mark.slow
def test_house_serves_every_game(house: CleanInstall) -> None:
    with house.serve() as server, server.client() as client:
        for sheet, (cards, community) in SPOTS.items():
            assert get_when_computed(client, f"/api/math/{sheet}").status_code == 200, sheet
            spot = {"sheet": sheet, "cards": cards, "community": community}
            answer = client.post("/api/advise", json=spot)
            assert answer.status_code == 200, answer.text
            paper = client.get(f"/api/papers/{sheet}/rules/read")
            assert paper.status_code == 200, paper.text
            server_options = ("--server", str(client.base_url), "--rounds", "1")
            assert house.pitbook("bot", "--practice", sheet, *server_options)


def test_every_bundled_sheet_is_tried() -> None:
    assert {sheet.id for sheet in pitbook.list_sheets()} == set(SPOTS)


@pytest.mark.slow
def test_every_module_is_imported_with_the_house(house: CleanInstall) -> None:
    missing = json.loads(house.ask(IMPORT_ALL))
    assert set(missing.values()) == {"matplotlib"}  # Modules that are imported to draw a plot.


@pytest.mark.long
def test_every_module_of_the_core_is_imported_or_names_an_install_command(
    core: CleanInstall,
) -> None:
    missing = json.loads(core.ask(IMPORT_ALL))
    for name, reason in missing.items():
        assert reason in MISSING_IN_CORE or "pip install" in reason, (name, reason)


@pytest.mark.long
def test_every_import_is_of_a_declared_dependency() -> None:
    """A transitive dependency may disappear with the next version of the package it came with."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    mandatory = names_in(project["dependencies"])
    extras = {names_in(extra) for extra in project["optional-dependencies"].values()}
    declared = mandatory | frozenset().union(*extras) | {"pydantic-core"}  # Pinned by pydantic.
    distributions = packages_distributions()
    for module, path in sorted(third_party_imports(ROOT / "src")):
        packages = {"cupy-cuda12x"} if module == "cupy" else {*distributions[module]}
        assert {normal(name) for name in packages} & declared, f"{path} imports {module}"
        if module in EXTRA_OF:
            assert not {normal(name) for name in packages} & mandatory, f"{module} is not optional"


def get_when_computed(client: httpx.Client, path: str) -> httpx.Response:
    """The response once the server has computed what it needs; until then it returns 503."""
    deadline = monotonic() + 120
    while True:
        answer = client.get(path)
        waits = answer.status_code == 503 and answer.json()["key"] == "exact.large.awaited"
        if not waits or monotonic() > deadline:
            return answer
        sleep(0.5)


def compute(clean: CleanInstall, *sheets: str) -> Any:
    spots = [(sheet, *SPOTS[sheet]) for sheet in sheets]
    return json.loads(clean.ask(COMPUTE, json.dumps(spots)))


def expected_answers(*sheets: str) -> Any:
    """The same figures and advice as computed in this environment."""
    answers = [
        [pitbook.figures(sheet).document(), pitbook.advice(sheet, *SPOTS[sheet]).document()]
        for sheet in sheets
    ]
    return json.loads(json.dumps(answers))


def third_party_imports(folder: Path) -> set[tuple[str, str]]:
    """The top-level modules that code imports, or loads by name, each with a file that does."""
    imports = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for name in imported_names(node):
                module = name.partition(".")[0]
                if module not in sys.stdlib_module_names and not module.startswith("pitbook"):
                    imports.add((module, path.relative_to(ROOT).as_posix()))
    return imports


def imported_names(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case ast.Call(
            func=ast.Name(id="import_module" | "load_extra" | "require_extra")
            | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(module)), *_],
        ):
            return [module]
    return []


def names_in(requirements: list[str]) -> frozenset[str]:
    return frozenset(normal(re.split(r"[\[<>=~! ;]", line)[0]) for line in requirements)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
