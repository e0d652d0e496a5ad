"""The artefact cache: content addressed, safe under processes, crashes and full disks."""

from __future__ import annotations

import errno
import os
import random
import resource
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import headrace.api
from headrace.codegen import SpyreCode
from headrace.ir.diagnostics import HeadraceError
from headrace.runtime import cache as module
from headrace.runtime.cache import ArtefactCache, key_of
from tests.runtime import faults

ROOT = Path(__file__).parent.parent.parent
ARTEFACTS = ROOT / "tests" / "codegen" / "artefacts"
ADD = ROOT / "tests" / "corpus" / "elementwise" / "add.mlir"


@pytest.fixture(scope="module")
def code() -> SpyreCode:
    return SpyreCode.read(ARTEFACTS / "rows-v1-digests")


@pytest.fixture
def cache(tmp_path: Path) -> ArtefactCache:
    return ArtefactCache(tmp_path / "cache")


def key(n: int) -> str:
    return f"{n:064x}"


def must_not_build() -> Any:
    raise AssertionError("built again")


def test_built_once_then_found(cache: ArtefactCache, code: SpyreCode) -> None:
    first = cache.get_or_build(key(1), lambda: (code, {"note": 3}, True))
    assert not first.hit and first.code is code
    again = cache.get_or_build(key(1), must_not_build)
    assert again.hit and again.code == code and again.extra == {"note": 3}
    other = ArtefactCache(cache.root).get(key(1))
    assert other is not None and other.code == code
    assert (cache.counters.hits, cache.counters.misses, cache.counters.stores) == (1, 1, 1)
    cache.get_or_build(key(2), lambda: (code, {}, False))
    assert cache.get(key(2)) is None
    cache.clear()
    assert cache.get(key(1)) is None


def test_keys_depend_on_everything() -> None:
    base = {"source": "a", "device": "d", "options": [1]}
    keys = {key_of(**base), *(key_of(**{**base, k: "x"}) for k in base)}
    assert len(keys) == 4 and key_of(**base) in keys


def test_compile_cached(cache: ArtefactCache, monkeypatch: pytest.MonkeyPatch) -> None:
    device = str(ARTEFACTS / "frozen.mlir")
    entry, program = headrace.compile_cached(ADD, device, cache=cache)
    assert program is not None and entry.code == program.code
    again, none = headrace.compile_cached(ADD, device, cache=cache)
    assert none is None and again.code == program.code and again.extra["warnings"] == []
    _, other = headrace.compile_cached(ADD.read_text() + "\n// changed", device, cache=cache)
    assert other is not None
    monkeypatch.setattr(module, "compiler_digest", lambda: "another version")
    _, other = headrace.compile_cached(ADD, device, cache=cache)
    assert other is not None


def test_every_damage_is_built_again(cache: ArtefactCache, code: SpyreCode) -> None:
    rng = random.Random(4)
    cache.put(key(1), code, {"a": 1})
    folder = cache.root / key(1)[:2] / key(1)
    names = sorted(p.name for p in folder.iterdir())
    assert names == ["debug.json", "extra.json", "init_binary.bin", "manifest.json", "spyrecode.json"]
    for n in range(30):
        path = folder / names[n % len(names)]
        raw = bytearray(path.read_bytes())
        if n % 4 == 0:
            path.write_bytes(bytes(raw[: rng.randrange(len(raw))]))
        elif n % 4 == 1 and names[n % len(names)] != "debug.json":
            path.unlink()
        else:
            raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
            path.write_bytes(bytes(raw))
        entry = cache.get_or_build(key(1), lambda: (code, {"a": 1}, True))
        assert entry.code.contents() == code.contents() or entry.code.debug is None
        assert entry.extra == {"a": 1}
        cache._remove(folder)
        cache.put(key(1), code, {"a": 1})
    assert cache.counters.damaged > 15


def test_the_least_recently_used_go_first(tmp_path: Path, code: SpyreCode) -> None:
    size = sum(len(raw) for raw in code.contents().values()) + 1000
    cache = ArtefactCache(tmp_path, limit=3 * size)
    for n in range(3):
        cache.put(key(n), code)
        os.utime(tmp_path / key(n)[:2] / key(n), (1000 + n, 1000 + n))
    assert cache.get(key(0)) is not None
    cache.put(key(3), code)
    assert [cache.get(key(n)) is not None for n in range(4)] == [True, False, True, True]
    assert cache.counters.evictions == 1
    tiny = ArtefactCache(tmp_path / "tiny", limit=1)
    tiny.put(key(0), code)
    tiny.put(key(1), code)
    assert tiny.get(key(0)) is None and tiny.get(key(1)) is not None


