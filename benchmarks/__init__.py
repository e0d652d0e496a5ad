"""Measurements: `python -m benchmarks [GROUP...] [--json]`.

Each group is a module with `run() -> list[Case]`. Simulated figures are exact and compared with `expected.json`
(`--update` rewrites it); host times are medians, measured against a reference in the same run.
"""
