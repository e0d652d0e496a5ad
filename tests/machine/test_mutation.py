"""Seeded bugs are caught: a few in the default tests, many with the marker `all`."""

from __future__ import annotations

import pytest

from .mutation import CORPUS, DEVICES, KINDS, PAGE, TIMING_ONLY, campaign, corpus


def check(counts: dict, missed: list[str]) -> None:
    """At least 95 % are caught; timing alone changes nothing and is not reported."""
    bugs, caught = (sum(getattr(c, n) for c in counts.values()) for n in ("bugs", "caught"))
    assert bugs and caught >= 0.95 * bugs, missed
    for kind in set(TIMING_ONLY) & counts.keys():
        assert counts[kind].bugs == counts[kind].others_reported == 0, kind


def test_a_few() -> None:
    files = [CORPUS / "reductions" / "softmax.mlir", CORPUS / "elementwise" / "in_place.mlir"]
    kinds = ("drop", "duplicate", "no-sync", "delay", "shrink", "slow")
    check(*campaign(files, ("tri", "sample"), 1, 1, kinds))


@pytest.mark.all
@pytest.mark.parametrize("device", DEVICES)
def test_many(device: str) -> None:
    check(*campaign(corpus()[:: len(DEVICES)], (device,), 1, 11))


def test_the_page_has_the_table() -> None:
    text = PAGE.read_text()
    assert all(f"| `{kind}`: {what} |" in text for kind, what in KINDS.items())
