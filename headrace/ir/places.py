"""Places that need not exist: stores to where a row number read from memory points, under a condition read from memory.

An indirect access whose operation carries the attribute `SKIPS` (an indirect access tile, `ktdf.indirect_memref`,
`agen.composite_indirect_load_and_store`) finds `NOWHERE` in its table where there is no place: nothing is stored.
"""

from __future__ import annotations

SKIPS = "headrace.skips"
NOWHERE = -(1 << 31)
"""The displacement that names no place, as an i32."""
