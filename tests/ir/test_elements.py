"""Dense constants: the one value of those whose elements are all the same bits."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float64Type,
    IndexType,
    IntegerType,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute

from headrace.ir.elements import splat_value


@pytest.mark.parametrize(
    ("element", "values", "same"),
    [
        (IndexType(), [7, 7, 7], 7),
        (IndexType(), [7, 7, 8], None),
        (IntegerType(4), [3, 3], 3),
        (IntegerType(8), [-3, -3], -3),
        (IntegerType(64), [1 << 40, 1 << 40], 1 << 40),
        (Float16Type(), [1.5, 1.5], 1.5),
        (BFloat16Type(), [2.0, 2.0], 2.0),
        (Float64Type(), [0.0, -0.0], None),
    ],
)
def test_same_bits(element: Attribute, values: list[int | float], same: int | float | None) -> None:
    constant = DenseIntOrFPElementsAttr.from_list(TensorType(element, [len(values)]), values)  # type: ignore[arg-type]
    assert splat_value(constant) == same


def test_no_element_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile time must not depend on the size of a tensor."""
    t = TensorType(Float16Type(), [512, 512])
    constants = [DenseIntOrFPElementsAttr.from_list(t, [v] * 512 * 512) for v in (1.5, -2.0)]
    monkeypatch.setattr(DenseIntOrFPElementsAttr, "get_values", lambda _: pytest.fail("every element was unpacked"))
    assert [splat_value(c) for c in constants] == [1.5, -2.0]


def test_other_attributes() -> None:
    assert splat_value(None) is None and splat_value(StringAttr("1")) is None
