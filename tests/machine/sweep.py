"""The comparison of :mod:`tests.machine.test_corpus` over the whole corpus, in pieces.

`python -m tests.machine.sweep LOG [--limit STEPS] [--most STEPS] [--seconds N] [FILE...]` compares pairs of kernel and
device that the log does not have yet, small files first, until the time is over, and adds a line for each: file,
device, and `equal`, `listed` (the cycles equal those of the reference engine with a work list), `refused`, `steps N`
(equal in all modes, more unit steps than these engines were asked for) or what differs.
Exit status 1: something differs. It counts at the end what is left.
"""

from __future__ import annotations

import argparse
import time
import traceback
from collections import Counter
from pathlib import Path

from headrace.ir.diagnostics import HeadraceError
from tests.machine.test_corpus import CORPUS, FILES, PAIRS, SMALL, compare


def pairs(files: list[str]) -> list[tuple[str, str]]:
    """Pairs of file and device: small shapes before large ones, short files before long ones."""
    return sorted(
        (p for p in PAIRS if p[0] in files), key=lambda p: (p[0] not in SMALL, (CORPUS / p[0]).stat().st_size, p[0])
    )


def outcome(file: str, device: str, limit: int, most: int) -> str:
    """One comparison in a word or a line."""
    try:
        steps = compare(file, device, limit, most)
    except AssertionError as e:
        return f"differs: {traceback.extract_tb(e.__traceback__)[-1].line}"
    except HeadraceError as e:
        return f"differs: {e.diagnostics[0].message}"
    if steps is None:
        return "refused"
    return "equal" if steps <= limit else "listed" if steps <= most else f"steps {steps}"


def main() -> int:
    """Run one piece."""
    parser = argparse.ArgumentParser(prog="python -m tests.machine.sweep", description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("files", nargs="*", metavar="FILE", help="files of the corpus (default: all)")
    parser.add_argument("--limit", type=int, default=200_000, help="most unit steps for the reference engine")
    parser.add_argument("--most", type=int, default=3_000_000, help="most unit steps for the one with a work list")
    parser.add_argument("--seconds", type=float, default=240)
    options = parser.parse_args()
    log: Path = options.log
    lines = [line.split(" ", 2) for line in log.read_text().splitlines()] if log.exists() else []
    done = {(f, d): what for f, d, what in lines}
    for pair, what in list(done.items()):  # a larger limit looks again at what was too long
        if what.startswith("steps ") and int(what.split()[1]) <= max(options.limit, options.most):
            del done[pair]
    wanted = pairs(options.files or FILES)
    began = time.monotonic()
    for file, device in wanted:
        if (file, device) in done:
            continue
        if time.monotonic() - began > options.seconds:
            break
        done[file, device] = what = outcome(file, device, options.limit, options.most)
        with log.open("a") as f:
            f.write(f"{file} {device} {what}\n")
        if what.startswith("differs"):
            print(f"{file} {device} {what}", flush=True)
    counts = Counter(done[p].split()[0].rstrip(":") if p in done else "left" for p in wanted)
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 1 if counts["differs"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
