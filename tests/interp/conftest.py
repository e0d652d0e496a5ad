"""What the tests of loops that run in batches or side by side share."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

Size = Callable[[Any, tuple[Any, ...]], int]


@pytest.fixture
def recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[ModuleType, Callable[[Any, tuple[Any, ...]], int]], list[int]]:
    """`recorded(module, size)`: the sizes, of its result and arguments, of all calls of the module's `_run`."""

    def record(module: ModuleType, size: Callable[[Any, tuple[Any, ...]], int]) -> list[int]:
        found: list[int] = []
        inner = module._run

        def run(*args: Any) -> Any:
            result = inner(*args)
            found.append(size(result, args))
            return result

        monkeypatch.setattr(module, "_run", run)
        return found

    return record