def test_a_full_disk_keeps_nothing_and_breaks_nothing(
    cache: ArtefactCache, code: SpyreCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put(key(1), code)
    real = module.write_synced

    def full(path: Path, raw: bytes) -> None:
        real(path, raw[:10])
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(module, "write_synced", full)
    entry = cache.get_or_build(key(2), lambda: (code, {}, True))
    assert entry.code is code and cache.counters.failures == 1
    assert cache.get(key(2)) is None and cache.get(key(1)) is not None
    assert not list((cache.root / "tmp").iterdir())


def limited(code: str, cwd: Path, size: int) -> subprocess.CompletedProcess[str]:
    """Python code in a process that may not write files beyond a size."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    start = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    return subprocess.run(
        [sys.executable, "-c", start + code], cwd=cwd, preexec_fn=limit, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HEADRACE_CACHE_DIR": str(cwd / "cache")}, check=False,
    )  # fmt: skip


def test_a_file_system_that_takes_no_more_bytes(tmp_path: Path, code: SpyreCode) -> None:
    done = limited(
        "from headrace.runtime.cache import ArtefactCache\nfrom headrace.codegen import SpyreCode\n"
        f"code = SpyreCode.read({str(ARTEFACTS / 'rows-v1-digests')!r})\n"
        f"cache = ArtefactCache({str(tmp_path / 'c')!r})\n"
        f"e = cache.get_or_build({key(5)!r}, lambda: (code, {{}}, True))\n"
        f"print(e.code is code, cache.counters.failures, cache.get({key(5)!r}))\n"
        f"try:\n    code.write({str(tmp_path / 'out')!r})\nexcept Exception as e:\n    print(type(e).__name__, e)\n",
        tmp_path,
        4096,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("True 1 None\nHeadraceError error: ")
    assert "cannot write: File too large" in done.stdout
    assert not (tmp_path / "out").exists()
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_a_read_only_place(tmp_path: Path, code: SpyreCode) -> None:
    (tmp_path / "file").write_text("no directory")
    cache = ArtefactCache(tmp_path / "file")
    assert cache.get_or_build(key(1), lambda: (code, {}, True)).code is code
    assert cache.get(key(1)) is None
    with pytest.raises(HeadraceError, match="cannot write"):
        code.write(tmp_path / "file" / "x")
    nowhere = ArtefactCache(None)
    assert not nowhere.get_or_build(key(1), lambda: (code, {}, True)).hit and not nowhere.put(key(1), code)


def test_many_threads_build_once(cache: ArtefactCache, code: SpyreCode) -> None:
    built: list[int] = []

    def build() -> Any:
        built.append(1)
        time.sleep(0.02)
        return code, {}, True

    with ThreadPoolExecutor(8) as pool:
        entries = list(pool.map(lambda _: cache.get_or_build(key(1), build), range(24)))
    assert all(e.code == code for e in entries) and len(built) <= 2


def start(what: str, directory: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.runtime.faults", what, str(directory)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def killed_in_the_middle(tmp_path: Path, code: SpyreCode, rounds: int) -> None:
    rng = random.Random(1)
    for _ in range(rounds):
        process = start("cache", tmp_path)
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob("??/*")) and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(rng.random() * 0.3)
        kill(process)
        cache = ArtefactCache(tmp_path)
        entries = cache._entries()
        for path in entries:
            entry = cache.get(path.name)
            assert entry is not None and entry.code == code, "an entry is whole or not there"
        cache.trim()
        assert entries and not list((tmp_path / "tmp").iterdir()), "what the dead process left is gone"
        assert cache.get_or_build(key(999), lambda: (code, {}, True)).code == code, "no lock is left"


def test_killed_while_it_writes_the_cache(tmp_path: Path, code: SpyreCode) -> None:
    killed_in_the_middle(tmp_path, code, 1)


@pytest.mark.all
def test_killed_often_while_it_writes_the_cache(tmp_path: Path, code: SpyreCode) -> None:
    killed_in_the_middle(tmp_path, code, 10)


def killed_compilers(tmp_path: Path, rounds: int) -> None:
    rng = random.Random(2)
    other = start("compile", tmp_path)  # goes on while its neighbours die
    for _ in range(rounds):
        process = start("compile", tmp_path)
        assert process.stdout is not None
        for _ in range(2):  # it is warm now: the rest of its life is compilation
            assert process.stdout.readline() == "ready\n"
        time.sleep(rng.random() * 0.4)
        kill(process)
        cache = ArtefactCache(tmp_path)
        entries = [cache.get(path.name) for path in cache._entries()]
        assert entries and all(e is not None and e.code.files for e in entries), "an entry is whole or not there"
        assert other.poll() is None and other.stdout is not None and other.stdout.readline() == "ready\n"
    kill(other)
    entry, program = headrace.api.compile_cached(faults.KERNEL, cache=ArtefactCache(tmp_path))
    assert program is not None and entry.code == program.code, "no lock is left"


def test_killed_while_it_compiles(tmp_path: Path) -> None:
    killed_compilers(tmp_path, 1)


@pytest.mark.all
def test_killed_often_while_it_compiles(tmp_path: Path) -> None:
    killed_compilers(tmp_path, 12)


def test_killed_while_it_builds_an_entry(tmp_path: Path, code: SpyreCode) -> None:
    process = start("build", tmp_path)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    kill(process)
    cache = ArtefactCache(tmp_path)
    assert cache.get_or_build("ab" * 32, lambda: (code, {}, True)).code == code


def test_killed_while_it_writes_a_directory(tmp_path: Path, code: SpyreCode) -> None:
    process = start("write", tmp_path)
    time.sleep(0.3)
    kill(process)
    for path in tmp_path.iterdir():
        if path.name.startswith("."):
            continue
        try:
            assert SpyreCode.read(path) == code
        except HeadraceError as e:
            assert "is missing" in str(e)
    shutil.rmtree(tmp_path)


def test_a_killed_launch_leaves_other_processes_alone(tmp_path: Path) -> None:
    survivor, victim = start("launch", tmp_path), start("launch", tmp_path)
    kill(victim)
    time.sleep(0.1)
    assert survivor.poll() is None
    kill(survivor)
