"""What the fuzzers ask for: luck that can be had again."""

from __future__ import annotations

from tests.chaos.conftest import seed  # noqa: F401  As the fault tests have it.
