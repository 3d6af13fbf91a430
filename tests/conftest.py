"""Whatever is random in a test run shows how to run it again."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import hypothesis
import pytest
from tests.command_line import ask, shell  # noqa: F401  The two ways to call pitbook.
from tests.lanes import THOROUGH
from tests.postgres import postgres  # noqa: F401  Whoever asks for it gets a real server.

pytest_plugins = ("tests.spent",)

# Whole rule sheets are large and slow to make; that is no fault of the tests that need them.
LARGE = [
    hypothesis.HealthCheck.data_too_large,
    hypothesis.HealthCheck.filter_too_much,
    hypothesis.HealthCheck.too_slow,
]
hypothesis.settings.register_profile(
    "pitbook", deadline=None, print_blob=True, suppress_health_check=LARGE
)
hypothesis.settings.register_profile(
    "sample", hypothesis.settings.get_profile("pitbook"), max_examples=25
)
hypothesis.settings.load_profile("pitbook" if THOROUGH else "sample")

# Houses and commands are started by the hundred; each opens half a second sooner where the first
# may keep what it compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# They play long over lines that quicker tests reach as well; counting lines makes them three times
# as slow, and finds nothing that the rest of the run does not.
UNCOUNTED = (
    "browser",
    "chaos",
    "clauses/test_every_choice.py",
    "engine/test_properties.py",
    "exact/test_advice",
    "exact/test_followed.py",
    "exact/test_hi_lo_plain.py",
    "exact/test_joint.py",
    "exact/test_published.py",
    "exact/test_sides.py",
    "exact/test_strategy.py",
    "exact/test_stud_plain.py",
    "faults",
    "fuzz",
    "hands/test_fewer_cards.py",
    "hands/test_five_cards.py",
    "nights/test_always_closes.py",
    "nights/test_killed_steps.py",
    "nights/test_whole_night.py",
    "nights/tournament/test_machine.py",
    "sheets/test_digest.py",
    "sheets/test_exposure.py",
    "sheets/test_mutations.py",
    "simulate/test_against_exact.py",
    "simulate/test_dealing.py",
    "simulate/test_kernels.py",
    "simulate/test_session_chain.py",
    "simulate/test_session_p",
    "simulate/test_settlement.py",
    "table/test_hand_by_hand_properties.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.random)
        if item.path.is_relative_to(here):
            place = item.path.relative_to(here).as_posix()
            if place.startswith(UNCOUNTED):
                item.add_marker(pytest.mark.no_cover)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    # xdist hands the options on, so all workers share the seed that the header shows.
    if config.getoption("--hypothesis-seed") is None:
        fixed = os.environ.get("CI")  # What lands is judged alike each time; at home, look anew.
        config.option.hypothesis_seed = "52" if fixed else str(secrets.randbits(32))


def pytest_report_header(config: pytest.Config) -> str:
    return f"to repeat this run: --hypothesis-seed={config.getoption('--hypothesis-seed')}"
