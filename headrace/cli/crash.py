"""Internal errors: say so, and save what is needed to reproduce them."""

from __future__ import annotations

import hashlib
import shlex
import shutil
import tempfile
import traceback
from pathlib import Path


def report(argv: list[str], problem: BaseException) -> str:
    """Save command, input files and traceback in a directory; returns the message for the user."""
    trace = "".join(traceback.format_exception(problem))
    files = [Path(a) for a in argv if not a.startswith("-") and Path(a).is_file()]
    files += [Path(a.split("=", 1)[1]) for a in argv if "=" in a and Path(a.split("=", 1)[1]).is_file()]
    digest = hashlib.sha256(shlex.join(argv).encode())
    for file in files:
        digest.update(file.read_bytes())
    message = (
        f"headrace: internal error: {type(problem).__name__}: {problem}\n"
        "This is a bug of headrace, not of your input.\n"
    )
    try:
        folder = Path(tempfile.gettempdir()) / f"headrace-crash-{digest.hexdigest()[:12]}"
        folder.mkdir(exist_ok=True)
        (folder / "command.txt").write_text(shlex.join(["headrace", *argv]) + "\n")
        (folder / "traceback.txt").write_text(trace)
        for file in files:
            shutil.copy(file, folder / file.name)
    except OSError as failure:
        return f"{message}A reproducer could not be saved ({failure}); --debug shows the traceback.\n"
    return f"{message}A reproducer (command, input, traceback) was saved in {folder}; --debug shows the traceback.\n"
