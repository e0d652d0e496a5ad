"""`python -m tests.machine.digests FILE:DEVICE...`: a line for each kernel of the corpus, with all that must not depend
on the process: digest of the compiled files, cycles, figures of units, digest of the outputs. Refusals are lines."""

from __future__ import annotations

import hashlib
import sys

from headrace.ir.diagnostics import HeadraceError

from .test_corpus import compile_or_why, run, with_data


def line(file: str, device: str) -> str:
    """What one kernel gives."""
    program = compile_or_why(file, device)
    if isinstance(program, str):
        return f"{file} {device} {program}"
    code, values, figures = hashlib.sha256(), hashlib.sha256(), hashlib.sha256()
    for name, content in sorted(program.code.contents().items()):
        code.update(name.encode() + content)
    try:
        outputs, result = run(with_data(program))
    except HeadraceError as e:
        return f"{file} {device} {code.hexdigest()} {e}"
    for name, content in sorted(outputs.items()):
        values.update(name.encode() + content)
    figures.update(repr(sorted(result.to_json().items())).encode())
    return f"{file} {device} {code.hexdigest()} {result.cycles} {values.hexdigest()} {figures.hexdigest()}"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(line(*argument.split(":")), flush=True)
