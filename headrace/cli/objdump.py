"""`headrace objdump DIR`: what is in a SpyreCode directory."""

from __future__ import annotations

import sys

from headrace.cli.common import print_json


def run_objdump(directory: str, as_json: bool) -> int:
    """Disassemble; returns the exit status."""
    from headrace.codegen import SpyreCode
    from headrace.codegen.objdump import dump_json, dump_text
    from headrace.scheduler.estimate import text

    code = SpyreCode.read(directory)
    bound = code.manifest.get("bound")
    if as_json:
        print_json({**dump_json(code), "bound": bound})
        return 0
    sys.stdout.write(dump_text(code))
    if isinstance(bound, dict):
        sys.stdout.write("\nbound, in cycles:\n")
        for term in bound.get("terms", []):
            sys.stdout.write(f"  {term['by']}: {text(term['cycles'])}\n")
    return 0
