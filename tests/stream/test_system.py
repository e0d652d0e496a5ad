"""System files: what is read, what is refused and how."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from headrace.ir.diagnostics import HeadraceError
from headrace.stream.system import load_system, parse_system


def test_file(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text(
        json.dumps(
            {
                "devices": {"a": {"gflops": 10, "memory_bytes": 1000}, "b": {}},
                "links": [{"from": "a", "to": "b", "gbytes_per_s": 1, "latency_ns": 50}],
            }
        )
    )
    system = load_system(path)
    assert system.device("a").memory_bytes == 1000
    assert system.transfer_ns("a", "b", 1000) == 1050
    assert system.device("b").parallel == 1
    assert not system.topology().flag("a", "b", "unified_memory")


@pytest.mark.parametrize(
    "data,message",
    [
        ([], "expected an object"),
        ({"devices": {"a": {"gflop": 1}}}, "unknown key 'gflop'; did you mean 'gflops'"),
        ({"devices": {"a": {"gflops": "fast"}}}, "'gflops' cannot be 'fast'"),
        ({"devices": {"a": {"parallel": 0}}}, "'parallel' cannot be 0"),
        ({"devices": {"a": {}}, "links": [{"from": "a", "to": "c"}]}, "unknown device 'c'"),
        ({"devices": {"a": {}}, "links": [{"from": "a"}]}, "needs 'from' and 'to'"),
    ],
)
def test_refused(data: Any, message: str) -> None:
    with pytest.raises(HeadraceError, match=message):
        parse_system(data)


def test_missing_and_broken(tmp_path: Path) -> None:
    with pytest.raises(HeadraceError, match="cannot read"):
        load_system(tmp_path / "none.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(HeadraceError, match="not JSON"):
        load_system(tmp_path / "broken.json")
