"""Device files: those that come with the package, and those that users name."""

from __future__ import annotations

from pathlib import Path

from headrace.ir.diagnostics import did_you_mean, error

DEVICES = Path(__file__).parent / "devices"
"""Folder of the shipped device files."""


def shipped_devices() -> list[str]:
    """Names of the devices that come with the package."""
    return sorted(path.stem for path in DEVICES.glob("*.mlir"))


def read_device_file(name_or_path: str | Path) -> tuple[str, str]:
    """(text, file name) of a shipped device or of a device file.

    Anything with a path separator or the suffix `.mlir` is a file. HeadraceError for an unknown name (with the known
    ones) or a file that cannot be read.
    """
    text = str(name_or_path)
    is_file = isinstance(name_or_path, Path) or "/" in text or "\\" in text or text.endswith(".mlir")
    if not is_file:
        known = shipped_devices()
        if text not in known:
            hint = did_you_mean(text.lower(), known)
            listed = ", ".join(known)
            raise error(
                None, f"unknown device '{text}'{hint}; known devices: {listed} (or give the path of a device file)"
            )
        path = DEVICES / f"{text}.mlir"
        return path.read_text(encoding="utf-8"), path.name
    path = Path(text)
    if not path.is_file() and (DEVICES / path.name).is_file() and path.parent == Path("."):
        path = DEVICES / path.name
    try:
        return path.read_text(encoding="utf-8"), text
    except (OSError, UnicodeDecodeError) as failure:
        raise error(None, f"cannot read device file '{text}': {reason_of(failure)}") from None


def reason_of(failure: OSError | UnicodeDecodeError) -> str | None:
    """Why a file could not be read, in words."""
    return failure.strerror if isinstance(failure, OSError) else "not a text file"
