"""`python -m benchmarks [GROUP...] [--json] [--update]`. Exit status 1: a figure moved or a goal is missed."""

from __future__ import annotations

import argparse
import importlib
import json
import sys

from benchmarks.common import EXPECTED, Case

GROUPS = ("schedule", "simulate", "compile", "launch", "startup")
ON_REQUEST = ("estimate", "parse", "stream")
"""Groups that take minutes: run only when named."""


def main() -> int:
    """Run the named groups (default: all)."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "groups", nargs="*", metavar="GROUP", help=f"one of {', '.join(GROUPS)} (default: all), {', '.join(ON_REQUEST)}"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--update", action="store_true", help="rewrite the expected simulated figures")
    options = parser.parse_args()
    unknown = [g for g in options.groups if g not in GROUPS + ON_REQUEST]
    if unknown:
        parser.error(f"no group named '{unknown[0]}'; the groups are {', '.join(GROUPS + ON_REQUEST)}")
    expected: dict[str, dict[str, int]] = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    report: dict[str, list[dict[str, object]]] = {}
    moved: list[str] = []
    missed: list[str] = []
    for group in options.groups or GROUPS:
        cases: list[Case] = importlib.import_module(f"benchmarks.{group}").run()
        report[group] = [c.to_json() for c in cases]
        for c in cases:
            if c.exact and not options.update and expected.get(c.name) != c.exact:
                moved.append(f"{c.name}: expected {expected.get(c.name)}, found {c.exact}")
            if c.exact:
                expected[c.name] = c.exact
            if c.reached is False:
                missed.append(c.name)
        if not options.json:
            _print(group, cases)
    if options.update:
        EXPECTED.write_text(json.dumps(dict(sorted(expected.items())), indent=2) + "\n")
    if options.json:
        print(json.dumps({"groups": report, "moved": moved, "missed": missed}, indent=2))
    for line in moved:
        print(f"simulated figure moved: {line}", file=sys.stderr)
    return 1 if moved or missed else 0


def _print(group: str, cases: list[Case]) -> None:
    print(group)
    for c in cases:
        text = f"  {c.name}: {c.figure:.6g} {c.unit}"
        if c.ratio is not None:
            text += f" against {c.reference:.6g} ({c.reference_name}): {c.ratio:.3f}"
        if c.goal is not None:
            text += f", goal {c.goal[0]} {c.goal[1]:g}: {'reached' if c.reached else 'MISSED'}"
        print(text, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
