"""Compiled artefacts on disk, by content.

An entry is a SpyreCode directory under the digest of everything it depends on: source, device, options, compiler. The
directory may be shared by processes and survives crashes:

* an entry is written under another name, synced, and renamed into place, so it exists whole or not at all;
* a lock per key (released by the system when a process dies) makes one process build what several want;
* reading verifies digests; a damaged entry is thrown away and built again;
* entries that were used longest ago go when all together exceed the limit;
* a full disk, a read-only directory: the artefact is built and used, just not kept.

Directory: ``HEADRACE_CACHE_DIR`` (empty: keep nothing), else ``XDG_CACHE_HOME/headrace``, else ``~/.cache/headrace``;
in it ``artefacts``. Limit: ``HEADRACE_CACHE_BYTES``, 1 GiB by default.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from headrace.codegen.spyrecode import SpyreCode, sync_directory, write_synced
from headrace.ir.diagnostics import HeadraceError
from headrace.machine.native.cache import directory

try:
    import fcntl
except ImportError:  # a system without file locks: two processes may build the same
    fcntl = None

EXTRA_NAME = "extra.json"
LIMIT_BYTES = 1 << 30
STALE_SECONDS = 3600.0
"""Age after which what a dead process left behind is removed."""
_serial = itertools.count()


@dataclass
class CacheCounters:
    """What a cache did in this process."""

    hits: int = 0
    misses: int = 0
    stores: int = 0
    failures: int = 0
    damaged: int = 0
    evictions: int = 0


@dataclass
class Entry:
    """An artefact with what its maker wanted to remember about it. ``hit``: it was not built now."""

    code: SpyreCode
    extra: dict[str, Any] = field(default_factory=dict)
    hit: bool = False


class ArtefactCache:
    """The cache in one directory. ``root`` None: nothing is kept."""

    def __init__(self, root: str | os.PathLike[str] | None, limit: int | None = None):
        self.root = Path(root) if root is not None else None
        self.limit = limit if limit is not None else _limit()
        self.counters = CacheCounters()

    @staticmethod
    def default() -> ArtefactCache:
        """The cache of the environment."""
        base = directory()
        return ArtefactCache(base / "artefacts" if base is not None else None)

    def get(self, key: str) -> Entry | None:
        """The entry of a key, verified; None if there is none. A damaged one is removed."""
        path = self._path(key)
        if path is None or not path.is_dir():
            return None
        try:
            entry = Entry(SpyreCode.read(path), read_checked(path / EXTRA_NAME), True)
        except (HeadraceError, ValueError, OSError):
            if path.is_dir():
                self.counters.damaged += 1
                self._remove(path)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return entry

    def put(self, key: str, code: SpyreCode, extra: Mapping[str, Any] | None = None) -> bool:
        """Keep an artefact. False if the disk or its rights did not allow it: nothing has changed then."""
        path = self._path(key)
        if path is None or self.root is None:
            return False
        temporary = self.root / "tmp" / f"{os.getpid()}-{next(_serial)}"
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            temporary.mkdir(parents=True, mode=0o700)
            body = dict(extra or {})
            write_checked(temporary / EXTRA_NAME, body)
            for name, raw in code.contents().items():
                write_synced(temporary / name, raw)
            sync_directory(temporary)
            try:
                os.rename(temporary, path)
            except OSError:
                if not path.is_dir():
                    raise
                return True  # somebody else was faster
            sync_directory(path.parent)
        except OSError:
            self.counters.failures += 1
            return False
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        self.counters.stores += 1
        self.trim()
        return True

    def get_or_build(self, key: str, build: Callable[[], tuple[SpyreCode, Mapping[str, Any], bool]]) -> Entry:
        """The entry of a key; if there is none ``build()`` makes artefact and extra, and says whether to keep them."""
        found = self.get(key)
        if found is None:
            with self._lock(key):
                found = self.get(key)
                if found is None:
                    self.counters.misses += 1
                    code, extra, keep = build()
                    if keep:
                        self.put(key, code, extra)
                    return Entry(code, dict(extra))
        self.counters.hits += 1
        return found

    def trim(self) -> None:
        """Remove the entries used longest ago until the rest fits the limit, and what dead processes left behind."""
        if self.root is None:
            return
        found: list[tuple[float, int, Path]] = []
        for path in self._entries():
            with contextlib.suppress(OSError):
                size = sum(f.stat().st_size for f in path.iterdir())
                found.append((path.stat().st_mtime, size, path))
        total = sum(size for _, size, _ in found)
        for _, size, path in sorted(found)[:-1]:  # the newest stays, whatever its size
            if total <= self.limit:
                break
            total -= size
            self.counters.evictions += 1
            self._remove(path)
        for path in _children(self.root / "tmp"):
            if not _alive(path):
                shutil.rmtree(path, ignore_errors=True)

    def clear(self) -> None:
        """Remove every entry."""
        for path in self._entries():
            self._remove(path)

    def _entries(self) -> list[Path]:
        if self.root is None:
            return []
        return [p for shelf in _children(self.root) if len(shelf.name) == 2 for p in _children(shelf)]

    def _path(self, key: str) -> Path | None:
        return self.root / key[:2] / key if self.root is not None else None

    def _remove(self, path: Path) -> None:
        """Take an entry away in one step, then delete its files."""
        assert self.root is not None
        grave = self.root / "tmp" / f"{os.getpid()}-{next(_serial)}"
        with contextlib.suppress(OSError):
            grave.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.rename(path, grave)
        shutil.rmtree(grave, ignore_errors=True)

    @contextlib.contextmanager
    def _lock(self, key: str) -> Iterator[None]:
        """One process at a time builds a key. Without locks or rights everybody builds, which is slower, not wrong."""
        handle: int | None = None
        path = (self.root or Path()) / "locks" / key
        if self.root is not None and fcntl is not None:
            with contextlib.suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
                fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            yield
        finally:
            if handle is not None:
                with contextlib.suppress(OSError):
                    os.unlink(path)
                os.close(handle)


def key_of(**parts: Any) -> str:
    """Digest of everything an artefact depends on, given as JSON-able values; the compiler is always part of it."""
    return _digest({**parts, "compiler": compiler_digest()})


@cache
def compiler_digest() -> str:
    """Digest of this package's sources: another version, another artefact."""
    root = Path(__file__).parent.parent
    h = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".mlir", ".json"):
            h.update(path.relative_to(root).as_posix().encode() + b"\0")
            h.update(hashlib.sha256(path.read_bytes()).digest())
    return h.hexdigest()


def _limit() -> int:
    text = os.environ.get("HEADRACE_CACHE_BYTES", "")
    return int(text) if text.isdigit() else LIMIT_BYTES


def write_checked(path: Path, body: Mapping[str, Any]) -> None:
    """Write JSON values with their digest. OSError."""
    write_synced(path, _json({"digest": _digest(body), "extra": body}))


def read_checked(path: Path) -> dict[str, Any]:
    """What :func:`write_checked` wrote; ValueError if it is damaged, OSError."""
    data = json.loads(path.read_bytes())
    if (
        not isinstance(data, dict)
        or not isinstance(data.get("extra"), dict)
        or data.get("digest") != _digest(data["extra"])
    ):
        raise ValueError("damaged")
    return data["extra"]


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _alive(path: Path) -> bool:
    """Whether the process that made a temporary entry may still be at it."""
    number = path.name.partition("-")[0]
    try:
        if time.time() - path.stat().st_mtime > STALE_SECONDS or not number.isdigit():
            return False
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=True) + "\n").encode()


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
