"""Device records on disk, by content: what a device file says, without parsing it again.

An entry is a JSON file under the digest of the file's text and name and of the compiler. A damaged one is made again. A
device file that draws warnings is not kept, so that they come every time.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.arch.files import read_device_file
from headrace.arch.record import DeviceRecord, record_of
from headrace.ir.diagnostics import collecting, engine
from headrace.runtime.cache import ArtefactCache, key_of, read_checked, write_checked

if TYPE_CHECKING:
    from headrace.arch import Device as ArchDevice


def open_record(
    device: str | os.PathLike[str] | ArchDevice | DeviceRecord, cache: ArtefactCache | None = None
) -> DeviceRecord:
    """The record of a device by name, of a device file, or of a device model; kept beside the artefacts of a cache
    (None: the one of the environment). Raises HeadraceError."""
    if not isinstance(device, str | os.PathLike):
        return record_of(device)
    text, filename = read_device_file(os.fspath(device))
    root = (cache or ArtefactCache.default()).root
    path = root / "devices" / f"{key_of(text=text, filename=filename)}.json" if root is not None else None
    return (_read(path) if path is not None else None) or _make(device, path)


def _make(device: str | os.PathLike[str], path: Path | None) -> DeviceRecord:
    from headrace.arch import load_device

    outer = engine()
    with collecting() as inner:
        record = load_device(os.fspath(device)).record
    for d in inner.diagnostics:
        outer.emit(d.severity, d.loc, d.message, [(n.loc, n.message) for n in d.notes])
    if path is not None and not inner.diagnostics:
        with contextlib.suppress(OSError):  # a cache that cannot be written is no error
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            temporary = path.with_name(f"{path.stem}-{os.getpid()}")
            write_checked(temporary, record.to_json())
            os.replace(temporary, path)
    return record


def _read(path: Path) -> DeviceRecord | None:
    try:
        return DeviceRecord.from_json(read_checked(path))
    except (OSError, ValueError, KeyError, TypeError):
        return None
