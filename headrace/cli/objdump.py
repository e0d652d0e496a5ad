"""`headrace objdump DIR`: what is in a SpyreCode directory."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from headrace.cli.common import numbers, print_json


def run_objdump(directory: str, as_json: bool, arguments: Sequence[str] = ()) -> int:
    """Disassemble; returns the exit status. ``arguments`` (NAME=VALUE, all or none): the binary corrected for them."""
    from headrace.codegen import SpyreCode
    from headrace.codegen.correction import argument_values
    from headrace.codegen.objdump import dump_json, dump_text
    from headrace.scheduler.expression import text

    code = SpyreCode.read(directory)
    values = argument_values(code, numbers("--arg", arguments)) if arguments else None
    bound = code.manifest.get("bound")
    if as_json:
        print_json({**dump_json(code, values), "bound": bound})
        return 0
    sys.stdout.write(dump_text(code, values))
    if isinstance(bound, dict):
        sys.stdout.write("\nbound, in cycles:\n")
        for term in bound.get("terms", []):
            by = " ".join(str(term[k]) for k in ("by", "port") if k in term)
            sys.stdout.write(f"  {by}: {text(term['cycles'])}\n")
    return 0
