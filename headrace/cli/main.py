"""`headrace VERB ...`: the command line.

Exit status: 0 good; 1 the input is wrong; 2 usage; 3 a check failed; 4 an internal error; 130 interrupted.
`opt` is handed over before the argument parser of the other verbs is loaded: its start-up time matters.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import Any

GOOD, WRONG_INPUT, USAGE, CHECK_FAILED, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 4, 130
COLLECT = 100_000, 20, 20
"""New objects after which reference cycles are looked for: what is imported and compiled is not garbage, and looking
at it every 700 objects takes a seventh of a short run."""


def main(argv: Sequence[str] | None = None) -> None:
    """Entry point of `headrace`. Unless told otherwise it keeps what `run` compiles in the artefact cache; callers of
    :func:`run` have to ask for that."""
    os.environ.setdefault("HEADRACE_ARTEFACTS", "1")
    gc.set_threshold(*COLLECT)
    raise SystemExit(run(list(sys.argv[1:] if argv is None else argv)))


def main_opt() -> None:
    """Entry point of `headrace-opt`."""
    main(["opt", *sys.argv[1:]])


def run(argv: list[str]) -> int:
    """Run one command; returns the exit status and never raises."""
    debug = "--debug" in argv
    if argv and argv[0] == "opt":
        argv = [a for a in argv if a != "--debug"]
    try:
        return _dispatch(argv)
    except KeyboardInterrupt:
        sys.stderr.write("headrace: interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        _close_stdout()
        return GOOD
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else (GOOD if stop.code is None else INTERNAL)
    except Exception as problem:
        from headrace.ir.diagnostics import HeadraceError

        if isinstance(problem, HeadraceError):
            if debug:
                raise
            sys.stderr.write(f"{problem}\n")
            return _status_of(problem)
        if debug:
            raise
        from headrace.cli.crash import report

        sys.stderr.write(report(argv, problem))
        return INTERNAL


def _status_of(problem: Exception) -> int:
    from headrace.cli.common import CheckFailed, UsageProblem

    if isinstance(problem, UsageProblem) or type(problem).__name__ == "KernelChoiceError":
        return USAGE
    return CHECK_FAILED if isinstance(problem, CheckFailed) else WRONG_INPUT


def _close_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(argv: list[str]) -> int:
    if argv and argv[0] == "opt":
        from headrace.cli.opt import run_opt

        return run_opt(argv[1:])
    if argv and argv[0] == "--version":
        from headrace import __version__

        sys.stdout.write(f"headrace {__version__}\n")
        return GOOD
    import typer

    from headrace.cli.app import command

    usage_error: Any = typer.BadParameter.__mro__[1]
    try:
        status = command().main(args=argv, prog_name="headrace", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.Exit as stop:
        return stop.exit_code
    except usage_error as problem:  # pyright: ignore[reportGeneralTypeIssues]
        context = getattr(problem, "ctx", None)
        if context is not None:
            sys.stderr.write(f"{context.get_usage()}\nTry '{context.command_path} --help'.\n")
        sys.stderr.write(f"headrace: {problem.format_message()}\n")
        return USAGE
    if status == INTERRUPTED:  # typer turns an interrupt into this status
        raise KeyboardInterrupt
    return status if isinstance(status, int) else GOOD


if __name__ == "__main__":
    main()
